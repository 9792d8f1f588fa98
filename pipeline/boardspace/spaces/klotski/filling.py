"""The sizes of all classes, counted by filling the board cell after cell: plain Python, apart from the kernels."""

import operator
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import product

from boardspace.spaces.klotski.texts import COLUMNS, ROWS

Sizes = Counter[tuple[int, int, int]]
"""How many layouts there are, by (dominoes, singles, lying dominoes)."""

EMPTIES = 2
BLOCK_CELLS = 4


@cache
def class_sizes(columns: int = COLUMNS, rows: int = ROWS) -> Sizes:
    """The sizes of the classes of a board: one block, any other pieces, at least two empty cells."""
    most = columns * rows - BLOCK_CELLS - EMPTIES
    ways = ways_to_fill(columns, rows)
    return Counter({name: count for name, count in ways.items() if count and 2 * name[0] + name[1] <= most})


def class_size(name: str) -> int:
    """Number of layouts of a class, named jiang-bing-style."""
    jiang, bing, style = map(int, name.split("-"))
    return class_sizes()[jiang, bing, style]


def labels_of(names: Iterable[str]) -> set[tuple[int, ...]]:
    """The numbers in the names of classes, such as (5, 4, 1) of 5-4-1."""
    return {tuple(map(int, name.split("-"))) for name in names}


def number_of_layouts() -> int:
    """Number of layouts on the board of 4 x 5 cells: one more than the largest id."""
    return sum(class_sizes().values())


def share_of_layouts(classes: Iterable[str]) -> float:
    """Share of all layouts in these classes, named jiang-bing-style: 1.0 is all."""
    return sum(map(class_size, classes)) / number_of_layouts()


@cache
def ways_to_fill(columns: int, rows: int, covered: int = 0, with_block: bool = True) -> Sizes:
    """Number of ways to fill the cells whose bits are not ``covered``, whatever is left empty; with the block
    if it is among what is left to place."""
    cells = columns * rows
    if covered == (1 << cells) - 1:
        return Counter() if with_block else Counter({(0, 0, 0): 1})
    first = (~covered & (covered + 1)).bit_length() - 1
    right, below = first % columns < columns - 1, first < cells - columns
    pieces = [((0, 0, 0), 1, True), ((0, 1, 0), 1, True), ((1, 0, 1), 3, right), ((1, 0, 0), 1 | 1 << columns, below)]
    ways: Sizes = Counter()
    for added, shape, fits in pieces:
        if fits and not covered & shape << first:
            for kinds, count in ways_to_fill(columns, rows, covered | shape << first, with_block).items():
                jiang, bing, style = map(operator.add, kinds, added)
                ways[jiang, bing, style] += count
    square = 3 | 3 << columns
    if with_block and right and below and not covered & square << first:
        ways += ways_to_fill(columns, rows, covered | square << first, False)
    return ways


@cache
def ways_to_go_on(columns: int, rows: int, block: int) -> list[list[list[int]]]:
    """Numbers of ways to fill the cells from one on, [cells + 1][2^columns][EMPTIES + 1], where the block is at a cell.

    By the cell, by the cells from there on that dominoes cover already, as bits, and by the empty cells so far, of
    which more than EMPTIES count as many.
    """
    cells, there = columns * rows, (3 | 3 << columns) << block
    ways = [[[0] * (EMPTIES + 1) for _ in range(1 << columns)] for _ in range(cells + 1)]
    for cell, ahead in product(range(cells + 1), range(1 << columns)):
        covered = (1 << cell) - 1 | ahead << cell
        if covered >> cells or ahead << cell & there:
            continue
        free = cells - (covered | there).bit_count()
        for (jiang, bing, _), count in ways_to_fill(columns, rows, covered | there, False).items():
            for emptied in range(max(0, EMPTIES - (free - 2 * jiang - bing)), EMPTIES + 1):
                ways[cell][ahead][emptied] += count
    return ways
