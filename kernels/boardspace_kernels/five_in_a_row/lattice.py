"""The source's construction: windows of best cells repeated over the plane.

An N x M window of a pattern of period k holds, with a = N div k, b = M div k, i = N mod k, j = M mod k,

    k a b + a j + b i + (stones in the i x j corner window)

stones, since every k cells of a row or a column hold one. So the best window is one whose i x j corner is poorest,
and

    A(i, j) = fewest stones of an i x j window of a best cell,      stones = k a b + a j + b i + A(i, j).

The source prints A for k = 5, and claims that A(i, j) = floor(i j / 5), that this many stones are the fewest, and
that these windows are all optimal placements. The set of best cells is closed under translation around the torus, so
the windows at the upper left corners of the best cells are all windows there are.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.best_cells import Cells
from boardspace_kernels.five_in_a_row.board import BoardError

MAX_BYTES = 1 << 30


def variable_matrix(cells: Cells) -> npt.NDArray[np.int64]:
    """(k, k): A(i, j), the fewest stones of an i x j window of a best cell, for ``cells`` (count, k)."""
    k = cells.shape[1]
    matrix = np.zeros((k, k), dtype=np.int64)
    for i in range(k):
        for j in range(k):
            matrix[i, j] = _corner_stones(cells, i, j).min(initial=k * k)
    return matrix


def lattice_stones(cells: Cells, rows: int, columns: int) -> int:
    """The fewest stones of a window of that size; ``cells`` (count, k) must not be empty."""
    k = cells.shape[1]
    (a, i), (b, j) = divmod(rows, k), divmod(columns, k)
    return k * a * b + a * j + b * i + int(_corner_stones(cells, i, j).min())


def lattice_placements(cells: Cells, rows: int, columns: int) -> npt.NDArray[np.bool_]:
    """(n, rows, columns): the different windows with the fewest stones, in lexicographic order.

    Raises:
        BoardError: they would take more than 1 GiB.
    """
    k = cells.shape[1]
    corner = _corner_stones(cells, rows % k, columns % k)
    poorest = cells[corner == corner.min()]
    if len(poorest) * rows * columns > MAX_BYTES:
        raise BoardError(f"{len(poorest)} windows of {rows} x {columns} cells take more than {MAX_BYTES >> 20} MiB")
    column_of = poorest[:, np.arange(rows) % k]
    windows = column_of[:, :, None] == np.arange(columns)[None, None, :] % k
    return np.unique(windows.reshape(len(windows), -1), axis=0).reshape(-1, rows, columns)


def _corner_stones(cells: Cells, rows: int, columns: int) -> npt.NDArray[np.int64]:
    """(count,): stones of every cell in its first ``rows`` rows and ``columns`` columns, both below k."""
    return (cells[:, :rows] < columns).sum(axis=1)
