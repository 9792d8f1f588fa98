"""Computes the farthest steps: outlines of every class, parts of what they leave, classes, and the order of ids.

An outline settles most layouts of a deep group; what it leaves is known only then, and is cut into parts of equal work.
A class of which nothing is left is finished with its outlines.
"""

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from boardspace.spaces.klotski.class_shards import shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.enumerated import class_named, enumerated
from boardspace.spaces.klotski.ids import array_part
from boardspace.spaces.klotski.parts.farthest.costs import MERGE_SECONDS, PAIR_SECONDS, afforded
from boardspace.spaces.klotski.parts.farthest.searches import (
    Part,
    outlines,
    part_of_group,
    progress_of,
    whole_class,
)
from boardspace.spaces.klotski.parts.farthest.tables import (
    CLASS_DIAMETERS,
    CLASS_STAGE,
    DIAMETERS,
    FARTHEST,
    FARTHEST_MEMBERS,
    FARTHEST_NUM,
    FARTHEST_STEP,
    OUTLINE_STAGE,
    OUTLINES,
    PART_STAGE,
    PARTS,
)
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName
from boardspace_kernels.klotski.farthest.steps import Progress

MEMBERS = "farthest_members"
PART_SECONDS = 30.0
"""Of one part; a group that has less left is finished with its outline."""


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard a class."""
    chosen = afforded(config).classes
    return [Shard(shard_name(name), {"class": name}, cost.outline) for name, cost in chosen.items()]


def outline_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Outline the groups of a class; small groups are finished, and with the last of them the class."""
    name, layouts = class_named(params["class"]), enumerated(params["class"])
    found = outlines(layouts, PART_SECONDS)
    facts = {**params, "left": found.left}
    if not found.left:
        return _finished_class(name, layouts, found.found, {}, facts)
    table = OUTLINES.from_columns(
        group_num=found.group_num,
        group_index=found.group_index,
        farthest_step=found.found.steps,
        weight=found.found.counts,
        margin=found.found.margin,
    )
    return Output({OUTLINES.name: table}, facts=facts)


def cut_parts(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return equal parts, of about PART_SECONDS, of what is left of each group."""
    shards = []
    for shard, facts in inputs.named_facts(OUTLINE_STAGE).items():
        for group, size, left in facts["left"]:
            seconds = size * left * PAIR_SECONDS
            parts = math.ceil(seconds / PART_SECONDS)
            params = {"class": facts["class"], "group": group, "parts": parts}
            shards += [
                Shard(f"{shard}-{group}-{part:03}", {**params, "part": part}, seconds / parts) for part in range(parts)
            ]
    return shards


def search_part(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Search one part of what is left of a group."""
    shard, group = shard_name(params["class"]), params["group"]
    rows = inputs.read(OUTLINE_STAGE, OUTLINES.name, shards=[shard], between=(group, group + 1))
    found = part_of_group(params["class"], group, progress_of(rows), params["part"], params["parts"])
    met = np.flatnonzero(found.counts)
    table = PARTS.from_columns(group_index=met, farthest_step=found.steps[met], weight=found.counts[met])
    return Output({PARTS.name: table}, facts={"class": params["class"], "group": group})


def cut_merges(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return one shard for each class that its outlines did not finish."""
    return [
        Shard(shard, {"class": facts["class"]}, MERGE_SECONDS)
        for shard, facts in inputs.named_facts(OUTLINE_STAGE).items()
        if facts["left"]
    ]


def merge_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Put together the farthest steps of a class that was searched in parts, and the extents of its groups."""
    name = class_named(params["class"])
    rows = inputs.read(OUTLINE_STAGE, OUTLINES.name, shards=[shard_name(params["class"])])
    parts: dict[int, list[list[np.ndarray[Any, Any]]]] = {}
    for shard, facts in inputs.named_facts(PART_STAGE).items():
        if facts["class"] == params["class"]:
            met = inputs.read(PART_STAGE, PARTS.name, shards=[shard])
            parts.setdefault(facts["group"], []).append([np.asarray(column) for column in met.columns])
    return _finished_class(name, enumerated(params["class"]), progress_of(rows), parts, {})


def _finished_class(
    name: ClassName,
    layouts: ClassLayouts,
    outlined: Progress,
    parts: Mapping[int, Sequence[Part]],
    facts: Mapping[str, Any],
) -> Output:
    """Return the farthest steps of a class, in order of ids, for later stages, and the extents of its groups."""
    whole = whole_class(layouts, outlined, parts)
    members = np.empty(len(whole.layout_id), dtype=FARTHEST_MEMBERS)
    members["layout_id"] = whole.layout_id
    members["farthest_step"], members["farthest_num"] = whole.found.steps, whole.found.counts
    count = len(whole.extents["group_num"])
    numbers = {f"{kind}_num": np.full(count, value) for kind, value in name._asdict().items()}
    extents = CLASS_DIAMETERS.from_columns(**numbers, **whole.extents)
    return Output({CLASS_DIAMETERS.name: extents}, facts=facts, blobs={MEMBERS: members})


def finished_classes(inputs: Inputs) -> Mapping[str, str]:
    """Return for each class, by shard, the stage that finished it."""
    outlined = inputs.named_facts(OUTLINE_STAGE).items()
    return {shard: CLASS_STAGE if facts["left"] else OUTLINE_STAGE for shard, facts in outlined}


def merge_ids(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Put the rows of a range of ids from all computed classes in order; in arrays, 0 where nothing was computed."""
    low, high = params["low"], params["high"]
    parts = [np.empty(0, dtype=FARTHEST_MEMBERS)]
    for shard, stage in finished_classes(inputs).items():
        members = inputs.blob(stage, MEMBERS, shard)
        ids = members["layout_id"]
        parts.append(members[bisect_left(ids, low) : bisect_left(ids, high)])
    records = np.concatenate(parts)
    records = records[np.argsort(records["layout_id"], kind="stable")]
    tables = {FARTHEST.name: FARTHEST.from_columns(**{name: records[name] for name in FARTHEST.schema.names})}
    if not params["complete"]:
        return Output(tables)
    arrays = []
    for array in (FARTHEST_STEP, FARTHEST_NUM):
        values = np.zeros(high - low, dtype=array.dtype)
        values[records["layout_id"] - low] = records[array.name]
        arrays.append(array_part(array, values, params, config))
    return Output(tables, arrays)


def collect(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Collect the extents of all groups."""
    found = [
        inputs.read(stage, CLASS_DIAMETERS.name, shards=[shard]) for shard, stage in finished_classes(inputs).items()
    ]
    return Output({DIAMETERS.name: pa.concat_tables(found)})
