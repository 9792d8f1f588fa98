"""Klotski: ranks, enumeration with groups, move graphs, distances."""

import numpy as np

from benchmarks.harness import Job, benchmark
from kernels.klotski.classes import ClassName, class_names, class_tables, enumerate_layouts
from kernels.klotski.moves import STEP, UNIT
from kernels.klotski.scan import rank, space_scan, unrank
from kernels.klotski.search import distances
from kernels.klotski.step_graph import move_graph

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
    tables = layouts.tables
    start = layouts.addresses[np.searchsorted(layouts.codes, [np.uint64(0x1A9BF0C00)])]
    return lambda: int((distances(tables.patterns, tables.fillings, STEP, start) >= 0).sum())
