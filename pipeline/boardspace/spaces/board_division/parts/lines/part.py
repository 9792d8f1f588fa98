"""Lines of pegs: rectangles of one row, whose positions the source speaks of by itself."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.lines.tables import LINES
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.board_division.parts.lines import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")


def stages(config: BoardDivisionConfig) -> Sequence[Stage]:
    """One."""
    return (
        Stage(
            "lines",
            "every position of lines, with the lemmas on each",
            compute.search_lines,
            compute.cut_lines,
            bytes=config.lines * 140,
        ),
    )


LINES_OF_PEGS = Part(
    name="lines",
    scope="lengths of lines",
    stages=stages,
    tables=(LINES,),
    claims=claims.measure,
    checks=(
        Check(
            "lines",
            {"lines": ("n", "positions", "fewest", "broken", "touched_jumps", "late_jumps")},
            "the source's argument in numbers; lines of up to 24 pegs, and some longer ones, played as text",
            checks.check_lines,
        ),
    ),
)
