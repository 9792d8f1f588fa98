"""Klotski (Huarong Dao): codes, ranks, groups, steps and distances of all layouts of the 4 x 5 board."""


def warm_up() -> None:
    """Compile every kernel of this room on a small class."""
    import numpy as np

    from kernels.klotski.classes import ClassName, enumerate_layouts
    from kernels.klotski.farthest import farthest, plan_group
    from kernels.klotski.group_graphs import group_graphs, own_reflections
    from kernels.klotski.moves import STEP
    from kernels.klotski.scan import rank, space_scan, unrank
    from kernels.klotski.search import distances, neighbours
    from kernels.klotski.solutions import solutions
    from kernels.klotski.step_graph import move_graph
    from kernels.klotski.symmetry import mirror

    layouts = enumerate_layouts(ClassName(1, 1, 1))
    patterns, fillings = layouts.tables.patterns, layouts.tables.fillings
    mirror(layouts.codes)
    scan = space_scan()
    unrank(scan, rank(scan, layouts.codes))
    distances(patterns, fillings, STEP, layouts.addresses[:1])
    neighbours(patterns, fillings, STEP, int(layouts.addresses[0]))
    vertex_at = np.empty(len(layouts.codes), dtype=np.int32)
    vertex_at[layouts.addresses] = np.arange(len(layouts.codes), dtype=np.int32)
    graph = move_graph(patterns, fillings, STEP, layouts.addresses, vertex_at)
    solutions(graph, layouts.codes >> np.uint64(32) == 13)
    graphs = group_graphs(layouts)  # 1,736 layouts: without reflections they take several passes
    farthest(plan_group(graphs.graph_of(0), own_reflections(layouts.codes)[:1]))
