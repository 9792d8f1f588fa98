"""``boardspace status``"""

import dataclasses
import sys
import time
from collections.abc import Iterator, Sequence
from typing import Any

import click

from boardspace.cli.commands.options import as_json, existing_folder, print_json
from boardspace.cli.commands.questions import print_lines
from boardspace.cli.report.text import complain, printable
from boardspace.cli.report.time_left import duration
from boardspace.engine.status import StageStatus
from boardspace.engine.status import status as stage_status
from boardspace.spec.wording import counted
from boardspace.storage.locations import Location

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
    while True:
        rows = [row for row in stage_status(folder, complain) if not names or row.space in names]
        if watch and sys.stdout.isatty():
            click.clear()
        if as_json:
            print_json([_as_json(row) for row in rows])
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
    more = f"; {counted(uncut, 'stage')} to be cut" if uncut else ""
    return f"{share}, {'at least ' if uncut else 'about '}{duration(left)} left on one core{more}"


def _as_json(row: StageStatus) -> dict[str, Any]:
    shallow = {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    return {**shallow, "progress": [event.model_dump() for event in row.progress]}
