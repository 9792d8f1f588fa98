"""The tables a command prints."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.table import Table as Grid

from boardspace.pipeline.engine import SpaceSummary

COLOURS = {"confirmed": "green", "corrected": "yellow", "refuted": "red", "answered": "cyan", "open": "dim"}
LONGEST = 60


def claims_grid(space: str, rows: Sequence[Mapping[str, Any]]) -> Grid:
    """The claims of one dataset with their verdicts."""
    counts = ", ".join(
        f"{sum(row['verdict'] == verdict for row in rows)} {verdict}"
        for verdict in COLOURS
        if any(row["verdict"] == verdict for row in rows)
    )
    grid = Grid(title=f"{space}: {counts or 'no claims'}", title_justify="left")
    grid.add_column("claim", no_wrap=True)
    grid.add_column("statement", ratio=2)
    grid.add_column("stated", overflow="fold")
    grid.add_column("measured", overflow="fold")
    grid.add_column("verdict", no_wrap=True)
    for row in rows:
        verdict = row["verdict"]
        grid.add_row(
            row["claim"],
            row["statement"],
            _short(row["stated"]),
            _short(row["measured"]),
            f"[{COLOURS[verdict]}]{verdict}[/]",
        )
    return grid


def summary_grid(root: Path, summaries: Mapping[str, SpaceSummary]) -> Grid:
    """What a run did, space by space, and where its datasets lie."""
    grid = Grid(title="datasets", title_justify="left")
    grid.add_column("dataset", overflow="fold")
    for name in ("shards", "done before", "rows", "MB", "worker seconds"):
        grid.add_column(name, justify="right")
    for space, summary in summaries.items():
        grid.add_row(
            str(root / space),
            f"{summary.shards:,}",
            f"{summary.skipped:,}",
            f"{summary.rows:,}",
            f"{summary.bytes / 1e6:,.1f}",
            f"{summary.seconds:,.1f}",
        )
    return grid


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
