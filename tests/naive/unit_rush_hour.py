"""Boards with cars of one cell, by their definition: a board is a tuple of cells, 0 is a void, 1 a car that moves along
its row, 2 one that moves along its column."""

from collections.abc import Iterable
from itertools import product

Cells = tuple[int, ...]


def boards(n: int, voids: int) -> list[Cells]:
    """All boards, ascending."""
    return list(_fillings(n * n, voids))


def _fillings(cells: int, voids: int) -> Iterable[Cells]:
    if not cells:
        yield ()
        return
    for sign in (0, 1, 2):
        if voids - (sign == 0) in range(cells):
            yield from ((sign, *rest) for rest in _fillings(cells - 1, voids - (sign == 0)))


def is_out(n: int, board: Cells, exit_row: int) -> bool:
    """A car that moves along this row stands at its left end."""
    return board[n * exit_row] == 1


def class_of(n: int, board: Cells) -> tuple[Cells, Cells]:
    """The cars that move along each row, and along each column."""
    return (
        tuple(sum(board[n * row + column] == 1 for column in range(n)) for row in range(n)),
        tuple(sum(board[n * row + column] == 2 for row in range(n)) for column in range(n)),
    )


def neighbours(n: int, board: Cells, farthest: int) -> list[Cells]:
    """The boards that one car moved by up to so many cells makes."""
    found = []
    for row, column, far, sign in product(range(n), range(n), range(1, farthest + 1), (-1, 1)):
        kind = board[n * row + column]
        way = [(row, column + sign * step) if kind == 1 else (row + sign * step, column) for step in range(1, far + 1)]
        if kind and all(0 <= r < n and 0 <= c < n and board[n * r + c] == 0 for r, c in way):
            moved = list(board)
            moved[n * row + column], moved[n * way[-1][0] + way[-1][1]] = 0, kind
            found.append(tuple(moved))
    return found


def groups(n: int, every: Iterable[Cells]) -> list[set[Cells]]:
    """The sets of boards that moves join."""
    left, found = set(every), []
    while left:
        found.append(set(distances(n, [next(iter(left))], 1)))
        left -= found[-1]
    return found


def distances(n: int, goals: Iterable[Cells], farthest: int) -> dict[Cells, int]:
    """The fewest moves to the nearest goal, of all boards from which one can be reached."""
    found = dict.fromkeys(goals, 0)
    queue = list(found)
    for board in queue:
        for other in neighbours(n, board, farthest):
            if other not in found:
                found[other] = found[board] + 1
                queue.append(other)
    return found
