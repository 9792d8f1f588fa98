"""Cuts and bridges of the nets of drawn classes, found again."""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spec.equations import Tried
from boardspace.verify.folds import Graph
from boardspace.verify.one_class import Class


def find_cuts(config: KlotskiConfig, one: Class, drawn: bool) -> Tried:
    """Cuts and bridges of the groups of a drawn class, found again."""
    group = one.rows["group_num"].astype(np.int64)
    count = int(group.max()) + 1
    if not drawn:
        return Tried(0, count)
    found = cuts_and_bridges(one.graph("chain"))
    expected = {
        "cut_layouts": np.bincount(group[found.is_cut], minlength=count),
        "bridges": np.bincount(group[found.bridge_ends], minlength=count),
    }
    for name, values in expected.items():
        stated = one.rows[f"group_nets.{name}"]
        if not np.array_equal(stated, values):
            return Tried(count, count, f"class {'-'.join(map(str, one.label))}: {name} is {values}, not {stated}")
    return Tried(count, count)


class CutsAndBridges(NamedTuple):
    """Layouts without which their group falls apart, bool (layouts); one end of each pair that nothing else joins."""

    is_cut: NDArray[np.bool_]
    bridge_ends: NDArray[np.int64]


def cuts_and_bridges(graph: Graph) -> CutsAndBridges:
    """Find cuts and bridges by chains (Schmidt 2013), in plain Python.

    A depth-first walk numbers the layouts. From each, in this order, every step to a later layout that the walk did not
    take begins a chain, which goes back along the walk until it meets a layout that a chain visited. Steps in no chain
    are bridges. Cuts are the layouts with a bridge and another neighbour, and those where a chain that is not the first
    of its part ends where it began.
    """
    neighbours = [graph.ends[a:b].tolist() for a, b in pairwise(graph.starts.tolist())]
    order, parent = _depth_first(graph)
    number = np.argsort(order).tolist()
    visited, in_chain, is_cut = ([False] * len(neighbours) for _ in range(3))
    is_first = True
    for start in order:
        is_first = is_first or parent[start] < 0
        for end in neighbours[start]:
            if number[end] <= number[start] or parent[end] == start:
                continue
            visited[start] = True
            while not visited[end]:
                visited[end] = in_chain[end] = True
                end = parent[end]
            is_cut[start] |= end == start and not is_first
            is_first = False
    bridges = [end for end in order if parent[end] >= 0 and not in_chain[end]]
    for bridge in bridges:
        for end in (bridge, parent[bridge]):
            is_cut[end] |= len(neighbours[end]) > 1
    return CutsAndBridges(np.array(is_cut, dtype=np.bool_), np.array(bridges, dtype=np.int64))


def _depth_first(graph: Graph) -> tuple[list[int], list[int]]:
    """Layouts in the order in which a depth-first walk through all parts of a graph meets them; and of each layout the
    one it is met from, -1 where a part begins. The walk begins beside all layouts, from where it steps to each part."""
    from scipy.sparse import csr_array  # these take a third of a second to import
    from scipy.sparse.csgraph import depth_first_order

    count, ends = len(graph), np.concatenate([graph.ends, np.arange(len(graph))])
    walk = csr_array((np.ones(len(ends)), ends, np.append(graph.starts, len(ends))), (count + 1, count + 1))
    order, parent = depth_first_order(walk, count)
    return order[1:].tolist(), np.where(parent == count, -1, parent).tolist()
