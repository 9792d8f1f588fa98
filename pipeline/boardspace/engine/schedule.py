"""Schedule of a dataset: which of its stages are cut, under way and finished, and what may follow."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from boardspace.engine.events import SpaceSummary
from boardspace.engine.graph import Key, Node
from boardspace.engine.work import (
    RunDataset,
    StageCut,
    StageDone,
    Todo,
    complete_dataset,
    cut_stage,
    finish_stage,
    run_bundle,
)
from boardspace.spec.space import Stage
from boardspace.spec.stages import priorities

# Shards too small to be worth a task of their own travel together.
BUNDLE_SECONDS = 0.5
BUNDLE_SHARDS = 64
# What is left to a dataset when all its stages are finished goes before anything else.
FIRST = 1_000_000


@dataclass(frozen=True)
class Added:
    """Nodes to add to the graph, and their priority."""

    nodes: tuple[Node, ...]
    priority: int


@dataclass
class Bundle:
    """Shards of one task, all of the same stage."""

    stage: str
    todo: tuple[Todo, ...]


class Schedule:
    """Schedule of one dataset: its methods take what a worker returned and give the nodes that follow from it."""

    def __init__(self, dataset: RunDataset, stages: dict[str, Stage], shard_seconds: float) -> None:
        self.dataset = dataset
        self.stages = stages
        self.shard_seconds = shard_seconds
        self.priorities = priorities(stages)
        self.summary = SpaceSummary()
        self.finished: dict[str, str] = {}  # stages and the digests of their records
        self.bundles: dict[Key, Bundle] = {}
        self.cuts: dict[str, StageCut] = {}
        self.asked: set[str] = set()  # stages whose cut was asked for
        self._numbers = itertools.count()

    def begin(self) -> list[Added]:
        """The cuts of the stages that wait for nothing."""
        return self._cut_ready()

    def add_stage(self, cut: StageCut, slots: int) -> list[Added]:
        """The shards of a stage, dearest first, in bundles, and its finish, which needs them all."""
        self.cuts[cut.stage] = cut
        shards = []
        for todo in self._bundled(cut, slots):
            key = self._key(cut.stage)
            self.bundles[key] = Bundle(cut.stage, todo)
            arguments = (self.dataset, cut.stage, cut.inputs, todo, self.shard_seconds)
            seconds = sum(one.shard.cost for one in todo)
            shards.append(Node(key, run_bundle, arguments, reports=True, seconds=seconds))
        needs = tuple(node.key for node in shards)
        following = self._following(cut)
        self.asked.update(following)
        rest = (self.dataset, cut, dict(self.finished), following, *(() if needs else ([],)))
        finish = Node(self._key(f"{cut.stage}-finish"), finish_stage, rest, needs, wanted=True)
        return [Added((*shards, finish), self.priorities[cut.stage])]

    def finish(self, done: StageDone) -> list[Added]:
        """Nodes that may start now that a stage, or a round of it, is finished; it brought some cuts itself."""
        self.summary.count(self.cuts.pop(done.stage), done)
        if done.again:
            return []
        self.finished[done.stage] = done.digest
        if len(self.finished) == len(self.stages):
            arguments = (self.dataset, dict(self.finished))
            return [Added((Node(self._key("complete"), complete_dataset, arguments, wanted=True),), FIRST)]
        return self._cut_ready()

    def _following(self, cut: StageCut) -> tuple[str, ...]:
        """The stages that the finish of a stage cuts: itself where it repeats and had shards, else those it frees."""
        if self.stages[cut.stage].repeats and (cut.todo or cut.done):
            return (cut.stage,)
        return tuple(stage.name for stage in self._ready({*self.finished, cut.stage}))

    def _cut_ready(self) -> list[Added]:
        added = []
        for stage in self._ready(set(self.finished)):
            self.asked.add(stage.name)
            arguments = (self.dataset, stage.name, dict(self.finished))
            node = Node(self._key(f"{stage.name}-cut"), cut_stage, arguments, wanted=True)
            added.append(Added((node,), self.priorities[stage.name]))
        return added

    def _ready(self, finished: set[str]) -> list[Stage]:
        """Stages whose inputs are ``finished`` and whose cut was not asked for yet."""
        return [
            s for s in self.stages.values() if s.name not in self.asked and finished.issuperset({*s.after} - {s.name})
        ]

    def _bundled(self, cut: StageCut, slots: int) -> Iterator[tuple[Todo, ...]]:
        """Dearest first; cheap shards together, but never so many that a slot would be left without work."""
        todo: Sequence[Todo] = sorted(cut.todo, key=lambda one: -one.shard.cost)
        most = max(1, min(BUNDLE_SHARDS, len(todo) // max(1, slots)))
        bundle: list[Todo] = []
        seconds = 0.0
        for one in todo:
            if bundle and (len(bundle) == most or seconds + one.shard.cost > BUNDLE_SECONDS):
                yield tuple(bundle)
                bundle, seconds = [], 0.0
            bundle.append(one)
            seconds += one.shard.cost
        if bundle:
            yield tuple(bundle)

    def _key(self, name: str) -> Key:
        return (f"{self.dataset.space}/{name}", next(self._numbers))
