"""The rules in plain Python and NumPy, sharing nothing with the kernels; ``verify`` re-derives with them."""

from collections.abc import Sequence
from functools import cache
from itertools import count, product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.equations import ReadColumns

Cell = tuple[int, ...]
"""A best cell: the columns of its stones, row by row, from 0."""


def fewest_on_a_column(cells: int, k: int) -> tuple[int, int, int]:
    """Fewest stones on a column that leave no k cells in a row free, in how many ways, and in how many of these the
    column reads the same upside down: a run of free cells before each stone and one after the last, most of them with
    their mirror images."""
    stones = next(number for number in count() if number + (number + 1) * (k - 1) >= cells)
    pairs, middle = divmod(stones + 1, 2)
    symmetric = _runs([2] * pairs + [1] * middle, cells - stones, k)
    return stones, _runs([1] * (stones + 1), cells - stones, k), symmetric


def _runs(times: Sequence[int], free: int, k: int) -> int:
    """Ways to share free cells out among runs of 0 to k - 1 cells, each of which stands so many times on a column."""
    ways = [1] + [0] * free
    for own in times:
        ways = [sum(ways[cells - own * run] for run in range(k) if own * run <= cells) for cells in range(free + 1)]
    return ways[free]


def thin_board(rows: int, columns: int, k: int) -> tuple[int, int, int]:
    """Fewest stones, ways to place them, and classes up to symmetry, where no line fits across the columns.

    The columns are independent, so a symmetry keeps as many placements as there are ways for the columns it pairs, and
    for each that it keeps in its place. The classes are the mean over the four symmetries of a rectangle; a board one
    cell wide has two, each twice among the four, and a square has no line and one placement.
    """
    stones, ways, symmetric = fewest_on_a_column(rows, k)
    half, odd = divmod(columns, 2)
    fixed = ways**columns + ways ** (half + odd) + symmetric**columns + ways**half * symmetric**odd
    return columns * stones, ways**columns, fixed // 4


@cache
def best_cells(n: int) -> tuple[Cell, ...]:
    """All best cells of order n, in the order of the table ``cells``; none where 2 or 3 divides n.

    An orbit lists its first cell in lexicographic order, that cell moved 1, 2, ... columns to the right around the
    edge, and then these upside down, if they are others.
    """
    corner = _best_cells_from_the_corner(n)
    left, listed = set(corner), list[Cell]()
    for first in corner:
        if first not in left:
            continue
        mirrored = first[::-1]
        images = [[tuple((x + step) % n for x in cell) for step in range(n)] for cell in (first, mirrored)]
        listed += images[0] if images[1][0] in images[0] else images[0] + images[1]
        left -= {first, tuple((x - mirrored[0]) % n for x in mirrored)}
    return tuple(listed)


@cache
def rows_that_tell(k: int) -> int:
    """The least d such that d rows, one after the other, tell a best cell of order k from all others."""
    cells = best_cells(k)
    return next(d for d in range(k + 1) if len({cell[:d] for cell in cells}) == len(cells))


def windows(rows: int, columns: int, k: int) -> NDArray[np.uint8]:
    """The windows of repeated best cells with the fewest stones, 1 for a stone: (n, rows, columns).

    There are none where k has no best cells or a side is below k: there a window does not show the whole cell.
    """
    cells = best_cells(k) if min(rows, columns) >= k else ()
    every = [[cell[y % k] == np.arange(columns) % k for y in range(rows)] for cell in cells]
    found = np.array(every, np.uint8).reshape(-1, rows, columns)
    stones = found.sum(axis=(1, 2), dtype=np.int64)
    return found[stones == stones.min(initial=rows * columns)]


@cache
def best_windows(rows: int, columns: int, k: int) -> tuple[int, int] | None:
    """The stones of these windows, and how many windows there are; None where there are none."""
    found = windows(rows, columns, k)
    return (int(found[0].sum()), len(found)) if len(found) else None


def _best_cells_from_the_corner(n: int) -> list[Cell]:
    """The best cells with a stone in column 0 of row 0, in lexicographic order."""
    found: list[Cell] = []

    def place(cell: Cell, columns: int, sums: int, differences: int) -> None:
        """Place the queens of the rows that are left; bits are lines that are taken."""
        y = len(cell)
        if y == n:
            found.append(cell)
            return
        for x in range(n):
            up, down = (x + y) % n, (x - y) % n
            if not (columns >> x | sums >> up | differences >> down) & 1:
                place((*cell, x), columns | 1 << x, sums | 1 << up, differences | 1 << down)

    place((0,), 1, 1, 1)
    return found


def make_cells(config: FiveInARowConfig, name: str, read: ReadColumns) -> dict[str, list[dict[str, Any]]]:
    """All best cells of the orders of the config, and the fewest stones in every corner of them: summed over the rows
    and columns of all cells laid out."""
    cells, corners = list[dict[str, Any]](), list[dict[str, Any]]()
    for n in sorted(set(config.cells)):
        number = {cell: place for place, cell in enumerate(best_cells(n), 1)}
        for cell, place in number.items():
            linear = all((cell[y] - cell[y - 1] - cell[0] + cell[-1]) % n == 0 for y in range(n))
            images = {"h_1": number[tuple((x + 1) % n for x in cell)], "s_1": number[cell[::-1]]}
            cells.append({"n": n, "cell": place, "columns": list(cell), "linear": linear} | images)
        stones = (np.array([*number], int).reshape(-1, n, 1) == np.arange(n)).cumsum(axis=1).cumsum(axis=2)
        for i, j in product(range(n), repeat=2) if number else ():
            fewest = int(stones[:, i - 1, j - 1].min()) if i and j else 0
            corners.append({"n": n, "i": i, "j": j, "stones": fewest, "formula": i * j // n})
    return {"cells": cells, "windows": corners}
