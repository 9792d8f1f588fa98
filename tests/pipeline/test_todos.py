"""Shards of a cut, packed: they are what was put in, in bundles that a slow look confirms, and take few bytes each."""

import itertools
import pickle
import tracemalloc
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.engine.graph import Ended, Key, Nodes
from boardspace.engine.schedule import BUNDLE_SECONDS, BUNDLE_SHARDS, Schedule, bundle_ends
from boardspace.engine.todos import PAGE, Todo, Todos
from boardspace.engine.window import Windowed
from boardspace.engine.work import RunDataset, StageCut
from boardspace.spec.space import Shard
from boardspace.spec.stages import stages_of
from boardspace.storage.records import digest_of
from tests import toy


def some(count: int, cost: float = 1.0) -> Iterator[Todo]:
    for number in range(count):
        yield Todo(Shard(f"low={number:05}/0", {"low": number, "of": (1, "two")}, cost), digest_of(number))


@pytest.mark.parametrize("count", [0, 1, PAGE - 1, PAGE, 2 * PAGE + 1])
def test_packed_shards_are_those_that_were_put_in_and_so_are_slices_and_what_another_process_receives(
    count: int,
) -> None:
    plain, packed = list(some(count)), Todos(some(count))
    for found in (packed, pickle.loads(pickle.dumps(packed))):
        assert len(found) == count
        assert list(found) == plain == [found[number] for number in range(count)]
        assert list(found.costs) == [todo.shard.cost for todo in plain]
        for part in (slice(3, PAGE + 7), slice(PAGE, None), slice(-2, None)):
            assert list(found[part]) == plain[part]
        assert list(reversed(found)) == plain[::-1]
    with pytest.raises(IndexError):
        packed[count]


@given(st.lists(st.sampled_from([0.0, 1 / 1024, 1 / 128, 0.25, 0.5, 3.0]), max_size=300), st.integers(1, 20))
def test_bundles_hold_all_shards_in_order_and_one_more_would_be_too_much(costs: list[float], slots: int) -> None:
    todo = Todos(Todo(Shard(str(number), {}, cost), digest_of(number)) for number, cost in enumerate(costs))
    ends = list(bundle_ends(todo, slots))
    bundles = [costs[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    most = min(BUNDLE_SHARDS, len(costs) // slots)
    assert [cost for bundle in bundles for cost in bundle] == costs
    assert all(len(bundle) == 1 or (len(bundle) <= most and sum(bundle) <= BUNDLE_SECONDS) for bundle in bundles)
    for bundle, after in itertools.pairwise(bundles):
        assert len(bundle) >= most or sum(bundle) + after[0] > BUNDLE_SECONDS


class Sent:
    """Graph that packs nodes as they would be sent, and ends them in order, without work."""

    def __init__(self) -> None:
        self.keys: deque[Key] = deque()

    def add(self, nodes: Nodes, priority: int) -> None:
        for node in nodes:
            pickle.dumps(node.arguments)
            self.keys.append(node.key)

    def next_ended(self) -> Ended | None:
        return Ended(self.keys.popleft()) if self.keys else None

    def stop(self) -> None: ...

    def cancel(self) -> None: ...


def most_bytes(shards: int, cost: float) -> int:
    """Most bytes that the loop's side of a stage takes at once: its cut comes in, all its nodes run, and end."""
    received = pickle.dumps(StageCut("squares", (), Todos(some(shards, cost)), Todos()))
    schedule = Schedule(RunDataset(Path("run"), "toy", "{}"), dict(stages_of(toy.SPACE, toy.ToyConfig())), 0.0, 1)
    graph = Windowed(Sent(), 8)
    computed = 0
    tracemalloc.start()
    try:
        for added in schedule.add_stage(pickle.loads(received)):
            graph.add(added.nodes, added.priority)
        while (ended := graph.next_ended()) is not None:
            nodes = schedule.with_bundle(ended.key)
            computed += nodes.shards(ended.key) if nodes else 0
        assert computed == shards
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("cost", [0.005, 1.0], ids=["bundles", "single"])
def test_the_loop_takes_less_than_300_bytes_for_each_shard_of_a_stage(cost: float) -> None:
    fewer, more = 2_000, 6_000
    assert (most_bytes(more, cost) - most_bytes(fewer, cost)) / (more - fewer) < 300
