"""Rush Hour by the definition: boards as sets of pieces, laid cell by cell; everything by plain searches."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

Cells = tuple[tuple[int, int], ...]
Piece = tuple[Cells, bool]
"""Its cells, and whether it is the red car."""
Board = frozenset[Piece]


class Game(NamedTuple):
    """Cells of a side, row of the red car, and walls."""

    n: int
    row: int
    walls: frozenset[tuple[int, int]] = frozenset()


def boards(game: Game) -> Iterator[Board]:
    """All boards: at each cell in reading order a piece begins or none does."""

    def laid(cell: int, pieces: tuple[Piece, ...], covered: frozenset[tuple[int, int]]) -> Iterator[Board]:
        if cell == game.n**2:
            if sum(red for _, red in pieces) == 1:
                yield frozenset(pieces)
            return
        r, c = divmod(cell, game.n)
        yield from laid(cell + 1, pieces, covered)
        for length in (2, 3):
            for down, right in ((0, 1), (1, 0)):
                cells = tuple((r + i * down, c + i * right) for i in range(length))
                if max(cells[-1]) < game.n and not covered & set(cells):
                    for red in (False, True):
                        if not red or (length == 2 and right and r == game.row):
                            yield from laid(cell + 1, (*pieces, (cells, red)), covered | set(cells))

    return laid(0, (), game.walls)


def moves(game: Game, board: Board, many: bool) -> Iterator[Board]:
    """The boards after one piece has moved by a cell, or by any number of cells."""
    covered = {cell for cells, _ in board for cell in cells} | game.walls
    for piece in board:
        cells, red = piece
        others = covered.difference(cells)
        down, right = (0, 1) if cells[0][0] == cells[1][0] else (1, 0)
        for sign in (1, -1):
            for far in range(1, game.n if many else 2):
                there = tuple((r + sign * far * down, c + sign * far * right) for r, c in cells)
                if any(not (0 <= r < game.n and 0 <= c < game.n) or (r, c) in others for r, c in there):
                    break
                yield board - {piece} | {(there, red)}


def is_goal(game: Game, board: Board) -> bool:
    """The red car stands at the right end of its row."""
    return any(red and cells[-1][1] == game.n - 1 for cells, red in board)


def is_last(game: Game, board: Board) -> bool:
    """No piece of its row and no wall stands to the right of the red car."""
    ((red, _),) = [piece for piece in board if piece[1]]
    behind = {(game.row, c) for c in range(red[-1][1] + 1, game.n)}
    across = [cells for cells, _ in board if cells[0][0] == cells[1][0]]
    return not behind & game.walls and not any(behind & set(cells) for cells in across)


def class_of(game: Game, board: Board) -> tuple[object, ...]:
    """The pieces of each line in their order, between which walls."""
    lines: dict[tuple[bool, int], list[tuple[int, int, bool]]] = defaultdict(list)
    for cells, red in board:
        across = cells[0][0] == cells[1][0]
        line = cells[0][0] if across else cells[0][1]
        walls = sum((w[0] if across else w[1]) == line and w < cells[0] for w in game.walls)
        lines[across, line].append((cells[0][1] if across else cells[0][0], len(cells), red, walls))  # type: ignore[arg-type]
    return tuple(sorted((line, tuple(piece[1:] for piece in sorted(pieces))) for line, pieces in lines.items()))


def groups(game: Game, some: set[Board]) -> list[set[Board]]:
    """The groups of a set of boards that moves do not leave."""
    left, found = set(some), []
    while left:
        group = {left.pop()}
        queue = list(group)
        for board in queue:
            for there in moves(game, board, many=False):
                if there not in group:
                    group.add(there)
                    queue.append(there)
        left -= group
        found.append(group)
    return found


def levels(game: Game, group: set[Board], many: bool) -> list[set[Board]]:
    """The boards of a group by the fewest moves to a goal."""
    seen = {board for board in group if is_goal(game, board)}
    found = [set(seen)] if seen else []
    while found and found[-1]:
        after = {there for board in found[-1] for there in moves(game, board, many)} - seen
        seen |= after
        found.append(after)
    return found[:-1]


def solutions(game: Game, by_level: list[set[Board]], board: Board) -> int:
    """The number of shortest solutions of a board, by steps."""
    ways = Counter({board: 1})
    depth = next(d for d, level in enumerate(by_level) if board in level)
    for d in range(depth - 1, -1, -1):
        level, after = by_level[d], Counter[Board]()
        for here, number in ways.items():
            for there in moves(game, here, many=True):
                if there in level:
                    after[there] += number
        ways = after
    return sum(ways.values())
