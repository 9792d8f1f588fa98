"""The board of Klotski: 4 columns by 5 rows, cell ``c = 4 * row + column``, and what covers it.

Sets of cells are masks: bit ``c`` of an integer stands for cell ``c``. A piece is named by its kind and its anchor, the
upper left cell it covers. A layout is one 2x2 block, dominoes lying (1 high, 2 wide) or standing (2 high, 1 wide),
single cells, and at least two empty cells; pieces of one kind are not told apart. In kernels a layout is four numbers:

    block     the anchor of the 2x2 block
    lying     mask of the anchors of the lying dominoes
    standing  mask of the anchors of the standing dominoes
    singles   mask of the 1x1 pieces

A *pattern* is a layout without its singles: the block and the dominoes. The cells a pattern leaves are *free*; singles
and empty cells share them.
"""

import numpy as np

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
    sideways = ((cells & ~COLUMN_3) << 1) | ((cells & ~COLUMN_0) >> 1)
    return (cells | sideways | (cells << COLUMNS) | (cells >> COLUMNS)) & ALL_CELLS


@inlined
def anchors_in(kind: int, cells: int) -> int:
    """The anchors at which the block or a domino covers nothing but ``cells``."""
    if kind == LYING:
        return cells & (cells >> 1) & ~COLUMN_3
    upright = cells & (cells >> COLUMNS)
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
    return direction in (UP, DOWN) or target // COLUMNS == cell // COLUMNS


@kernel
def mirror_cells(cells: int) -> int:
    """The left-right mirror image of a mask of cells."""
    swapped = ((cells & COLUMNS_01) << 2) | ((cells >> 2) & COLUMNS_01)
    return ((swapped & _COLUMNS_02) << 1) | ((swapped >> 1) & _COLUMNS_02)


@kernel
def flip_cells(cells: int) -> int:
    """The up-down mirror image of a mask of cells."""
    flipped = 0
    for row in range(ROWS):
        flipped |= ((cells >> (COLUMNS * row)) & _ROW) << (COLUMNS * (ROWS - 1 - row))
    return flipped
