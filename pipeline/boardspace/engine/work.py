"""What a worker does: cut a stage, compute shards, finish a stage, complete a dataset. No Dask here.

Every function may be repeated: what has a receipt for the very same work is not done again, and a record that says the
same already is left alone. So a scheduler may send any of them twice, to whichever worker, whenever it sees fit.
"""

import contextlib
import faulthandler
import functools
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from boardspace.engine.inside import Reporter, Tell, untold
from boardspace.engine.plan import SpacePlan, cut, plan_differences, work_by
from boardspace.engine.retention import Drops
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.registry import space_named
from boardspace.spec.space import Shard, Space, SpaceConfig, Stage
from boardspace.spec.stages import stages_of
from boardspace.storage.complete import complete_of, read_complete
from boardspace.storage.locations import Location
from boardspace.storage.receipts import Receipt, StageRecord, no_receipts, work_digest
from boardspace.storage.records import canonical_json, read_record, write_record
from boardspace.storage.run_folder import FinishedStages, SpaceFolder, write_receipt, write_stage

Inputs = tuple[tuple[str, str], ...]


class ShardError(BoardspaceError):
    """A shard that failed. ``cause`` is what was raised, in a line; ``shown`` also gives the shard's parameters."""

    def __init__(self, shard: str, cause: str, shown: str) -> None:
        super().__init__(shard, cause, shown)
        self.shard, self.cause, self.shown = shard, cause, shown

    def __str__(self) -> str:
        return f"{self.shard}: {self.cause}"


@dataclass(frozen=True)
class Place:
    """A dataset under way, in names and plain values: where it is made, of which space, by which plan (JSON)."""

    root: Location
    space: str
    plan: str

    @property
    def folder(self) -> SpaceFolder:
        """The part of the run's folder that is the dataset's."""
        return SpaceFolder(self.root, self.space)


@dataclass(frozen=True, slots=True)
class Todo:
    """A shard that has to be done, and the digest that identifies its work
    (:func:`boardspace.storage.receipts.work_digest`)."""

    shard: Shard
    work: str


@dataclass(frozen=True)
class StageCut:
    """A stage cut into shards: those to do, and the receipts of those an earlier run did. ``inputs`` are the digests of
    the stages it comes after."""

    stage: str
    inputs: tuple[tuple[str, str], ...]
    todo: tuple[Todo, ...]
    done: tuple[Receipt, ...]


@dataclass(frozen=True)
class StageDone:
    """A finished stage, or a round of one that repeats (then ``again`` is true): the digest of its record, what was
    added to it, and the cuts of stages that may follow at once."""

    stage: str
    digest: str
    again: bool
    shards: int
    rows: int
    bytes: int
    seconds: float
    following: tuple[StageCut, ...] = field(default=())


def cut_stage(place: Place, name: str, finished: Mapping[str, str]) -> StageCut:
    """Cut a stage whose inputs are finished; ``finished`` are the digests of finished stages by name."""
    space, config, _ = _at(place)
    stages = stages_of(space, config)
    stage = stages[name]
    inputs = {before: finished.get(before) or no_receipts(before).digest for before in stage.after}
    shards = cut(stage, config, FinishedStages(place.folder, space, inputs))
    works = {shard.name: work_digest(stage, shard, inputs) for shard in shards}
    if len(works) != len(shards):
        raise ValueError(f"{place.space}/{name}: two shards have the same name")
    done = _done_before(Drops(place.folder, stages), name, works)
    todo = tuple(Todo(shard, works[shard.name]) for shard in shards if shard.name not in done)
    if todo:
        place.folder.reopen()
    return StageCut(name, tuple(inputs.items()), todo, tuple(done.values()))


def run_bundle(
    place: Place, stage: str, inputs: Inputs, bundle: Sequence[Todo], seconds: float, tell: Tell = untold
) -> list[Receipt]:
    """Run shards one after the other and return their receipts; ShardError, of the first that failed, after all ran.
    ``tell`` hears what they say meanwhile.

    A shard that takes longer than ``seconds`` (0: no limit) ends its whole process: compiled code cannot be interrupted
    otherwise. The traceback of where it hung goes to standard error.
    """
    desk = _desk(place, stage, inputs)  # the first task of a process imports its space, which is not the shard's time
    receipts, failures = [], []
    for todo in bundle:
        try:
            receipts.append(_done_or_run(desk, todo, seconds, tell))
        except Exception as error:  # whatever a shard raises is counted, retried and reported
            failures.append(_shard_error(place, stage, todo.shard, error))
    if failures:
        raise failures[0]
    return receipts


def finish_stage(
    place: Place, made: StageCut, finished: Mapping[str, str], following: Sequence[str], bundles: list[list[Receipt]]
) -> StageDone:
    """Write the record of a stage from the receipts of all its shards, and cut the stages ``following``.

    ``finished`` are the digests of the other finished stages. BoardspaceError where a receipt is missing.
    """
    receipts = {receipt.shard: receipt for receipt in [*made.done, *(r for bundle in bundles for r in bundle)]}
    missing = [todo.shard.name for todo in made.todo if todo.shard.name not in receipts]
    if missing:
        raise BoardspaceError(f"{place.space}/{made.stage}: no receipt of shard {missing[0]}")
    earlier = _earlier_rounds(place, made)
    if earlier.keys() & receipts.keys():
        raise ValueError(
            f"{place.space}/{made.stage}: two rounds have a shard {min(earlier.keys() & receipts.keys())!r}"
        )
    record = write_stage(place.folder, made.stage, {**earlier, **receipts})
    finished = {**finished, made.stage: record.digest}
    if made.stage not in following:
        space, config, _ = _at(place)
        Drops(place.folder, stages_of(space, config)).after(finished, made.stage)
    return StageDone(
        stage=made.stage,
        digest=record.digest,
        again=made.stage in following,
        shards=len(receipts),
        rows=sum(receipt.rows for receipt in receipts.values()),
        bytes=sum(file.bytes for receipt in receipts.values() for file in receipt.files),
        seconds=sum(receipts[todo.shard.name].seconds for todo in made.todo),
        following=tuple(cut_stage(place, name, finished) for name in following),
    )


def complete_dataset(place: Place, finished: Mapping[str, str]) -> list[Location]:
    """Sweep out what no receipt vouches for, then write COMPLETE, unless it says the same; the files swept out."""
    space, config, plan = _at(place)
    Drops(place.folder, stages_of(space, config)).everything()
    inputs = FinishedStages(place.folder, space, finished)
    records = {name: inputs.record(name) for name in stages_of(space, config)}
    swept = place.folder.sweep([receipt for record in records.values() for receipt in record.receipts])
    complete = complete_of(place.space, plan, records)
    if read_complete(place.folder) != complete:
        write_record(place.folder.complete, complete, "complete")
    return swept


@dataclass(frozen=True)
class _Desk:
    """What the shards of a stage share in a process: their stage, config and inputs, built once."""

    place: Place
    plan: str
    space: Space
    config: SpaceConfig
    stage: Stage
    inputs: FinishedStages


@functools.lru_cache(maxsize=16)
def _desk(place: Place, stage: str, inputs: Inputs) -> _Desk:
    space, config, plan = _at(place)
    finished = FinishedStages(place.folder, space, dict(inputs))
    return _Desk(place, plan, space, config, stages_of(space, config)[stage], finished)


@functools.lru_cache(maxsize=64)
def _at(place: Place) -> tuple[Space, SpaceConfig, str]:
    """The space, its config and the plan's digest; BoardspaceError where this host would follow another plan."""
    plan = SpacePlan.model_validate_json(place.plan)
    work = work_by(space_named(place.space), plan)
    differences = list(plan_differences(plan, work.plan))
    if differences:
        raise BoardspaceError(
            f"host {socket.gethostname()} has another {place.space} than the command (there, then here): "
            f"{'; '.join(differences)}. Install the same versions on all hosts"
        )
    return work.space, work.config, plan.digest


def _earlier_rounds(place: Place, made: StageCut) -> dict[str, Receipt]:
    """Receipts of the rounds before, where the stage repeats."""
    inputs = dict(made.inputs)
    if made.stage not in inputs:
        return {}
    record = FinishedStages(place.folder, space_named(place.space), inputs).record(made.stage)
    return {receipt.shard: receipt for receipt in record.receipts}


def _done_before(drops: Drops, stage: str, works: Mapping[str, str]) -> dict[str, Receipt]:
    """Receipts of an earlier run for exactly this work, digests by the shards' names."""
    folder = drops.folder
    record = read_record(folder.stage(stage), StageRecord)
    kept = {receipt.shard: receipt for receipt in record.receipts} if record else {}
    done = {}
    sizes = folder.sizes(stage)
    promised: dict[str, str] = {}  # what several shards write alike, as an array's metadata, one of them makes again
    for name, work in works.items():
        receipt = kept.get(name)
        if (receipt is None or receipt.work != work) and sizes(folder.receipt_name(stage, name)) is not None:
            receipt = folder.receipt_of(stage, name, work)
        if receipt is None or receipt.work != work:
            continue
        files = folder.lacking(receipt, sizes)
        lacking = {file.path: file.sha256 for file in files}
        if lacking.items() <= promised.items() or drops.excused(stage, files):
            done[name] = receipt
        else:
            promised |= {file.path: file.sha256 for file in receipt.files}
    return done


def _done_or_run(desk: _Desk, todo: Todo, seconds: float, tell: Tell) -> Receipt:
    """The receipt of a shard; one that is there already was written by an attempt whose worker died, or was cut off."""
    done = desk.place.folder.done(desk.stage.name, todo.shard.name, todo.work)
    if done is not None:
        return done
    try:
        if seconds:
            faulthandler.dump_traceback_later(seconds, exit=True)
        with contextlib.closing(Reporter(label_of(desk.place, desk.stage.name, todo.shard), tell)) as report:
            return _run(desk, todo, report)
    finally:
        faulthandler.cancel_dump_traceback_later()


def _run(desk: _Desk, todo: Todo, report: Reporter) -> Receipt:
    """Compute a shard, write what it yields, write its receipt and return it."""
    start = time.perf_counter()
    folder, stage, shard = desk.place.folder, desk.stage, todo.shard
    output = stage.compute(desk.config, shard.params, desk.inputs.heard_by(report))
    files = folder.write_output(desk.space, stage.name, shard.name, output, desk.plan)
    receipt = Receipt(
        stage=stage.name,
        shard=shard.name,
        work=todo.work,
        files=files,
        facts=dict(output.facts),
        seconds=round(time.perf_counter() - start, 4),
    )
    write_receipt(folder, receipt)
    return receipt


def label_of(place: Place, stage: str, shard: Shard) -> str:
    """How messages name a shard."""
    return f"{place.space}/{stage}/{shard.name}"


def shown(shard: Shard) -> str:
    """What messages say of a shard's parameters."""
    return f"its parameters: {canonical_json(shard.params)}"


def _shard_error(place: Place, stage: str, shard: Shard, error: Exception) -> ShardError:
    cause = str(error) if isinstance(error, BoardspaceError) else f"{type(error).__name__}: {error}"
    return ShardError(label_of(place, stage, shard), cause, shown(shard))
