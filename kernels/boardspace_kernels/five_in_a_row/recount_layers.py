"""Layers of states of a recount: cell after cell is decided in all states, and states that agree become one.

A state's set of lines has a bit for each line that is begun, not ended, and holds a stone (:mod:`.recount`). States are
found again in a hash table with open addressing and linear probing; it has four places a state, so that few are tried.
Numbers of stones and sets decide a state: what it owes follows from its set, and its nodes do, too.

After a free cell most states are not looked for. All lines that end there were hit, so states that agree after it
agreed before; and after a stone all lines through its cell that go on are hit, so that a state in which one is not can
only be new.
"""

from typing import NamedTuple

import numpy as np

from boardspace_kernels.five_in_a_row.recount_tables import NOWHERE, Cells, Ints, Strip, Words
from boardspace_kernels.jit import borrowing, inlined, kernel

PRIMES = ((1 << 61) - 1, (1 << 62) - 57)
"""The moduli of the two residues."""

FIRST_CAPACITY = 1 << 10
"""Of states, at first."""


class TooManyStatesError(ValueError):
    """A recount that met more states than it may."""


class Rows(NamedTuple):
    """One layer of n states.

    hit: uint64 (n, W), the set of lines with a stone.
    used: int64 (n), stones.
    owed: int64 (n, 2), the weight of the lines without a stone, by the certificate's weights and by those aimed.
    ways: uint64 (n, 2), the residues of the number of ways to the state.
    nodes: int64 (n, S), the node of each strip.
    """

    hit: Words
    used: Ints
    owed: Ints
    ways: Words
    nodes: Ints


class Limit(NamedTuple):
    """When a state is dropped: where the stones times ``scale``, and what lines and strips still ask for, exceed
    ``budget``. ``one`` is what a stone counts, 0 where stones are not counted."""

    one: int
    scale: int
    budget: int


class Search(NamedTuple):
    """Tables and limit of a recount, the same for all of its layers between two aims."""

    cells: Cells
    strip: Strip
    limit: Limit


class Workspace(NamedTuple):
    """Arrays that a search decides cells in.

    table: int64, hash table of the numbers of states, four places or more for each.
    rows: states.
    spare: as many.
    links: int64 (n, 2), by state the one that follows a free cell and the one that follows a stone.
    """

    table: Ints
    rows: Rows
    spare: Rows
    links: Ints


class Cell(NamedTuple):
    """Tables of one cell, as :class:`.Cells` has them of all: lines through it and those that end there, uint64 (W);
    bits of those that have a weight, and their weights, (n, 2); strips over it."""

    through: Words
    ending: Words
    slots: Ints
    weights: Ints
    strips: Ints


@borrowing
def _advance(rows: Rows, n: int, t: int, search: Search, table: Ints, after: Rows, links: Ints) -> int:
    """Decide cell ``t`` in the first ``n`` states: write the states after it to ``after``, and to ``links`` (n, 2) the
    one that follows a free cell and a stone; how many there are. ``table`` is a hash table of -1's, its length a power
    of two."""
    cells, strip, limit = search
    slots = slice(cells.first_slot[t], cells.first_slot[t + 1])
    over = cells.strips[cells.first_strip[t] : cells.first_strip[t + 1]]
    cell = Cell(cells.through[t], cells.ending[t], cells.slots[slots], cells.weights[slots], over)
    size = np.int64(0)
    for i in range(n):
        for stone in range(2):
            links[i, stone] = NOWHERE
            # The state is written where a new one would stand, and stays there if no other is equal to it.
            ends_free, goes_on_free = _write_set(rows.hit[i], cell, stone, after.hit[size])
            if ends_free and not stone:
                continue
            used = rows.used[i] + stone * limit.one
            owed, aimed = _owed(rows, i, cell) if stone else (rows.owed[i, 0], rows.owed[i, 1])
            # The cheaper bound first; the strips' one needs a look-up for each of them.
            if used * limit.scale + aimed > limit.budget:
                continue
            # Where a strip forbids a free cell, a line is missed: so every node that is read here exists.
            to_go = _step_strips(rows.nodes[i], cell, strip, stone, after.nodes[size])
            if used * limit.scale + owed + to_go > limit.budget:
                continue
            found = size
            if stone or not goes_on_free:
                place = _place(table, after, size, used)
                if table[place] == NOWHERE:
                    table[place] = size
                found = table[place]
            if found == size:
                after.used[size], after.owed[size, 0], after.owed[size, 1] = used, owed, aimed
                # A new state starts at 0; the parent's ways are added below, as they are to one that was there.
                after.ways[size, 0], after.ways[size, 1] = 0, 0
                size += 1
            links[i, stone] = found
            for r in range(2):  # both are below the prime, so that one subtraction does for a division
                ways, prime = after.ways[found, r] + rows.ways[i, r], np.uint64(PRIMES[1] if r else PRIMES[0])
                after.ways[found, r] = ways - prime if ways >= prime else ways
    return size


@inlined
def _write_set(hit: Words, cell: Cell, stone: int, after: Words) -> tuple[bool, bool]:
    """Write a state's set of lines after a cell; whether a line through it had no stone before and ends there, and
    whether one had none and goes on."""
    ending = going_on = np.uint64(0)
    for w in range(len(hit)):
        ending |= cell.ending[w] & ~hit[w]
        going_on |= cell.through[w] & ~cell.ending[w] & ~hit[w]
        # Lines that end here leave the set: what is decided about them is decided.
        after[w] = (hit[w] | cell.through[w] if stone else hit[w]) & ~cell.ending[w]
    return ending != np.uint64(0), going_on != np.uint64(0)


@inlined
def _is_hit(hit: Words, i: int, slot: int) -> bool:
    """True where the set ``i`` has this bit."""
    return hit[i, slot >> 6] >> np.uint64(slot & 63) & np.uint64(1) != 0


@inlined
def _owed(rows: Rows, i: int, cell: Cell) -> tuple[int, int]:
    """Weights that a state owes after a stone on a cell: no more those of the lines that the stone hits first."""
    owed, aimed = rows.owed[i, 0], rows.owed[i, 1]
    for j in range(len(cell.slots)):
        if not _is_hit(rows.hit, i, cell.slots[j]):  # of a line that begins here the bit is clear
            owed -= cell.weights[j, 0]
            aimed -= cell.weights[j, 1]
    return owed, aimed


@inlined
def _step_strips(nodes: Ints, cell: Cell, strip: Strip, stone: int, after: Ints) -> int:
    """Write the nodes of a state's strips after a cell; return what all strips still ask for."""
    to_go = np.int64(0)
    for b in range(len(nodes)):
        after[b] = nodes[b]
    for b in cell.strips:
        after[b] = strip.stone[nodes[b]] if stone else strip.free[nodes[b]]
    for b in range(len(nodes)):
        to_go += strip.to_go[b, after[b]]
    return to_go


@inlined
def _place(table: Ints, after: Rows, size: int, used: int) -> np.uint64:
    """Where the state that was written last, with so many stones, stands in the hash table, or may."""
    # A hash of its own, not that of the search: odd factors spread the bits, the shift brings high ones down.
    words, mask = after.hit.shape[1], np.uint64(len(table) - 1)
    place = np.uint64(used) * np.uint64(0x9E3779B97F4A7C15)
    for w in range(words):
        place = (place ^ after.hit[size, w]) * np.uint64(0xD6E8FEB86659FD93)
        place ^= place >> np.uint64(32)
    place &= mask
    while table[place] != NOWHERE:
        same = after.used[table[place]] == used
        for w in range(words):
            same = same and after.hit[table[place], w] == after.hit[size, w]
        if same:
            break
        place = (place + np.uint64(1)) & mask
    return place


@kernel
def _decide_cells(
    begin: int, end: int, size: int, most: int, search: Search, workspace: Workspace
) -> tuple[int, int, int]:
    """Decide cells ``begin`` to ``end`` - 1 in the first ``size`` states of a workspace. Stops before a cell whose
    states may be too many for it, and after the one that makes the states met more than ``most``.

    Returns the next cell, how many states there are, and how many were met; after an odd number of cells the states are
    in its ``spare``.
    """
    rows, spare = workspace.rows, workspace.spare
    met = 0
    for t in range(begin, end):
        # A state has two children at most, so as many as there is room for can be decided.
        if 2 * size > len(rows.used) or met > most:
            return t, size, met
        slots = 4
        while slots < 4 * size:
            slots *= 2
        table = workspace.table[:slots]
        for i in range(slots):
            table[i] = NOWHERE
        size = _advance(rows, size, t, search, table, spare, workspace.links)
        met += size
        # The layer just written is the next one's parents; the arrays change places.
        rows, spare = spare, rows
    return end, size, met


def _empty_rows(capacity: int, words: int, strips: int) -> Rows:
    return Rows(
        np.empty((capacity, words), np.uint64),
        np.empty(capacity, np.int64),
        np.empty((capacity, 2), np.int64),
        np.empty((capacity, 2), np.uint64),
        np.empty((capacity, strips), np.int64),
    )


class States:
    """The states of a layer in arrays that grow with it, and as large ones for the next layer."""

    def __init__(self, rows: Rows) -> None:
        self.size, self.met = len(rows.used), 0
        self._grow(rows)

    @property
    def rows(self) -> Rows:
        """The states."""
        return Rows(*(column[: self.size] for column in self._workspace.rows))

    def keep(self, rows: Rows) -> None:
        """Go on with these states, no more than there were."""
        for column, kept in zip(self._workspace.rows, rows, strict=True):
            column[: len(kept)] = kept
        self.size = len(rows.used)

    def decide(self, begin: int, end: int, search: Search, most_states: int) -> Ints:
        """Decide the cells ``begin`` to ``end`` - 1. Returns, where it is one cell, the links int64 (n, 2) of the
        states before it; of several cells the links are not kept.

        Raises:
            TooManyStatesError: all layers together have more than ``most_states`` states.
        """
        before = self.size
        while begin < end:
            if 2 * self.size > len(self._workspace.rows.used):
                self._grow(self.rows)
            workspace = self._workspace
            after, self.size, met = _decide_cells(begin, end, self.size, most_states - self.met, search, workspace)
            if (after - begin) % 2:
                self._workspace = workspace._replace(rows=workspace.spare, spare=workspace.rows)
            begin, self.met = after, self.met + met
            if self.met > most_states:
                raise TooManyStatesError(f"more than {most_states} states")
        return self._workspace.links[:before]

    def _grow(self, rows: Rows) -> None:
        capacity = max(FIRST_CAPACITY, 4 * len(rows.used))
        two = (_empty_rows(capacity, rows.hit.shape[1], rows.nodes.shape[1]) for _ in range(2))
        self._workspace = Workspace(np.empty(4 * capacity, np.int64), *two, np.empty((capacity, 2), np.int64))
        self.keep(rows)


@kernel
def unhit_weight(hit: Words, slots: Ints, weights: Ints) -> Ints:
    """(n,): the weight of the lines with these bits (slots,) that no stone hits, for sets of lines (n, W)."""
    owed = np.zeros(len(hit), np.int64)
    for i in range(len(hit)):
        for j in range(len(slots)):
            if not _is_hit(hit, i, slots[j]):
                owed[i] += weights[j]
    return owed


def first_layer(words: int, strips: int, owed: int) -> Rows:
    """The layer before the first cell: one state, in one way, without a stone."""
    return Rows(
        np.zeros((1, words), np.uint64),
        np.zeros(1, np.int64),
        np.array([[owed, 0]], np.int64),
        np.ones((1, 2), np.uint64),
        np.zeros((1, strips), np.int64),
    )
