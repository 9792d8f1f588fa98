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
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.solitaire.parts.classes import checks, claims
    from boardspace.spaces.solitaire.parts.classes import stages as planned
else:
    checks, claims, planned = deferred(__package__, "checks", "claims", "stages")


def stages(config: SolitaireConfig) -> Sequence[Stage]:
    """Those of each section. Their number follows from the sizes of classes, so it is planned by kernels."""
    return with_costs(stage for section in config.classes for stage in planned.class_stages(section, config))


POSITION_CLASSES = Part(
    name="classes",
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
            "bitmaps",
            {"classes/{board}-{vacancy}/{set}": ()},
            "jumps made by hand",
            checks.check_bitmaps,
        ),
        Check(
            "least moves left",
            {"classes/{board}-{vacancy}/{goal}_moves": ()},
            "moves made by hand",
            checks.check_least_moves_left,
        ),
        Check(
            "class levels",
            {"class_levels": ("labelled_positions",)},
            "levels played by hand",
            checks.check_class_levels,
        ),
        Check(
            "class solutions",
            {"class_solutions": ("moves",)},
            "replayed jump by jump",
            checks.check_class_solutions,
        ),
    ),
)
