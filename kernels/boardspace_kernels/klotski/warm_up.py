"""Calling each kernel of Klotski that runs use, once: numba compiles them and keeps their code."""

import numpy as np

from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.farthest.balls import spaced_out
from boardspace_kernels.klotski.farthest.steps import farthest, orbit_graph
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.moves import UNIT
from boardspace_kernels.klotski.nearest_solutions import class_solutions, nearest_exit
from boardspace_kernels.klotski.net import copy_rows, group_nets, rows_by_id, shortest_path_counts
from boardspace_kernels.klotski.scan import rank, space_scan
from boardspace_kernels.klotski.search import distances
from boardspace_kernels.klotski.survey import survey
from boardspace_kernels.klotski.trays import survey_tray, tray


def warm_up() -> None:
    """Compile the kernels that every run needs, on a small class.

    Those of files in the public database's form are compiled by the first who calls them.
    """
    name = ClassName(1, 1, 1)
    layouts = enumerate_layouts(name)
    rank(space_scan(), layouts.codes)
    distances(layouts.tables.patterns, layouts.tables.fillings, UNIT, layouts.addresses[:1])
    graphs = group_graphs(layouts)  # 1,736 layouts: without reflections they take several passes
    survey(name, layouts, graphs)
    class_solutions(layouts, graphs, len(layouts.codes))
    orbits = orbit_graph(graphs.graph_of(0), graphs.reflections.of_group(0)[:1])
    farthest(orbits)
    spaced_out(orbits.graph, orbits.images, orbits.order, 1)  # the group is too shallow for nets


def warm_up_net() -> None:
    """Compile the kernels of the net, on a class of 1,036 layouts."""
    layouts = enumerate_layouts(ClassName(7, 0, 3))
    graphs = group_graphs(layouts)
    group_nets(layouts, graphs)
    shortest_path_counts(graphs.graph, nearest_exit(graphs.graph, np.zeros(len(layouts.codes), bool)))
    rows = rows_by_id(layouts, graphs, rank(space_scan(), layouts.codes))
    for held in rows:
        held.flags.writeable = False  # as those are that lie in files
    copy_rows(rows, 0, 1, int(rows.ids[0]), np.zeros(1, np.int64), np.empty(rows.starts[1], np.int32))


def warm_up_trays() -> None:
    """Compile the kernels of other trays, on 2 x 3 cells, which have two layouts."""
    survey_tray(tray(2, 3), 2)
