"""Lines of pegs: rectangles of one row, whose positions the source speaks of by itself."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.board_division.columns import COLUMNS
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.board_division.parts.lines import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")

LINES_MADE = Made(
    "lines", checks.make_lines, says="the source's argument in numbers; lines of up to 80 pegs played as text"
)
LINES = Table(
    "lines",
    "All positions that can be reached from a line of n pegs, with the source's lemmas checked on each.",
    (
        COLUMNS,
        Column(
            "positions", pa.uint32(), "Positions, with the pegs marked that took no part in a jump yet.", "positions"
        ),
        Column("fewest", pa.uint16(), "Fewest pegs of any position.", "pegs"),
        Column("broken", pa.uint32(), "Positions with untouched pegs that break one of the conditions.", "positions"),
        Column("touched_jumps", pa.uint32(), "Jumps by or over a touched peg while untouched ones are left.", "jumps"),
        Column("late_jumps", pa.uint32(), "Jumps when no untouched peg is left.", "jumps"),
    ),
    ("n",),
    rows=LINES_MADE,
)


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
)
