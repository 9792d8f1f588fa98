"""The choice of instances: strata of equal size, one side for a group, the same for every order."""

import random
import re
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from boardspace.instances import choice
from boardspace.instances.source import Batch


def batch(name: str, groups: list[int], difficulties: list[int]) -> Batch:
    return Batch(
        name=name,
        family="all",
        key=np.arange(len(groups), dtype=np.uint64),
        group=np.array(groups, dtype=np.uint64),
        difficulty=np.array(difficulties, dtype=np.int64),
        make=lambda keys: [],
    )


def choose(batches: list[Batch], number: int, seed: int = 1, **options: Any) -> choice.Choice:
    return choice.choose(batches, choice.Sample(number, seed, **options))


def sides(found: choice.Choice) -> tuple[Counter[int], Counter[int]]:
    """Instances by difficulty, for training and for testing."""
    train, test = (Counter(one.difficulty for one in found.chosen if one.for_test == side) for side in (False, True))
    return train, test


@given(st.dictionaries(st.integers(0, 9), st.integers(0, 30), max_size=6), st.integers(0, 100))
def test_no_stratum_gets_more_than_it_has_or_one_more_than_another_that_has_more(
    sizes: dict[int, int], number: int
) -> None:
    available = {("steps", stratum): size for stratum, size in sizes.items()}
    taken = choice.fill(available, number)
    assert sum(taken.values()) == min(number, sum(available.values()))
    for stratum, count in taken.items():
        assert 0 <= count <= available[stratum]
        if count < available[stratum]:
            assert max(taken.values()) <= count + 1


def test_fewer_instances_than_difficulties_are_spread_from_the_easiest_to_the_hardest() -> None:
    """The rarest difficulty is not preferred, and the first ones are not."""
    sizes = [3 if difficulty % 7 else 1 for difficulty in range(1, 94)]
    rows = [difficulty for difficulty, size in enumerate(sizes, 1) for _ in range(size)]
    (train, test) = sides(choose([batch("one", list(range(len(rows))), rows)], 20))
    for side, number in ((train, 16), (test, 4)):
        drawn = sorted(side.elements())
        assert len(drawn) == number
        assert drawn[0] <= 12
        assert drawn[-1] >= 82
        assert max(b - a for a, b in pairwise(drawn)) <= 2.5 * 93 / number


def test_bins_have_equally_many_and_difficulties_outside_the_range_are_left_out() -> None:
    rows = [difficulty for difficulty in range(1, 101) for _ in range(1 if difficulty > 50 else 20)]
    found = choose([batch("one", list(range(len(rows))), rows)], 60, bins=3, easiest=41, hardest=70)
    whole = Counter((one.difficulty - 41) // 10 for one in found.chosen)
    assert whole == {0: 40, 1: 10, 2: 10}  # the second and third have no more
    drawn = {one.difficulty for one in found.chosen}
    assert min(drawn) == 41
    assert max(drawn) == 70
    even = choose([batch("one", list(range(len(rows))), rows)], 50, bins=5, hardest=50)
    assert Counter((one.difficulty - 1) // 10 for one in even.chosen) == dict.fromkeys(range(5), 10)


def test_the_choice_depends_on_the_seed_and_not_on_the_order_of_candidates_or_batches() -> None:
    draws = random.Random(4)
    batches = [
        batch(name, [draws.randrange(9) for _ in range(50)], [draws.randrange(5) for _ in range(50)])
        for name in ("one", "two")
    ]
    order = np.array(draws.sample(range(50), 50))
    turned = [
        Batch(b.name, b.family, b.key[order], b.group[order], b.difficulty[order], b.make) for b in reversed(batches)
    ]

    def chosen(given: list[Batch], seed: int) -> list[tuple[str, int, bool]]:
        return [(one.batch.name, one.key, one.for_test) for one in choose(given, 30, seed).chosen]

    assert chosen(batches, 7) == chosen(turned, 7)
    assert chosen(batches, 7) != chosen(batches, 8)


def test_a_large_group_does_not_crowd_out_the_others() -> None:
    found = choose([batch("one", [1] * 1000 + list(range(2, 12)), [3] * 1010)], 22, test=Fraction(0))
    sizes = Counter(one.group for one in found.chosen)
    assert sizes.pop("all/1") == 12
    assert set(sizes.values()) == {1}


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), min_size=1, max_size=120),
    st.integers(0, 9),
    st.fractions(0, 1),
)
def test_groups_are_whole_testing_has_not_more_than_its_share_and_no_side_is_without_groups(
    rows: list[tuple[int, int]], seed: int, share: Fraction
) -> None:
    groups, difficulties = zip(*rows, strict=True)
    found = choose([batch("one", list(groups), list(difficulties))], len(rows), seed, test=share)
    on = {side: {one.group for one in found.chosen if one.for_test == side} for side in (False, True)}
    assert not on[False] & on[True]
    assert len({(one.batch.name, one.key) for one in found.chosen}) == len(found.chosen) <= len(rows)
    tested = sum(one.for_test for one in found.chosen)
    assert tested <= len(rows) * share + Fraction(1, 2)
    if len(set(groups)) == 1 and share < 1:
        assert not tested
        assert bool(found.warnings) == (len(rows) * share >= Fraction(1, 2))
    if len(set(groups)) > 1 and Fraction(1, 4) <= share <= Fraction(3, 4) and len(rows) > 3:
        assert tested
        assert tested < len(rows)


def test_where_groups_are_small_every_stratum_has_its_share_for_testing_and_nothing_is_warned_of() -> None:
    rows = [(group, group % 4) for group in range(400)]
    for share in (Fraction(1, 5), Fraction(1, 2), Fraction(3, 4)):
        found = choose([batch("one", *map(list, zip(*rows, strict=True)))], 400, seed=2, test=share)
        assert sides(found)[1] == dict.fromkeys(range(4), 100 * share)
        assert not found.warnings


def test_of_two_large_groups_that_which_training_can_do_without_is_for_testing() -> None:
    """Two groups, of 1 to 72 and of 1 to 93 steps, and some small ones: a class of Klotski was split 59 to 1."""
    small = [(group, difficulty) for group in range(2, 12) for difficulty in range(1, 13)]
    rows = [(0, d) for d in range(1, 73)] * 9 + [(1, d) for d in range(1, 94)] * 9 + small
    found = choose([batch("one", *map(list, zip(*rows, strict=True)))], 60)
    train, test = sides(found)
    assert train.total() == 48
    assert test.total() == 12
    assert min(test) == min(train) == 1
    assert max(test) == 72
    assert max(train) == 93
    (warning,) = found.warnings
    assert re.fullmatch(
        r"testing has no instance of  73 to 93, where the other side has 1\d: all candidates are of 1 group", warning
    )


def test_testing_has_every_difficulty_that_a_group_has_which_training_can_do_without() -> None:
    """One group has 1 to 138 steps, one 1 to 14, some 1 to 5: that of 14 is for testing with any seed."""
    rows = [(0, d) for d in range(1, 139) for _ in range(30)] + [(1, d) for d in range(1, 15) for _ in range(15)]
    rows += [(group, d) for group in range(2, 22) for d in range(1, 6)]
    for seed in range(5):
        train, test = sides(choose([batch("one", *map(list, zip(*rows, strict=True)))], 138, seed))
        assert (test.total(), max(test), max(train)) == (28, 14, 138)


def test_what_cannot_be_compared_has_strata_and_both_sides_of_its_own() -> None:
    """Covers of four sizes beside rectangles of a hundred: one group of rectangles was all that testing had."""
    covers = replace(batch("covers", [0, 1, 2] * 40, [16, 64, 256, 1024] * 30), family="covers", measure="covers")
    rectangles = batch("rectangles", [d % 6 for d in range(300)], [d // 2 for d in range(300)])
    found = choose([covers, replace(rectangles, measure="cells")], 100)
    counts = Counter((one.batch.measure, one.for_test) for one in found.chosen)
    assert counts == {("covers", False): 40, ("covers", True): 10, ("cells", False): 40, ("cells", True): 10}
