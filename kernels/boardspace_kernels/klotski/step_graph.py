"""Move graphs in compressed sparse rows (CSR).

The neighbours of vertex ``v`` are ``indices[indptr[v]:indptr[v + 1]]``. Vertices are the layouts of a class in name
order, that is sorted by (group_num, group_index); so a group is a run of vertices, and its own graph, with group_index
as vertex, is a slice of the class's. The graph is undirected: every edge is there in both directions. The neighbours
of a vertex stand in ascending order.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.klotski.board import CELLS
from boardspace_kernels.klotski.moves import MOST_NEIGHBOURS, neighbours_of
from boardspace_kernels.klotski.patterns import Fillings, Patterns

_BLOCK = 1 << 14
"""Vertices whose rows are written at a time."""

_USUAL_NEIGHBOURS = 20
"""Of a layout: 14 on an average; where a class has more, room is made for more."""

_WORD_BITS = np.uint64(6)
_BIT = np.uint64(63)
_ONE = np.uint64(1)


class Graph(NamedTuple):
    """A graph in compressed sparse rows: ``indptr`` int32 (vertices + 1), ``indices`` int32 (edges, both ways)."""

    indptr: npt.NDArray[np.int32]
    indices: npt.NDArray[np.int32]


class Vertices(NamedTuple):
    """The vertices of a graph to make, and how their neighbours are found.

    patterns: of the class.
    fillings: of the class.
    metric: which moves join two layouts.
    addresses: uint32 (vertices), of the layouts.
    vertex_at: int32 (layouts of the class), the vertex of each address.
    images: int32 (reflections, vertices), the images under reflections that keep the metric's moves.
    """

    patterns: Patterns
    fillings: Fillings
    metric: int
    addresses: npt.NDArray[np.uint32]
    vertex_at: npt.NDArray[np.int32]
    images: npt.NDArray[np.int32]


def move_graph(
    patterns: Patterns,
    fillings: Fillings,
    metric: int,
    addresses: npt.NDArray[np.uint32],
    vertex_at: npt.NDArray[np.int32],
    images: npt.NDArray[np.int32] | None = None,
) -> Graph:
    """The graph on the layouts at ``addresses`` uint32 (vertices), which are one or more whole groups.

    ``vertex_at`` int32 (layouts of the class) gives the vertex of each of these addresses. ``images`` int32
    (reflections, vertices) may give the images of all vertices under reflections of the board that are their own
    inverses and keep the metric's moves: then the neighbours of a vertex are read off its first image, which saves a
    quarter of the time.
    """
    count = len(addresses)
    images = np.empty((0, count), dtype=np.int32) if images is None else images
    indptr = np.zeros(count + 1, dtype=np.int32)
    indices = np.empty(_USUAL_NEIGHBOURS * count, dtype=np.int32)
    vertices = Vertices(patterns, fillings, metric, addresses, vertex_at, images)
    used = 0
    for low in range(0, count, _BLOCK):
        high = min(low + _BLOCK, count)
        most = used + MOST_NEIGHBOURS * (high - low)
        if most > len(indices):
            indices = np.concatenate([indices[:used], np.empty(most + used // 2, dtype=np.int32)])
        used = _rows(vertices, low, high, indptr, indices)
    return Graph(indptr, indices[:used])


@kernel
def _rows(
    vertices: Vertices, low: int, high: int, indptr: npt.NDArray[np.int32], indices: npt.NDArray[np.int32]
) -> int:
    """Write the rows of the vertices from ``low`` to below ``high`` behind those of all before; returns their end.

    ``indices`` has room for them; an array that grows inside such a loop makes the loop five times as slow.
    """
    patterns, fillings, metric, addresses, vertex_at, images = vertices
    places = np.empty((CELLS, 2), dtype=np.int64)
    found = np.empty(MOST_NEIGHBOURS, dtype=np.uint32)
    row = np.empty(MOST_NEIGHBOURS, dtype=np.int32)
    used = np.int64(indptr[low])
    for vertex in range(low, high):
        first, reflection = _first_image(images, vertex)
        # The row of the image is there already. Its neighbours' images are this vertex's neighbours, in another order.
        if first < vertex:
            start = np.int64(indptr[first])
            count = np.int64(indptr[first + 1]) - start
            for k in range(count):
                row[k] = images[reflection, indices[start + k]]
            _place(row, count, indices, used)
        else:
            count = neighbours_of(patterns, fillings, metric, np.int64(addresses[vertex]), places, found)
            for k in range(count):
                _insert(indices, used, used + k, vertex_at[found[k]])
        used += count
        indptr[vertex + 1] = used
    return used


@inlined
def _first_image(images: npt.NDArray[np.int32], vertex: int) -> tuple[int, int]:
    """The smallest of a vertex and its images, and the reflection that leads there."""
    first, reflection = vertex, 0
    for k in range(len(images)):
        image = np.int64(images[k, vertex])
        if image < first:
            first, reflection = image, k
    return first, reflection


@inlined
def _place(row: npt.NDArray[np.int32], count: int, rows: npt.NDArray[np.int32], start: int) -> None:
    """Write ``count`` different vertices of ``row``, which are in no order, to ``rows`` from ``start`` on, ascending.

    Each goes behind all that are smaller: to count these takes no branch, and many comparisons at a time.
    """
    for i in range(count):
        smaller = np.int32(0)
        for j in range(count):
            smaller += np.int32(row[j] < row[i])
        rows[start + smaller] = row[i]


@inlined
def _insert(rows: npt.NDArray[np.int32], first: int, end: int, vertex: int) -> None:
    """Put a vertex among ``rows[first:end]``, which ascend; generated rows are short and nearly in order."""
    while end > first and rows[end - 1] > vertex:
        rows[end] = rows[end - 1]
        end -= 1
    rows[end] = vertex


@inlined
def mark(vertex: np.uint64, bits: npt.NDArray[np.uint64]) -> None:
    """Set the bit of a vertex in ``bits`` uint64 (vertices / 64), the bits of vertices."""
    bits[vertex >> _WORD_BITS] |= _ONE << (vertex & _BIT)


@inlined
def mark_exits(
    at_exit: npt.NDArray[np.bool_],
    images: npt.NDArray[np.int32],
    distance: npt.NDArray[np.int16],
    bits: npt.NDArray[np.uint64],
) -> None:
    """Give vertices ``at_exit`` bool (vertices) distance 0, and set the bit of one of each and its image."""
    for vertex in range(len(at_exit)):
        if at_exit[vertex] and vertex <= images[vertex]:
            distance[vertex] = distance[images[vertex]] = 0
            mark(np.uint64(vertex), bits)


@kernel
def take_marked(bits: npt.NDArray[np.uint64], vertices: npt.NDArray[np.int32]) -> int:
    """Clear ``bits`` uint64 (vertices / 64), and write those that were set to ``vertices`` int32, ascending; how many.

    So a search takes a layer in the order of its rows, which a queue would hold in none.
    """
    count = np.uint64(0)
    for word in range(np.uint64(len(bits))):
        left, bits[word] = bits[word], np.uint64(0)
        while left:
            vertices[count] = (word << _WORD_BITS) + lowest_bit(left)
            left &= left - _ONE
            count += _ONE
    return np.int64(count)


@kernel
def mark_neighbours(graph: Graph, vertex: np.uint64, bits: npt.NDArray[np.uint64]) -> None:
    """Set the bits of the neighbours of a vertex in ``bits`` uint64 (vertices / 64), the bits of vertices."""
    for i in range(np.uint64(graph.indptr[vertex]), np.uint64(graph.indptr[vertex + _ONE])):
        mark(np.uint64(graph.indices[i]), bits)
