"""Best cells: n x n patterns with one stone in every row, every column and every wrapped diagonal of both directions.

These are the modular n-queens solutions; they exist exactly when gcd(n, 6) = 1 (Polya 1918), and A007705 of the OEIS
counts them: 10, 28, 88, 4524, 140692 for n = 5, 7, 11, 13, 17. Repeated over the plane with period n, a best cell has
a stone in every n cells in a row in all four directions, so it blocks every board for k = n.

A cell is written as ``column[y]``, the column of the stone in row y, both from 0. The source's operations act on it:
H_j moves every stone by j columns, x -> x + j mod n; S_1 turns it upside down, y -> (2n - 1 - y) mod n.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import BoardError

Cells = npt.NDArray[np.int64]

LARGEST = 17
"""The counts grow fast: 140,692 cells for n = 17, and 820,496 for n = 19."""


def best_cells(n: int) -> Cells:
    """(count, n): all best cells of order n, in the order of the source's table: orbit by orbit under H_1 and S_1.

    An orbit lists its lexicographically first cell, that cell's images under H_1, H_2, ..., and then the images of
    all these under S_1. Empty where gcd(n, 6) > 1.

    Raises:
        BoardError: n outside 1..17.
    """
    if not 1 <= n <= LARGEST:
        raise BoardError(f"best cells are listed for n = 1 to {LARGEST}; got {n}")
    corner = _with_first_column_zero(n)
    mirrored = turned(corner)
    at_corner = (mirrored - mirrored[:, :1]) % n
    number = {cell.tobytes(): i for i, cell in enumerate(corner)}
    partner = np.array([number[cell.tobytes()] for cell in at_corner], dtype=np.int64)
    orbits = []
    # Of two that are partners the first is taken. They are in lexicographic order, so it is the first of the orbit.
    for first in np.flatnonzero(partner >= np.arange(len(corner))):
        # A cell whose mirror image is a shift of it has that among its own shifts already.
        halves = [corner[first]] if partner[first] == first else [corner[first], mirrored[first]]
        orbits += [shifted(np.tile(half, (n, 1)), np.arange(n)[:, None]) for half in halves]
    return np.concatenate(orbits) if orbits else corner


def shifted(cells: Cells, columns: int | Cells) -> Cells:
    """H_j of the source, on cells (..., n): every stone j = ``columns`` further right, around the edge."""
    return (cells + columns) % cells.shape[-1]


def turned(cells: Cells) -> Cells:
    """S_1 of the source, on cells (..., n): row y becomes row (2n - 1 - y) mod n, that is, upside down."""
    return np.ascontiguousarray(cells[..., ::-1])


def are_linear(cells: Cells) -> npt.NDArray[np.bool_]:
    """Return of cells (count, n) whether every row's stone is the same number of columns from the last row's, a
    knight's walk on the torus: bool (count)."""
    steps = (np.roll(cells, -1, axis=1) - cells) % cells.shape[1]
    return (steps == steps[:, :1]).all(axis=1)


def rows_that_tell(cells: Cells) -> int:
    """The least d such that no two of the best cells (count, n) agree in d rows one after the other, around the edge.

    Where all best cells are linear it is 2: one row tells where the walk is, the next its step. It is found here by
    comparing all cells, so nothing is assumed of them; best cells are closed under translation, so rows 0 to d - 1
    stand for any d. 0 where there are no cells, or one.
    """
    n = cells.shape[1]
    return next(d for d in range(n + 1) if len(np.unique(cells[:, :d], axis=0)) == len(cells))


def operation_table(cells: Cells) -> dict[str, Cells]:
    """The source's Table 1 for any order n: H_1 .. H_n and S_1 as (count,) numbers from 1 of the cells' images."""
    n = cells.shape[1]
    number = {cell.tobytes(): i + 1 for i, cell in enumerate(cells)}
    moved = {f"H_{j}": shifted(cells, j) for j in range(1, n + 1)} | {"S_1": turned(cells)}
    return {name: np.array([number[cell.tobytes()] for cell in images]) for name, images in moved.items()}


def torus_classes(cells: Cells) -> int:
    """Number of classes of best cells under all translations, reflections and quarter turns of the torus."""
    n = cells.shape[1]
    left = {tuple(cell) for cell in cells.tolist()}
    classes = 0
    while left:
        classes += 1
        left -= _torus_images(np.array(min(left)), n)
    return classes


def _torus_images(cell: Cells, n: int) -> set[tuple[int, ...]]:
    both = np.stack([cell, np.argsort(cell)])  # a cell, and its image in the diagonal
    forms = np.concatenate([both, both[:, ::-1], n - 1 - both, n - 1 - both[:, ::-1]])
    rows = np.add.outer(np.arange(n), np.arange(n)) % n
    # Forms by shifts of rows by shifts of columns.
    images = forms[:, rows][:, :, None] + np.arange(n)[:, None]
    return set(map(tuple, (images % n).reshape(-1, n).tolist()))


def _with_first_column_zero(n: int) -> Cells:
    """The best cells whose first row has its stone in column 0, in lexicographic order; all others are shifts of
    them: row after row, all ways to go on from all that are left."""
    # One word a cell: the columns that are taken, the sums and the differences modulo n, n bits each.
    cells, taken, x = np.zeros((1, 1), np.int8), np.array([1 | 1 << n | 1 << 2 * n]), np.arange(n)
    for y in range(1, n):
        lines = 1 << x | 1 << n + (x + y) % n | 1 << 2 * n + (x - y) % n
        # Column by column: a table of all cells by all columns would take 17 times as much memory.
        before = [np.flatnonzero(taken & line == 0) for line in lines]
        column, stones = np.repeat(x, [len(some) for some in before]), np.concatenate(before)
        cells, taken = np.column_stack([cells[stones], column.astype(np.int8)]), taken[stones] | lines[column]
    return cells[np.lexsort(cells.T[::-1])].astype(np.int64)
