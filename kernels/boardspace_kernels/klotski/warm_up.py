"""Calling each kernel of Klotski that runs use, once: numba compiles them and keeps their code.

The steps are done side by side, so each makes what it begins with by the Python that the kernels are written in: on
so small a class that takes a third of a second, and no step compiles what another one does.
"""

import functools

import numpy as np

from boardspace_kernels.jit import interpreted
from boardspace_kernels.klotski.balls import SOURCES, spaced_out
from boardspace_kernels.klotski.classes import ClassLayouts, ClassName, enumerate_layouts
from boardspace_kernels.klotski.distances import distances, moves_to_exit
from boardspace_kernels.klotski.farthest_steps import farthest, nothing_searched, orbit_graph, search_orbits
from boardspace_kernels.klotski.group_graphs import GroupGraphs, group_graphs
from boardspace_kernels.klotski.moves import UNIT
from boardspace_kernels.klotski.nearest_solutions import class_solutions
from boardspace_kernels.klotski.net import copy_rows, group_nets, rows_by_id, shortest_path_counts
from boardspace_kernels.klotski.scan import rank, space_scan
from boardspace_kernels.klotski.step_graph import Graph
from boardspace_kernels.klotski.survey import survey
from boardspace_kernels.klotski.trays import survey_tray, tray

NAME = ClassName(7, 0, 3)  # 1,036 layouts


def warm_up_layouts() -> None:
    """Compile the kernels that enumerate layouts.

    Those of files in the public database's form are compiled by the first who calls them.
    """
    layouts = enumerate_layouts(NAME)
    rank(space_scan(), layouts.codes)


def warm_up_moves() -> None:
    """Compile the kernels that move pieces."""
    group_graphs(_interpreted()[0])


def warm_up_solutions() -> None:
    """Compile the kernels that find and count solutions."""
    layouts, graphs = _interpreted()
    class_solutions(layouts, graphs, len(layouts.codes))
    moves_to_exit(layouts, graphs, UNIT)


def warm_up_farthest() -> None:
    """Compile the kernels that find farthest layouts, on a ring: a group of layouts that takes searches of all kinds is
    too large to be interpreted."""
    vertices = np.arange(2 * SOURCES, dtype=np.int32)
    beside = np.sort(np.stack([np.roll(vertices, 1), np.roll(vertices, -1)], axis=1), axis=1)
    ring = Graph(np.arange(0, 2 * len(vertices) + 1, 2, dtype=np.int32), beside.ravel())
    orbits = orbit_graph(ring, vertices[np.newaxis])
    farthest(orbits)
    search_orbits(orbits, nothing_searched(orbits), orbits.order)
    spaced_out(orbits.graph, orbits.images, orbits.order, 1)


def warm_up_survey() -> None:
    """Compile the kernels that look at all layouts and steps."""
    survey(NAME, *_interpreted())


def warm_up_net() -> None:
    """Compile the kernels of the net."""
    layouts, graphs = _interpreted()
    with interpreted(small=True), np.errstate(over="ignore"):
        least = distances(graphs.graph, np.zeros(len(layouts.codes), bool))
        ids = rank(space_scan(), layouts.codes)
    group_nets(layouts, graphs)
    shortest_path_counts(graphs.graph, least)
    rows = rows_by_id(layouts, graphs, ids)
    for held in rows:
        held.flags.writeable = False  # as those are that lie in files
    copy_rows(rows, 0, 1, int(rows.ids[0]), np.zeros(1, np.int64), np.empty(rows.starts[1], np.int32))


def warm_up_trays() -> None:
    """Compile the kernels of other trays, on 2 x 3 cells, which have two layouts."""
    survey_tray(tray(2, 3), 2)


@functools.cache
def _interpreted() -> tuple[ClassLayouts, GroupGraphs]:
    with interpreted(small=True), np.errstate(over="ignore"):  # popcounts multiply modulo 2 ** 64
        layouts = enumerate_layouts(NAME)
        return layouts, group_graphs(layouts)
