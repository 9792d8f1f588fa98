"""Sizes of the search by counting pegs; what its stages exchange."""

import pyarrow as pa

from boardspace.spaces.solitaire.columns import POSITION, PROBLEM
from boardspace.spec.space import Column, Table

FEASIBLE = Table(
    "feasible",
    "Search through the positions that a count of pegs on goal holes does not exclude, move by move.",
    (
        PROBLEM,
        Column("length", pa.uint8(), "Moves in which the goal is to be reached.", "moves"),
        Column("move", pa.uint8(), "Number of the move, from 1."),
        Column("positions", pa.uint64(), "Orbits of feasible positions before the move.", "orbits"),
        Column("variants", pa.uint64(), "Moves from them with feasible stops only.", "moves"),
        Column("most_variants", pa.uint32(), "Most moves of one position with feasible stops only.", "moves"),
        Column("most_choices", pa.uint32(), "Most moves of one position, whatever their stops.", "moves"),
        Column("longest_chain", pa.uint8(), "Most jumps in one move with feasible stops only.", "jumps"),
        Column("most_gain", pa.uint8(), "Most goal holes that one move, whatever its stops, fills more.", "holes"),
        Column("children", pa.uint64(), "Orbits of feasible positions after the move.", "orbits"),
        Column("goal", pa.bool_(), "Whether the goal is among these."),
    ),
    ("problem", "length", "move"),
)

FEASIBLE_CHILDREN = Table(
    "feasible_children",
    "Feasible results of the moves from a part of the feasible positions, on their way to the next move.",
    (POSITION,),
    ("position",),
    published=False,
)
