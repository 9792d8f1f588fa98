"""``boardspace verify``"""

import dataclasses
import sys
import time
from pathlib import Path
from typing import Any

import click

from boardspace.cli.commands.option_group import option_group
from boardspace.cli.commands.options import as_json, console, existing_folder, print_json
from boardspace.cli.exit_codes import NOT_RIGHT
from boardspace.cli.report.text import print_line
from boardspace.cli.report.verification import column_table, report_lines
from boardspace.release.regenerate import documents_compared
from boardspace.spec.check import Draw
from boardspace.storage.locations import Location
from boardspace.verify import verify as check


def _draw(seed: int | None, everything: bool) -> Draw:
    """The draw that the options ask for."""
    return Draw.at_random(everything) if seed is None else Draw(seed, everything)


draw_options = option_group(
    "draw",
    _draw,
    click.option(
        "--seed",
        type=click.IntRange(0),
        help="Seed of the sample that the logic level re-derives [random; it is printed].",
    ),
    click.option(
        "--all",
        "everything",
        is_flag=True,
        help="Re-derive all rows, and make all shards of a run again; this may take hours.",
    ),
)


@click.command()
@click.argument("folder", type=existing_folder)
@click.option("--level", type=click.Choice(["hashes", "structure", "logic"]), default="logic", show_default=True)
@draw_options
@click.option("--columns", is_flag=True, help="List for every column how it was re-derived, and how many rows.")
@click.option(
    "--signer",
    "signers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="One of these must have signed the release: an OpenSSH file of allowed signers, lines of NAME KEYTYPE KEY.",
)
@as_json
def verify(folder: Location, level: Any, draw: Draw, columns: bool, signers: Path | None, as_json: bool) -> None:
    """Check the run in FOLDER: hashes, then structure, then logic. Exit code 1 if something is wrong.

    FOLDER may also be a release, or one dataset of it. Then nothing but its files is needed: data are derived again as
    far as the published tables and arrays allow, checks that need the run are listed as skipped, and cards and
    manifests are made again and compared.
    """
    start = time.monotonic()
    result = check(folder, level, draw, processes=True, signers=signers)
    if isinstance(folder, Path):
        result = documents_compared(result, folder)
    if as_json:
        print_json(dataclasses.asdict(result))
    else:
        if columns:
            console().print(column_table(result))
        for line in report_lines(result, time.monotonic() - start):
            print_line(line)
    if result.faults:
        sys.exit(NOT_RIGHT)
