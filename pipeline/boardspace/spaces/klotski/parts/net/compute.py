"""Computes the net: the step graph of each class, where each layout's neighbours begin, and the neighbours.

The net of all layouts in order of ids consists of the rows of the nets of the classes. Classes leave their rows as
arrays that are mapped; a shard of neighbours is a range of the finished array and takes the rows it covers.

Claims on steps, unit moves and shortest paths are measured on the net.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.columns import array_part
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import number_of_layouts
from boardspace.spaces.klotski.parts.net.part import (
    CLASS_NETS,
    DEGREES,
    GROUP_NETS,
    NEIGHBOUR_START,
    NEIGHBOURS,
    SOLUTION_PATHS,
)
from boardspace.spaces.klotski.queries import class_named, enumerated, of_class
from boardspace.spec.space import ArrayPart, Inputs, Measurement, Output, Shard, by_proof, cut_range
from boardspace_kernels.klotski.distances import moves_to_exit
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.moves import MOST_NEIGHBOURS, STEP
from boardspace_kernels.klotski.net import IdRows, copy_rows, group_nets, rows_by_id, shortest_path_counts
from boardspace_kernels.klotski.scan import rank, space_scan

SECONDS_PER_STEP = 3e-8
STEP_CHUNK = 1 << 15
"""Neighbours that a reader fetches at least: 16 KB."""
STEPS_PER_SHARD = 1 << 25


def net_of_class(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Compute the net of one class: its rows for later stages, and the nets of its groups in numbers."""
    name, layouts = class_named(params["class"]), enumerated(params["class"])
    graphs = group_graphs(layouts)
    paths = shortest_path_counts(graphs.graph, moves_to_exit(layouts, graphs, STEP))
    rows = rows_by_id(layouts, graphs, rank(space_scan(), layouts.codes))
    nets = group_nets(layouts, graphs)
    columns = {"group_num": np.arange(len(layouts.groups.sizes)), **nets._asdict()}
    most = _most_paths(layouts.codes[graphs.order], graphs.starts, paths)
    table = CLASS_NETS.from_columns(**of_class(name, columns | most))
    bounds = [low for low, _ in cut_range(0, number_of_layouts(), config.ids_per_shard)]
    facts = {
        **params,
        "layouts": len(layouts.codes),
        "steps": len(rows.offsets),
        "unit_pairs": int(nets.unit_pairs.sum()),
        "degrees": np.bincount(np.diff(rows.starts), minlength=MOST_NEIGHBOURS).tolist(),
        "before": rows.starts[np.searchsorted(rows.ids, bounds)].tolist(),
    }
    return Output({CLASS_NETS.name: table}, facts=facts, blobs={**rows._asdict(), "paths": graphs.by_code(paths)})


def _most_paths(codes: NDArray[np.uint64], starts: NDArray[np.int64], paths: NDArray[np.uint64]) -> dict[str, Any]:
    """Return the largest number of shortest paths of each group, and the code of the first layout that has it;
    ``codes`` uint64 and ``paths`` uint64 (layouts) are in order of names."""
    most = np.maximum.reduceat(paths, starts[:-1])
    is_most = np.flatnonzero(paths == np.repeat(most, np.diff(starts)))
    first = codes[is_most[np.searchsorted(is_most, starts[:-1])]]
    return {"most_paths": most, "most_paths_code": np.where(most > 0, first, 0).astype(np.uint64)}


def net_starts(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Find where the neighbours of a range of ids begin, and how many shortest paths lead from them to solutions."""
    low, high = params["low"], params["high"]
    degrees = np.zeros(high - low, dtype=np.int64)
    paths = np.zeros(high - low, dtype=np.uint64)
    for shard, rows, first, end in _rows_between(inputs, low, high):
        places = rows.ids[first:end].astype(np.int64) - low
        degrees[places] = np.diff(rows.starts[first : end + 1])
        paths[places] = inputs.blob("net_classes", "paths", shard)[first:end]
    shard_number = low // config.ids_per_shard
    before = sum(facts["before"][shard_number] for facts in inputs.facts("net_classes"))
    starts = before + np.concatenate([[0], np.cumsum(degrees)])
    # the shards of neighbours begin at these ids, or inside their rows
    edges = np.arange(-(-before // STEPS_PER_SHARD) * STEPS_PER_SHARD, starts[-1], STEPS_PER_SHARD)
    marks = np.searchsorted(starts, edges, side="right") - 1
    facts = {"marks": [[low + int(mark), int(starts[mark])] for mark in marks], "steps": int(degrees.sum())}
    size = params["size"]
    whole = starts if high == size else starts[:-1]
    shape = {"size": size + 1}
    parts = (
        array_part(NEIGHBOUR_START, whole.astype(np.uint32), {**params, **shape}, config),
        array_part(SOLUTION_PATHS, paths, params, config),
    )
    return Output(arrays=parts, facts=facts)


def cut_steps(config: KlotskiConfig, inputs: Inputs) -> Sequence[Shard]:
    """Return ranges of the array of neighbours, with the ids whose rows they cover."""
    found = inputs.facts("net_starts")
    marks = [mark for facts in found for mark in facts["marks"]]
    size = sum(facts["steps"] for facts in found)
    ends = [mark[0] + 1 for mark in marks[1:]] + [number_of_layouts()]
    return [
        Shard(
            f"{low:09}",
            {"low": low, "high": high, "size": size, "first_id": first_id, "end_id": end, "start": start},
            (high - low) * SECONDS_PER_STEP,
        )
        for (low, high), (first_id, start), end in zip(cut_range(0, size, STEPS_PER_SHARD), marks, ends, strict=True)
    ]


def neighbours(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Return a range of the array of neighbours."""
    first_id, end_id = params["first_id"], params["end_id"]
    held = [(rows, first, end) for _, rows, first, end in _rows_between(inputs, first_id, end_id)]
    degrees = np.zeros(end_id - first_id, dtype=np.int64)
    for rows, first, end in held:
        degrees[rows.ids[first:end].astype(np.int64) - first_id] = np.diff(rows.starts[first : end + 1])
    places = np.concatenate([[0], np.cumsum(degrees)])
    found = np.empty(places[-1], dtype=np.int32)
    for rows, first, end in held:
        copy_rows(rows, first, end, first_id, places, found)
    low, high = params["low"] - params["start"], params["high"] - params["start"]
    shape, start = (params["size"],), (params["low"],)
    part = ArrayPart(NEIGHBOURS, NEIGHBOURS.name, shape, (STEP_CHUNK,), (STEPS_PER_SHARD,), start, found[low:high])
    return Output(arrays=(part,), facts={"steps": high - low})


def _rows_between(inputs: Inputs, low: int, high: int) -> Iterator[tuple[str, IdRows, int, int]]:
    """Yield the nets of the classes with layouts in this range of ids, and which of their rows these are."""
    for shard in inputs.named_facts("net_classes"):
        rows = IdRows(*(inputs.blob("net_classes", name, shard) for name in IdRows._fields))
        first, end = np.searchsorted(rows.ids, [low, high]).tolist()
        if first < end:
            yield shard, rows, first, end


def collect(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Collect the nets of all groups, and count how many layouts have how many neighbours."""
    layouts = np.sum([facts["degrees"] for facts in inputs.facts("net_classes")], axis=0)
    met = np.flatnonzero(layouts)
    degrees = DEGREES.from_columns(neighbours=met, layouts=layouts[met])
    return Output({GROUP_NETS.name: inputs.read("net_classes", CLASS_NETS.name), DEGREES.name: degrees})


def measure_claims(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Return the counts of the net's stages; totals only where they are those of all layouts."""
    if not config.net:
        return {}
    groups = inputs.read("net_summary", "group_nets")
    degrees = inputs.read("net_summary", "degrees").to_pydict()
    total = {name: int(np.asarray(groups.column(name)).sum()) for name in ("dead_ends", "cut_layouts", "bridges")}
    by_degree = ", ".join(f"{n}: {count:,}" for n, count in zip(*degrees.values(), strict=True))
    paths = np.asarray(groups.column("most_paths"))
    most = int(paths.argmax())
    best = (
        f"{paths[most]:,} shortest paths lead from {groups.column('most_paths_code')[most].as_py():09X} to its nearest"
    )
    found = {"many-paths": by_proof(bool(paths[most] > 1), f"{best} solutions, the most of all layouts of the run")}
    if not config.complete:
        return found
    facts = inputs.facts("net_classes")
    shape = (
        f"{total['dead_ends']:,} layouts have one neighbour, {total['cut_layouts']:,} hold their group together, "
        f"{total['bridges']:,} pairs of neighbours are bridges"
    )
    return found | {
        "steps": Measurement(sum(f["steps"] for f in facts), f"{shape}; layouts by number of neighbours: {by_degree}"),
        "unit-moves": Measurement(sum(f["unit_pairs"] for f in facts), "unit moves from every layout, halved"),
    }
