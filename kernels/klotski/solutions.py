"""The solutions of every layout of a group.

T is a solution of A if T has the feature S (its block at the exit) and no shortest path from A to T holds another
layout with S, A included. Steps can be taken back, so the search runs from T: breadth first, and a layout is *shadowed*
if it has S itself or if any of its neighbours one layer nearer to T is shadowed. T is a solution exactly of the layouts
that it lights, T among them. A search ends with the first layer that holds no lit layout, and a T from which the block
cannot leave the exit lights nothing but itself.

A nearest T is always a solution: another S on the way would be nearer. So the least step of a solution is the distance
to the nearest layout with S, and the solutions at that step are the T at that distance.

Cost: one search for each S that the block can leave, that is (such S) * (edges of the group).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from kernels.jit import kernel
from kernels.klotski.step_graph import Graph

NO_SOLUTION = -1


class Solutions(NamedTuple):
    """For each layout of a group: ``min_step`` int16 (NO_SOLUTION where the group has no S), ``min_num`` and ``num``
    uint32; ``nearest`` uint32, the vertices of the solutions at the least step, those of layout ``v`` in ascending
    order at ``starts[v]`` .. ``starts[v + 1] - 1``, ``starts`` int64 (layouts + 1)."""

    min_step: npt.NDArray[np.int16]
    min_num: npt.NDArray[np.uint32]
    num: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int64]
    nearest: npt.NDArray[np.uint32]


@kernel
def nearest_exit(graph: Graph, at_exit: npt.NDArray[np.bool_]) -> npt.NDArray[np.int16]:
    """Steps from each vertex to the nearest one ``at_exit`` bool (vertices), int16; NO_SOLUTION where there is none."""
    distance = np.full(len(at_exit), NO_SOLUTION, dtype=np.int16)
    queue = np.empty(len(at_exit), dtype=np.int32)
    end = 0
    for vertex in range(len(at_exit)):
        if at_exit[vertex]:
            distance[vertex] = 0
            queue[end] = vertex
            end += 1
    begin = 0
    while begin < end:
        vertex = queue[begin]
        begin += 1
        for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
            if distance[graph.indices[i]] == NO_SOLUTION:
                distance[graph.indices[i]] = distance[vertex] + 1
                queue[end] = graph.indices[i]
                end += 1
    return distance


@kernel
def solutions(graph: Graph, at_exit: npt.NDArray[np.bool_]) -> Solutions:
    """The solutions of all vertices of a group's step graph; ``at_exit`` bool (vertices) tells those with S."""
    count = len(at_exit)
    min_step = nearest_exit(graph, at_exit)
    min_num = np.zeros(count, dtype=np.uint32)
    num = np.zeros(count, dtype=np.uint32)
    layer = np.full(count, -1, dtype=np.int32)
    shadowed = np.zeros(count, dtype=np.bool_)
    queue = np.empty(count, dtype=np.int32)
    for target in range(count):
        if at_exit[target]:
            reached = _light(graph, at_exit, target, layer, shadowed, queue)
            for i in range(reached):
                vertex = queue[i]
                if not shadowed[vertex]:
                    num[vertex] += np.uint32(1)
                    min_num[vertex] += np.uint32(layer[vertex] == min_step[vertex])
                layer[vertex] = -1
    starts = np.zeros(count + 1, dtype=np.int64)
    starts[1:] = np.cumsum(min_num.astype(np.int64))
    nearest = np.empty(starts[count], dtype=np.uint32)
    used = starts[:count].copy()
    for target in range(count):
        if at_exit[target]:
            reached = _light(graph, at_exit, target, layer, shadowed, queue)
            for i in range(reached):
                vertex = queue[i]
                if not shadowed[vertex] and layer[vertex] == min_step[vertex]:
                    nearest[used[vertex]] = target
                    used[vertex] += 1
                layer[vertex] = -1
    return Solutions(min_step, min_num, num, starts, nearest)


@kernel
def _light(
    graph: Graph,
    at_exit: npt.NDArray[np.bool_],
    target: int,
    layer: npt.NDArray[np.int32],
    shadowed: npt.NDArray[np.bool_],
    queue: npt.NDArray[np.int32],
) -> int:
    """Search from ``target`` while something is lit; returns how many vertices of ``queue`` were reached.

    ``layer`` comes in as -1 everywhere; the caller sets it back for the vertices reached.
    """
    queue[0] = target
    layer[target] = 0
    shadowed[target] = False
    begin, end = 0, 1
    lit = 1
    while lit:
        lit = 0
        layer_end = end
        for place in range(begin, layer_end):
            vertex = queue[place]
            for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
                other = graph.indices[i]
                if layer[other] < 0:
                    layer[other] = layer[vertex] + 1
                    shadowed[other] = at_exit[other] or shadowed[vertex]
                    queue[end] = other
                    end += 1
                elif layer[other] > layer[vertex] and shadowed[vertex]:
                    shadowed[other] = True
        for place in range(layer_end, end):
            lit += not shadowed[queue[place]]
        begin = layer_end
    return end
