"""Search where states are words of up to 64 bits, and nobody knows beforehand how many there are.

A level is a sorted run (:mod:`boardspace_kernels.runs`). The neighbours of its states are written one behind the other,
each is replaced by its least image where the puzzle has symmetries, and they are sorted; what is left of them without
the levels before is the next level. If every move can be taken back, two levels are enough to look back at.

Cost: one call of the rule for each state, and for each neighbour a call of the images' kernel, where there are
symmetries, and its share of sorting 64-bit words.
"""

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.graph.rule import GOAL_POINTER, POINTER, SPARE, Goal, Rule
from boardspace_kernels.jit import kernel

States = NDArray[np.uint64]


@kernel(f"int64({POINTER}, int64[::1], int64, uint64[::1], uint32[::1], uint64[::1])")
def neighbours(
    rule: Rule, size: NDArray[np.int64], most: int, states: States, origins: NDArray[np.uint32], found: States
) -> int:
    """Write all neighbours of some states, those of one state behind those of the other.

    rule, size, most: the rule, what it is given, and the most neighbours that a state has.
    origins: uint32 (states * most), the place of the state that each is a neighbour of.
    found: uint64 (states * most), the neighbours.

    Returns their number; or, where a state has too many, its place, negated and less one.
    """
    out, used = np.empty(most + SPARE, np.uint64), 0
    for place in range(len(states)):
        number = rule(size, states[place], out)
        if number < 0 or number > most:
            return -1 - place
        for move in range(number):
            origins[used], found[used] = np.uint32(place), out[move]
            used += 1
    return used


@kernel(f"int64({POINTER}, int64[::1], int64, uint64[::1], uint32[::1])")
def least_images(images: Rule, size: NDArray[np.int64], order: int, states: States, orbits: NDArray[np.uint32]) -> int:
    """Replace states by their least images.

    images: kernel of a rule's signature that writes the images of a state under all symmetries, itself included.
    order: number of symmetries.
    orbits: uint32 (states), written: how many different images each has.

    Returns -1; or the place of the first state whose images are not those of a group of that order.
    """
    out = np.empty(order + SPARE, np.uint64)
    for place in range(len(states)):
        state = states[place]
        if images(size, state, out) != order:
            return place
        least, fixed = state, 0
        for number in range(order):
            # Every image occurs as often as the state itself does, so the orbit has order / fixed members.
            fixed += out[number] == state
            least = min(least, out[number])
        if fixed == 0 or order % fixed != 0:
            return place
        states[place], orbits[place] = least, np.uint32(order // fixed)
    return -1


@kernel(f"void({GOAL_POINTER}, int64[::1], uint64[::1], boolean[::1])")
def goals_among(goal: Goal, size: NDArray[np.int64], states: States, found: NDArray[np.bool_]) -> None:
    """Write which states are goals; found: bool (states)."""
    for place in range(len(states)):
        found[place] = goal(size, states[place])
