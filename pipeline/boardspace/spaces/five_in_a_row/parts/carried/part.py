"""Large boards proved from small ones; their rows stand in the tables of the boards."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.carried import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """One, after the boards from which the large ones follow."""
    return (
        Stage(
            "carried",
            "large boards proved from small ones",
            compute.carry,
            compute.cut_carried,
            after=("boards",),
            bytes=len(config.carried) * 30_000,
            seconds=len(config.carried) * 0.6,
        ),
    )


CARRIED = Part(
    name="carried",
    stages=stages,
    checks=(
        Check(
            "carried boards",
            {"results": ("stones", "certified", "placements", "classes", "base_rows", "base_columns")},
            "the smallest searched board from which each follows, and windows of best cells counted cell by cell",
            checks.check_carried,
        ),
    ),
)
