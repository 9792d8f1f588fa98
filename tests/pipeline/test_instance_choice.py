"""The choice of instances: strata of equal size, one side for a group, the same for every order."""

import random
from collections import Counter, defaultdict

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


@given(st.dictionaries(st.integers(0, 9), st.integers(0, 30), max_size=6), st.integers(0, 100))
def test_no_stratum_gets_more_than_it_has_or_one_more_than_another_that_has_more(
    available: dict[int, int], number: int
) -> None:
    taken = choice.fill(available, number)
    assert sum(taken.values()) == min(number, sum(available.values()))
    for stratum, count in taken.items():
        assert 0 <= count <= available[stratum]
        if count < available[stratum]:
            assert max(taken.values()) <= count + 1


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

    def chosen(given: list[Batch], seed: int) -> list[tuple[str, int]]:
        return [(one.batch.name, one.key) for one in choice.choose(given, 30, seed)]

    assert chosen(batches, 7) == chosen(turned, 7)
    assert chosen(batches, 7) != chosen(batches, 8)


def test_a_large_group_does_not_crowd_out_the_others() -> None:
    chosen = choice.choose([batch("one", [1] * 1000 + list(range(2, 12)), [3] * 1010)], 22, seed=1)
    sizes = Counter(one.group for one in chosen)
    assert sizes.pop("all/1") == 12
    assert set(sizes.values()) == {1}


@given(st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), min_size=1, max_size=120), st.integers(0, 9))
def groups_for_test_are_whole_the_test_is_not_larger_than_its_share_and_neither_side_is_empty(
    rows: list[tuple[int, int]], seed: int
) -> None:
    groups, difficulties = zip(*rows, strict=True)
    chosen = choice.choose([batch("one", list(groups), list(difficulties))], len(rows), seed)
    for_test = choice.groups_for_test(chosen, seed)
    members = Counter(one.group for one in chosen)
    assert for_test <= members.keys()
    if len(members) == 1:
        assert not for_test
        return
    assert 0 < len(for_test) < len(members)
    tested = sum(members[group] for group in for_test)
    assert tested <= -(-len(rows) // 5) or len(for_test) == 1


def test_where_groups_are_small_every_stratum_has_a_fifth_for_testing() -> None:
    rows = [(group, group % 4) for group in range(400)]
    chosen = choice.choose([batch("one", *map(list, zip(*rows, strict=True)))], 400, seed=2)
    for_test = choice.groups_for_test(chosen, 2)
    strata: dict[int, list[bool]] = defaultdict(list)
    for one in chosen:
        strata[one.difficulty].append(one.group in for_test)
    assert {stratum: sum(flags) for stratum, flags in strata.items()} == dict.fromkeys(range(4), 20)
