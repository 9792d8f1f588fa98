"""The board of Klotski: 4 columns by 5 rows, cell ``c = 4 * row + column``, what covers it, and codes of layouts.

Sets of cells are masks: bit ``c`` of an integer stands for cell ``c``. A piece is named by its kind and its anchor, the
upper left cell it covers. A layout is one 2x2 block, dominoes lying (1 high, 2 wide) or standing (2 high, 1 wide),
single cells, and at least two empty cells; pieces of one kind are not told apart. In kernels a layout is four numbers:

    block     the anchor of the 2x2 block
    lying     mask of the anchors of the lying dominoes
    standing  mask of the anchors of the standing dominoes
    singles   mask of the 1x1 pieces

A *pattern* is a layout without its singles: the block and the dominoes. The cells a pattern leaves are *free*; singles
and empty cells share them.

*Codes* of layouts have 9 hexadecimal digits, 36 bits. The first digit is the anchor of the 2x2 block. The other eight
hold 16 items of 2 bits, the first one highest: the cells are scanned in order, and every cell that is not yet covered
gets an item, which may cover cells further on:

    00 empty    01 domino lying    10 domino standing    11 single

Items that are not needed are 0. Hence a layout has one code, and a number is the code of a layout exactly if the scan
meets no fault: the block fits on the board, no domino leaves the board or covers what is covered already, at least two
cells are empty, and no bit is set behind the last item.

In text trailing zeros may be dropped and case does not matter; what is written has 9 upper-case digits.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import inlined, kernel

COLUMNS = 4
ROWS = 5
CELLS = COLUMNS * ROWS
ALL_CELLS = (1 << CELLS) - 1

BLOCK, LYING, STANDING, SINGLE = 0, 1, 2, 3
"""The kinds of piece."""

WIDTH = (2, 2, 1, 1)
HEIGHT = (2, 1, 2, 1)
"""Extent of a piece, by kind."""

EXIT = 13
"""The block's anchor at the exit: bottom row, middle. A layout with the block there has the feature S."""

EMPTIES_WANTED = 2
"""The fewest empty cells of a layout."""

UP, LEFT, RIGHT, DOWN = 0, 1, 2, 3
STRIDE = np.array([-COLUMNS, -1, 1, COLUMNS], dtype=np.int64)
"""By how much an anchor changes when its piece moves one cell, by direction."""

COLUMN_0 = sum(1 << (COLUMNS * row) for row in range(ROWS))
COLUMN_3 = COLUMN_0 << (COLUMNS - 1)
COLUMNS_01 = COLUMN_0 * 3
_COLUMNS_02 = COLUMN_0 * 5
_ROW = (1 << COLUMNS) - 1

EMPTY = 0
"""The item of an empty cell; those of the pieces are their kinds."""

DIGITS = 9
BLOCK_ITEMS = 4
"""The cells of the block, for which a code has no items."""
ITEM_BITS = 2
MOST_ITEMS = 16
BLOCK_SHIFT = ITEM_BITS * MOST_ITEMS
"""A code holds the block's anchor from this bit on and the items below it."""


def _footprint(kind: int, cell: int) -> int:
    """Mask of the cells that a piece covers, 0 where it would leave the board."""
    row, column = divmod(cell, COLUMNS)
    if row + HEIGHT[kind] > ROWS or column + WIDTH[kind] > COLUMNS:
        return 0
    rows, columns = range(HEIGHT[kind]), range(WIDTH[kind])
    return sum(1 << (cell + COLUMNS * down + right) for down in rows for right in columns)


FOOTPRINT = np.array([[_footprint(kind, cell) for cell in range(CELLS)] for kind in range(4)], dtype=np.int64)
"""Cells covered by a piece of a kind at an anchor (kind, cell), 0 where it does not fit on the board."""

BLOCK_CELLS = tuple(cell for cell in range(CELLS) if FOOTPRINT[BLOCK, cell])
"""The 12 anchors of the block."""


@inlined
def grow(cells: int) -> int:
    """The cells of a mask and all their orthogonal neighbours on the board."""
    # The cells at the edge are left out, since they would come out in the row above or below.
    sideways = ((cells & ~COLUMN_3) << 1) | ((cells & ~COLUMN_0) >> 1)
    return (cells | sideways | (cells << COLUMNS) | (cells >> COLUMNS)) & ALL_CELLS


@inlined
def anchors_in(kind: int, cells: int) -> int:
    """The anchors at which the block or a domino covers nothing but ``cells``."""
    if kind == LYING:
        return cells & (cells >> 1) & ~COLUMN_3
    upright = cells & (cells >> COLUMNS)
    # The block fits where two standing dominoes side by side would.
    return upright if kind == STANDING else upright & (upright >> 1) & ~COLUMN_3


@kernel
def component_of(cells: int) -> int:
    """The connected part of a mask of cells that holds its lowest cell."""
    part = cells & -cells
    while True:
        larger = grow(part) & cells
        if larger == part:
            return part
        part = larger


@kernel
def count_cells(cells: int) -> int:
    """Number of cells of a mask."""
    return np.int64(popcount(np.uint64(cells)))


@inlined
def covered_by_dominoes(lying: int, standing: int) -> int:
    """Mask of the cells that dominoes with these anchors cover."""
    return lying | (lying << 1) | standing | (standing << COLUMNS)


@kernel
def on_board(kind: int, cell: int, direction: int) -> bool:
    """Return whether a piece stays on the board when it moves one cell in a direction."""
    target = cell + STRIDE[direction]
    if target < 0 or target >= CELLS or FOOTPRINT[kind, target] == 0:
        return False
    # Beyond the first or the last column comes another row, where a standing domino would fit.
    return direction in (UP, DOWN) or target // COLUMNS == cell // COLUMNS


@kernel
def mirror_cells(cells: int) -> int:
    """The left-right mirror image of a mask of cells."""
    # The left two columns change places with the right two, then the columns of each pair do.
    swapped = ((cells & COLUMNS_01) << 2) | ((cells >> 2) & COLUMNS_01)
    return ((swapped & _COLUMNS_02) << 1) | ((swapped >> 1) & _COLUMNS_02)


@kernel
def flip_cells(cells: int) -> int:
    """The up-down mirror image of a mask of cells."""
    flipped = 0
    for row in range(ROWS):
        flipped |= ((cells >> (COLUMNS * row)) & _ROW) << (COLUMNS * (ROWS - 1 - row))
    return flipped


@kernel
def decode_code(code: np.uint64) -> tuple[int, int, int, int]:
    """Block, lying, standing and singles of the layout of a code."""
    return decode_in_tray(COLUMNS, ROWS, code)


@kernel
def encode_layout(block: int, lying: int, standing: int, singles: int) -> np.uint64:
    """Code of a layout."""
    return encode_in_tray(COLUMNS, ROWS, block, lying, standing, singles)


@inlined
def decode_in_tray(columns: int, rows: int, code: np.uint64) -> tuple[int, int, int, int]:
    """Block, lying, standing and singles of the layout of a code on a board of other sides."""
    items = columns * rows - BLOCK_ITEMS
    word = np.int64(code)
    block = word >> (ITEM_BITS * items)
    open_cells = _open_beside(columns, rows, block)
    lying = standing = singles = 0
    shift = ITEM_BITS * items
    while open_cells:
        shift -= ITEM_BITS
        item = (word >> shift) & 3
        lowest = open_cells & -open_cells
        covered = lowest
        if item == LYING:
            lying |= lowest
            covered |= lowest << 1
        elif item == STANDING:
            standing |= lowest
            covered |= lowest << columns
        elif item == SINGLE:
            singles |= lowest
        # Not flipped: a faulty domino may cover what is covered already, and that must not be open again.
        open_cells &= ~covered
    return block, lying, standing, singles


@inlined
def encode_in_tray(columns: int, rows: int, block: int, lying: int, standing: int, singles: int) -> np.uint64:
    """Code of a layout on a board of other sides."""
    open_cells = _open_beside(columns, rows, block)
    code = np.int64(block)
    left = columns * rows - BLOCK_ITEMS
    while open_cells:
        lowest = open_cells & -open_cells
        item = EMPTY
        covered = lowest
        if lying & lowest:
            item = LYING
            covered |= lowest << 1
        elif standing & lowest:
            item = STANDING
            covered |= lowest << columns
        elif singles & lowest:
            item = SINGLE
        open_cells &= ~covered
        code = (code << ITEM_BITS) | item
        left -= 1
    return np.uint64(code << (ITEM_BITS * left))


@inlined
def _open_beside(columns: int, rows: int, block: int) -> int:
    """The cells that the block leaves."""
    return ((1 << columns * rows) - 1) ^ ((3 | 3 << columns) << block)


@kernel
def is_code(code: np.uint64) -> bool:
    """Return whether a number is the code of a layout."""
    word, block = np.int64(code), np.int64(code >> np.uint64(BLOCK_SHIFT))
    if block >= CELLS or FOOTPRINT[BLOCK, block] == 0:
        return False
    open_cells = ALL_CELLS ^ FOOTPRINT[BLOCK, block]
    empties, shift = 0, BLOCK_SHIFT
    while open_cells:
        shift -= ITEM_BITS
        item = (word >> shift) & 3
        # As many bits lie below the lowest one as its number says.
        cell = count_cells((open_cells & -open_cells) - 1)
        covered = FOOTPRINT[SINGLE if item == EMPTY else item, cell]
        if covered == 0 or covered & ~open_cells:
            return False
        empties += item == EMPTY
        open_cells ^= covered
    return empties >= EMPTIES_WANTED and word & ((1 << shift) - 1) == 0


def format_code(code: int) -> str:
    """A code as 9 upper-case hexadecimal digits."""
    return f"{code:0{DIGITS}X}"


@kernel
def code_digits(codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """The codes as text: uint8 (n, 9), ASCII of the upper-case digits."""
    digits = np.empty((len(codes), DIGITS), dtype=np.uint8)
    for i in range(len(codes)):
        for place in range(DIGITS):
            digit = np.uint8((codes[i] >> np.uint64(4 * (DIGITS - 1 - place))) & np.uint64(15))
            digits[i, place] = digit + (ord("0") if digit < 10 else ord("A") - 10)
    return digits
