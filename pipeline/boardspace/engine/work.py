"""Work of a worker: cut a stage, compute shards, finish a stage, complete a dataset. No Dask here.

Every function may be repeated: what has a receipt for the very same work is not done again, and a record that says the
same already is left alone. So a scheduler may send any of them twice, to whichever worker, whenever it sees fit.
"""

import contextlib
import functools
import itertools
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from boardspace.engine import leaving
from boardspace.engine.plan import SpacePlan, Work, cut, plan_differences, work_by
from boardspace.engine.progress import OnProgress, ShardProgress, ignored
from boardspace.engine.retention import Retention
from boardspace.engine.time_limit import time_limited
from boardspace.engine.todos import Todo, Todos
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named
from boardspace.spec.space import Shard, Stage
from boardspace.spec.stages import stages_of
from boardspace.storage.complete import complete_of, read_complete
from boardspace.storage.locations import Location
from boardspace.storage.receipt_files import Attempt
from boardspace.storage.receipts import Receipt, no_receipts, stage_record, work_digest
from boardspace.storage.records import canonical_json, write_record
from boardspace.storage.run_folder import FinishedStages, SpaceFolder, write_stage

Inputs = tuple[tuple[str, str], ...]


LASTING = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    ImportError,
    LookupError,
    NameError,
    NotImplementedError,
    TypeError,
    ValueError,
)
"""Errors of a space's code: shards are pure functions, so the next attempt would meet them again."""


class ShardError(BoardspaceError):
    """Error of a shard that failed.

    shard: its name.
    cause: text of what was raised, in a line.
    shown: the shard's parameters.
    lasting: the next attempt would fail in the same way.
    """

    def __init__(self, shard: str, cause: str, shown: str, lasting: bool = False) -> None:
        super().__init__(shard, cause, shown, lasting)
        self.shard, self.cause, self.shown, self.lasting = shard, cause, shown, lasting

    def __str__(self) -> str:
        return f"{self.shard}: {self.cause}"


@dataclass(frozen=True)
class RunDataset:
    """One dataset of a run, in names and plain values that any host can be sent.

    root: folder of the run.
    space: name of its space.
    plan: its plan, as JSON.
    """

    root: Location
    space: str
    plan: str

    @property
    def folder(self) -> SpaceFolder:
        """The part of the run's folder that is the dataset's."""
        return SpaceFolder(self.root, self.space)

    def work(self) -> Work:
        """Its space, config and plan; BoardspaceError where this host would follow another plan."""
        return _work(self)

    def stages(self) -> Mapping[str, Stage]:
        """Its stages by name, in order."""
        return _stages(self)


@dataclass(frozen=True)
class StageCut:
    """Stage cut into shards.

    stage: its name.
    inputs: digests of the records of the stages it comes after.
    todo: shards to do, the dearest first.
    done: shards that an earlier run did.
    whole: what the finish would find, where nothing is to do: then the stage has its record already.
    """

    stage: str
    inputs: Inputs
    todo: Todos
    done: Todos
    whole: "StageDone | None" = None

    @property
    def works(self) -> dict[str, str]:
        """The digests of all its shards' work, by their names."""
        return {one.shard.name: one.work for one in itertools.chain(self.done, self.todo)}


@dataclass(frozen=True)
class StageDone:
    """Finished stage, or finished round of a stage that repeats.

    stage: its name.
    digest: of its record.
    again: another round follows.
    shards, rows, bytes: added to the record.
    seconds: that workers took for the shards computed now.
    following: cuts of the stages that may follow at once.
    """

    stage: str
    digest: str
    again: bool
    shards: int
    rows: int
    bytes: int
    seconds: float
    following: tuple[StageCut, ...] = field(default=())


def cut_stage(dataset: RunDataset, name: str, finished: Mapping[str, str]) -> StageCut:
    """Cut a stage whose inputs are finished; ``finished`` are the digests of finished stages by name."""
    work, stages = dataset.work(), dataset.stages()
    stage = stages[name]
    inputs = {before: finished.get(before) or no_receipts(before).digest for before in stage.after}
    shards = cut(stage, work.config, FinishedStages(dataset.folder, work.space, inputs))
    works = {shard.name: work_digest(stage, shard, inputs) for shard in shards}
    if len(works) != len(shards):
        raise ValueError(f"{dataset.space}/{name}: two shards have the same name")
    before, recorded = _done_before(Retention(dataset.folder, stages), name, works)
    dearest = sorted(shards, key=lambda shard: -shard.cost)
    todo = Todos(Todo(shard, works[shard.name]) for shard in dearest if shard.name not in before)
    done = Todos(Todo(shard, works[shard.name]) for shard in shards if shard.name in before)
    if todo:
        dataset.folder.reopen()
    whole = None
    if not todo and not stage.repeats:
        record = stage_record(name, before) if recorded else write_stage(dataset.folder, name, before)
        whole = _stage_done(name, record.digest, before)
    return StageCut(name, tuple(inputs.items()), todo, done, whole)


def run_bundle(
    dataset: RunDataset,
    stage: str,
    inputs: Inputs,
    bundle: Sequence[Todo],
    seconds: float,
    on_progress: OnProgress = ignored,
) -> list[Receipt]:
    """Run shards one after the other and return their receipts.

    Errors: ShardError, of the first that failed, after all ran; a lasting one goes before others. HandedBackError
    where this process is asked to leave before it has begun the last.

    ``on_progress`` takes their progress events.

    A shard that takes longer than ``seconds`` (0: no limit) ends its whole process (:mod:`.time_limit`).
    """
    if not bundle:
        return []
    # The first task of a process imports its space; that is not the shard's time.
    context = stage_context(dataset, stage, inputs)
    attempt = dataset.folder.attempt(stage, bundle[0].shard.name)
    receipts, failures = [], []
    for todo in bundle:
        if leaving.is_asked():
            raise leaving.HandedBackError(f"{dataset.space}/{stage}: stopped before shard {todo.shard.name}")
        try:
            receipts.append(_done_or_run(context, attempt, todo, seconds, on_progress))
        except Exception as error:  # whatever a shard raises is counted, retried and reported
            failures.append(_shard_error(dataset, stage, todo.shard, error))
    if failures:
        raise min(failures, key=lambda failure: not failure.lasting)
    return receipts


def finish_stage(
    dataset: RunDataset,
    made: StageCut,
    finished: Mapping[str, str],
    following: Sequence[str],
    bundles: list[list[Receipt]],
) -> StageDone:
    """Write the record of a stage from the receipts of all its shards, and cut the stages ``following``.

    ``finished`` are the digests of the other finished stages; ``bundles`` are receipts of shards that were done now;
    others are read in the folder. BoardspaceError where one is missing.
    """
    done = made.whole or _recorded(dataset, made, bundles)
    finished = {**finished, made.stage: done.digest}
    if made.stage not in following:
        Retention(dataset.folder, dataset.stages()).delete_after(finished, made.stage)
    cuts = tuple(cut_stage(dataset, name, finished) for name in following)
    return replace(done, again=made.stage in following, following=cuts)


def _recorded(dataset: RunDataset, made: StageCut, bundles: list[list[Receipt]]) -> StageDone:
    """Write the record of a stage; see :func:`finish_stage`."""
    receipts = {receipt.shard: receipt for bundle in bundles for receipt in bundle}
    rest = {shard: work for shard, work in made.works.items() if shard not in receipts}
    receipts |= dataset.folder.receipts_for(made.stage, rest)[0]
    missing = [shard for shard in rest if shard not in receipts]
    if missing:
        raise BoardspaceError(f"{dataset.space}/{made.stage}: no receipt of shard {missing[0]}")
    earlier = _earlier_rounds(dataset, made)
    if earlier.keys() & receipts.keys():
        raise ValueError(
            f"{dataset.space}/{made.stage}: two rounds have a shard {min(earlier.keys() & receipts.keys())!r}"
        )
    record = write_stage(dataset.folder, made.stage, {**earlier, **receipts})
    seconds = sum(receipts[todo.shard.name].seconds for todo in made.todo)
    return _stage_done(made.stage, record.digest, receipts, seconds)


def _stage_done(stage: str, digest: str, receipts: Mapping[str, Receipt], seconds: float = 0.0) -> StageDone:
    return StageDone(
        stage=stage,
        digest=digest,
        again=False,
        shards=len(receipts),
        rows=sum(receipt.rows for receipt in receipts.values()),
        bytes=sum(file.bytes for receipt in receipts.values() for file in receipt.files),
        seconds=seconds,
    )


def complete_dataset(dataset: RunDataset, finished: Mapping[str, str]) -> list[Location]:
    """Sweep out files without a receipt, then write COMPLETE, unless it is there; return the files swept out."""
    work, stages = dataset.work(), dataset.stages()
    Retention(dataset.folder, stages).delete_all()
    inputs = FinishedStages(dataset.folder, work.space, finished)
    records = {name: inputs.record(name) for name in stages}
    swept = dataset.folder.sweep([receipt for record in records.values() for receipt in record.receipts])
    complete = complete_of(dataset.space, work.plan.digest, records, finished)
    if read_complete(dataset.folder) != complete:
        write_record(dataset.folder.complete, complete, "complete")
    return swept


@dataclass(frozen=True)
class StageContext:
    """Stage and its inputs, built once in a process for all shards of the stage.

    dataset: that the stage belongs to.
    work: the dataset's space, config and plan.
    stage: the stage.
    inputs: the finished stages before it.
    """

    dataset: RunDataset
    work: Work
    stage: Stage
    inputs: FinishedStages


@functools.lru_cache(maxsize=16)
def stage_context(dataset: RunDataset, stage: str, inputs: Inputs) -> StageContext:
    """The context of a stage of a dataset whose earlier stages have these records; kept for the shards that follow."""
    work = dataset.work()
    finished = FinishedStages(dataset.folder, work.space, dict(inputs))
    return StageContext(dataset, work, dataset.stages()[stage], finished)


@functools.lru_cache(maxsize=64)
def _work(dataset: RunDataset) -> Work:
    plan = SpacePlan.model_validate_json(dataset.plan)
    work = work_by(space_named(dataset.space), plan)
    differences = list(plan_differences(plan, work.plan))
    if differences:
        raise BoardspaceError(
            f"host {socket.gethostname()} has another {dataset.space} than the command (there, then here): "
            f"{'; '.join(differences)}. Install the same versions on all hosts"
        )
    return work


@functools.lru_cache(maxsize=64)
def _stages(dataset: RunDataset) -> Mapping[str, Stage]:
    work = dataset.work()
    return stages_of(work.space, work.config)


def _earlier_rounds(dataset: RunDataset, made: StageCut) -> dict[str, Receipt]:
    """Receipts of the rounds before, where the stage repeats."""
    inputs = dict(made.inputs)
    if made.stage not in inputs:
        return {}
    record = FinishedStages(dataset.folder, space_named(dataset.space), inputs).record(made.stage)
    return {receipt.shard: receipt for receipt in record.receipts}


def _done_before(retention: Retention, stage: str, works: Mapping[str, str]) -> tuple[dict[str, Receipt], bool]:
    """Receipts of an earlier run for exactly this work, digests by the shards' names, whose files are there; and
    whether the record of the stage has one for each of these works and no others."""
    folder = retention.folder
    kept, recorded = folder.receipts_for(stage, works)
    done = {}
    sizes = folder.sizes(stage)
    promised: dict[str, str] = {}  # what several shards write alike, as an array's metadata, one of them makes again
    for name in works:
        receipt = kept.get(name)
        if receipt is None:
            continue
        files = folder.lacking(receipt, sizes)
        lacking = {file.path: file.sha256 for file in files}
        if lacking.items() <= promised.items() or retention.excused(stage, files):
            done[name] = receipt
        else:
            promised |= {file.path: file.sha256 for file in receipt.files}
    return done, recorded


def done_by_now(folder: SpaceFolder, attempt: Attempt, todo: Todo) -> Receipt | None:
    """The receipt of a shard that another attempt at its bundle has done, and whose files are there."""
    receipt = attempt.find(todo.shard.name, todo.work)
    return receipt if receipt is not None and not folder.lacking(receipt) else None


def _done_or_run(
    context: StageContext, attempt: Attempt, todo: Todo, seconds: float, on_progress: OnProgress
) -> Receipt:
    """Return the receipt of a shard; another attempt, whose worker died, was cut off or is faster, may have written it.

    ``attempt`` gets the receipt of a shard that is computed here.
    """
    done = done_by_now(context.dataset.folder, attempt, todo)
    if done is not None:
        return done
    label = label_of(context.dataset, context.stage.name, todo.shard)
    with time_limited(seconds, label), contextlib.closing(ShardProgress(label, on_progress)) as progress:
        receipt = _run(context, todo, progress)
        attempt.add(receipt)
        return receipt


def _run(context: StageContext, todo: Todo, progress: ShardProgress) -> Receipt:
    """Compute a shard, write what it yields, and return its receipt."""
    start, cpu = time.perf_counter(), time.process_time()
    work, folder, stage, shard = context.work, context.dataset.folder, context.stage, todo.shard
    output = stage.compute(work.config, shard.params, context.inputs.reporting_to(progress))
    files = folder.write_output(work.space, stage.name, shard.name, output, work.plan.digest)
    return Receipt(
        stage=stage.name,
        shard=shard.name,
        work=todo.work,
        files=files,
        facts=dict(output.facts),
        seconds=round(time.perf_counter() - start, 4),
        cpu=round(time.process_time() - cpu, 4),
    )


def label_of(dataset: RunDataset, stage: str, shard: Shard) -> str:
    """How messages name a shard."""
    return f"{dataset.space}/{stage}/{shard.name}"


def shown(shard: Shard) -> str:
    """Text of messages on a shard's parameters."""
    return f"its parameters: {canonical_json(shard.params)}"


def _shard_error(dataset: RunDataset, stage: str, shard: Shard, error: Exception) -> ShardError:
    cause = str(error) if isinstance(error, BoardspaceError) else f"{type(error).__name__}: {error}"
    return ShardError(label_of(dataset, stage, shard), cause, shown(shard), isinstance(error, LASTING))
