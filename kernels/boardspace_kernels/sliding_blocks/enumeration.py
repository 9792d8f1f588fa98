"""Every packing of a tray with given piece sizes, one class of each orbit kept, brought together by class.

The walk decides the first cell that is undecided: it is a void, if one is left, or the first cell of a piece whose
size is still wanted; the tree of :mod:`.tray` yields those that fit. Along the walk go sums: of the pieces' words (the
code) and of their random words under each symmetry (the keys of the class's images). At a leaf

* a packing whose own key is not the smallest of its images' belongs to a class that another of its orbit stands for;
* else its class is looked up by its key, and counted;
* and if it has a void, the packing is kept: its pieces as placements in ascending order, which is by shape, so that
  the same slot holds the same shape throughout a class.

Two passes over what is kept then bring each class together, by counting. Kept are 4 bytes a piece and 12 a packing.
Packings without a void are only counted:
each is a group of its own.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import kernel
from boardspace_kernels.sliding_blocks.tray import Tray

NONE = np.int32(-1)


class Packed(NamedTuple):
    """Room for packings: code uint64, slots int32 (packings, pieces) and label int32 (packings), the class's number."""

    code: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.int32]
    label: npt.NDArray[np.int32]


class Table(NamedTuple):
    """Classes by their keys.

    number: int32 (a power of 2), an open hash table: at the low bits of a key, or on from there, its class; -1 free.
    key: uint64 (classes).
    orbit: uint8 (classes), the size of its orbit.
    positions: int64 (classes).
    """

    number: npt.NDArray[np.int32]
    key: npt.NDArray[np.uint64]
    orbit: npt.NDArray[np.uint8]
    positions: npt.NDArray[np.int64]


class Found(NamedTuple):
    """How many packings a walk found, how many it kept, and how many classes they have."""

    packings: int
    kept: int
    classes: int


class Classes(NamedTuple):
    """One class of each orbit with given piece sizes, and all its positions where there is a void.

    key: uint64 (classes), its key; the smallest of its images'.
    orbit: uint8 (classes), how many classes its orbit has.
    positions: int64 (classes), all its positions.
    start: int64 (classes + 1), where its positions begin in the arrays that follow; these are empty
        without a void.
    code: uint64 (positions).
    slots: int32 (positions, pieces), the placements, ascending.
    """

    key: npt.NDArray[np.uint64]
    orbit: npt.NDArray[np.uint8]
    positions: npt.NDArray[np.int64]
    start: npt.NDArray[np.int64]
    code: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.int32]


def enumerate_classes(tray: Tray, sizes: tuple[int, ...], packings: int) -> Classes:
    """The classes of all packings with these piece sizes, of which there are ``packings`` (or more: where the arrays
    that this number suggests turn out too small, the walk is made again with larger ones)."""
    cells = tray.rows * tray.columns
    wanted = np.bincount(np.array(sizes, dtype=np.int64), minlength=cells + 1).astype(np.int64)
    room = 0 if sum(sizes) == cells else packings // 3 + 16
    class_room = 1 << max(4, min(packings // 16, 1 << 16).bit_length())
    while True:
        packed = Packed(np.empty(room, np.uint64), np.empty((room, len(sizes)), np.int32), np.empty(room, np.int32))
        table = empty_table(class_room)
        found = walk_packings(tray, wanted, len(sizes), packed, table)
        if found.classes > class_room:
            class_room *= 4
        elif found.kept > room:
            room = int(found.kept)
        else:
            break
    start, code, slots = bring_together(found.classes, found.kept, packed)
    return Classes(*(part[: found.classes].copy() for part in table[1:]), start, code, slots)


def empty_table(room: int) -> "Table":
    """A table for so many classes, a power of 2."""
    return Table(
        np.full(2 * room, NONE, np.int32), np.empty(room, np.uint64), np.empty(room, np.uint8), np.zeros(room, np.int64)
    )


@kernel
def walk_packings(
    tray: Tray,
    wanted: npt.NDArray[np.int64],
    pieces: int,
    packed: Packed,
    classes_by_key: Table,
) -> Found:
    """Walk all packings with ``wanted`` int64 (cells + 1) pieces of each size, ``pieces`` together.

    Those that are kept are written to ``packed`` while there is room, the classes to ``classes_by_key``. Where there
    are more classes than room the walk ends, and says that it found one more than that.
    """
    cells = tray.rows * tray.columns
    full = (np.int64(1) << cells) - 1
    symmetries = np.int64(tray.symmetries)
    code, slots, label = packed
    table, key, orbit, positions = classes_by_key
    found = np.int64(0)
    kept = np.int64(0)
    classes = np.int64(0)
    left = wanted.copy()
    depths = pieces + 1
    # Of each depth, that is, number of pieces chosen so far: cells decided, which are covered or void for good; voids
    # still to give out; the first undecided cell; the next item of the walk; sizes left, as bits; sums of words.
    decided = np.zeros(depths, np.int64)
    voids = np.zeros(depths, np.int64)
    cell = np.zeros(depths, np.int64)
    item = np.zeros(depths, np.int64)
    sizes = np.zeros(depths, np.int64)
    codes = np.zeros(depths, np.uint64)
    keys = np.zeros((depths, 8), np.uint64)
    chosen = np.zeros(depths, np.int32)
    voids[0] = cells
    for size in range(1, cells + 1):
        voids[0] -= size * wanted[size]
        if wanted[size]:
            sizes[0] |= np.int64(1) << size
    void_free = voids[0] == 0
    depth = np.int64(0)
    last = np.int64(pieces - 1)
    if pieces == 0:  # the empty tray
        key[0], orbit[0], positions[0] = np.uint64(0), 1, 1
        return Found(1, 0, 1)
    while depth >= 0:
        # The next item at this depth that fits, over all first cells for which there are voids to skip to them.
        here, taken, want = item[depth], decided[depth], sizes[depth]
        stop = np.int64(tray.first[cell[depth] + 1])
        size = np.int64(0)
        fits = False
        while True:
            if here >= stop:
                if voids[depth] == 0:
                    break
                voids[depth] -= 1
                taken |= np.int64(1) << cell[depth]
                if taken == full:
                    break
                cell[depth] = np.int64(lowest_bit(np.uint64(~taken)))
                here, stop = np.int64(tray.first[cell[depth]]), np.int64(tray.first[cell[depth] + 1])
                continue
            if np.int64(tray.walk_mask[here]) & taken:
                here = np.int64(tray.walk_end[here])
                continue
            size = np.int64(tray.walk_size[here])
            rest = want >> size
            if rest & 1:
                fits = True
                break
            here = np.int64(tray.walk_end[here]) if rest == 0 else here + 1
        if not fits:
            depth -= 1
            if depth >= 0:  # take the last piece back
                left[tray.walk_size[item[depth] - 1]] += 1
            continue
        decided[depth] = taken
        # The piece itself, and what is below it unless all that is left is smaller.
        item[depth] = here + 1 if want >> (size + 1) else np.int64(tray.walk_end[here])
        placement = np.int64(tray.walk_placement[here])
        if depth < last:
            left[size] -= 1
            sizes[depth + 1] = want if left[size] else want ^ (np.int64(1) << size)
            item[depth] = here + 1  # by which the size of the piece is found again
            chosen[depth] = placement
            mask = np.int64(tray.walk_mask[here])
            decided[depth + 1] = taken | mask
            voids[depth + 1] = voids[depth]
            codes[depth + 1] = codes[depth] + tray.word[placement]
            for g in range(symmetries):
                keys[depth + 1, g] = keys[depth, g] + tray.key[placement, g]
            depth += 1
            if decided[depth] == full:  # no cell left for the pieces to come
                depth -= 1
                left[size] += 1
                continue
            cell[depth] = np.int64(lowest_bit(np.uint64(~decided[depth])))
            item[depth] = np.int64(tray.first[cell[depth]])
            continue
        # A packing is complete.
        found += 1
        own = keys[depth, 0] + tray.key[placement, 0]
        least = True
        for g in range(1, symmetries):
            if keys[depth, g] + tray.key[placement, g] < own:
                least = False
                break
        if not least:
            continue
        spot = np.int64(own & np.uint64(len(table) - 1))
        while table[spot] != NONE and key[table[spot]] != own:
            spot = (spot + 1) & (len(table) - 1)
        number = np.int64(table[spot])
        if number < 0:
            if classes == len(key):
                return Found(found, kept, classes + 1)
            number = classes
            classes += 1
            table[spot] = number
            key[number] = own
            orbit[number] = _images(tray.key, keys[depth], placement)
            positions[number] = 0
        positions[number] += 1
        if void_free:
            continue
        if kept < len(code):
            code[kept] = codes[depth] + tray.word[placement]
            label[kept] = number
            chosen[depth] = placement
            # Insertion: pieces come by first cell, so those of a shape are in order already.
            for i in range(pieces):
                j = i
                while j > 0 and slots[kept, j - 1] > chosen[i]:
                    slots[kept, j] = slots[kept, j - 1]
                    j -= 1
                slots[kept, j] = chosen[i]
        kept += 1
    return Found(found, kept, classes)


@kernel
def _images(key: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64], placement: int) -> int:
    """How many different keys the images of a class have: the size of its orbit."""
    count = 0
    for g in range(key.shape[1]):
        new = True
        for h in range(g):
            if keys[h] + key[placement, h] == keys[g] + key[placement, g]:
                new = False
        count += new
    return count


@kernel
def _images(key: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64], placement: int) -> int:
    """How many different keys the images of a class have: the size of its orbit."""
    count = 0
    for g in range(key.shape[1]):
        new = True
        for h in range(g):
            if keys[h] + key[placement, h] == keys[g] + key[placement, g]:
                new = False
        count += new
    return count


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
def bring_together(
    classes: int, kept: int, packed: Packed
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint64], npt.NDArray[np.int32]]:
    """Codes and slots in order of their labels, in which classes begin where ``start`` says."""
    code, slots, label = packed
    start = np.zeros(classes + 1, np.int64)
    for i in range(kept):
        start[label[i] + 1] += 1
    for c in range(classes):
        start[c + 1] += start[c]
    following = start.copy()
    codes = np.empty(kept, np.uint64)
    together = np.empty((kept, slots.shape[1]), np.int32)
    for i in range(kept):
        to = following[label[i]]
        following[label[i]] += 1
        codes[to] = code[i]
        for p in range(slots.shape[1]):
            together[to, p] = slots[i, p]
    return start, codes, together
