"""Groups, their numbering, the neighbours of layouts and distances."""

from collections.abc import Callable, Iterable

import numpy as np
import pytest

from boardspace_kernels.klotski.classes import ClassLayouts, ClassName, enumerate_layouts
from boardspace_kernels.klotski.distances import distances, moves_to_exit
from boardspace_kernels.klotski.group_graphs import group_graphs, mirror
from boardspace_kernels.klotski.moves import STEP, STRAIGHT, UNIT
from boardspace_kernels.klotski.step_graph import Graph, move_graph
from tests.kernels.klotski.published import GOLDEN
from tests.naive import klotski as naive

SMALL = [ClassName(1, 1, 1), ClassName(7, 0, 3), ClassName(6, 0, 6), ClassName(1, 0, 1), ClassName(0, 1, 0)]
MOVES: dict[int, Callable[[naive.Layout], Iterable[naive.Layout]]] = {
    STEP: naive.steps,
    UNIT: lambda layout: set(naive.unit_moves(layout)),
}


def graph_by_code(layouts: ClassLayouts, metric: int) -> Graph:
    vertex_at = np.empty(len(layouts.codes), dtype=np.int32)
    vertex_at[layouts.addresses] = np.arange(len(vertex_at), dtype=np.int32)
    return move_graph(layouts.tables.patterns, layouts.tables.fillings, metric, layouts.addresses, vertex_at)


@pytest.mark.parametrize("name", SMALL, ids=str)
def test_groups_and_their_numbers_are_those_of_the_definition(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    groups = layouts.groups
    for number, codes in enumerate(naive.groups(naive.all_layouts(*name))):
        members = layouts.codes[groups.group_num == number]
        assert members.tolist() == codes
        assert groups.group_index[groups.group_num == number].tolist() == list(range(len(codes)))
        assert groups.sizes[number] == len(codes)


@pytest.mark.parametrize("metric", MOVES, ids=["step", "unit"])
@pytest.mark.parametrize("name", SMALL[1:], ids=str)
def test_neighbours_are_those_of_the_definition(name: ClassName, metric: int) -> None:
    layouts = enumerate_layouts(name)
    graph = graph_by_code(layouts, metric)
    by_definition = {naive.code(layout): layout for layout in naive.all_layouts(*name)}
    for vertex, code in enumerate(layouts.codes.tolist()):
        found = layouts.codes[graph.indices[graph.indptr[vertex] : graph.indptr[vertex + 1]]].tolist()
        assert sorted(found) == sorted(map(naive.code, MOVES[metric](by_definition[code])))


@pytest.mark.parametrize("metric", MOVES, ids=["step", "unit"])
def test_the_graph_is_symmetric_and_stays_inside_groups(metric: int) -> None:
    layouts = enumerate_layouts(ClassName(5, 3, 2))
    graph = graph_by_code(layouts, metric)
    start = np.repeat(np.arange(len(layouts.codes)), np.diff(graph.indptr))
    forward = np.sort(start * len(layouts.codes) + graph.indices)
    assert (forward == np.sort(graph.indices.astype(np.int64) * len(layouts.codes) + start)).all()
    assert (np.diff(forward) > 0).all()
    assert (layouts.groups.group_num[start] == layouts.groups.group_num[graph.indices]).all()


@pytest.mark.parametrize("name", GOLDEN["groups"])
def test_the_numbers_of_groups_are_the_published_ones(name: str) -> None:
    jiang, bing = map(int, name.split("-"))
    found = [len(enumerate_layouts(ClassName(jiang, bing, style)).groups.sizes) for style in range(jiang + 1)]
    assert found == GOLDEN["groups"][name]


@pytest.mark.parametrize("name", GOLDEN["group_sizes"])
def test_the_sizes_of_groups_are_the_published_ones(name: str) -> None:
    sizes = enumerate_layouts(ClassName(*map(int, name.split("-")))).groups.sizes.tolist()
    assert sizes == [size for size, times in GOLDEN["group_sizes"][name] for _ in range(times)]


def test_the_mirror_image_of_a_group_is_a_group() -> None:
    layouts = enumerate_layouts(ClassName(5, 3, 3))
    num = layouts.groups.group_num
    image = num[np.searchsorted(layouts.codes, mirror(layouts.codes))]
    for number in range(len(layouts.groups.sizes)):
        assert len(set(image[num == number].tolist())) == 1


def test_distances_are_those_of_the_definition_and_differ_by_at_most_1_between_neighbours() -> None:
    layouts = enumerate_layouts(ClassName(7, 0, 4))
    graph = graph_by_code(layouts, STEP)
    found = distances(graph, np.arange(len(layouts.codes)) == 0)
    by_code = {naive.code(layout): layout for layout in naive.all_layouts(7, 0, 4)}
    expected = {naive.code(k): d for k, d in naive.distances(by_code[int(layouts.codes[0])]).items()}
    assert found.tolist() == [expected.get(code, -1) for code in layouts.codes.tolist()]
    from_, to = np.repeat(found, np.diff(graph.indptr)), found[graph.indices]
    assert (np.abs(from_ - to) <= 1).all()


def test_the_classic_start_has_25955_layouts_in_its_group_and_needs_81_steps() -> None:
    layouts = enumerate_layouts(ClassName(5, 4, 1))
    row = int(np.searchsorted(layouts.codes, np.uint64(0x1A9BF0C00)))
    assert layouts.groups.sizes[layouts.groups.group_num[row]] == 25_955
    assert distances(graph_by_code(layouts, STEP), layouts.at_exit)[row] == 81
    assert distances(graph_by_code(layouts, UNIT), layouts.at_exit)[row] == 116


@pytest.mark.parametrize(
    "name", [ClassName(7, 0, 3), ClassName(1, 1, 1), ClassName(6, 1, 2), ClassName(0, 4, 0)], ids=str
)
def test_unit_moves_to_the_exit_read_off_steps_are_those_found_by_making_the_moves(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    made = distances(graph_by_code(layouts, UNIT), layouts.at_exit)
    assert (moves_to_exit(layouts, group_graphs(layouts), UNIT) == made[layouts.name_order()]).all()


@pytest.mark.parametrize("name", [ClassName(0, 2, 0), ClassName(7, 0, 3), ClassName(1, 1, 1)], ids=str)
def test_straight_moves_to_the_exit_are_those_of_the_definition(name: ClassName) -> None:
    """Of two singles one may go round the other to a cell of its own row: a straight move is not enough for that."""
    layouts = enumerate_layouts(name)
    codes = layouts.codes[layouts.name_order()]
    queue = [layout for layout in naive.all_layouts(*name) if naive.at_exit(layout)]
    expected = dict.fromkeys(queue, 0)
    for layout in queue:
        for other in naive.straight_moves(layout):
            if other not in expected:
                expected[other] = expected[layout] + 1
                queue.append(other)
    found = moves_to_exit(layouts, group_graphs(layouts), STRAIGHT)
    by_code = {naive.code(k): d for k, d in expected.items()}
    assert found.tolist() == [by_code.get(code, -1) for code in codes.tolist()]
