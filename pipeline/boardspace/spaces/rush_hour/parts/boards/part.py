"""All boards of a size: by their pieces, by levels, by labels of classes, and the hardest starts of groups.

Small boards ``boardspace verify`` makes anew, all of them, by :mod:`boardspace.spaces.rush_hour.rules`; of larger ones
it counts the boards of every set of pieces by a transfer over cells, makes drawn labels anew, and solves drawn starts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.rush_hour.config import RushHourConfig
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.equations import Balance, Is, Made, Most, Over, Total
from boardspace.spec.space import Check, Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.rush_hour.parts.boards import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")

BOARD = Column(
    "board",
    pa.string(),
    "Cells of a side and row of the red car, from 0: 6x6-2. Walls follow as row.column: 5x5-2-0.4_3.1.",
)
RED_ROW = Column(
    "red_row",
    pa.string(),
    "The pieces in the red car's row, in their order: A is the red car, 2 a car, 3 a truck, | a wall between pieces.",
)
STEPS = "A step moves one piece any number of cells."
UNITS = "A unit move moves one piece by a cell."
ALL = Made(
    "all boards",
    checks.make,
    folder=BOARD.name,
    folders=checks.seconds_of,
    says="all boards of up to 4 x 4 laid and searched in plain Python, of larger ones those of drawn labels and starts",
    partly=True,
)


def figures(of: str) -> tuple[Column, ...]:
    """Columns of tables that sum up classes."""
    return (
        Column(
            "classes", pa.uint64(), f"Classes of {of} that have boards: the pieces of each line in order.", "classes"
        ),
        Column("boards", pa.uint64(), "Boards of these classes.", "boards"),
        Column(
            "groups",
            pa.uint64(),
            "Groups: sets of boards that moves join. 0 where something stands before the red car for good.",
            "groups",
        ),
        Column("solvable_groups", pa.uint64(), "Groups with a goal: the red car at the right end.", "groups"),
        Column("solvable", pa.uint64(), "Boards of these groups.", "boards"),
        Column("steps", pa.uint8(), f"Most steps that one of them takes to a goal. {STEPS}", "steps", nullable=True),
        Column("starts", pa.uint64(), "Boards that take so many steps.", "boards"),
        Column(
            "unit_moves",
            pa.uint16(),
            f"Most unit moves that one of them takes to a goal. {UNITS}",
            "unit moves",
            nullable=True,
        ),
        Column("unit_starts", pa.uint64(), "Boards that take so many unit moves.", "boards"),
    )


PIECES = Table(
    "pieces",
    "All boards by their pieces: how many cars and trucks lie across and stand down, and and the red row.",
    (
        RED_ROW,
        Column("cars_across", pa.uint8(), "Cars in rows, the red one among them.", "pieces"),
        Column("trucks_across", pa.uint8(), "Trucks in rows.", "pieces"),
        Column("cars_down", pa.uint8(), "Cars in columns.", "pieces"),
        Column("trucks_down", pa.uint8(), "Trucks in columns.", "pieces"),
        Column("searched", pa.bool_(), "The red car is the last in its row; else no board can be solved."),
        *figures("these pieces"),
        Column("start", pa.string(), "Of the boards that take most steps the one with the least code.", nullable=True),
        Column("solutions", pa.uint64(), "Shortest solutions of this start, by steps.", "solutions", nullable=True),
        Column(
            "unit_start",
            pa.string(),
            "Of the boards that take most unit moves the one with the least code.",
            nullable=True,
        ),
    ),
    ("red_row", "cars_across", "trucks_across", "cars_down", "trucks_down"),
    folders=(BOARD,),
    rows=ALL,
)
LEVELS = Table(
    "levels",
    "Boards by the fewest moves that bring the red car to the right end, and groups by the most that one takes.",
    (
        RED_ROW,
        Column("metric", pa.string(), f"step or unit_move. {STEPS} {UNITS}"),
        Column("moves", pa.uint16(), "Number of moves.", "moves"),
        Column("boards", pa.uint64(), "Boards that take so many.", "boards"),
        Column("groups", pa.uint64(), "Groups the hardest boards of which take so many.", "groups"),
    ),
    ("red_row", "metric", "moves"),
    folders=(BOARD,),
    rows=ALL,
)
LABELS = Table(
    "labels",
    "Classes by the pieces of one side's lines. A class is listed by its rows, if the product of the numbers of "
    "arrangements of its rows is not above that of its columns, else by its columns.",
    (
        Column("side", pa.string(), "rows or columns."),
        Column(
            "label",
            pa.uint32(),
            "Numbers of the kinds of the side's lines, the last line the last digit. Kinds are ordered by their "
            "pieces; of the red car's row there may be more, and with walls other ones.",
        ),
        *figures("this label"),
    ),
    ("side", "label"),
    folders=(BOARD,),
    rows=ALL,
)
HARDEST = Table(
    "hardest",
    "Starts that take the most steps of their group, of groups that take at least 25 (of 5 x 5 15, of 4 x 4 5).",
    (
        Column(
            "code",
            pa.uint64(),
            "The board: five bits for each line, rows first, the number of its arrangement among all of the line, "
            "ordered by their pieces, then by their places.",
        ),
        Column("text", pa.string(), "The board, row by row: A is the red car, o an empty cell, x a wall."),
        Column("steps", pa.uint8(), f"Steps that it takes. {STEPS}", "steps"),
        Column("unit_moves", pa.uint16(), f"Unit moves that it takes. {UNITS}", "unit moves"),
        Column("solutions", pa.uint64(), "Shortest solutions, by steps.", "solutions"),
        Column("group_size", pa.uint32(), "Boards of its group.", "boards"),
        Column("goals", pa.uint32(), "Goals among them.", "boards"),
        Column("starts", pa.uint32(), "Boards of the group that take as many steps.", "boards"),
    ),
    ("code",),
    folders=(BOARD,),
    rows=ALL,
    picture=DeferredFunction("boardspace.spaces.rush_hour.answers", "draw_row"),
)
BYTES = {3: 20_000, 4: 100_000, 5: 3_000_000, 6: 1_200_000_000}
"""Of what a board's shards and tables take on the disk at once, by cells of a side."""


def stages(config: RushHourConfig) -> Sequence[Stage]:
    """The search, sums of what its shards find, and the tables."""
    sides = [board.n for board in config.all_boards]
    return (
        Stage(
            "search",
            "groups, least steps and least unit moves of all classes",
            compute.search_labels,
            compute.cut_labels,
            bytes=sum(BYTES[n] for n in sides),
            drops=True,
            gpu=True,
        ),
        Stage(
            "sums",
            "what many shards found, added up",
            compute.add_up,
            compute.cut_sums,
            after=("search",),
            bytes=sum(BYTES[n] for n in sides) // 20,
            drops=True,
        ),
        Stage(
            "tables",
            "boards by pieces, levels and labels, and the hardest starts",
            compute.make_table,
            compute.cut_tables,
            after=("sums",),
            bytes=sum(BYTES[n] for n in sides) // 20,
        ),
    )


def balances() -> Iterator[Balance]:
    """Sums of all labels, of all sets of pieces and of all levels, and their ends."""
    for name in ("classes", "boards", "groups", "solvable_groups", "solvable"):
        total = Total("sum", name)
        yield Balance(("board",), (Over("labels", total),), (Over("pieces", total),))
    for metric, most, starts in (("step", "steps", "starts"), ("unit_move", "unit_moves", "unit_starts")):
        own, by = Is("metric", metric), ("board", "red_row")
        for name, of in (("solvable", "boards"), ("solvable_groups", "groups")):
            yield Balance(by, (Over("pieces", Total("sum", name)),), (Over("levels", Total("sum", of), own),))
        greatest = Over("pieces", Total("greatest", most))
        yield Balance(by, (Over("levels", Total("greatest", "moves"), own),), (greatest,))
        yield Balance(by, (Over("levels", Total("count"), own),), (replace(greatest, plus=1),))
        far = Over("levels", Total("sum", "boards", where=Most("moves")), own)
        for table in ("pieces", "labels"):
            yield Balance(("board",), (far,), (Over(table, Total("sum", starts, where=Most(most))),))


BOARDS = Part(
    name="boards",
    scope="boards",
    stages=stages,
    tables=(PIECES, LEVELS, LABELS, HARDEST),
    claims=claims.measure,
    results=claims.results,
    balances=tuple(balances()),
    checks=(
        Check(
            "boards by pieces",
            {"pieces": ("board", *PIECES.key, "boards"), "levels": ("board", *LEVELS.key, "boards")},
            "boards, and goals, of every row counted by a transfer over cells, which a weighted sum of all rows has to "
            "equal, at random weights",
            checks.check_boards,
        ),
    ),
)
