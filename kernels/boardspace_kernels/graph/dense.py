"""Search by levels where states are numbers below a known count: every state has a bit.

Level 0 holds the starts, level k + 1 the neighbours of level k that no earlier level has. If every move can be taken
back, a neighbour of level k lies in level k - 1, k or k + 1, so it is enough to take away the last two levels.

The numbers are divided into *ranges* of at most 2^32 states, each searched by itself. Sets of states of one range
travel as ``uint32`` words in one of two forms, whichever is shorter: a bitmap (state i of the range is bit i mod 32 of
word i // 32), or the ascending list of their numbers in the range. Neither form names itself: a set of as many words as
the bitmap has is a bitmap, since a list is never so long. Nothing is sorted, and what is found twice is one bit.

Cost: one call of the rule for each state, and one write to a bitmap of all states (an eighth of a byte each) for each
neighbour.
"""

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.graph.rule import POINTER, SPARE, Rule
from boardspace_kernels.jit import kernel

Words = NDArray[np.uint32]
BITS = 32
FARTHEST = 65_534
"""Most moves that a distance can be."""
UNREACHED = 65_535
"""Distance of a state that no moves reach, or from which none lead to a goal."""


def bitmap_words(states: int) -> int:
    """Number of words of a bitmap of so many states."""
    return -(-states // BITS)


@kernel("void(uint32[::1], uint32[::1])")
def add(some: Words, bitmap: Words) -> None:
    """Add a set, in either form, to a bitmap of its range."""
    if len(some) == len(bitmap):
        for word in range(len(some)):
            bitmap[word] |= some[word]
    else:
        for state in some:
            bitmap[state >> np.uint32(5)] |= np.uint32(1) << (state & np.uint32(31))


@kernel("void(uint32[::1], uint32[::1])")
def remove(some: Words, bitmap: Words) -> None:
    """Take a set, in either form, away from a bitmap of its range."""
    if len(some) == len(bitmap):
        for word in range(len(some)):
            bitmap[word] &= ~some[word]
    else:
        for state in some:
            bitmap[state >> np.uint32(5)] &= ~(np.uint32(1) << (state & np.uint32(31)))


@kernel("int64(uint32[::1])")
def size_of(bitmap: Words) -> int:
    """Number of states of a bitmap."""
    total = np.int64(0)
    for word in bitmap:
        total += np.int64(popcount(np.uint64(word)))
    return total


@kernel("int64(uint32[::1], uint32[::1])")
def listed(bitmap: Words, states: Words) -> int:
    """Write the states of a bitmap, ascending, to ``states``; return their number."""
    found = np.int64(0)
    for place in range(len(bitmap)):
        word = np.uint64(bitmap[place])
        while word:
            # A range has at most 2^32 states, so their numbers in it fit.
            states[found] = np.uint32(place * 32) + np.uint32(lowest_bit(word))
            found += 1
            word &= word - np.uint64(1)
    return found


def packed(bitmap: Words) -> Words:
    """The set of a bitmap in the shorter of its two forms; it may be the bitmap itself."""
    states = size_of(bitmap)
    # A list as long as the bitmap would be taken for one, so it has to be shorter.
    if states >= len(bitmap):
        return bitmap
    found = np.empty(states, np.uint32)
    listed(bitmap, found)
    return found


@kernel(f"int64({POINTER}, int64[::1], uint64, int64, uint64, uint32[::1], uint32[::1])")
def expand(
    rule: Rule, size: NDArray[np.int64], count: np.uint64, most: int, first: np.uint64, level: Words, found: Words
) -> int:
    """Add all neighbours of the states of a bitmap to a bitmap of all states.

    rule, size: the rule, and what it is given.
    count: number of all states.
    most: most neighbours that a state may have.
    first: number of the first state of the range whose bitmap is ``level``.
    level: bitmap of a range of states.
    found: bitmap of all states; the neighbours' bits are set.

    Returns -1; or, where a neighbour is no state or there are more than ``most``, the state that has it.
    """
    out = np.empty(most + SPARE, np.uint64)
    for place in range(len(level)):
        word = np.uint64(level[place])
        while word:
            # All terms are uint64: mixed with int64 the sum would be a float and lose bits beyond 2^53.
            state = first + np.uint64(place * 32) + lowest_bit(word)
            word &= word - np.uint64(1)
            number = rule(size, state, out)
            if number < 0 or number > most:
                return np.int64(state)
            for move in range(number):
                # This is the only test of a neighbour: numba does not check the index below.
                if out[move] >= count:
                    return np.int64(state)
                found[out[move] >> np.uint64(5)] |= np.uint32(1) << np.uint32(out[move] & np.uint64(31))
    return -1


@kernel("void(uint32[::1], uint16, uint16[::1])")
def lay_out(some: Words, value: int, cells: NDArray[np.uint16]) -> None:
    """Write a value to the cells of a set, in either form; cells: uint16 (states of the range)."""
    if len(some) == (len(cells) + 31) // 32:
        for place in range(len(some)):
            word = np.uint64(some[place])
            while word:
                cells[place * 32 + np.int64(lowest_bit(word))] = value
                word &= word - np.uint64(1)
    else:
        for state in some:
            cells[state] = value


@kernel(f"int64({POINTER}, int64[::1], int64, uint64, uint64, uint16[::1], uint32[::1])")
def step_fault(
    rule: Rule,
    size: NDArray[np.int64],
    most: int,
    low: np.uint64,
    high: np.uint64,
    distances: NDArray[np.uint16],
    entered: Words,
) -> int:
    """First state of [low, high) from which a move leads to a state that is farther than one more move, or -1.

    distances: uint16 (all states), UNREACHED where no moves lead.
    entered: bitmap of all states; those that a move from one of these states reaches as one more move are added.
    """
    out = np.empty(most + SPARE, np.uint64)
    count = np.uint64(len(distances))
    for state in range(low, high):
        here = distances[state]
        if here == UNREACHED:
            continue
        number = rule(size, np.uint64(state), out)
        if number < 0 or number > most:
            return np.int64(state)
        for move in range(number):
            there = out[move]
            # UNREACHED has its own test: where `here` is FARTHEST it is no more than here + 1.
            if there >= count or distances[there] > here + 1 or distances[there] == UNREACHED:
                return np.int64(state)
            if distances[there] == here + 1:
                entered[there >> np.uint64(5)] |= np.uint32(1) << np.uint32(there & np.uint64(31))
    return -1


@kernel("int64(uint16[::1], uint32[::1])")
def first_not_entered(distances: NDArray[np.uint16], entered: Words) -> int:
    """First state with a distance above 0 that is not in a bitmap of all states, or -1."""
    for state in range(len(distances)):
        if distances[state] != 0 and distances[state] != UNREACHED:
            if entered[state >> 5] >> np.uint32(state & 31) & np.uint32(1) == 0:
                return state
    return -1
