"""The farthest steps of all layouts of the classes that a budget pays for, the extents of their groups, and all pairs
of layouts by distance."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import share_of_layouts
from boardspace.spaces.klotski.ids import cut_ids, one_shard
from boardspace.spaces.klotski.parts.farthest.costs import MERGE_SECONDS, afforded
from boardspace.spaces.klotski.parts.farthest.cutting import cut_classes, cut_merges, cut_parts
from boardspace.spaces.klotski.parts.farthest.tables import (
    CLASS_DIAMETERS,
    CLASS_DISTANCES,
    CLASS_STAGE,
    DIAMETERS,
    DISTANCES,
    DISTANCES_STAGE,
    FARTHEST,
    FARTHEST_NUM,
    FARTHEST_STEP,
    OUTLINE_STAGE,
    OUTLINES,
    PART_STAGE,
    PARTS,
)
from boardspace.spec.deferred import deferred
from boardspace.spec.space import Check, Part, Stage

if TYPE_CHECKING:
    from boardspace.spaces.klotski.parts.farthest import checks, compute, distance_checks
else:
    checks, compute, distance_checks = deferred(__package__, "checks", "compute", "distance_checks")

MERGED_SECONDS = 4.0
"""Of all layouts in order of ids."""
SECONDS_PER_ID = 1.4e-7


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the stages; none where the budget pays for no class."""
    chosen = afforded(config)
    if not chosen.classes:
        return ()
    rest = [name for name, cost in chosen.classes.items() if cost.rest]
    share, share_of_rest = share_of_layouts(chosen.classes), share_of_layouts(rest)
    by_ids = partial(cut_ids, SECONDS_PER_ID)
    members, met, found, groups = 300_000_000, 200_000_000, 170_000_000, 700_000
    return (
        Stage(
            OUTLINE_STAGE,
            chosen.doc,
            compute.outline_class,
            cut_classes,
            bytes=round(share * members),
            omits=chosen.omits,
        ),
        Stage(
            PART_STAGE,
            "search what the outlines of large groups left",
            compute.search_part,
            cut_parts,
            after=(OUTLINE_STAGE,),
            bytes=round(share_of_rest * met),
            seconds=sum(cost.rest for cost in chosen.classes.values()),
        ),
        Stage(
            CLASS_STAGE,
            "farthest steps of the classes that were searched in parts, extents of their groups",
            compute.merge_class,
            cut_merges,
            after=(OUTLINE_STAGE, PART_STAGE),
            bytes=round(share_of_rest * members),
            seconds=len(rest) * MERGE_SECONDS,
        ),
        Stage(
            "farthest",
            "farthest steps in order of ids",
            compute.merge_ids,
            by_ids,
            after=(OUTLINE_STAGE, CLASS_STAGE),
            bytes=round(share * found),
            seconds=MERGED_SECONDS * (1.0 if config.complete else share),
        ),
        Stage(
            "diameters",
            "extents of all groups",
            compute.collect,
            one_shard,
            after=(OUTLINE_STAGE, CLASS_STAGE),
            bytes=round(share * groups),
            seconds=0.2,
        ),
        *([_distances(share_of_layouts(chosen.counted))] if chosen.counted else []),
    )


def _distances(share: float) -> Stage:
    return Stage(
        DISTANCES_STAGE,
        "all pairs of layouts by distance",
        compute.collect_distances,
        one_shard,
        after=(OUTLINE_STAGE, CLASS_STAGE),
        bytes=round(share * 1_500_000),
        seconds=0.2,
    )


FARTHEST_STEPS = Part(
    name="farthest",
    scope="classes with farthest steps",
    stages=stages,
    tables=(FARTHEST, DIAMETERS, DISTANCES, OUTLINES, PARTS, CLASS_DIAMETERS, CLASS_DISTANCES),
    arrays=(FARTHEST_STEP, FARTHEST_NUM),
    checks=(
        Check(
            "farthest steps",
            {"farthest": tuple(column.name for column in FARTHEST.columns)},
            "their groups searched through from layouts of classes of 120,000; all rows of these bounded by their "
            "neighbours and images, those of every class by some",
            checks.check_farthest,
        ),
        Check(
            "extents",
            {"diameters": tuple(column.name for column in DIAMETERS.columns)},
            "all rows recounted from farthest",
            checks.check_extents,
        ),
        Check(
            "extents of the classes",
            {"class_diameters": tuple(column.name for column in CLASS_DIAMETERS.columns)},
            "all rows compared with diameters",
            checks.check_class_diameters,
        ),
        Check(
            "distances",
            {"distances": tuple(column.name for column in DISTANCES.columns)},
            "sums and ends of all groups compared with groups and diameters; in classes of 120,000 layouts the pairs "
            "of all groups of up to 512 layouts, and of some of up to 4,000, counted from each of their layouts",
            distance_checks.check_distances,
        ),
        Check(
            "distances of the classes",
            {"class_distances": tuple(column.name for column in CLASS_DISTANCES.columns)},
            "all rows compared with distances",
            distance_checks.check_class_distances,
        ),
        Check(
            "outlines and parts",
            {
                "farthest_outlines": ("group_num", "group_index", "farthest_step", "weight"),
                "farthest_parts": ("group_index", "farthest_step", "weight"),
            },
            "those of some classes put together and compared with farthest, by which smaller steps are bounded",
            checks.check_parts,
        ),
        Check(
            "arrays of farthest steps",
            {"farthest_step": (), "farthest_num": ()},
            "ranges of ids compared with farthest",
            checks.check_arrays,
        ),
    ),
    unchecked={
        "farthest_outlines.margin": "how near a search came to a layout; it decides only from where parts search on, "
        "and what these found is checked"
    },
)
