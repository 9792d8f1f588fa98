"""Classes as graphs: links, groups, distances to several goals, shortest ways, by a slow search on drawn graphs."""

from itertools import count
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.graph import closed, dense
from boardspace_kernels.graph.rule import GOAL, RULE
from boardspace_kernels.jit import kernel
from tests.naive import graph as naive

TABLE = 24
SIZE = np.zeros(TABLE * 8 + 3, np.int64)
"""Neighbours of the 24 places of a drawn graph, eight each, -1 for none; then a mask of goals, and a factor."""


@kernel(RULE)
def drawn_moves(size: Any, state: Any, out: Any) -> int:
    """The neighbours that the table has; states are odd multiples, so that they are not places."""
    found, place = 0, np.int64(state) // size[TABLE * 8 + 1]
    for number in range(8):
        there = size[place * 8 + number]
        if there >= 0:
            out[found] = np.uint64(there * size[TABLE * 8 + 1])
            found += 1
    return found


@kernel(GOAL)
def is_marked(size: Any, state: Any) -> bool:
    """The mask has the place's bit."""
    return size[TABLE * 8] >> (np.int64(state) // size[TABLE * 8 + 1]) & 1 == 1


@st.composite
def graphs(draw: st.DrawFn) -> tuple[list[set[int]], set[int]]:
    """Neighbours of each place, at most eight, both ways; and goals."""
    neighbours: list[set[int]] = [set() for _ in range(TABLE)]
    for a, b in draw(st.lists(st.tuples(st.integers(0, TABLE - 1), st.integers(0, TABLE - 1)), max_size=50)):
        if a != b and len(neighbours[a]) < 8 and len(neighbours[b]) < 8:
            neighbours[a].add(b)
            neighbours[b].add(a)
    return neighbours, draw(st.sets(st.integers(0, TABLE - 1), max_size=5))


@given(graphs(), st.sampled_from([1, 1_000_003]))
def test_drawn_graphs_have_the_groups_distances_and_ways_of_a_slow_search(
    case: tuple[list[set[int]], set[int]], factor: int
) -> None:
    neighbours, goals = case
    size = SIZE.copy()
    size[TABLE * 8], size[TABLE * 8 + 1] = sum(1 << goal for goal in goals), factor
    for place in range(TABLE):
        size[place * 8 : place * 8 + 8] = [*sorted(neighbours[place]), *[-1] * (8 - len(neighbours[place]))]
    states = np.arange(TABLE, dtype=np.uint64) * np.uint64(factor)
    rows, ends = np.empty(TABLE + 1, np.int64), np.empty(TABLE * 8, np.uint32)
    assert closed.link(drawn_moves, size, states, np.array([0, TABLE]), rows, ends) == -1
    linked = [set(ends[rows[place] : rows[place + 1]].tolist()) for place in range(TABLE)]
    assert linked == neighbours
    group, numbers = np.empty(TABLE, np.uint32), count()
    expected: dict[int, int] = {}
    for place in range(TABLE):
        if place not in expected:
            expected |= dict.fromkeys(naive.distances([place], lambda here: neighbours[here]), next(numbers))
    assert closed.groups(rows, ends, group) == len(set(expected.values()))
    assert group.tolist() == [expected[place] for place in range(TABLE)]
    found, slow = np.empty(TABLE, np.uint16), naive.distances(goals, lambda here: neighbours[here])
    assert closed.distances(is_marked, size, states, rows, ends, found) == -1
    assert found.tolist() == [slow.get(place, dense.UNREACHED) for place in range(TABLE)]
    for start in slow:
        walks = [start]
        for left in range(slow[start] - 1, -1, -1):
            walks = [there for here in walks for there in neighbours[here] if slow[there] == left]
        ways = np.zeros(TABLE + 1, np.uint64)
        assert closed.shortest_ways(rows, ends, found, start, ways) == len(set(walks))
        assert ways[-1] == len(walks)


def test_a_neighbour_outside_of_the_class_and_too_many_are_named() -> None:
    size = SIZE.copy()
    size[TABLE * 8 + 1] = 1
    size[: TABLE * 8] = -1
    size[5 * 8] = 7
    rows, ends, states = np.empty(7, np.int64), np.empty(48, np.uint32), np.arange(6, dtype=np.uint64)
    whole = np.array([0, 6])
    assert closed.link(drawn_moves, size, states, whole, rows, ends) == 5
    size[5 * 8 : 5 * 8 + 2] = 0
    assert closed.link(drawn_moves, size, states, whole, rows, ends) == -1
    assert closed.link(drawn_moves, size, states, whole, rows, ends[:6]) == 5
    assert closed.link(drawn_moves, size, states, np.array([0, 3, 6]), rows, ends) == 5  # it leads to another class


def test_classes_that_come_together_have_the_graphs_that_they_have_alone() -> None:
    size = SIZE.copy()
    size[TABLE * 8 + 1] = 1
    size[: TABLE * 8] = -1
    for here, there in ((0, 2), (1, 0), (3, 4), (4, 5)):
        size[here * 8] = there
    rows, ends, states = np.empty(7, np.int64), np.empty(48, np.uint32), np.arange(6, dtype=np.uint64)
    assert closed.link(drawn_moves, size, states, np.array([0, 3, 6]), rows, ends) == -1
    assert [ends[rows[place] : rows[place + 1]].tolist() for place in range(6)] == [[2], [0], [], [4], [5], []]


def test_ways_that_64_bits_do_not_hold_are_many() -> None:
    """A ladder of 65 doublings: every place leads by two others to the next one."""
    places = 3 * 65 + 1
    neighbours: list[list[int]] = [[] for _ in range(places)]
    for here in range(0, places - 1, 3):
        for a, b in ((here, here + 1), (here, here + 2), (here + 1, here + 3), (here + 2, here + 3)):
            neighbours[a].append(b)
            neighbours[b].append(a)
    rows = np.cumsum([0, *map(len, neighbours)]).astype(np.int64)
    ends = np.array([there for some in neighbours for there in some], np.uint32)
    slow = naive.distances([0], lambda here: neighbours[here])
    found = np.array([slow[place] for place in range(places)], np.uint16)
    ways = np.zeros(places + 1, np.uint64)
    assert closed.shortest_ways(rows, ends, found, places - 1, ways) == 1
    assert ways[-1] == closed.MANY
    ways = np.zeros(places + 1, np.uint64)
    assert closed.shortest_ways(rows, ends, found, 3 * 63, ways) == 1
    assert ways[-1] == 1 << 63
