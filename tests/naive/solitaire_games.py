"""Games of peg solitaire counted from the definition: one after the other, or by adding up over positions."""

from collections import Counter
from collections.abc import Iterator

from tests.naive.solitaire import Cell, Position, jumps


def after(board: Position, grid: str, position: Position) -> list[Position]:
    """The position after each jump that is possible."""
    lines = jumps(board, grid)
    return [position - {a, b} | {c} for a, b, c in lines if a in position and b in position and c not in position]


def play_all(board: Position, grid: str, position: Position) -> Counter[Position]:
    """How many games end in each position: every game is played."""
    following = after(board, grid, position)
    if not following:
        return Counter([position])
    return sum((play_all(board, grid, other) for other in following), Counter())


def count_games(board: Position, grid: str, start: Position) -> list[Counter[Position]]:
    """By jumps made: the sequences of jumps from the start to each position."""
    levels = [Counter([start])]
    while levels[-1]:
        following: Counter[Position] = Counter()
        for position, ways in levels[-1].items():
            for other in after(board, grid, position):
                following[other] += ways
        levels.append(following)
    return levels[:-1]


def sequences(board: Position, grid: str, position: Position) -> Iterator[list[tuple[Cell, Cell, Cell]]]:
    """Every game, jump by jump: (from, over, to)."""
    possible = [(a, b, c) for a, b, c in jumps(board, grid) if a in position and b in position and c not in position]
    if not possible:
        yield []
    for a, b, c in possible:
        for rest in sequences(board, grid, position - {a, b} | {c}):
            yield [(a, b, c), *rest]


def by_effect(game: list[tuple[Cell, Cell, Cell]]) -> tuple[tuple[Cell, Cell, frozenset[Cell]], ...]:
    """A game as moves, the jumps of one peg in a row: where each begins and ends, and which pegs it takes."""
    moves: list[tuple[Cell, Cell, frozenset[Cell]]] = []
    for a, b, c in game:
        if moves and moves[-1][1] == a:
            begin, _, taken = moves.pop()
            moves.append((begin, c, taken | {b}))
        else:
            moves.append((a, c, frozenset({b})))
    return tuple(moves)
