"""Runs as job arrays: numbered tasks in the run's folder, which any batch system or a shell starts as processes.

The loop, the cuts and the receipts are those of every run (:mod:`boardspace.engine.loop`); only the graph is another.
It runs cuts and finishes at once, in this process, and writes the bundles of shards as the tasks of a *job array* into
the folder. Whoever computes a task leaves receipts. By these :func:`advance` sees what is done: it finishes stages,
cuts those that follow, and writes the next job array, which also holds what the one before left undone. So each step
may be repeated, killed, or done twice.
"""

import itertools
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import AfterValidator, Field, NonNegativeInt

from boardspace.engine import compilation, loop
from boardspace.engine.config import Config
from boardspace.engine.events import Listener, ShardFailedError, cause_of
from boardspace.engine.gpu import GpuUse
from boardspace.engine.graph import Ended, InProcess, Nodes
from boardspace.engine.machine import MOST_SECONDS
from boardspace.engine.packed_shards import CutShard
from boardspace.engine.plan import Work, recorded_work, saved_plan
from boardspace.engine.run import Resume, prepared
from boardspace.engine.work import Inputs, RunDataset, ShardError, done_by_now, run_bundle
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import lines_of
from boardspace.spec.space import Shard, Stage
from boardspace.spec.texts import counted
from boardspace.storage.locations import Location, inner_path
from boardspace.storage.ownership import refuse_taken_folder
from boardspace.storage.records import Record, digest_of, read_record, write_record
from boardspace.storage.run_folder import locked
from boardspace.storage.stored import stored

FOLDER = ".run/jobs"
ARRAY = f"{FOLDER}/array.json"
# Tasks of one file: a process that computes a task reads no more of the array than this.
PAGE = 256
MOST_TASKS = 1 << 32


class JobError(BoardspaceError):
    """There is no such task, or no job array at all; the text says what to do."""


class TaskShard(Record):
    """Shard of a task: a :class:`boardspace.spec.stage.Shard` and the digest of its work."""

    name: Annotated[str, AfterValidator(inner_path)]
    params: dict[str, Any]
    cost: float
    work: str


class JobTask(Record):
    """One task: shards of a stage, and the digests of the records of the stages before it."""

    space: str
    stage: str
    inputs: tuple[tuple[str, str], ...]
    shards: Annotated[tuple[TaskShard, ...], Field(min_length=1)]


class Page(Record):
    """Tasks that lie in one file."""

    tasks: tuple[JobTask, ...]


class OpenStage(Record):
    """Stage with shards in the array: how many are left of how many, and its inputs, as tasks have them."""

    space: str
    stage: str
    inputs: tuple[tuple[str, str], ...]
    left: NonNegativeInt
    shards: NonNegativeInt


class JobArray(Record):
    """Tasks of a run that may be computed at the same time; those themselves lie in pages beside it.

    spaces: that the run is of.
    shard_seconds: time limit of a shard; 0 for none.
    gpu: use of GPUs by shards.
    tasks: their number; 0 where the run is complete.
    pages: name of the folder with the files of tasks.
    stages: that the tasks are of.
    """

    spaces: Annotated[tuple[str, ...], Field(min_length=1)]
    shard_seconds: Annotated[float, Field(ge=0, le=MOST_SECONDS)]
    gpu: GpuUse = "auto"
    tasks: Annotated[int, Field(ge=0, le=MOST_TASKS)]
    pages: Annotated[str, Field(pattern="^[0-9a-f]{16}$")]
    stages: tuple[OpenStage, ...]


@dataclass(frozen=True)
class Advanced:
    """A run that was taken as far as its receipts allow.

    array: what is to be computed next.
    missing: names of shards that the array before had and that have no receipt yet, by ``SPACE/STAGE``.
    complete: datasets that are complete.
    swept: files that were moved out of them.
    """

    array: JobArray
    missing: Mapping[str, Sequence[str]]
    complete: Sequence[str]
    swept: Sequence[Location]


@dataclass(frozen=True)
class Computed:
    """Tasks that this process computed, or found done: their number, and the shards and rows of these."""

    tasks: int
    shards: int
    rows: int


def plan_jobs(config: Config, root: Location, resume: Resume, warn: Callable[[str], None]) -> Advanced:
    """Begin a run of ``config`` in the folder ``root``, or go on with one, and write its job array."""
    root = root.absolute()
    refuse_taken_folder(root, plan_may_be_lost=resume.anew)
    with locked(root, warn, resume.break_lock):
        return _advance(prepared(config, root, resume), root, config.run.shard_seconds, config.run.gpu, None)


def advance(root: Location, warn: Callable[[str], None], break_lock: bool = False) -> Advanced:
    """Finish the stages whose shards all have receipts, cut those that follow, and write the next job array.

    Raises JobError where no run was begun here by :func:`plan_jobs`.
    """
    root = root.absolute()
    job_array(root)
    with locked(root, warn, break_lock):
        before = job_array(root)
        work = [one for one in recorded_work(root) if one.space.name in before.spaces]
        _require_planned(root, before, {one.space.name for one in work})
        return _advance(work, root, before.shard_seconds, before.gpu, before)


def job_array(root: Location) -> JobArray:
    """The job array in a run's folder; JobError where there is none, or it is torn or altered."""
    found = read_record(root / ARRAY, JobArray)
    if found is None and stored(root / ARRAY).exists():
        raise JobError(f"{root / ARRAY}: torn or altered; write it again with: boardspace jobs {root} CONFIG")
    if found is None:
        raise JobError(f"{root}: no job array here; begin with: boardspace jobs {root} CONFIG")
    return found


def run_tasks(root: Location, number: int, step: int | None, listener: Listener) -> Computed:
    """Compute a task of the job array in this process; with ``step`` also each ``step``-th after it.

    Raises:
        JobError: the array has no such task (with ``step``, that is no fault: there is nothing to do).
        ShardFailedError: shards failed, as ``listener`` heard; all others of these tasks were computed before.
    """
    root = root.absolute()
    array = job_array(root)
    if step is None and number >= array.tasks:
        raise JobError(f"{root}: of {counted(array.tasks, 'task')}, numbered from 0, none has the number {number}")
    computed, failures, rows = 0, [], 0
    plans = saved_plan(root).spaces
    _require_planned(root, array, plans.keys())
    datasets = {name: RunDataset(root, name, plans[name].model_dump_json(), array.gpu) for name in array.spaces}
    numbers = range(number, array.tasks, step or array.tasks) if number < array.tasks else range(0)
    names = [name for name in array.spaces if any(stage.space == name for stage in array.stages)] if numbers else []
    needs = compilation.needs({name: datasets[name].work().config for name in names})
    compilation.fill(needs, lambda space: listener.warned(f"compiling the kernels of {space} (once per machine)"))
    for task in _tasks(root, array, datasets, numbers):
        bundle = [CutShard(Shard(one.name, one.params, one.cost), one.work) for one in task.shards]
        try:
            receipts = _computed(datasets[task.space], task, bundle, array.shard_seconds)
        except ShardError as error:
            listener.shard_failed(error.shard, error.cause, again=False)
            failures.append(error)
        else:
            computed += len(receipts)
            rows += sum(receipt.rows for receipt in receipts)
            listener.shards_done(task.space, task.stage, len(receipts))
    if failures:
        raise _failed(failures) from cause_of(failures[0])
    return Computed(len(numbers), computed, rows)


def _computed(dataset: RunDataset, task: JobTask, bundle: Sequence[CutShard], seconds: float) -> Sequence[Any]:
    """The receipts of a task; one that fails here is no failure where another process has done it meanwhile."""
    try:
        return run_bundle(dataset, task.stage, task.inputs, bundle, seconds)
    except ShardError:
        attempt = dataset.folder.attempt(task.stage, bundle[0].shard.name)
        receipts = [done_by_now(dataset.folder, attempt, todo) for todo in bundle]
        if not all(receipts):
            raise
        return [receipt for receipt in receipts if receipt is not None]


def _failed(failures: Sequence[ShardError]) -> ShardFailedError:
    """The error of a process of which tasks failed, one each; a shard that would fail again goes before others."""
    first = min(failures, key=lambda failure: not failure.lasting)
    again = "computed again, it would fail again" if first.lasting else "it may not fail again"
    return ShardFailedError(
        f"{counted(len(failures), 'task')} failed, one with shard {first.shard}: {again}; mend the cause and "
        f"compute the task again, finished shards are kept; {first.shown}{lines_of(first.frames)}",
        first,
    )


class _ShardsElsewhere(InProcess):
    """Graph that runs cuts and finishes in this process, and keeps the bundles of shards for other processes."""

    def __init__(self) -> None:
        super().__init__()
        self._kept = InProcess()

    def add(self, nodes: Nodes, priority: int) -> None:
        """Keep bundles of shards for other processes; queue cuts and the finishes that need no shards."""
        for node in nodes:
            if node.reports:
                self._kept.add([node], priority)
            elif not node.needs:  # a finish that needs shards is for the next time
                super().add([node], priority)

    def next_ended(self) -> Ended | None:
        """Run the next cut or finish; None where only bundles of shards are left."""
        return super().next_ended() if self._heap else None

    def tasks(self) -> Iterator[JobTask]:
        """The bundles of shards as tasks, those that should start first in front."""
        for node, _ in self._kept.taken():
            dataset, stage, inputs, bundle, *_ = node.arguments
            shards = [
                TaskShard(name=todo.shard.name, params=dict(todo.shard.params), cost=todo.shard.cost, work=todo.work)
                for todo in bundle
            ]
            yield JobTask(space=dataset.space, stage=stage, inputs=inputs, shards=tuple(shards))


class _Recorder(Listener):
    """Notes how many shards each stage was cut into, and which datasets are complete."""

    def __init__(self) -> None:
        self.shards: dict[tuple[str, str], int] = {}
        self.complete: list[str] = []
        self.swept: list[Location] = []

    def stage_cut(self, space: str, stage: Stage, shards: int, done: int) -> None:
        self.shards[space, stage.name] = shards

    def space_done(self, space: str, swept: Sequence[Location]) -> None:
        self.complete.append(space)
        self.swept += swept


def _advance(work: list[Work], root: Location, shard_seconds: float, gpu: GpuUse, before: JobArray | None) -> Advanced:
    graph, recorder = _ShardsElsewhere(), _Recorder()
    loop.run(work, root, graph, recorder, loop.Limits(shard_seconds=shard_seconds, gpu=gpu))
    tasks = list(graph.tasks())
    left: dict[tuple[str, str, Inputs], list[str]] = {}
    for task in tasks:
        left.setdefault((task.space, task.stage, task.inputs), []).extend(shard.name for shard in task.shards)
    array = JobArray(
        spaces=tuple(one.space.name for one in work),
        shard_seconds=shard_seconds,
        gpu=gpu,
        tasks=len(tasks),
        pages=digest_of([task.model_dump(mode="json") for task in tasks])[:16],
        stages=tuple(
            OpenStage(space=space, stage=stage, inputs=inputs, left=len(names), shards=recorder.shards[space, stage])
            for (space, stage, inputs), names in left.items()
        ),
    )
    _write(root, array, tasks)
    known = {(one.space, one.stage, one.inputs) for one in before.stages} if before else set()
    missing = {f"{key[0]}/{key[1]}": names for key, names in left.items() if key in known}
    return Advanced(array, missing, recorder.complete, recorder.swept)


def _write(root: Location, array: JobArray, tasks: Sequence[JobTask]) -> None:
    """Write the pages, then the array, then delete pages of arrays before: who reads one finds it whole, or is told."""
    for number, start in enumerate(range(0, len(tasks), PAGE)):
        write_record(_page(root, array, number), Page(tasks=tuple(tasks[start : start + PAGE])), "jobs")
    write_record(root / ARRAY, array, "jobs")
    there = stored(root / FOLDER)
    for folder in {name.split("/")[0] for name in there.names() if "/" in name} - {array.pages}:
        stored(root / FOLDER / folder).remove_all()


def _page(root: Location, array: JobArray, number: int) -> Location:
    return root / FOLDER / array.pages / f"{number:06}.json"


def _tasks(root: Location, array: JobArray, datasets: Mapping[str, RunDataset], numbers: range) -> Iterator[JobTask]:
    """The tasks of these numbers; JobError where the array lacks one, or has one that is of no stage of the run."""
    for page, group in itertools.groupby(numbers, lambda number: number // PAGE):
        found = read_record(_page(root, array, page), Page)
        tasks = found.tasks if found else ()
        for number in group:
            task = tasks[number % PAGE] if number % PAGE < len(tasks) else None
            if task is None or task.space not in datasets or task.stage not in datasets[task.space].stages():
                raise JobError(
                    f"{root}: task {number} of the job array was replaced meanwhile, or is torn or altered; write the "
                    f"array again with: boardspace advance {root}"
                )
            yield task


def _require_planned(root: Location, array: JobArray, planned: Collection[str]) -> None:
    """JobError where the array is of a space that the run's plan does not have."""
    lacking = [name for name in array.spaces if name not in planned]
    if lacking:
        raise JobError(
            f"{root}: its plan has no {lacking[0]} any more; begin again with: boardspace jobs {root} CONFIG"
        )
