"""All boards whose cars have one cell, by cells of a side, number of voids and row of the exit.

Every cell is a void, or a car that moves along its row, or one that moves along its column; out is a car of the first
kind at the left end of a given row. ``boardspace verify`` makes squares of up to 3 x 3 cells anew, all of them, in
plain Python; of larger ones drawn labels and the starts whose groups are small, and all sums.
"""

from collections.abc import Iterator, Sequence
from math import comb
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.rush_hour.columns import METRICS
from boardspace.spaces.rush_hour.config import RushHourConfig
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Balance, Made, Most, Over, Total
from boardspace.spec.figures import Figures
from boardspace.spec.space import Column, Inputs, Measurement, Part, Stage, Table
from boardspace.spec.texts import counted

if TYPE_CHECKING:
    from boardspace.spaces.rush_hour.parts.unit import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")

KEY = (
    Column("n", pa.uint8(), "Cells of a side.", "cells"),
    Column("voids", pa.uint8(), "Cells without a car.", "cells"),
    Column(
        "exit_row",
        pa.uint8(),
        "Row of the exit, from 0: a car that moves along it wants to its left end. The rows below the middle are the "
        "same upside down.",
    ),
)
FIGURES = Figures(
    "boards",
    METRICS,
    class_doc="so many cars along each row, and along each column",
    group_doc="With a goal or without",
    goal_doc="a car that moves along the exit's row, at its left end",
)
ALL = Made(
    "all boards with cars of one cell",
    checks.make,
    folders=checks.seconds_of,
    says="all boards of up to 3 x 3 searched in plain Python, of larger ones those of drawn labels, and drawn starts",
    partly=True,
)


def start(metric: str) -> Column:
    """Column of a start."""
    return Column(
        f"{'unit_' if metric == 'unit moves' else ''}start",
        pa.string(),
        f"The first of the boards that take most {metric}, row by row: . is a void, - a car that moves along its row, "
        "| one that moves along its column, in this order.",
        nullable=True,
    )


SQUARES = Table(
    "unit_squares",
    "All boards whose cars have one cell, by cells of a side, voids and the row of the exit.",
    (*KEY, *FIGURES.columns("such boards"), start("steps"), start("unit moves")),
    tuple(column.name for column in KEY),
    rows=ALL,
    since=2,
)
LABELS = Table(
    "unit_labels",
    "The same by the numbers of cars in rows. A class of boards is the numbers of cars that move along each row, and "
    "along each column. With the classes that symmetries of the square make of it, it is listed under that of them "
    "whose numbers come first.",
    (
        *KEY,
        Column(
            "label", pa.uint16(), "The numbers of cars that move along rows: digits in base n + 1, the last row last."
        ),
        *FIGURES.columns("this label"),
    ),
    (*(column.name for column in KEY), "label"),
    rows=ALL,
    since=2,
)


def stages(config: RushHourConfig) -> Sequence[Stage]:
    """The search, and the tables."""
    boards = sum(comb(n * n, voids) << n * n - voids for n, voids in config.unit_squares)
    return (
        Stage(
            "unit_search",
            "groups, least steps and unit moves of boards with cars of one cell",
            compute.search_labels,
            compute.cut_labels,
            bytes=min(boards, 300_000 * len(config.unit_squares)),
            drops=True,
        ),
        Stage(
            "unit_tables",
            "these boards by squares and by labels",
            compute.make_tables,
            compute.cut_tables,
            after=("unit_search",),
            bytes=min(boards, 50_000 * len(config.unit_squares)),
        ),
    )


def balances() -> Iterator[Balance]:
    """Sums of all labels, and their ends."""
    by = tuple(column.name for column in KEY)
    for name in FIGURES.summed:
        total = Total("sum", name)
        yield Balance(by, (Over("unit_labels", total),), (Over("unit_squares", total),))
    for metric in METRICS:
        greatest = Total("greatest", metric.most)
        yield Balance(by, (Over("unit_labels", greatest),), (Over("unit_squares", greatest),))
        far = Over("unit_labels", Total("sum", metric.number, where=Most(metric.most)))
        yield Balance(by, (far,), (Over("unit_squares", Total("sum", metric.number)),))


def measure(config: RushHourConfig, inputs: Inputs) -> dict[str, Measurement]:
    """The most moves with one void, from whichever row."""
    rows = [row for row in inputs.table("unit_squares").to_pylist() if row["voids"] == 1]
    found = {}
    for n in sorted({row["n"] for row in rows}):
        best = max((row for row in rows if row["n"] == n), key=lambda row: row["unit_moves"])
        found[f"unit-{n}"] = Measurement(
            best["unit_moves"],
            f"all {best['boards']:,} boards searched from the exits of all rows; the farthest is from row "
            f"{best['exit_row']}: {best['unit_start']}",
        )
    return found


def results(config: RushHourConfig, inputs: Inputs) -> list[str]:
    """A line on each side."""
    rows, lines = inputs.table("unit_squares").to_pylist(), []
    for n in sorted({row["n"] for row in rows}):
        own = [row for row in rows if row["n"] == n]
        boards = sum(row["boards"] for row in own if row["exit_row"] == 0)
        far = max(own, key=lambda row: row["unit_moves"])
        lines.append(
            f"{n}x{n}, cars of one cell: {boards:,} boards; at most {counted(far['unit_moves'], 'unit move')}, with "
            f"{counted(far['voids'], 'void')}: {far['unit_start']}"
        )
    return lines


UNIT = Part(
    name="unit",
    scope="unit squares",
    stages=stages,
    tables=(SQUARES, LABELS),
    claims=measure,
    results=results,
    balances=tuple(balances()),
)
