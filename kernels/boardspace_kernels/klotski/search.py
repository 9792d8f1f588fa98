"""Distances inside a class, breadth first from one layout or from many at once.

Layouts are named by their addresses (see :mod:`.patterns`), so that the distances of a class fit one
array without a hash table. Cost: one generation of all neighbours for each layout reached; where the sources are as
many layouts and their left-right mirror images, for each pair of these, which are as far.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import CELLS
from boardspace_kernels.klotski.moves import MOST_NEIGHBOURS, neighbours_of
from boardspace_kernels.klotski.patterns import Fillings, Patterns

UNREACHED = -1


def distances(
    patterns: Patterns,
    fillings: Fillings,
    metric: int,
    sources: npt.NDArray[np.uint32],
    images: npt.NDArray[np.uint32] | None = None,
) -> npt.NDArray[np.int16]:
    """Least number of moves from the nearest of ``sources`` uint32 (addresses) to every address of the class, int16
    (layouts), UNREACHED where no moves lead. ``metric`` as in :mod:`boardspace_kernels.klotski.moves`.

    ``images`` uint32 (layouts) may give the address of each address's left-right mirror image where these of the
    sources are sources, too: it takes half the time then."""
    nobody = np.empty(0, dtype=np.uint32)
    return _distances(patterns, fillings, metric, sources, nobody if images is None else images)


@kernel
def _distances(
    patterns: Patterns,
    fillings: Fillings,
    metric: int,
    sources: npt.NDArray[np.uint32],
    images: npt.NDArray[np.uint32],
) -> npt.NDArray[np.int16]:
    """Result of :func:`distances`; without ``images`` every layout is its own. Only the lesser of two images is
    searched."""
    paired = len(images) > 0
    distance = np.full(len(patterns.free) * len(fillings.cells), UNREACHED, dtype=np.int16)
    queue = np.empty(len(distance), dtype=np.uint32)
    places = np.empty((CELLS, 2), dtype=np.int64)
    found = np.empty(MOST_NEIGHBOURS, dtype=np.uint32)
    end = 0
    for source in sources:
        address = min(source, images[source]) if paired else source
        if distance[address] == UNREACHED:
            distance[address] = 0
            queue[end] = address
            end += 1
    begin = 0
    while begin < end:
        address = queue[begin]
        begin += 1
        for k in range(neighbours_of(patterns, fillings, metric, np.int64(address), places, found)):
            other = min(found[k], images[found[k]]) if paired else found[k]
            if distance[other] == UNREACHED:
                distance[other] = distance[address] + 1
                queue[end] = other
                end += 1
    for i in range(len(images)):
        distance[i] = distance[min(np.uint32(i), images[i])]
    return distance
