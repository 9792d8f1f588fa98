"""Lists of the farthest layouts of each layout, once it is known how far they are.

With the final farthest steps, the margin of a layout (see :mod:`.steps`) is 0 exactly if it lies in
some F(u). One layout of each orbit is searched, unless the margin of one searched before settles it; whom a vertex
meets at its farthest step goes to its list, and so do the images of both.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.farthest.balls import SETTLED, spread_margins
from boardspace_kernels.klotski.farthest.passes import make_workspace, search_pass
from boardspace_kernels.klotski.farthest.rows import SOURCES, WORDS
from boardspace_kernels.klotski.farthest.steps import Farthest, OrbitGraph


class FarthestLists(NamedTuple):
    """The farthest vertices of vertex ``v``, ascending: ``vertices[starts[v]:starts[v + 1]]``; ``starts`` int64
    (vertices + 1), ``vertices`` int32."""

    starts: npt.NDArray[np.int64]
    vertices: npt.NDArray[np.int32]


def farthest_lists(orbits: OrbitGraph, found: Farthest) -> FarthestLists:
    """The farthest vertices of every vertex; ``found`` says how far and how many they are."""
    if len(found.steps) == 1:
        return FarthestLists(np.array([0, 1]), np.array([0], dtype=np.int32))
    starts = np.concatenate([[0], np.cumsum(found.counts, dtype=np.int64)])
    lists = FarthestLists(starts, np.empty(starts[-1], dtype=np.int32))
    ends = starts[:-1].copy()
    margin = np.zeros(len(found.steps), dtype=np.int16)
    steps, counts = found.steps.copy(), np.zeros(len(found.steps), dtype=np.uint32)
    work = make_workspace(len(steps), last=True)
    left = orbits.order
    while len(left):
        sources = left[:SOURCES]
        margins = search_pass(orbits.graph, sources, orbits.weight[sources], steps, counts, work)
        _append(orbits.images, sources, work.last, ends, lists.vertices)
        spread_margins(orbits.graph, orbits.images, sources, margins, margin)
        left = left[SOURCES:]
        left = left[margin[left] < SETTLED]
    _sort_lists(lists)
    return lists


@kernel
def _append(
    images: npt.NDArray[np.int32],
    sources: npt.NDArray[np.int32],
    last: npt.NDArray[np.uint64],
    ends: npt.NDArray[np.int64],
    vertices: npt.NDArray[np.int32],
) -> None:
    """Append to the lists, which have come to ``ends`` int64 (vertices), the sources in the rows ``last``.

    A source goes to the list of a vertex, and each other image of the source to the list of an image of the vertex.
    """
    for vertex in range(images.shape[1]):
        for word in range(WORDS):
            bits = last[vertex * WORDS + word]
            while bits:
                source = sources[64 * word + np.int64(lowest_bit(bits))]
                bits &= bits - np.uint64(1)
                for g in range(len(images)):
                    if images[g, source] not in images[:g, source]:
                        image = images[g, vertex]
                        vertices[ends[image]] = images[g, source]
                        ends[image] += 1


@kernel
def _sort_lists(lists: FarthestLists) -> None:
    """Sort the vertices of each list, ascending, in place."""
    for vertex in range(len(lists.starts) - 1):
        lists.vertices[lists.starts[vertex] : lists.starts[vertex + 1]].sort()
