"""The solutions of every layout of a class: the nearest ones, how far they are, how many, which; and the number of all.

T is a solution of A if T has the feature S (its block at the exit) and no shortest path from A to T holds another
layout with S, A included. Those at the least step are few and found at once, here;
:mod:`boardspace_kernels.klotski.solution_counts` counts all, which takes a search from nearly every T.

A layout with the feature S at the least distance is a solution: another S on a shortest path to it would be nearer.
Its shortest paths descend: with every step the distance ``least`` to the nearest S falls by one. So the nearest
solutions of a vertex are those of its neighbours one nearer to S, taken together:

    nearest(v) = union of nearest(u) over the neighbours u of v with least(u) = least(v) - 1.

64 layouts with S at a time are carried upwards, as the bits of one word a vertex, along the edges of the graph that
lead upwards, 3 or 4 of the 16 to 30 a vertex has. They meet few vertices: each vertex is met by the words that hold one
of its nearest solutions, and by no other. Layouts with S whose codes are close share a word and are mostly near each
other. Cost: (edges upwards) * (words that meet a vertex, 5 to 9); half of these where they are only counted.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.distances import moves_to_exit
from boardspace_kernels.klotski.group_graphs import GroupGraphs
from boardspace_kernels.klotski.moves import STEP
from boardspace_kernels.klotski.solution_counts import count_solutions
from boardspace_kernels.klotski.step_graph import Graph

_WORD = 64
_ONE = np.uint64(1)


@kernel
def count_nearest(graph: Graph, least: npt.NDArray[np.int16], images: npt.NDArray[np.int32]) -> npt.NDArray[np.uint32]:
    """Number of nearest solutions of each vertex, uint32 (vertices); ``least`` are the steps to these, int16, -1 where
    there are none. ``images`` int32 (vertices) is the left-right mirror image of each vertex.

    Of a layout with S and its image one is carried, with weight 2: see :mod:`.solution_counts`.
    """
    exits = np.flatnonzero(least == 0)
    alone, paired = exits[images[exits] == exits], exits[images[exits] > exits]
    sums = np.zeros(len(least), dtype=np.uint32)
    carried = np.zeros(len(least), dtype=np.uint64)
    # One more than there are vertices, since _carry writes a place before it knows whether it is used.
    queue = np.empty(len(least) + 1, dtype=np.int32)
    upward = _upward(graph, least)
    for targets, weight in ((alone, np.uint32(1)), (paired, np.uint32(2))):
        for low in range(0, len(targets), _WORD):
            for i in range(_carry(upward, targets[low : low + _WORD], carried, queue)):
                sums[queue[i]] += weight * np.uint32(popcount(carried[queue[i]]))
                # Only what was met is cleared, which is few vertices of a large graph.
                carried[queue[i]] = 0
    counts = np.empty(len(least), dtype=np.uint32)
    for vertex in range(len(least)):
        # Solutions of an image are images of solutions, so both sums together count each of them twice.
        counts[vertex] = (sums[vertex] + sums[images[vertex]]) >> np.uint32(1)
    return counts


@kernel
def list_nearest(
    graph: Graph, least: npt.NDArray[np.int16], counts: npt.NDArray[np.uint32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]:
    """The nearest solutions themselves: those of vertex ``v`` in ascending order at ``starts[v]`` up to before
    ``starts[v + 1]`` of ``nearest``; returns ``starts`` int64 (vertices + 1) and ``nearest`` int32. ``counts`` are
    their numbers, as :func:`count_nearest` returns them."""
    targets = np.flatnonzero(least == 0)
    starts = np.zeros(len(least) + 1, dtype=np.int64)
    for vertex in range(len(least)):
        starts[vertex + 1] = starts[vertex] + np.int64(counts[vertex])
    nearest = np.empty(starts[-1], dtype=np.int32)
    free = starts[:-1].copy()
    carried = np.zeros(len(least), dtype=np.uint64)
    queue = np.empty(len(least) + 1, dtype=np.int32)
    upward = _upward(graph, least)
    for low in range(0, len(targets), _WORD):
        for i in range(_carry(upward, targets[low : low + _WORD], carried, queue)):
            vertex = queue[i]
            bits = carried[vertex]
            carried[vertex] = 0
            while bits:
                # Words and bits come in ascending order, so every list ascends.
                nearest[free[vertex]] = targets[low + np.int64(lowest_bit(bits))]
                free[vertex] += 1
                bits &= bits - _ONE
    return starts, nearest


@kernel
def _upward(graph: Graph, least: npt.NDArray[np.int16]) -> Graph:
    """The edges that lead one farther from S."""
    indptr = np.empty_like(graph.indptr)
    indices = np.empty_like(graph.indices)
    end = 0
    for vertex in range(len(least)):
        indptr[vertex] = end
        farther = least[vertex] + 1
        for i in range(np.uint64(graph.indptr[vertex]), np.uint64(graph.indptr[vertex + 1])):
            # Written in any case, and kept or not: a branch here would be guessed wrong.
            other = graph.indices[i]
            indices[end] = other
            end += least[np.uint64(other)] == farther
    indptr[len(least)] = end
    return Graph(indptr, indices[:end].copy())


@kernel
def _carry(
    upward: Graph,
    targets: npt.NDArray[np.int64],
    carried: npt.NDArray[np.uint64],
    queue: npt.NDArray[np.int32],
) -> int:
    """Carry up to 64 ``targets`` to all whose nearest they are, as bits of ``carried`` (vertices), which comes in as 0
    everywhere; the caller clears it again. Returns how many vertices of ``queue`` (vertices + 1) were met, in order of
    distance."""
    for i in range(len(targets)):
        queue[i] = targets[i]
        carried[targets[i]] = _ONE << np.uint64(i)
    begin, end = np.uint64(0), np.uint64(len(targets))
    while begin < end:
        vertex = np.uint64(queue[begin])
        begin += _ONE
        for i in range(np.uint64(upward.indptr[vertex]), np.uint64(upward.indptr[vertex + _ONE])):
            other = np.uint64(upward.indices[i])
            # As in _upward: what was met before is written over by the next.
            queue[end] = other
            end += np.uint64(carried[other] == 0)
            # Vertices come in order of distance, so all below a vertex have passed on their bits before its turn.
            carried[other] |= carried[vertex]
    return int(end)


class Solutions(NamedTuple):
    """For each layout of a class, in name order: ``least`` int16, steps to the nearest solution, -1 where the
    group has no S; ``nearest`` uint32, how many are that near; ``number`` uint32, how many there are, valid from layout
    ``counted`` on."""

    least: npt.NDArray[np.int16]
    nearest: npt.NDArray[np.uint32]
    number: npt.NDArray[np.uint32]
    counted: int


def class_solutions(layouts: ClassLayouts, graphs: GroupGraphs, largest_counted: int) -> Solutions:
    """The solutions of all layouts of a class, counted in groups of at most ``largest_counted`` layouts."""
    at_exit = layouts.at_exit[graphs.order]
    # groups are in order of size, so those to count are the last ones
    first = int(np.count_nonzero(layouts.groups.sizes > largest_counted))
    images = graphs.reflections.mirrored
    least = moves_to_exit(layouts, graphs, STEP)
    number = count_solutions(graphs.graph, graphs.starts[first:], at_exit, images)
    return Solutions(least, count_nearest(graphs.graph, least, images), number, int(graphs.starts[first]))
