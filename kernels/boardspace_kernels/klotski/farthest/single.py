"""One breadth-first search from one vertex of a graph, noting what a pass from many (:mod:`.passes`) notes.

It costs 10 to 100 times as much as a vertex's share of a pass, the more the more neighbours vertices have. But what it
learns is known before the next vertex is chosen.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.step_graph import Graph

_UNREACHED = -1
_ONE = np.uint64(1)


class SingleWorkspace(NamedTuple):
    """Workspace of a search: ``distance`` int16 (vertices), ``queue`` int32 (vertices)."""

    distance: npt.NDArray[np.int16]
    queue: npt.NDArray[np.int32]


def make_single_workspace(vertices: int) -> SingleWorkspace:
    """Workspace of searches of a graph with so many vertices."""
    return SingleWorkspace(np.empty(vertices, dtype=np.int16), np.empty(vertices, dtype=np.int32))


@kernel
def search_single(
    graph: Graph,
    source: int,
    weight: int,
    steps: npt.NDArray[np.uint16],
    counts: npt.NDArray[np.uint32],
    work: SingleWorkspace,
) -> int:
    """Search a connected graph from ``source``, raising ``steps`` uint16 (vertices) and keeping ``counts`` uint32
    (vertices) in step; returns the margin of the source."""
    distance, queue = work.distance, work.queue
    for vertex in range(len(distance)):
        distance[vertex] = _UNREACHED
    distance[source] = 0
    queue[0] = source
    end = _ONE
    margin = np.int64(np.iinfo(np.int16).max)
    # The graph is connected, so all vertices come into the queue, and one that is read has been written.
    for begin in range(np.uint64(len(distance))):
        vertex = np.uint64(queue[begin])
        step = np.int64(distance[vertex])
        for i in range(np.uint64(graph.indptr[vertex]), np.uint64(graph.indptr[vertex + _ONE])):
            other = np.uint64(graph.indices[i])
            if distance[other] == _UNREACHED:
                distance[other] = step + 1
                queue[end] = other
                end += _ONE
        if step > steps[vertex]:
            steps[vertex] = step
            counts[vertex] = 0
        if step == steps[vertex]:
            counts[vertex] += np.uint32(weight)
        margin = min(margin, np.int64(steps[vertex]) - step)
    return margin
