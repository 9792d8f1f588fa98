"""Stages with the longest planned chain behind them go first; a simulator tells what follows from that."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from benchmarks.simulate import ENDLESS, foreseen, recorded, simulated
from boardspace.cli.commands.plan import planned, wall
from boardspace.engine import loop
from boardspace.engine.config import load_config, validate
from boardspace.engine.events import Listener
from boardspace.engine.graph import InProcess
from boardspace.engine.packed_shards import CutShard, PackedShards
from boardspace.engine.plan import Work, recorded_work, save_plan, work_of
from boardspace.engine.schedule import LAST_STAGE, Schedule
from boardspace.engine.work import RunDataset, StageCut
from boardspace.spec.space import Output, Shard, Stage
from boardspace.spec.stages import STAGE_SECONDS, seconds_behind, stages_of

pytestmark = pytest.mark.usefixtures("growing")


def nothing(config: Any, params: Any, inputs: Any) -> Output:
    return Output()


def stage(name: str, seconds: float, *after: str) -> Stage:
    return Stage(name, "", nothing, lambda config, inputs: [], after, seconds=seconds)


STAGES = {
    one.name: one
    for one in (
        stage("wide", 0.0),
        stage("rounds", 9.0, "rounds"),
        stage("first", 0.0),
        stage("second", 0.0, "first"),
        stage("third", 2.0, "second"),
        stage("last", 1.0, "wide", "rounds", "first", "second", "third"),
    )
}


def test_what_is_behind_a_stage_is_counted_in_planned_seconds() -> None:
    behind = {name: round(seconds - 1.0, 9) for name, seconds in seconds_behind(STAGES).items()}
    least = STAGE_SECONDS
    assert behind == {
        "wide": least,
        "rounds": least,
        "first": 2 + 3 * least,
        "second": 2 + 2 * least,
        "third": least,
        "last": -1,
    }


def test_rounds_go_before_many_short_stages_and_the_last_stage_before_all() -> None:
    added: list[int] = []
    schedule = Schedule(
        RunDataset(Path("run"), "toy", "{}"), STAGES, 0.0, 16, lambda nodes, priority: added.append(priority)
    )

    def priority(name: str, *costs: float) -> int:
        todo = PackedShards(CutShard(Shard(str(number), {}, cost), "00") for number, cost in enumerate(costs))
        schedule.add_stage(StageCut(name, (), todo, PackedShards()))
        return added[-1]

    wide, first, rounds = priority("wide", *[1.0] * 32), priority("first", 0.1), priority("rounds", 0.1)
    assert wide < priority("second", 0.1) < first < rounds < priority("last", 1.0) == LAST_STAGE
    assert rounds - priority("rounds", 0.1) == 100  # so much of it is done
    assert priority("wide", 50.0, *[1.0] * 31) > rounds  # nothing is longer than the most expensive shard


def test_the_simulator_takes_no_less_than_the_work_and_the_longest_chain_and_no_more_than_both(tmp_path: Path) -> None:
    sections = {"toy": {"shards": 9}, "growing": {"bound": 50}}
    work = work_of(validate(sections, "trial", "trial.toml"))
    save_plan(tmp_path, work)
    loop.run(work, tmp_path, InProcess(), Listener(), loop.Limits())
    found = recorded(tmp_path, recorded_work(tmp_path), "wall")
    path = simulated(found, work, ENDLESS, 0.0, 0.0).now
    assert 0 < path < found.work
    for workers in (1, 2, 3, 8):
        graph = simulated(found, work, workers, 0.0, 0.0)
        assert max(path, found.work / workers) <= graph.now + 1e-9
        assert graph.now <= found.work / workers + path + 0.5  # of small shards that travel together
    assert simulated(found, work, 1, 0.0, 0.0).now == pytest.approx(found.work)
    assert graph.times.keys() == found.seconds.keys()


@cache
def planned_stages(config: str) -> tuple[list[Work], list[dict[str, Any]]]:
    """The work of a shipped config, and what is planned of its stages."""
    works = work_of(load_config(config))
    return works, [planned(work, one) for work in works for one in stages_of(work.space, work.config).values()]


def test_a_planned_wall_holds_for_the_shards_that_are_planned() -> None:
    for config in ("games", "klotski_farthest", "wiegleb"):
        works, rows = planned_stages(config)
        shards = foreseen(works)
        for workers in (1, 20, 1000):
            least, most, longest, _, _ = wall(works, rows, workers)
            took = simulated(shards, works, workers, 0.0, 0.0).now
            assert least / 1.1 <= took <= 1.1 * most, (config, workers)
        assert most < 1.2 * longest, config


def test_levels_and_weights_have_shards_enough_for_many_workers() -> None:
    for config, workers in {"french": 54, "games": 74, "wiegleb": 9, "sliding_blocks": 180}.items():
        works, rows = planned_stages(config)
        assert sum(row["seconds"] or 0.0 for row in rows) / wall(works, rows, 1).longest > workers, config
