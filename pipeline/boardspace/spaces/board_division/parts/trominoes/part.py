"""Covers of 2^k x 2^k boards less one cell by L-trominoes, the numbers of all covers, and recurrences for strips."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.board_division.config import BoardDivisionConfig, LargeBoard
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Array, Check, Column, Part, Stage, Table

BLOCK = 4096
"""Cells along a side of a block."""
BLOCK_SECONDS = 0.6
SQUARE_BYTES = 24
"""Memory of a state of a square whose single cell is anywhere, with and without that cell, and half of the states."""
NARROWEST = 2
"""Rows of the narrowest strip."""


def array_path(board: LargeBoard) -> str:
    """Path of a large cover's array."""
    return f"large/{board.k}-{board.row}-{board.column}"


def block_side(board: LargeBoard) -> int:
    """Cells along a side of a block of the board."""
    return min(1 << board.k, BLOCK)


def blocks(board: LargeBoard) -> int:
    """Blocks along a side of the board."""
    return (1 << board.k) // block_side(board)


if TYPE_CHECKING:
    from boardspace.spaces.board_division.parts.trominoes import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")

DRAW_COVER = DeferredFunction("boardspace.spaces.board_division.answers", "draw_cover")

SPECIAL_COVERS = Array(
    "covers/{k}",
    "uint16",
    ("special", "row", "column"),
    "Covers of the 2^k x 2^k board by L-trominoes for all 4^k special cells in reading order: the number of the "
    "tromino on each cell, in the order of the recursion; 0 on the special cell.",
    scope="boards with covers",
    complete="example",
)
LARGE_COVERS = Array(
    "large/{k}-{row}-{column}",
    "uint32",
    ("row", "column"),
    "Cover of one 2^k x 2^k board by L-trominoes, its special cell in this row and column, from 1: the number of the "
    "tromino on each cell, in the order of the recursion; 0 on the special cell.",
    scope="large boards",
    complete="example",
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
        Column("row_num", pa.uint8(), "Row of the cell left out, from 1."),
        Column("column_num", pa.uint8(), "Column of the cell left out, from 1."),
        Column("covers", pa.string(), "Number of covers, exactly, in decimal digits.", "covers"),
    ),
    ("side", "row_num", "column_num"),
    picture=DRAW_COVER,
    rows=Made(
        "cover counts", checks.make_cover_counts, says="covers counted cell by cell, beginnings times completions"
    ),
)
SQUARE_COVERS = Table(
    "square_covers",
    "The number of all covers of a square by L-trominoes and at most one single cell, wherever that is.",
    (
        Column("side", pa.uint8(), "Side of the square.", "cells"),
        Column("covers", pa.string(), "Number of covers, exactly, in decimal digits.", "covers"),
    ),
    ("side",),
    scope="squares with a single cell anywhere",
    rows=Made(
        "square covers",
        checks.make_squares,
        says="covers counted cell by cell, modulo 2^64 and in floating point, of sides up to 15; of all with --all",
    ),
)

_COEFFICIENTS = pa.list_(pa.string())

STRIPS = Table(
    "strips",
    "The numbers of covers by L-trominoes of strips of so many rows, along their columns: a linear recurrence, proved, "
    "as the generating function numerator / denominator of the terms.",
    (
        Column("rows", pa.uint8(), "Rows of the strip.", "cells"),
        Column(
            "period", pa.uint8(), "Columns from term to term: 3 where other numbers of columns have no cover.", "cells"
        ),
        Column("states", pa.uint16(), "Sets of covered cells that a column can begin with."),
        Column("recurrence_order", pa.uint16(), "Terms that the next one follows from."),
        Column("numerator", _COEFFICIENTS, "Coefficients in decimal digits, constant first."),
        Column(
            "denominator",
            _COEFFICIENTS,
            "The same; the first is 1, the others negated are the recurrence's coefficients, of the last term first.",
        ),
        Column("compared", pa.uint16(), "Terms compared with the recurrence: states + recurrence_order prove it."),
    ),
    ("rows",),
    scope="rows of strips",
    rows=Made("strips", checks.make_strips, says="covers counted cell by cell, as many terms as prove the recurrence"),
)


def stages(config: BoardDivisionConfig) -> Sequence[Stage]:
    """All independent of one another, but that large covers are examined when they are written."""
    cells = sum(4**board.k for board in config.large_boards)
    return (
        Stage(
            "special_boards",
            "covers for every special cell, each checked",
            compute.cover_special_boards,
            compute.cut_special_boards,
            bytes=sum(16**k for k in range(config.special_boards + 1)) // 8,
        ),
        Stage(
            "large_covers",
            "large covers, block by block",
            compute.cover_large_block,
            compute.cut_large_covers,
            bytes=cells,
        ),
        Stage(
            "examined",
            "large covers read back and examined",
            compute.examine_large_block,
            compute.cut_large_covers,
            after=("large_covers",),
            seconds=BLOCK_SECONDS * sum(blocks(board) ** 2 for board in config.large_boards),
        ),
        Stage(
            "cover_counts",
            "exact numbers of all covers",
            compute.count_all_covers,
            compute.cut_cover_counts,
            bytes=config.cover_counts**3 * 10,
        ),
        Stage(
            "strips",
            "recurrences of the covers of strips, proved",
            compute.find_recurrence,
            compute.cut_strips,
            bytes=3_000 * config.strips,
        ),
        *_squares(config),
    )


def _squares(config: BoardDivisionConfig) -> Sequence[Stage]:
    if not config.squares:
        return ()
    return (
        Stage(
            "square_covers",
            "exact numbers of covers with a single cell anywhere",
            compute.count_square,
            compute.cut_squares,
            bytes=config.squares**3,
            memory=300_000_000 + (SQUARE_BYTES << config.squares),
        ),
    )


TROMINOES = Part(
    name="trominoes",
    scope="squares with counted covers",
    stages=stages,
    tables=(OWNED, COVER_COUNTS, STRIPS, SQUARE_COVERS),
    arrays=(SPECIAL_COVERS, LARGE_COVERS),
    claims=claims.measure,
    checks=(
        Check("special covers", {"covers/{k}": ()}, "boards put together from quadrants", checks.check_special_covers),
        Check(
            "large covers",
            {"large/{k}-{row}-{column}": ()},
            "blocks put together from quadrants",
            checks.check_large_covers,
        ),
    ),
)
