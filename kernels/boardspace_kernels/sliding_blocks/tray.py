"""A tray and every placement of a piece on it: what the kernels look up.

Cells are numbered in reading order, a set of cells is a word with a bit for each. A *placement* is a connected set of
cells; the 4 x 5 tray has 116,166. A *shape* is a placement moved to the upper left corner.

**Code.** A position is a uint64: a bit for every pair of touching cells that lie in the same piece, and above these a
bit for every cell that is covered. Pieces are then the connected components, so the code says all, and it is a *sum*:
each placement has a word of its own, the pieces' words have no bit in common, and a move takes one away and adds
another. A tray of up to 20 cells needs at most 51 bits.

**Class key.** The class of a position is the multiset of its shapes. Each shape has a random word of 64 bits (a fixed
hash of its cells); the key is the sum of the pieces' words. Two classes share a key by accident only: with the
1,000,000 classes that one multiset of sizes may have, by a chance of 1 in 10^7; a survey compares the shapes
themselves, so that such an accident would be found. Under a symmetry of the tray a shape becomes another, so a
placement carries one word for each symmetry, and one pass over the pieces gives the keys of all images of a class.

**Tree.** The placements whose first cell is c are listed as a tree in preorder: below a placement stand those that
grow from it by more cells. Where a placement hits a covered cell so does all that is below it, and the walk skips to
the end of its branch; so the time goes into placements that fit. (The order is that of Redelmeier's counting of
polyominoes, Discrete Mathematics 36, 1981.)
"""

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit, mixed
from boardspace_kernels.jit import kernel

MOST_CELLS = 20
UP, RIGHT, DOWN, LEFT = range(4)
OFF_TRAY = 0xFFFFFFFF

Slots = npt.NDArray[np.int32]
"""Placements of the pieces of positions, ascending: int32 (positions, pieces)."""


class Tray(NamedTuple):
    """Tables of a tray; ``placements`` are ordered by size, then shape, then place in reading order.

    rows: of the tray.
    columns: of the tray.
    symmetries: how many, 4 (or 8 for squares); 1 turns the columns about, 2 the rows, 3 both, + 4 rows and columns
        change places first.
    mask: uint32 (placements), the cells.
    word: uint64 (placements), what it adds to the code of a position.
    shape: uint32 (placements), number of its shape, ascending.
    ahead: uint32 (placements, 4), the cells that must be void for a move up, right, down, left; all ones off the tray.
    moved: int32 (placements, 4), the placement after that move; -1 off the tray.
    image: int32 (symmetries, placements), the placement under each symmetry.
    key: uint64 (placements, symmetries), the random word of the image's shape.
    corner: int32 (4, placements), the placement of the same shape in the upper left, upper right, lower left and lower
        right corner: its bounding box lies there.
    first: int32 (cells + 1), where the walk of the placements with each first cell begins.
    walk_mask: uint32 (placements), the cells, in the order of the walk, as the three that follow.
    walk_size: uint8 (placements), how many cells.
    walk_end: int32 (placements), where the branch below it ends.
    walk_placement: int32 (placements), its number in the other tables.
    """

    rows: int
    columns: int
    symmetries: int
    mask: npt.NDArray[np.uint32]
    word: npt.NDArray[np.uint64]
    shape: npt.NDArray[np.uint32]
    ahead: npt.NDArray[np.uint32]
    moved: npt.NDArray[np.int32]
    image: npt.NDArray[np.int32]
    key: npt.NDArray[np.uint64]
    corner: npt.NDArray[np.int32]
    first: npt.NDArray[np.int32]
    walk_mask: npt.NDArray[np.uint32]
    walk_size: npt.NDArray[np.uint8]
    walk_end: npt.NDArray[np.int32]
    walk_placement: npt.NDArray[np.int32]


PlacementTree = tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint8], npt.NDArray[np.int32]]
"""Placements as trees in preorder, one for each first cell: the cells of each, how many these are, and where the branch
below it ends."""


@functools.lru_cache(4)
def tray(rows: int, columns: int) -> Tray:
    """The tables of a tray; ValueError beyond 20 cells."""
    cells = rows * columns
    if not 1 <= cells <= MOST_CELLS:
        raise ValueError(f"{rows} x {columns}: the tables are made for trays of 1 to {MOST_CELLS} cells")
    walk_mask, walk_size, walk_end, first = _walk(rows, columns)
    top, left, height, width = _boxes(rows, columns, walk_mask)
    # No cell lies left of its box, so a shift by the box's corner carries none across a row's end.
    home = walk_mask >> (top * columns + left).astype(np.uint32)
    place = top * columns + left
    # The last key decides first: by size, then by shape, then by place.
    order = np.lexsort((place, home, walk_size))
    mask, home, top, left, height, width = (a[order] for a in (walk_mask, home, top, left, height, width))
    # By all sets of cells, 4 MiB for 20 cells, so that no placement is ever searched for.
    number = np.full(1 << cells, -1, dtype=np.int32)
    number[mask] = np.arange(len(mask), dtype=np.int32)
    shape = np.cumsum(np.r_[0, home[1:] != home[:-1]]).astype(np.uint32)
    moved, ahead = _moves(rows, columns, mask, number, (top, left, height, width))
    image = _images(rows, columns, mask, number)
    words = _hashed(home)
    lower, right = (rows - height) * columns, columns - width
    corners = [home << np.uint32(0), home << right, home << lower, home << (lower + right)]
    placement = number[walk_mask]
    return Tray(
        rows,
        columns,
        len(image),
        mask,
        _words(rows, columns, mask),
        shape,
        ahead,
        moved,
        image,
        np.ascontiguousarray(words[image].T),
        np.ascontiguousarray(number[np.array(corners)]),
        first,
        walk_mask,
        walk_size,
        walk_end,
        placement,
    )


def _walk(rows: int, columns: int) -> tuple[npt.NDArray[np.uint32], ...]:
    """Every placement in the order of the walk: cells, sizes, ends of branches; and where each first cell begins."""
    count = 1 << 10
    while True:
        masks, sizes, ends = np.empty(count, np.uint32), np.empty(count, np.uint8), np.empty(count, np.int32)
        first, found = np.zeros(rows * columns + 1, np.int32), 0
        for cell in range(rows * columns):
            found = grow_placements(rows, columns, cell, (masks, sizes, ends), found)
            first[cell + 1] = found
        if found <= count:
            return masks[:found].copy(), sizes[:found].copy(), ends[:found].copy(), first
        count = found


@kernel
def grow_placements(rows: int, columns: int, cell: int, walk: PlacementTree, found: int) -> int:
    """List the placements whose first cell is ``cell`` from place ``found`` on; the place after the last. Beyond the
    arrays they are only counted."""
    masks, sizes, ends = walk
    cells = rows * columns
    # The first cell and those after it: no earlier one joins, so each placement is listed under its own first cell.
    later = ((np.int64(1) << cells) - 1) & ~((np.int64(1) << cell) - 1)
    depth_mask = np.zeros(cells + 1, np.int64)
    untried = np.zeros(cells + 1, np.int64)
    seen = np.zeros(cells + 1, np.int64)
    place = np.zeros(cells + 1, np.int64)
    untried[0] = np.int64(1) << cell
    seen[0] = untried[0]
    depth = 0
    while depth >= 0:
        if untried[depth] == 0:
            # All that grows from the placement of this depth is listed by now.
            if depth > 0 and place[depth] < len(ends):
                ends[place[depth]] = found
            depth -= 1
            continue
        bit = untried[depth] & -untried[depth]
        # A cell that was tried stays in `seen`, so what grows at this depth later never has it: none is listed twice.
        untried[depth] ^= bit
        near = _neighbours(rows, columns, bit) & later & ~seen[depth]
        depth_mask[depth + 1] = depth_mask[depth] | bit
        untried[depth + 1] = untried[depth] | near
        seen[depth + 1] = seen[depth] | near
        depth += 1
        place[depth] = found
        if found < len(masks):
            masks[found] = depth_mask[depth]
            sizes[found] = depth
        found += 1
    return found


@kernel
def _neighbours(rows: int, columns: int, bit: int) -> int:
    """The cells that touch a cell, as sets."""
    cell = np.int64(lowest_bit(np.uint64(bit)))
    near = np.int64(0)
    # At a row's end a shift by one would come to the next row.
    if cell % columns:
        near |= bit >> 1
    if cell % columns < columns - 1:
        near |= bit << 1
    if cell >= columns:
        near |= bit >> columns
    if cell < (rows - 1) * columns:
        near |= bit << columns
    return near


def _bits(rows: int, columns: int, mask: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    """Sets of cells as bool (placements, rows, columns)."""
    shifts = np.arange(rows * columns, dtype=np.uint32)
    return (mask[:, None] >> shifts & np.uint32(1)).astype(bool).reshape(-1, rows, columns)


def _packed(bits: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint32]:
    """Sets of cells as masks, uint32 (placements), of sets as :func:`_bits` returns them."""
    flat = bits.reshape(len(bits), -1)
    # A sum of different powers of two is a set of bits.
    return flat @ (np.uint32(1) << np.arange(flat.shape[1], dtype=np.uint32))


def _boxes(rows: int, columns: int, mask: npt.NDArray[np.uint32]) -> tuple[npt.NDArray[np.uint32], ...]:
    """Top, left, height and width of bounding boxes."""
    bits = _bits(rows, columns, mask)
    in_row, in_column = bits.any(axis=2), bits.any(axis=1)
    # argmax finds the first true one.
    top, left = in_row.argmax(axis=1), in_column.argmax(axis=1)
    bottom, right = rows - in_row[:, ::-1].argmax(axis=1), columns - in_column[:, ::-1].argmax(axis=1)
    return tuple(side.astype(np.uint32) for side in (top, left, bottom - top, right - left))


def _moves(
    rows: int,
    columns: int,
    mask: npt.NDArray[np.uint32],
    number: npt.NDArray[np.int32],
    boxes: tuple[npt.NDArray[np.uint32], ...],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint32]]:
    """The placement after each move, and the cells that it newly covers."""
    top, left, height, width = boxes
    stays = (top > 0, left + width < columns, top + height < rows, left > 0)
    moved = np.full((len(mask), 4), -1, dtype=np.int32)
    ahead = np.full((len(mask), 4), OFF_TRAY, dtype=np.uint32)
    for way, inside in enumerate(stays):
        before = mask[inside]
        by = np.uint32(columns if way in (UP, DOWN) else 1)
        # Only placements that stay on the tray are shifted, so no cell crosses a row's end.
        after = before >> by if way in (UP, LEFT) else before << by
        moved[inside, way] = number[after]
        ahead[inside, way] = after & ~before
    return moved, ahead


def _images(
    rows: int, columns: int, mask: npt.NDArray[np.uint32], number: npt.NDArray[np.int32]
) -> npt.NDArray[np.int32]:
    """The placement under each symmetry."""
    bits = _bits(rows, columns, mask)
    sides = [bits, bits.transpose(0, 2, 1)] if rows == columns else [bits]
    # In this order bit 0 of a symmetry's number turns the columns about, bit 1 the rows, and bit 2 exchanges both.
    flips = [side[:, ::down, ::across] for side in sides for down in (1, -1) for across in (1, -1)]
    return np.array([number[_packed(flip)] for flip in flips])


def _words(rows: int, columns: int, mask: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """Words that placements add to a code: pairs side by side, then pairs one above the other, then its cells."""
    bits = _bits(rows, columns, mask)
    across = bits[:, :, 1:] & bits[:, :, :-1]
    down = bits[:, 1:, :] & bits[:, :-1, :]
    every = np.concatenate([part.reshape(len(mask), -1) for part in (across, down, bits)], axis=1)
    return every @ (np.uint64(1) << np.arange(every.shape[1], dtype=np.uint64))


def _hashed(home: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """A random word for each shape, a hash of its cells."""
    return mixed(home.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15))
