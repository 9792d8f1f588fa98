"""Covers by L-trominoes: the number on one cell by a direct rule, and whole boards from tiles.

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

*Whole boards* and single blocks of them. Every aligned block of a cover is the cover of a smaller board with its
numbers shifted: by the direct rule a block needs only the count of trominoes before it, its special cell and the number
there. Unless it holds the special cell of the whole board, that cell is one of the block's four corners, since every
tromino of the recursion takes central corners. So a block is tiled from four *patterns*, the small boards with a
special corner: a tile is pattern + shift, and its corner is then set to its own number.

Tiles are written band by band, so that memory sees one forward stream, whatever the board's width. The one tile with
the special cell of the whole board is written cell by cell. Any block is computed without the others: a board too
large for memory is written block by block, in any order, by any number of workers.

Cost: one addition and one store per cell, plus k steps per tile.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

Cells = NDArray[np.int64] | int
"""Rows or columns, counted from 0; those of one call are broadcast to one shape."""
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


def descend(
    k: int, row: Cells, column: Cells, level: int, block_row: Cells, block_column: Cells
) -> tuple[NDArray[np.int64], ...]:
    """Walk from boards of special cells (row, column) down to aligned 2^level x 2^level blocks of them.

    A block is the one in place (block_row, block_column) of the grid of such blocks. Returns the trominoes numbered
    before the block, the block's special cell (row and column on the board, from 0) and the number of the tromino on
    it: 0 where it is the special cell of the whole board; int64 each, of the shape to which all are broadcast.
    """
    row, column, block_row, block_column = np.broadcast_arrays(row, column, block_row, block_column)
    before = number = np.zeros_like(row)
    for inner_level in range(k - 1, level - 1, -1):
        inner, last = ((1 << 2 * inner_level) - 1) // 3, (1 << inner_level) - 1
        path_row, path_column = block_row >> (inner_level - level), block_column >> (inner_level - level)
        away = (path_row != row >> inner_level) | (path_column != column >> inner_level)
        lower, right = path_row & 1, path_column & 1
        number = np.where(away, before + (2 * inner + 1), number)
        # The corner at the centre is in the first row of a lower quadrant, in the last one of an upper quadrant.
        row = np.where(away, (path_row << inner_level) + (1 - lower) * last, row)
        column = np.where(away, (path_column << inner_level) + (1 - right) * last, column)
        before = before + (2 * lower + right) * inner + lower
    return before, row, column, number


def numbers_at(k: int, row: Cells, column: Cells, at_row: Cells, at_column: Cells) -> NDArray[np.int64]:
    """The numbers of the trominoes on cells (at_row, at_column) of boards with special cells (row, column), int64;
    k steps for a cell."""
    return descend(k, row, column, 0, at_row, at_column)[3]


TILE_LEVEL = 6
"""Tiles of at most 64 x 64 cells: those of a band stay in a cache."""


class Block(NamedTuple):
    """An aligned block of 2^level x 2^level cells, and its place in the grid of such blocks, counted from 0."""

    level: int
    row: int
    column: int


def cover(k: int, row: int, column: int) -> NDArray[Any]:
    """Tromino numbers of the whole board [2^k, 2^k]; 0 on the special cell (row, column), counted from 0.

    The dtype is :func:`number_dtype`'s. Raises :class:`BoardError`.
    """
    return cover_block(k, row, column, Block(k, 0, 0))


def cover_block(k: int, row: int, column: int, block: Block, out: NDArray[Any] | None = None) -> NDArray[Any]:
    """Tromino numbers of one block of the board with special cell (row, column), counted from 0.

    ``out`` is an array [2^level, 2^level] to write to instead of a new one, of integers that hold (4^k - 1)/3.
    Raises :class:`BoardError` for a board, a cell or a block that does not exist, or another array.
    """
    require_board(k, row, column)
    level = block.level
    blocks = 1 << (k - level) if 0 <= level <= k else 0
    if not (0 <= block.row < blocks and 0 <= block.column < blocks):
        raise BoardError(f"no block ({block.row}, {block.column}) of level {level} on a board of k = {k}")
    shape = 1 << level, 1 << level
    numbers = np.empty(shape, number_dtype(k)) if out is None else out
    if numbers.shape != shape or np.iinfo(numbers.dtype).max < trominoes(k):
        raise BoardError(
            f"k = {k}: no array {shape} of integers up to {trominoes(k)}: {numbers.shape}, {numbers.dtype}"
        )
    _write(k, np.array([row]), np.array([column]), block, numbers[None])
    return numbers


def covers(k: int, first: int, last: int) -> NDArray[Any]:
    """Covers [last - first, 2^k, 2^k] for the special cells ``first`` to ``last - 1`` in reading order, from 0."""
    require_board(k, 0, 0)
    if not 0 <= first <= last <= 1 << 2 * k:
        raise BoardError(f"special cells {first} to {last - 1}: k = {k} has cells 0 to {(1 << 2 * k) - 1}")
    boards = np.empty((last - first, 1 << k, 1 << k), number_dtype(k))
    _write(k, *np.divmod(np.arange(first, last), 1 << k), Block(k, 0, 0), boards)
    return boards


def _write(k: int, row: NDArray[np.int64], column: NDArray[np.int64], block: Block, out: NDArray[Any]) -> None:
    """Write one block of each of b boards to ``out`` [b, 2^level, 2^level]; special cells: int64 [b] each."""
    level = min(TILE_LEVEL, max(block.level - 3, 0))  # so that there are tiles enough for their own cost to be small
    side, across = 1 << level, 1 << block.level - level
    place, cell, (row, column) = np.arange(across), np.arange(side), (ends[:, None, None] for ends in (row, column))
    tile_row, tile_column = block.row * across + place, block.column * across + place
    before, special_row, special_column, number = descend(k, row, column, level, tile_row[:, None], tile_column)
    special_row, special_column = special_row % side, special_column % side
    # Its special cell is one of a tile's corners, or the tile is one of those that are written anew at the end.
    corner = 2 * (special_row > 0) + (special_column > 0)
    lower, right = np.divmod(np.arange(4)[:, None, None], 2)
    patterns = numbers_at(level, lower * (side - 1), right * (side - 1), cell[:, None], cell).astype(out.dtype)
    tiles = out.reshape(-1, across, side, across, side)
    for band in range(across):
        shift = before[:, band, None, :, None].astype(out.dtype)
        np.add(patterns[corner[:, band]].swapaxes(1, 2), shift, out=tiles[:, band])
    # A pattern has 0 on its special cell, so a tile's own number is set here.
    boards, downs, rights = np.ogrid[: len(tiles), :across, :across]
    tiles[boards, downs, special_row, rights, special_column] = number
    # The tile without one, of each board at most one, holds the special cell of the board.
    boards, downs, rights = np.nonzero(number == 0)
    rows, columns = tile_row[downs][:, None] * side + cell, tile_column[rights][:, None] * side + cell
    tiles[boards, downs, :, rights] = numbers_at(k, row[boards], column[boards], rows[:, :, None], columns[:, None])
