"""Trays, the puzzle on frames of other sizes; the text asks nothing about them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.trays.cutting import cut_trays
from boardspace.spaces.klotski.parts.trays.tables import TRAYS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.klotski.parts.trays import checks, compute
else:
    checks, compute = deferred(__package__, "checks", "compute")


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the stage; none where no tray is asked for."""
    if not config.trays:
        return ()
    trays = Stage("trays", "frames of other sizes", compute.survey, cut_trays, bytes=10_000 * len(config.trays))
    return (trays,)


OTHER_TRAYS = Part(
    name="trays",
    scope="other trays",
    stages=stages,
    tables=(TRAYS,),
    checks=(
        Check(
            "trays",
            {"trays": tuple(column.name for column in TRAYS.columns)},
            "layouts and classes counted row by row; trays of up to 400,000 layouts enumerated and walked whole, the "
            "hardest layouts of small ones solved by hand",
            checks.check_trays,
        ),
    ),
)
