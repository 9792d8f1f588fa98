"""Pieces that slide on a tray, searched breadth first from one position, or from several at once.

Sets of cells are words, bit ``columns * row + column`` for a cell. A *kind* is a shape whose pieces are not told apart;
a piece to be brought somewhere is a kind of its own, the first. The *anchor* of a piece is the upper left cell of its
bounding box, so that a kind whose piece in the upper left corner covers the cells ``home`` covers ``home << anchor``.

A position is a row of words, in which each kind has a field: the set of its anchors, or, where it has one piece, the
anchor's number. Klotski needs 59 bits, one word. Rows are compared whole, so that no two positions are ever confused.

What a piece reaches in one step is a flood: the anchors at which it would cover nothing but its own and empty cells are
the intersection of the set of these cells, shifted by each cell of the shape; inside it the piece's own anchor grows in
four directions. Every position of the level before is a possible predecessor; the least of them is kept, and of the
goals that are nearest the least is taken, so that the answer depends on no order of search.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit, mix
from boardspace_kernels.jit import borrowing, inlined, kernel

ONE = np.uint64(1)
NONE = np.int32(-1)
MOST_NEIGHBOURS = 1 << 12
"""More than any position has: 64 pieces have 63 other places at most."""
Words = npt.NDArray[np.uint64]


class Kinds(NamedTuple):
    """Kinds of pieces on a tray.

    columns: uint64, of the tray.
    floor: uint64, the cells that pieces may cover.
    home: uint64 (kinds), the cells of a piece in the upper left corner.
    cells: uint64 (kinds, most cells of a piece), their numbers, the last one repeated.
    stays: uint64 (4, kinds), the anchors from which a piece moves up, left, right and down by a cell on the tray.
    fronts: uint64 (4, kinds, most cells), those that a piece enters by such a move, as ``cells`` after the move.
    word: int64 (kinds), the word of a position in which its field is.
    shift: uint64 (kinds), the field's first bit.
    field: uint64 (kinds), the field's bits, not shifted.
    single: bool (kinds), true where the field is the number of an anchor.
    """

    columns: np.uint64
    floor: np.uint64
    home: Words
    cells: Words
    stays: Words
    fronts: Words
    word: npt.NDArray[np.int64]
    shift: Words
    field: Words
    single: npt.NDArray[np.bool_]


class Met(NamedTuple):
    """Positions that a search has met, and room for more.

    states: uint64 (capacity, words).
    before: int32 (capacity), the least neighbour in the level before, -1 of a start.
    table: int32 (a power of two), a hash table of their numbers, at most half full.
    """

    states: Words
    before: npt.NDArray[np.int32]
    table: npt.NDArray[np.int32]


class Found(NamedTuple):
    """Positions met by a search, level by level, each level in no order.

    states: uint64 (positions, words).
    before: int32 (positions), the least neighbour in the level before, -1 of a start.
    ends: int64 (levels), how many positions have been met up to the end of each.
    goal: the least position of the last level with the goal reached; -1 where there is none.
    """

    states: Words
    before: npt.NDArray[np.int32]
    ends: npt.NDArray[np.int64]
    goal: int


@kernel
def search(kinds: Kinds, starts: Words, goals: np.uint64, unit: bool, most: int) -> Found:
    """Search from positions, up to the level in which the first kind has an anchor of ``goals``, or through its group.

    starts: uint64 (positions, words), each once. A step moves a piece any way, or by one cell where ``unit`` is true.
    No level follows once there are more than ``most`` positions.
    """
    begin, count, goal = 0, len(starts), -1
    capacity = 2 * max(MOST_NEIGHBOURS, count)
    states, before = np.empty((capacity, starts.shape[1]), np.uint64), np.empty(capacity, np.int32)
    states[:count], before[:count] = starts, NONE
    table = _filled(states[:count], _table_size(capacity))
    ends, levels = np.empty(1 << 8, np.int64), 0
    for source in range(count):
        if _anchors(kinds, states[source], 0) & goals and (goal < 0 or _less(states, source, goal)):
            goal = source
    while begin < count:
        if levels == len(ends):
            ends = np.append(ends, ends)
        ends[levels], levels = count, levels + 1
        if goal >= 0 or count > most:
            break
        end = count
        while begin < end:
            if count + MOST_NEIGHBOURS > len(before):
                states, before = np.concatenate((states, states)), np.append(before, before)
                table = _filled(states[:count], _table_size(len(before)))
            # It comes back before the end of the level where it needs larger arrays, and goes on from there.
            begin, count, goal = _expand(kinds, Met(states, before, table), (begin, end), count, goals, goal, unit)
    return Found(states[:count], before[:count], ends[:levels], goal)


@kernel
def _expand(
    kinds: Kinds, met: Met, sources: tuple[int, int], count: int, goals: np.uint64, goal: int, unit: bool
) -> tuple[int, int, int]:
    """Add the neighbours of ``sources``, a range of positions of a level, to the ``count`` positions met, while there
    is room; the first source that is left, how many are met now, and the least goal of the next level.

    It is a kernel of its own since arrays that a loop replaces by larger ones are counted references to numba, in each
    pass of the loop: that took longer than the search.
    """
    states, before, table = met
    beside = np.empty((MOST_NEIGHBOURS, states.shape[1]), np.uint64)
    begin, end = sources
    for source in range(begin, end):
        if count + MOST_NEIGHBOURS > len(before):
            return source, count, goal
        for number in range(_neighbours(kinds, states, source, unit, beside)):
            slot = _place(states, table, beside, number)
            known = table[slot]
            if known != NONE:
                # Numbers from `end` on are of the level being made, so one more source leads there.
                if known >= end and _less(states, source, before[known]):
                    before[known] = source
                continue
            table[slot], before[count] = count, source
            for word in range(states.shape[1]):
                states[count, word] = beside[number, word]
            if _anchors(kinds, states[count], 0) & goals and (goal < 0 or _less(states, count, goal)):
                goal = count
            count += 1
    return end, count, goal


@borrowing
def _neighbours(kinds: Kinds, states: Words, source: int, unit: bool, found: Words) -> int:
    """Write the neighbours of a position to ``found``, (MOST_NEIGHBOURS, words); how many there are."""
    state = states[source]
    free, number = _empty(kinds, state), 0
    for kind in range(len(kinds.home)):
        left, word = _anchors(kinds, state, kind), kinds.word[kind]
        left &= _movable(kinds, kind, free)
        while left:
            place = left & (~left + ONE)
            left ^= place
            reached = _reached(kinds, kind, place, free, unit)
            # Taken away and added, not flipped, as a field may be the number of an anchor and not a set.
            without = state[word] - (_field(kinds, kind, place) << kinds.shift[kind])
            while reached:
                target = reached & (~reached + ONE)
                reached ^= target
                for other in range(len(state)):
                    found[number, other] = state[other]
                found[number, word] = without + (_field(kinds, kind, target) << kinds.shift[kind])
                number += 1
    return number


@kernel
def link(kinds: Kinds, states: Words, unit: bool) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.uint32]]:
    """The moves between positions that no move leaves, in compressed sparse rows.

    Returns rows, int64 (positions + 1), where each position's moves begin; and ends, uint32 (moves), to which positions
    they lead.
    """
    table = _filled(states, _table_size(len(states)))
    rows, ends, source = np.zeros(len(states) + 1, np.int64), np.empty(8 * len(states) + MOST_NEIGHBOURS, np.uint32), 0
    while source < len(states):
        if rows[source] + MOST_NEIGHBOURS > len(ends):
            ends = np.append(ends, ends)
        source = _link(kinds, states, table, source, rows, ends, unit)
    return rows, ends[: rows[-1]].copy()


@kernel
def _link(
    kinds: Kinds,
    states: Words,
    table: npt.NDArray[np.int32],
    begin: int,
    rows: npt.NDArray[np.int64],
    ends: npt.NDArray[np.uint32],
    unit: bool,
) -> int:
    """Write the rows of positions from ``begin`` on while there is room; the first that is left. For what reason it is
    a kernel of its own :func:`_expand` says."""
    beside, used = np.empty((MOST_NEIGHBOURS, states.shape[1]), np.uint64), rows[begin]
    for source in range(begin, len(states)):
        if used + MOST_NEIGHBOURS > len(ends):
            return source
        for number in range(_neighbours(kinds, states, source, unit, beside)):
            ends[used] = table[_place(states, table, beside, number)]
            used += 1
        rows[source + 1] = used
    return len(states)


@inlined
def _anchors(kinds: Kinds, state: Words, kind: int) -> np.uint64:
    """The anchors of a kind's pieces."""
    value = state[kinds.word[kind]] >> kinds.shift[kind] & kinds.field[kind]
    # Both forms come out as a set, so that the loops over pieces need not tell them apart.
    return ONE << value if kinds.single[kind] else value


@inlined
def _empty(kinds: Kinds, state: Words) -> np.uint64:
    """The empty cells of a position."""
    free = kinds.floor
    for kind in range(len(kinds.home)):
        left = _anchors(kinds, state, kind)
        while left:
            # All pieces of a kind have the same shape, so one home shifted to the anchor is what each covers.
            free &= ~(kinds.home[kind] << lowest_bit(left))
            left &= left - ONE
    return free


@inlined
def _field(kinds: Kinds, kind: int, anchor: np.uint64) -> np.uint64:
    """An anchor, given as a set, as the kind's field holds it."""
    return lowest_bit(anchor) if kinds.single[kind] else anchor


@inlined
def _movable(kinds: Kinds, kind: int, free: np.uint64) -> np.uint64:
    """The anchors from which a piece can move by a cell: those beside an anchor all of whose front is empty."""
    found = np.uint64(0)
    for direction in range(4):
        entered = ~np.uint64(0)
        for i in range(kinds.fronts.shape[2]):
            # Bit a is left where a piece that has come to anchor a entered only empty cells.
            entered &= free >> kinds.fronts[direction, kind, i]
        if direction < 2:
            # Back from the anchor after the move to the one before it.
            entered <<= kinds.columns if direction == 0 else ONE
        else:
            entered >>= kinds.columns if direction == 3 else ONE
        found |= entered & kinds.stays[direction, kind]
    return found


@inlined
def _reached(kinds: Kinds, kind: int, place: np.uint64, free: np.uint64, unit: bool) -> np.uint64:
    """The anchors that a piece at ``place`` reaches in a step, its own not among them."""
    # A piece may come to stand on cells that it covers now.
    own = free | kinds.home[kind] << lowest_bit(place)
    fits = own >> kinds.cells[kind, 0]
    for i in range(1, kinds.cells.shape[1]):
        # Bit a is left where all cells of a piece at anchor a are its own or empty. Anchors at which it would reach
        # round the edge are among them, but `stays` lets no move go there.
        fits &= own >> kinds.cells[kind, i]
    reached = place
    while True:
        grown = reached | (reached & kinds.stays[0, kind]) >> kinds.columns | (reached & kinds.stays[1, kind]) >> ONE
        grown |= (reached & kinds.stays[2, kind]) << ONE | (reached & kinds.stays[3, kind]) << kinds.columns
        grown &= fits
        if unit or grown == reached:
            return grown & ~place
        reached = grown


@inlined
def _less(states: Words, one: int, other: int) -> bool:
    """Return whether a position is less than another: the first word in which they differ decides."""
    for word in range(states.shape[1]):
        if states[one, word] != states[other, word]:
            return states[one, word] < states[other, word]
    return False


@inlined
def _place(states: Words, table: npt.NDArray[np.int32], rows: Words, row: int) -> int:
    """The place of a position, one of ``rows``, in the hash table: its own, or the empty one where it belongs."""
    hashed = np.uint64(0)
    for word in range(states.shape[1]):
        # Mixed after each word, so that words that change places give another hash.
        hashed = mix(hashed ^ rows[row, word])
    slot = np.int64(hashed & np.uint64(len(table) - 1))
    while table[slot] != NONE:
        same = True
        for word in range(states.shape[1]):
            same &= states[table[slot], word] == rows[row, word]
        if same:
            break
        # The table is at most half full, so an empty slot comes soon.
        slot = slot + 1 & len(table) - 1
    return slot


@inlined
def _table_size(positions: int) -> int:
    """The places of a hash table that is at most half full with so many positions, a power of two."""
    size = 1 << 4
    while size < 2 * positions:
        size *= 2
    return size


@kernel
def _filled(states: Words, size: int) -> npt.NDArray[np.int32]:
    """A hash table of so many places, a power of two, with the numbers of all positions."""
    table = np.full(size, NONE, np.int32)
    for number in range(len(states)):
        table[_place(states, table, states, number)] = number
    return table
