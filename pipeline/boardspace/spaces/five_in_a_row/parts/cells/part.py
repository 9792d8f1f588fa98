"""Best cells, their table, and the variable matrix."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row import rules
    from boardspace.spaces.five_in_a_row.parts.cells import claims, compute
else:
    claims, compute = deferred(__package__, "claims", "compute")
    (rules,) = deferred("boardspace.spaces.five_in_a_row", "rules")

CELLS_MADE = Made(
    "best cells",
    rules.make_cells,
    says="all cells placed again row by row, in the order of the orbits; stones of their corners laid out and summed",
)
DRAW_CELL = DeferredFunction("boardspace.spaces.five_in_a_row.drawings", "draw_cell")

CELLS = Table(
    "cells",
    "The best cells: n x n patterns with one stone in each row, column and wrapped diagonal (modular n-queens).",
    (
        Column("n", pa.uint8(), "Order of the cell.", "cells"),
        Column("cell", pa.uint32(), "Number of the cell, from 1, orbit by orbit as in the source's Table 1."),
        Column("columns", pa.list_(pa.uint8()), "Column of the stone in each row, from 0."),
        Column("linear", pa.bool_(), "Whether each row's stone is the same number of columns from the last row's."),
        Column("h_1", pa.uint32(), "Number of the image when the stones move one column to the right, wrapped."),
        Column("s_1", pa.uint32(), "Number of the image upside down."),
    ),
    ("n", "cell"),
    picture=DRAW_CELL,
    rows=CELLS_MADE,
)
WINDOWS = Table(
    "windows",
    "The variable matrix A(i, j): fewest stones of an i x j window of a repeated best cell.",
    (
        Column("n", pa.uint8(), "Order of the cells.", "cells"),
        Column("i", pa.uint8(), "Rows of the window.", "cells"),
        Column("j", pa.uint8(), "Columns of the window.", "cells"),
        Column("stones", pa.uint16(), "A(i, j).", "stones"),
        Column("formula", pa.uint16(), "floor(i j / n).", "stones"),
    ),
    ("n", "i", "j"),
    rows=CELLS_MADE,
)


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """One."""
    return (
        Stage(
            "cells", "best cells, their table, the variable matrix", compute.list_cells, compute.cut_cells, bytes=20_000
        ),
    )


BEST_CELLS = Part(
    name="cells", scope="orders of best cells", stages=stages, tables=(CELLS, WINDOWS), claims=claims.measure
)
