"""Rectangles of pegs on an unbounded board: the fewest that can be left, and all positions of small ones, and lines."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Column, Part, Stage, Table, one_shard

if TYPE_CHECKING:
    from boardspace.spaces.board_division.parts.rectangles import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")

ROWS = Column("m", pa.uint16(), "Rows of the rectangle.", "pegs")
COLUMNS = Column("n", pa.uint16(), "Columns of the rectangle.", "pegs")
VALUES_MADE = Made("rectangle values", checks.make_values, says="the source's formula, and colours counted")
MODULES_MADE = Made("modules", checks.make_modules, says="searched in the order of the plain rules")
JUMPS_MADE = Made("jumps", checks.make_jumps, says="put together from modules searched anew")
DRAW_JUMP = DeferredFunction("boardspace.spaces.board_division.answers", "draw_jump")

_WAYS = ("up", "right", "down", "left")
_LETTERS = tuple((way[0].upper(), way) for way in _WAYS)

RECTANGLES = Table(
    "rectangles",
    "The fewest pegs that can be left of an m x n rectangle on an unbounded board.",
    (
        ROWS,
        COLUMNS,
        Column("fewest", pa.uint16(), "Fewest pegs that can be left.", "pegs"),
        Column("jumps", pa.uint32(), "Jumps that leave so few: each removes one peg.", "jumps"),
        Column("colour_bound", pa.uint8(), "Lower bound from the three colours.", "pegs"),
    ),
    ("m", "n"),
    complete="theorem",
    rows=VALUES_MADE,
)
MODULES = Table(
    "modules",
    "The short sequences of jumps from which every rectangle is reduced, found by search.",
    (
        Column("module", pa.string(), "module 1, module 2, or ending P x Q."),
        Column("jump", pa.uint8(), "Position in the sequence, from 1."),
        Column("row_num", pa.int8(), "Row of the peg that jumps; the block's upper row is 1."),
        Column("column_num", pa.int8(), "Column of the peg that jumps; the block's left column is 1."),
        Column("direction", pa.string(), "Where it jumps.", codes=_LETTERS),
    ),
    ("module", "jump"),
    complete="example",
    rows=MODULES_MADE,
)
JUMPS = Table(
    "jumps",
    "A sequence of jumps that leaves the fewest pegs of an m x n rectangle.",
    (
        ROWS,
        COLUMNS,
        Column("jump", pa.uint32(), "Position in the sequence, from 1."),
        Column("row_num", pa.int16(), "Row of the peg that jumps; the rectangle's upper row is 1."),
        Column("column_num", pa.int16(), "Column of the peg that jumps; the rectangle's left column is 1."),
        Column("direction", pa.uint8(), "Where it jumps.", codes=tuple(enumerate(_WAYS))),
    ),
    ("m", "n", "jump"),
    scope="sides of rectangles with jumps",
    complete="example",
    picture=DRAW_JUMP,
    rows=JUMPS_MADE,
)
POSITIONS_MADE = Made(
    "positions of rectangles",
    checks.make_positions,
    says="every position of rectangles of up to 18 pegs searched again, told apart by hashes",
)
POSITIONS = Table(
    "positions",
    "All positions that can be reached from an m x n rectangle on an unbounded board, counted by pegs.",
    (
        ROWS,
        COLUMNS,
        Column("pegs", pa.uint8(), "Pegs on the board.", "pegs"),
        Column("orbits", pa.uint64(), "Positions up to the symmetries of the rectangle.", "orbits"),
        Column("positions", pa.uint64(), "Positions.", "positions"),
        Column("stuck_orbits", pa.uint64(), "Those orbits from which no jump is possible.", "orbits"),
        Column("stuck_positions", pa.uint64(), "Those positions from which no jump is possible.", "positions"),
    ),
    ("m", "n", "pegs"),
    scope="sizes of searched rectangles",
    rows=POSITIONS_MADE,
)
REACH = Table(
    "reach",
    "The cells that the golden weights allow pegs of an m x n rectangle to come to, and those they come to.",
    (
        ROWS,
        COLUMNS,
        Column("row_num", pa.int8(), "Row; the rectangle's upper row is 1."),
        Column("column_num", pa.int8(), "Column; the rectangle's left column is 1."),
        Column("reached", pa.bool_(), "Whether a peg comes there in some game."),
    ),
    ("m", "n", "row_num", "column_num"),
    scope="sizes of searched rectangles",
    rows=POSITIONS_MADE,
)

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
    scope="lengths of lines",
    rows=LINES_MADE,
)


def stages(config: BoardDivisionConfig) -> Sequence[Stage]:
    """All independent of one another."""
    pegs = sum(m * n for m, n in config.large_rectangles)
    return (
        Stage(
            "values",
            "fewest pegs for every rectangle, and the bound from colours",
            compute.value_rectangles,
            compute.cut_values,
            bytes=config.values**2 * 2,
        ),
        Stage(
            "modules",
            "modules and endings found by search, strips of every height replayed",
            compute.list_modules,
            one_shard("modules", cost=0.2),
            bytes=5000,
        ),
        Stage("replays", "every rectangle reduced and replayed", compute.replay_reductions, compute.cut_replays),
        Stage(
            "sequences",
            "jumps of small rectangles and of some large ones, replayed",
            compute.list_sequences,
            compute.cut_sequences,
            bytes=(pegs + config.sequences**4) // 2,
        ),
        Stage(
            "searches",
            "every position of small rectangles on the unbounded board",
            compute.search_positions,
            compute.cut_searches,
            bytes=config.search_pegs * 10_000,
        ),
        Stage(
            "lines",
            "every position of lines, with the lemmas on each",
            compute.search_lines,
            compute.cut_lines,
            bytes=config.lines * 140,
        ),
    )


RECTANGLES_OF_PEGS = Part(
    name="rectangles",
    scope="sides of rectangles",
    stages=stages,
    tables=(RECTANGLES, MODULES, JUMPS, POSITIONS, REACH, LINES),
    claims=claims.measure,
)
