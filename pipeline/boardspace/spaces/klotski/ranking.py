"""Ranks of codes and numbers of mirrored layouts, counted by filling the board: plain Python, apart from the kernels.

The rank of a code is the number of layouts whose codes are smaller: for each item, in order, those that agree before it
and have a smaller kind there.
"""

from collections import Counter
from functools import cache

from boardspace.spaces.klotski.filling import BLOCK_CELLS, EMPTIES, Sizes
from boardspace.spaces.klotski.texts import CELLS, COLUMNS, ITEMS, ROWS

SHAPES = (1, 3, 1 | 1 << COLUMNS, 1)
"""Cells of an empty cell, a lying domino, a standing one and a single at cell 0; numbered as items are."""
SQUARE = 3 | 3 << COLUMNS
FULL = (1 << CELLS) - 1


def rank_of(code: int) -> int:
    """The number of layouts with smaller codes; ``code`` is that of a layout."""
    block = code >> 2 * ITEMS
    smaller = sum(_completions(SQUARE << cell, 0) for cell in range(block) if _fits(SQUARE, cell, 2, 2, 0))
    covered, empties, item = SQUARE << block, 0, ITEMS
    while covered != FULL:
        item -= 1
        cell, kind = _first(covered), code >> 2 * item & 3
        for other in range(kind):
            if _piece_fits(other, cell, covered):
                smaller += _completions(covered | SHAPES[other] << cell, min(empties + (other == 0), EMPTIES))
        covered |= SHAPES[kind] << cell
        empties = min(empties + (kind == 0), EMPTIES)
    return smaller


@cache
def _completions(covered: int, empties: int) -> int:
    """How many ways there are to fill the other cells so that at least two are empty in all."""
    if covered == FULL:
        return int(empties >= EMPTIES)
    cell = _first(covered)
    return sum(
        _completions(covered | SHAPES[kind] << cell, min(empties + (kind == 0), EMPTIES))
        for kind in range(4)
        if _piece_fits(kind, cell, covered)
    )


def _first(covered: int) -> int:
    return (~covered & (covered + 1)).bit_length() - 1


def _piece_fits(kind: int, cell: int, covered: int) -> bool:
    return _fits(SHAPES[kind], cell, 1 + (kind == 2), 1 + (kind == 1), covered)


def _fits(shape: int, cell: int, height: int, width: int, covered: int) -> bool:
    row, column = divmod(cell, COLUMNS)
    return row + height <= ROWS and column + width <= COLUMNS and not shape << cell & covered


@cache
def mirrored_sizes() -> Sizes:
    """How many layouts of each class are their own left-right mirror image: the left half is filled, cell after cell.

    A piece in the left half counts twice, one that reaches over the middle once.
    """
    ways = _fill_half(0, 0, False)
    most = CELLS - BLOCK_CELLS - EMPTIES
    return Counter({name: count for name, count in ways.items() if 2 * name[0] + name[1] <= most})


def _fill_half(cell: int, covered: int, with_block: bool) -> Sizes:
    """Ways to fill the left half from ``cell`` on, 2 cells a row; by numbers of dominoes, singles, lying dominoes."""
    if cell == 2 * ROWS:
        return Counter({(0, 0, 0): 1} if with_block else {})
    if covered >> cell & 1:
        return _fill_half(cell + 1, covered, with_block)
    in_middle, below = cell % 2 == 1, cell < 2 * ROWS - 2 and not covered >> cell + 2 & 1
    choices = [((0, 0, 0), 1, with_block), ((0, 2, 0), 1, with_block)]
    choices += [((2, 0, 0), 5, with_block)] if below else []
    choices += [((1, 0, 1), 1, with_block)] if in_middle else []
    choices += [((2, 0, 2), 3, with_block)] if not in_middle and not covered >> cell + 1 & 1 else []
    choices += [((0, 0, 0), 5, True)] if in_middle and below and not with_block else []
    ways: Sizes = Counter()
    for added, shape, block in choices:
        for kinds, count in _fill_half(cell + 1, covered | shape << cell, block).items():
            ways[kinds[0] + added[0], kinds[1] + added[1], kinds[2] + added[2]] += count
    return ways
