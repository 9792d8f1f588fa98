"""Games of peg solitaire counted from the definition: one after the other, or by adding up over positions."""

from collections import Counter

from tests.naive.solitaire import Position, jumps


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
