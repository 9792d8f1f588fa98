"""Computes the farthest steps: outlines of every class, parts of what they leave, classes, and the order of ids.

An outline settles most layouts of a deep group; what it leaves is known only then, and is cut into parts of equal work.
A class of which nothing is left is finished with its outlines.
"""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

import numpy as np
import pyarrow as pa

from boardspace.spaces.klotski.columns import array_part, shard_name
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest import costs
from boardspace.spaces.klotski.parts.farthest.part import (
    CLASS_DIAMETERS,
    CLASS_DISTANCES,
    CLASS_STAGE,
    DIAMETERS,
    DISTANCES,
    FARTHEST,
    FARTHEST_MEMBERS,
    FARTHEST_NUM,
    FARTHEST_STEP,
    OUTLINE_STAGE,
    OUTLINES,
    PART_STAGE,
    PARTS,
)
from boardspace.spaces.klotski.parts.farthest.searches import (
    Part,
    outlines,
    pairs_of_groups,
    part_of_group,
    progress_of,
    whole_class,
)
from boardspace.spaces.klotski.queries import class_named, enumerated, of_class
from boardspace.spec.space import Inputs, Output
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName
from boardspace_kernels.klotski.farthest_steps import Progress

MEMBERS = "farthest_members"


def outline_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Outline the groups of a class; small groups are finished, and with the last of them the class."""
    name, layouts = class_named(params["class"]), enumerated(params["class"])
    found = outlines(layouts, costs.PART_SECONDS, params["counted"], inputs.gpu)
    facts = {**params, "left": found.left}
    if not found.left:
        return _finished_class(name, layouts, found.found, {}, found.pairs if params["counted"] else None, facts)
    facts |= {"pairs": {str(group): _listed(pairs) for group, pairs in found.pairs.items()}}
    table = OUTLINES.from_columns(
        group_num=found.group_num,
        group_index=found.group_index,
        farthest_step=found.found.steps,
        weight=found.found.counts,
        margin=found.found.margin,
    )
    return Output({OUTLINES.name: table}, facts=facts)


def search_part(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Search one part of what is left of a group."""
    shard, group = shard_name(params["class"]), params["group"]
    rows = inputs.read(OUTLINE_STAGE, OUTLINES.name, shards=[shard], between=(group, group + 1))
    cut = params["part"], params["parts"], params["counted"]
    found, pairs = part_of_group(params["class"], group, progress_of(rows), *cut, inputs.gpu)
    met = np.flatnonzero(found.counts)
    table = PARTS.from_columns(group_index=met, farthest_step=found.steps[met], weight=found.counts[met])
    return Output({PARTS.name: table}, facts={"class": params["class"], "group": group, "pairs": _listed(pairs)})


def merge_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Put together the farthest steps of a class that was searched in parts, and the extents of its groups."""
    name = class_named(params["class"])
    rows = inputs.read(OUTLINE_STAGE, OUTLINES.name, shards=[shard_name(params["class"])])
    parts: dict[int, list[list[np.ndarray[Any, Any]]]] = {}
    for shard, facts in inputs.named_facts(PART_STAGE).items():
        if facts["class"] == params["class"]:
            met = inputs.read(PART_STAGE, PARTS.name, shards=[shard])
            parts.setdefault(facts["group"], []).append([np.asarray(column) for column in met.columns])
    pairs = _pairs(params["class"], inputs)
    return _finished_class(name, enumerated(params["class"]), progress_of(rows), parts, pairs, {})


def _pairs(name: str, inputs: Inputs) -> dict[int, np.ndarray[Any, Any]] | None:
    """The pairs by distance of the groups of a class that was searched in parts; None where they were not counted."""
    outlined = inputs.named_facts(OUTLINE_STAGE)[shard_name(name)]
    if not outlined["counted"]:
        return None
    counted = {int(group): [counts] for group, counts in outlined["pairs"].items()}
    for facts in inputs.named_facts(PART_STAGE).values():
        if facts["class"] == name:
            counted.setdefault(facts["group"], []).append(facts["pairs"])
    return {
        group: np.array([*map(sum, zip_longest(*parts, fillvalue=0))], dtype=np.int64)
        for group, parts in counted.items()
    }


def _listed(pairs: np.ndarray[Any, Any]) -> list[int]:
    return [int(count) for count in np.trim_zeros(pairs, "b")]


def _finished_class(
    name: ClassName,
    layouts: ClassLayouts,
    outlined: Progress,
    parts: Mapping[int, Sequence[Part]],
    pairs: Mapping[int, np.ndarray[Any, Any]] | None,
    facts: Mapping[str, Any],
) -> Output:
    """Return the farthest steps of a class, in order of ids, for later stages, the extents of its groups, and their
    pairs by distance where they were counted."""
    whole = whole_class(layouts, outlined, parts)
    members = np.empty(len(whole.layout_id), dtype=FARTHEST_MEMBERS)
    members["layout_id"] = whole.layout_id
    members["farthest_step"], members["farthest_num"] = whole.found.steps, whole.found.counts
    nothing = dict.fromkeys(("group_num", "steps", "pairs"), np.empty(0, np.int64))
    found = nothing if pairs is None else pairs_of_groups(layouts, pairs)
    tables = {
        CLASS_DIAMETERS.name: CLASS_DIAMETERS.from_columns(**of_class(name, whole.extents)),
        CLASS_DISTANCES.name: CLASS_DISTANCES.from_columns(**of_class(name, found)),
    }
    return Output(tables, facts=facts, blobs={MEMBERS: members})


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
    return Output({DIAMETERS.name: _collected(CLASS_DIAMETERS.name, inputs)})


def collect_distances(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Collect the pairs by distance of the groups for which they were counted."""
    return Output({DISTANCES.name: _collected(CLASS_DISTANCES.name, inputs)})


def _collected(table: str, inputs: Inputs) -> pa.Table:
    """The rows that each class left where it was finished."""
    stages = finished_classes(inputs).items()
    return pa.concat_tables([inputs.read(stage, table, shards=[shard]) for shard, stage in stages])
