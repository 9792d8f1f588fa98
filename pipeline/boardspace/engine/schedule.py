"""Schedule of a dataset: which of its stages are cut, under way and finished, and what may follow."""

import itertools
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from boardspace.engine.events import SpaceSummary
from boardspace.engine.graph import Key, Node, Nodes
from boardspace.engine.packed_shards import PackedShards
from boardspace.engine.work import (
    RunDataset,
    StageCut,
    StageDone,
    complete_dataset,
    cut_stage,
    finish_stage,
    run_bundle,
)
from boardspace.spec.space import Stage
from boardspace.spec.stages import seconds_behind

# Shards too small to be worth a task of their own travel together.
BUNDLE_SECONDS = 0.5
BUNDLE_SHARDS = 64
# Bundles of a stage that bring their receipts to its finish; of more, they would fill the memory of whoever holds them,
# and the finish reads them in the run's folder.
MOST_BROUGHT = 10_000
# What is left to a dataset when all its stages are finished goes before anything else, and before the last stage, which
# goes before all others: it is one shard of seconds, and at the end of a run the other workers would wait for it.
FIRST = 1_000_000_000
LAST_STAGE = FIRST // 2


@dataclass(frozen=True)
class StageNodes:
    """Nodes of a stage: its bundles of shards, the most expensive first, then its finish, which needs them all.

    Each is made when it is asked for, from the packed shards of the cut: so a stage takes no more memory for all its
    nodes than its cut does.

    dataset: of the stage.
    cut: of the stage.
    ends: of the bundles, in the shards of the cut.
    first: number of the key of the first node; those of the others follow.
    shard_seconds: time limit of a shard.
    finished: digests of the records of the stages finished before, by stage.
    following: stages that the finish cuts.
    gpu: its shards use a GPU where there is one.
    """

    dataset: RunDataset
    cut: StageCut
    ends: "array[int]"
    first: int
    shard_seconds: float
    finished: dict[str, str]
    following: tuple[str, ...]
    gpu: bool = False

    def __len__(self) -> int:
        return len(self.ends) + 1

    def __iter__(self) -> Iterator[Node]:
        brings = len(self.ends) <= MOST_BROUGHT
        for key in self._keys():
            bundle = self.bundle(key)
            arguments = (self.dataset, self.cut.stage, self.cut.inputs, bundle, self.shard_seconds, brings)
            yield Node(key, run_bundle, arguments, reports=True, gpu=self.gpu)
        needs = tuple(self._keys())
        rest = (self.dataset, self.cut, self.finished, self.following, *(() if needs else ([],)))
        yield Node((f"{self._name}-finish", self.first + len(needs)), finish_stage, rest, needs, wanted=True)

    def has_bundle(self, key: Key) -> bool:
        """True where a key is that of a bundle."""
        return self.first <= key[1] < self.first + len(self.ends) and key[0] == self._name

    def shards(self, key: Key) -> int:
        """Number of shards of a bundle."""
        return len(self._range(key))

    def bundle(self, key: Key) -> PackedShards:
        """The shards of a bundle."""
        numbers = self._range(key)
        return self.cut.todo[numbers.start : numbers.stop]

    @property
    def _name(self) -> str:
        return f"{self.dataset.space}/{self.cut.stage}"

    def _keys(self) -> Iterator[Key]:
        return zip(itertools.repeat(self._name), range(self.first, self.first + len(self.ends)), strict=False)

    def _range(self, key: Key) -> range:
        number = key[1] - self.first
        return range(self.ends[number - 1] if number else 0, self.ends[number])


class Schedule:
    """Schedule of one dataset: its methods take what a worker returned, and give ``add`` the nodes that follow from
    it, with their priority."""

    def __init__(
        self,
        dataset: RunDataset,
        stages: dict[str, Stage],
        shard_seconds: float,
        slots: int,
        add: Callable[[Nodes, int], None],
    ) -> None:
        self.dataset = dataset
        self.stages = stages
        self.shard_seconds = shard_seconds
        self.slots = slots
        self.add = add
        self.behind = seconds_behind(stages)
        self.planned = {name: stage.seconds for name, stage in stages.items()}  # of rounds that are to come
        self.summary = SpaceSummary()
        self.finished: dict[str, str] = {}  # stages and the digests of their records
        self.under_way: dict[str, StageNodes] = {}
        self.asked: set[str] = set()  # stages whose cut was asked for
        self._number = 0  # of the next key

    def cut_ready(self) -> None:
        """Add the cuts of the stages that wait for nothing more."""
        for stage in self._ready(set(self.finished)):
            self.asked.add(stage.name)
            arguments = (self.dataset, stage.name, dict(self.finished))
            node = Node(self._key(f"{stage.name}-cut"), cut_stage, arguments, wanted=True)
            self.add((node,), self._priority(stage.name, ()))

    def add_stage(self, cut: StageCut) -> None:
        """Add the shards of a stage, most expensive first, in bundles, and its finish, which needs them all."""
        following = self._following(cut)
        self.asked.update(following)
        ends = array("Q", bundle_ends(cut.todo, self.slots))
        gpu = self.stages[cut.stage].gpu and self.dataset.gpu != "no"
        finished = dict(self.finished)
        nodes = StageNodes(self.dataset, cut, ends, self._number, self.shard_seconds, finished, following, gpu)
        self._number += len(nodes)
        self.under_way[cut.stage] = nodes
        self.add(nodes, self._priority(cut.stage, cut.todo.costs))

    def with_bundle(self, key: Key) -> StageNodes | None:
        """The stage with this bundle; None where the key is that of another node."""
        return next((nodes for nodes in self.under_way.values() if nodes.has_bundle(key)), None)

    def finish(self, done: StageDone) -> None:
        """Add what may start now that a stage, or a round of it, is finished; it brought some cuts itself."""
        self.summary.count(self.under_way.pop(done.stage).cut, done)
        if done.again:
            return
        self.finished[done.stage] = done.digest
        if len(self.finished) == len(self.stages):
            arguments = (self.dataset, dict(self.finished))
            self.add((Node(self._key("complete"), complete_dataset, arguments, wanted=True),), FIRST)
        self.cut_ready()

    def _following(self, cut: StageCut) -> tuple[str, ...]:
        """The stages that the finish of a stage cuts: itself where it repeats and had shards, else those it frees."""
        if self.stages[cut.stage].repeats and (cut.todo or cut.done):
            return (cut.stage,)
        return tuple(stage.name for stage in self._ready({*self.finished, cut.stage}))

    def _priority(self, name: str, costs: Sequence[float]) -> int:
        """Planned milliseconds from the start of these shards of a stage to the end of the longest chain behind it."""
        if name == list(self.stages)[-1]:
            return LAST_STAGE
        seconds = max(sum(costs) / self.slots, max(costs, default=0.0))
        if self.stages[name].repeats:
            seconds = max(seconds, self.planned[name])
            self.planned[name] -= sum(costs)
        return min(LAST_STAGE - 1, int(1000 * (seconds + self.behind[name])))

    def _ready(self, finished: set[str]) -> list[Stage]:
        """Stages whose inputs are ``finished`` and whose cut was not asked for yet."""
        return [
            s for s in self.stages.values() if s.name not in self.asked and finished.issuperset({*s.after} - {s.name})
        ]

    def _key(self, name: str) -> Key:
        self._number += 1
        return (f"{self.dataset.space}/{name}", self._number - 1)


def bundle_ends(todo: PackedShards, slots: int) -> Iterator[int]:
    """Ends of the bundles in a stage's shards, most expensive first: cheap shards travel together, but never so many
    that a slot would be left without work."""
    most = max(1, min(BUNDLE_SHARDS, len(todo) // max(1, slots)))
    start, seconds = 0, 0.0
    for number, cost in enumerate(todo.costs):
        if number > start and (number - start == most or seconds + cost > BUNDLE_SECONDS):
            yield number
            start, seconds = number, 0.0
        seconds += cost
    if todo:
        yield len(todo)
