"""Multisets of piece sizes, classes, groups and records."""

import pyarrow as pa

from boardspace.spaces.sliding_blocks.columns import CODE, HISTOGRAM, STEPS, TRAY
from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Column, Table

DRAW = DeferredFunction("boardspace.spaces.sliding_blocks.drawn_rows", "draw_board")

HISTOGRAMS = Table(
    "histograms",
    "Every multiset of piece sizes that fits the tray, with all its packings. Complete: the packings of a tray add up "
    "to all there are, void and full ones included.",
    (
        HISTOGRAM,
        Column("sizes", pa.string(), "Cells of each piece, ascending: `1 1 2 5`; empty for the tray without pieces."),
        Column("pieces", pa.uint8(), "Number of pieces.", "pieces"),
        Column("voids", pa.uint8(), "Cells that no piece covers.", "cells"),
        Column("packings", pa.uint64(), "Ways to lay such pieces into the tray.", "packings"),
        Column("classes", pa.uint32(), "Different sets of shapes among these packings.", "classes"),
        Column("orbits", pa.uint32(), "Classes up to the symmetries of the tray (4, of a square 8).", "classes"),
        Column("groups", pa.uint64(), "Groups: sets of packings that sliding joins.", "groups"),
        Column("alone", pa.uint64(), "Packings in which nothing can move: groups of one.", "packings"),
        Column("largest_group", pa.uint32(), "Packings of the largest group.", "packings"),
        Column(
            "steps",
            pa.uint16(),
            "Length of the longest corner puzzle: fewest steps that take its marked piece from the upper left corner "
            "of the tray to the lower right one, by bounding box. A step moves one piece any way, round corners too. "
            "Null where no piece can make the trip.",
            STEPS,
            nullable=True,
        ),
        Column(
            "board",
            pa.string(),
            "A start of a puzzle of that length, row by row with / between: equal letters are a piece, A the marked "
            "one, a dot a void. Which of several starts it is has no meaning.",
            nullable=True,
        ),
    ),
    ("histogram",),
    folders=(TRAY,),
    draw=DRAW,
)

CLASSES = Table(
    "classes",
    "Sets of pieces: one class of each orbit under the symmetries of the tray, if it has a group of two packings or "
    "more. Complete but for the classes in which nothing can move; these are counted in `histograms`. Which class "
    "stands for its orbit has no meaning.",
    (
        HISTOGRAM,
        CODE,
        Column(
            "orbit",
            pa.uint8(),
            "Classes of its orbit, itself included; all have as many packings, and groups of the same sizes.",
            "classes",
        ),
        Column("positions", pa.uint32(), "Packings of this class.", "packings"),
        Column("groups", pa.uint32(), "Groups of this class.", "groups"),
        Column("joined", pa.uint32(), "Packings of this class in groups of two and more.", "packings"),
        Column("largest_group", pa.uint32(), "Packings of its largest group.", "packings"),
        Column(
            "steps",
            pa.uint16(),
            "Length of the longest corner puzzle of all classes of its orbit, not of this class alone; null where "
            "there is none.",
            STEPS,
            nullable=True,
        ),
    ),
    ("histogram", "code"),
    folders=(TRAY,),
)

GROUPS = Table(
    "groups",
    "Groups of two packings and more of every class in `classes`; for trays of up to 16 cells. Complete for these.",
    (
        HISTOGRAM,
        CODE,
        Column("group_num", pa.uint32(), "Number of the group in its class, from 0, the largest first."),
        Column("positions", pa.uint32(), "Packings of the group.", "packings"),
    ),
    ("histogram", "code", "group_num"),
    folders=(TRAY,),
)

RECORDS = Table(
    "records",
    "Hard corner puzzles: for every class whose longest one has as many steps as the run lists records from (40, if "
    "nothing else is said), one puzzle of that length for each shape and way across the tray that has one. Complete up "
    "to symmetry: of puzzles that a symmetry of the tray turns into one another one is listed.",
    (
        HISTOGRAM,
        CODE,
        Column("start", pa.uint64(), "Code of the start; of all starts of this length and marked shape the smallest."),
        Column("marked", pa.uint32(), "Cells of the marked piece at the start, a bit each in reading order."),
        Column("steps", pa.uint16(), "Its length: the fewest steps.", STEPS),
        Column("starts", pa.uint32(), "Starts of this length with this shape marked, in the start's class.", "starts"),
        Column("board", pa.string(), "The start, row by row with / between; A is the marked piece, a dot a void."),
    ),
    ("histogram", "code", "start", "marked"),
    folders=(TRAY,),
    draw=DRAW,
    complete="example",
)
