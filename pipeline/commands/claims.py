"""``boardspace claims``"""

from pathlib import Path
from typing import Any

import click

from boardspace.pipeline.claims import read_claims
from boardspace.pipeline.commands.options import as_json, console, existing_folder, print_json
from boardspace.pipeline.plan import recorded_work
from boardspace.pipeline.report.tables import claims_grid
from boardspace.pipeline.storage.files import StorageError
from boardspace.pipeline.storage.run_folder import SpaceFolder


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--evidence", is_flag=True, help="Also say how each claim was measured.")
@as_json
def claims(folder: Path, evidence: bool, as_json: bool) -> None:
    """Show every statement of the source texts with the measured value and the verdict."""
    found = complete_claims(folder)
    if as_json:
        print_json(found)
        return
    out = console()
    for space, rows in found.items():
        out.print(claims_grid(space, rows))
        if evidence:
            for row in rows:
                out.print(f"{row['claim']}: {row['evidence']}", markup=False, highlight=False)


def complete_claims(root: Path) -> dict[str, list[dict[str, Any]]]:
    """The claims of all complete datasets of a run's folder, by space; StorageError where none is complete."""
    found = {}
    for work in recorded_work(root):
        folder = SpaceFolder(root, work.space.name)
        if folder.complete.exists():
            found[work.space.name] = read_claims(folder.dataset)
    if not found:
        raise StorageError(f"{root}: no dataset here is complete yet; see: boardspace status {root}")
    return found
