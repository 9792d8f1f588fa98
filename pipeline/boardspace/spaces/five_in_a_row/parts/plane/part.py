"""The whole plane: how few stones a cell leave no k cells in a row free."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.five_in_a_row.columns import K
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.deferred import DeferredFunction, deferred
from boardspace.spec.space import Check, Column, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.plane import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")


DRAW_PATTERN = DeferredFunction("boardspace.spaces.five_in_a_row.drawn_rows", "draw_pattern")

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
    draw=DRAW_PATTERN,
)


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """One."""
    return (
        Stage(
            "plane",
            "bounds for the density of patterns of the plane",
            compute.bound_plane,
            compute.cut_plane,
            bytes=100_000 * len(config.plane),
        ),
    )


WHOLE_PLANE = Part(
    name="plane",
    scope="lengths of lines in the plane",
    stages=stages,
    tables=(PLANE,),
    checks=(
        Check(
            "bounds of the plane",
            {"plane": ("k", "weights", "period", "weight", "stones", "cells", "states", "certificate")},
            "all states and least weights by code of its own",
            checks.check_bounds,
        ),
        Check(
            "patterns of the plane",
            {"plane": ("modulus", "slope", "residues")},
            "all sets of residues modulo 2 to 16 tried",
            checks.check_patterns,
        ),
    ),
)
"""Bounds from below by weighted strips, and patterns from above."""
