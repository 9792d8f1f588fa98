"""Ranking and unranking of codes: counting the words of an automaton.

A code names the block's anchor and then one item of 2 bits for every cell that is not yet covered when the cells are
scanned in order. What may still follow depends on two things only:

* the *open* cells: those the scan has yet to reach and that nothing covers. The next item belongs to the lowest one.
  461 sets of open cells occur over all 12 places of the block, because the block is among the covered cells from the
  start and leaves no trace once the scan has passed it;
* the *tally*: what has still to be placed. For the whole space that is how many empty cells are still wanted (2, 1 or
  0); inside a class it is how many lying dominoes, standing dominoes and singles remain, written in mixed radix.

So codes are the words of an acyclic automaton with (open, tally) as states. ``words[state]`` counts the
completions, by dynamic programming from the empty set of open cells upwards, and ``before[state, item]`` the
completions that start with a smaller item. Items are compared from the highest bits down, hence

    rank(code) = codes with a smaller block + sum over the items of before[state, item],

and unranking takes at each state the largest item whose ``before`` does not exceed what is left of the rank. A word
that stops being a word of this automaton at some item still gets the number of words below it, so ``rank`` also tells
how many codes of one class precede a code of another.

Cost: at most 16 dependent table look-ups a code; no hash table, no sort. The tables take 33 KB for the whole space
and at most 670 KB for a class. What bounds it is the latency of those look-ups, so unranking, which has to compare
before it knows the next state, takes many ranks through the automaton in step.
Source of the method: ranking of the words of a regular language (Knuth, TAOCP 4A, 7.2.1; Cover 1973).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel, shared
from boardspace_kernels.klotski.board import (
    ALL_CELLS,
    BLOCK,
    BLOCK_CELLS,
    BLOCK_SHIFT,
    CELLS,
    COLUMNS,
    EMPTIES_WANTED,
    EMPTY,
    FOOTPRINT,
    ITEM_BITS,
    LYING,
    MOST_ITEMS,
    SINGLE,
    STANDING,
)

ITEMS = 4
LANES = 64
_BLOCK_SHIFT = np.uint64(BLOCK_SHIFT)
_ITEM_BITS = np.uint64(ITEM_BITS)
_ITEM_MASK = np.uint64(3)


def _items_of(open_cells: int) -> dict[int, int]:
    """Return what each item that fits on the lowest open cell leaves open."""
    lowest = open_cells & -open_cells
    left = {EMPTY: open_cells ^ lowest, SINGLE: open_cells ^ lowest}
    if open_cells & (lowest << 1) and (lowest.bit_length() - 1) % COLUMNS < COLUMNS - 1:
        left[LYING] = open_cells ^ lowest * 3
    if open_cells & (lowest << COLUMNS):
        left[STANDING] = open_cells ^ lowest ^ (lowest << COLUMNS)
    return left


def _open_sets() -> list[int]:
    """All sets of open cells that occur, the fewest cells first."""
    found: set[int] = set()
    waiting = [ALL_CELLS ^ int(FOOTPRINT[BLOCK, block]) for block in BLOCK_CELLS]
    while waiting:
        open_cells = waiting.pop()
        if open_cells not in found:
            found.add(open_cells)
            waiting += _items_of(open_cells).values() if open_cells else []
    return sorted(found, key=lambda cells: (cells.bit_count(), cells))


_OPEN_SETS = _open_sets()
_OPEN_INDEX = {cells: index for index, cells in enumerate(_OPEN_SETS)}

OPEN_NEXT = np.full((len(_OPEN_SETS), ITEMS), -1, dtype=np.int16)
"""Index of the set that an item leaves open (open, item), -1 where the item does not fit.

Set 0 is the empty one; there the zeros that fill a code up to 16 items pass for items.
"""
OPEN_NEXT[0, EMPTY] = 0
for _cells in _OPEN_SETS[1:]:
    for _item, _left in _items_of(_cells).items():
        OPEN_NEXT[_OPEN_INDEX[_cells], _item] = _OPEN_INDEX[_left]

OPEN_START = np.full(CELLS, -1, dtype=np.int16)
"""Index of the set that is open after the block was placed (cell), -1 where the block does not fit."""
for _cell in BLOCK_CELLS:
    OPEN_START[_cell] = _OPEN_INDEX[ALL_CELLS ^ int(FOOTPRINT[BLOCK, _cell])]


class Scan(NamedTuple):
    """The tables of one automaton; state ``s`` and item ``i`` meet at index ``4 * s + i``.

    State 0 accepts (nothing is open, nothing is missing) and stays where it is on the zeros that fill a code up; the
    last state is the dead end where no item is possible that leads to a word.

    before: uint32 (4 * states), words from the state on that start with a smaller item.
    after: uint16 (4 * states), the state that the item leads to.
    start: uint16 (cells), the state after the block was placed.
    blocks: uint32 (cells + 1), words with a smaller block.
    items: how many items the longest word has.
    """

    before: npt.NDArray[np.uint32]
    after: npt.NDArray[np.uint16]
    start: npt.NDArray[np.uint16]
    blocks: npt.NDArray[np.uint32]
    items: int

    @property
    def size(self) -> int:
        """Number of words."""
        return int(self.blocks[CELLS])


def space_scan() -> Scan:
    """The automaton of all layouts: any item anywhere, and at least two empty cells."""
    wanted = np.arange(EMPTIES_WANTED + 1, dtype=np.int16)
    after_empty = np.maximum(wanted - 1, 0).astype(np.int16)
    return _scan(np.stack([after_empty, wanted, wanted, wanted], axis=1), EMPTIES_WANTED, MOST_ITEMS)


def class_scan(lying: int, standing: int, singles: int) -> Scan:
    """The automaton of the layouts with so many lying and standing dominoes and so many singles."""
    count = np.array([lying, standing, singles])
    weight = np.array([(standing + 1) * (singles + 1), singles + 1, 1])
    tally = np.arange(int(weight[0]) * (lying + 1))
    tally_next = np.empty((len(tally), ITEMS), dtype=np.int16)
    tally_next[:, EMPTY] = tally
    for item, radix, step in zip((LYING, STANDING, SINGLE), count + 1, weight, strict=True):
        tally_next[:, item] = np.where(tally // step % radix > 0, tally - step, -1)
    return _scan(tally_next, int(count @ weight), MOST_ITEMS - lying - standing)


def _scan(tally_next: npt.NDArray[np.int16], tally_start: int, items: int) -> Scan:
    return Scan(*_count_words(OPEN_NEXT, OPEN_START, tally_next, tally_start), items)


@kernel
def _count_words(
    open_next: npt.NDArray[np.int16],
    open_start: npt.NDArray[np.int16],
    tally_next: npt.NDArray[np.int16],
    tally_start: int,
) -> tuple[npt.NDArray[np.uint32], npt.NDArray[np.uint16], npt.NDArray[np.uint16], npt.NDArray[np.uint32]]:
    """The arrays of a :class:`Scan`. An item leaves fewer cells open, so what it leads to has been counted before.

    ``tally_next`` (tally, item) is the tally after an item, -1 where it asks for what is used up; tally 0 accepts.
    """
    tallies = len(tally_next)
    dead = len(open_next) * tallies
    before = np.zeros(ITEMS * (dead + 1), dtype=np.uint32)
    after = np.full(ITEMS * (dead + 1), dead, dtype=np.uint16)
    words = np.zeros(dead + 1, dtype=np.uint32)
    words[0] = 1
    before[1:ITEMS] = 0xFFFFFFFF  # so that unranking goes on with zeros
    after[0] = 0
    # States below `tallies` have no open cell; with something left to place (all but state 0) they have no words.
    for state in range(tallies, dead):
        open_index, tally = divmod(state, tallies)
        for item in range(ITEMS):
            # Written for an item without words, too: it has the `before` of the next one, or all words of the state, so
            # unranking never takes it. And the code of another class still gets the words below it.
            before[ITEMS * state + item] = words[state]
            open_left, tally_left = open_next[open_index, item], tally_next[tally, item]
            if open_left >= 0 and tally_left >= 0:
                target = open_left * tallies + tally_left
                words[state] += words[target]
                # In the dead end `before` is 0, so ranking adds nothing more there.
                after[ITEMS * state + item] = target if words[target] > 0 else dead
    # A place where the block does not fit starts in the dead end, so it has no words.
    start = np.full(CELLS, dead, dtype=np.uint16)
    blocks = np.zeros(CELLS + 1, dtype=np.uint32)
    for cell in range(CELLS):
        if open_start[cell] >= 0:
            start[cell] = open_start[cell] * tallies + tally_start
        blocks[cell + 1] = blocks[cell] + words[start[cell]]
    return before, after, start, blocks


@kernel
def rank_code(scan: Scan, code: np.uint64) -> np.uint32:
    """Number of words of ``scan`` that are smaller than the code of a layout; for a word of ``scan``, its rank."""
    block = code >> _BLOCK_SHIFT
    rank = scan.blocks[block]
    state = np.uint64(scan.start[block])
    # All items are read, those of the padding too: state 0 stays where it is on them and adds nothing.
    for shift in range(BLOCK_SHIFT - ITEM_BITS, -1, -ITEM_BITS):
        index = (state << _ITEM_BITS) | ((code >> np.uint64(shift)) & _ITEM_MASK)
        rank += scan.before[index]
        state = np.uint64(scan.after[index])
    return rank


@shared
def rank(scan: Scan, codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint32]:
    """Number of words smaller than each of ``codes`` uint64 (n), which are codes of legal layouts."""
    ranks = np.empty(len(codes), dtype=np.uint32)
    for i in range(len(codes)):
        ranks[i] = rank_code(scan, codes[i])
    return ranks


@kernel
def unrank(scan: Scan, ranks: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint64]:
    """The words of these ``ranks`` uint32 (n), each in 0 .. size - 1, as codes uint64 (n).

    ``LANES`` ranks go through the automaton in step: the look-ups of one wait while those of the others are under way.
    """
    codes = np.empty(len(ranks), dtype=np.uint64)
    rest = np.empty(LANES, dtype=np.uint32)
    state = np.empty(LANES, dtype=np.uint32)
    word = np.empty(LANES, dtype=np.uint32)
    padding = np.uint64(ITEM_BITS * (MOST_ITEMS - scan.items))
    for low in range(0, len(ranks), LANES):
        lanes = min(LANES, len(ranks) - low)
        for lane in range(lanes):
            # `blocks` ascends, so the block is the number of entries that the rank reaches: this takes no branch, which
            # the processor would guess wrong.
            block = np.uint64(0)
            for cell in range(1, CELLS):
                block += np.uint64(scan.blocks[cell] <= ranks[low + lane])
            codes[low + lane] = block << _BLOCK_SHIFT
            rest[lane] = ranks[low + lane] - scan.blocks[block]
            state[lane] = scan.start[block]
            word[lane] = 0
        for _ in range(scan.items):
            for lane in range(lanes):
                index = np.uint64(state[lane]) << _ITEM_BITS
                left = rest[lane]
                # So does `before` over the items of a state.
                item = np.uint64(left >= scan.before[index | np.uint64(1)])
                item += np.uint64(left >= scan.before[index | np.uint64(2)])
                item += np.uint64(left >= scan.before[index | np.uint64(3)])
                rest[lane] = left - scan.before[index | item]
                state[lane] = scan.after[index | item]
                # 16 items of 2 bits fill these 32 bits and no more.
                word[lane] = (word[lane] << np.uint32(2)) | np.uint32(item)
        for lane in range(lanes):
            codes[low + lane] |= np.uint64(word[lane]) << padding
    return codes
