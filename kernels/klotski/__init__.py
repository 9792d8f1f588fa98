"""Klotski (Huarong Dao): codes, ranks, groups, steps and distances of all layouts of the 4 x 5 board."""


def warm_up() -> None:
    """Compile every kernel of this room on a small class."""
    from boardspace.kernels.klotski.classes import ClassName, enumerate_layouts
    from boardspace.kernels.klotski.farthest import farthest, plan_group
    from boardspace.kernels.klotski.farthest_lists import farthest_lists
    from boardspace.kernels.klotski.group_graphs import group_graphs, own_reflections
    from boardspace.kernels.klotski.interchange_main import format_rows
    from boardspace.kernels.klotski.moves import STEP
    from boardspace.kernels.klotski.nearest_solutions import list_nearest
    from boardspace.kernels.klotski.scan import rank, space_scan, unrank
    from boardspace.kernels.klotski.search import distances
    from boardspace.kernels.klotski.solutions import class_solutions
    from boardspace.kernels.klotski.survey import survey
    from boardspace.kernels.klotski.symmetry import mirror

    name = ClassName(1, 1, 1)
    layouts = enumerate_layouts(name)
    patterns, fillings = layouts.tables.patterns, layouts.tables.fillings
    mirror(layouts.codes)
    scan = space_scan()
    unrank(scan, rank(scan, layouts.codes))
    format_rows(rank(scan, layouts.codes), layouts.codes, layouts.groups.group_num, layouts.groups.group_index)
    distances(patterns, fillings, STEP, layouts.addresses[:1])
    graphs = group_graphs(layouts)  # 1,736 layouts: without reflections they take several passes
    plan = plan_group(graphs.graph_of(0), own_reflections(layouts.codes)[:1])
    farthest_lists(plan, farthest(plan))
    graph = graphs.graph_of(0)
    survey(name, layouts, graphs)
    found = class_solutions(layouts, graphs, len(layouts.codes))
    list_nearest(graph, found.least[: len(graph.indptr) - 1], found.nearest[: len(graph.indptr) - 1])
