"""Best cells, their table, and the variable matrix."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.cells.tables import CELLS, WINDOWS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.parts.cells import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")


def stages(config: FiveInARowConfig) -> Sequence[Stage]:
    """One."""
    return (
        Stage(
            "cells", "best cells, their table, the variable matrix", compute.list_cells, compute.cut_cells, bytes=20_000
        ),
    )


BEST_CELLS = Part(
    name="cells",
    scope="orders of best cells",
    stages=stages,
    tables=(CELLS, WINDOWS),
    claims=claims.measure,
    checks=(
        Check(
            "best cells",
            {"cells": ("n", "cell", "columns", "linear", "h_1", "s_1")},
            "all placed again row by row and put in the order of the orbits",
            checks.check_cells,
        ),
        Check(
            "windows",
            {"windows": ("n", "i", "j", "stones", "formula")},
            "stones of the corners of all best cells, laid out and summed",
            checks.check_windows,
        ),
    ),
)
