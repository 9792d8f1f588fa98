"""Distances to the exit and numbers of solutions."""

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spec.space import Array, Column, Table

VALUES = (
    Column(
        "min_solution_step",
        pa.int16(),
        "Least number of steps to a layout with the block at the exit (feature S).",
        "steps",
        codes=((-1, "no moves lead to one"),),
    ),
    Column("min_solution_num", pa.uint32(), "Number of solutions at that step; 0 where there is none.", "layouts"),
    Column(
        "solution_num",
        pa.int32(),
        "Number of all solutions: layouts of feature S with no other on any shortest path to them.",
        "layouts",
        codes=((-1, "not counted: the group is too large for the run"),),
    ),
    Column("min_straight_step", pa.int16(), "The same distance where a step is one piece in one direction.", "steps"),
    Column("min_unit_move", pa.int16(), "The same distance where a move is one piece by one cell.", "moves"),
)

SOLUTION = Table(
    "solution",
    "How far each layout is from the exit, and its solutions.",
    (columns.LAYOUT_ID, *VALUES),
    ("layout_id",),
)

MIN_SOLUTION_STEP = Array(
    "min_solution_step", "int16", ("layout_id",), "Steps to its nearest solution, -1 where it has none.", "steps"
)
MIN_SOLUTION_NUM = Array(
    "min_solution_num", "uint32", ("layout_id",), "Number of its solutions at that step.", "layouts"
)
SOLUTION_NUM = Array(
    "solution_num", "int32", ("layout_id",), "Number of all its solutions, -1 where not counted.", "layouts"
)
