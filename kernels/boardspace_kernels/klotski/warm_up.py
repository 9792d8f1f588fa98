"""Calling each kernel of Klotski that runs use, once: numba compiles them and keeps their code."""

from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.farthest.balls import spaced_out
from boardspace_kernels.klotski.farthest.steps import farthest, orbit_graph
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.moves import UNIT
from boardspace_kernels.klotski.scan import rank, space_scan
from boardspace_kernels.klotski.search import distances
from boardspace_kernels.klotski.solutions import class_solutions
from boardspace_kernels.klotski.survey import survey


def warm_up() -> None:
    """Compile the kernels that every run needs, on a small class.

    The others are compiled by the first who calls them: those of the net, and of files in the public database's form.
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
