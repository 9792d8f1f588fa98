"""Covers, and the exact numbers of all of them."""

import pyarrow as pa

from boardspace.spec.deferred import DeferredFunction
from boardspace.spec.space import Array, Column, Table

DRAW_COVER = DeferredFunction("boardspace.spaces.board_division.drawn_rows", "draw_cover")

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
    draw=DRAW_COVER,
)
