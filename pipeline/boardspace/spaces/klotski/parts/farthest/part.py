"""The farthest steps of all layouts of the classes that a budget pays for, the extents of their groups, and all pairs
of layouts by distance."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import share_of_layouts
from boardspace.spaces.klotski.ids import cut_ids, one_shard
from boardspace.spaces.klotski.parts.farthest.costs import MERGE_SECONDS, TAKEN, Afforded, afforded
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
from boardspace.spec.stage import Compute

if TYPE_CHECKING:
    from boardspace.spaces.klotski.parts.farthest import checks, compute, distance_checks
else:
    checks, compute, distance_checks = deferred(__package__, "checks", "compute", "distance_checks")

MERGED_SECONDS = 4.0
"""Of all layouts in order of ids."""
SECONDS_PER_ID = 1.4e-7


MEMBER_BYTES, MET_BYTES, ID_BYTES, GROUP_BYTES, DISTANCE_BYTES = (
    300_000_000,
    200_000_000,
    170_000_000,
    700_000,
    1_500_000,
)
"""Of all 203 classes: their members, the layouts that parts meet, rows by id, extents of groups, and distances."""

CLASS_STAGES = (OUTLINE_STAGE, CLASS_STAGE)


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the stages; none where the budget pays for no class."""
    chosen = afforded(config)
    if not chosen.classes:
        return ()
    share = share_of_layouts(chosen.classes)
    by_ids = partial(cut_ids, SECONDS_PER_ID)
    size = round(share * ID_BYTES)
    seconds = MERGED_SECONDS * (1.0 if config.complete else share)
    steps = "farthest steps in order of ids"
    return (
        *_searches(chosen, share),
        Stage("farthest", steps, compute.merge_ids, by_ids, CLASS_STAGES, bytes=size, seconds=seconds),
        _collection("diameters", "extents of all groups", compute.collect, round(share * GROUP_BYTES)),
        *([_distances(share_of_layouts(chosen.counted))] if chosen.counted else []),
    )


def _searches(chosen: Afforded, share: float) -> Iterator[Stage]:
    """The stages that search the classes; some of these are cut into parts and merged."""
    rest = [name for name, cost in chosen.classes.items() if cost.rest]
    share_of_rest = share_of_layouts(rest)
    yield Stage(
        OUTLINE_STAGE,
        chosen.doc,
        compute.outline_class,
        cut_classes,
        bytes=round(share * MEMBER_BYTES),
        omits=chosen.omits,
    )
    yield Stage(
        PART_STAGE,
        "search what the outlines of large groups left",
        compute.search_part,
        cut_parts,
        after=(OUTLINE_STAGE,),
        bytes=round(share_of_rest * MET_BYTES),
        seconds=TAKEN * sum(cost.rest for cost in chosen.classes.values()),
    )
    yield Stage(
        CLASS_STAGE,
        "farthest steps of the classes that were searched in parts, extents of their groups",
        compute.merge_class,
        cut_merges,
        after=(OUTLINE_STAGE, PART_STAGE),
        bytes=round(share_of_rest * MEMBER_BYTES),
        seconds=len(rest) * MERGE_SECONDS,
    )


def _distances(share: float) -> Stage:
    doc = "all pairs of layouts by distance"
    return _collection(DISTANCES_STAGE, doc, compute.collect_distances, round(share * DISTANCE_BYTES))


def _collection(name: str, doc: str, compute: Compute, size: int) -> Stage:
    """A stage of one shard that collects what the classes have found."""
    return Stage(name, doc, compute, one_shard, CLASS_STAGES, bytes=size, seconds=0.2)


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
            checks.read_farthest,
        ),
        Check(
            "extents",
            {"diameters": tuple(column.name for column in DIAMETERS.columns)},
            "all rows recounted from farthest",
            checks.check_extents,
            checks.read_extents,
        ),
        Check(
            "distances",
            {"distances": tuple(column.name for column in DISTANCES.columns)},
            "sums and ends of all groups compared with groups and diameters; in classes of 120,000 layouts the pairs "
            "of all groups of up to 512 layouts, and of some of up to 4,000, counted from each of their layouts",
            distance_checks.check_distances,
            distance_checks.read_distances,
        ),
        Check(
            "arrays of farthest steps",
            {"farthest_step": (), "farthest_num": ()},
            "every cell compared with farthest",
            checks.check_arrays,
            checks.read_arrays,
        ),
    ),
)
