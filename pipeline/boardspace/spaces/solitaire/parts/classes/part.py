"""Whole position classes of a board, one for each vacancy: swept by weight, published as bitmaps, counted."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.solitaire.columns import (
    BOARD,
    DRAW_POSITION,
    DRAW_SOLUTION,
    PEGS,
    POSITION,
    RULE,
    SOLUTION,
    SURVIVOR,
    VACANCY,
    sizes,
)
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Made, MovesLeft, Reached
from boardspace.spec.space import Array, Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.classes import checks, claims
    from boardspace.spaces.solitaire.parts.classes import stages as planned
else:
    checks, claims, planned = deferred(__package__, "checks", "claims", "stages")

PLAYED = Made(
    "position classes",
    checks.make_classes,
    folder="board",
    folders=checks.boards,
    says="small classes played whole; of larger ones bitmaps counted, the first levels played, and listed solutions "
    "replayed and looked for near others",
)
"""All tables of a board; the rows of larger classes are known in part."""

CLASS_LEVELS = Table(
    "class_levels",
    "Whole position classes by number of pegs, counted on their bitmaps, or while these are made.",
    (
        BOARD,
        VACANCY,
        PEGS,
        *sizes(
            "positions",
            "Orbits that can be reached, under the symmetries of the start.",
            "Positions that can be reached.",
        ),
        *sizes(
            "winning",
            "Those orbits from which one peg, anywhere, can be reached; none where that was not asked.",
            "Those positions from which one peg can be reached.",
            nullable=True,
        ),
        *sizes(
            "winning_in_vacancy",
            "Those orbits from which one peg in the vacancy can be; none where no bitmaps were made, unless it is 0.",
            "Those positions from which one peg in it can be.",
            nullable=True,
        ),
        *sizes("dead_ends", "Those orbits without a jump.", "Those positions without a jump."),
    ),
    ("board", "vacancy", "pegs"),
    rows=PLAYED,
)

PROBLEMS = Table(
    "problems",
    "Every problem from one vacancy to one survivor: whether it is solvable.",
    (
        BOARD,
        VACANCY,
        SURVIVOR,
        Column("same_class", pa.bool_(), "Whether the parities that no jump changes allow it."),
        Column("solvable", pa.bool_(), "Whether jumps lead from the one to the other."),
        Column(
            "moves", pa.uint8(), "Least moves; none where it is unsolvable, or was not asked.", "moves", nullable=True
        ),
    ),
    ("board", "vacancy", "survivor"),
    rows=PLAYED,
)

CLASS_HOLES = Table(
    "class_holes",
    "Which hole is which bit of the number of a position of a class; the pegs of the other holes follow from these.",
    (
        BOARD,
        Column("bit", pa.uint8(), "Bit of the number; bits without a row are 0."),
        Column("hole", pa.uint8(), "The hole."),
        Column("core", pa.bool_(), "Whether a jump can pass over it: it is a bit of the number of a block."),
    ),
    ("board", "bit"),
    rows=PLAYED,
)

CLASS_MOVES = Table(
    "class_moves",
    "All positions that can be reached from a vacancy, by pegs and by the least moves to them.",
    (
        BOARD,
        VACANCY,
        PEGS,
        Column("moves", pa.uint8(), "Least moves from the start.", "moves"),
        *sizes("positions", "Orbits, under the symmetries of the start.", "Positions."),
    ),
    ("board", "vacancy", "pegs", "moves"),
    rows=PLAYED,
)

HARDEST = Table(
    "hardest",
    "The positions that need the most moves from a vacancy, one of each orbit under the symmetries of the start.",
    (
        BOARD,
        VACANCY,
        POSITION,
        Column("moves", pa.uint8(), "Least moves from the start.", "moves"),
        Column(
            "drawing",
            pa.string(),
            "The position, row by row with / between: o is a peg, . a hole without one, # no hole; a triangle stands "
            "at the left.",
            since=6,
        ),
    ),
    ("board", "vacancy", "position"),
    picture=DRAW_POSITION,
    rows=PLAYED,
)

HARDEST_PARTS = Table(
    "hardest_parts",
    "Positions of a part of a class that need the most moves of any so far, on their way to those of the whole class.",
    (POSITION,),
    ("position",),
    published=False,
)

PROBLEM_SOLUTIONS = Table(
    "problem_solutions",
    "How many shortest solutions a problem has from one vacancy to one survivor, by what tells two of them apart.",
    (
        BOARD,
        VACANCY,
        SURVIVOR,
        *RULE,
        Column("moves", pa.uint8(), "Least moves.", "moves"),
        Column("solutions", pa.uint64(), "How many there are.", "solutions"),
    ),
    ("board", "vacancy", "survivor", "ordered", "mirror", "loop"),
    rows=PLAYED,
)

CLASS_SOLUTIONS = Table(
    "class_solutions",
    "The shortest solutions of problems from one vacancy to one survivor, up to the order of their moves and the "
    "symmetries of start and goal; none of a problem that has over 100,000 up to order.",
    (BOARD, VACANCY, SURVIVOR, *SOLUTION),
    ("board", "vacancy", "survivor", "number"),
    picture=DRAW_SOLUTION,
    rows=PLAYED,
)

BITMAPS = Array(
    "classes/{board}-{vacancy}/{set}",
    "uint64",
    ("word",),
    "A set of positions of one class, a bit each, lowest bits first: `reachable` from the vacancy, or `winning`, those "
    "from which one peg can be reached. The number of a position has bit i set where the i-th of the class's holes has "
    "a peg; it is bit `number % 64` of word `number // 64`. Holes: see `class_holes`.",
    equation=Reached(
        checks.class_bitmaps,
        "1 at the start, or at one peg in `winning`, and where a jump leads from a 1, taken back in `winning`; else 0",
    ),
)

MOVES_LEFT = Array(
    "classes/{board}-{vacancy}/{goal}_moves",
    "uint64",
    ("word",),
    "Least moves from every position that can be reached from the vacancy: `winning_moves` to one peg, anywhere, "
    "`returning_moves` to one peg in the vacancy. Each takes a byte, lowest first: those of a number, the bitmaps', "
    "are `word >> 8 * (number % 8) & 255` of word `number // 8`; 255 where the position cannot be reached, or no moves "
    "lead there. A move is one jump or more by one peg.",
    "moves",
    equation=MovesLeft(checks.moves_left),
)


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """The stages of each section. Their number follows from the sizes of classes, so it is planned by kernels."""
    return with_costs(stage for section in config.classes for stage in planned.class_stages(section, config))


POSITION_CLASSES = Part(
    name="classes",
    scope="position classes",
    stages=stages,
    tables=(
        CLASS_LEVELS,
        CLASS_MOVES,
        HARDEST,
        CLASS_HOLES,
        PROBLEMS,
        PROBLEM_SOLUTIONS,
        CLASS_SOLUTIONS,
        HARDEST_PARTS,
    ),
    arrays=(BITMAPS, MOVES_LEFT),
    claims=claims.measure,
)
