"""All pairs of layouts of a group by their distance in steps, and the farthest steps that the same searches find.

The number of ordered pairs that are d steps apart is the sum, over all layouts v, of the layouts that are d steps
from v. A search from v counts them, layer by layer, and those from its images under the reflections that keep the
group count the same; so one layout of each orbit is searched, and what it counts is taken as often as its orbit is
large. Passes (:mod:`.passes`) count for all their sources together: so the sources of one pass have orbits of one
size.

Margins (:mod:`.steps`) settle a layout that is nobody's farthest without a search, and its distances stay unknown.
Here nothing is settled: every orbit is searched, which over all groups makes 2.98e12 pairs of an orbit and a layout.
In shallow groups, where margins settle little, that takes 0.9 times as long as the farthest steps alone, since no
margins are kept; with 4 to 7 empty cells 3 to 5 times, with 2, where margins settle nearly all, 10 times. What the
passes learn of farthest steps comes with it.

The numbers of a group add up to the square of its size; half their first moment is the Wiener index of the group.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.klotski.farthest.balls import level_images
from boardspace_kernels.klotski.farthest.passes import make_workspace, search_pass
from boardspace_kernels.klotski.farthest.rows import SOURCES
from boardspace_kernels.klotski.farthest.steps import OrbitGraph, Progress, nothing_searched

ORBIT_SIZES = (1, 2, 4)


def search_counted(orbits: OrbitGraph, sources: npt.NDArray[np.int32]) -> tuple[Progress, npt.NDArray[np.int64]]:
    """Search from the orbits ``sources`` int32, some of ``orbits.order``.

    Returns the progress, to be merged with that of all other orbits, and the pairs, int64 (steps): at ``d`` the ordered
    pairs of a layout of these orbits and a layout of the group that are d steps apart; 0 beyond the farthest.
    """
    progress = nothing_searched(orbits)
    work = make_workspace(len(orbits.weight), pairs=True)
    pairs = np.zeros_like(work.pairs)
    sizes = orbits.weight[sources]
    for size in ORBIT_SIZES:
        alike = sources[sizes == size]
        pairs[0] += size * len(alike)
        for first in range(0, len(alike), SOURCES):
            some = alike[first : first + SOURCES]
            search_pass(orbits.graph, some, orbits.weight[some], progress.steps, progress.counts, work)
            level_images(orbits.images, progress.steps, progress.counts)
            pairs += size * work.pairs
    return progress, pairs
