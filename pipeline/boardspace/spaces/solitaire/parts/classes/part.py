"""Whole position classes of a board, one for each vacancy: swept by weight, published as bitmaps, counted."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.costs import with_costs
from boardspace.spaces.solitaire.parts.classes.tables import (
    BITMAPS,
    CLASS_HOLES,
    CLASS_LEVELS,
    CLASS_MOVES,
    CLASS_SOLUTIONS,
    HARDEST,
    HARDEST_PARTS,
    MOVES_LEFT,
    PROBLEM_SOLUTIONS,
    PROBLEMS,
)
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage, Table

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.classes import checks, claims
    from boardspace.spaces.solitaire.parts.classes import stages as planned
    from boardspace.spaces.solitaire.parts.classes.checks import bitmaps
else:
    (bitmaps,) = deferred(f"{__package__}.checks", "bitmaps")
    checks, claims, planned = deferred(__package__, "checks", "claims", "stages")


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """The stages of each section. Their number follows from the sizes of classes, so it is planned by kernels."""
    return with_costs(stage for section in config.classes for stage in planned.class_stages(section, config))


def _names(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns)


POSITION_CLASSES = Part(
    name="classes",
    scope="position classes",
    stages=stages,
    tables=(
        CLASS_LEVELS,
        CLASS_MOVES,
        HARDEST,
        CLASS_HOLES,
        PROBLEMS,
        PROBLEM_SOLUTIONS,
        CLASS_SOLUTIONS,
        HARDEST_PARTS,
    ),
    arrays=(BITMAPS, MOVES_LEFT),
    claims=claims.measure,
    checks=(
        Check(
            "least moves left",
            {MOVES_LEFT.name: ()},
            "0 at the goals, else one more than the least of the positions that moves made by arrays lead to",
            bitmaps.check_moves_left,
        ),
        Check(
            "class levels",
            {"class_levels": _names(CLASS_LEVELS)},
            "small classes played whole; of others bitmaps counted, or levels by sorted runs; and first levels played",
            checks.check_levels,
        ),
        Check(
            "class moves",
            {"class_moves": _names(CLASS_MOVES), "hardest": _names(HARDEST)},
            "small classes played whole; of others summed from the positions by sorted runs, or first levels alone",
            checks.check_moves,
        ),
        Check(
            "class problems",
            {"problems": _names(PROBLEMS), "class_holes": _names(CLASS_HOLES)},
            "parities by elimination, survivors played, or read from bitmaps and moves left; holes by the picture",
            checks.check_problems,
        ),
        Check(
            "class solutions",
            {"class_solutions": _names(CLASS_SOLUTIONS), "problem_solutions": _names(PROBLEM_SOLUTIONS)},
            "small classes: found again by hand; others: replayed and counted from the list, and looked for near it",
            checks.check_solutions,
        ),
    ),
)
