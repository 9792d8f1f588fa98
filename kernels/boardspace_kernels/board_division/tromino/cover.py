"""Covers of whole boards and of single blocks of them, written at the speed of memory.

Every aligned block of a cover is the cover of a smaller board with its numbers shifted: by the direct rule
(:mod:`.rule`) a block needs only the count of trominoes before it, its special cell
and the number there. Unless it holds the special cell of the whole board, that cell is one of the block's four
corners, since every tromino of the recursion takes central corners. So a block is tiled from four *patterns*, the
small boards with a special corner: a tile is pattern + shift, and its corner is then set to its own number.

A band of tiles is written row by row, so that memory sees one forward stream, whatever the board's width. The one
tile with the special cell of the whole board is written cell by cell. Any block is computed without the others: a
board too large for memory is written block by block, in any order, by any number of workers.

Cost: one addition and one store per cell, plus k steps per tile.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.board_division.tromino.rule import BoardError, descend, number_at, number_dtype, require_board
from boardspace_kernels.jit import kernel, shared

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

    ``out`` is an array [2^level, 2^level] to write to instead of a new one; its dtype must hold (4^k - 1)/3.
    Raises :class:`BoardError` for a board, a cell or a block that does not exist.
    """
    require_board(k, row, column)
    level = block.level
    blocks = 1 << (k - level) if 0 <= level <= k else 0
    if not (0 <= block.row < blocks and 0 <= block.column < blocks):
        raise BoardError(f"no block ({block.row}, {block.column}) of level {level} on a board of k = {k}")
    numbers = np.empty((1 << level, 1 << level), number_dtype(k)) if out is None else out
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
    tile_side = 1 << min(TILE_LEVEL, max(level - 3, 0))
    patterns = np.empty((4, tile_side, tile_side), dtype)
    _write_patterns(patterns)
    return patterns


@kernel
def _level_of(side: int) -> int:
    """The level of a board or tile of ``side`` = 2^level cells."""
    level = 0
    while side >> (level + 1):
        level += 1
    return level


@kernel
def _write_patterns(patterns: NDArray[Any]) -> None:
    """Fill ``patterns`` [4, side, side] with the covers whose special cell is corner 2 * lower + right."""
    side = patterns.shape[1]
    for corner in range(4):
        special_row, special_column = (corner >> 1) * (side - 1), (corner & 1) * (side - 1)
        _write_cells(_level_of(side), special_row, special_column, 0, 0, patterns[corner])


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
            corners[tile] = 2 * (r % side > 0) + (c % side > 0)
        _write_band(patterns, corners, before, band)
        for tile in range(across):
            left, right = tile * side, (tile + 1) * side
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
