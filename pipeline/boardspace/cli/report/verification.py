"""Report of a verification, for people."""

from collections.abc import Iterator

from rich.table import Table as Grid

from boardspace.cli.report.text import cell
from boardspace.spec.wording import counted
from boardspace.verify import Verification

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
                tried = ("none", "") if one.impossible else (f"{one.cases:,}", f"{one.of:,}")
                says = one.says.get(name, one.means)
                means = f"cannot be made here: {one.impossible}" if one.impossible else says
                grid.add_row(*map(cell, (one.dataset, name, *tried, means)))
    for dataset, reasons in result.unchecked.items():
        for name, reason in reasons.items():
            grid.add_row(*map(cell, (dataset, name, "none", "", f"cannot be re-derived: {reason}")))
    return grid


def report_lines(result: Verification, seconds: float) -> Iterator[str]:
    """A line for each fault, for what was left out, and the sum of it."""
    for fault in result.faults[:MOST]:
        yield f"{fault.where}: {fault.what}"
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
