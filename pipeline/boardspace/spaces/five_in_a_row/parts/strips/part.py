"""Boards of a few columns and any length, and the whole plane: the least density of stones that block every line."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.five_in_a_row.columns import K
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.equations import Made
from boardspace.spec.space import Check, Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.strips import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")

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
    rows=Made(
        "strips",
        checks.make_strips,
        says="all states and values by code of its own, of strips that take long those of a draw; patterns laid out "
        "and repeated",
    ),
)
DRAW_PATTERN = DeferredFunction("boardspace.spaces.five_in_a_row.drawings", "draw_pattern")

PLANE_MADE = Made(
    "the plane",
    checks.make_plane,
    says="states of the strip and least weights by code of its own; all sets of residues modulo 2 to 16 tried",
)
PLANE = Table(
    "plane",
    "The whole plane: a proved lower bound for the stones a cell of any pattern that leaves no k cells in a row free, "
    "and the pattern of least density that repeats within 16 cells. Where both agree, that is the least density.",
    (
        K,
        Column(
            "weights",
            pa.list_(pa.uint16()),
            "What a stone weighs in each column of a strip; as the strip moves over the plane, each stone takes each "
            "weight once.",
        ),
        Column("period", pa.uint16(), "So many rows more of the strip ...", "rows"),
        Column("weight", pa.uint16(), "... weigh at least so much more."),
        Column("stones", pa.uint16(), "No pattern has fewer than so many stones ...", "stones"),
        Column("cells", pa.uint32(), "... in so many cells: weight / (period * sum of weights), reduced.", "cells"),
        Column("states", pa.uint32(), "States of the strip between two rows.", "states"),
        Column("modulus", pa.uint8(), "The pattern has stones on (x, y) where x + slope y modulo this ...", "cells"),
        Column("slope", pa.uint8(), "... with this slope ..."),
        Column("residues", pa.list_(pa.uint8()), "... is one of these."),
        Column(
            "certificate",
            pa.string(),
            "Weights and potential, JSON: the proof of the lower bound that the checker "
            "boardspace_kernels.five_in_a_row.strip_checker verifies; null where there are too many states to publish.",
            nullable=True,
        ),
    ),
    ("k",),
    picture=DRAW_PATTERN,
    scope="lengths of lines in the plane",
    rows=PLANE_MADE,
)

WIDE = {2: (16, 2.0, 4), 3: (12, 6.0, 4), 4: (8, 2.6, 12), 5: (7, 3.0, 15), 6: (6, 1.4, 4)}
"""By k, a width, about how many seconds it takes, and by how much each column less divides it."""


def strip_seconds(k: int, width: int) -> float:
    """About how long the states of a strip take, and the rows until they repeat themselves."""
    columns, seconds, growth = WIDE[k]
    return 0.02 + float(seconds * growth ** float(width - columns))


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """Both at once."""
    return (
        Stage(
            "strips",
            "boards of a few columns and any length",
            compute.solve_strip,
            compute.cut_strips,
            bytes=sum(20_000 * (width - k + 1) for k, width in config.strips),
        ),
        Stage(
            "plane",
            "bounds for the density of patterns of the plane",
            compute.bound_plane,
            compute.cut_plane,
            bytes=100_000 * len(config.plane),
        ),
    )


STRIPS_AND_PLANE = Part(
    name="strips",
    scope="strips of any length",
    stages=stages,
    tables=(STRIPS, PLANE),
    checks=(
        Check(
            "strips and boards",
            {"strips": ("fewest",), "results": ("stones",)},
            "the stones of boards of so many columns, which another search found",
            checks.check_boards,
        ),
    ),
)
