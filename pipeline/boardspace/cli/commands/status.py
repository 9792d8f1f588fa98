"""``boardspace status``"""

import dataclasses
from collections.abc import Iterator, Sequence
from typing import Any

import click

from boardspace.cli.commands.options import as_json, existing_folder, print_json
from boardspace.cli.commands.questions import print_lines
from boardspace.cli.report.text import complain, printable
from boardspace.cli.report.time_left import duration
from boardspace.engine.status import StageStatus
from boardspace.engine.status import status as stage_status
from boardspace.storage.locations import Location


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--space", "names", multiple=True, metavar="NAME", help="Only of this space (repeatable).")
@click.option("--all", "everything", is_flag=True, help="Every stage, those of complete datasets too.")
@as_json
def status(folder: Location, names: tuple[str, ...], everything: bool, as_json: bool) -> None:
    """Show how far the run in FOLDER has come: a line for each dataset, and one for each stage that is not finished,
    with what shards of it that take long say of themselves while they run."""
    rows = [row for row in stage_status(folder, complain) if not names or row.space in names]
    if as_json:
        print_json([_as_json(row) for row in rows])
        return
    for space in dict.fromkeys(row.space for row in rows):
        print_lines(_lines(space, [row for row in rows if row.space == space], everything))


def _lines(space: str, rows: Sequence[StageStatus], everything: bool) -> Iterator[str]:
    done = sum(row.state in {"finished", "complete"} for row in rows)
    uncut = sum(row.shards is None for row in rows)
    shards, known = sum(row.done for row in rows), sum(row.done if row.shards is None else row.shards for row in rows)
    later = f" and those of {uncut} stages that are not cut yet" if uncut else ""
    state = "complete" if all(row.state == "complete" for row in rows) else f"{done} of {len(rows)} stages finished"
    yield click.style(f"{space}: {state}, {shards:,} of {known:,} shards done{later}", bold=True)
    wide = max(len(row.stage) for row in rows)
    for row in rows:
        if everything or row.state not in {"finished", "complete"}:
            total = "?" if row.shards is None else f"{row.shards:,}"
            yield f"  {row.stage:<{wide}}  {row.done:,}/{total}  {row.state}"
            for event in row.progress:
                shard = event.shard.removeprefix(f"{space}/{row.stage}/")
                yield printable(f"    {shard}, {duration(event.seconds)}: {event.text}")


def _as_json(row: StageStatus) -> dict[str, Any]:
    shallow = {field.name: getattr(row, field.name) for field in dataclasses.fields(row)}
    return {**shallow, "progress": [event.model_dump() for event in row.progress]}
