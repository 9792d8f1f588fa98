"""Balls of layouts around searched ones: orbits in balls, margins that spread, nets of spaced layouts.

What :mod:`.steps` has to know of a group's graph and its reflections besides the searches themselves.
``images`` int32 (reflections, vertices) holds the image of each vertex under each reflection, first of all itself.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.farthest.rows import SOURCES
from boardspace_kernels.klotski.step_graph import Graph

SETTLED = 1
"""The least margin that settles a vertex."""


@kernel
def orbits_in_balls(graph: Graph, images: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """One vertex of each orbit, int32 (orbits), ball by ball of SOURCES vertices; and the sizes of the orbits at these
    vertices, uint8 (vertices), 0 elsewhere."""
    vertices = images.shape[1]
    order = np.empty(vertices, dtype=np.int32)
    weight = np.zeros(vertices, dtype=np.uint8)
    taken = np.zeros(vertices, dtype=np.bool_)
    end = 0
    for seed in range(vertices):
        if taken[seed]:
            continue
        place = end
        limit = end + SOURCES
        end = _take_orbit(images, seed, taken, order, weight, end)
        while place < end < limit:
            vertex = order[place]
            place += 1
            for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
                if end < limit and not taken[graph.indices[i]]:
                    end = _take_orbit(images, graph.indices[i], taken, order, weight, end)
    return order[:end].copy(), weight


@kernel
def _take_orbit(
    images: npt.NDArray[np.int32],
    vertex: int,
    taken: npt.NDArray[np.bool_],
    order: npt.NDArray[np.int32],
    weight: npt.NDArray[np.uint8],
    end: int,
) -> int:
    """Append a vertex to ``order`` at place ``end``, and return the place after it.

    All its images become ``taken``; those that were not yet are counted in ``weight`` uint8 (vertices), at the vertex.
    """
    order[end] = vertex
    for g in range(len(images)):
        image = images[g, vertex]
        weight[vertex] += not taken[image]
        taken[image] = True
    return end + 1


@kernel
def level_images(images: npt.NDArray[np.int32], steps: npt.NDArray[np.uint16], counts: npt.NDArray[np.uint32]) -> None:
    """Raise ``steps`` uint16 (vertices) to the largest among the images of a vertex.

    ``counts`` uint32 (vertices) starts from zero again where that is more: nothing was met at this distance yet.
    """
    for vertex in range(images.shape[1]):
        highest = steps[vertex]
        for g in range(1, len(images)):
            highest = max(highest, steps[images[g, vertex]])
        for g in range(len(images)):
            image = images[g, vertex]
            if steps[image] < highest:
                steps[image] = highest
                counts[image] = 0


@kernel
def spread_margins(
    graph: Graph,
    images: npt.NDArray[np.int32],
    sources: npt.NDArray[np.int32],
    margins: npt.NDArray[np.int16],
    margin: npt.NDArray[np.int16],
) -> None:
    """Raise ``margin`` int16 (vertices) to what the ``margins`` int16 of searched ``sources`` int32 prove: around each
    image of a source its margin less the distance; the sources themselves are settled.

    Vertices are met in order of their new margins, largest first, so that each is raised once.
    """
    queue = np.empty(images.shape[1], dtype=np.int32)
    begin = end = 0
    for level in range(margins.max(), 0, -1):
        for source in range(len(sources)):
            if margins[source] == level:
                for g in range(len(images)):
                    end = _raise(images[g, sources[source]], level, margin, queue, end)
        level_end = end
        while begin < level_end:
            vertex = queue[begin]
            begin += 1
            for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
                end = _raise(graph.indices[i], level - 1, margin, queue, end)
    for vertex in sources:
        for g in range(len(images)):
            margin[images[g, vertex]] = max(margin[images[g, vertex]], SETTLED)


@kernel
def _raise(vertex: int, level: int, margin: npt.NDArray[np.int16], queue: npt.NDArray[np.int32], end: int) -> int:
    """Raise the margin of a vertex to ``level`` and queue it, unless it is that large."""
    if margin[vertex] >= level:
        return end
    margin[vertex] = level
    queue[end] = vertex
    return end + 1


@kernel
def spaced_out(
    graph: Graph,
    images: npt.NDArray[np.int32],
    candidates: npt.NDArray[np.int32],
    radius: int,
) -> npt.NDArray[np.bool_]:
    """Mark which of ``candidates`` int32 are taken, bool (candidates), if one after the other those are that lie more
    than ``radius`` steps from all taken before them and from their images."""
    covered = np.zeros(images.shape[1], dtype=np.int16)
    queue = np.empty(images.shape[1], dtype=np.int32)
    taken = np.zeros(len(candidates), dtype=np.bool_)
    for candidate in range(len(candidates)):
        if covered[candidates[candidate]]:
            continue
        taken[candidate] = True
        begin = end = 0
        for g in range(len(images)):
            end = _raise(images[g, candidates[candidate]], radius + 1, covered, queue, end)
        while begin < end and covered[queue[begin]] > 1:
            vertex = queue[begin]
            begin += 1
            for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
                end = _raise(graph.indices[i], covered[vertex] - 1, covered, queue, end)
    return taken
