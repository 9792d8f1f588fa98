"""Rectangles of few rows and any number of columns, covered by L-trominoes; the text asks nothing about them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.strips.tables import STRIPS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.board_division.parts.strips import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")


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
