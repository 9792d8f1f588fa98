"""All placements with the fewest stones, in one array, and where each board's lie.

A part of its own: its stage comes after those of the boards and of the carried ones, whose placements it puts together.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.placements.tables import LISTED, PACKED, PLACEMENTS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.placements import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """One, after all that list placements."""
    number = config.searched_boards
    return (
        Stage(
            "placements",
            "all placements in one array, and where each board's lie",
            compute.list_placements,
            compute.cut_placements,
            after=("boards", "carried"),
            bytes=number * 1_000,
            seconds=number * 0.0013,
        ),
    )


PLACEMENTS_OF_BOARDS = Part(
    name="placements",
    scope="boards",
    stages=stages,
    tables=(LISTED, PACKED),
    arrays=(PLACEMENTS,),
    claims=claims.measure,
    checks=(
        Check(
            "listed",
            {"listed": ("k", "rows", "columns", "first_byte", "row_bytes", "placements")},
            "laid out again, board after board, from the rows that are listed",
            checks.check_listed,
        ),
        Check(
            "placements",
            {"placements": ()},
            "every placement: in order, as many stones as the row has, no line free; how many, by the second counts",
            checks.check_placements,
        ),
        Check(
            "classes",
            {"results": ("classes",)},
            "images of every listed placement under the symmetries, and which are least of their class",
            checks.check_classes,
        ),
    ),
)
