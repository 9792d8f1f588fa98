"""Decision diagrams: the layers of a search with their links, as flat arrays.

A diagram's paths from its root to its only last node are placements. With a cost for a stone on every cell, the
cheapest path from every node is found by one pass from the last layer back; with 1 for every path, the same pass
counts the placements below every node, and a count tells which way the i-th placement in lexicographic order goes. So
a diagram is also a table of all its placements, read at random without listing them.

Where the search folded states that are mirror images (:mod:`.fold`), some links are *turned*: after each of them a path
says where the stones lie on the mirrored board, until the next. Ranks then follow the paths, not the placements.
"""

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel

Ints = npt.NDArray[np.int64]
Links = npt.NDArray[np.int32]

NO_TURNS = np.empty(0, dtype=np.uint8)

MANY_PATHS = np.uint64((1 << 64) - 1)
"""The largest count of paths that is told."""


class Diagram(NamedTuple):
    """Nodes by layer; layer t holds the states after t cells.

    free: int32 (nodes), number of the node after a free cell, -1 where there is none, and at the last node.
    stone: int32 (nodes), number of the node after a stone, -1 at the last node.
    first: int64 (cells + 2), the first node of each layer, then the number of nodes.
    turned: uint8 (nodes), 1 where the free link is turned, plus 2 where the stone's is; empty where none is.
    columns: cells of a row, which a turned link mirrors.
    """

    free: Links
    stone: Links
    first: Ints
    turned: npt.NDArray[np.uint8] = NO_TURNS
    columns: int = 1

    @property
    def cells(self) -> int:
        """Number of cells decided on a path."""
        return len(self.first) - 2


def from_links(
    free: list[Links],
    stone: list[Links],
    last: int,
    turned: Mapping[int, npt.NDArray[np.uint8]] | None = None,
    columns: int = 1,
) -> Diagram:
    """A diagram from every layer's links, numbered within the next layer; ``last`` is the size of the last layer.

    ``turned`` says of some layers which links are, as in :class:`Diagram`.
    """
    first = np.cumsum([0] + [len(links) for links in free] + [last])
    below = np.full(last, -1, dtype=np.int32)
    turns = np.zeros(first[-1], dtype=np.uint8) if turned else NO_TURNS
    for layer, flags in (turned or {}).items():
        turns[first[layer] : first[layer + 1]] = flags
    links = _numbered(free, first, below), _numbered(stone, first, below)
    return Diagram(*links, first.astype(np.int64), turns, columns)


def _numbered(links: list[Links], first: Ints, below: Links) -> Links:
    numbered = np.concatenate([*links, below])
    numbered += np.where(numbered < 0, 0, np.repeat(np.append(first[1:-1], 0), np.diff(first))).astype(np.int32)
    return numbered


def cost_to_go(diagram: Diagram, cost: Ints, workspace: Ints | None = None) -> Ints:
    """(nodes,): the cheapest way from every node to the last, for ``cost`` (cells,) of a stone on each cell.

    The diagram is a whole one: every node but the last has a stone's link. ``workspace`` (nodes,) may be given for the
    result: of large diagrams new memory takes longer than the pass.
    """
    cheapest = np.empty(len(diagram.free), dtype=np.int64) if workspace is None else workspace
    _fill_cost_to_go(diagram, cost, cheapest)
    return cheapest


@kernel
def _fill_cost_to_go(diagram: Diagram, cost: Ints, cheapest: Ints) -> None:
    """Write to ``cheapest`` int64 (nodes) what :func:`cost_to_go` returns, from the last layer to the first; ``cost``
    is int64 (cells)."""
    free, stone, first = diagram.free, diagram.stone, diagram.first
    cheapest[-1] = 0
    for t in range(len(cost) - 1, -1, -1):
        for node in range(np.uint64(first[t]), np.uint64(first[t + 1])):
            best = cheapest[np.uint32(stone[node])] + cost[t]  # unsigned: no place is counted from the end
            if free[node] >= 0:
                best = min(best, cheapest[np.uint32(free[node])])
            cheapest[node] = best


@kernel
def cheapest_path(diagram: Diagram, cheapest: Ints) -> npt.NDArray[np.int8]:
    """(cells,): 1 for a stone, 0 for a free cell, on a cheapest path; ``cheapest`` is the cost to go of each node."""
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
    """(len(ranks), cells) 0 or 1: the placements at these ranks, those of a path with a free cell before those with a
    stone; where no link is turned that is the lexicographic order.

    ``paths`` is what :func:`paths_to_go` gives; every rank is below ``paths[0]``. A node with MANY_PATHS has more than
    any rank, so ranks are right on diagrams of any size.
    """
    layers = len(diagram.first) - 2
    placements = np.zeros((len(ranks), layers), dtype=np.uint8)
    for i in range(len(ranks)):
        rank, node, mirrored = ranks[i], 0, False
        for t in range(layers):
            turns = diagram.turned[node] if len(diagram.turned) else 0
            free = diagram.free[node]
            below = paths[free] if free >= 0 else np.uint64(0)
            if rank < below:
                node = free
                mirrored ^= (turns & 1) > 0
            else:
                rank -= below
                column = t % diagram.columns
                placements[i, t - column + (diagram.columns - 1 - column if mirrored else column)] = 1
                node = diagram.stone[node]
                mirrored ^= (turns & 2) > 0
    return placements
