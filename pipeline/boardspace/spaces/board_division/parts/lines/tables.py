"""Tables of the lines of pegs."""

import pyarrow as pa

from boardspace.spaces.board_division.columns import COLUMNS
from boardspace.spec.space import Column, Table

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
)
