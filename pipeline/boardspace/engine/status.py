"""How far a run's folder has come, read from its plan and receipts."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from boardspace.engine.inside import Said
from boardspace.engine.plan import Work, cut, recorded_work
from boardspace.spec.space import Stage
from boardspace.spec.stages import stages_of
from boardspace.storage.complete import is_complete
from boardspace.storage.locations import Location
from boardspace.storage.notes import read_note
from boardspace.storage.receipts import StageRecord
from boardspace.storage.records import read_record
from boardspace.storage.run_folder import FinishedStages, SpaceFolder
from boardspace.storage.stored import stored


@dataclass(frozen=True)
class StageStatus:
    """One stage: its number of shards (None while nobody knows it) and how many have receipts.

    ``state`` is one of waits, under way, finished, and complete where the whole dataset is; ``said`` what shards that
    run now said last, by the process that runs them.
    """

    space: str
    stage: str
    doc: str
    shards: int | None
    done: int
    state: str
    said: tuple[Said, ...] = ()


def status(root: Location, tell: Callable[[str], None] = lambda _: None) -> list[StageStatus]:
    """Every stage of every space in a run's folder, in the plan's order; ``tell`` hears what could not be read."""
    rows: list[StageStatus] = []
    work = recorded_work(
        root, lambda name, what: rows.append(StageStatus(name, "?", what, None, 0, f"unknown: {what}"))
    )
    notes = [Said(**note.model_dump()) for note in read_note(root, tell)]
    found = [*(row for one in work for row in _space_status(root, one)), *rows]
    return [replace(row, said=tuple(said for said in notes if _is_of(said, row))) for row in found]


def _is_of(said: Said, row: StageStatus) -> bool:
    return said.shard.startswith(f"{row.space}/{row.stage}/")


def _space_status(root: Location, work: Work) -> list[StageStatus]:
    folder = SpaceFolder(root, work.space.name)
    complete = is_complete(folder, work.plan.digest)
    rows: list[StageStatus] = []
    finished: set[str] = set()
    for stage in stages_of(work.space, work.config).values():
        shards, done = _counts(folder, work, stage, finished)
        if read_record(folder.stage(stage.name), StageRecord) is not None and shards == done:
            finished.add(stage.name)
        state = "finished" if stage.name in finished else "under way" if done or shards is not None else "waits"
        state = "complete" if complete else state
        rows.append(StageStatus(work.space.name, stage.name, stage.doc, shards, done, state))
    return rows


def _counts(folder: SpaceFolder, work: Work, stage: Stage, finished: set[str]) -> tuple[int | None, int]:
    done = len(folder.shards_with_receipts(stage.name))
    if not finished.issuperset({*stage.after} - {stage.name}):
        return None, done
    inputs = FinishedStages(folder, work.space)
    if stage.repeats:
        if stored(folder.stage(stage.name)).size() is None:
            return None, done
        return len(inputs.record(stage.name).receipts) + len(cut(stage, work.config, inputs)), done
    return len(cut(stage, work.config, inputs)), done
