"""Trays checked from the rules: plain Python on sets of cells, sharing no code with the kernels.

The row of a small frame is made anew, of all its layouts; of a larger one the stated hardest layouts are solved.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.frame import METRICS, UNIT, Frame, Layout
from boardspace.spec.check import Finding
from boardspace.spec.space import Inputs

WHOLE_FRAME = 10_000
"""A frame of at most so many layouts is enumerated."""
WHOLE_GROUP = 100_000
"""Searches from the hardest layouts of a frame whose groups are no larger."""


def check_trays(config: KlotskiConfig, inputs: Inputs) -> Sequence[Finding]:
    """The rows of the table, each as far as plain Python goes; none where no tray was asked for."""
    if not config.trays:
        return ()
    rows = inputs.read("trays", "trays").to_pylist()
    searched = [row for row in rows if row["groups"] is not None]
    small = [row for row in searched if row["layouts"] <= WHOLE_FRAME]
    larger = [row for row in searched if row["layouts"] > WHOLE_FRAME and row["largest_group"] <= WHOLE_GROUP]
    return (
        _checked("trays enumerated by hand", small, _made_anew),
        _checked("hardest layouts of trays solved by hand", larger, _solved),
    )


def _checked(name: str, rows: list[dict[str, Any]], told: Callable[[dict[str, Any]], dict[str, int]]) -> Finding:
    for row in rows:
        expected = told(row)
        wrong = [column for column, value in expected.items() if row[column] != value]
        if wrong:
            column = wrong[0]
            fault = f"{row['columns']} x {row['rows']}: {column} is {expected[column]}, the table says {row[column]}"
            return Finding(name, len(rows), fault)
    return Finding(name, len(rows))


def _made_anew(row: Mapping[str, Any]) -> dict[str, int]:
    """The whole row but for its key and the number of classes."""
    frame = Frame(row["columns"], row["rows"])
    layouts = frame.layouts()
    sizes = _group_sizes(frame, set(layouts.values()))
    found = {"layouts": len(layouts), "groups": len(sizes), "largest_group": max(sizes)}
    ends = [layout for layout in layouts.values() if frame.solved(layout)]
    for metric in METRICS:
        distances = frame.distances(ends, metric)
        most = max(distances.values())
        code = min(code for code, layout in layouts.items() if distances.get(layout) == most)
        found |= {f"hardest_{metric}": most, f"hardest_{metric}_code": code, "solvable_layouts": len(distances)}
    return found


def _group_sizes(frame: Frame, left: set[Layout]) -> list[int]:
    sizes = []
    while left:
        group = frame.distances([next(iter(left))], UNIT)
        left -= group.keys()
        sizes.append(len(group))
    return sizes


def _solved(row: Mapping[str, Any]) -> dict[str, int]:
    """The moves that the hardest layouts need."""
    frame = Frame(row["columns"], row["rows"])
    found = {}
    for metric in METRICS:
        distances = frame.distances([frame.decoded(row[f"hardest_{metric}_code"])], metric)
        found[f"hardest_{metric}"] = min(moves for layout, moves in distances.items() if frame.solved(layout))
    return found
