"""Tables of unit Rush Hour: the exits of a square, the rows of cars, and the ways to fill rows (:mod:`.unit`)."""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import kernel

Words = NDArray[np.uint64]
Bits = NDArray[np.uint32]
Numbers = NDArray[np.int64]


class Exits(NamedTuple):
    """The exits of a square; bits 4 i to 4 i + 3 of a word are those at the left and right end of row i, and at the
    upper and lower end of column i.

    of_row: uint32 (rows of the upper half), the exits that symmetries exchange with the one at the left end of a row.
    places: int64 (4 n, 2, n^2), by the exit, for both symmetries that bring it to the left end of such a row (or for
        one, twice), where they bring each cell.
    """

    of_row: Bits
    places: NDArray[np.int64]


@lru_cache(8)
def exits_of(n: int) -> Exits:
    """The exits, by trying all symmetries."""
    cells, last = [*product(range(n), range(n))], n - 1
    ends = [((i, 0), (i, last), (0, i), (last, i))[side] for i in range(n) for side in range(4)]
    of_row, found = np.zeros((n + 1) // 2, np.uint32), [list[list[int]]() for _ in ends]
    for turned, flipped, upside in product((False, True), repeat=3):

        def image(row: int, column: int, of: tuple[bool, ...] = (turned, flipped, upside)) -> tuple[int, int]:
            """Where a symmetry brings a cell."""
            r, c = (column, row) if of[0] else (row, column)
            return (last - r if of[2] else r), (last - c if of[1] else c)

        for bit, end in enumerate(ends):
            row, column = image(*end)
            if (bit % 4 > 1) == turned and column == 0 and row < len(of_row):
                of_row[row] |= np.uint32(1 << bit)
                found[bit].append([n * r + c for r, c in (image(*cell) for cell in cells)])
    return Exits(of_row, np.array([[some[0], some[-1]] for some in found], np.int64))


class Rows(NamedTuple):
    """Rows of n cells, and labels of n numbers.

    cars: int64 (n + 1, 2^n, ways): by a number of cars that move along the row, and the cells of others, the cells that
    they can have. ways: int64 (n + 1, 2^n), how many there are. rank: int64 (2^n, 2^n), the place of cells among these.
    one: int64 (2^n), the label with 1 at each of the cells. cells: int64 (n + 1, labels), those where a label has at
    least this number.
    numbers: int64 (labels, n), the digits of a label in base n + 1, the last one last: so labels are in the order of
    their numbers. turned: int64 (labels), the label of these numbers from the last to the first.
    total, most: int64 (labels), the sum and the greatest of a label's numbers.
    """

    cars: NDArray[np.int64]
    ways: NDArray[np.int64]
    rank: NDArray[np.int64]
    one: Numbers
    cells: NDArray[np.int64]
    numbers: NDArray[np.int64]
    turned: Numbers
    total: Numbers
    most: Numbers


@lru_cache(8)
def patterns_of(n: int) -> Rows:
    """The rows of n cells."""
    every, columns = 1 << n, np.arange(n)
    digits = (n + 1) ** columns[::-1]
    numbers = np.arange((n + 1) ** n)[:, None] // digits % (n + 1)
    cars, ways = np.zeros((n + 1, every, every), np.int64), np.zeros((n + 1, every), np.int64)
    rank = np.zeros((every, every), np.int64)
    for taken, mine in product(range(every), repeat=2):
        if not mine & taken:
            number = mine.bit_count()
            cars[number, taken, ways[number, taken]] = mine
            rank[taken, mine] = ways[number, taken]
            ways[number, taken] += 1
    one = (np.arange(every)[:, None] >> columns & 1) @ digits
    cells = (numbers >= np.arange(n + 1)[:, None, None]) @ (1 << columns)
    return Rows(cars, ways, rank, one, cells, numbers, numbers @ digits[::-1], numbers.sum(axis=1), numbers.max(axis=1))


class Ways(NamedTuple):
    """Ways to fill a row and those below it, by the row and the label of what columns need in these rows.

    rows: the rows that they are filled with.
    counts: uint32 (n + 1, labels), how many there are.
    begins: uint32 (n, labels, 2^n), how many of them come before those with given cells of columns' cars.
    """

    rows: Rows
    counts: NDArray[np.uint32]
    begins: NDArray[np.uint32]


@kernel
def completions(n: int, along: Numbers, cars: int, rows: Rows) -> Ways:
    """The ways to fill rows with so many cars along them; labels of more than ``cars`` in all are left out."""
    labels = (n + 1) ** n
    counts, begins = np.zeros((n + 1, labels), np.uint32), np.zeros((n, labels, 1 << n), np.uint32)
    counts[n, 0] = 1
    for row in range(n - 1, -1, -1):
        for need in range(labels):
            if rows.total[need] > cars or rows.most[need] > n - row:
                continue
            for cells in range(1 << n):
                # A running sum over the cells, taken before their own ways are added.
                begins[row, need, cells] = counts[row, need]
                if not cells & ~rows.cells[1, need]:
                    # Only columns that need a car have one, so no digit of the label borrows from the next.
                    counts[row, need] += np.uint32(
                        rows.ways[along[row], cells] * counts[row + 1, need - rows.one[cells]]
                    )
    return Ways(rows, counts, begins)
