"""Move graphs in compressed sparse rows (CSR).

The neighbours of vertex ``v`` are ``indices[indptr[v]:indptr[v + 1]]``. Vertices are the layouts of a class in name
order, that is sorted by (group_num, group_index); so a group is a run of vertices, and its own graph, with group_index
as vertex, is a slice of the class's. The graph is undirected: every edge is there in both directions. The neighbours
of a vertex stand in ascending order.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace.kernels.jit import inlined, kernel
from boardspace.kernels.klotski.board import CELLS
from boardspace.kernels.klotski.moves import MOST_NEIGHBOURS, neighbours_of
from boardspace.kernels.klotski.patterns import Fillings, Patterns

_BLOCK = 1 << 14
"""Vertices whose rows are written at a time."""

_WORD_BITS = np.uint64(6)
_BIT = np.uint64(63)
_ONE = np.uint64(1)


class Graph(NamedTuple):
    """A graph in compressed sparse rows: ``indptr`` int32 (vertices + 1), ``indices`` int32 (edges, both ways)."""

    indptr: npt.NDArray[np.int32]
    indices: npt.NDArray[np.int32]


def move_graph(
    patterns: Patterns,
    fillings: Fillings,
    metric: int,
    addresses: npt.NDArray[np.uint32],
    vertex_at: npt.NDArray[np.int32],
) -> Graph:
    """The graph on the layouts at ``addresses`` uint32 (vertices), which are one or more whole groups.

    ``vertex_at`` int32 (layouts of the class) gives the vertex of each of these addresses.
    """
    degrees = np.zeros(len(addresses) + 1, dtype=np.int32)
    rows = np.empty(_BLOCK * MOST_NEIGHBOURS, dtype=np.int32)
    blocks = []
    for low in range(0, len(addresses), _BLOCK):
        block = addresses[low : low + _BLOCK]
        used = _rows(patterns, fillings, metric, block, vertex_at, degrees[low + 1 :], rows)
        blocks.append(rows[:used].copy())
    return Graph(np.cumsum(degrees, dtype=np.int32), np.concatenate(blocks))


@kernel
def _rows(
    patterns: Patterns,
    fillings: Fillings,
    metric: int,
    addresses: npt.NDArray[np.uint32],
    vertex_at: npt.NDArray[np.int32],
    degrees: npt.NDArray[np.int32],
    rows: npt.NDArray[np.int32],
) -> int:
    """Write the degrees and, one after another, the neighbours of these layouts; returns the number of neighbours.

    It stays out of the caller's loop because an array that grows inside a loop makes the loop five times as slow.
    """
    places = np.empty((CELLS, 2), dtype=np.int64)
    found = np.empty(MOST_NEIGHBOURS, dtype=np.uint32)
    used = 0
    for i in range(len(addresses)):
        count = neighbours_of(patterns, fillings, metric, np.int64(addresses[i]), places, found)
        for k in range(count):
            _insert(rows, used, used + k, vertex_at[found[k]])
        used += count
        degrees[i] = count
    return used


@inlined
def _insert(rows: npt.NDArray[np.int32], first: int, end: int, vertex: int) -> None:
    """Put a vertex among ``rows[first:end]``, which ascend; rows are short, 14 on an average."""
    while end > first and rows[end - 1] > vertex:
        rows[end] = rows[end - 1]
        end -= 1
    rows[end] = vertex


@kernel
def mark_neighbours(graph: Graph, vertex: np.uint64, bits: npt.NDArray[np.uint64]) -> None:
    """Set the bits of the neighbours of a vertex in ``bits`` uint64 (vertices / 64), the bits of vertices."""
    for i in range(np.uint64(graph.indptr[vertex]), np.uint64(graph.indptr[vertex + _ONE])):
        other = np.uint64(graph.indices[i])
        bits[other >> _WORD_BITS] |= _ONE << (other & _BIT)
