"""``boardspace status``"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace

import click

from boardspace.cli.commands.options import as_json, existing_folder, print_json
from boardspace.cli.commands.questions import print_lines
from boardspace.cli.notices import complain, duration, printable, time_left
from boardspace.engine.plan import Work, cut, planned_spaces, recorded_work, refuse_unknown
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


def stages_status(root: Location, warn: Callable[[str], None] = lambda _: None) -> list[StageStatus]:
    """Every stage of every space in a run's folder, in the plan's order; ``warn`` is told of what cannot be read."""
    rows: list[StageStatus] = []
    work = recorded_work(
        root, lambda name, what: rows.append(StageStatus(name, "?", what, None, 0, f"unknown: {what}"))
    )
    events = read_progress(root, warn)
    found = [*(row for one in work for row in _space_status(root, one)), *rows]
    return [
        replace(row, progress=tuple(event for event in events if event.shard.startswith(f"{row.space}/{row.stage}/")))
        for row in found
    ]


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


SECONDS_BETWEEN = 2.0


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only of this space (repeatable).")
@click.option("--all", "everything", is_flag=True, help="Every stage, also those that are waiting or finished.")
@click.option("--watch", is_flag=True, help="Update every two seconds, until all is complete.")
@as_json
def status(folder: Location, names: tuple[str, ...], everything: bool, watch: bool, as_json: bool) -> None:
    """Show the progress of the run in FOLDER: a line for each dataset and for each running stage, and the progress of
    shards that take long.

    Per cent and time left are estimated from the seconds that were planned for the shards, as far as they are known.
    """
    refuse_unknown(folder, names, planned_spaces(folder) if names else [])
    while True:
        rows = [row for row in stages_status(folder, complain) if not names or row.space in names]
        if watch and sys.stdout.isatty():
            click.clear()
        if as_json:
            events = ([event.model_dump() for event in row.progress] for row in rows)
            print_json([asdict(row) | {"progress": own} for row, own in zip(rows, events, strict=True)])
        for space in () if as_json else dict.fromkeys(row.space for row in rows):
            print_lines(_lines(space, [row for row in rows if row.space == space], everything))
        if not watch or all(row.state == "complete" for row in rows):
            return
        time.sleep(SECONDS_BETWEEN)


def _lines(space: str, rows: Sequence[StageStatus], everything: bool) -> Iterator[str]:
    done = sum(row.state in {"finished", "complete"} for row in rows)
    shards, known = sum(row.done for row in rows), sum(row.done if row.shards is None else row.shards for row in rows)
    complete = all(row.state == "complete" for row in rows)
    state = "complete" if complete else f"{done} of {len(rows)} stages finished"
    left = "" if complete else _left(rows)
    yield click.style(f"{space}: {state}, {shards:,} of {known:,} shards done{left}", bold=True)
    wide = max(len(row.stage) for row in rows)
    for row in rows:
        if everything or row.progress or (row.done and row.state not in {"finished", "complete"}):
            total = "?" if row.shards is None else f"{row.shards:,}"
            yield f"  {row.stage:<{wide}}  {row.done:,}/{total}  {row.state}"
            for event in row.progress:
                shard = event.shard.removeprefix(f"{space}/{row.stage}/")
                yield printable(f"    {shard}, {duration(event.seconds)}: {event.text}")


def _left(rows: Sequence[StageStatus]) -> str:
    """Per cent and planned seconds that are left, of the stages whose shards are known; the others are told."""
    seconds, left = sum(row.seconds for row in rows), sum(row.seconds_left for row in rows)
    uncut = sum(row.shards is None for row in rows)
    share = f" ({100 * (1 - left / seconds):.0f} %)" if seconds else ""
    return f"{share}, {time_left(left, uncut, ' on one core')}"
