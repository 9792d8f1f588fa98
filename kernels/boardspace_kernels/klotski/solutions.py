"""The solutions of all layouts of a class.

T is a solution of A if T has the feature S (its block at the exit) and no shortest path from A to T holds another
layout with S, A included. :mod:`.nearest_solutions` finds those at the least step, which are few and
found at once; :mod:`boardspace_kernels.klotski.solution_counts` counts all, which takes a search from nearly every T.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.klotski.board import EXIT
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.codes import BLOCK_SHIFT
from boardspace_kernels.klotski.group_graphs import GroupGraphs
from boardspace_kernels.klotski.nearest_solutions import count_nearest, nearest_exit
from boardspace_kernels.klotski.solution_counts import count_solutions


class Solutions(NamedTuple):
    """For each layout of a class, in name order: ``least`` int16, steps to the nearest solution, NO_SOLUTION where the
    group has no S; ``nearest`` uint32, how many are that near; ``number`` uint32, how many there are, valid from layout
    ``counted`` on."""

    least: npt.NDArray[np.int16]
    nearest: npt.NDArray[np.uint32]
    number: npt.NDArray[np.uint32]
    counted: int


def class_solutions(layouts: ClassLayouts, graphs: GroupGraphs, largest_counted: int) -> Solutions:
    """The solutions of all layouts of a class, counted in groups of at most ``largest_counted`` layouts."""
    at_exit = layouts.codes[layouts.name_order()] >> np.uint64(BLOCK_SHIFT) == EXIT
    # groups are in order of size, so those to count are the last ones
    first = int(np.count_nonzero(layouts.groups.sizes > largest_counted))
    images = graphs.reflections.mirrored
    least = nearest_exit(graphs.graph, at_exit, images)
    number = count_solutions(graphs.graph, graphs.starts[first:], at_exit, images)
    return Solutions(least, count_nearest(graphs.graph, least, images), number, int(graphs.starts[first]))
