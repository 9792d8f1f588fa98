"""Work of a worker: cut a stage, compute shards, finish a stage, complete a dataset. No Dask here.

Every function may be repeated: what has a receipt for the very same work is not done again, and a record that says the
same already is left alone. So a scheduler may send any of them twice, to whichever worker, whenever it sees fit.
"""

import contextlib
import functools
import itertools
import socket
import time
import traceback
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, replace

from boardspace.engine import graceful_stop
from boardspace.engine.gpu import GpuUse, gpu_for
from boardspace.engine.machine import time_limited
from boardspace.engine.outputs import OutputError, Retention, refuse_disorder, refuse_undeclared
from boardspace.engine.packed_shards import CutShard, PackedShards
from boardspace.engine.plan import SpacePlan, Work, cut, plan_differences, work_by
from boardspace.engine.progress import OnProgress, ShardProgress, ignored
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import Frame, own_frames, space_named
from boardspace.spec.space import Shard, Stage
from boardspace.spec.stages import stages_of
from boardspace.storage.complete import complete_of, read_complete
from boardspace.storage.locations import Location
from boardspace.storage.ownership import sweep
from boardspace.storage.receipts import (
    NO_ROUNDS,
    Attempt,
    Receipt,
    Round,
    StageRecord,
    next_round,
    record_of_rounds,
    stage_record,
    work_digest,
)
from boardspace.storage.records import canonical_json, read_record, write_record
from boardspace.storage.run_folder import (
    FinishedStages,
    SpaceFolder,
    read_round,
    rounds_after,
    rounds_until,
    write_round,
    write_stage,
)
from boardspace.storage.stored import stored

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
    frames: lines of the space's code that led to it.
    traceback: text of the whole traceback.
    """

    def __init__(
        self,
        shard: str,
        cause: str,
        shown: str,
        lasting: bool = False,
        frames: tuple[Frame, ...] = (),
        traceback: str = "",
    ) -> None:
        super().__init__(shard, cause, shown, lasting, frames, traceback)
        self.shard, self.cause, self.shown, self.lasting = shard, cause, shown, lasting
        self.frames, self.traceback = frames, traceback

    def __str__(self) -> str:
        return f"{self.shard}: {self.cause}"


@dataclass(frozen=True)
class RunDataset:
    """One dataset of a run, in names and plain values that any host can be sent.

    root: folder of the run.
    space: name of its space.
    plan: its plan, as JSON.
    gpu: use of GPUs by its shards.
    """

    root: Location
    space: str
    plan: str
    gpu: GpuUse = "no"

    @property
    def folder(self) -> SpaceFolder:
        """The part of the run's folder that is the dataset's."""
        return SpaceFolder(self.root, self.space)

    @functools.lru_cache(maxsize=64)  # noqa: B019 for as long as the process lives
    def work(self) -> Work:
        """Its space, config and plan; BoardspaceError where this host would follow another plan."""
        plan = SpacePlan.model_validate_json(self.plan)
        work = work_by(space_named(self.space), plan)
        differences = list(plan_differences(plan, work.plan))
        if differences:
            raise BoardspaceError(
                f"host {socket.gethostname()} has another {self.space} than the command (there, then here): "
                f"{'; '.join(differences)}. Install the same versions on all hosts"
            )
        return work

    @functools.lru_cache(maxsize=64)  # noqa: B019 as above
    def stages(self) -> Mapping[str, Stage]:
        """Its stages by name, in order."""
        work = self.work()
        return stages_of(work.space, work.config)


@dataclass(frozen=True)
class Passed:
    """Shards of a stage, or of some of its rounds, that are done: their number, rows and bytes together."""

    shards: int = 0
    rows: int = 0
    bytes: int = 0

    def and_these(self, receipts: Sequence[Receipt]) -> "Passed":
        """Sum of these shards and those with these receipts."""
        rows = sum(receipt.rows for receipt in receipts)
        size = sum(file.bytes for receipt in receipts for file in receipt.files)
        return Passed(self.shards + len(receipts), self.rows + rows, self.bytes + size)


NOTHING_PASSED = Passed()


@dataclass(frozen=True)
class StageCut:
    """Stage cut into shards.

    stage: its name.
    inputs: digests of the records of the stages it comes after.
    todo: shards to do, the most expensive first.
    done: shards that an earlier run did.
    whole: what the finish would find, where nothing is to do: then the stage has its record already.
    passed: of a stage that repeats, the rounds before this one that an earlier run did.
    """

    stage: str
    inputs: Inputs
    todo: PackedShards
    done: PackedShards
    whole: "StageDone | None" = None
    passed: Passed = NOTHING_PASSED

    @property
    def works(self) -> dict[str, str]:
        """The digests of all its shards' work, by their names."""
        return {one.shard.name: one.work for one in itertools.chain(self.done, self.todo)}


@dataclass(frozen=True)
class StageDone:
    """Finished stage, or finished round of a stage that repeats.

    stage: its name.
    digest: of its record.
    added: shards that are added to the record.
    seconds: that workers took for the shards computed now.
    again: another round follows; the digest is that of the rounds so far.
    following: cuts of the stages that may follow at once.
    """

    stage: str
    digest: str
    added: Passed
    seconds: float = 0.0
    again: bool = False
    following: tuple[StageCut, ...] = ()


def cut_stage(dataset: RunDataset, name: str, finished: Mapping[str, str]) -> StageCut:
    """Cut a stage whose inputs are finished; ``finished`` are the digests of finished stages by name.

    A stage that repeats is cut into the first round that an earlier run did not do.
    """
    work, stages = dataset.work(), dataset.stages()
    if stages[name].repeats:
        return _cut_round(dataset, stages[name], finished)
    inputs = {before: finished[before] for before in stages[name].after}
    shards = cut(stages[name], work.config, FinishedStages(dataset.folder, work.space, inputs))
    works = _works(dataset, stages[name], shards, inputs)
    record = read_record(dataset.folder.stage(name), StageRecord)
    before = _done_before(Retention(dataset.folder, stages), name, works, record.receipts if record else ())
    made = _stage_cut(name, inputs, shards, works, before)
    if made.todo:
        dataset.folder.reopen()
        return made
    whole = stage_record(name, before)
    if whole != record:
        write_stage(dataset.folder, whole)
    return replace(made, whole=StageDone(name, whole.digest, NOTHING_PASSED.and_these(whole.receipts)))


def _cut_round(dataset: RunDataset, stage: Stage, finished: Mapping[str, str]) -> StageCut:
    """Cut a stage that repeats, see :func:`cut_stage`. Rounds that have a record and all their files are passed."""
    work, folder = dataset.work(), dataset.folder
    retention = Retention(folder, dataset.stages())
    inputs = {before: finished.get(before, NO_ROUNDS) for before in stage.after}
    rounds = rounds_until(folder, stage.name, inputs[stage.name])
    recorded = rounds_after(folder, stage.name, rounds)
    keep = retention.rounds_to_keep(stage.name, recorded) if len(recorded) > len(rounds) else ()
    passed = NOTHING_PASSED
    for number in itertools.count(len(rounds)):
        now = FinishedStages(folder, work.space, inputs).with_rounds(stage.name, rounds)
        shards = cut(stage, work.config, now)
        works = _works(dataset, stage, shards, inputs)
        _refuse_old_names(dataset, stage, rounds, works)
        known = recorded[number] if number < len(recorded) else None
        deleted = () if number in keep else stage.next_round_only
        before = _done_before(retention, stage.name, works, known.receipts if known else (), True, deleted)
        if known is None or works.keys() != known.by_shard.keys() or len(before) < len(works):
            made = _stage_cut(stage.name, inputs, shards, works, before)
            break
        rounds = [*rounds, known]
        inputs[stage.name] = known.digest
        passed = passed.and_these(known.receipts)
    if made.todo:
        folder.reopen()
    return replace(made, passed=passed)


def _works(dataset: RunDataset, stage: Stage, shards: Sequence[Shard], inputs: Mapping[str, str]) -> dict[str, str]:
    works = {shard.name: work_digest(stage, shard, inputs) for shard in shards}
    if len(works) != len(shards):
        raise ValueError(f"{dataset.space}/{stage.name}: two shards have the same name")
    return works


def _refuse_old_names(dataset: RunDataset, stage: Stage, rounds: Sequence[Round], works: Mapping[str, str]) -> None:
    for one in rounds:
        if again := one.by_shard.keys() & works.keys():
            raise ValueError(f"{dataset.space}/{stage.name}: two rounds have a shard {min(again)!r}")


def _stage_cut(
    stage: str, inputs: Mapping[str, str], shards: Sequence[Shard], works: Mapping[str, str], done: Container[str]
) -> StageCut:
    by_cost = sorted(shards, key=lambda shard: -shard.cost)
    return StageCut(
        stage,
        tuple(inputs.items()),
        PackedShards(CutShard(shard, works[shard.name]) for shard in by_cost if shard.name not in done),
        PackedShards(CutShard(shard, works[shard.name]) for shard in shards if shard.name in done),
    )


def run_bundle(
    dataset: RunDataset,
    stage: str,
    inputs: Inputs,
    bundle: Sequence[CutShard],
    seconds: float,
    brings: bool = True,
    on_progress: OnProgress = ignored,
) -> list[Receipt]:
    """Run shards one after the other and return their receipts; none unless ``brings``: they lie in the folder.

    Errors: ShardError, of the first that failed, after all ran; a lasting one goes before others. HandedBackError
    where this process is asked to leave before it has begun the last.

    ``on_progress`` takes their progress events.

    A shard that takes longer than ``seconds`` (0: no limit) ends its whole process (:func:`.machine.time_limited`).
    """
    if not bundle:
        return []
    # The first task of a process imports its space; that is not the shard's time.
    finished = _finished_before(dataset, inputs)
    attempt = dataset.folder.attempt(stage, bundle[0].shard.name)
    receipts, failures = [], []
    for todo in bundle:
        if graceful_stop.stop_requested():
            raise graceful_stop.HandedBackError(f"{dataset.space}/{stage}: stopped before shard {todo.shard.name}")
        try:
            done = done_by_now(dataset.folder, attempt, todo)  # another attempt, cut off or faster, may have done it
            if done is None:
                done = _run(dataset, stage, finished, todo, seconds, on_progress)
                attempt.add(done)
            receipts.append(done)
        except (Exception, SystemExit) as error:  # whatever a shard raises is counted, retried and reported
            failures.append(_shard_error(dataset, stage, todo.shard, error))
    if failures:
        raise min(failures, key=lambda failure: not failure.lasting)
    return receipts if brings else []


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
    if not done.again:
        Retention(dataset.folder, dataset.stages()).delete_after(finished, made.stage)
    return replace(done, following=tuple(cut_stage(dataset, name, finished) for name in following))


def _recorded(dataset: RunDataset, made: StageCut, bundles: list[list[Receipt]]) -> StageDone:
    stage, folder = dataset.stages()[made.stage], dataset.folder
    receipts = {receipt.shard: receipt for bundle in bundles for receipt in bundle}
    rest = {shard: work for shard, work in made.works.items() if shard not in receipts}
    receipts |= _receipts_of_rest(dataset, made, stage, rest)
    missing = [shard for shard in rest if shard not in receipts]
    if missing:
        raise BoardspaceError(f"{dataset.space}/{made.stage}: no receipt of shard {missing[0]}")
    seconds = sum(receipts[todo.shard.name].seconds for todo in made.todo)
    if not stage.repeats:
        whole = stage_record(made.stage, receipts)
        refuse_disorder(dataset.work().space, whole.receipts)
        write_stage(folder, whole)
        return StageDone(made.stage, whole.digest, NOTHING_PASSED.and_these(whole.receipts), seconds)
    rounds = rounds_until(folder, made.stage, dict(made.inputs)[made.stage])
    if not receipts:
        whole = record_of_rounds(made.stage, rounds)
        refuse_disorder(dataset.work().space, whole.receipts)
        write_stage(folder, whole)
        stored(folder.rounds(made.stage)).remove_all()
        return StageDone(made.stage, whole.digest, made.passed)
    here = next_round(made.stage, rounds, receipts.values())
    refuse_disorder(dataset.work().space, here.receipts)
    write_round(folder, here)
    Retention(folder, dataset.stages()).delete_passed(made.stage, rounds[-1].receipts if rounds else ())
    return StageDone(made.stage, here.digest, made.passed.and_these(here.receipts), seconds, again=True)


def _receipts_of_rest(dataset: RunDataset, made: StageCut, stage: Stage, rest: Mapping[str, str]) -> dict[str, Receipt]:
    """Receipts of shards of which no task brought any: they lie in the folder."""
    if not rest:
        return {}
    number = len(rounds_until(dataset.folder, made.stage, dict(made.inputs)[made.stage])) if stage.repeats else 0
    record = (
        read_round(dataset.folder, made.stage, number)
        if stage.repeats
        else read_record(dataset.folder.stage(made.stage), StageRecord)
    )
    return dataset.folder.receipts_for(made.stage, rest, record.receipts if record else (), stage.repeats)


def complete_dataset(dataset: RunDataset, finished: Mapping[str, str]) -> list[Location]:
    """Sweep out files without a receipt, then write COMPLETE, unless it is there; return the files swept out."""
    work, stages = dataset.work(), dataset.stages()
    Retention(dataset.folder, stages).delete_all()
    inputs = FinishedStages(dataset.folder, work.space, finished)
    records = {name: inputs.record(name) for name in stages}
    receipts = [receipt for record in records.values() for receipt in record.receipts]
    refuse_disorder(work.space, receipts)
    swept = sweep(dataset.folder, work.space, receipts)
    complete = complete_of(dataset.space, work.plan.digest, records, finished)
    if read_complete(dataset.folder) != complete:
        write_record(dataset.folder.complete, complete, "complete")
    return swept


@functools.lru_cache(maxsize=16)
def _finished_before(dataset: RunDataset, inputs: Inputs) -> FinishedStages:
    """The finished stages that have these records, which they read once for all shards that follow."""
    return FinishedStages(dataset.folder, dataset.work().space, dict(inputs))


def _done_before(
    retention: Retention,
    stage: str,
    works: Mapping[str, str],
    recorded: Sequence[Receipt],
    only_round: bool = False,
    passed: Collection[str] = (),
) -> dict[str, Receipt]:
    """Receipts of an earlier run for exactly this work, digests by the shards' names, whose files are there, but for
    blobs that are deleted by now: those named in ``passed`` among them. See :meth:`.SpaceFolder.receipts_for`."""
    folder = retention.folder
    kept = folder.receipts_for(stage, works, recorded, only_round)
    done: dict[str, Receipt] = {}
    if not kept:
        return done
    sizes = folder.sizes(stage)
    promised: dict[str, str] = {}  # what several shards write alike, as an array's metadata, one of them makes again
    for name in works:
        receipt = kept.get(name)
        if receipt is None:
            continue
        files = folder.lacking(receipt, sizes)
        lacking = {file.path: file.sha256 for file in files}
        if lacking.items() <= promised.items() or retention.deleted_on_purpose(stage, files, passed):
            done[name] = receipt
        else:
            promised |= {file.path: file.sha256 for file in receipt.files}
    return done


def done_by_now(folder: SpaceFolder, attempt: Attempt, todo: CutShard) -> Receipt | None:
    """The receipt of a shard that another attempt at its bundle has done, and whose files are there."""
    receipt = attempt.find(todo.shard.name, todo.work)
    return receipt if receipt is not None and not folder.lacking(receipt) else None


def _run(
    dataset: RunDataset, name: str, inputs: FinishedStages, todo: CutShard, seconds: float, on_progress: OnProgress
) -> Receipt:
    """Compute a shard of the stage of that name, write what comes of it, and return its receipt."""
    work, stage, shard = dataset.work(), dataset.stages()[name], todo.shard
    start, cpu = time.perf_counter(), time.process_time()
    gpu = gpu_for(dataset.gpu) if stage.gpu else None
    label = label_of(dataset, name, shard)
    with time_limited(seconds, label), contextlib.closing(ShardProgress(label, on_progress)) as progress:
        output = stage.compute(work.config, shard.params, inputs.of_shard(progress, gpu))
        refuse_undeclared(work.space, shard.name, output)
        files = dataset.folder.write_output(work.space, name, shard.name, output, work.plan.digest)
    return Receipt(
        stage=stage.name,
        shard=shard.name,
        work=todo.work,
        files=files,
        facts=dict(output.facts),
        seconds=round(time.perf_counter() - start, 4),
        cpu=round(time.process_time() - cpu, 4),
        gpu=gpu.card if gpu else "",
    )


def label_of(dataset: RunDataset, stage: str, shard: Shard) -> str:
    """Name of a shard in messages."""
    return f"{dataset.space}/{stage}/{shard.name}"


def shown(shard: Shard) -> str:
    """Text of messages on a shard's parameters."""
    return f"its parameters: {canonical_json(shard.params)}"


def _does_not_compile(error: BaseException) -> bool:
    """True of an error of the code of a kernel; by its name, as numba takes long to import."""
    return any(one.__name__ == "NumbaError" for one in type(error).__mro__)


def _shard_error(dataset: RunDataset, stage: str, shard: Shard, error: BaseException) -> ShardError:
    explained = isinstance(error, BoardspaceError)
    failure = ShardError(
        label_of(dataset, stage, shard),
        str(error) if explained else f"{type(error).__name__}: {error}",
        shown(shard),
        isinstance(error, (*LASTING, OutputError)) or _does_not_compile(error),
        () if explained else own_frames(error),
        "".join(traceback.format_exception(error)),
    )
    failure.__cause__ = error
    return failure
