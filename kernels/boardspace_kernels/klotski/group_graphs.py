"""The graphs of the groups of a class.

A group's graph has its layouts in order of codes as vertices, so vertex = group_index.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.moves import STEP
from boardspace_kernels.klotski.reflections import Reflections, reflections
from boardspace_kernels.klotski.step_graph import Graph, move_graph


class GroupGraphs(NamedTuple):
    """The graphs of all groups of a class: ``graph`` has the layouts in name order as vertices, those of group ``g``
    from ``starts[g]``, int64 (groups + 1); ``reflections`` are those of these vertices."""

    starts: npt.NDArray[np.int64]
    graph: Graph
    reflections: Reflections

    def graph_of(self, group: int) -> Graph:
        """The graph of a group."""
        start, end = self.starts[group], self.starts[group + 1]
        indptr = self.graph.indptr[start : end + 1]
        indices = self.graph.indices[indptr[0] : indptr[-1]]
        return Graph(indptr - indptr[0], indices - np.int32(start))


def group_graphs(layouts: ClassLayouts, metric: int = STEP) -> GroupGraphs:
    """The graphs of the groups of a class, whose edges are the moves of a metric (:mod:`.moves`).

    The groups are the same in all metrics: a step is made of unit moves of its piece.
    """
    addresses = layouts.addresses[layouts.name_order()]
    vertex_at = np.empty(len(addresses), dtype=np.int32)
    vertex_at[addresses] = np.arange(len(addresses), dtype=np.int32)
    tables = layouts.tables
    reflected = reflections(layouts)
    graph = move_graph(tables.patterns, tables.fillings, metric, addresses, vertex_at, reflected.images)
    return GroupGraphs(reflected.starts, graph, reflected)


def group_codes(layouts: ClassLayouts) -> list[npt.NDArray[np.uint64]]:
    """The codes of each group, uint64 (group's layouts), ascending."""
    return np.split(layouts.codes[layouts.name_order()], np.cumsum(layouts.groups.sizes)[:-1])
