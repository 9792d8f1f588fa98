"""The tables of all boards: by their pieces, by levels, by labels of classes, and the hardest starts of groups."""

from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.equations import Made
from boardspace.spec.figures import Figures, Metric
from boardspace.spec.space import Column, Table

if TYPE_CHECKING:
    from boardspace.spaces.rush_hour.parts.boards import checks
else:
    (checks,) = deferred("boardspace.spaces.rush_hour.parts.boards", "checks")

TEXT, BYTE, WORD, NUMBER = pa.string(), pa.uint8(), pa.uint16(), pa.uint64()
STEPS, UNITS = "A step moves one piece any number of cells.", "A unit move moves one piece by a cell."
METRICS = (
    Metric("step", STEPS, "steps", BYTE, "starts", "start"),
    Metric("unit_move", UNITS, "unit_moves", WORD, "unit_starts", "unit_start"),
)
FIGURES = Figures(
    "boards",
    METRICS,
    class_doc="the pieces of each line in order",
    group_doc="0 where something stands before the red car for good",
    goal_doc="the red car at the right end",
)
BOARD = Column(
    "board", TEXT, "Cells of a side and row of the red car, from 0: 6x6-2. Walls follow as row.column: 5x5-2-0.4_3.1."
)
RED_ROW = Column(
    "red_row",
    TEXT,
    "The pieces in the red car's row, in their order: A is the red car, 2 a car, 3 a truck, | a wall between pieces.",
)
ALL = Made(
    "all boards",
    checks.make,
    folder=BOARD.name,
    folders=checks.seconds_of,
    says="all boards of up to 4 x 4 laid and searched in plain Python, of larger ones those of drawn labels and starts",
    partly=True,
)
table = partial(Table, folders=(BOARD,), rows=ALL)
PIECES = table(
    "pieces",
    "All boards by their pieces: how many cars and trucks lie across and stand down, and and the red row.",
    (
        RED_ROW,
        Column("cars_across", BYTE, "Cars in rows, the red one among them.", "pieces"),
        Column("trucks_across", BYTE, "Trucks in rows.", "pieces"),
        Column("cars_down", BYTE, "Cars in columns.", "pieces"),
        Column("trucks_down", BYTE, "Trucks in columns.", "pieces"),
        Column("searched", pa.bool_(), "The red car is the last in its row; else no board can be solved."),
        *FIGURES.columns("these pieces"),
        Column("start", TEXT, "Of the boards that take most steps the one with the least code.", nullable=True),
        Column("solutions", NUMBER, "Shortest solutions of this start, by steps.", "solutions", nullable=True),
        Column(
            "unit_start", TEXT, "Of the boards that take most unit moves the one with the least code.", nullable=True
        ),
    ),
    ("red_row", "cars_across", "trucks_across", "cars_down", "trucks_down"),
)
LEVELS = table(
    "levels",
    "Boards by the fewest moves that bring the red car to the right end, and groups by the most that one takes.",
    (
        RED_ROW,
        Column("metric", TEXT, f"step or unit_move. {STEPS} {UNITS}"),
        Column("moves", WORD, "Number of moves.", "moves"),
        Column("boards", NUMBER, "Boards that take so many.", "boards"),
        Column("groups", NUMBER, "Groups the hardest boards of which take so many.", "groups"),
    ),
    ("red_row", "metric", "moves"),
)
LABELS = table(
    "labels",
    "Classes by the pieces of one side's lines. A class is listed by its rows, if the product of the numbers of "
    "arrangements of its rows is not above that of its columns, else by its columns.",
    (
        Column("side", TEXT, "rows or columns."),
        Column(
            "label",
            pa.uint32(),
            "Numbers of the kinds of the side's lines, the last line the last digit. Kinds are ordered by their "
            "pieces; of the red car's row there may be more, and with walls other ones.",
        ),
        *FIGURES.columns("this label"),
    ),
    ("side", "label"),
)
HARDEST = table(
    "hardest",
    "Starts that take the most steps of their group, of groups that take at least 25 (of 5 x 5 15, of 4 x 4 5).",
    (
        Column(
            "code",
            NUMBER,
            "The board: five bits for each line, rows first, the number of its arrangement among all of the line, "
            "ordered by their pieces, then by their places.",
        ),
        Column("text", TEXT, "The board, row by row: A is the red car, o an empty cell, x a wall."),
        Column("steps", BYTE, f"Steps that it takes. {STEPS}", "steps"),
        Column("unit_moves", WORD, f"Unit moves that it takes. {UNITS}", "unit moves"),
        Column("solutions", NUMBER, "Shortest solutions, by steps.", "solutions"),
        Column("group_size", pa.uint32(), "Boards of its group.", "boards"),
        Column("goals", pa.uint32(), "Goals among them.", "boards"),
        Column("starts", pa.uint32(), "Boards of the group that take as many steps.", "boards"),
    ),
    ("code",),
    picture=DeferredFunction("boardspace.spaces.rush_hour.answers", "draw_row"),
)
