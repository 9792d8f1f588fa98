"""``boardspace plan``"""

import os
from pathlib import Path
from typing import Any

import click
from rich.table import Table as Grid

from boardspace.pipeline.commands.options import as_json, changes, console, only_spaces, print_json
from boardspace.pipeline.config import DEFAULT, load_config
from boardspace.pipeline.plan import Work, cut, work_of
from boardspace.pipeline.space import Stage
from boardspace.pipeline.stages import stages_of
from boardspace.pipeline.storage.run_folder import FinishedStages, SpaceFolder


@click.command()
@click.argument("config", default=DEFAULT)
@only_spaces
@changes
@as_json
def plan(config: str, names: tuple[str, ...], changes: tuple[str, ...], as_json: bool) -> None:
    """Show what CONFIG would run: stages, shards, estimated seconds and size.

    Stages that are cut by what earlier stages find show the stages they wait for instead of a number of shards.
    """
    work = work_of(load_config(config, changes).only(names))
    rows = [_planned(w, stage) for w in work for stage in stages_of(w.space, w.config).values()]
    if as_json:
        print_json(rows)
        return
    grid = Grid(title=f"plan of {config}", title_justify="left")
    for name in ("space", "stage", "shards", "seconds", "MB", "what it does"):
        grid.add_column(name, overflow="fold")
    for row in rows:
        shards = row["shards"] if row["shards"] is not None else f"after {', '.join(row['after'])}"
        seconds = "" if row["seconds"] is None else f"{row['seconds']:.0f}"
        grid.add_row(row["space"], row["stage"], str(shards), seconds, f"{row['bytes'] / 1e6:.0f}", row["doc"])
    console().print(grid)


def _planned(work: Work, stage: Stage) -> dict[str, Any]:
    shards = None
    if not stage.after:
        nothing = FinishedStages(SpaceFolder(Path(os.devnull), work.space.name), work.space)
        shards = cut(stage, work.config, nothing)
    return {
        "space": work.space.name,
        "stage": stage.name,
        "doc": "; ".join(filter(None, (stage.doc, stage.omits))),
        "after": list(stage.after),
        "shards": None if shards is None else len(shards),
        "seconds": None if shards is None else sum(shard.cost for shard in shards),
        "bytes": stage.bytes,
    }
