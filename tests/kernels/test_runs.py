"""Runs are sets: every operation is that of Python's sets, and any cut of the keys gives the same result."""

from collections import Counter
from collections.abc import Callable
from itertools import chain, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.runs import (
    BUCKET,
    FEW,
    IN_CACHE,
    Run,
    ascending,
    grouped,
    intersection,
    is_in,
    merge,
    sort_by_digits,
    sorted_run,
    total_ways,
)

keys = st.one_of(st.integers(0, 30), st.integers(0, (1 << 64) - 1))
key_lists = st.lists(keys, max_size=60)


def array(values: list[int]) -> np.ndarray:
    return np.array(values, dtype=np.uint64)


@given(st.lists(st.integers(0, (1 << 64) - 1), max_size=200), st.integers(0, 63), st.integers(0, 63))
def test_words_are_sorted_from_a_bit_on_and_equal_ones_stay_in_order(values: list[int], shift: int, first: int) -> None:
    words = array([value >> shift for value in values])
    found = sort_by_digits(words.copy(), first)
    assert found.tolist() == sorted(words.tolist(), key=lambda value: value >> first)


@pytest.mark.parametrize("first", [0, 50, 61])
def test_many_words_are_sorted_as_few_are(first: int) -> None:
    """Most are dealt to buckets; from bit 50 on many are equal, and stay in their order."""
    words = np.random.default_rng(5).integers(0, 1 << 64, IN_CACHE + 1, np.uint64)
    for some in (words, words[1:], words[: FEW + 1]):
        expected = some[np.argsort(some >> np.uint64(first), kind="stable")]
        assert np.array_equal(sort_by_digits(some.copy(), first), expected)
    for some in (words, words[:FEW]):
        assert np.array_equal(ascending(some.copy()), np.sort(some))


@given(st.lists(st.integers(0, (1 << 64) - 1), max_size=200), st.integers(0, 63), st.integers(1, 63))
def test_grouped_words_have_the_places_of_their_keys(values: list[int], shift: int, first: int) -> None:
    check_groups(array([value >> shift for value in values]), first)


@pytest.mark.parametrize("bits", [2, 11, 50, 64])
def test_many_words_are_grouped_in_buckets(bits: int) -> None:
    random = np.random.default_rng(bits)
    check_groups(random.choice(random.integers(0, 1 << bits, BUCKET, np.uint64), 9 * BUCKET), 1)
    check_groups(random.integers(0, 1 << bits, 9 * BUCKET, np.uint64), 12)


def check_groups(words: np.ndarray, first: int) -> None:
    given_words, distinct = np.sort(words), np.unique(words >> np.uint64(first))
    found, rows, keys = grouped(words, first)
    assert np.array_equal(np.sort(found), given_words)
    assert np.array_equal(keys, distinct)
    assert np.array_equal(keys[rows], found >> np.uint64(first))


@given(key_lists)
def test_a_sorted_run_is_the_set_of_its_positions(values: list[int]) -> None:
    assert sorted_run(array(values)).positions.tolist() == sorted(set(values))


@pytest.mark.parametrize("bits", [11, 50, 64])
def test_many_positions_of_any_size_add_their_ways(bits: int) -> None:
    """Of 64 bits there is no room for their numbers in the words that are sorted."""
    random = np.random.default_rng(bits)
    positions = random.choice(random.integers(0, 1 << bits, FEW, np.uint64), 3 * FEW)
    ways = random.integers(0, 1 << 40, 3 * FEW, np.uint64)
    expected: Counter[int] = Counter()
    for position, number in zip(positions.tolist(), ways.tolist(), strict=True):
        expected[position] += number
    run = sorted_run(positions.copy(), ways)
    assert run.ways is not None
    assert list(zip(run.positions.tolist(), run.ways.tolist(), strict=True)) == sorted(expected.items())


@given(key_lists)
def test_equal_positions_add_their_ways(values: list[int]) -> None:
    run = sorted_run(array(values), np.ones(len(values), np.uint64))
    assert run.ways is not None
    assert dict(zip(run.positions.tolist(), run.ways.tolist(), strict=True)) == Counter(values)


@given(st.lists(key_lists, max_size=5))
def test_merging_runs_is_the_union(lists: list[list[int]]) -> None:
    merged = merge([sorted_run(array(values)) for values in lists])
    assert merged.positions.tolist() == sorted(set().union(*lists))


@given(st.lists(key_lists, max_size=5))
def test_merging_runs_with_ways_adds_them(lists: list[list[int]]) -> None:
    runs = [sorted_run(array(values), np.full(len(values), 3, np.uint64)) for values in lists]
    merged = merge(runs, weighted=True)
    assert merged.ways is not None
    expected = {key: 3 * count for key, count in Counter(chain(*lists)).items()}
    assert dict(zip(merged.positions.tolist(), merged.ways.tolist(), strict=True)) == expected


@given(st.lists(key_lists, max_size=4), st.lists(keys, max_size=4))
def test_merging_by_key_ranges_is_merging_whole(lists: list[list[int]], cuts: list[int]) -> None:
    runs = [sorted_run(array(values)) for values in lists]
    bounds = [0, *sorted(cuts), 1 << 64]
    parts = [merge([run.between(*pair) for run in runs]) for pair in pairwise(bounds)]
    joined = np.concatenate([part.positions for part in parts])
    assert joined.tolist() == merge(runs).positions.tolist()


@given(key_lists, key_lists)
def test_intersection_and_membership_are_those_of_sets(a: list[int], b: list[int]) -> None:
    first, second = sorted_run(array(a)).positions, sorted_run(array(b)).positions
    assert intersection(first, second).tolist() == sorted(set(a) & set(b))
    assert is_in(first, second).tolist() == [value in b for value in sorted(set(a))]


@given(st.lists(st.integers(0, (1 << 64) - 1), max_size=20))
def test_the_total_of_ways_is_exact_whatever_its_size(values: list[int]) -> None:
    assert total_ways(array(values)) == sum(values)


@given(st.integers(0, (1 << 64) - 1), st.integers(0, (1 << 64) - 1))
def test_ways_that_a_word_does_not_hold_are_refused_and_never_wrap(a: int, b: int) -> None:
    two = [Run(array([7]), array([ways])) for ways in (a, b)]
    joins: tuple[Callable[[], Run], ...] = (
        lambda: sorted_run(array([7, 7]), array([a, b])),
        lambda: merge(two, weighted=True),
    )
    for join in joins:
        if a + b >> 64:
            with pytest.raises(OverflowError, match=r"more than 2\*\*64 sequences"):
                join()
        else:
            ways = join().ways
            assert ways is not None
            assert ways.tolist() == [a + b]


def test_a_range_takes_the_ways_along() -> None:
    run = Run(array([1, 5, 9]), array([10, 50, 90]))
    part = run.between(5, 9)
    assert part.positions.tolist() == [5]
    assert part.ways is not None
    assert part.ways.tolist() == [50]
