"""Every table and array of the dataset."""

import pyarrow as pa

from boardspace.pipeline.space import Array, Column, Table

_WAYS = ("up", "right", "down", "left")
_LETTERS = tuple((way[0].upper(), way) for way in _WAYS)
_M = Column("m", pa.uint16(), "Rows of the rectangle.", "pegs")
_N = Column("n", pa.uint16(), "Columns of the rectangle.", "pegs")

SPECIAL_COVERS = Array(
    "covers/{k}",
    "uint16",
    ("special", "row", "column"),
    "Covers of the 2^k x 2^k board by L-trominoes for all 4^k special cells in reading order: the number of the "
    "tromino on each cell, in the order of the recursion; 0 on the special cell.",
)
LARGE_COVERS = Array(
    "large/{k}-{row}-{column}",
    "uint32",
    ("row", "column"),
    "Cover of one 2^k x 2^k board by L-trominoes, its special cell in this row and column, from 1: the number of the "
    "tromino on each cell, in the order of the recursion; 0 on the special cell.",
)
OWNED = Table(
    "owned",
    "Runs of consecutive tromino numbers that a block of a large cover owns, as read back from its array.",
    (Column("first", pa.uint64(), "First number of the run."), Column("last", pa.uint64(), "Last number of the run.")),
    ("first",),
    published=False,
)
COVER_COUNTS = Table(
    "cover_counts",
    "The number of all covers by L-trominoes of a square less one cell, for every place of that cell.",
    (
        Column("side", pa.uint8(), "Side of the square.", "cells"),
        Column("row", pa.uint8(), "Row of the cell left out, from 1."),
        Column("column", pa.uint8(), "Column of the cell left out, from 1."),
        Column("covers", pa.string(), "Number of covers, exactly, in decimal digits.", "covers"),
    ),
    ("side", "row", "column"),
)
RECTANGLES = Table(
    "rectangles",
    "The fewest pegs that can be left of an m x n rectangle on an unbounded board.",
    (
        _M,
        _N,
        Column("fewest", pa.uint16(), "Fewest pegs that can be left.", "pegs"),
        Column("jumps", pa.uint32(), "Jumps that leave so few: each removes one peg.", "jumps"),
        Column("colour_bound", pa.uint8(), "Lower bound from the three colours.", "pegs"),
    ),
    ("m", "n"),
)
MODULES = Table(
    "modules",
    "The short sequences of jumps from which every rectangle is reduced, found by search.",
    (
        Column("module", pa.string(), "module 1, module 2, or ending P x Q."),
        Column("jump", pa.uint8(), "Position in the sequence, from 1."),
        Column("row", pa.int8(), "Row of the peg that jumps; the block's upper row is 1."),
        Column("column", pa.int8(), "Column of the peg that jumps; the block's left column is 1."),
        Column("direction", pa.string(), "Where it jumps.", codes=_LETTERS),
    ),
    ("module", "jump"),
)
JUMPS = Table(
    "jumps",
    "A sequence of jumps that leaves the fewest pegs of an m x n rectangle.",
    (
        _M,
        _N,
        Column("jump", pa.uint32(), "Position in the sequence, from 1."),
        Column("row", pa.int16(), "Row of the peg that jumps; the rectangle's upper row is 1."),
        Column("column", pa.int16(), "Column of the peg that jumps; the rectangle's left column is 1."),
        Column("direction", pa.uint8(), "Where it jumps.", codes=tuple(enumerate(_WAYS))),
    ),
    ("m", "n", "jump"),
)
POSITIONS = Table(
    "positions",
    "All positions that can be reached from an m x n rectangle on an unbounded board, counted by pegs.",
    (
        _M,
        _N,
        Column("pegs", pa.uint8(), "Pegs on the board.", "pegs"),
        Column("orbits", pa.uint64(), "Positions up to the symmetries of the rectangle.", "orbits"),
        Column("positions", pa.uint64(), "Positions.", "positions"),
        Column("stuck_orbits", pa.uint64(), "Those orbits from which no jump is possible.", "orbits"),
        Column("stuck_positions", pa.uint64(), "Those positions from which no jump is possible.", "positions"),
    ),
    ("m", "n", "pegs"),
)
REACH = Table(
    "reach",
    "The cells that the golden weights allow pegs of an m x n rectangle to come to, and those they come to.",
    (
        _M,
        _N,
        Column("row", pa.int8(), "Row; the rectangle's upper row is 1."),
        Column("column", pa.int8(), "Column; the rectangle's left column is 1."),
        Column("reached", pa.bool_(), "Whether a peg comes there in some game."),
    ),
    ("m", "n", "row", "column"),
)
LINES = Table(
    "lines",
    "All positions that can be reached from a line of n pegs, with the source's lemmas checked on each.",
    (
        _N,
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

TABLES = (OWNED, COVER_COUNTS, RECTANGLES, MODULES, JUMPS, POSITIONS, REACH, LINES)
ARRAYS = (SPECIAL_COVERS, LARGE_COVERS)
