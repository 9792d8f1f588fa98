"""Packings of trays by class: how many, which of them sliding joins, and the longest corner puzzles.

Of trays of up to 16 cells ``boardspace verify`` makes all packings anew, by
:mod:`boardspace.spaces.sliding_blocks.packings`, and joins them by all slides; so each row is tried that says how many
there are. Lengths of puzzles have no such proof: they are searched for again, in drawn classes.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.sliding_blocks.config import GROUP_CELLS, SlidingBlocksConfig
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.equations import Balance, Key, Made, Over, Total, Totals, Value
from boardspace.spec.space import Check, Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.sliding_blocks import packings
    from boardspace.spaces.sliding_blocks.parts.classes import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")
    (packings,) = deferred("boardspace.spaces.sliding_blocks", "packings")

TRAY = Column("tray", pa.string(), "Rows and columns of the tray: 4x5.")
PIECE_SIZES = Column(
    "histogram",
    pa.uint16(),
    "Number of the multiset of piece sizes on this tray, from 0: by number of pieces, then by the sizes from the "
    "largest on.",
)
CODE = Column(
    "code",
    pa.uint64(),
    "Name of the class: the smallest code of its positions in groups of two and more. A code has a bit for every pair "
    "of touching cells in the same piece (pairs side by side first, row by row, then pairs one above the other), above "
    "these a bit for every covered cell.",
)
STEPS = "steps"

DRAW = DeferredFunction("boardspace.spaces.sliding_blocks.boards", "draw_board")
PACKINGS = Made("packings", folder=TRAY.name, folders=packings.seconds_of, make=packings.make)
"""All packings of a tray, by class up to its symmetries; :data:`CLASSES` are those in which something can move."""
COUNTED = Value(packings.make, "all packings of the tray made, and joined by all slides of a piece by a cell")

HISTOGRAMS = Table(
    "histograms",
    "Every multiset of piece sizes that fits the tray, with all its packings. Complete: the packings of a tray add up "
    "to all there are, void and full ones included.",
    (
        PIECE_SIZES.by(Key()),
        Column("sizes", pa.string(), "Cells of each piece, ascending: `1 1 2 5`; empty for the tray without pieces."),
        Column("pieces", pa.uint8(), "Number of pieces.", "pieces"),
        Column("voids", pa.uint8(), "Cells that no piece covers.", "cells"),
        Column(
            "packings",
            pa.uint64(),
            "Ways to lay such pieces into the tray.",
            "packings",
            equation=Total("sum", "positions", times="orbit"),
        ),
        Column(
            "classes",
            pa.uint32(),
            "Different sets of shapes among these packings.",
            "classes",
            equation=Total("sum", "orbit"),
        ),
        Column(
            "orbits",
            pa.uint32(),
            "Classes up to the symmetries of the tray (4, of a square 8).",
            "classes",
            equation=Total("count"),
        ),
        Column(
            "groups",
            pa.uint64(),
            "Groups: sets of packings that sliding joins.",
            "groups",
            equation=Total("sum", "groups", times="orbit"),
        ),
        Column(
            "alone",
            pa.uint64(),
            "Packings in which nothing can move: groups of one.",
            "packings",
            equation=Total("sum", "alone", times="orbit"),
        ),
        Column(
            "largest_group",
            pa.uint32(),
            "Packings of the largest group.",
            "packings",
            equation=Total("greatest", "largest_group"),
        ),
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
    picture=DRAW,
    rows=Totals(PACKINGS, ("histogram",)),
)

CLASSES = Table(
    "classes",
    "Sets of pieces: one class of each orbit under the symmetries of the tray, if it has a group of two packings or "
    "more. Complete but for the classes in which nothing can move; these are counted in `histograms`. Which class "
    "stands for its orbit has no meaning.",
    (
        PIECE_SIZES.by(Key()),
        CODE.by(Key()),
        Column(
            "orbit",
            pa.uint8(),
            "Classes of its orbit, itself included; all have as many packings, and groups of the same sizes.",
            "classes",
            equation=COUNTED,
        ),
        Column("positions", pa.uint32(), "Packings of this class.", "packings", equation=COUNTED),
        Column("groups", pa.uint32(), "Groups of this class.", "groups", equation=COUNTED),
        Column(
            "joined", pa.uint32(), "Packings of this class in groups of two and more.", "packings", equation=COUNTED
        ),
        Column("largest_group", pa.uint32(), "Packings of its largest group.", "packings", equation=COUNTED),
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
    rows=PACKINGS,
)

GROUPS = Table(
    "groups",
    "Groups of two packings and more of every class in `classes`; for trays of up to 16 cells. Complete for these.",
    (
        PIECE_SIZES.by(Key()),
        CODE.by(Key()),
        Column(
            "group_num", pa.uint32(), "Number of the group in its class, from 0, the largest first.", equation=COUNTED
        ),
        Column("positions", pa.uint32(), "Packings of the group.", "packings", equation=COUNTED),
    ),
    ("histogram", "code", "group_num"),
    folders=(TRAY,),
    rows=PACKINGS,
)

RECORDS = Table(
    "records",
    "Hard corner puzzles: for every class whose longest one has as many steps as the run lists records from (40, if "
    "nothing else is said), one puzzle of that length for each shape and way across the tray that has one. Complete up "
    "to symmetry: of puzzles that a symmetry of the tray turns into one another one is listed.",
    (
        PIECE_SIZES,
        CODE,
        Column("start", pa.uint64(), "Code of the start; of all starts of this length and marked shape the smallest."),
        Column("marked", pa.uint32(), "Cells of the marked piece at the start, a bit each in reading order."),
        Column("steps", pa.uint16(), "Its length: the fewest steps.", STEPS),
        Column("starts", pa.uint32(), "Starts of this length with this shape marked, in the start's class.", "starts"),
        Column("board", pa.string(), "The start, row by row with / between; A is the marked piece, a dot a void."),
    ),
    ("histogram", "code", "start", "marked"),
    folders=(TRAY,),
    picture=DRAW,
    complete="example",
)

CLASS_PARTS, RECORD_PARTS = (
    Table(
        name,
        f"Rows of `{table.name}` of some classes of a multiset, on their way to those of all of it.",
        tuple(replace(column, equation=None) for column in table.columns),
        table.key,
        published=False,
    )
    for name, table in (("class_parts", CLASSES), ("record_parts", RECORDS))
)

LARGE = 17
"""From so many cells on a shard may take gigabytes."""
MEMORY = 2_500_000_000


def bytes_of(config: SlidingBlocksConfig) -> int:
    """A rough size of all tables: measured for 9 to 20 cells, they grow by 2.75 a cell, and half are groups."""
    return sum(
        round((2_000_000 if tray.cells <= GROUP_CELLS else 1_090_000) * 2.75 ** (tray.cells - 16)) + 10_000
        for tray in config.trays
    )


SURVEY, PARTS = "survey", "parts"


def stages(config: SlidingBlocksConfig) -> Sequence[Stage]:
    """A shard enumerates the packings with some piece sizes, and all that is known of them; where these take long, a
    shard surveys a part of their classes, and another one joins the parts."""
    large = any(tray.cells >= LARGE for tray in config.trays)
    memory = MEMORY if large else 0
    survey = Stage(
        SURVEY,
        "all packings by piece sizes, their classes, groups and longest corner puzzles",
        compute.survey_histograms,
        compute.cut_histograms,
        bytes=bytes_of(config),
        memory=memory,
    )
    if not large:
        return (survey,)
    parts = "classes, groups and corner puzzles where they take long, in parts"
    return (
        survey,
        Stage(PARTS, parts, compute.survey_part, compute.cut_parts, memory=memory),
        Stage("joined", "the parts joined", compute.join_parts, compute.cut_joined, after=(PARTS,)),
    )


_CLASS = ("tray", "histogram", "code")
BY = ("tray", "histogram")


def _sum(table: str, column: str, times: str = "") -> Over:
    return Over(table, Total("sum", column, times=times))


def _greatest(column: str) -> Balance:
    """The greatest of a multiset is that of its classes; where these are alone, their largest group has one packing."""
    one, other = (
        Over(name, Total("greatest", column), none=int(column != STEPS)) for name in ("histograms", "classes")
    )
    return Balance(BY, (one,), (other,))


_PACKINGS, _ORBIT = _sum("histograms", "packings"), "orbit"
BALANCES = (
    Balance(BY, (_sum("histograms", "alone"), _sum("classes", "joined", _ORBIT)), (_PACKINGS,)),
    Balance(
        BY,
        (_sum("histograms", "groups"), _sum("classes", "positions", _ORBIT)),
        (_PACKINGS, _sum("classes", "groups", _ORBIT)),
    ),
    _greatest("largest_group"),
    _greatest(STEPS),
)

CLASSES_OF_PIECES = Part(
    name="classes",
    scope="trays",
    stages=stages,
    tables=(HISTOGRAMS, CLASSES, GROUPS, RECORDS, CLASS_PARTS, RECORD_PARTS),
    claims=claims.measure,
    results=claims.results,
    balances=BALANCES,
    checks=(
        Check(
            "packings by sizes",
            {"histograms": ("tray", "histogram", "sizes", "pieces", "voids", "packings")},
            "counted along a frontier of components, which makes no packing",
            checks.check_packings,
        ),
        Check(
            "multisets of large trays",
            {"histograms": ("classes", "orbits")},
            "every packing made and sorted in plain Python, for drawn rows of up to 3,000 packings, of trays of more "
            "than 16 cells",
            checks.check_large_trays,
        ),
        Check(
            "classes",
            {
                "classes": ("code", "orbit", "positions", "groups", "joined", "largest_group", "steps"),
                "records": ("code", "start", "marked", "steps", "starts"),
            },
            "every position of the class made and searched in plain Python, for drawn rows of up to 2,000 positions: "
            "longest puzzles, and of trays of more than 16 cells the figures that no equation proves there",
            checks.check_classes,
        ),
        Check(
            "records",
            {"records": (*_CLASS, "start", "marked", "steps", "board"), "histograms": ("steps", "board")},
            "drawn puzzles solved in plain Python; all rows against the tables of classes and multisets, both ways",
            checks.check_records,
        ),
    ),
)
