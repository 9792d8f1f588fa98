"""The farthest steps of all layouts of the classes that a budget pays for, the extents of their groups, and all pairs
of layouts by distance."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spaces.klotski.columns import cut_ids, shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import labels_of, share_of_layouts
from boardspace.spaces.klotski.parts.farthest import costs
from boardspace.spaces.klotski.parts.farthest.costs import MERGE_SECONDS, TAKEN, WithinBudget, within_budget
from boardspace.spaces.klotski.parts.layouts.part import LAYOUTS
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Again, Classes, Fewest, Key, Most, Same, Total, Totals
from boardspace.spec.space import Column, Inputs, Part, Shard, Stage, Table, one_shard
from boardspace.spec.stage import refuse_more_shards
from boardspace.spec.table import record_of

if TYPE_CHECKING:
    from boardspace.spaces.klotski import searched_groups
    from boardspace.spaces.klotski.parts.farthest import compute
else:
    (compute,) = deferred(__package__, "compute")
    (searched_groups,) = deferred("boardspace.spaces.klotski", "searched_groups")

DISTANCES_STAGE = "distances"
OUTLINE_STAGE, PART_STAGE, CLASS_STAGE = "farthest_outlines", "farthest_parts", "farthest_classes"
"""Names of the stages whose tables are intermediates."""


def searched(config: KlotskiConfig) -> set[tuple[int, ...]]:
    """The classes that the budget pays for."""
    return labels_of(within_budget(config).classes)


def counted(config: KlotskiConfig) -> set[tuple[int, ...]]:
    """The classes of which all pairs are counted."""
    return labels_of(within_budget(config).counted)


SEARCHED = Classes("layouts with farthest steps", LAYOUTS, searched)
COUNTED = Classes("layouts with pairs by distance", LAYOUTS, counted)
SEARCHED_AGAIN = Again(
    "farthest steps",
    searched_groups.search_farthest,
    states=120_000,
    why="the farthest are found by no fold over neighbours",
    says="its group searched through from layouts of drawn classes, bounded there by its images; all rows bounded by "
    "their neighbours",
)
COUNTED_AGAIN = Again(
    "distances",
    searched_groups.count_by_steps,
    states=120_000,
    why="pairs by distance are sums over searches from all layouts",
    says="sums and ends of all groups; in drawn classes those of neighbours, and of images, which are equal, and the "
    "pairs of all groups of up to 512 layouts, and of some of up to 4,000, counted from each of their layouts",
)

_STEP = Column("farthest_step", pa.uint16(), "Steps to the farthest layouts of its group.", "steps")
_NUM = Column("farthest_num", pa.uint32(), "Number of layouts that are that far.", "layouts")
_GROUP = tuple(column.by(Key()) for column in (*columns.CLASS, columns.GROUP_NUM))

FARTHEST = Table(
    "farthest",
    "How far the farthest layouts are, and how many; only of the classes it was computed for, those in `diameters`.",
    (columns.LAYOUT_ID.by(Same("main.layout_id")), _STEP.by(SEARCHED_AGAIN), _NUM.by(SEARCHED_AGAIN)),
    ("layout_id",),
    rows=SEARCHED,
)

DIAMETERS = Table(
    "diameters",
    "The extent of each group in steps; only of the classes it was computed for.",
    (
        *_GROUP,
        Column(
            "diameter",
            pa.uint16(),
            "Largest farthest_step of the group.",
            "steps",
            equation=Total("greatest", "farthest_step"),
        ),
        Column(
            "radius",
            pa.uint16(),
            "Smallest farthest_step of the group.",
            "steps",
            equation=Total("least", "farthest_step"),
        ),
        Column(
            "diametral_pairs",
            pa.uint64(),
            "Unordered pairs of layouts whose distance is the diameter.",
            "pairs",
            equation=Total("half", "farthest_num", where=Most("farthest_step")),
        ),
        Column(
            "centres",
            pa.uint32(),
            "Layouts whose farthest_step is the radius.",
            "layouts",
            equation=Total("count", where=Fewest("farthest_step")),
        ),
        Column(
            "centre_code",
            pa.uint64(),
            "Smallest code of these.",
            equation=Total("least", "code", where=Fewest("farthest_step")),
        ),
    ),
    ("jiang_num", "bing_num", "style_num", "group_num"),
    rows=Totals(SEARCHED, (*LAYOUTS.label, "group_num")),
)

DISTANCES = Table(
    "distances",
    "How many pairs of layouts of a group are so many steps apart; only of the classes it was counted for. The pairs "
    "of a group add up to the square of its size, half the sum of steps times pairs is its Wiener index.",
    (
        *_GROUP,
        Column("steps", pa.uint16(), "Distance, from 0 to the diameter.", "steps", equation=Key()),
        columns.PAIRS.by(COUNTED_AGAIN),
    ),
    ("jiang_num", "bing_num", "style_num", "group_num", "steps"),
    scope="classes with pairs by distance",
    rows=Totals(COUNTED, (*LAYOUTS.label, "group_num"), counted="steps"),
)

OUTLINES = Table(
    "farthest_outlines",
    "What the outline searches of a class found that leave something; of each set of reflected groups only the first.",
    (
        columns.GROUP_NUM,
        columns.GROUP_INDEX,
        _STEP,
        Column("weight", pa.uint32(), "Searched layouts met at that step; farthest_num where the group is finished."),
        Column("margin", pa.int16(), "Proved margin; positive where the layout needs no search."),
    ),
    ("group_num", "group_index"),
    published=False,
)

PARTS = Table(
    "farthest_parts",
    "What one part of a group's searches met at the farthest steps it knew.",
    (columns.GROUP_INDEX, _STEP, Column("weight", pa.uint32(), "Searched layouts met at that step.")),
    ("group_index",),
    published=False,
)

FARTHEST_MEMBERS = record_of(FARTHEST.columns)
"""Records of the layouts of a class in order of ids, a blob that the shards of all ids map. Every range of ids has a
part of 131 classes, so that files to be decoded would be opened 3,700 times."""

CLASS_DIAMETERS = Table(
    "class_diameters", "The extents of the groups of one class.", DIAMETERS.columns, DIAMETERS.key, published=False
)

CLASS_DISTANCES = Table(
    "class_distances",
    "The pairs of one class by distance; none where they were not counted.",
    DISTANCES.columns,
    DISTANCES.key,
    published=False,
)

FARTHEST_STEP = columns.by_id(
    "farthest", _STEP, "Steps to its farthest layouts; 0 as well where not computed.", SEARCHED
)
FARTHEST_NUM = columns.by_id("farthest", _NUM, "Number of these; 0 where it was not computed.", SEARCHED)

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


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard a class."""
    chosen = costs.within_budget(config)
    return [
        Shard(shard_name(name), {"class": name, "counted": name in chosen.counted}, costs.TAKEN * cost.outline)
        for name, cost in chosen.classes.items()
    ]


def cut_parts(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return equal parts, of about PART_SECONDS, of what is left of each group."""
    shards = []
    for shard, facts in inputs.named_facts(OUTLINE_STAGE).items():
        for group, size, left in facts["left"]:
            seconds = size * left * costs.pair_seconds(facts["counted"])
            parts = math.ceil(seconds / costs.PART_SECONDS)
            refuse_more_shards(parts)
            params = {"class": facts["class"], "group": group, "parts": parts, "counted": facts["counted"]}
            shards += [
                Shard(f"{shard}-{group}-{part:03}", {**params, "part": part}, costs.TAKEN * seconds / parts)
                for part in range(parts)
            ]
    return shards


def cut_merges(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard for each class that its outlines did not finish."""
    return [
        Shard(shard, {"class": facts["class"]}, costs.MERGE_SECONDS)
        for shard, facts in inputs.named_facts(OUTLINE_STAGE).items()
        if facts["left"]
    ]


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the stages; none where the budget pays for no class."""
    chosen = within_budget(config)
    if not chosen.classes:
        return ()
    share = share_of_layouts(chosen.classes)
    by_ids = partial(cut_ids, SECONDS_PER_ID)
    size = round(share * ID_BYTES)
    seconds = MERGED_SECONDS * (1.0 if config.complete else share)
    steps = "farthest steps in order of ids"
    collection = partial(Stage, split=one_shard("all"), after=CLASS_STAGES, seconds=0.2)
    found = [collection("diameters", "extents of all groups", compute.collect, bytes=round(share * GROUP_BYTES))]
    if chosen.counted:
        doc, pairs = "all pairs of layouts by distance", round(share_of_layouts(chosen.counted) * DISTANCE_BYTES)
        found.append(collection(DISTANCES_STAGE, doc, compute.collect_distances, bytes=pairs))
    return (
        *_searches(chosen, share),
        Stage("farthest", steps, compute.merge_ids, by_ids, CLASS_STAGES, bytes=size, seconds=seconds),
        *found,
    )


def _searches(chosen: WithinBudget, share: float) -> Iterator[Stage]:
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
        gpu=bool(chosen.counted),
    )
    yield Stage(
        PART_STAGE,
        "search what the outlines of large groups left",
        compute.search_part,
        cut_parts,
        after=(OUTLINE_STAGE,),
        bytes=round(share_of_rest * MET_BYTES),
        seconds=TAKEN * sum(cost.rest for cost in chosen.classes.values()),
        longest=TAKEN * costs.PART_SECONDS if rest else 0.0,
        gpu=bool(chosen.counted),
    )
    yield Stage(
        CLASS_STAGE,
        "farthest steps of the classes that were searched in parts, extents of their groups",
        compute.merge_class,
        cut_merges,
        after=(OUTLINE_STAGE, PART_STAGE),
        bytes=round(share_of_rest * MEMBER_BYTES),
        seconds=len(rest) * MERGE_SECONDS,
        longest=MERGE_SECONDS if rest else 0.0,
    )


FARTHEST_STEPS = Part(
    name="farthest",
    scope="classes with farthest steps",
    stages=stages,
    tables=(FARTHEST, DIAMETERS, DISTANCES, OUTLINES, PARTS, CLASS_DIAMETERS, CLASS_DISTANCES),
    arrays=(FARTHEST_STEP, FARTHEST_NUM),
)
