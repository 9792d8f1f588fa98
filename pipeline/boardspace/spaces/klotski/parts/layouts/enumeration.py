"""Enumerates every class on its own: its layouts, groups, mirror images and solutions."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.layouts.members import packed
from boardspace.spaces.klotski.parts.layouts.part import CLASS_GROUPS
from boardspace.spaces.klotski.parts.solutions.compute import solution_columns
from boardspace.spec.space import Inputs, Output
from boardspace_kernels.klotski.board import EXIT
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName, enumerate_layouts
from boardspace_kernels.klotski.codes import BLOCK_SHIFT
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.scan import rank, space_scan
from boardspace_kernels.klotski.survey import survey


def enumerate_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Enumerate one class with ids, groups, mirrors and solutions; a survey of all its layouts goes into the facts."""
    name = ClassName(params["jiang"], params["bing"], params["style"])
    layouts = enumerate_layouts(name)
    graphs = group_graphs(layouts)
    order, mirrored = layouts.name_order(), graphs.reflections.mirrored
    is_mirror = np.empty(len(order), dtype=bool)
    is_mirror[order] = mirrored == np.arange(len(mirrored))
    solutions = solution_columns(layouts, graphs, config.counted_group)
    members: dict[str, NDArray[Any]] = {
        "layout_id": rank(space_scan(), layouts.codes),
        "code": layouts.codes,
        "is_mirror": is_mirror,
        "group_num": layouts.groups.group_num,
        "group_index": layouts.groups.group_index,
        **solutions,
    }
    groups = _groups(params, layouts, mirrored, solutions["min_solution_step"])
    facts = {
        **params,
        "layouts": len(layouts.codes),
        "groups": len(layouts.groups.sizes),
        "counted": int(np.count_nonzero(solutions["solution_num"] >= 0)),
        "survey": survey(name, layouts, graphs)._asdict(),
    }
    return Output({"class_groups": groups}, facts=facts, blobs={"members": packed(members)})


def _groups(
    params: Mapping[str, Any], layouts: ClassLayouts, mirrored: NDArray[np.int32], steps: NDArray[np.int16]
) -> pa.Table:
    """Return a row for each group of a class; ``mirrored`` in order of names, ``steps`` in order of codes."""
    group_num, sizes = layouts.groups.group_num, layouts.groups.sizes
    count = len(sizes)
    first = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    order = layouts.name_order()
    most = np.maximum.reduceat(steps[order], first)
    is_hardest = np.flatnonzero(steps[order] == np.repeat(most, sizes))
    hardest = order[is_hardest[np.searchsorted(is_hardest, first)]]
    exits = np.bincount(group_num[layouts.codes >> np.uint64(BLOCK_SHIFT) == EXIT], minlength=count)
    return CLASS_GROUPS.from_columns(
        jiang_num=np.full(count, params["jiang"]),
        bing_num=np.full(count, params["bing"]),
        style_num=np.full(count, params["style"]),
        group_num=np.arange(count),
        group_size=sizes,
        seed_code=layouts.codes[order[first]],
        exits=exits,
        solvable=exits > 0,
        hardest_step=most,
        hardest_code=layouts.codes[hardest],
        mirror_group=group_num[order[mirrored[first]]],
    )
