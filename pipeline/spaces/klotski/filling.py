"""The sizes of all classes, counted by filling the board cell after cell: plain Python, apart from the kernels."""

import operator
from collections import Counter
from functools import cache

from boardspace.pipeline.spaces.klotski.texts import CELLS, COLUMNS


@cache
def ways_to_fill(covered: int, with_block: bool) -> Counter[tuple[int, int, int]]:
    """How many ways there are to fill the cells whose bits are not ``covered``, by (dominoes, singles, lying dominoes);
    with the block if it is among what is left to place."""
    if covered == (1 << CELLS) - 1:
        return Counter() if with_block else Counter({(0, 0, 0): 1})
    first = (~covered & (covered + 1)).bit_length() - 1
    right, below = first % COLUMNS < COLUMNS - 1, first < CELLS - COLUMNS
    pieces = [((0, 0, 0), 1, True), ((0, 1, 0), 1, True), ((1, 0, 1), 3, right), ((1, 0, 0), 1 | 1 << COLUMNS, below)]
    ways: Counter[tuple[int, int, int]] = Counter()
    for added, shape, fits in pieces:
        if fits and not covered & shape << first:
            for kinds, count in ways_to_fill(covered | shape << first, with_block).items():
                jiang, bing, style = map(operator.add, kinds, added)
                ways[jiang, bing, style] += count
    square = 3 | 3 << COLUMNS
    if with_block and right and below and not covered & square << first:
        ways += ways_to_fill(covered | square << first, False)
    return ways
