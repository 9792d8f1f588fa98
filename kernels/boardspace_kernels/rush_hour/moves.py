"""Moves of many boards at once, from word to word.

A unit move takes a piece on by a cell, or back:

- a piece of a packed line: the bits under a mask, which depends on the cells that the index entry covers in the line,
  are shifted by the piece's step;
- of an outer line: the whole word goes to another one, at a constant distance;
- of an index line: the bits whose packed lines leave the entered cell free go to the word of another index entry, if
  the outer lines leave it free as well.

A step moves one piece any number of cells: unit moves of one piece one after another, as long as bits are left.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined_by_llvm, kernel
from boardspace_kernels.rush_hour.packing import INDEX_PIECES, OUTER_PIECES, OUTER_SIZE, PACKED_PIECES, Class

FLOOD, STEP, UNIT = np.arange(3)  # no literals, of each of which numba compiles a kernel anew
"""Searches, in their order; and the columns of ``Workspace.words`` that say where each has not been."""
NUMBER, LEVEL, NEXT = range(3, 6)
"""Columns of ``Workspace.words``."""


class Workspace(NamedTuple):
    """Arrays of a search that grow with the classes; x is a word's number.

    word: int32 (s w), numbers of the words by place of the index entry and outer digits.
    home: int32 (x, 2), place and outer digits of the words.
    words: uint64 (x, 8): boards in no group yet, at no level of steps yet, of unit moves yet; the word's number in its
        group; boards of the level that is gone through, and of the next one.
    queue: int64 (3, boards), of each search the words that got boards, in order.
    bits: uint64 (3, boards), these boards.
    every: int64 (boards), values of w that have boards.
    level_ends: int64 (3, 1024), where each level ends in the queue.
    to, moved: int64 (128), uint64 (128), the words that moves lead to, and the boards there.
    """

    word: NDArray[np.int32]
    home: NDArray[np.int32]
    words: NDArray[np.uint64]
    queue: NDArray[np.int64]
    bits: NDArray[np.uint64]
    every: NDArray[np.int64]
    level_ends: NDArray[np.int64]
    to: NDArray[np.int64]
    moved: NDArray[np.uint64]


@kernel
def workspace(words: int, boards: int) -> Workspace:
    """Room for a class of so many words and boards."""
    return Workspace(
        np.empty(words, np.int32),
        # Numbered words have a board each, so there are no more of them than boards.
        np.empty((boards, 2), np.int32),
        np.zeros((boards, 8), np.uint64),
        np.empty((3, boards), np.int64),
        np.empty((3, boards), np.uint64),
        np.empty(boards, np.int64),
        np.empty((3, 1024), np.int64),
        np.empty(128, np.int64),
        np.empty(128, np.uint64),
    )


@inlined_by_llvm
def neighbours(one: Class, work: Workspace, mode: int, word: int, boards: np.uint64) -> int:
    """Write the words to which some boards of a word can go, and the boards there; return how many words.

    mode: the search; that by steps moves a piece any number of cells, the others move it by one.
    """
    packing, moves, to, moved, counts = one.packing, one.index.moves, work.to, work.moved, one.counts
    outer_size, packed_pieces = counts[OUTER_SIZE], counts[PACKED_PIECES]
    outer_pieces, index_pieces = counts[OUTER_PIECES], counts[INDEX_PIECES]
    many = mode == STEP
    s, w = np.int64(work.home[word, 0]), np.int64(work.home[word, 1])
    from_zero = s * outer_size
    found = 1
    within = np.uint64(0)
    for q in range(packed_pieces):
        mask, shift = packing.packed_mask[s, q], packing.packed_shift[q]
        # A bit stands for the digits of all packed lines; a piece that goes on changes its line's digit by a constant,
        # and so the bit by a constant shift. The mask has the bits at which it can.
        some = (boards & mask) << shift
        within |= some
        # By steps the same piece goes on from where it came to, as far as some board lets it.
        while many and some:
            some = (some & mask) << shift
            within |= some
        some = (boards >> shift) & mask
        within |= some
        while many and some:
            some = (some >> shift) & mask
            within |= some
    # Pieces of packed lines stay within the word, which is its own first neighbour.
    to[0], moved[0] = word, within
    digits = packing.digits[w]
    for q in range(outer_pieces):
        can, step, far = packing.outer_set[s, q], packing.outer[q, 2], packing.outer[q, 3]
        first = digits >> 4 * packing.outer[q, 0] & 15
        digit, there = first, from_zero + w
        # No board of the word is lost: what keeps an outer piece from going on is the index entry, which all of them
        # share.
        while can >> digit & 1:
            digit += step
            there += far
            to[found], moved[found] = work.word[there], boards
            found += 1
            if not many:
                break
        # Back: a piece can come back to where it can go on from, so the digit below is the one to look at.
        digit, there = first - step, from_zero + w
        while digit >= 0 and can >> digit & 1:
            digit -= step
            there -= far
            to[found], moved[found] = work.word[there], boards
            found += 1
            if not many:
                break
    covered, entry = packing.covered[w], packing.entry[s]
    for q in range(2 * index_pieces):  # each on, then back
        some, t = boards, entry
        while True:
            after = moves[t, q]
            if after < 0:
                break
            cell = after & 63
            some &= packing.free[cell]
            # Outer lines cover the cell in all boards of the word or in none; packed lines in some, which `free` has
            # taken out.
            if covered >> cell & 1 or not some:
                break
            t = after >> 6
            # A board that gets there is one, so the entry has a place, and the word a number.
            to[found], moved[found] = work.word[packing.slot[t] * outer_size + w], some
            found += 1
            if not many:
                break
    return found
