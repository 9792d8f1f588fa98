"""``boardspace status``"""

import dataclasses
from pathlib import Path

import click
from rich.table import Table as Grid

from boardspace.pipeline.commands.options import as_json, console, existing_folder, print_json
from boardspace.pipeline.status import status as stage_status


@click.command()
@click.argument("folder", type=existing_folder)
@as_json
def status(folder: Path, as_json: bool) -> None:
    """Show how far the run in FOLDER has come."""
    rows = stage_status(folder)
    if as_json:
        print_json([dataclasses.asdict(row) for row in rows])
        return
    grid = Grid(title=str(folder), title_justify="left")
    for name in ("space", "stage", "shards done", "state"):
        grid.add_column(name)
    for row in rows:
        total = "?" if row.shards is None else str(row.shards)
        grid.add_row(row.space, row.stage, f"{row.done}/{total}", row.state)
    console().print(grid)
