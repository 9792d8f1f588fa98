"""Move graphs in compressed sparse rows (CSR).

The neighbours of vertex ``v`` are ``indices[indptr[v]:indptr[v + 1]]``. Vertices are the layouts of a class in name
order, that is sorted by (group_num, group_index); so a group is a run of vertices, and its own graph, with group_index
as vertex, is a slice of the class's. The graph is undirected: every edge is there in both directions. The neighbours
of a vertex stand in ascending order, and none of them is sorted for that: neighbours are made in any order, and the
graph is then turned round, which writes each row from its smallest neighbour to its largest.
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
"""Vertices whose rows are made at a time."""

_USUAL_NEIGHBOURS = 20
"""Of a layout: 14 on an average; where more are made, room is made for more."""

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
    inverses and keep the metric's moves: then the neighbours of a vertex are read off its first image, which saves half
    of the time. ArithmeticError where moves cannot be taken back, as they must.
    """
    count = len(addresses)
    images = np.empty((0, count), dtype=np.int32) if images is None else images
    vertices = Vertices(patterns, fillings, metric, addresses, vertex_at, images)
    begins = np.zeros(count + 1, dtype=np.int32)
    rows = np.empty(_USUAL_NEIGHBOURS * count // max(1, len(images)), dtype=np.int32)
    used = 0
    for low in range(0, count, _BLOCK):
        high = min(low + _BLOCK, count)
        most = used + MOST_NEIGHBOURS * (high - low)
        if most > len(rows):
            # Half of what is used is added each time, so few copies are made however large the graph becomes.
            rows = np.concatenate([rows[:used], np.empty(most + used // 2, dtype=np.int32)])
        used = _make_rows(vertices, low, high, begins, rows)
    made = Graph(begins, rows[:used])
    # A vertex has as many neighbours as its first image.
    first = np.minimum(np.arange(count, dtype=np.int32), images.min(axis=0, initial=count))
    indptr = np.zeros(count + 1, dtype=np.int32)
    np.cumsum(np.diff(begins)[first], out=indptr[1:])
    # Made here, since NumPy asks for large pages, and the kernel writes to places that are far apart.
    indices, ends = np.empty(indptr[-1], dtype=np.int32), indptr[:-1].copy()
    _turn_round(images, made, indices, ends)
    if (ends != indptr[1:]).any():
        raise ArithmeticError(f"vertex {np.flatnonzero(ends != indptr[1:])[0]}: moves from it cannot be taken back")
    return Graph(indptr, indices)


@kernel
def _make_rows(
    vertices: Vertices, low: int, high: int, indptr: npt.NDArray[np.int32], indices: npt.NDArray[np.int32]
) -> int:
    """Write the rows of the vertices from ``low`` to below ``high`` behind those of all before; returns their end.

    ``indices`` has room for them; an array that grows inside such a loop makes the loop five times as slow.
    """
    patterns, fillings, metric, addresses, vertex_at, images = vertices
    places = np.empty((CELLS, 2), dtype=np.int64)
    found = np.empty(MOST_NEIGHBOURS, dtype=np.uint32)
    used = np.int64(indptr[low])
    for vertex in range(low, high):
        if _first_image(images, vertex)[0] == vertex:
            count = neighbours_of(patterns, fillings, metric, np.int64(addresses[vertex]), places, found)
            for k in range(count):
                indices[used + k] = vertex_at[found[k]]
            used += count
        # The row of any other vertex is empty here: it follows from that of its first image.
        indptr[vertex + 1] = used
    return used


@kernel
def _turn_round(
    images: npt.NDArray[np.int32], made: Graph, indices: npt.NDArray[np.int32], ends: npt.NDArray[np.int32]
) -> None:
    """Write ``indices`` int32 (edges) of the graph; ``ends`` int32 (vertices) comes in as where each row of them begins
    and goes out as where it ends.

    Each vertex, in ascending order, is written to the rows of its neighbours: so rows ascend, and nothing is sorted.
    Where moves cannot be taken back, what has no place is not written, and some rows end elsewhere.
    """
    vertices, capacity = np.uint64(len(ends)), len(indices)
    for vertex in range(len(ends)):
        first, reflection = _first_image(images, vertex)
        for i in range(np.uint64(made.indptr[first]), np.uint64(made.indptr[first + 1])):
            other = np.uint64(made.indices[i])
            if first < vertex:
                # The row of the image is there already: its neighbours' images are this vertex's neighbours.
                other = np.uint64(images[reflection, other])
            # As an unsigned number a negative one is large, too, so this is the test of both ends.
            if other < vertices:
                end = ends[other]
                # A row that is too long runs into the next, and the end of its place shows it to the caller.
                if end < capacity:
                    indices[end] = vertex
                ends[other] = end + 1


@inlined
def _first_image(images: npt.NDArray[np.int32], vertex: int) -> tuple[int, int]:
    """The smallest of a vertex and its images, and the reflection that leads there."""
    first, reflection = vertex, 0
    for k in range(len(images)):
        image = np.int64(images[k, vertex])
        if image < first:
            # A reflection is its own inverse, so it leads back as well.
            first, reflection = image, k
    return first, reflection


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
        # The word is cleared at once, so that the next layer can mark in the same array.
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
