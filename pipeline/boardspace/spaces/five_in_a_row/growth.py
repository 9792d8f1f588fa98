"""A placement back from the start of its growing area, as section 3.4 of the source constructs it.

An N x M board holds whole best cells of order k, strips of one row or column beside them, and an area of N mod k x M
mod k cells, which may be any part of a best cell, wrapped. The board with the part that begins in row y and column x
of a cell is that cell moved around its edges by y - 1 rows and x - 1 columns, and repeated. It has the fewest stones
that the construction gives where that part has as few as any part of any best cell; for k = 5 and 7 no placement has
fewer.
"""

from itertools import product

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row.answers import best_cells
from boardspace.spaces.five_in_a_row.errors import explained
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.lattice import lattice_stones

NAMED = 12
"""Starts that an error names at most."""


def grown(rows: int, columns: int, k: int, start: tuple[int, int], cell: int = 1) -> npt.NDArray[np.bool_]:
    """The placement, bool (rows, columns), whose growing area is the part of best cell number ``cell`` that begins at
    ``start``, row and column from 1.

    BoardspaceError where there is no such cell or start, a side is below k, or the part holds more stones than another.

    >>> grown(13, 17, 5, (3, 1)).sum()
    44
    """
    with explained():
        Board((rows, columns), k)
    if min(rows, columns) < k:
        raise BoardspaceError(f"{rows} x {columns}: growth from a best cell of order {k} takes sides of {k} or more")
    cells = best_cells(k)
    if not 1 <= cell <= len(cells):
        raise BoardspaceError(f"--cell {cell}: there are best cells 1 to {len(cells)} of order {k}")
    if not 1 <= min(start) <= max(start) <= k:
        raise BoardspaceError(f"--start {start[0]},{start[1]}: rows and columns of a cell of order {k} are 1 to {k}")
    stones = _part_stones(cells[cell - 1], rows % k, columns % k)
    fewest = _part_of(lattice_stones(cells, rows, columns), rows, columns, k)
    here = int(stones[start[0] - 1, start[1] - 1])
    if here > fewest:
        raise BoardspaceError(
            f"--start {start[0]},{start[1]}: the {rows % k} x {columns % k} part of cell {cell} that begins there "
            f"holds {here} stones; the fewest, {fewest}, are in {_listed(stones == fewest)}"
        )
    row = (np.arange(rows) + start[0] - 1) % k
    column = (np.arange(columns) + start[1] - 1) % k
    return np.asarray(cells[cell - 1][row][:, None] == column[None, :])


def _part_stones(cell: npt.NDArray[np.int64], rows: int, columns: int) -> npt.NDArray[np.int64]:
    """(k, k): stones of the wrapped part of so many rows and columns that begins in each cell."""
    k = len(cell)
    board = np.tile(cell[:, None] == np.arange(k), (2, 2))
    parts = [board[y : y + rows, x : x + columns].sum() for y, x in product(range(k), range(k))]
    return np.array(parts).reshape(k, k)


def _part_of(stones: int, rows: int, columns: int, k: int) -> int:
    """How many of the stones of a window stand in its growing area."""
    (a, i), (b, j) = divmod(rows, k), divmod(columns, k)
    return stones - k * a * b - a * j - b * i


def _listed(poorest: npt.NDArray[np.bool_]) -> str:
    """Where the parts with the fewest stones begin, in words."""
    starts = [f"{y + 1},{x + 1}" for y, x in np.argwhere(poorest).tolist()]
    if not starts:
        return "parts of other cells only"
    more = len(starts) - NAMED
    return f"those that begin at {' '.join(starts[:NAMED])}{f' and {more} more' if more > 0 else ''}"
