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

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.sliding_blocks.tray import Slots, Tray

NONE = np.int32(-1)
NO_ITEM = -1


class Packed(NamedTuple):
    """Arrays for packings.

    code: uint64 (packings).
    slots: int32 (packings, pieces), the placements, ascending.
    label: int32 (packings), the number of the class.
    """

    code: npt.NDArray[np.uint64]
    slots: Slots
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


class Stack(NamedTuple):
    """The state of a walk; a depth is the number of pieces chosen before it.

    left: int64 (cells + 1), how many pieces of each size are not chosen yet.
    decided: int64 (depths), cells that are covered or void for good.
    voids: int64 (depths), voids still to give out.
    cell: int64 (depths), the first undecided cell.
    item: int64 (depths), the next item of the tray's walk.
    sizes: int64 (depths), sizes of which pieces are left, a bit for each.
    codes: uint64 (depths), sum of the words of the pieces.
    keys: uint64 (depths, 8), sums of their random words, under each symmetry.
    chosen: int32 (depths), the placement chosen at each depth.
    """

    left: npt.NDArray[np.int64]
    decided: npt.NDArray[np.int64]
    voids: npt.NDArray[np.int64]
    cell: npt.NDArray[np.int64]
    item: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    codes: npt.NDArray[np.uint64]
    keys: npt.NDArray[np.uint64]
    chosen: npt.NDArray[np.int32]


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
    slots: Slots


def enumerate_classes(tray: Tray, sizes: tuple[int, ...], packings: int) -> Classes:
    """The classes of all packings with these piece sizes, of which there are ``packings`` (or more: where the arrays
    that this number suggests turn out too small, the walk is made again with larger ones)."""
    cells = tray.rows * tray.columns
    # Most orbits have 4 classes or 8, of which one is kept, so a third of the packings is mostly enough.
    capacity = 0 if sum(sizes) == cells else packings // 3 + 16
    class_capacity = 1 << max(4, min(packings // 16, 1 << 16).bit_length())
    while True:
        slots = np.empty((capacity, len(sizes)), np.int32)
        packed = Packed(np.empty(capacity, np.uint64), slots, np.empty(capacity, np.int32))
        numbers, keys = np.full(2 * class_capacity, NONE, np.int32), np.empty(class_capacity, np.uint64)
        table = Table(numbers, keys, np.empty(class_capacity, np.uint8), np.zeros(class_capacity, np.int64))
        kept, met = walk_packings(tray, _stack(tray, sizes), packed, table)
        # A walk that ended for want of classes has not counted all that is kept, so this is asked first.
        if met > class_capacity:
            class_capacity *= 4
        elif kept > capacity:
            capacity = int(kept)
        else:
            break
    start, code, slots = bring_together(met, kept, packed)
    return Classes(*(part[:met].copy() for part in table[1:]), start, code, slots)


def _stack(tray: Tray, sizes: tuple[int, ...]) -> Stack:
    """The stack of a walk that begins: no piece is chosen and no cell decided."""
    cells, pieces = tray.rows * tray.columns, len(sizes)
    stack = Stack(
        np.bincount(np.array(sizes, dtype=np.int64), minlength=cells + 1).astype(np.int64),
        *(np.zeros(pieces, np.int64) for _ in range(5)),
        np.zeros(pieces, np.uint64),
        np.zeros((pieces, 8), np.uint64),
        np.zeros(pieces, np.int32),
    )
    # Slices, as without a piece there is no depth to write to.
    stack.voids[:1], stack.sizes[:1] = cells - sum(sizes), sum(1 << size for size in set(sizes))
    return stack


@kernel
def walk_packings(tray: Tray, stack: Stack, packed: Packed, classes_by_key: Table) -> tuple[int, int]:
    """Walk all packings with as many pieces of each size as a new ``stack`` has left; how many are kept, and how many
    classes there are.

    Packings that are kept are written to ``packed`` as far as it holds them, classes to ``classes_by_key``. If there
    are more classes than it holds, the walk ends and returns one class more than that.

    It is one loop because counts and depth are its own variables: with a function that counts a packing in its class,
    and a flag in place of a branch for trays without a void, it took 1.6 times as long.
    """
    table, key, orbit, positions = classes_by_key
    pieces = len(stack.chosen)
    if pieces == 0:  # the empty tray
        key[0], orbit[0], positions[0] = np.uint64(0), 1, 1
        return 0, 1
    void_free = stack.voids[0] == 0
    kept, classes = np.int64(0), np.int64(0)
    depth, last = np.int64(0), np.int64(pieces - 1)
    while depth >= 0:
        here = _next_item(tray, stack, depth)
        if here == NO_ITEM:
            depth -= 1
            if depth >= 0:  # take the last piece back
                stack.left[popcount(np.uint64(tray.mask[stack.chosen[depth]]))] += 1
            continue
        # Pieces and voids fill the tray together, so behind the last piece all cells left are voids.
        if depth < last:
            depth += _choose(tray, stack, depth, here)
            continue
        # A packing is complete; the rest is for the class that stands for its orbit.
        placement = np.int64(tray.walk_placement[here])
        if not _stands_for_orbit(tray, stack, depth, placement):
            continue
        own = stack.keys[depth, 0] + tray.key[placement, 0]
        spot = spot_of(table, key, own)
        number = np.int64(table[spot])
        if number == NONE:
            # One more than it holds tells the caller to come back with a larger table.
            if classes == len(key):
                return kept, classes + 1
            number = classes
            classes += 1
            table[spot] = number
            key[number] = own
            orbit[number] = _images(tray.key, stack.keys[depth], placement)
            positions[number] = 0
        positions[number] += 1
        if void_free:
            continue
        if kept < len(packed.code):
            packed.code[kept] = stack.codes[depth] + tray.word[placement]
            packed.label[kept] = number
            stack.chosen[depth] = placement
            _write_ascending(stack.chosen, packed.slots[kept])
        # Counted beyond the arrays, too: the caller makes them as large and walks again.
        kept += 1
    return kept, classes


@kernel
def _next_item(tray: Tray, stack: Stack, depth: int) -> int:
    """The next item of the tray's walk that fits at a depth, over all first cells for which there are voids to skip to
    them; NO_ITEM where there is none.

    The stack then holds the cells decided before this item, and the item to go on with.
    """
    full = (np.int64(1) << (tray.rows * tray.columns)) - 1
    # Items of the tray are the placements by first cell, in the order in which they grow from one another; `walk_end`
    # is the item behind all that grow from this one.
    here, taken, want = stack.item[depth], stack.decided[depth], stack.sizes[depth]
    stop = np.int64(tray.first[stack.cell[depth] + 1])
    while True:
        if here >= stop:  # no piece begins at this cell: it is a void, if one is left
            if stack.voids[depth] == 0:
                return NO_ITEM
            stack.voids[depth] -= 1
            taken |= np.int64(1) << stack.cell[depth]
            if taken == full:
                return NO_ITEM
            stack.cell[depth] = np.int64(lowest_bit(np.uint64(~taken)))
            here, stop = np.int64(tray.first[stack.cell[depth]]), np.int64(tray.first[stack.cell[depth] + 1])
            continue
        if np.int64(tray.walk_mask[here]) & taken:  # then all that grow from it overlap, too
            here = np.int64(tray.walk_end[here])
            continue
        rest = want >> np.int64(tray.walk_size[here])
        if rest & 1:
            # Below the item are only larger ones: they are passed over where no larger size is wanted.
            stack.decided[depth] = taken
            stack.item[depth] = here + 1 if rest >> 1 else np.int64(tray.walk_end[here])
            return here
        # Nothing that grows from it can have a size that is wanted, unless a larger size is.
        here = np.int64(tray.walk_end[here]) if rest == 0 else here + 1


@kernel
def _choose(tray: Tray, stack: Stack, depth: int, here: int) -> int:
    """Choose the piece at an item and prepare the next depth: 1, or 0 where no cell is left for the pieces to come."""
    decided = stack.decided[depth] | np.int64(tray.walk_mask[here])
    if decided == (np.int64(1) << (tray.rows * tray.columns)) - 1:
        return 0
    size, placement = np.int64(tray.walk_size[here]), np.int64(tray.walk_placement[here])
    below = depth + 1
    stack.left[size] -= 1
    # The bit of a size goes when its last piece is chosen.
    stack.sizes[below] = stack.sizes[depth] if stack.left[size] else stack.sizes[depth] ^ (np.int64(1) << size)
    stack.chosen[depth] = placement
    stack.decided[below] = decided
    stack.voids[below] = stack.voids[depth]
    # Bits beyond the tray are set in ~decided, too, but some cell is undecided, and it is lower.
    stack.cell[below] = np.int64(lowest_bit(np.uint64(~decided)))
    stack.item[below] = np.int64(tray.first[stack.cell[below]])
    stack.codes[below] = stack.codes[depth] + tray.word[placement]
    for g in range(tray.symmetries):
        stack.keys[below, g] = stack.keys[depth, g] + tray.key[placement, g]
    return 1


@kernel
def _stands_for_orbit(tray: Tray, stack: Stack, depth: int, placement: int) -> bool:
    """Return whether a packing's own key is the smallest of its images', with this placement as its last piece."""
    own = stack.keys[depth, 0] + tray.key[placement, 0]
    for g in range(1, tray.symmetries):  # noqa: SIM110 (numba has no all())
        # An equal key is that of the same class: it is symmetric, and stands for itself.
        if stack.keys[depth, g] + tray.key[placement, g] < own:
            return False
    return True


@kernel
def spot_of(table: npt.NDArray[np.int32], key: npt.NDArray[np.uint64], own: np.uint64) -> int:
    """The place of a key in the hash table, or the free place where it belongs.

    Linear probing: the table has twice as many places as classes, so there is always a free one.
    """
    # A key is a sum of hashes, so its low bits serve as they are.
    spot = np.int64(own & np.uint64(len(table) - 1))
    while table[spot] != NONE and key[table[spot]] != own:
        spot = (spot + 1) & (len(table) - 1)
    return spot


@kernel
def _write_ascending(chosen: npt.NDArray[np.int32], slots: Slots) -> None:
    """Write the pieces in ascending order by insertion: they come by first cell, so equal shapes are in order."""
    for i in range(len(slots)):
        j = i
        while j > 0 and slots[j - 1] > chosen[i]:
            slots[j] = slots[j - 1]
            j -= 1
        slots[j] = chosen[i]


@kernel
def _images(key: npt.NDArray[np.uint64], keys: npt.NDArray[np.uint64], placement: int) -> int:
    """Number of different keys of the images of a class: the size of its orbit."""
    count = 0
    for g in range(key.shape[1]):
        new = True
        for h in range(g):
            if keys[h] + key[placement, h] == keys[g] + key[placement, g]:
                new = False
        count += new
    return count


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
