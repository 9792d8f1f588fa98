"""Distances inside a class, breadth first from one layout or from many at once.

Layouts are named by their addresses (see :mod:`.patterns`), so that the distances of a class fit one
array without a hash table. Cost: one generation of all neighbours for each layout reached. Where the graph of steps is
there already, :mod:`.exit_moves` takes less.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import CELLS
from boardspace_kernels.klotski.moves import MOST_NEIGHBOURS, neighbours_of
from boardspace_kernels.klotski.patterns import Fillings, Patterns

UNREACHED = -1


@kernel
def distances(
    patterns: Patterns,
    fillings: Fillings,
    metric: int,
    sources: npt.NDArray[np.uint32],
) -> npt.NDArray[np.int16]:
    """Least number of moves from the nearest of ``sources`` uint32 (addresses) to every address of the class, int16
    (layouts), UNREACHED where no moves lead. ``metric`` as in :mod:`boardspace_kernels.klotski.moves`."""
    distance = np.full(len(patterns.free) * len(fillings.cells), UNREACHED, dtype=np.int16)
    queue = np.empty(len(distance), dtype=np.uint32)
    places = np.empty((CELLS, 2), dtype=np.int64)
    found = np.empty(MOST_NEIGHBOURS, dtype=np.uint32)
    end = 0
    for source in sources:
        if distance[source] == UNREACHED:
            distance[source] = 0
            queue[end] = source
            end += 1
    begin = 0
    while begin < end:
        address = queue[begin]
        begin += 1
        for k in range(neighbours_of(patterns, fillings, metric, np.int64(address), places, found)):
            other = found[k]
            if distance[other] == UNREACHED:
                distance[other] = distance[address] + 1
                queue[end] = other
                end += 1
    return distance
