"""Every packing of a tray with given piece sizes, one class of each orbit kept, brought together by class.

The walk decides the first cell that is undecided: it is a void, if one is left, or the first cell of a piece whose
size is still wanted; the tree of :mod:`.tray` yields those that fit. Along the walk go sums: of the pieces' words (the
code) and of their random words under each symmetry (the keys of the class's images). At a leaf

* a packing whose own key is not the smallest of its images' belongs to a class that another of its orbit stands for;
* else its class is looked up by its key, and counted;
* and if a piece can move, the packing is kept: its pieces as placements in ascending order, which is by shape, so that
  the same slot holds the same shape throughout a class.

Two passes over what is kept then bring each class together, by counting. Kept are 4 bytes a piece and 12 a packing.
Packings in which nothing can move are only counted: each is a group of its own.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import kernel
from boardspace_kernels.sliding_blocks.tray import Tray

NONE = np.int32(-1)


class Classes(NamedTuple):
    """One class of each orbit with given piece sizes, and those of its positions in which a piece can move.

    key: uint64 (classes), its key; the smallest of its images'.
    orbit: uint8 (classes), how many classes its orbit has.
    positions: int64 (classes), all its positions, frozen ones included.
    start: int64 (classes + 1), where its positions begin in the arrays that follow.
    code: uint64 (kept positions).
    slots: int32 (kept positions, pieces), the placements, ascending.
    """

    key: npt.NDArray[np.uint64]
    orbit: npt.NDArray[np.uint8]
    positions: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    code: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.int32]


def enumerate_classes(tray: Tray, sizes: tuple[int, ...], room: int) -> Classes:
    """The classes of all packings with these piece sizes. ``room``: how many packings there are at most up to symmetry;
    where it is too small the walk is made again with more."""
    wanted = np.bincount(np.array(sizes, dtype=np.int64), minlength=tray.rows * tray.columns + 1).astype(np.int64)
    while True:
        code = np.empty(room, np.uint64)
        slots = np.empty((room, len(sizes)), np.int32)
        label = np.empty(room, np.int32)
        found, kept, key, orbit, positions = walk_packings(tray, wanted, len(sizes), code, slots, label)
        if kept <= room:
            start, code, slots = bring_together(len(key), code[:kept], slots[:kept], label[:kept])
            return Classes(key, orbit, positions, start, code, slots)
        room = kept


@kernel
def walk_packings(
    tray: Tray,
    wanted: npt.NDArray[np.int64],
    pieces: int,
    code: npt.NDArray[np.uint64],
    slots: npt.NDArray[np.int32],
    label: npt.NDArray[np.int32],
) -> tuple[int, int, npt.NDArray[np.uint64], npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Walk all packings with ``wanted`` int64 (cells + 1) pieces of each size.

    Writes codes, slots and labels (the number of the class) of those kept while there is room. Returns how many
    packings there are, how many are kept, and of each class key, size of its orbit, and number of positions.
    """
    cells = tray.rows * tray.columns
    full = (np.int64(1) << cells) - 1
    voids_left = np.int64(cells)
    largest = 0
    for size in range(1, cells + 1):
        voids_left -= size * wanted[size]
        if wanted[size]:
            largest = size
    left = wanted.copy()
    depths = cells + 2
    decided = np.zeros(depths, np.int64)  # cells that are covered, or void for good
    voids = np.zeros(depths, np.int64)
    at = np.zeros(depths, np.int64)  # next item of the walk at this depth; -1: try a void first
    end = np.zeros(depths, np.int64)
    chosen = np.full(depths, -1, np.int64)  # the placement chosen at this depth, -1 a void
    keys = np.zeros((depths, 8), np.uint64)
    codes = np.zeros(depths, np.uint64)
    order = np.zeros(cells + 1, np.int32)
    table = np.full(1 << 10, NONE, np.int32)
    key = np.empty(1 << 9, np.uint64)
    orbit = np.empty(1 << 9, np.uint8)
    positions = np.zeros(1 << 9, np.int64)
    classes = found = kept = 0
    depth = 0
    at[0] = -1
    fresh = True
    while depth >= 0:
        if fresh:
            fresh = False
            if decided[depth] == full:
                found += 1
                own = keys[depth, 0]
                least = True
                for g in range(1, tray.symmetries):
                    if keys[depth, g] < own:
                        least = False
                        break
                if least:
                    spot = np.int64(own & np.uint64(len(table) - 1))
                    while table[spot] != NONE and key[table[spot]] != own:
                        spot = (spot + 1) & (len(table) - 1)
                    number = np.int64(table[spot])
                    if number < 0:
                        if classes == len(key):
                            table, key, orbit, positions = _doubled(table, key, orbit, positions)
                            spot = np.int64(own & np.uint64(len(table) - 1))
                            while table[spot] != NONE:
                                spot = (spot + 1) & (len(table) - 1)
                        number = classes
                        classes += 1
                        table[spot] = number
                        key[number] = own
                        orbit[number] = _distinct(keys, depth, tray.symmetries)
                        positions[number] = 0
                    positions[number] += 1
                    if voids[depth] and pieces:
                        blocked = full & ~voids[depth]
                        movable = False
                        filled = 0
                        for d in range(depth):
                            placement = chosen[d]
                            if placement >= 0:
                                order[filled] = placement
                                filled += 1
                                if not movable:
                                    for way in range(4):
                                        if (np.int64(tray.ahead[placement, way]) & ~voids[depth]) == 0:
                                            movable = True
                                            break
                        if movable:
                            if kept < len(code):
                                code[kept] = codes[depth]
                                label[kept] = number
                                # insertion: the pieces come by first cell, equal shapes already in order
                                for i in range(filled):
                                    placement = order[i]
                                    j = i
                                    while j > 0 and slots[kept, j - 1] > placement:
                                        slots[kept, j] = slots[kept, j - 1]
                                        j -= 1
                                    slots[kept, j] = placement
                            kept += 1
                depth -= 1
                continue
            cell = np.int64(lowest_bit(np.uint64(~decided[depth])))
            at[depth] = -1 if voids_left > 0 else np.int64(tray.first[cell])
            end[depth] = tray.first[cell + 1]
            chosen[depth] = -1
        elif chosen[depth] >= 0:  # take back the piece chosen before
            left[tray.walk_size[at[depth] - 1]] += 1
            chosen[depth] = -1
            size = np.int64(tray.walk_size[at[depth] - 1])
            if size > largest:
                largest = size
        elif at[depth] < 0:  # take back the void
            voids_left += 1
            cell = np.int64(lowest_bit(np.uint64(~decided[depth])))
            at[depth] = np.int64(tray.first[cell])
        if at[depth] < 0:
            voids_left -= 1
            bit = ~decided[depth] & (decided[depth] + 1)
            decided[depth + 1] = decided[depth] | bit
            voids[depth + 1] = voids[depth] | bit
            codes[depth + 1] = codes[depth]
            for g in range(tray.symmetries):
                keys[depth + 1, g] = keys[depth, g]
            depth += 1
            fresh = True
            continue
        item, stop, taken = at[depth], end[depth], decided[depth]
        while item < stop:
            if np.int64(tray.walk_mask[item]) & taken:
                item = np.int64(tray.walk_end[item])
                continue
            size = np.int64(tray.walk_size[item])
            if size > largest:
                item = np.int64(tray.walk_end[item])
                continue
            if left[size]:
                break
            item += 1
        if item >= stop:
            depth -= 1
            continue
        left[size] -= 1
        while largest > 0 and left[largest] == 0:
            largest -= 1
        at[depth] = item + 1
        placement = np.int64(tray.walk_placement[item])
        chosen[depth] = placement
        decided[depth + 1] = taken | np.int64(tray.walk_mask[item])
        voids[depth + 1] = voids[depth]
        codes[depth + 1] = codes[depth] + tray.word[placement]
        for g in range(tray.symmetries):
            keys[depth + 1, g] = keys[depth, g] + tray.key[g, placement]
        depth += 1
        fresh = True
    return found, kept, key[:classes].copy(), orbit[:classes].copy(), positions[:classes].copy()


@kernel
def _doubled(
    table: npt.NDArray[np.int32],
    key: npt.NDArray[np.uint64],
    orbit: npt.NDArray[np.uint8],
    positions: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint64], npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """The table of classes with twice the room."""
    count = len(key)
    larger = np.full(2 * len(table), NONE, np.int32)
    keys = np.empty(2 * count, np.uint64)
    orbits = np.empty(2 * count, np.uint8)
    counts = np.zeros(2 * count, np.int64)
    for i in range(count):
        keys[i], orbits[i], counts[i] = key[i], orbit[i], positions[i]
        spot = np.int64(key[i] & np.uint64(len(larger) - 1))
        while larger[spot] != NONE:
            spot = (spot + 1) & (len(larger) - 1)
        larger[spot] = i
    return larger, keys, orbits, counts


@kernel
def _distinct(keys: npt.NDArray[np.uint64], depth: int, symmetries: int) -> int:
    """How many different keys the images have."""
    count = 0
    for g in range(symmetries):
        new = True
        for h in range(g):
            if keys[depth, h] == keys[depth, g]:
                new = False
        count += new
    return count


@kernel
def bring_together(
    classes: int, code: npt.NDArray[np.uint64], slots: npt.NDArray[np.int32], label: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """Codes and slots in order of their labels, in which classes begin where ``start`` says."""
    start = np.zeros(classes + 1, np.int64)
    for i in range(len(label)):
        start[label[i] + 1] += 1
    for c in range(classes):
        start[c + 1] += start[c]
    following = start.copy()
    codes = np.empty_like(code)
    together = np.empty_like(slots)
    for i in range(len(label)):
        to = following[label[i]]
        following[label[i]] += 1
        codes[to] = code[i]
        for p in range(slots.shape[1]):
            together[to, p] = slots[i, p]
    return start, codes, together
