"""``boardspace verify`` and ``check-shard``"""

import dataclasses
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from rich.table import Table as Grid

from boardspace.cli.commands.options import NOT_RIGHT, as_json, console, existing_folder, option_group, print_json
from boardspace.cli.notices import cell, complain, print_line
from boardspace.release.regenerate import documents_compared
from boardspace.spec.check import Draw
from boardspace.spec.texts import counted
from boardspace.storage.locations import Location
from boardspace.verify import Verification
from boardspace.verify import verify as check
from boardspace.verify.comparing import ShardCheck
from boardspace.verify.one_shard import check_shard as checked
from boardspace.verify.result import Fault

MOST = 1000


def column_table(result: Verification) -> Grid:
    """For every column and array from what it was re-derived, and how many cases were tried of how many there are."""
    grid = Grid(title="re-derived", title_justify="left")
    for name in ("dataset", "column or array"):
        grid.add_column(name, overflow="fold")
    grid.add_column("tried", justify="right")
    grid.add_column("of", justify="right")
    grid.add_column("from what", overflow="fold")
    for one in result.rederived:
        for table, columns in one.columns.items():
            for name in [f"{table}.{column}" for column in columns] or [table]:
                tried = ("none", "") if one.impossible else (f"{one.tried(name):,}", f"{one.of:,}")
                says = one.says.get(name, one.means)
                means = f"cannot be made here: {one.impossible}" if one.impossible else says
                grid.add_row(*map(cell, (one.dataset, name, *tried, means)))
    for dataset, reasons in result.unchecked.items():
        for name, reason in reasons.items():
            grid.add_row(*map(cell, (dataset, name, "none", "", f"cannot be re-derived: {reason}")))
    return grid


def fault_lines(fault: Fault) -> Iterator[str]:
    """The lines of a fault; those after the first draw something."""
    first, *drawing = fault.what.split("\n")
    yield f"{fault.where}: {first}"
    yield from drawing


def report_lines(result: Verification, seconds: float) -> Iterator[str]:
    """A line for each fault, for what was left out, and the sum of it."""
    for fault in result.faults[:MOST]:
        yield from fault_lines(fault)
    if len(result.faults) > MOST:
        yield f"and {len(result.faults) - MOST:,} more"
    yield from (f"note: {note}" for note in result.notes)
    if result.signed is not None:
        yield f"signed by {result.signed.by} with {result.signed.key}"
    drawn = f", drawn with --seed {result.seed}" if result.seed is not None else ""
    cases = f", {result.cases:,} cases re-derived{drawn}" if result.level == "logic" else ""
    yield (
        f"{result.level}: {counted(len(result.faults), 'fault')} in {counted(result.files, 'file')}, "
        f"{result.bytes / 1e6:,.1f} MB, {counted(result.rows, 'row')}{cases}, {seconds:.1f} s"
    )


draw_options = option_group(
    "draw",
    lambda seed, everything: Draw.at_random(everything) if seed is None else Draw(seed, everything),
    click.option(
        "--seed",
        type=click.IntRange(0),
        help="Seed of the sample that the logic level re-derives [random; it is printed].",
    ),
    click.option(
        "--all",
        "everything",
        is_flag=True,
        help="Re-derive all rows, and make all shards, or all of a release, again; this may take hours.",
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


@click.command("check-shard")
@click.argument("folder", type=existing_folder)
@click.argument("name", metavar="SPACE/STAGE/SHARD")
@click.option("--from-scratch", is_flag=True, help="In a run: also make the stages before it again.")
@as_json
def check_shard(folder: Location, name: str, from_scratch: bool, as_json: bool) -> None:
    """Make one shard of the run or release in FOLDER again, and compare its rows and cells with the published ones.

    Exit code 1 if they differ. A release has no stages, so the stages before the shard's are made again first, in a
    temporary folder, in one process, by the plan of the release.
    """
    found = checked(folder, name, complain, from_scratch)
    if as_json:
        print_json(dataclasses.asdict(found))
    else:
        for difference in found.differences:
            print_line(f"{found.shard}: {difference}")
        print_line(f"{found.shard}: made again, {_verdict(found)}")
    if found.differences:
        sys.exit(NOT_RIGHT)


def _verdict(found: ShardCheck) -> str:
    rest = f"not compared, since not kept: {', '.join(found.left_out)}" if found.left_out else ""
    if found.differences:
        return "; ".join(filter(None, ("and it is not what is published", rest)))
    if not found.rows and not found.cells:
        return rest or "and it has no rows or cells"
    return "; ".join(filter(None, (f"its {found.rows:,} rows and {found.cells:,} cells are those published", rest)))
