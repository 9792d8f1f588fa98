"""Groups, steps and distances, against walking by hand."""

from collections import Counter

import numpy as np
import pytest

from kernels.klotski.classes import ClassName, enumerate_layouts
from kernels.klotski.moves import STEP, STRAIGHT, UNIT
from kernels.klotski.scan import rank
from kernels.klotski.search import UNREACHED, distances, neighbours
from kernels.klotski.step_graph import move_graph
from kernels.klotski.symmetry import mirror
from tests.naive import klotski as naive

SMALL = [
    ClassName(1, 1, 0),
    ClassName(2, 0, 1),
    ClassName(7, 0, 3),
    ClassName(0, 13, 0),
    ClassName(6, 0, 2),
]


@pytest.mark.parametrize("name", SMALL, ids=str)
def test_groups_numbers_and_distances_are_those_of_walking_by_hand(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    tables = layouts.tables
    waiting = {naive.code(layout): layout for layout in naive.layouts(*name)}
    groups = []
    while waiting:
        code = min(waiting)
        found = {naive.code(layout): distance for layout, distance in naive.distances(waiting[code]).items()}
        for member in found:
            del waiting[member]
        groups.append(found)
    groups.sort(key=lambda group: (-len(group), min(group)))
    assert layouts.groups.sizes.tolist() == [len(group) for group in groups]
    row = {code: i for i, code in enumerate(layouts.codes.tolist())}
    for number, group in enumerate(groups):
        rows = [row[code] for code in sorted(group)]
        assert layouts.groups.group_num[rows].tolist() == [number] * len(rows)
        assert layouts.groups.group_index[rows].tolist() == list(range(len(rows)))
        source = layouts.addresses[rows[0] : rows[0] + 1]
        by_row = distances(tables.patterns, tables.fillings, STEP, source)[layouts.addresses]
        assert by_row[rows].tolist() == [group[code] for code in sorted(group)]
        assert (by_row != UNREACHED).sum() == len(rows)


@pytest.mark.parametrize("metric", [STEP, STRAIGHT, UNIT])
def test_moves_can_be_taken_back_and_stay_in_the_group(metric: int) -> None:
    layouts = enumerate_layouts(ClassName(3, 2, 1))
    tables = layouts.tables
    group = np.empty(len(layouts.codes), dtype=np.int64)
    group[layouts.addresses] = layouts.groups.group_num
    for address in np.random.default_rng(metric).choice(len(group), 300, replace=False).tolist():
        for other in neighbours(tables.patterns, tables.fillings, metric, address).tolist():
            assert group[other] == group[address]
            assert address in neighbours(tables.patterns, tables.fillings, metric, other).tolist()


def test_unit_and_straight_moves_are_among_the_steps() -> None:
    layouts = enumerate_layouts(ClassName(4, 2, 2))
    tables = layouts.tables
    for address in range(0, len(layouts.codes), 997):
        steps, straight, unit = (
            Counter(neighbours(tables.patterns, tables.fillings, metric, address).tolist())
            for metric in (STEP, STRAIGHT, UNIT)
        )
        assert unit <= straight <= steps
        assert set(steps.values()) <= {1}


def test_mirrors_map_groups_to_groups() -> None:
    layouts = enumerate_layouts(ClassName(5, 2, 3))
    images = rank(layouts.tables.scan, mirror(layouts.codes))
    pairs = set(zip(layouts.groups.group_num.tolist(), layouts.groups.group_num[images].tolist(), strict=True))
    assert len(pairs) == len(layouts.groups.sizes)


def test_the_classic_start_takes_81_steps_or_116_unit_moves() -> None:
    layouts = enumerate_layouts(ClassName(5, 4, 1))
    tables = layouts.tables
    row = layouts.codes.tolist().index(0x1A9BF0C00)
    assert layouts.groups.sizes[layouts.groups.group_num[row]] == 25_955
    at_exit = layouts.codes >> np.uint64(32) == 13
    for metric, least in ((STEP, 81), (UNIT, 116)):
        by_row = distances(tables.patterns, tables.fillings, metric, layouts.addresses[row : row + 1])[
            layouts.addresses
        ]
        assert by_row[at_exit & (by_row != UNREACHED)].min() == least


def test_the_graph_of_a_group_has_the_neighbours_of_each_layout() -> None:
    layouts = enumerate_layouts(ClassName(2, 3, 1))
    tables = layouts.tables
    vertex_at = np.empty(len(layouts.codes), dtype=np.int32)
    vertex_at[layouts.addresses] = np.arange(len(layouts.codes), dtype=np.int32)
    graph = move_graph(tables.patterns, tables.fillings, STEP, layouts.addresses, vertex_at)
    for vertex in range(0, len(layouts.codes), 1009):
        expected = vertex_at[neighbours(tables.patterns, tables.fillings, STEP, int(layouts.addresses[vertex]))]
        assert sorted(graph.indices[graph.indptr[vertex] : graph.indptr[vertex + 1]]) == sorted(expected)
