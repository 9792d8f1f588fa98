"""Boards of a few columns and any length, with the least density of endless ones."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.strips.tables import STRIPS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.strips import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """One."""
    return (
        Stage(
            "strips",
            "boards of a few columns and any length",
            compute.solve_strip,
            compute.cut_strips,
            bytes=sum(20_000 * (width - k + 1) for k, width in config.strips),
        ),
    )


STRIPS_OF_ANY_LENGTH = Part(
    name="strips",
    scope="strips of any length",
    stages=stages,
    tables=(STRIPS,),
    checks=(
        Check(
            "strips",
            {
                "strips": (
                    "k",
                    "width",
                    "period",
                    "stones",
                    "start_rows",
                    "fewest",
                    "states",
                    "pattern",
                    "certificate",
                )
            },
            "all states and values by code of its own, of strips of up to 120,000 states and a draw of others; "
            "patterns laid out and repeated",
            checks.check_strips,
        ),
        Check(
            "strips and boards",
            {"strips": ("fewest",), "results": ("stones",)},
            "the stones of boards of so many columns, which another search found",
            checks.check_boards,
        ),
    ),
)
