"""The tables a command prints."""

from collections.abc import Mapping

from rich.table import Table as Grid

from boardspace.cli.report.text import cell
from boardspace.engine.events import SpaceSummary
from boardspace.storage.locations import Location


def summary_grid(root: Location, summaries: Mapping[str, SpaceSummary]) -> Grid:
    """Table of what a run did, space by space, and of where its datasets lie."""
    grid = Grid(title="datasets", title_justify="left")
    grid.add_column("dataset", overflow="fold")
    for name in ("shards", "done before", "rows", "MB", "worker seconds"):
        grid.add_column(name, justify="right")
    for space, summary in summaries.items():
        grid.add_row(
            cell(root / space),
            f"{summary.shards:,}",
            f"{summary.skipped:,}",
            f"{summary.rows:,}",
            f"{summary.bytes / 1e6:,.1f}",
            f"{summary.seconds:,.1f}",
        )
    return grid
