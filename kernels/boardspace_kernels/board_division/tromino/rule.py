"""The number of the L-tromino on one cell of a covered board, by a direct rule.

A board of 2^k x 2^k cells with one *special* cell is covered by (4^k - 1)/3 L-trominoes: split it into four
quadrants, lay one tromino round the centre so that it takes the central corner of each of the three quadrants
without the special cell, and let that corner be the special cell of its quadrant. Four boards of half the side
remain, each with one special cell.

The trominoes are numbered in the order of this recursion: the upper left quadrant, the upper right one, the
tromino round the centre, the lower left quadrant, the lower right one. The printed sample (k = 2, special cell in
row 1, column 2) fixes this order: it shows all five numbers, 1, 2, 3, 4 and 5, in these five places.

The rule. On the way from the whole board down to one block, three things are enough: how many trominoes come before
the block, where its special cell is, and which tromino lies there. With ``inner`` trominoes in a quadrant, the
tromino round the centre is number ``before + 2 * inner + 1``; quadrant q = 0, 1, 2, 3 (in reading order) has
``before + q * inner`` trominoes before it, and one more for q >= 2. A block of one cell is its own special cell,
so the tromino that lies there is the answer: k steps for a cell, and no other cell is looked at.

Source: the divide and conquer of the first example of the source text; the idea is Golomb's (1954).
"""

import numpy as np
from numpy.typing import DTypeLike

from boardspace_kernels.jit import kernel

LARGEST_K = 31
"""The largest k whose numbers fit a signed 64-bit word."""


class BoardError(ValueError):
    """A board, a special cell or a block of a board that does not exist."""


def require_board(k: int, row: int, column: int) -> None:
    """Raise :class:`BoardError` unless (row, column), counted from 0, is a cell of the 2^k x 2^k board."""
    if not 0 <= k <= LARGEST_K:
        raise BoardError(f"k = {k}: a board of 2^k x 2^k cells needs k from 0 to {LARGEST_K}")
    side = 1 << k
    for name, value in (("row", row), ("column", column)):
        if not 0 <= value < side:
            raise BoardError(f"special {name} {value + 1} is off the board: k = {k} has {name}s 1 to {side}")


def trominoes(k: int) -> int:
    """Number of trominoes that cover the board: (4^k - 1) / 3."""
    return ((1 << 2 * k) - 1) // 3


def number_dtype(k: int) -> DTypeLike:
    """The smallest of 16, 32 and 64 unsigned bits that hold the numbers 0 to (4^k - 1)/3: k <= 8, 16 and 31."""
    return np.uint16 if k <= 8 else np.uint32 if k <= 16 else np.uint64


@kernel
def descend(k: int, row: int, column: int, level: int, block_row: int, block_column: int) -> tuple[int, int, int, int]:
    """Walk from the board of special cell (row, column) down to one of its aligned 2^level x 2^level blocks.

    The block is the one in place (block_row, block_column) of the grid of such blocks. Returns the trominoes
    numbered before the block, the block's special cell (row and column on the board, from 0) and the number of
    the tromino on it: 0 where it is the special cell of the whole board.
    """
    before, number = 0, 0
    for inner_level in range(k - 1, level - 1, -1):
        inner = ((1 << 2 * inner_level) - 1) // 3
        path_row, path_column = block_row >> (inner_level - level), block_column >> (inner_level - level)
        if path_row != row >> inner_level or path_column != column >> inner_level:
            number = before + 2 * inner + 1
            row = (path_row << inner_level) + (0 if path_row & 1 else (1 << inner_level) - 1)
            column = (path_column << inner_level) + (0 if path_column & 1 else (1 << inner_level) - 1)
        quadrant = 2 * (path_row & 1) + (path_column & 1)
        before += quadrant * inner + (quadrant >= 2)
    return before, row, column, number


@kernel
def number_at(k: int, row: int, column: int, at_row: int, at_column: int) -> int:
    """The number of the tromino on cell (at_row, at_column) of the board with special cell (row, column); O(k)."""
    return descend(k, row, column, 0, at_row, at_column)[3]
