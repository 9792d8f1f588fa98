"""Distances to the exit and numbers of solutions, of every layout.

The part has no stage of its own: the stage ``classes`` of the layouts computes them, through :mod:`.compute`, on the
graphs of a class that it has in memory, and the stage ``main`` puts them into the order of ids.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.solutions.tables import (
    MIN_SOLUTION_NUM,
    MIN_SOLUTION_STEP,
    SOLUTION,
    SOLUTION_NUM,
)
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.klotski.parts.solutions import checks, claims
else:
    checks, claims = deferred(__package__, "checks", "claims")


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return none."""
    return ()


SOLUTIONS = Part(
    name="solutions",
    scope="classes",
    stages=stages,
    tables=(SOLUTION,),
    arrays=(MIN_SOLUTION_STEP, MIN_SOLUTION_NUM, SOLUTION_NUM),
    claims=claims.measure,
    checks=(
        Check(
            "distances to the exit",
            {"solution": ("layout_id", "min_solution_step", "min_straight_step", "min_unit_move")},
            "classes of 150,000 layouts walked whole, layouts of every class moved; all rows bounded by the exit and "
            "the groups",
            checks.check_distances,
            checks.read_distances,
        ),
        Check(
            "numbers of solutions",
            {"solution": ("min_solution_num", "solution_num")},
            "counted by searches from layouts of every class; all rows bounded by the exits of their groups, those of "
            "classes of 150,000 layouts by their neighbours and mirror images",
            checks.check_numbers,
            checks.read_numbers,
        ),
        Check(
            "arrays of solutions",
            {"min_solution_step": (), "min_solution_num": (), "solution_num": ()},
            "ranges of ids compared with solution",
            checks.check_arrays,
        ),
    ),
)
