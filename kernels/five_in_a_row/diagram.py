"""Decision diagrams: the layers of a search with their links, as flat arrays.

A diagram's paths from its root to its only last node are placements. With a cost for a stone on every cell, the
cheapest path from every node is found by one pass from the last layer back; with 1 for every path, the same pass
counts the placements below every node, and a count tells which way the i-th placement in lexicographic order goes. So
a diagram is also a table of all its placements, read at random without listing them.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace.kernels.jit import kernel

Ints = npt.NDArray[np.int64]
Links = npt.NDArray[np.int32]

MANY_PATHS = np.uint64((1 << 64) - 1)
"""The largest count of paths that is told."""


class Diagram(NamedTuple):
    """Nodes by layer; layer t holds the states after t cells.

    ``free``, ``stone`` (nodes,) int32: number of the node after a free cell or a stone, -1 where there is none; both
    -1 at the last node. ``first`` (cells + 2,) int64: the first node of each layer, then the number of nodes.
    """

    free: Links
    stone: Links
    first: Ints

    @property
    def cells(self) -> int:
        """Number of cells decided on a path."""
        return len(self.first) - 2


def from_links(free: list[Links], stone: list[Links], last: int) -> Diagram:
    """A diagram from every layer's links, numbered within the next layer; ``last`` is the size of the last layer."""
    first = np.cumsum([0] + [len(links) for links in free] + [last])
    below = np.full(last, -1, dtype=np.int32)
    return Diagram(_numbered(free, first, below), _numbered(stone, first, below), first.astype(np.int64))


def _numbered(links: list[Links], first: Ints, below: Links) -> Links:
    starts = first[1 : len(links) + 1]
    shifted = [
        np.where(layer < 0, -1, layer + start).astype(np.int32) for layer, start in zip(links, starts, strict=True)
    ]
    return np.concatenate([*shifted, below])


@kernel
def cost_to_go(diagram: Diagram, cost: Ints) -> Ints:
    """(nodes,): the cheapest way from every node to the last, for ``cost`` (cells,) of a stone on each cell.

    The diagram is a whole one: every node but the last has a stone's link.
    """
    free, stone, first = diagram.free, diagram.stone, diagram.first
    cheapest = np.zeros(len(free), dtype=np.int64)
    for t in range(len(cost) - 1, -1, -1):
        for node in range(first[t], first[t + 1]):
            best = cheapest[stone[node]] + cost[t]
            if free[node] >= 0:
                best = min(best, cheapest[free[node]])
            cheapest[node] = best
    return cheapest


@kernel
def cheapest_path(diagram: Diagram, cost: Ints, cheapest: Ints) -> npt.NDArray[np.int8]:
    """(cells,): 1 for a stone, 0 for a free cell, on a cheapest path; ``cheapest`` is the cost to go of ``cost``."""
    layers = len(diagram.first) - 2
    path = np.zeros(layers, dtype=np.int8)
    node = 0
    for t in range(layers):
        free = diagram.free[node]
        if free >= 0 and cheapest[free] == cheapest[node]:
            node = free
        else:
            path[t] = 1
            node = diagram.stone[node]
    return path


@kernel
def paths_to_go(diagram: Diagram) -> npt.NDArray[np.uint64]:
    """(nodes,): how many paths lead from every node to the last layer; MANY_PATHS stands for so many or more."""
    paths = np.zeros(len(diagram.free), dtype=np.uint64)
    layers = len(diagram.first) - 2
    paths[diagram.first[layers] :] = 1
    for node in range(diagram.first[layers] - 1, -1, -1):
        free = paths[diagram.free[node]] if diagram.free[node] >= 0 else np.uint64(0)
        stone = paths[diagram.stone[node]] if diagram.stone[node] >= 0 else np.uint64(0)
        paths[node] = free + stone if stone <= MANY_PATHS - free else MANY_PATHS
    return paths


@kernel
def placements_by_rank(
    diagram: Diagram, paths: npt.NDArray[np.uint64], ranks: npt.NDArray[np.uint64]
) -> npt.NDArray[np.uint8]:
    """(len(ranks), cells) 0 or 1: the placements at these ranks in lexicographic order, a free cell before a stone.

    ``paths`` is what :func:`paths_to_go` gives; every rank is below ``paths[0]``. A node with MANY_PATHS has more than
    any rank, so ranks are right on diagrams of any size.
    """
    layers = len(diagram.first) - 2
    placements = np.zeros((len(ranks), layers), dtype=np.uint8)
    for i in range(len(ranks)):
        rank, node = ranks[i], 0
        for t in range(layers):
            free = diagram.free[node]
            below = paths[free] if free >= 0 else np.uint64(0)
            if rank < below:
                node = free
            else:
                rank -= below
                placements[i, t] = 1
                node = diagram.stone[node]
    return placements
