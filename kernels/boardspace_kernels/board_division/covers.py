"""Covers by L-trominoes: the number on one cell by a direct rule, and whole boards at the speed of memory.

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

A band of tiles is written row by row, so that memory sees one forward stream, whatever the board's width. The one
tile with the special cell of the whole board is written cell by cell. Any block is computed without the others: a
board too large for memory is written block by block, in any order, by any number of workers.

Cost: one addition and one store per cell, plus k steps per tile.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from boardspace_kernels.jit import kernel, shared

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
            # The corner at the centre is in the first row of a lower quadrant, in the last one of an upper quadrant.
            row = (path_row << inner_level) + (0 if path_row & 1 else (1 << inner_level) - 1)
            column = (path_column << inner_level) + (0 if path_column & 1 else (1 << inner_level) - 1)
        quadrant = 2 * (path_row & 1) + (path_column & 1)
        before += quadrant * inner + (quadrant >= 2)
    return before, row, column, number


@kernel
def number_at(k: int, row: int, column: int, at_row: int, at_column: int) -> int:
    """The number of the tromino on cell (at_row, at_column) of the board with special cell (row, column); O(k)."""
    return descend(k, row, column, 0, at_row, at_column)[3]


TILE_LEVEL = 6
"""Tiles of at most 64 x 64 cells: a row of each of the four patterns stays in the first cache."""


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
    _write_block(k, row, column, block, _patterns(level, numbers.dtype), numbers)
    return numbers


def covers(k: int, first: int, last: int) -> NDArray[Any]:
    """Covers [last - first, 2^k, 2^k] for the special cells ``first`` to ``last - 1`` in reading order, from 0."""
    require_board(k, 0, 0)
    if not 0 <= first <= last <= 1 << 2 * k:
        raise BoardError(f"special cells {first} to {last - 1}: k = {k} has cells 0 to {(1 << 2 * k) - 1}")
    boards = np.empty((last - first, 1 << k, 1 << k), number_dtype(k))
    _write_boards(k, first, _patterns(k, boards.dtype), boards)
    return boards


def _patterns(level: int, dtype: np.dtype[Any]) -> NDArray[Any]:
    """The patterns for a block of ``level``, at a tile size that leaves the tiles' own cost small."""
    tile_level = min(TILE_LEVEL, max(level - 3, 0))
    last = (1 << tile_level) - 1
    patterns = np.empty((4, last + 1, last + 1), dtype)
    for corner in range(4):
        # Its special cell is corner 2 * lower + right.
        _write_cells(tile_level, (corner >> 1) * last, (corner & 1) * last, 0, 0, patterns[corner])
    return patterns


@kernel
def _level_of(side: int) -> int:
    """The level of a board or tile of ``side`` = 2^level cells."""
    level = 0
    while side >> (level + 1):
        level += 1
    return level


@kernel
def _write_cells(k: int, row: int, column: int, tile_row: int, tile_column: int, tile: NDArray[Any]) -> None:
    """Write one tile cell by cell: the way for the tile that holds the board's own special cell."""
    side = tile.shape[0]
    for r in range(side):
        for c in range(side):
            tile[r, c] = number_at(k, row, column, tile_row * side + r, tile_column * side + c)


@kernel
def _write_band(
    patterns: NDArray[Any], corners: NDArray[np.int64], before: NDArray[np.int64], band: NDArray[Any]
) -> None:
    """Write ``band`` [side, tiles * side] row by row: in tile t the pattern of corners[t], shifted by before[t]."""
    side = patterns.shape[1]
    for row in range(side):
        for tile in range(corners.size):
            source = patterns[corners[tile], row]
            target = band[row, tile * side : (tile + 1) * side]
            # Cast, as numba makes the sum of a uint64 and an int64 a float, which is not exact.
            shift = band.dtype.type(before[tile])
            for column in range(side):
                target[column] = source[column] + shift


@shared
def _write_block(k: int, row: int, column: int, block: Block, patterns: NDArray[Any], out: NDArray[Any]) -> None:
    """Write a block to ``out`` band by band, then set the special cell of each tile; see :func:`cover_block`, whose
    parameters it has, with the patterns for the level."""
    side = patterns.shape[1]
    level, across = _level_of(side), out.shape[0] // side
    corners, before, numbers = np.empty(across, np.int64), np.empty(across, np.int64), np.empty(across, np.int64)
    for band_row in range(across):
        tile_row, first_tile = block.row * across + band_row, block.column * across
        band = out[band_row * side : (band_row + 1) * side]
        for tile in range(across):
            before[tile], r, c, numbers[tile] = descend(k, row, column, level, tile_row, first_tile + tile)
            # A tile's special cell is one of its corners, or the tile is the one that is written anew below.
            corners[tile] = 2 * (r % side > 0) + (c % side > 0)
        _write_band(patterns, corners, before, band)
        for tile in range(across):
            left, right = tile * side, (tile + 1) * side
            # A pattern has 0 on its special cell, so a tile's own number is set here. The tile without one holds the
            # special cell of the board.
            if numbers[tile]:
                at_row, at_column = (corners[tile] >> 1) * (side - 1), (corners[tile] & 1) * (side - 1)
                band[at_row, left + at_column] = numbers[tile]
            else:
                _write_cells(k, row, column, tile_row, first_tile + tile, band[:, left:right])


@kernel
def _write_boards(k: int, first: int, patterns: NDArray[Any], boards: NDArray[Any]) -> None:
    """Write one whole cover for each special cell from ``first`` on; see :func:`covers`."""
    for board in range(boards.shape[0]):
        row, column = (first + board) >> k, (first + board) & ((1 << k) - 1)
        _write_block(k, row, column, Block(k, 0, 0), patterns, boards[board])
