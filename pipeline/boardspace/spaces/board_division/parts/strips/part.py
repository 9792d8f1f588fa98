"""Rectangles of few rows and any number of columns, covered by L-trominoes; the text asks nothing about them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.board_division.parts.strips import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")


_COEFFICIENTS = pa.list_(pa.string())

STRIPS = Table(
    "strips",
    "The numbers of covers by L-trominoes of strips of so many rows, along their columns: a linear recurrence, proved, "
    "as the generating function numerator / denominator of the terms.",
    (
        Column("rows", pa.uint8(), "Rows of the strip.", "cells"),
        Column(
            "period", pa.uint8(), "Columns from term to term: 3 where other numbers of columns have no cover.", "cells"
        ),
        Column("states", pa.uint16(), "Sets of covered cells that a column can begin with."),
        Column("recurrence_order", pa.uint16(), "Terms that the next one follows from."),
        Column("numerator", _COEFFICIENTS, "Coefficients in decimal digits, constant first."),
        Column(
            "denominator",
            _COEFFICIENTS,
            "The same; the first is 1, the others negated are the recurrence's coefficients, of the last term first.",
        ),
        Column("compared", pa.uint16(), "Terms compared with the recurrence: states + recurrence_order prove it."),
    ),
    ("rows",),
)


def stages(config: BoardDivisionConfig) -> Sequence[Stage]:
    """Return the stage."""
    return (
        Stage(
            "strips",
            "recurrences of the covers of strips, proved",
            compute.find_recurrence,
            compute.cut_strips,
            bytes=3_000 * config.strips,
        ),
    )


STRIPS_OF_TROMINOES = Part(
    name="strips",
    scope="rows of strips",
    stages=stages,
    tables=(STRIPS,),
    claims=claims.measure,
    checks=(
        Check(
            "strips",
            {"strips": tuple(column.name for column in STRIPS.columns)},
            "covers counted cell by cell, as many terms as prove the recurrence",
            checks.check_strips,
        ),
    ),
)
