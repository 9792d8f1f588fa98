"""Computes the pairs of layouts by unit moves: parts of classes, their sums, and the claim on them.

Unit moves join the same layouts as steps do, so the groups are the same, and so are their reflections: one layout of
each orbit is searched, in the first of the groups that reflections map to each other
(:mod:`boardspace_kernels.klotski.farthest_steps`).
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest.searches import count_pairs
from boardspace.spaces.klotski.parts.unit_distances.part import PART_STAGE, STAGE, UNIT_DISTANCES, UNIT_PARTS
from boardspace.spaces.klotski.queries import class_named, enumerated, of_class
from boardspace.spec.space import Inputs, Measurement, Output, by_proof
from boardspace.spec.stage import ShardGpu
from boardspace_kernels.klotski.balls import SOURCES
from boardspace_kernels.klotski.farthest_steps import orbit_graph
from boardspace_kernels.klotski.group_graphs import GroupGraphs, group_graphs
from boardspace_kernels.klotski.moves import UNIT

BLOCK = 8 * SOURCES
"""Orbits that go to one part together: several passes, since those of one pass have one size."""


def part_of_class(name: str, part: int, parts: int, gpu: ShardGpu = None) -> dict[str, NDArray[Any]]:
    """Count one of ``parts`` parts of a class, of about equal work.

    Returns columns by name, a row for each group that the part has a share of and each distance, in order.
    """
    graphs = _graphs_of(name)
    first = graphs.reflections.first_twins()
    found: dict[int, NDArray[np.int64]] = {}
    for group, blocks in _of_part(graphs, np.flatnonzero(first == np.arange(len(first))).tolist(), part, parts).items():
        orbits = orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group))
        own = np.concatenate([orbits.order[block] for block in blocks])
        pairs = np.trim_zeros(count_pairs(orbits, own, gpu)[1], "b")
        found.update(dict.fromkeys(np.flatnonzero(first == group).tolist(), pairs))
    groups = sorted(found)
    lengths = [len(found[group]) for group in groups]
    return {
        "group_num": np.repeat(np.array(groups, dtype=np.int64), lengths),
        "moves": np.concatenate([np.arange(length) for length in (0, *lengths)]),
        "pairs": np.concatenate([np.empty(0, np.int64), *(found[group] for group in groups)]),
    }


@lru_cache(maxsize=1)
def _graphs_of(name: str) -> GroupGraphs:
    """A class; a worker mostly gets several parts of the same, one after another."""
    return group_graphs(enumerated(name), UNIT)


def _of_part(graphs: GroupGraphs, groups: list[int], part: int, parts: int) -> dict[int, list[slice]]:
    """By group the places of the orbits that a part takes: of all blocks those whose middles lie in one of equal ranges
    of the work."""
    blocks = []
    for group in groups:
        images = graphs.reflections.of_group(group)
        size = images.shape[1]
        orbits = int(np.count_nonzero(images.min(axis=0) == np.arange(size)))
        for start in range(0, orbits, BLOCK):
            blocks.append((group, slice(start, start + BLOCK), min(BLOCK, orbits - start) * size))
    work = np.array([work for *_, work in blocks])
    middles, found = np.cumsum(work) - work / 2, dict[int, list[slice]]()
    for i in np.flatnonzero((middles * parts / work.sum()).astype(np.int64) == part).tolist():
        group, places, _ = blocks[i]
        found.setdefault(group, []).append(places)
    return found


def count_part(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Count one part of a class."""
    found = part_of_class(params["class"], params["part"], params["parts"], inputs.gpu)
    return Output({UNIT_PARTS.name: UNIT_PARTS.from_columns(**of_class(class_named(params["class"]), found))})


def add_parts(config: KlotskiConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """Add up the parts of all classes."""
    parts = inputs.read(PART_STAGE, UNIT_PARTS.name)
    key = list(UNIT_DISTANCES.key)
    whole = parts.group_by(key).aggregate([("pairs", "sum")]).sort_by([(name, "ascending") for name in key])
    return Output({UNIT_DISTANCES.name: whole.rename_columns([*key, "pairs"]).cast(UNIT_DISTANCES.schema)})


STANDARD = "5-4-1"
"""Five dominoes, one of them lying, and four single pieces: the class of the best known start."""


def measure_claims(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Return the largest distance in the first group of the standard class, where it was counted."""
    if STANDARD not in config.in_unit_moves:
        return {}
    table = inputs.read(STAGE, UNIT_DISTANCES.name)
    group = (*map(int, STANDARD.split("-")), 0)
    own = np.all([np.asarray(table.column(k)) == v for k, v in zip(UNIT_DISTANCES.key, group, strict=False)], axis=0)
    moves, pairs = (np.asarray(table.column(name))[own].astype(np.int64) for name in ("moves", "pairs"))
    mean = float((moves * pairs).sum() / pairs.sum())
    found = (
        f"all {pairs.sum():,} ordered pairs of the {pairs[0]:,} layouts of group {STANDARD}-0; {pairs[-1]} of them are "
        f"that far apart, the mean is {mean:.2f} moves"
    )
    return {"unit-diameter": by_proof(int(moves[-1]), found)}
