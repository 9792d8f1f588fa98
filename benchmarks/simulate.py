"""Wall, critical path, efficiency of a run on any number of workers: ``python -m benchmarks.simulate RUN [N ...]``.

RUN is the folder of a complete run, or a config, whose shards then take what ``boardspace plan`` says.

The loop is the engine's own, with its bundles and priorities; only the graph is another: it computes nothing, and a
bundle takes as long as its shards did by their receipts. A free worker takes the waiting node of the highest
priority, which is what Dask's scheduler does. The critical path is the wall with more workers than there are shards.

``--clock wall`` takes seconds on the wall; CPU seconds are less disturbed by what else ran. ``--task`` and ``--stage``
are seconds that a task, and the cut and finish of a stage, take besides. ``--copies`` has each shard so often, as a run
of so many boards alike would. ``--stages`` shows when stages began and ended with the last number of workers.
``--by-number`` has each stage count a second, as priorities once counted stages.
"""

import argparse
import heapq
import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil
from pathlib import Path
from unittest.mock import patch

from boardspace.cli.commands.plan import planned
from boardspace.engine import loop, schedule
from boardspace.engine.config import load_config
from boardspace.engine.events import Listener
from boardspace.engine.graph import Ended, Key, Node, Nodes
from boardspace.engine.packed_shards import CutShard, PackedShards
from boardspace.engine.plan import Work, planned_shards, recorded_work, work_of
from boardspace.engine.work import Passed, StageCut, StageDone
from boardspace.spec.space import Shard, Stage
from boardspace.spec.stages import seconds_behind, stages_of
from boardspace.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.verify.records import rounds_of

ENDLESS = 1_000_000
"""More workers than any run has use for."""


@dataclass(frozen=True)
class Recorded:
    """Records of a run's stages, by space and stage.

    rounds: their shards, a list for each round.
    seconds: that each shard took, by its name.
    """

    rounds: Mapping[tuple[str, str], Sequence[Sequence[Shard]]]
    seconds: Mapping[tuple[str, str], Mapping[str, float]]

    @property
    def work(self) -> float:
        """Seconds of all shards together."""
        return sum(sum(of_shards.values()) for of_shards in self.seconds.values())


def recorded(root: Path, works: Sequence[Work], clock: str) -> Recorded:
    """Read the receipts of a complete run, and cut its stages anew for what their shards were expected to take."""
    rounds, seconds = {}, {}
    for work in works:
        folder = SpaceFolder(root, work.space.name)
        inputs = FinishedStages(folder, work.space)
        for stage in stages_of(work.space, work.config).values():
            receipts = folder.finished(stage.name).receipts
            key = work.space.name, stage.name
            rounds[key] = [list(shards) for _, shards in rounds_of(stage, work, inputs, receipts)]
            seconds[key] = {one.shard: one.seconds if clock == "wall" else one.cpu for one in receipts}
    return Recorded(rounds, seconds)


def copied(found: Recorded, copies: int) -> Recorded:
    """Each shard so many times."""

    def names(name: str) -> list[str]:
        return [f"{name}#{copy}" for copy in range(copies)]

    rounds = {
        key: [[replace(shard, name=name) for shard in shards for name in names(shard.name)] for shards in each]
        for key, each in found.rounds.items()
    }
    seconds = {
        key: {name: took for shard, took in each.items() for name in names(shard)}
        for key, each in found.seconds.items()
    }
    return Recorded(rounds, seconds)


def foreseen(works: Sequence[Work]) -> Recorded:
    """Records of a run whose shards take what they are planned to take; those of a stage that cannot be cut
    beforehand are equal, as many as its longest suggests."""
    rounds, seconds = {}, {}
    for work in works:
        for stage in stages_of(work.space, work.config).values():
            key, row = (work.space.name, stage.name), planned(work, stage)
            shards = planned_shards(work, stage)
            took = row["seconds"] or 0.0
            if shards is None:
                number = ceil(took / row["longest"]) if took else 1
                shards = [Shard(f"{one:06}", cost=took / number) for one in range(number)]
            rounds[key] = [list(shards)]
            scale = took / (sum(shard.cost for shard in shards) or 1.0)
            seconds[key] = {shard.name: shard.cost * scale for shard in shards}
    return Recorded(rounds, seconds)


@dataclass
class Simulated:
    """Graph whose nodes take the time that they took in a recorded run, on so many workers; nothing is computed."""

    recorded: Recorded
    workers: int
    task: float
    stage: float
    now: float = 0.0
    times: dict[tuple[str, str], list[float]] = field(default_factory=dict)
    _waiting: list[tuple[int, int, Node]] = field(default_factory=list)
    _running: list[tuple[float, int, Node]] = field(default_factory=list)
    _blocked: list[tuple[set[Key], int, Node]] = field(default_factory=list)
    _round: dict[tuple[str, str], int] = field(default_factory=dict)
    _arrival: "itertools.count[int]" = field(default_factory=itertools.count)

    def add(self, nodes: Nodes, priority: int) -> None:
        """Queue nodes; those that need others wait for these."""
        for node in nodes:
            if node.needs:
                self._blocked.append((set(node.needs), priority, node))
            else:
                heapq.heappush(self._waiting, (-priority, next(self._arrival), node))

    def next_ended(self) -> Ended:
        """Start what free workers can take, and go on to the end of the node that ends first."""
        while self._waiting and len(self._running) < self.workers:
            _, number, node = heapq.heappop(self._waiting)
            end = self.now + self._seconds(node)
            heapq.heappush(self._running, (end, number, node))
        self.now, _, node = heapq.heappop(self._running)
        for needed, priority, blocked in self._blocked:
            needed.discard(node.key)
            if not needed:
                heapq.heappush(self._waiting, (-priority, next(self._arrival), blocked))
        self._blocked = [one for one in self._blocked if one[0]]
        return Ended(node.key, self._result(node))

    def stop(self) -> None:
        """Nothing runs."""

    def cancel(self) -> None:
        """Nothing runs."""

    def _seconds(self, node: Node) -> float:
        if not node.reports:
            return self.stage
        dataset, stage, _, bundle, *_ = node.arguments
        took = self.recorded.seconds[dataset.space, stage]
        begin = self.now
        seconds = self.task + sum(took[todo.shard.name] for todo in bundle)
        times = self.times.setdefault((dataset.space, stage), [begin, 0.0])
        times[1] = max(times[1], begin + seconds)
        return seconds

    def _result(self, node: Node) -> object:
        """Result of a node, as the loop needs it."""
        name = node.function.__name__
        if name == "cut_stage":
            return self._cut(node.arguments[0].space, node.arguments[1])
        if name == "finish_stage":
            dataset, made, _, following, *_ = node.arguments
            cuts = tuple(self._cut(dataset.space, one) for one in following)
            return StageDone(made.stage, "", Passed(len(made.todo)), again=made.stage in following, following=cuts)
        return [] if name == "complete_dataset" else None

    def _cut(self, space: str, stage: str) -> StageCut:
        """The next round of a stage."""
        number = self._round.get((space, stage), 0)
        self._round[space, stage] = number + 1
        rounds = self.recorded.rounds[space, stage]
        shards = sorted(rounds[number] if number < len(rounds) else (), key=lambda shard: -shard.cost)
        return StageCut(stage, (), PackedShards(CutShard(shard, "00") for shard in shards), PackedShards())


def simulated(found: Recorded, works: Sequence[Work], workers: int, task: float, stage: float) -> Simulated:
    """Run the recorded shards on so many workers."""
    graph = Simulated(found, workers, task, stage)
    loop.run(works, Path("simulated"), graph, Listener(), loop.Limits(slots=workers))
    return graph


def by_number(stages: Mapping[str, Stage]) -> Mapping[str, float]:
    """A second for each stage of the longest chain behind one, and nothing for what they take."""
    return seconds_behind({name: replace(stage, seconds=1.0) for name, stage in stages.items()})


def main() -> None:
    """Print a line for each number of workers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("run")
    parser.add_argument("workers", type=int, nargs="*", default=[1, 2, 4, 8, 16])
    parser.add_argument("--clock", choices=("cpu", "wall"), default="cpu")
    parser.add_argument("--task", type=float, default=0.003)
    parser.add_argument("--stage", type=float, default=0.02)
    parser.add_argument("--copies", type=int, default=1)
    parser.add_argument("--stages", action="store_true")
    parser.add_argument("--by-number", action="store_true")
    chosen = parser.parse_args()
    if Path(chosen.run).is_dir():
        works = recorded_work(Path(chosen.run))
        found = recorded(Path(chosen.run), works, chosen.clock)
    else:
        works = work_of(load_config(chosen.run))
        found = foreseen(works)
    if chosen.by_number:
        patch.object(schedule, "seconds_behind", by_number).start()
    found, costs = copied(found, chosen.copies), (chosen.task, chosen.stage)
    path = simulated(found, works, ENDLESS, *costs).now
    print(f"{found.work:,.1f} s of work; critical path {path:,.1f} s")
    for workers in chosen.workers:
        graph = simulated(found, works, workers, *costs)
        part = found.work / (graph.now * workers)
        print(f"{workers:>6} workers: {graph.now:8,.1f} s, efficiency {part:.0%}")
    if chosen.stages:
        for (space, stage), (begin, end) in sorted(graph.times.items(), key=lambda one: one[1][1]):
            print(f"{begin:8.1f} {end:8.1f}  {space}/{stage}")


if __name__ == "__main__":
    main()
