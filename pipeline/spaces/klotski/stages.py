"""Stages: every class is enumerated on its own, then all classes are merged into the order of ids.

Nothing crosses a class, so a class is a shard. Inside a class the order of codes is the order of ids; a range of ids is
therefore a range of rows of every class, and shards of ``main`` read these and put each row at its id.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pipeline.space import ArrayPart, Inputs, Output, Shard, Stage, cut_range
from pipeline.spaces.klotski.config import KlotskiConfig
from pipeline.spaces.klotski.tables import (
    CLASS,
    CLASS_GROUPS,
    CLASSES,
    CODE,
    GROUP_INDEX,
    GROUP_NUM,
    GROUPS,
    MAIN,
    MEMBERS,
    MIN_SOLUTION_STEP,
    SOLUTION,
)

CHUNK = 1 << 14
EXIT = 13
SECONDS_PER_LAYOUT = 1.2e-6


def plan(config: KlotskiConfig) -> Sequence[Stage]:
    """Classes, then what is merged from them."""
    return (
        Stage("classes", "enumerate each class and its groups", enumerate_class, cut_classes, bytes=250_000_000),
        Stage("main", "all layouts in order of ids", merge_main, cut_ids, after=("classes",), bytes=120_000_000),
        Stage("summary", "all groups and classes", summarise, one_shard, after=("classes",), bytes=1_000_000),
    )


def cut_classes(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """One shard a class, by name; the dearest are the largest."""
    from kernels.klotski.classes import class_names, class_tables

    wanted = set(config.classes)
    shards = []
    for name in class_names():
        if wanted and str(name) not in wanted:
            continue
        layouts = class_tables(name).scan.size
        if layouts:
            params = {"jiang": name.jiang, "bing": name.bing, "style": name.style}
            shards.append(Shard(shard_name(*name), params, layouts * SECONDS_PER_LAYOUT))
    return shards


def shard_name(jiang: int, bing: int, style: int) -> str:
    """A class as a file name that sorts as classes do."""
    return f"{jiang}-{bing:02}-{style}"


def enumerate_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The layouts of one class with ids, groups and mirrors."""
    from kernels.klotski.classes import ClassName, enumerate_layouts
    from kernels.klotski.moves import STEP
    from kernels.klotski.scan import rank, space_scan
    from kernels.klotski.search import distances
    from kernels.klotski.symmetry import mirror

    layouts = enumerate_layouts(ClassName(params["jiang"], params["bing"], params["style"]))
    groups = layouts.groups
    images = mirror(layouts.codes)
    at_exit = layouts.codes >> np.uint64(32) == EXIT
    tables = layouts.tables
    steps = distances(tables.patterns, tables.fillings, STEP, layouts.addresses[at_exit])[layouts.addresses]
    members = MEMBERS.from_columns(
        layout_id=rank(space_scan(), layouts.codes),
        code=layouts.codes,
        is_mirror=images == layouts.codes,
        group_num=groups.group_num,
        group_index=groups.group_index,
        min_solution_step=steps,
    )
    count = len(groups.sizes)
    seeds = np.flatnonzero(groups.group_index == 0)
    seeds = seeds[np.argsort(groups.group_num[seeds])]
    exits = np.bincount(groups.group_num[at_exit], minlength=count)
    # by group, then the hardest first, then by code: the first of each group is its hardest
    order = np.lexsort((-steps, groups.group_num))
    hardest = order[np.concatenate([[0], np.cumsum(groups.sizes)[:-1]])]
    class_groups = CLASS_GROUPS.from_columns(
        jiang_num=np.full(count, params["jiang"]),
        bing_num=np.full(count, params["bing"]),
        style_num=np.full(count, params["style"]),
        group_num=np.arange(count),
        group_size=groups.sizes,
        seed_code=layouts.codes[seeds],
        exits=exits,
        solvable=exits > 0,
        hardest_step=steps[hardest],
        hardest_code=layouts.codes[hardest],
        mirror_group=groups.group_num[rank(layouts.tables.scan, images[seeds])],
    )
    facts = {**params, "layouts": len(layouts.codes), "groups": count}
    return Output({"members": members, "class_groups": class_groups}, facts=facts)


def cut_ids(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Ranges of ids; with all classes they tile them."""
    from kernels.klotski.scan import space_scan

    size = space_scan().size
    params = {"size": size, "complete": not config.classes}
    ranges = cut_range(0, size, config.ids_per_shard)
    cost = config.ids_per_shard * SECONDS_PER_LAYOUT
    return [Shard(f"{low:08}", {**params, "low": low, "high": high}, cost) for low, high in ranges]


def merge_main(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The rows of a range of ids from all classes, each put at its place."""
    low, high = params["low"], params["high"]
    parts = []
    for shard, facts in inputs.named_facts("classes").items():
        rows = inputs.read("classes", "members", shards=[shard], between=(low, high))
        parts.append((rows, np.array([facts["jiang"], facts["bing"], facts["style"]], dtype=np.uint8)))
    ids = np.concatenate([np.asarray(rows.column("layout_id")) for rows, _ in parts])
    order = np.argsort(ids, kind="stable")
    columns = {
        name: np.concatenate([np.asarray(rows.column(name)) for rows, _ in parts])[order]
        for name in ("code", "is_mirror", "group_num", "group_index", "min_solution_step")
    }
    pieces = np.repeat(np.array([p for _, p in parts]), [rows.num_rows for rows, _ in parts], axis=0)[order]
    jiang, bing, style = pieces.T
    steps = columns.pop("min_solution_step")
    main = MAIN.from_columns(layout_id=ids[order], jiang_num=jiang, bing_num=bing, style_num=style, **columns)
    tables = {"main": main, "solution": SOLUTION.from_columns(layout_id=ids[order], min_solution_step=steps)}
    if not params["complete"]:
        return Output(tables, facts={"layouts": len(ids)})
    numbers = 1000 * jiang.astype(np.uint16) + 10 * bing.astype(np.uint16) + style
    values = (
        (CODE, columns["code"]),
        (CLASS, numbers),
        (GROUP_NUM, columns["group_num"]),
        (GROUP_INDEX, columns["group_index"]),
        (MIN_SOLUTION_STEP, steps),
    )
    arrays = [
        ArrayPart(array, array.name, (params["size"],), (CHUNK,), (config.ids_per_shard,), (low,), column)
        for array, column in values
    ]
    return Output(tables, arrays, facts={"layouts": len(ids)})


def one_shard(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """All of it at once: there are few groups."""
    return [Shard("all")]


def summarise(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """All groups, and a row for each class."""
    rows = []
    for shard in inputs.named_facts("classes"):
        groups = inputs.read("classes", "class_groups", shards=[shard])
        size = np.asarray(groups.column("group_size"))
        rows.append(
            {
                **{name: groups.column(name)[0].as_py() for name in ("jiang_num", "bing_num", "style_num")},
                "layouts": int(size.sum()),
                "groups": groups.num_rows,
                "largest_group": int(size[0]),
                "solvable_layouts": int(size[np.asarray(groups.column("solvable"))].sum()),
            }
        )
    classes = CLASSES.from_columns(**{c.name: [row[c.name] for row in rows] for c in CLASSES.columns})
    return Output({"groups": inputs.read("classes", "class_groups").select(GROUPS.schema.names), "classes": classes})
