"""Classes of states that moves never leave: groups, and distances to goals, of one class or some at a time.

A class becomes a graph in compressed sparse rows: its states are listed ascending, and the neighbours of state i are
``ends[rows[i]:rows[i + 1]]``, as places in the list, where a hash finds them. On it a group is what a search from its
least state reaches, and distances come from one search from all goals at once. Every move can be taken back.

Cost: one call of the rule for each state, one look-up for each move (12 ns, where bisection took 46), and two searches
that touch each move once.
"""

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import mix
from boardspace_kernels.graph.dense import FARTHEST, UNREACHED
from boardspace_kernels.graph.rule import GOAL_POINTER, POINTER, SPARE, Goal, Rule
from boardspace_kernels.jit import inlined, kernel

MANY = 2**64 - 1
"""Number of ways that stands for itself and all above."""


@kernel(f"int64({POINTER}, int64[::1], uint64[::1], int64[::1], int64[::1], uint32[::1])")
def link(
    rule: Rule,
    size: NDArray[np.int64],
    states: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    rows: NDArray[np.int64],
    ends: NDArray[np.uint32],
) -> int:
    """Write the graph of some classes. Small ones come together, as a call that takes a rule costs 38 microseconds.

    rule, size: the rule, and what it is given.
    states: the states of the classes, one class after the other.
    bounds: int64 (classes + 1), where each class begins, and the end.
    rows: int64 (states + 1), where each state's neighbours begin.
    ends: uint32 (states * most), the neighbours' places; most neighbours are what a state may have.

    Returns -1; or the place of a state with too many neighbours, or with one that is not in its class.
    """
    most = len(ends) // max(1, len(states))
    out = np.empty(most + SPARE, np.uint64)
    used = np.int64(0)
    rows[0] = 0
    for one in range(len(bounds) - 1):
        first, last = bounds[one], bounds[one + 1]
        size_of_index = 4
        while size_of_index < 2 * (last - first):
            size_of_index *= 2
        # Places + 1 by a hash of the state; at most half of the slots are taken. Each class has its own index: it is
        # small, so it stays in the cache, and no state of another class is taken for a neighbour.
        index = np.zeros(size_of_index, np.uint32)
        for place in range(first, last):
            index[_slot(index, states, states[place])] = np.uint32(place + 1)
        for place in range(first, last):
            number = rule(size, states[place], out)
            # `out` has SPARE places more than `most`: what a faulty rule writes too much has done no harm so far.
            if number < 0 or number > most:
                return place
            for move in range(number):
                found = index[_slot(index, states, out[move])]
                if found == 0:
                    return place
                ends[used] = found - np.uint32(1)
                used += 1
            rows[place + 1] = used
    return -1


@inlined
def _slot(index: NDArray[np.uint32], states: NDArray[np.uint64], state: np.uint64) -> np.uint64:
    """The slot of a state in the index, or a free one: nothing is ever taken out, so the state is then not there."""
    mask = np.uint64(len(index) - 1)
    slot = mix(state) & mask
    while index[slot] != 0 and states[index[slot] - 1] != state:
        slot = (slot + np.uint64(1)) & mask
    return slot


@kernel("int64(int64[::1], uint32[::1], uint32[::1])")
def groups(rows: NDArray[np.int64], ends: NDArray[np.uint32], group: NDArray[np.uint32]) -> int:
    """Number the groups of a graph in the order of their least states.

    Writes each state's to ``group``, uint32 (states), and returns how many there are.
    """
    states = len(rows) - 1
    queue = np.empty(states, np.uint32)
    unseen = np.uint32(0xFFFFFFFF)
    for place in range(states):
        group[place] = unseen
    found = np.int64(0)
    # States ascend, so the first one of a group that is met is its least.
    for least in range(states):
        if group[least] != unseen:
            continue
        group[least], queue[0], begin, end = np.uint32(found), np.uint32(least), 0, 1
        while begin < end:
            here = queue[begin]
            begin += 1
            for edge in range(rows[here], rows[here + 1]):
                if group[ends[edge]] == unseen:
                    group[ends[edge]] = np.uint32(found)
                    queue[end] = ends[edge]
                    end += 1
        found += 1
    return found


@kernel(f"int64({GOAL_POINTER}, int64[::1], uint64[::1], int64[::1], uint32[::1], uint16[::1])")
def distances(
    goal: Goal,
    size: NDArray[np.int64],
    states: NDArray[np.uint64],
    rows: NDArray[np.int64],
    ends: NDArray[np.uint32],
    found: NDArray[np.uint16],
) -> int:
    """Write each state's fewest moves to a goal to ``found``, uint16 (states), UNREACHED where no moves lead.

    Returns -1; or the place of a state that is farther than FARTHEST.
    """
    queue = np.empty(len(states), np.uint32)
    begin, end = 0, 0
    for place in range(len(states)):
        found[place] = UNREACHED
        if goal(size, states[place]):
            found[place] = 0
            queue[end] = np.uint32(place)
            end += 1
    while begin < end:
        here = queue[begin]
        begin += 1
        for edge in range(rows[here], rows[here + 1]):
            there = ends[edge]
            if found[there] == UNREACHED:
                # One more would be UNREACHED.
                if found[here] == FARTHEST:
                    return np.int64(there)
                found[there] = found[here] + 1
                queue[end] = there
                end += 1
    return -1


@kernel("void(uint32[::1], uint16[::1], int64[:, ::1], int64[::1])")
def sum_up(
    group: NDArray[np.uint32], found: NDArray[np.uint16], figures: NDArray[np.int64], levels: NDArray[np.int64]
) -> None:
    """Write figures of the groups and add to the numbers of states at each distance.

    group, found: of every state its group and its distance, as :func:`groups` and :func:`distances` write them.
    figures: int64 (groups, 6), all 0: states; goals; greatest distance, or -1; states at it; places of the least state,
    and of the first state at the greatest distance.
    levels: int64 (UNREACHED + 1), added to.
    """
    for place in range(len(group)):
        here = figures[group[place]]
        if here[0] == 0:
            # The first state of a group: -1 lies below all distances, so the first one that leads to a goal raises it.
            here[2], here[4] = -1, place
        here[0] += 1
        distance = np.int64(found[place])
        levels[distance] += 1
        if distance != UNREACHED:
            here[1] += distance == 0
            if distance > here[2]:
                here[2], here[3], here[5] = distance, 0, place
            here[3] += distance == here[2]


@kernel("int64(int64[::1], uint32[::1], uint16[::1], int64, uint64[::1])")
def shortest_ways(
    rows: NDArray[np.int64],
    ends: NDArray[np.uint32],
    found: NDArray[np.uint16],
    start: int,
    ways: NDArray[np.uint64],
) -> int:
    """Count the shortest ways from a state to goals.

    found: of every state its distance, as :func:`distances` writes it.
    ways: uint64 (states + 1), all 0: the ways to each state that is on one, and behind them those to all goals; MANY
        where there are so many or more.

    Returns the number of goals that they lead to.
    """
    queue = np.empty(len(found), np.uint32)
    queue[0], ways[start] = np.uint32(start), np.uint64(1)
    begin, end, goals = 0, 1, 0
    while begin < end:  # a level is complete before the next one begins, so are its ways
        here = queue[begin]
        begin += 1
        if found[here] == 0:
            goals += 1
            ways[-1] = _sum(ways[-1], ways[here])
            continue
        for edge in range(rows[here], rows[here + 1]):
            there = ends[edge]
            # A state without a way has UNREACHED, and one more is nobody's distance.
            if found[there] + 1 == found[here]:
                if ways[there] == 0:
                    queue[end] = there
                    end += 1
                ways[there] = _sum(ways[there], ways[here])
    return goals


@inlined
def _sum(one: np.uint64, other: np.uint64) -> np.uint64:
    """The sum of two numbers, at most MANY; one of 64 bits that went round is less than each of its terms."""
    total = one + other
    return total if total >= one else np.uint64(MANY)
