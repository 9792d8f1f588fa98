"""Positions of whole spaces and their numbers; what the stages of a level exchange."""

import pyarrow as pa

from boardspace.spaces.solitaire.columns import PEGS, POSITION, PROBLEM
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Column, Table

DRAW_POSITION = DeferredFunction("boardspace.spaces.solitaire.drawn_rows", "draw_position")

POSITIONS = Table(
    "positions",
    "Every position that can be reached by jumps, one of each orbit, with the fewest moves to it.",
    (
        POSITION,
        Column("moves", pa.uint8(), "Fewest whole moves from the start.", "moves"),
        Column("choices", pa.uint8(), "Jumps possible; 0 is a dead end.", "jumps"),
        Column("orbit", pa.uint8(), "Positions in its orbit.", "positions"),
    ),
    ("position",),
    folders=(PROBLEM, PEGS),
    draw=DRAW_POSITION,
)

WINNING = Table(
    "winning",
    "Reachable positions from which the goal can be reached, with the least moves to it.",
    (POSITION, Column("moves", pa.uint8(), "Fewest whole moves to the goal.", "moves")),
    ("position",),
    folders=POSITIONS.folders,
    draw=DRAW_POSITION,
)

LEVELS = Table(
    "levels",
    "The whole space by number of pegs.",
    (
        PROBLEM,
        PEGS,
        Column("positions", pa.uint64(), "Orbits that can be reached.", "orbits"),
        Column("labelled_positions", pa.uint64(), "Positions that can be reached.", "positions"),
        Column("winning", pa.uint64(), "Orbits that can be reached and from which the goal can be.", "orbits"),
        Column("labelled_winning", pa.uint64(), "Positions that can be reached and from which it can be.", "positions"),
        Column("dead_ends", pa.uint64(), "Orbits without a jump.", "orbits"),
        Column("labelled_dead_ends", pa.uint64(), "Positions without a jump.", "positions"),
        Column("most_moves", pa.uint8(), "The largest of the fewest numbers of moves to a position.", "moves"),
    ),
    ("problem", "pegs"),
)

NEXT_LEVEL = Table(
    "next_level",
    "Results of the jumps from a part of a level, on their way to the next.",
    (
        POSITION,
        Column("moves", pa.uint8(), "Fewest moves by way of that part.", "moves"),
        Column("live", pa.uint64(), "Pegs that can have moved last in that many, as bits."),
    ),
    ("position",),
    published=False,
)
