"""Codes of layouts: 9 hexadecimal digits, 36 bits.

The first digit is the anchor of the 2x2 block. The other eight hold 16 items of 2 bits, the first one highest: the
cells are scanned in order, and every cell that is not yet covered gets an item, which may cover cells further on:

    00 empty    01 domino lying    10 domino standing    11 single

Items that are not needed are 0. Hence a layout has one code, and a number is the code of a layout exactly if the scan
meets no fault: the block fits on the board, no domino leaves the board or covers what is covered already, at least two
cells are empty, and no bit is set behind the last item.

In text trailing zeros may be dropped and case does not matter; what is written has 9 upper-case digits.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import (
    ALL_CELLS,
    BLOCK,
    CELLS,
    COLUMNS,
    EMPTIES_WANTED,
    FOOTPRINT,
    LYING,
    SINGLE,
    STANDING,
    count_cells,
)

EMPTY = 0
"""The item of an empty cell; those of the pieces are their kinds."""

DIGITS = 9
ITEM_BITS = 2
MOST_ITEMS = 16
BLOCK_SHIFT = ITEM_BITS * MOST_ITEMS
"""A code holds the block's anchor from this bit on and the items below it."""


class Fault(IntEnum):
    """Why a number is not the code of a layout."""

    NONE = 0
    NO_BLOCK = 1
    OFF_BOARD = 2
    OVERLAP = 3
    TOO_FEW_EMPTY = 4
    DANGLING = 5


@kernel
def decode_code(code: np.uint64) -> tuple[int, int, int, int]:
    """Block, lying, standing and singles of the layout of a code."""
    word = np.int64(code)
    block = word >> BLOCK_SHIFT
    open_cells = ALL_CELLS ^ FOOTPRINT[BLOCK, block]
    lying = standing = singles = 0
    shift = BLOCK_SHIFT
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
            covered |= lowest << COLUMNS
        elif item == SINGLE:
            singles |= lowest
        open_cells &= ~covered
    return block, lying, standing, singles


@kernel
def encode_layout(block: int, lying: int, standing: int, singles: int) -> np.uint64:
    """Code of a layout."""
    open_cells = ALL_CELLS ^ FOOTPRINT[BLOCK, block]
    code = np.int64(block)
    items = 0
    while open_cells:
        lowest = open_cells & -open_cells
        item = EMPTY
        covered = lowest
        if lying & lowest:
            item = LYING
            covered |= lowest << 1
        elif standing & lowest:
            item = STANDING
            covered |= lowest << COLUMNS
        elif singles & lowest:
            item = SINGLE
        open_cells &= ~covered
        code = (code << ITEM_BITS) | item
        items += 1
    return np.uint64(code << (ITEM_BITS * (MOST_ITEMS - items)))


@kernel
def code_fault(code: np.uint64) -> tuple[int, int]:
    """The first fault of a number taken as a code, and the digit where it is, counted from 1; (0, 0) for none.

    Too few empty cells show only when the scan is over, so their place is the digit of the last item.
    """
    block = code >> np.uint64(BLOCK_SHIFT)
    if block >= CELLS or FOOTPRINT[BLOCK, np.int64(block)] == 0:
        return Fault.NO_BLOCK.value, 1
    word = np.int64(code)
    open_cells = ALL_CELLS ^ FOOTPRINT[BLOCK, np.int64(block)]
    empties = 0
    items = 0
    while open_cells:
        item = (word >> (BLOCK_SHIFT - ITEM_BITS - ITEM_BITS * items)) & 3
        items += 1
        cell = count_cells((open_cells & -open_cells) - 1)
        covered = FOOTPRINT[SINGLE if item == EMPTY else item, cell]
        if covered == 0:
            return Fault.OFF_BOARD.value, _digit_of(items)
        if covered & ~open_cells:
            return Fault.OVERLAP.value, _digit_of(items)
        empties += item == EMPTY
        open_cells ^= covered
    if empties < EMPTIES_WANTED:
        return Fault.TOO_FEW_EMPTY.value, _digit_of(items)
    rest = word & ((1 << (BLOCK_SHIFT - ITEM_BITS * items)) - 1)
    if rest == 0:
        return Fault.NONE.value, 0
    while (word >> (BLOCK_SHIFT - ITEM_BITS - ITEM_BITS * items)) & 3 == 0:
        items += 1
    return Fault.DANGLING.value, _digit_of(items + 1)


@kernel
def _digit_of(items: int) -> int:
    """The digit that holds the item of this number, both counted from 1; the block has digit 1."""
    return 2 + (items - 1) // 2


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
