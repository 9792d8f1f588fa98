"""Runs plans: the loop that hears what ended and adds to the graph what follows from it.

A run is a graph that grows. A *cut* of a stage tells its shards; these, and the stage's *finish*, which needs them all
and writes the stage's record, are added at once; the finish brings the cuts of the stages after it. The loop sends
names and gets digests: data never passes through it. All datasets of a run share one graph, in which stages with the
longest planned chain behind them go first, and dear shards before cheap ones. Queueing, retries and the places where
nodes run are the graph's (:mod:`boardspace.engine.graph`).
"""

from collections.abc import Sequence
from dataclasses import dataclass

from boardspace.engine.events import Listener, ShardFailedError, SpaceSummary, WorkerDiedError, cause_of
from boardspace.engine.gpu import GpuUse
from boardspace.engine.graph import Ended, Nodes, TaskGraph
from boardspace.engine.plan import Work
from boardspace.engine.schedule import Schedule
from boardspace.engine.work import RunDataset, ShardError, StageCut, StageDone, done_by_now, label_of, shown
from boardspace.spec.registry import lines_of
from boardspace.spec.stages import stages_of
from boardspace.spec.texts import counted
from boardspace.storage.locations import Location


@dataclass(frozen=True)
class Limits:
    """Limits of a run.

    retries: how often a failed shard is tried again.
    slots: number of workers that small shards should be spread over.
    shard_seconds: time limit of a shard; 0 for none.
    gpu: use of GPUs by shards.
    """

    retries: int = 0
    slots: int = 1
    shard_seconds: float = 0.0
    gpu: GpuUse = "no"


def run(
    work: Sequence[Work], root: Location, graph: TaskGraph, listener: Listener, limits: Limits
) -> dict[str, SpaceSummary]:
    """Run every space of ``work`` into ``root``, as far as the graph does so itself, and return what was done for each.

    Raises ShardFailedError when a shard failed as often as ``limits`` allow; everything finished by then stays
    finished.
    """
    return _Loop(work, root, graph, listener, limits).run()


class _Loop:
    """The datasets of a run, and how many of their nodes are in the graph."""

    def __init__(
        self, work: Sequence[Work], root: Location, graph: TaskGraph, listener: Listener, limits: Limits
    ) -> None:
        self.graph, self.listener, self.limits = graph, listener, limits
        self.running = 0
        self.schedules: dict[str, Schedule] = {}
        for one in work:
            stages = dict(stages_of(one.space, one.config))
            dataset = RunDataset(root, one.space.name, one.plan.model_dump_json(), limits.gpu)
            self.schedules[one.space.name] = Schedule(dataset, stages, limits.shard_seconds, limits.slots, self._add)

    def run(self) -> dict[str, SpaceSummary]:
        for schedule in self.schedules.values():
            schedule.cut_ready()
        while self.running and (ended := self.graph.next_ended()) is not None:
            self.running -= 1
            schedule = self.schedules[ended.key[0].split("/", 1)[0]]
            if ended.error is not None:
                self.graph.stop()
                failed = ended.error
                cause = cause_of(failed) if isinstance(failed, ShardError) else failed.__cause__
                raise self._explained(schedule, ended, failed) from cause
            self._follow(schedule, ended)
        return {name: schedule.summary for name, schedule in self.schedules.items()}

    def _add(self, nodes: Nodes, priority: int) -> None:
        self.graph.add(nodes, priority)
        self.running += len(nodes)

    def _follow(self, schedule: Schedule, ended: Ended) -> None:
        space = schedule.dataset.space
        if (nodes := schedule.with_bundle(ended.key)) is not None:
            self.listener.shards_done(space, nodes.cut.stage, nodes.shards(ended.key))
        elif isinstance(ended.result, StageCut):
            self._begin_stage(schedule, ended.result)
        elif isinstance(ended.result, StageDone):
            schedule.finish(ended.result)
            for cut in ended.result.following:
                self._begin_stage(schedule, cut)
        else:
            self.listener.space_done(space, ended.result)

    def _begin_stage(self, schedule: Schedule, cut: StageCut) -> None:
        stage = schedule.stages[cut.stage]
        done = len(cut.done) + cut.passed.shards
        self.listener.stage_cut(schedule.dataset.space, stage, len(cut.todo) + done, done)
        schedule.add_stage(cut)

    def _explained(self, schedule: Schedule, ended: Ended, error: BaseException) -> BaseException:
        """Error, for the user, of a node that failed for good."""
        nodes = schedule.with_bundle(ended.key)
        if isinstance(error, WorkerDiedError) and nodes is not None:
            # Shards of a bundle run in order and leave receipts: the first without one is where the workers died.
            folder, stage, bundle = schedule.dataset.folder, nodes.cut.stage, nodes.bundle(ended.key)
            attempt = folder.attempt(stage, bundle[0].shard.name)
            fatal = next((todo for todo in bundle if done_by_now(folder, attempt, todo) is None), bundle[-1])
            error = ShardError(label_of(schedule.dataset, stage, fatal.shard), str(error), shown(fatal.shard))
        if not isinstance(error, ShardError):
            return error
        self.listener.shard_failed(error.shard, error.cause, again=False)
        often, what = f" {counted(self.limits.retries + 1, 'time')}", "finished shards are kept"
        again = "mend the cause and run the same command again"
        if error.lasting:
            often, what = "", "it would fail again"
            again = "mend the cause and run with --fresh, or with --keep where finished shards are right all the same"
        text = f"shard {error.shard} failed{often}: {error.cause}{lines_of(error.frames)}\n"
        return ShardFailedError(f"{text}  {error.shown}\n  {what}: {again}", error)
