"""Runs plans: cuts stages into shards as their inputs finish, keeps the workers busy, and counts receipts.

The engine sends names and gets receipts; data never passes through it. All spaces of a run share one queue, in which
shards of stages with the longest chain of stages behind them go first, then the dearest. Submission is bounded, a
failed shard is tried again, and one that keeps failing is named after the running ones were allowed to finish. Shards
too small to be worth a message of their own are sent in bundles; each still has its own files and its own receipt.
"""

import heapq
import itertools
import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from boardspace.pipeline.claims import judge, write_claims
from boardspace.pipeline.complete import is_complete, mark_complete
from boardspace.pipeline.errors import BoardspaceError
from boardspace.pipeline.plan import Work, cut
from boardspace.pipeline.space import Shard, Stage
from boardspace.pipeline.storage.receipts import Receipt, StageRecord, work_digest
from boardspace.pipeline.storage.records import canonical_json, read_record
from boardspace.pipeline.storage.run_folder import FinishedStages, SpaceFolder, write_stage
from boardspace.pipeline.task import Done, Task, run_bundle

# Shards too small to be worth a message of their own travel together.
BUNDLE_SECONDS = 0.5
BUNDLE_TASKS = 64


class WorkerDiedError(BoardspaceError):
    """The process that computed a shard died under it."""


class ShardFailedError(BoardspaceError):
    """A shard failed as often as it was allowed to; the text names it and what it was given."""


class Workers(Protocol):
    """Where bundles of tasks run. Several may be under way; each comes back once, in any order."""

    @property
    def slots(self) -> int:
        """How many bundles can run at the same time, at the moment."""

    def submit(self, bundle: Sequence[Task]) -> None:
        """Start a bundle."""

    def next_done(self) -> Sequence[Done]:
        """Wait for a bundle under way and return its tasks with their receipts or failures."""

    def waiting(self, tasks: int) -> None:
        """Learn how many tasks wait for a slot: a cluster that grows by demand starts workers for them."""

    def cancel(self) -> None:
        """Give up what is under way."""


class Listener(Protocol):
    """Hears how a run goes on."""

    def stage_cut(self, space: str, stage: Stage, shards: int, done: int) -> None:
        """A stage was cut into shards, of which some were done by an earlier run."""

    def shard_done(self, task: Task, receipt: Receipt) -> None:
        """A shard is done."""

    def shard_failed(self, task: Task, error: BaseException, again: bool) -> None:
        """A shard failed and will be tried again, or not."""

    def space_done(self, space: str, swept: Sequence[Path]) -> None:
        """A dataset is complete; ``swept`` are files that were moved out of it."""


@dataclass
class SpaceSummary:
    """What a run did for one space."""

    shards: int = 0
    skipped: int = 0
    rows: int = 0
    bytes: int = 0
    seconds: float = 0.0
    stages: dict[str, float] = field(default_factory=dict)

    def count(self, stage: str, receipt: Receipt, skipped: bool) -> None:
        """Add one receipt; ``seconds`` are the worker's."""
        self.shards += 1
        self.skipped += skipped
        self.rows += receipt.rows
        self.bytes += sum(file.bytes for file in receipt.files)
        if not skipped:
            self.seconds += receipt.seconds
            self.stages[stage] = self.stages.get(stage, 0.0) + receipt.seconds


def run(
    work: Sequence[Work], root: Path, workers: Workers, listener: Listener, retries: int
) -> dict[str, SpaceSummary]:
    """Run every space of ``work`` into ``root`` and return what was done for each.

    Raises ShardFailedError when a shard failed ``retries`` + 1 times; everything finished by then stays finished.
    """
    runs = {w.space.name: _SpaceRun(w, SpaceFolder(root, w.space.name), listener) for w in work}
    queue = _Queue()
    failures = _Failures(retries, listener)
    running = 0
    for space_run in runs.values():
        queue.add(space_run.advance())
    while running or (queue and not failures.final):
        # One bundle a slot and no more: when a worker dies, what it had is what was running.
        while queue and not failures.final and running < workers.slots:
            workers.submit(queue.pop_bundle(workers.slots))
            running += 1
        workers.waiting(len(queue))
        bundle = workers.next_done()
        running -= 1
        for task, result in bundle:
            if isinstance(result, Receipt):
                listener.shard_done(task, result)
                queue.add(runs[task.space].finish_shard(task, result))
            elif failures.allow_again(task, result, suspects=len(bundle)):
                queue.add_alone(task)
    if failures.final is not None:
        raise failures.final
    return {name: space_run.summary for name, space_run in runs.items()}


class _Failures:
    """Counts failed attempts; ``final`` is the first shard's failure that used up its attempts."""

    def __init__(self, retries: int, listener: Listener) -> None:
        self.retries = retries
        self.listener = listener
        self.final: ShardFailedError | None = None
        self._attempts: dict[str, int] = {}

    def allow_again(self, task: Task, error: BaseException, suspects: int) -> bool:
        """Whether a failed shard is to be tried again; a death among several ``suspects`` counts against none."""
        if isinstance(error, WorkerDiedError) and suspects > 1:
            return True
        attempts = self._attempts[task.label] = self._attempts.get(task.label, 0) + 1
        again = attempts <= self.retries and self.final is None
        self.listener.shard_failed(task, error, again)
        if not again and self.final is None:
            self.final = _failure(task, error, attempts)
        return again


class _Queue:
    """Tasks by priority: (chain length, cost), highest first; equal ones in order of arrival."""

    def __init__(self) -> None:
        self._heap: list[tuple[float, float, int, Task]] = []
        self._arrival = itertools.count()
        self._alone: list[Task] = []

    def add(self, tasks: Sequence[tuple[int, Task]]) -> None:
        for chain, task in tasks:
            heapq.heappush(self._heap, (-chain, -task.shard.cost, next(self._arrival), task))

    def add_alone(self, task: Task) -> None:
        """A task to be tried again, in a bundle of its own, next."""
        self._alone.append(task)

    def pop_bundle(self, slots: int) -> list[Task]:
        """The next task, and after a cheap one as many more as make a bundle worth sending."""
        if self._alone:
            return [self._alone.pop()]
        most = max(1, min(BUNDLE_TASKS, len(self._heap) // slots))
        bundle = [heapq.heappop(self._heap)[-1]]
        seconds = bundle[0].shard.cost
        while len(bundle) < most and seconds + self._heap[0][-1].shard.cost <= BUNDLE_SECONDS:
            bundle.append(heapq.heappop(self._heap)[-1])
            seconds += bundle[-1].shard.cost
        return bundle

    def __len__(self) -> int:
        return len(self._heap) + len(self._alone)


class _SpaceRun:
    """One space on its way: which stages are finished, which shards of the others are still out."""

    def __init__(self, work: Work, folder: SpaceFolder, listener: Listener) -> None:
        self.work = work
        self.folder = folder
        self.listener = listener
        self.summary = SpaceSummary()
        self.stages = work.space.stages(work.config)
        self.chains = _chain_lengths(self.stages)
        self.inputs = FinishedStages(folder, work.space)
        self.finished: dict[str, str] = {}  # stages and the digests of what they wrote
        self.started: set[str] = set()
        self.out: dict[str, set[str]] = {}
        self.receipts: dict[str, dict[str, Receipt]] = {}
        self.config = work.config.model_dump_json()

    def advance(self) -> list[tuple[int, Task]]:
        """Start every stage whose inputs are finished; the tasks that have to be done, with their priority."""
        tasks: list[tuple[int, Task]] = []
        ready = self._ready()
        while ready:
            for stage in ready:
                tasks += self._start(stage)
            ready = self._ready()
        if len(self.finished) == len(self.stages):
            self._complete()
        return tasks

    def finish_shard(self, task: Task, receipt: Receipt) -> list[tuple[int, Task]]:
        """Count a receipt; the tasks of the stages that may start now."""
        self.summary.count(task.stage, receipt, skipped=False)
        self.receipts[task.stage][task.shard.name] = receipt
        self.out[task.stage].discard(task.shard.name)
        if self.out[task.stage]:
            return []
        self._finish_stage(task.stage)
        return self.advance()

    def _ready(self) -> list[Stage]:
        return [s for s in self.stages.values() if s.name not in self.started and self.finished.keys() >= set(s.after)]

    def _start(self, stage: Stage) -> list[tuple[int, Task]]:
        self.started.add(stage.name)
        shards = {shard.name: shard for shard in cut(stage, self.work.config, self.inputs)}
        work = {name: work_digest(stage, shard, self.finished) for name, shard in shards.items()}
        done = self._done_before(stage.name, work)
        for receipt in done.values():
            self.summary.count(stage.name, receipt, skipped=True)
        self.receipts[stage.name] = done
        self.out[stage.name] = shards.keys() - done.keys()
        self.listener.stage_cut(self.work.space.name, stage, len(shards), len(done))
        if not self.out[stage.name]:
            self._finish_stage(stage.name)
            return []
        self.folder.complete.unlink(missing_ok=True)
        out = sorted(self.out[stage.name])
        return [(self.chains[stage.name], self._task(stage, shards[name], work[name])) for name in out]

    def _done_before(self, stage: str, work: Mapping[str, str]) -> dict[str, Receipt]:
        """Receipts of an earlier run for exactly this work, digests by the shards' names."""
        record = read_record(self.folder.stage(stage), StageRecord)
        kept = {receipt.shard: receipt for receipt in record.receipts} if record else {}
        done = {}
        for name, digest in work.items():
            receipt = kept.get(name)
            if receipt is None or receipt.work != digest or not self.folder.is_whole(receipt):
                receipt = self.folder.done(stage, name, digest)
            if receipt is not None:
                done[name] = receipt
        return done

    def _finish_stage(self, stage: str) -> None:
        self.finished[stage] = write_stage(self.folder, stage, self.receipts[stage]).digest

    def _task(self, stage: Stage, shard: Shard, work: str) -> Task:
        root, plan = self.folder.root, self.work.plan.digest
        return Task(root, self.work.space.name, self.config, plan, stage.name, shard, work)

    def _complete(self) -> None:
        """Judge the claims, sweep strangers out and write COMPLETE, unless an earlier run did all that."""
        receipts = [receipt for stage in self.stages for receipt in self.receipts[stage].values()]
        swept = self.folder.sweep(receipts)
        if not is_complete(self.folder, self.work.plan.digest):
            verdicts = judge(self.work.space, self.work.config, self.inputs)
            claims = write_claims(self.folder.root, self.work.space.name, verdicts)
            mark_complete(self.folder, self.work.plan.digest, receipts, claims)
        self.listener.space_done(self.work.space.name, swept)


def _chain_lengths(stages: Mapping[str, Stage]) -> dict[str, int]:
    """For each stage how many stages the longest chain that waits for it has."""
    lengths = dict.fromkeys(stages, 1)
    for stage in reversed(list(stages.values())):
        for before in stage.after:
            if before not in stages:
                raise ValueError(f"stage {stage.name!r} comes after {before!r}, which is not a stage")
            lengths[before] = max(lengths[before], lengths[stage.name] + 1)
    return lengths


def _failure(task: Task, error: BaseException, attempts: int) -> ShardFailedError:
    cause = "".join(traceback.format_exception_only(error)).strip()
    return ShardFailedError(
        f"shard {task.label} failed {attempts} time(s): {cause}\n"
        f"  its parameters: {canonical_json(task.shard.params)}\n"
        f"  finished shards are kept: mend the cause and run the same command again"
    )


class InProcess:
    """Bundles in this very process, one after the other: the same path without Dask, for debugging."""

    slots = 1

    def __init__(self) -> None:
        self._bundles: list[Sequence[Task]] = []

    def submit(self, bundle: Sequence[Task]) -> None:
        """See :class:`Workers`."""
        self._bundles.append(bundle)

    def next_done(self) -> Sequence[Done]:
        """See :class:`Workers`."""
        return run_bundle(self._bundles.pop(0))

    def waiting(self, tasks: int) -> None:
        """See :class:`Workers`."""

    def cancel(self) -> None:
        """See :class:`Workers`."""
        self._bundles.clear()
