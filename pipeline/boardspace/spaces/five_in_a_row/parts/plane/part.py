"""The whole plane: how few stones a cell leave no k cells in a row free."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.plane.tables import PLANE
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.plane import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")


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
