"""All pairs of layouts by unit moves, of the classes that are asked for."""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from boardspace.spaces.klotski import columns
from boardspace.spaces.klotski.columns import shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import labels_of, share_of_layouts
from boardspace.spaces.klotski.parts.farthest import costs
from boardspace.spaces.klotski.parts.layouts.part import LAYOUTS
from boardspace.spec.deferred import deferred
from boardspace.spec.equations import Again, Classes, Key, Totals
from boardspace.spec.space import Column, Inputs, Part, Shard, Stage, Table, one_shard

if TYPE_CHECKING:
    from boardspace.spaces.klotski import searched_groups
    from boardspace.spaces.klotski.parts.unit_distances import compute
else:
    (compute,) = deferred(__package__, "compute")
    (searched_groups,) = deferred("boardspace.spaces.klotski", "searched_groups")

PART_STAGE, STAGE = "unit_parts", "unit_distances"
"""Names of the stages: parts of classes, and their sums."""

_MOVES = Column("moves", pa.uint16(), "Distance in unit moves, from 0 to the largest of the group.", "moves")
COUNTED_AGAIN = Again(
    "unit distances",
    searched_groups.count_by_unit_moves,
    states=120_000,
    why="pairs by distance are sums over searches from all layouts",
    says="sums of all groups; in drawn classes those of neighbours, and of images, which are equal, and the pairs of "
    "all groups of up to 512 layouts, and of some of up to 4,000, counted from each of their layouts; of the largest "
    "group the pairs of 512 layouts, which cannot be more",
)


def counted(config: KlotskiConfig) -> set[tuple[int, ...]]:
    """The classes whose pairs are counted."""
    return labels_of(config.in_unit_moves)


UNIT_DISTANCES = Table(
    "unit_distances",
    "How many pairs of layouts of a group are so many unit moves apart, where a piece moves by one cell; only of the "
    "classes it was counted for. The pairs of a group add up to the square of its size.",
    (*(column.by(Key()) for column in (*columns.CLASS, columns.GROUP_NUM, _MOVES)), columns.PAIRS.by(COUNTED_AGAIN)),
    ("jiang_num", "bing_num", "style_num", "group_num", "moves"),
    scope="classes with pairs by unit moves",
    rows=Totals(
        Classes("layouts with pairs by unit moves", LAYOUTS, counted), (*LAYOUTS.label, "group_num"), counted="moves"
    ),
)

UNIT_PARTS = Table(
    "unit_parts",
    "What one part of the searches in a class counted.",
    UNIT_DISTANCES.columns,
    UNIT_DISTANCES.key,
    published=False,
)

BYTES = 2_000_000
"""Of the pairs of all 203 classes."""

PAIR_SECONDS = 1.7e-9
"""Of one searched layout and one layout of its group: 1.3 times as long as by steps, since groups are deeper."""
PART_SECONDS = 30.0
"""Of one part, about."""


def class_seconds(name: str) -> float:
    """Seconds of one core for all pairs of a class, named jiang-bing-style."""
    return PAIR_SECONDS * costs.counted_pairs(name)


def cut_parts(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return equal parts of each class."""
    shards = []
    for name in config.in_unit_moves:
        seconds = class_seconds(name)
        parts = math.ceil(seconds / PART_SECONDS)
        shards += [
            Shard(f"{shard_name(name)}-{part:04}", {"class": name, "part": part, "parts": parts}, seconds / parts)
            for part in range(parts)
        ]
    return shards


def stages(config: KlotskiConfig) -> Sequence[Stage]:
    """Return the stages; none where no class is asked for."""
    if not config.in_unit_moves:
        return ()
    size = round(share_of_layouts(config.in_unit_moves) * BYTES)
    return (
        Stage(
            PART_STAGE, "pairs of layouts by unit moves, in parts", compute.count_part, cut_parts, bytes=size, gpu=True
        ),
        Stage(
            STAGE,
            "all pairs by unit moves",
            compute.add_parts,
            one_shard("all"),
            (PART_STAGE,),
            bytes=size,
            seconds=0.2,
        ),
    )


UNIT_MOVES = Part(
    name="unit_distances",
    scope=UNIT_DISTANCES.scope,
    stages=stages,
    tables=(UNIT_DISTANCES, UNIT_PARTS),
    claims=compute.measure_claims,
)
