"""Levels of numbered states: sets in two forms, one step of the search, the proof of distances."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.graph import dense
from boardspace_kernels.graph.rule import RULE
from boardspace_kernels.jit import kernel
from tests.naive import graph as naive

SIZE = np.array([7, 100], np.int64)


@kernel(RULE)
def doubled(size: Any, state: Any, out: Any) -> int:
    """Twice the state and seven more, below 100: a move that cannot be taken back."""
    out[0] = state * np.uint64(2) % np.uint64(size[1])
    out[1] = (state + np.uint64(size[0])) % np.uint64(size[1])
    return 2


@kernel(RULE)
def too_far(size: Any, state: Any, out: Any) -> int:
    """One state more than there are."""
    out[0] = state + np.uint64(1)
    return 1


def moves(state: int) -> list[int]:
    return [2 * state % 100, (state + 7) % 100]


def bitmap(states: set[int], count: int) -> dense.Words:
    found = np.zeros(dense.bitmap_words(count), np.uint32)
    for state in states:
        found[state // 32] |= np.uint32(1 << state % 32)
    return found


@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.just(n), *[st.sets(st.integers(0, n - 1))] * 2)))
def test_sets_in_either_form_are_added_taken_away_and_listed(case: tuple[int, set[int], set[int]]) -> None:
    count, some, others = case
    packed = dense.packed(bitmap(others, count))
    assert len(packed) == min(len(others), dense.bitmap_words(count))
    added, taken = bitmap(some, count), bitmap(some, count)
    dense.add(packed, added)
    dense.remove(packed, taken)
    for found, expected in ((added, some | others), (taken, some - others)):
        states = np.empty(dense.size_of(found), np.uint32)
        assert dense.listed(found, states) == len(expected)
        assert states.tolist() == sorted(expected)
    cells = np.zeros(count, np.uint16)
    dense.lay_out(packed, dense.FARTHEST, cells)
    assert set(np.flatnonzero(cells == dense.FARTHEST).tolist()) == others


def test_a_step_marks_the_neighbours_of_a_range_and_no_others() -> None:
    found = bitmap(set(), 100)
    assert dense.expand(doubled, SIZE, np.uint64(100), 2, np.uint64(64), bitmap({0, 30}, 36), found) == -1
    assert (found == bitmap({*moves(64), *moves(94)}, 100)).all()


@pytest.mark.parametrize(("rule", "most"), [(too_far, 1), (doubled, 1)])
def test_the_first_state_is_named_whose_neighbours_cannot_be(rule: Any, most: int) -> None:
    found = bitmap(set(), 100)
    first = dense.expand(rule, SIZE, np.uint64(100), most, np.uint64(0), bitmap({5, 99}, 100), found)
    assert first == (99 if rule is too_far else 5)


def fault(distances: np.ndarray[Any, Any], start: int = 3) -> bool:
    """Whether the three conditions of a proof fail."""
    entered = bitmap(set(), 100)
    zeros = np.flatnonzero(distances == 0).tolist()
    step = dense.step_fault(doubled, SIZE, 2, np.uint64(0), np.uint64(100), distances, entered)
    return zeros != [start] or step >= 0 or dense.first_not_entered(distances, entered) >= 0


def test_the_distances_are_proved_and_no_other_value_of_a_cell_is() -> None:
    by_hand = naive.distances([3], moves)
    distances = np.full(100, dense.UNREACHED, np.uint16)
    for state, value in by_hand.items():
        distances[state] = value
    assert not fault(distances)
    for state in range(100):
        right = int(distances[state])
        for value in {0, 1, right - 1, right + 1, dense.FARTHEST, dense.UNREACHED} - {right, -1, dense.UNREACHED + 1}:
            altered = distances.copy()
            altered[state] = value
            assert fault(altered), (state, value)


def test_a_reached_state_called_unreached_is_a_fault_at_the_farthest_distance_too() -> None:
    distances = np.full(100, dense.UNREACHED, np.uint16)
    distances[3] = dense.FARTHEST
    assert dense.step_fault(doubled, SIZE, 2, np.uint64(0), np.uint64(100), distances, bitmap(set(), 100)) == 3
