"""All pairs of layouts by unit moves, of the classes that are asked for."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import share_of_layouts
from boardspace.spaces.klotski.ids import one_shard
from boardspace.spaces.klotski.parts.unit_distances.cutting import cut_parts
from boardspace.spaces.klotski.parts.unit_distances.tables import PART_STAGE, STAGE, UNIT_DISTANCES, UNIT_PARTS
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.klotski.parts.unit_distances import checks, claims, compute
else:
    checks, claims, compute = deferred(__package__, "checks", "claims", "compute")

BYTES = 2_000_000
"""Of the pairs of all 203 classes."""


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the stages; none where no class is asked for."""
    if not config.in_unit_moves:
        return ()
    size = round(share_of_layouts(config.in_unit_moves) * BYTES)
    return (
        Stage(PART_STAGE, "pairs of layouts by unit moves, in parts", compute.count_part, cut_parts, bytes=size),
        Stage(STAGE, "all pairs by unit moves", compute.add_parts, one_shard, (PART_STAGE,), bytes=size, seconds=0.2),
    )


UNIT_MOVES = Part(
    name="unit_distances",
    scope=UNIT_DISTANCES.scope,
    stages=stages,
    tables=(UNIT_DISTANCES, UNIT_PARTS),
    claims=claims.measure,
    checks=(
        Check(
            "unit distances",
            {UNIT_DISTANCES.name: tuple(column.name for column in UNIT_DISTANCES.columns)},
            "sums of all groups compared with groups; in classes of 120,000 layouts the pairs of all groups of up to "
            "512 layouts, and of some of up to 4,000, counted from each of their layouts; of the largest group the "
            "pairs of 512 layouts, which cannot be more",
            checks.check_unit_distances,
            checks.read_unit_distances,
        ),
    ),
)
