"""The naive positions of small trays, and how they and the kernels' codes are turned into one another."""

import functools

from boardspace_kernels.sliding_blocks.tray import tray
from tests.naive import sliding_blocks as naive

SMALL = ((1, 1), (1, 5), (2, 2), (3, 2), (2, 4), (3, 3))


@functools.cache
def positions(rows: int, columns: int) -> tuple[naive.Position, ...]:
    return tuple(naive.packings(rows, columns))


def code_of(rows: int, columns: int, position: naive.Position) -> int:
    """The code by its definition: a bit a pair of touching cells in a piece, side by side first, then a bit a cell."""
    across = [((r, c), (r, c + 1)) for r in range(rows) for c in range(columns - 1)]
    down = [((r, c), (r + 1, c)) for r in range(rows - 1) for c in range(columns)]
    singles = [((r, c),) for r, c in naive.cells_of(rows, columns)]
    return sum(
        1 << bit
        for bit, cells in enumerate([*across, *down, *singles])
        if any(piece.issuperset(cells) for piece in position)
    )


def piece_of(rows: int, columns: int, placement: int) -> naive.Piece:
    """The cells of a placement."""
    mask = int(tray(rows, columns).mask[placement])
    return frozenset(divmod(cell, columns) for cell in range(rows * columns) if mask >> cell & 1)
