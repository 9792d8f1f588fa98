"""The step graphs of the groups of a class, and which groups are reflections of one another.

A group's graph has its layouts in order of codes as vertices, so vertex = group_index. Reflections of the board keep
the pieces and the steps: they map each group of a class to a group of the same class, its *twin*, or to itself.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace.kernels.klotski.classes import ClassLayouts
from boardspace.kernels.klotski.moves import STEP
from boardspace.kernels.klotski.step_graph import Graph, move_graph
from boardspace.kernels.klotski.symmetry import flip, mirror


class GroupGraphs(NamedTuple):
    """The graphs of all groups of a class: ``graph`` has the layouts in name order as vertices, those of group ``g``
    from ``starts[g]``, int64 (groups + 1)."""

    starts: npt.NDArray[np.int64]
    graph: Graph

    def graph_of(self, group: int) -> Graph:
        """The graph of a group."""
        start, end = self.starts[group], self.starts[group + 1]
        indptr = self.graph.indptr[start : end + 1]
        indices = self.graph.indices[indptr[0] : indptr[-1]]
        return Graph(indptr - indptr[0], indices - np.int32(start))


def group_graphs(layouts: ClassLayouts) -> GroupGraphs:
    """The step graphs of the groups of a class."""
    addresses = layouts.addresses[layouts.name_order()]
    vertex_at = np.empty(len(addresses), dtype=np.int32)
    vertex_at[addresses] = np.arange(len(addresses), dtype=np.int32)
    tables = layouts.tables
    graph = move_graph(tables.patterns, tables.fillings, STEP, addresses, vertex_at)
    return GroupGraphs(np.concatenate([[0], np.cumsum(layouts.groups.sizes)]), graph)


def group_codes(layouts: ClassLayouts) -> list[npt.NDArray[np.uint64]]:
    """The codes of each group, uint64 (group's layouts), ascending."""
    return np.split(layouts.codes[layouts.name_order()], np.cumsum(layouts.groups.sizes)[:-1])


def reflected(codes: npt.NDArray[np.uint64]) -> list[npt.NDArray[np.uint64]]:
    """The images of layouts under the four reflections of the board, codes uint64 (n) each: as they are, left-right,
    up-down, both."""
    mirrored = mirror(codes)
    return [codes, mirrored, flip(codes), flip(mirrored)]


def own_reflections(codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.int32]:
    """Images of the layouts of a group under the reflections that map it to itself, int32 (1, 2 or 4, layouts), the
    identity first. ``codes`` uint64 (layouts) are all of the group's, ascending."""
    images = [image for image in reflected(codes) if _holds(codes, image[0])]
    return np.array([np.searchsorted(codes, image) for image in images], dtype=np.int32)


def first_twins(layouts: ClassLayouts) -> npt.NDArray[np.int64]:
    """For each group the smallest group_num among its twins and itself, int64 (groups)."""
    seeds = np.array([codes[0] for codes in group_codes(layouts)])
    places = [np.searchsorted(layouts.codes, images) for images in reflected(seeds)]
    return np.min([layouts.groups.group_num[place] for place in places], axis=0).astype(np.int64)


def places_in_twin(codes: npt.NDArray[np.uint64], twin: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Where a reflection that maps a group to its twin puts each layout, int64 (layouts). Both groups are given by all
    their codes, uint64 (layouts), ascending."""
    image = next(image for image in reflected(codes) if _holds(twin, image[0]))
    return np.searchsorted(twin, image)


def _holds(codes: npt.NDArray[np.uint64], code: np.uint64) -> bool:
    return bool(codes[min(np.searchsorted(codes, code), len(codes) - 1)] == code)
