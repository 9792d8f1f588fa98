"""Strips of a few columns and any length."""

import pyarrow as pa

from boardspace.spaces.five_in_a_row.columns import K
from boardspace.spec.space import Column, Table

STRIPS = Table(
    "strips",
    "Boards of a few columns and any number of rows: the fewest stones for every length, proved, with the least "
    "density of an endless strip.",
    (
        K,
        Column("width", pa.uint8(), "Columns of the strip.", "cells"),
        Column("period", pa.uint16(), "So many rows more ...", "rows"),
        Column(
            "stones",
            pa.uint16(),
            "... need so many stones more, from start_rows on; stones / period is the least "
            "number of stones a row of an endless strip.",
            "stones",
        ),
        Column("start_rows", pa.uint16(), "From so many rows on.", "rows"),
        Column(
            "fewest",
            pa.list_(pa.uint32()),
            "The fewest stones for 0, 1, 2, ... rows, up to start_rows + period - 1.",
            "stones",
        ),
        Column("states", pa.uint32(), "States of a strip between two rows.", "states"),
        Column(
            "pattern",
            pa.string(),
            "Rows, separated by slashes, that repeated for ever block the strip with so few "
            "stones: # a stone, . a free cell.",
        ),
        Column(
            "certificate",
            pa.string(),
            "Pattern and potential, JSON: the proof of the density that the checker "
            "boardspace_kernels.five_in_a_row.strip_checker verifies; null where there are too many states to publish.",
            nullable=True,
        ),
    ),
    ("k", "width"),
    complete="theorem",
)
