"""Searches the farthest steps of one class, as columns of tables.

Reflected groups of a class have the same farthest steps: the first of them is searched, and the others are read off.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski.parts.farthest.costs import pair_seconds
from boardspace.spaces.klotski.queries import enumerated
from boardspace.spec.stage import ShardGpu
from boardspace_kernels.klotski.balls import SETTLED
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.farthest_steps import (
    Farthest,
    OrbitGraph,
    Progress,
    merge,
    nothing_searched,
    orbit_graph,
    outline,
    search_counted,
    search_orbits,
    unsettled,
)
from boardspace_kernels.klotski.group_graphs import group_codes, group_graphs, reflections
from boardspace_kernels.klotski.scan import rank, space_scan

GPU_PAIRS = 1 << 28
"""Pairs of a search from which on it goes to a GPU. All smaller groups together take a core three seconds."""


class Outlines(NamedTuple):
    """The outlines of a class's groups, one after another, with the names of the layouts; ``left`` holds group_num,
    size and number of layouts left to search of the groups that are not finished, ``pairs`` those of finished groups
    by distance, where they were counted."""

    group_num: NDArray[np.uint16]
    group_index: NDArray[np.uint32]
    found: Progress
    left: list[tuple[int, int, int]]
    pairs: dict[int, NDArray[np.int64]]


def progress_of(rows: pa.Table) -> Progress:
    """Return the progress that rows of OUTLINES hold."""
    steps, weight, margin = (np.asarray(rows.column(name)) for name in ("farthest_step", "weight", "margin"))
    return Progress(steps, weight, margin)


def outlines(layouts: ClassLayouts, most_seconds: float, counted: bool = False, gpu: ShardGpu = None) -> Outlines:
    """Outline every group of a class that no twin comes before. What is left is searched too if it takes less than
    ``most_seconds``. Where pairs are ``counted``, all orbits are left by an outline that searches nothing."""
    graphs, sizes = group_graphs(layouts), layouts.groups.sizes
    first = graphs.reflections.first_twins()
    groups = np.flatnonzero(first == np.arange(len(first)))
    parts, left, pairs = [], [], {}
    for group in groups.tolist():
        orbits = orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group))
        found = nothing_searched(orbits) if counted else outline(orbits)
        sources = unsettled(orbits, found)
        if len(sources) * sizes[group] * pair_seconds(counted) < most_seconds:
            rest, by_distance = _searched(orbits, found, sources, counted, gpu)
            merged = merge(orbits.images, [found, rest])
            found = Progress(*merged, np.full(len(merged.steps), SETTLED, dtype=np.int16))
            pairs.update({group: by_distance} if counted else {})
        else:
            left.append((group, int(sizes[group]), len(sources)))
        parts.append(found)
    index = [np.arange(size, dtype=np.uint32) for size in sizes[groups]]
    names = np.repeat(groups.astype(np.uint16), sizes[groups]), np.concatenate(index)
    joined = Progress(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    return Outlines(*names, joined, left, pairs)


def part_of_group(
    name: str, group: int, found: Progress, part: int, parts: int, counted: bool = False, gpu: ShardGpu = None
) -> tuple[Progress, NDArray[np.int64]]:
    """Search one of ``parts`` equal parts of what the outline ``found`` left of a group; returns with it the pairs by
    distance, none where they are not ``counted``."""
    orbits = _orbits_of(name, group)
    return _searched(orbits, found, np.array_split(unsettled(orbits, found), parts)[part], counted, gpu)


def _searched(
    orbits: OrbitGraph, found: Progress, sources: NDArray[np.int32], counted: bool, gpu: ShardGpu
) -> tuple[Progress, NDArray[np.int64]]:
    if counted:
        return count_pairs(orbits, sources, gpu)
    return search_orbits(orbits, found, sources), np.empty(0, dtype=np.int64)


def count_pairs(orbits: OrbitGraph, sources: NDArray[np.int32], gpu: ShardGpu) -> tuple[Progress, NDArray[np.int64]]:
    """Search from these orbits and count pairs, as :func:`.farthest_steps.search_counted`, on a GPU if there is one and
    they are many."""
    if gpu is None or len(sources) * len(orbits.weight) < GPU_PAIRS:
        return search_counted(orbits, sources)
    from boardspace_kernels.klotski import cuda  # needs the extra of that name

    return cuda.search_counted(orbits, sources, gpu)


@lru_cache(maxsize=1)
def _orbits_of(name: str, group: int) -> OrbitGraph:
    """A group; a worker mostly gets several parts of the same, one after another."""
    graphs = group_graphs(enumerated(name))
    return orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group))


class ClassFarthest(NamedTuple):
    """The farthest steps of a class in order of codes, and the columns of its groups' extents by name."""

    layout_id: NDArray[np.uint32]
    found: Farthest
    extents: dict[str, NDArray[Any]]


Part = Sequence[NDArray[Any]]
"""Of what a part found, where it met anything: group_index, step, weight."""


def whole_class(layouts: ClassLayouts, outlined: Progress, parts: Mapping[int, Sequence[Part]]) -> ClassFarthest:
    """Put together the groups of a class from their outlines, one after another, and from the
    parts of those that were not finished by them."""
    codes, reflected = group_codes(layouts), reflections(layouts)
    found: dict[int, Farthest] = {}
    start = 0
    for group, twin in enumerate(reflected.first_twins().tolist()):
        if twin == group:
            end = start + len(codes[group])
            found[group] = _result(reflected.of_group(group), outlined.at(slice(start, end)), parts.get(group, []))
            start = end
        else:
            found[group] = found[twin].at(reflected.places_in_twin(group, twin))
    steps, counts = (np.concatenate(columns) for columns in zip(*found.values(), strict=True))
    in_order = np.argsort(layouts.name_order())
    return ClassFarthest(
        rank(space_scan(), layouts.codes), Farthest(steps, counts).at(in_order), _extents(codes, list(found.values()))
    )


def _result(images: NDArray[np.int32], outlined: Progress, parts: Sequence[Part]) -> Farthest:
    if not parts:
        return Farthest(outlined.steps, outlined.counts)
    met = []
    for index, steps, weight in parts:
        part = Progress(np.zeros_like(outlined.steps), np.zeros_like(outlined.counts), outlined.margin)
        part.steps[index], part.counts[index] = steps, weight
        met.append(part)
    return merge(images, [outlined, *met])


def pairs_of_groups(layouts: ClassLayouts, pairs: Mapping[int, NDArray[np.int64]]) -> dict[str, NDArray[Any]]:
    """The columns of the pairs of a class: those of the first twins, by group, and of their images."""
    first = reflections(layouts).first_twins().tolist()
    found = [np.trim_zeros(pairs[twin], "b") for twin in first]
    return {
        "group_num": np.repeat(np.arange(len(found)), [len(one) for one in found]),
        "steps": np.concatenate([np.arange(len(one)) for one in found]),
        "pairs": np.concatenate(found),
    }


def _extents(codes: Sequence[NDArray[np.uint64]], found: Sequence[Farthest]) -> dict[str, NDArray[Any]]:
    diameter = np.array([f.steps.max() for f in found])
    radius = np.array([f.steps.min() for f in found])
    ends = np.array([f.counts[f.steps == d].sum(dtype=np.uint64) for f, d in zip(found, diameter, strict=True)])
    ends[diameter == 0] = 0  # a group of one has no pair
    if (ends % 2).any():
        raise ArithmeticError(f"group {np.flatnonzero(ends % 2)[0]}: {ends[ends % 2 == 1][0]} ends of diametral pairs")
    return {
        "group_num": np.arange(len(found)),
        "diameter": diameter,
        "radius": radius,
        "diametral_pairs": ends // 2,
        "centres": np.array([np.count_nonzero(f.steps == r) for f, r in zip(found, radius, strict=True)]),
        "centre_code": np.array([c[f.steps == r][0] for c, f, r in zip(codes, found, radius, strict=True)]),
    }
