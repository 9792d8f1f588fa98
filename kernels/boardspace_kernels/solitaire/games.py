"""Numbers of games: sequences of jumps from the start until no jump is left, counted exactly.

Every jump removes a peg, so positions with n pegs are led to by those with n + 1 alone, and the sequences of jumps that
lead to a position Q are

    ways(Q) = the sum of ways(P) over all jumps from a position P to Q,        ways(start) = 1.

A game ends in a *dead end*, a position without a jump; the number of games is the sum of ways over the dead ends. With
the same peg's jumps in a row taken as one move, and moves told apart by their whole way, there are as many sequences of
moves: each sequence of jumps falls into such moves in one way only.

A symmetry that keeps the start maps games to games, so images of a position are reached in equally many ways; one
position stands for its orbit, with the ways to all images together. That needs no other rule: a jump from P leads to
some image of Q, whichever image of P stands for its orbit. Which hole the last peg is in is known up to the symmetries
of the start.

Ways outgrow a word: 33 holes have 5.8e20 games from the centre. They are held as two words, ``high`` and ``low``.

A part of a level is expanded in three steps. The children of all jumps are written, each above the number of its parent
in one word; the words are brought together by the child alone, in buckets that a cache holds, and each distinct child
gets its place; then the ways of the parents are added up there. Inside a bucket the parents ascend as they were
written, so their ways are read in order. A child needs as many bits as the board has holes, so the bits left of 64
limit the parents that can be expanded at once: 2^31 of 33 holes, 2^19 of 45.

Cost: about as much to write a child as to bring it to its place and add it up. To sort all children first, of which
four and more are equal, took one and a half times as long; to look each child up among the distinct ones, by an index
over its highest bits, longer still.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.runs import Positions, grouped, total_ways
from boardspace_kernels.solitaire.moves import CHILDREN_AT_ONCE, least_after
from boardspace_kernels.solitaire.tables import MoveTables, write_images, write_possible

Words = NDArray[np.uint64]


class Ways(NamedTuple):
    """Positions with equally many pegs, or a part of them, and the sequences of jumps that lead to each.

    positions: uint64 (p), canonical, ascending, distinct.
    low: uint64 (p), the number of sequences to the orbit of each, modulo 2^64.
    high: uint64 (p), the rest of that number, over 2^64.
    """

    positions: Positions
    low: Words
    high: Words

    def total(self, chosen: NDArray[np.bool_] | None = None) -> int:
        """The sum of all numbers, or of those of the ``chosen`` positions, bool (p)."""
        low, high = (words if chosen is None else words[chosen] for words in (self.low, self.high))
        return total_ways(low) + (total_ways(high) << 64)


class Jumps(NamedTuple):
    """Results of all jumps from a part of a level.

    ways: part of the next level.
    choices: uint8 (p), the jumps that each position has; 0 for a dead end.
    """

    ways: Ways
    choices: NDArray[np.uint8]


def first_ways(start: int) -> Ways:
    """The level of the start alone, reached in one way."""
    return Ways(np.array([start], np.uint64), np.ones(1, np.uint64), np.zeros(1, np.uint64))


def jump(tables: MoveTables, part: Ways, *, capacity: int = CHILDREN_AT_ONCE) -> Jumps:
    """All jumps from the positions of a level, or of any part of it.

    capacity: children that are held before they are joined; memory is about 40 bytes times that, and the result.
    """
    holes = len(tables.first) - 1
    choices = np.empty(len(part.positions), np.uint8)
    children = np.empty(max(capacity, tables.test.size), np.uint64)
    found: list[Ways] = []
    begin = 0
    while begin < len(choices):
        # A parent's number has to fit below a child in one word.
        some = Ways(*(column[begin : begin + (1 << 64 - holes)] for column in part))
        done, written = write_children(tables, some.positions, children, choices[begin:])
        words, rows, positions = grouped(children[:written], 64 - holes)
        found.append(Ways(positions, *add_up(words, rows, len(positions), holes, some)))
        begin += done
    return Jumps(merge_ways(found), choices)


def merge_ways(parts: Sequence[Ways]) -> Ways:
    """One level from parts of it that may share positions: their ways are added."""
    parts = list(parts) or [Ways(np.empty(0, np.uint64), np.empty(0, np.uint64), np.empty(0, np.uint64))]
    while len(parts) > 1:
        pairs = [Ways(*_merge_two(*a, *b)) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[len(pairs) * 2 :]
    return parts[0]


@kernel
def write_children(
    tables: MoveTables, positions: Positions, children: Words, choices: NDArray[np.uint8]
) -> tuple[int, int]:
    """Write the canonical child of every jump of as many positions as the capacity allows.

    children: uint64 (capacity), at least as many as the board has jumps; filled from the front, parent by parent, each
    child above the number of its parent, in the highest bits of the word.
    choices: uint8 (p), filled with the number of jumps of each parent. Returns (parents done, children written).
    """
    images = np.empty(tables.flips.shape[1], np.uint64)
    possible = np.empty(tables.test.size, np.int64)
    shift = np.uint64(65 - tables.first.size)  # bits of a word less holes
    written = 0
    for parent in range(positions.size):
        # Room for every jump of the board is asked for, so that no parent is done in part.
        if written + tables.test.size > children.size:
            return parent, written
        position = positions[parent]
        write_images(tables.images, position, images)
        jumps = write_possible(tables, position, possible)
        for i in range(jumps):
            children[written] = least_after(tables.flips, possible[i], images) << shift | np.uint64(parent)
            written += 1
        choices[parent] = jumps
    return positions.size, written


@kernel
def add_up(children: Words, rows: NDArray[np.int32], size: int, holes: int, parents: Ways) -> tuple[Words, Words]:
    """Low and high words of the ways of ``size`` distinct children; ``rows`` int32 (n) are the places among these of
    the words of :func:`write_children`."""
    parent_bits = (np.uint64(1) << np.uint64(64 - holes)) - np.uint64(1)
    low, high = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    for i in range(children.size):
        row, parent = rows[i], children[i] & parent_bits
        low[row], carry = _added(low[row], parents.low[parent])
        high[row] = _high(high[row], parents.high[parent], carry)
    return low, high


@inlined
def _added(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The sum of two words modulo 2^64, and what is carried."""
    # The sum wrapped round 2^64 exactly if it is below a summand.
    total = a + b
    return total, np.uint64(total < a)


@inlined
def _high(a: np.uint64, b: np.uint64, carry: np.uint64) -> np.uint64:
    """The sum of two high words and a carry, or OverflowError where the number does not fit 128 bits."""
    total = a + b
    # Either sum wrapped round 2^64.
    if total < a or total + carry < total:
        raise OverflowError("more than 2**128 sequences of jumps lead to one position")
    return total + carry


@kernel
def _merge_two(
    a: Positions, a_low: Words, a_high: Words, b: Positions, b_low: Words, b_high: Words
) -> tuple[Positions, Words, Words]:
    """The positions of both; the ways to a position of both are added."""
    positions = np.empty(a.size + b.size, np.uint64)
    low, high = np.empty_like(positions), np.empty_like(positions)
    i = j = rows = 0
    while i < a.size or j < b.size:
        from_a = i < a.size and (j == b.size or a[i] <= b[j])
        from_b = j < b.size and (i == a.size or b[j] <= a[i])
        # A position of both takes one row, and both inputs go on.
        if from_a and from_b:
            positions[rows] = a[i]
            low[rows], carry = _added(a_low[i], b_low[j])
            high[rows] = _high(a_high[i], b_high[j], carry)
        elif from_a:
            positions[rows], low[rows], high[rows] = a[i], a_low[i], a_high[i]
        else:
            positions[rows], low[rows], high[rows] = b[j], b_low[j], b_high[j]
        i += from_a
        j += from_b
        rows += 1
    return positions[:rows].copy(), low[:rows].copy(), high[:rows].copy()
