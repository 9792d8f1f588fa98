"""Shards of a cut, packed: they are what was put in, in bundles that a slow look confirms."""

import itertools
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.engine import loop
from boardspace.engine.config import validate
from boardspace.engine.events import Listener
from boardspace.engine.graph import InProcess
from boardspace.engine.packed_shards import PAGE, CutShard, PackedShards
from boardspace.engine.plan import save_plan, work_of
from boardspace.engine.schedule import BUNDLE_SECONDS, BUNDLE_SHARDS, bundle_ends
from boardspace.engine.work import StageDone, finish_stage
from boardspace.spec.space import Shard
from boardspace.storage.receipts import Receipt
from boardspace.storage.records import digest_of
from boardspace.verify import verify


def some(count: int, cost: float = 1.0) -> Iterator[CutShard]:
    for number in range(count):
        yield CutShard(Shard(f"low={number:05}/0", {"low": number, "of": (1, "two")}, cost), digest_of(number))


@pytest.mark.parametrize("count", [0, 1, PAGE - 1, PAGE, 2 * PAGE + 1])
def test_packed_shards_are_those_that_were_put_in_and_so_are_slices_and_what_another_process_receives(
    count: int,
) -> None:
    plain, packed = list(some(count)), PackedShards(some(count))
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
    todo = PackedShards(CutShard(Shard(str(number), {}, cost), digest_of(number)) for number, cost in enumerate(costs))
    ends = list(bundle_ends(todo, slots))
    bundles = [costs[start:end] for start, end in zip([0, *ends], ends, strict=False)]
    most = min(BUNDLE_SHARDS, len(costs) // slots)
    assert [cost for bundle in bundles for cost in bundle] == costs
    assert all(len(bundle) == 1 or (len(bundle) <= most and sum(bundle) <= BUNDLE_SECONDS) for bundle in bundles)
    for bundle, after in itertools.pairwise(bundles):
        assert len(bundle) >= most or sum(bundle) + after[0] > BUNDLE_SECONDS


@pytest.mark.parametrize("most", [3, 9])
def test_the_finish_of_a_stage_with_very_many_bundles_reads_their_receipts_in_the_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    brought: list[int] = []

    def finish(dataset: Any, made: Any, finished: Any, following: Any, bundles: list[list[Receipt]]) -> StageDone:
        """Note how many receipts the bundles bring."""
        brought.append(sum(map(len, bundles)))
        return finish_stage(dataset, made, finished, following, bundles)

    monkeypatch.setattr("boardspace.engine.schedule.finish_stage", finish)
    monkeypatch.setattr("boardspace.engine.schedule.MOST_BROUGHT", most)
    work = work_of(validate({"toy": {"shards": 9}}, "trial", "trial.toml"))
    save_plan(tmp_path, work)
    loop.run(work, tmp_path, InProcess(), Listener(), loop.Limits())
    assert brought == ([9, 9, 1] if most == 9 else [0, 0, 1])  # the last stage is one shard
    assert verify(tmp_path, "structure").faults == ()
