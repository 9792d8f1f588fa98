"""The table of strips."""

import pyarrow as pa

from boardspace.spec.space import Column, Table

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
)
