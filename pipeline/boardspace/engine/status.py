"""Progress of a run's folder, read from its plan and receipts."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from boardspace.engine.plan import Work, cut, recorded_work
from boardspace.spec.space import Stage
from boardspace.spec.stages import stages_of
from boardspace.storage.complete import is_complete
from boardspace.storage.locations import Location
from boardspace.storage.progress_file import ProgressEvent, read_progress
from boardspace.storage.receipts import StageRecord
from boardspace.storage.records import read_record
from boardspace.storage.run_folder import FinishedStages, SpaceFolder


@dataclass(frozen=True)
class StageStatus:
    """One stage of a run.

    space, stage: their names.
    doc: what the stage does, in a line.
    shards: their number; None while nobody knows it.
    done: those that have receipts.
    state: waits, under way, finished, or complete where the whole dataset is.
    seconds, seconds_left: planned of one core, for its shards as far as they are known, and for those without receipts.
    progress: last progress events of its shards that run now.
    """

    space: str
    stage: str
    doc: str
    shards: int | None
    done: int
    state: str
    seconds: float = 0.0
    seconds_left: float = 0.0
    progress: tuple[ProgressEvent, ...] = ()


def status(root: Location, warn: Callable[[str], None] = lambda _: None) -> list[StageStatus]:
    """Every stage of every space in a run's folder, in the plan's order; ``warn`` is told of what cannot be read."""
    rows: list[StageStatus] = []
    work = recorded_work(
        root, lambda name, what: rows.append(StageStatus(name, "?", what, None, 0, f"unknown: {what}"))
    )
    events = read_progress(root, warn)
    found = [*(row for one in work for row in _space_status(root, one)), *rows]
    return [replace(row, progress=tuple(event for event in events if _is_of(event, row))) for row in found]


def _is_of(event: ProgressEvent, row: StageStatus) -> bool:
    return event.shard.startswith(f"{row.space}/{row.stage}/")


def _space_status(root: Location, work: Work) -> list[StageStatus]:
    folder = SpaceFolder(root, work.space.name)
    complete = is_complete(folder, work.plan.digest)
    rows: list[StageStatus] = []
    finished: set[str] = set()
    for stage in stages_of(work.space, work.config).values():
        due, known, recorded = _counts(folder, work, stage, finished)
        shards, done = None if due is None else len(due), len(known)
        if recorded and shards == done:
            finished.add(stage.name)
        state = "finished" if stage.name in finished else "under way" if done or shards is not None else "waits"
        state = "complete" if complete else state
        seconds = sum((due or {}).values())
        left = sum(cost for name, cost in (due or {}).items() if name not in known)
        rows.append(StageStatus(work.space.name, stage.name, stage.doc, shards, done, state, seconds, left))
    return rows


def _counts(
    folder: SpaceFolder, work: Work, stage: Stage, finished: set[str]
) -> tuple[dict[str, float] | None, set[str], bool]:
    """Shards of a stage with their planned seconds, or None; those that have receipts; True where it has a record.

    Single receipts are looked at only where the record of the stage does not have all.
    """
    record = read_record(folder.stage(stage.name), StageRecord)
    known = {receipt.shard for receipt in record.receipts} if record else set[str]()
    due: dict[str, float] | None = None
    if stage.repeats:  # nobody knows how many there are until the last round has none
        due = dict.fromkeys(known, 0.0) if record else None
    elif finished.issuperset(stage.after):
        due = {shard.name: shard.cost for shard in cut(stage, work.config, FinishedStages(folder, work.space))}
    if due is None or known != due.keys():
        known |= {receipt.shard for receipt in folder.single_receipts(stage.name)}
    if due is not None:  # receipts of another plan may lie there
        known &= due.keys()
    return due, known, record is not None
