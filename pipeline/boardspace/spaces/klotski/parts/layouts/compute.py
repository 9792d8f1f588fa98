"""Enumerates every class: its layouts, groups, mirror images and solutions; merges all into the order of ids.

Nothing crosses a class, so a class is a shard. Inside a class the order of codes is the order of ids; a range of ids is
therefore a range of rows of every class, and shards of ``main`` read these and put each row at its id.

The stage ``classes`` leaves the layouts of a class for later ones as a blob of records in order of ids. They are
mapped, not decoded: tables would be compressed by the one stage and taken apart by the other, a third of the work of
both.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski import columns
from boardspace.spaces.klotski.columns import array_part
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.layouts import Layout, starts
from boardspace.spaces.klotski.parts.layouts.part import (
    BOARD,
    CLASS,
    CLASS_GROUPS,
    CLASSES,
    CODE,
    CODE_COLUMN,
    GROUP_INDEX,
    GROUP_NUM,
    GROUPS,
    LAYOUTS,
    MAIN,
    MIRROR,
    STARTS,
)
from boardspace.spaces.klotski.parts.solutions.part import (
    MIN_SOLUTION_NUM,
    MIN_SOLUTION_STEP,
    SOLUTION,
    SOLUTION_NUM,
    VALUES,
)
from boardspace.spaces.klotski.queries import of_class
from boardspace.spaces.klotski.texts import class_of
from boardspace.spec.space import ArrayPart, Inputs, Output
from boardspace.spec.table import record_of
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName, enumerate_layouts
from boardspace_kernels.klotski.distances import moves_to_exit
from boardspace_kernels.klotski.group_graphs import GroupGraphs, group_graphs
from boardspace_kernels.klotski.moves import STRAIGHT, UNIT
from boardspace_kernels.klotski.nearest_solutions import class_solutions
from boardspace_kernels.klotski.scan import rank, space_scan
from boardspace_kernels.klotski.survey import survey

_COLUMNS = (columns.LAYOUT_ID, CODE_COLUMN, MIRROR, columns.GROUP_NUM, columns.GROUP_INDEX, *VALUES)
RECORD = record_of(_COLUMNS)
"""33 bytes a layout."""
SPARSE = 16
"""Where so many ids are to a layout, those of a range are sorted, as a range may be all ids of a class or two."""
CACHED = 1 << 13
"""Records at a time, which the cache of a core holds while their columns are written one after another."""


def packed(columns: Mapping[str, NDArray[Any]]) -> NDArray[Any]:
    """The columns as records (layouts)."""
    records = np.empty(len(columns["layout_id"]), dtype=RECORD)
    for low in range(0, len(records), CACHED):
        some = records[low : low + CACHED]
        for name in RECORD.names or ():
            some[name] = columns[name][low : low + CACHED]
    return records


def members_between(inputs: Inputs, low: int, high: int) -> Iterator[tuple[str, NDArray[Any]]]:
    """The classes that have layouts with ids in [low, high), and the records of these."""
    for shard in inputs.named_facts("classes"):
        records = inputs.blob("classes", "members", shard)
        ids = records["layout_id"]  # searchsorted would copy them all, and so read every class for every range
        first, end = bisect_left(ids, low), bisect_left(ids, high)
        if first < end:
            yield shard, records[first:end]


def enumerate_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Enumerate one class with ids, groups, mirrors and solutions; a survey of all its layouts goes into the facts."""
    name = ClassName(params["jiang"], params["bing"], params["style"])
    layouts = enumerate_layouts(name)
    graphs = group_graphs(layouts)
    mirrored = graphs.reflections.mirrored
    solutions = solution_columns(layouts, graphs, config.counted_group)
    members: dict[str, NDArray[Any]] = {
        "layout_id": rank(space_scan(), layouts.codes),
        "code": layouts.codes,
        "is_mirror": graphs.by_code(mirrored == np.arange(len(mirrored))),
        "group_num": layouts.groups.group_num,
        "group_index": layouts.groups.group_index,
        **solutions,
    }
    groups = _groups(name, layouts, graphs, solutions["min_solution_step"])
    facts = {
        **params,
        "layouts": len(layouts.codes),
        "groups": len(layouts.groups.sizes),
        "counted": int(np.count_nonzero(solutions["solution_num"] >= 0)),
        "survey": survey(name, layouts, graphs)._asdict(),
    }
    return Output({"class_groups": groups}, facts=facts, blobs={"members": packed(members)})


def solution_columns(layouts: ClassLayouts, graphs: GroupGraphs, counted_group: int) -> dict[str, NDArray[Any]]:
    """Compute the columns of ``solution`` for a class, by name, in order of codes."""
    found = class_solutions(layouts, graphs, counted_group)
    number = found.number.astype(np.int32)
    number[: found.counted] = -1
    columns: dict[str, NDArray[Any]] = {
        "min_solution_step": found.least,
        "min_solution_num": found.nearest,
        "solution_num": number,
        "min_straight_step": moves_to_exit(layouts, graphs, STRAIGHT),
        "min_unit_move": moves_to_exit(layouts, graphs, UNIT),
    }
    return {name: graphs.by_code(values) for name, values in columns.items()}


def _groups(name: ClassName, layouts: ClassLayouts, graphs: GroupGraphs, steps: NDArray[np.int16]) -> pa.Table:
    """Return a row for each group of a class; ``steps`` int16 (layouts) in order of codes."""
    group_num, sizes = layouts.groups.group_num, layouts.groups.sizes
    count = len(sizes)
    first, order = graphs.starts[:-1], graphs.order
    most = np.maximum.reduceat(steps[order], first)
    is_hardest = np.flatnonzero(steps[order] == np.repeat(most, sizes))
    hardest = order[is_hardest[np.searchsorted(is_hardest, first)]]
    exits = np.bincount(group_num[layouts.at_exit], minlength=count)
    columns = {
        "group_num": np.arange(count),
        "group_size": sizes,
        "seed_code": layouts.codes[order[first]],
        "exits": exits,
        "solvable": exits > 0,
        "hardest_step": most,
        "hardest_code": layouts.codes[hardest],
        "mirror_group": group_num[order[graphs.reflections.mirrored[first]]],
    }
    return CLASS_GROUPS.from_columns(**of_class(name, columns))


ARRAYS = (CODE, CLASS, GROUP_NUM, GROUP_INDEX, MIN_SOLUTION_STEP, MIN_SOLUTION_NUM, SOLUTION_NUM)


def merge_main(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Put the rows of a range of ids from all classes in order."""
    columns = _in_order_of_ids(params["low"], params["high"], inputs)
    tables = {
        table.name: table.from_columns(**{name: columns[name] for name in table.schema.names})
        for table in (MAIN, SOLUTION)
    }
    facts = {"layouts": len(columns["code"]), **_ends(columns["layout_id"], columns["code"])}
    return Output(tables, _arrays(columns, params, config) if params["complete"] else (), facts=facts)


def _ends(ids: NDArray[np.uint32], codes: NDArray[np.uint64]) -> dict[str, Any]:
    """Return first and last id and code of a shard, and whether codes ascend with ids."""
    return {
        "ids": ids[[0, -1]].tolist() if len(ids) else [],
        "codes": codes[[0, -1]].tolist() if len(codes) else [],
        "ascending": bool((codes[1:] > codes[:-1]).all()),
    }


def _in_order_of_ids(low: int, high: int, inputs: Inputs) -> dict[str, NDArray[Any]]:
    """Return the columns of the layouts with ids in [low, high), by name, those of their classes among them."""
    facts = inputs.named_facts("classes")
    parts = dict(members_between(inputs, low, high))
    records = np.concatenate([np.empty(0, dtype=RECORD), *parts.values()])
    order = _order(records["layout_id"], low, high)
    # column by column: a column is small enough for the cache, the records are not
    columns = {name: np.ascontiguousarray(records[name])[order] for name in RECORD.names or ()}
    lengths = [len(part) for part in parts.values()]
    for kind in ("jiang", "bing", "style"):
        numbers = np.array([facts[shard][kind] for shard in parts], dtype=np.uint8)
        columns[f"{kind}_num"] = np.repeat(numbers, lengths)[order]
    return columns


def _order(ids: NDArray[np.uint32], low: int, high: int) -> NDArray[np.int64]:
    """Numbers of distinct ids in [low, high), by the ids; where these are few of the range, it is not walked."""
    if len(ids) < (high - low) // SPARSE:
        return np.argsort(ids, kind="stable")
    order = np.full(high - low, -1, dtype=np.int64)
    order[ids - low] = np.arange(len(ids))
    return order[order >= 0]


def _arrays(columns: Mapping[str, NDArray[Any]], params: Mapping[str, Any], config: KlotskiConfig) -> list[ArrayPart]:
    jiang, bing, style = (columns[name].astype(np.uint16) for name in ("jiang_num", "bing_num", "style_num"))
    values = {"class": 1000 * jiang + 10 * bing + style, **columns}
    return [array_part(array, values[array.name], params, config) for array in ARRAYS]


def summarise(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Return all groups, a row for each class, and the well-known starts."""
    rows = []
    for shard in inputs.named_facts("classes"):
        groups = inputs.read("classes", "class_groups", shards=[shard])
        size = np.asarray(groups.column("group_size"))
        steps, codes = (np.asarray(groups.column(name)) for name in ("hardest_step", "hardest_code"))
        rows.append(
            {
                **{name: groups.column(name)[0].as_py() for name in ("jiang_num", "bing_num", "style_num")},
                "layouts": int(size.sum()),
                "groups": groups.num_rows,
                "largest_group": int(size[0]),
                "solvable_layouts": int(size[np.asarray(groups.column("solvable"))].sum()),
                "hardest_step": int(steps.max()),
                "hardest_code": (hardest := int(codes[steps == steps.max()].min())),
                "board": _board(Layout(hardest)),
            }
        )
    found = inputs.read("classes", "class_groups")
    boards = pa.array([_board(Layout(code)) for code in found.column("hardest_code").to_pylist()])
    groups = found.append_column(BOARD.name, boards).select(GROUPS.schema.names)
    return Output({"groups": groups, "classes": CLASSES.from_rows(rows), "starts": _known_starts()})


def _known_starts() -> pa.Table:
    ids = rank(space_scan(), np.array([start.layout.code for start in starts()], np.uint64))
    rows: list[dict[str, Any]] = [
        {
            "layout_id": layout_id,
            "code": start.layout.code,
            **dict(zip(LAYOUTS.label, class_of(start.layout.code), strict=True)),
            **start._asdict(),
            "board": _board(start.layout),
        }
        for layout_id, start in sorted(zip(ids.tolist(), starts(), strict=True))
    ]
    return STARTS.from_rows(rows)


def _board(layout: Layout) -> str:
    """The text of a drawing: rows, with a stroke between two."""
    return layout.drawing.replace("\n", "/")
