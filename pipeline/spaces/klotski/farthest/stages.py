"""Stages of the farthest steps: outlines of every class, parts of what they leave, classes, and the order of ids.

An outline settles most layouts of a deep group; what it leaves is known only then, and is cut into parts of equal work.
"""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from boardspace.pipeline.space import Inputs, Output, Shard, Stage
from boardspace.pipeline.spaces.klotski.class_stage import class_named, shard_name
from boardspace.pipeline.spaces.klotski.config import KlotskiConfig
from boardspace.pipeline.spaces.klotski.farthest.costs import PAIR_SECONDS, afforded
from boardspace.pipeline.spaces.klotski.farthest.tables import (
    CLASS_DIAMETERS,
    DIAMETERS,
    FARTHEST,
    FARTHEST_MEMBERS,
    FARTHEST_NUM,
    FARTHEST_STEP,
    OUTLINES,
    PARTS,
)
from boardspace.pipeline.spaces.klotski.filling import share_of_layouts
from boardspace.pipeline.spaces.klotski.ids import array_part, cut_ids, one_shard

PART_SECONDS = 30.0
"""Of one part; a group that has less left is finished with its outline."""
MERGE_SECONDS = 0.04
"""Of one class, of the median size."""
MERGED_SECONDS = 17.0
"""Of all layouts in order of ids."""
SECONDS_PER_ID = 2e-7


def farthest_stages(config: KlotskiConfig) -> Sequence[Stage]:
    """The stages; none where the budget pays for no class."""
    chosen = afforded(config)
    if not chosen.classes:
        return ()
    outlines, parts, classes = "farthest_outlines", "farthest_parts", "farthest_classes"
    rest = "search what the outlines of large groups left"
    merge = "farthest steps of each class, extents of its groups"
    by_ids = partial(cut_ids, SECONDS_PER_ID)
    share = share_of_layouts(chosen.classes)
    outlined, found, met, groups = (round(share * size) for size in (45_000_000, 90_000_000, 200_000_000, 400_000))
    met *= any(cost.rest for cost in chosen.classes.values())
    return (
        Stage(outlines, chosen.doc, outline_class, cut_classes, bytes=outlined, omits=chosen.omits),
        Stage(parts, rest, search_part, cut_parts, after=(outlines,), bytes=met),
        Stage(
            classes,
            merge,
            merge_class,
            cut_merges,
            after=(outlines, parts),
            bytes=found,
            seconds=len(chosen.classes) * MERGE_SECONDS,
        ),
        Stage(
            "farthest",
            "farthest steps in order of ids",
            merge_ids,
            by_ids,
            after=(classes,),
            bytes=found,
            seconds=MERGED_SECONDS * (1.0 if config.complete else share),
        ),
        Stage("diameters", "extents of all groups", collect, one_shard, after=(classes,), bytes=groups, seconds=0.2),
    )


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """One shard a class."""
    chosen = afforded(config).classes
    return [Shard(shard_name(name), {"class": name}, cost.outline) for name, cost in chosen.items()]


def outline_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The outlines of the groups of a class; small groups are finished."""
    from boardspace.pipeline.spaces.klotski.farthest.searches import outlines

    found = outlines(class_named(params["class"]), PART_SECONDS)
    table = OUTLINES.from_columns(
        group_num=found.group_num,
        group_index=found.group_index,
        farthest_step=found.found.steps,
        weight=found.found.counts,
        margin=found.found.margin,
    )
    return Output({OUTLINES.name: table}, facts={**params, "left": found.left})


def cut_parts(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Equal parts, of about PART_SECONDS, of what is left of each group."""
    shards = []
    for shard, facts in inputs.named_facts("farthest_outlines").items():
        for group, size, left in facts["left"]:
            seconds = size * left * PAIR_SECONDS
            parts = math.ceil(seconds / PART_SECONDS)
            params = {"class": facts["class"], "group": group, "parts": parts}
            shards += [
                Shard(f"{shard}-{group}-{part:03}", {**params, "part": part}, seconds / parts) for part in range(parts)
            ]
    return shards


def search_part(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """What one part of a group's searches met."""
    from boardspace.pipeline.spaces.klotski.farthest.searches import part_of_group, progress_of

    shard, group = shard_name(params["class"]), params["group"]
    rows = inputs.read("farthest_outlines", OUTLINES.name, shards=[shard], between=(group, group + 1))
    found = part_of_group(class_named(params["class"]), group, progress_of(rows), params["part"], params["parts"])
    met = np.flatnonzero(found.counts)
    table = PARTS.from_columns(group_index=met, farthest_step=found.steps[met], weight=found.counts[met])
    return Output({PARTS.name: table}, facts={"class": params["class"], "group": group})


def cut_merges(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """One shard a class."""
    return [
        Shard(shard, {"class": facts["class"]}, MERGE_SECONDS)
        for shard, facts in inputs.named_facts("farthest_outlines").items()
    ]


def merge_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The farthest steps of the layouts of a class, in order of ids, and the extents of its groups."""
    from boardspace.pipeline.spaces.klotski.farthest.searches import progress_of, whole_class

    name = class_named(params["class"])
    rows = inputs.read("farthest_outlines", OUTLINES.name, shards=[shard_name(params["class"])])
    parts: dict[int, list[list[np.ndarray[Any, Any]]]] = {}
    for shard, facts in inputs.named_facts("farthest_parts").items():
        if facts["class"] == params["class"]:
            met = inputs.read("farthest_parts", PARTS.name, shards=[shard])
            parts.setdefault(facts["group"], []).append([np.asarray(column) for column in met.columns])
    whole = whole_class(name, progress_of(rows), parts)
    members = FARTHEST_MEMBERS.from_columns(
        layout_id=whole.layout_id, farthest_step=whole.found.steps, farthest_num=whole.found.counts
    )
    count = len(whole.extents["group_num"])
    numbers = {f"{kind}_num": np.full(count, value) for kind, value in name._asdict().items()}
    extents = CLASS_DIAMETERS.from_columns(**numbers, **whole.extents)
    return Output({FARTHEST_MEMBERS.name: members, CLASS_DIAMETERS.name: extents})


def merge_ids(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The rows of a range of ids from all computed classes; in arrays, 0 where nothing was computed."""
    low, high = params["low"], params["high"]
    rows = inputs.read("farthest_classes", FARTHEST_MEMBERS.name, between=(low, high)).sort_by("layout_id")
    tables = {FARTHEST.name: rows}
    if not params["complete"]:
        return Output(tables)
    ids = np.asarray(rows.column("layout_id"))
    arrays = []
    for array in (FARTHEST_STEP, FARTHEST_NUM):
        values = np.zeros(high - low, dtype=array.dtype)
        values[ids - low] = np.asarray(rows.column(array.name))
        arrays.append(array_part(array, values, params, config))
    return Output(tables, arrays)


def collect(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The extents of all groups."""
    return Output({DIAMETERS.name: inputs.read("farthest_classes", CLASS_DIAMETERS.name)})
