"""The first stage: every class is enumerated on its own, with its groups, mirror images and distances to the exit."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_size
from boardspace.spaces.klotski.members import packed
from boardspace.spaces.klotski.tables import CLASS_GROUPS
from boardspace.spec.space import Inputs, Output, Shard

if TYPE_CHECKING:
    import pyarrow as pa

    from boardspace_kernels.klotski.classes import ClassLayouts, ClassName
    from boardspace_kernels.klotski.group_graphs import GroupGraphs

SECONDS_PER_LAYOUT = 1.7e-6
SECONDS_PER_PAIR = 3e-11
"""Of layouts in a group whose solutions are counted."""


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """One shard a class, by name; the dearest are those with the largest group to count."""
    shards = []
    for text in config.chosen:
        jiang, bing, style = map(int, text.split("-"))
        layouts = class_size(text)  # without a kernel: a run tells what it will make before it compiles any
        counted = layouts if layouts <= config.counted_group else 0  # most of a class is one group
        cost = layouts * SECONDS_PER_LAYOUT + counted**2 * SECONDS_PER_PAIR
        shards.append(Shard(shard_name(text), {"jiang": jiang, "bing": bing, "style": style}, cost))
    return shards


def class_named(text: str) -> "ClassName":
    """The class of a name such as 5-4-1."""
    from boardspace_kernels.klotski.classes import ClassName

    return ClassName(*map(int, text.split("-")))


def shard_name(name: str) -> str:
    """A class, named as 5-4-1, as a file name that sorts as classes do."""
    jiang, bing, style = name.split("-")
    return f"{jiang}-{bing:>02}-{style}"


def enumerate_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The layouts of one class with ids, groups, mirrors and solutions; what all of them fulfil goes into the facts."""
    from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
    from boardspace_kernels.klotski.group_graphs import group_graphs
    from boardspace_kernels.klotski.scan import rank, space_scan
    from boardspace_kernels.klotski.survey import survey

    name = ClassName(params["jiang"], params["bing"], params["style"])
    layouts = enumerate_layouts(name)
    graphs = group_graphs(layouts)
    order, mirrored = layouts.name_order(), graphs.reflections.mirrored
    is_mirror = np.empty(len(order), dtype=bool)
    is_mirror[order] = mirrored == np.arange(len(mirrored))
    solutions = _solution_columns(layouts, graphs, config.counted_group)
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


def _solution_columns(layouts: "ClassLayouts", graphs: "GroupGraphs", counted_group: int) -> dict[str, NDArray[Any]]:
    """The columns of the solutions by name, in order of codes."""
    from boardspace_kernels.klotski.board import EXIT
    from boardspace_kernels.klotski.codes import BLOCK_SHIFT
    from boardspace_kernels.klotski.moves import STRAIGHT, UNIT
    from boardspace_kernels.klotski.search import distances
    from boardspace_kernels.klotski.solutions import class_solutions

    found = class_solutions(layouts, graphs, counted_group)
    number = found.number.astype(np.int32)
    number[: found.counted] = -1
    order = layouts.name_order()
    columns = {}
    for name, values in (
        ("min_solution_step", found.least),
        ("min_solution_num", found.nearest),
        ("solution_num", number),
    ):
        columns[name] = np.empty_like(values)
        columns[name][order] = values
    tables = layouts.tables
    exits = layouts.addresses[layouts.codes >> np.uint64(BLOCK_SHIFT) == EXIT]
    images = np.empty_like(layouts.addresses)
    named = layouts.addresses[order]
    images[named] = named[graphs.reflections.mirrored]
    for name, metric in (("min_straight_step", STRAIGHT), ("min_unit_move", UNIT)):
        columns[name] = distances(tables.patterns, tables.fillings, metric, exits, images)[layouts.addresses]
    return columns


def _groups(
    params: Mapping[str, Any], layouts: "ClassLayouts", mirrored: NDArray[np.int32], steps: NDArray[np.int16]
) -> "pa.Table":
    """A row for each group of a class; ``mirrored`` in order of names, ``steps`` in order of codes."""
    from boardspace_kernels.klotski.board import EXIT
    from boardspace_kernels.klotski.codes import BLOCK_SHIFT

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
