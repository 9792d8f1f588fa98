"""Klotski: ranks, enumeration with groups, move graphs, distances, solutions, rows of the public database's files."""

import numpy as np

from benchmarks.harness import Job, benchmark
from boardspace.klotski import solution
from boardspace.spaces.klotski.parts.layouts.compute import solution_columns
from boardspace_kernels.klotski.classes import ClassName, class_names, class_tables, enumerate_layouts
from boardspace_kernels.klotski.distances import distances, moves_to_exit
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.moves import STEP, UNIT
from boardspace_kernels.klotski.nearest_solutions import class_solutions, count_nearest
from boardspace_kernels.klotski.net import group_nets, rows_by_id
from boardspace_kernels.klotski.public_files import format_rows, solution_rows
from boardspace_kernels.klotski.scan import rank, space_scan, unrank
from boardspace_kernels.klotski.step_graph import move_graph
from boardspace_kernels.klotski.survey import survey
from boardspace_kernels.klotski.trays import survey_tray, tray

CLASSIC = ClassName(5, 4, 1)
LARGEST = ClassName(2, 6, 1)


@benchmark(unit="layouts")
def unrank_ids() -> Job:
    scan = space_scan()
    ids = np.random.default_rng(1).integers(0, scan.size, 2_000_000).astype(np.uint32)
    return lambda: len(unrank(scan, ids))


@benchmark(unit="layouts")
def rank_codes() -> Job:
    scan = space_scan()
    codes = unrank(scan, np.random.default_rng(1).integers(0, scan.size, 2_000_000).astype(np.uint32))
    return lambda: len(rank(scan, codes))


@benchmark(unit="layouts", runs=2)
def enumerate_all_layouts_with_their_groups() -> Job:
    names = [name for name in class_names() if class_tables(name).scan.size]
    return lambda: sum(len(enumerate_layouts(name).codes) for name in names)


def _graph_of(name: ClassName, metric: int) -> Job:
    layouts = enumerate_layouts(name)
    vertex_at = np.empty(len(layouts.codes), dtype=np.int32)
    vertex_at[layouts.addresses] = np.arange(len(vertex_at), dtype=np.int32)
    tables = layouts.tables
    return lambda: len(move_graph(tables.patterns, tables.fillings, metric, layouts.addresses, vertex_at).indices)


@benchmark(unit="moves")
def steps_of_the_largest_class() -> Job:
    return _graph_of(LARGEST, STEP)


@benchmark(unit="moves")
def unit_moves_of_the_largest_class() -> Job:
    return _graph_of(LARGEST, UNIT)


@benchmark(unit="layouts")
def distances_from_the_classic_start() -> Job:
    layouts = enumerate_layouts(CLASSIC)
    graphs = group_graphs(layouts)
    start = layouts.codes[graphs.order] == 0x1A9BF0C00
    return lambda: int((distances(graphs.graph, start) >= 0).sum())


@benchmark(unit="solved layouts")
def solve_the_classic_start_without_a_dataset() -> Job:
    def job() -> int:
        way = solution("1A9BF0C")
        return 0 if way is None else 1

    return job


@benchmark(unit="layouts", runs=3)
def nearest_solutions_of_the_largest_class() -> Job:
    layouts = enumerate_layouts(LARGEST)
    graphs = group_graphs(layouts)
    graph, images = graphs.graph, graphs.reflections.mirrored
    return lambda: len(count_nearest(graph, moves_to_exit(layouts, graphs, STEP), images))


@benchmark(unit="layouts", runs=3)
def columns_of_solutions_of_the_largest_class() -> Job:
    layouts = enumerate_layouts(LARGEST)
    graphs = group_graphs(layouts)
    return lambda: len(solution_columns(layouts, graphs, 0)["min_unit_move"])


@benchmark(unit="ordered pairs", runs=3)
def all_solutions_of_a_class_of_4_empty_cells() -> Job:
    layouts = enumerate_layouts(ClassName(5, 2, 2))
    graphs = group_graphs(layouts)
    size = len(layouts.codes)
    return lambda: len(class_solutions(layouts, graphs, size).number) * int(layouts.groups.sizes[0])


@benchmark(unit="rows")
def rows_of_the_classic_class_for_the_public_database() -> Job:
    layouts = enumerate_layouts(CLASSIC)
    return lambda: sum(1 for _ in solution_rows(layouts))


@benchmark(unit="rows")
def rows_of_the_table_of_all_layouts() -> Job:
    ids = np.arange(10_000_000, 11_000_000, dtype=np.uint32)
    codes = unrank(space_scan(), ids)
    group_num, group_index = np.zeros(len(ids), np.uint16), ids // np.uint32(32)

    def job() -> int:
        format_rows(ids, codes, group_num, group_index)
        return len(ids)

    return job


@benchmark(unit="steps")
def net_of_the_largest_class() -> Job:
    layouts = enumerate_layouts(LARGEST)
    graphs = group_graphs(layouts)
    ids = rank(space_scan(), layouts.codes)

    def job() -> int:
        group_nets(layouts, graphs)
        return len(rows_by_id(layouts, graphs, ids).offsets)

    return job


@benchmark(unit="steps")
def survey_of_the_largest_class() -> Job:
    layouts = enumerate_layouts(LARGEST)
    graphs = group_graphs(layouts)
    return lambda: survey(LARGEST, layouts, graphs).steps


@benchmark(unit="layouts", runs=2)
def tray_of_4_x_4_cells() -> Job:
    return lambda: survey_tray(tray(4, 4), 453_024).layouts
