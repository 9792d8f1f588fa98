"""Values, modules, jumps, and what exhaustive searches of small rectangles found."""

import pyarrow as pa

from boardspace.spaces.board_division.columns import COLUMNS, ROWS
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Column, Table

DRAW_JUMP = DeferredFunction("boardspace.spaces.board_division.drawn_rows", "draw_jump")

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
    draw=DRAW_JUMP,
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
)
