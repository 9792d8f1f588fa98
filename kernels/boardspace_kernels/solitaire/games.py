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

A part of a level is expanded in three steps. All children are written in the order of their parents; a sorted copy
gives the distinct ones; then each child is looked up among these, by an index over its highest bits, and its parent's
ways are added there. So no pair of a position and a number is ever sorted.

Cost: about 11 ns to write a child, 15 ns to sort it, 30 ns to look it up.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.runs import Positions, compact, total_ways
from boardspace_kernels.solitaire.moves import CHILDREN_AT_ONCE, least_after
from boardspace_kernels.solitaire.tables import MoveTables, write_images

Words = NDArray[np.uint64]
DIGIT_BITS = 11


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


class Index(NamedTuple):
    """Index of ascending positions by their highest bits.

    begins: int64, for each value of the bits above ``shift`` where the positions with these bits begin, and an end.
    shift: number of the lower bits.
    """

    begins: NDArray[np.int64]
    shift: int


def first_ways(start: int) -> Ways:
    """The level of the start alone, reached in one way."""
    return Ways(np.array([start], np.uint64), np.ones(1, np.uint64), np.zeros(1, np.uint64))


def jump(tables: MoveTables, part: Ways, *, capacity: int = CHILDREN_AT_ONCE) -> Jumps:
    """All jumps from the positions of a level, or of any part of it.

    capacity: children that are held before they are joined; memory is about 40 bytes times that, and the result.
    """
    choices = np.empty(len(part.positions), np.uint8)
    children = np.empty(max(capacity, tables.test.size), np.uint64)
    found: list[Ways] = []
    begin = 0
    while begin < len(choices):
        done, written = write_children(tables, part.positions[begin:], children, choices[begin:])
        here = slice(begin, begin + done)
        found.append(_joined(children[:written], choices[here], part.low[here], part.high[here]))
        begin += done
    return Jumps(merge_ways(found), choices)


def merge_ways(parts: Sequence[Ways]) -> Ways:
    """One level from parts of it that may share positions: their ways are added."""
    parts = list(parts) or [Ways(np.empty(0, np.uint64), np.empty(0, np.uint64), np.empty(0, np.uint64))]
    while len(parts) > 1:
        pairs = [Ways(*_merge_two(*a, *b)) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[len(pairs) * 2 :]
    return parts[0]


def _joined(children: Words, choices: NDArray[np.uint8], low: Words, high: Words) -> Ways:
    """The distinct children, with the ways of their parents added up."""
    positions = sort_by_digits(children)
    positions = positions[: compact(positions)].copy()
    if not len(positions):
        return Ways(positions, positions.copy(), positions.copy())
    # About as many prefixes as positions: the search below has few of them to bisect.
    shift = max(int(positions[-1]).bit_length() - len(positions).bit_length(), 0)
    prefixes = np.arange((int(positions[-1]) >> shift) + 2, dtype=np.uint64) << np.uint64(shift)
    index = Index(np.searchsorted(positions, prefixes), shift)
    ways = Ways(positions, np.zeros(len(positions), np.uint64), np.zeros(len(positions), np.uint64))
    add_ways(ways, index, children, choices, low, high)
    return ways


@kernel
def write_children(
    tables: MoveTables, positions: Positions, children: Words, choices: NDArray[np.uint8]
) -> tuple[int, int]:
    """Write the canonical child of every jump of as many positions as the capacity allows.

    children: uint64 (capacity), at least as many as the board has jumps; filled from the front, parent by parent.
    choices: uint8 (p), filled with the number of jumps of each parent. Returns (parents done, children written).
    """
    images = np.empty(tables.flips.shape[1], np.uint64)
    possible = np.empty(tables.test.size + 1, np.int64)
    written = 0
    for parent in range(positions.size):
        if written + tables.test.size > children.size:
            return parent, written
        position = positions[parent]
        write_images(tables.images, position, images)
        jumps = 0
        for i in range(tables.test.size):  # without a branch: what is not possible is overwritten
            possible[jumps] = i
            jumps += (position & tables.test[i]) == tables.need[i]
        for i in range(jumps):
            children[written] = least_after(tables.flips, possible[i], images)
            written += 1
        choices[parent] = jumps
    return positions.size, written


@kernel
def sort_by_digits(values: Words) -> Words:
    """uint64 (n): the values, uint64 (n), in ascending order; a radix sort, from the lowest digit of 11 bits up.

    A comparison sort takes four times as long on millions of words of 33 bits.
    """
    every = np.uint64(0)
    for value in values:
        every |= value
    source, target = values.copy(), np.empty_like(values)
    shift = np.uint64(0)
    digit = np.uint64((1 << DIGIT_BITS) - 1)
    while shift < np.uint64(64) and every >> shift > np.uint64(0):
        begins = np.zeros((1 << DIGIT_BITS) + 1, np.int64)
        for value in source:
            # Counted one place further, so that the running sum gives where each digit begins.
            begins[((value >> shift) & digit) + np.uint64(1)] += 1
        for i in range(1 << DIGIT_BITS):
            begins[i + 1] += begins[i]
        for value in source:  # in order, so that the order by lower digits stays
            place = (value >> shift) & digit
            target[begins[place]] = value
            begins[place] += 1
        source, target = target, source
        shift += np.uint64(DIGIT_BITS)
    return source


@kernel
def add_ways(
    ways: Ways,
    index: Index,
    children: Words,
    choices: NDArray[np.uint8],
    low: Words,
    high: Words,
) -> None:
    """Add the ways of each parent, ``low`` and ``high`` uint64 (p), to those of its children.

    ways: the distinct children, whose numbers are added to. children, choices: as :func:`write_children` left them.
    """
    child = 0
    for parent in range(choices.size):
        for _ in range(choices[parent]):
            prefix = np.int64(children[child] >> np.uint64(index.shift))
            place = _place(ways.positions, children[child], index.begins[prefix], index.begins[prefix + 1])
            total, carry = _added(ways.low[place], low[parent])
            ways.low[place] = total
            ways.high[place] = _high(ways.high[place], high[parent], carry)
            child += 1


@inlined
def _place(ascending: Words, value: np.uint64, begin: int, end: int) -> int:
    """Place of a value that is between ``begin`` and ``end``."""
    while end - begin > 1:
        middle = (begin + end) >> 1
        if ascending[middle] <= value:
            begin = middle
        else:
            end = middle
    return begin


@inlined
def _added(a: np.uint64, b: np.uint64) -> tuple[np.uint64, np.uint64]:
    """The sum of two words modulo 2^64, and what is carried."""
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
