"""What is stated of every layout: counted as by definition, and missed where a layout, a name or a step is spoilt."""

from collections import Counter

import numpy as np
import pytest

from boardspace_kernels.klotski.classes import ClassLayouts, ClassName, enumerate_layouts
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.step_graph import Graph
from boardspace_kernels.klotski.survey import count_returned, survey
from tests.naive import klotski as naive

NAME = ClassName(7, 0, 3)
LAYOUTS = enumerate_layouts(NAME)
GRAPHS = group_graphs(LAYOUTS)
WHOLE = survey(NAME, LAYOUTS, GRAPHS)


@pytest.mark.parametrize("name", [ClassName(1, 0, 1), ClassName(0, 1, 0), ClassName(6, 0, 6), NAME], ids=str)
def test_every_layout_of_a_class_fulfils_what_is_stated_of_all(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    found = survey(name, layouts, group_graphs(layouts))
    by_definition = naive.all_layouts(*name)
    texts = [f"{naive.code(layout):09X}" for layout in by_definition]
    assert found.coded == found.counted == found.named == found.reached == len(by_definition)
    assert found.steps == found.returned == sum(len(naive.steps(layout)) for layout in by_definition)
    assert found.leaving == 0
    assert found.items == 16 - name.jiang
    lengths = Counter(len(text.rstrip("0")) for text in texts)
    assert found.digits == [lengths[length] for length in range(10)]
    places = Counter(int(text[0], 16) for text in texts)
    assert found.blocks == [places[cell] for cell in range(20)]


def test_a_code_that_is_not_that_of_its_layout_is_missed() -> None:
    codes = LAYOUTS.codes.copy()
    codes[[5, 6]] = codes[[6, 5]]
    assert survey(NAME, LAYOUTS._replace(codes=codes), GRAPHS).coded == WHOLE.coded - 2


def test_a_code_with_a_bit_behind_its_last_item_is_missed() -> None:
    codes = LAYOUTS.codes.copy()
    codes[9] |= np.uint64(1)
    assert survey(NAME, LAYOUTS._replace(codes=codes), GRAPHS).coded == WHOLE.coded - 1


def test_a_layout_that_occurs_twice_is_counted_once() -> None:
    codes, addresses = LAYOUTS.codes.copy(), LAYOUTS.addresses.copy()
    codes[4], addresses[4] = codes[3], addresses[3]
    assert survey(NAME, LAYOUTS._replace(codes=codes, addresses=addresses), GRAPHS).coded == WHOLE.coded - 1


def test_a_layout_of_another_class_is_missed() -> None:
    codes = LAYOUTS.codes.copy()
    codes[0] = enumerate_layouts(ClassName(7, 0, 4)).codes[0]
    assert survey(NAME, LAYOUTS._replace(codes=codes), GRAPHS).counted == WHOLE.counted - 1


def renamed(group: int | None = None, index: int | None = None) -> ClassLayouts:
    """The class with another name for its first layout."""
    nums, indices = LAYOUTS.groups.group_num.copy(), LAYOUTS.groups.group_index.copy()
    nums[0] = nums[0] if group is None else group
    indices[0] = indices[0] if index is None else index
    return LAYOUTS._replace(groups=LAYOUTS.groups._replace(group_num=nums, group_index=indices))


@pytest.mark.parametrize("index", [1, 10_000])
def test_a_name_that_another_layout_has_or_that_leaves_a_gap_is_missed(index: int) -> None:
    assert survey(NAME, renamed(index=index), GRAPHS).named == WHOLE.named - 1
    assert survey(NAME, renamed(group=len(LAYOUTS.groups.sizes)), GRAPHS).named == WHOLE.named - 1


def test_a_name_outside_its_group_is_missed_though_its_place_is_free() -> None:
    groups = LAYOUTS.groups
    nums, indices = groups.group_num.copy(), groups.group_index.copy()
    moved = np.flatnonzero((nums == 1) & (indices == 0))
    nums[moved], indices[moved] = 0, groups.sizes[0]
    spoilt = LAYOUTS._replace(groups=groups._replace(group_num=nums, group_index=indices))
    assert survey(NAME, spoilt, GRAPHS).named == WHOLE.named - 1


def test_groups_cut_in_two_are_left_and_groups_put_together_are_not_reached() -> None:
    starts = GRAPHS.starts
    cut = GRAPHS._replace(starts=np.sort(np.append(starts, starts[1] // 2)))
    group = np.searchsorted(cut.starts, np.arange(starts[-1]), side="right")
    start = np.repeat(group, np.diff(GRAPHS.graph.indptr))
    assert survey(NAME, LAYOUTS, cut).leaving == np.count_nonzero(start != group[GRAPHS.graph.indices]) > 0
    joined = GRAPHS._replace(starts=np.delete(starts, 1))
    assert survey(NAME, LAYOUTS, joined).reached == WHOLE.reached - LAYOUTS.groups.sizes[1]


def graph_of(*rows: list[int]) -> Graph:
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    return Graph(indptr, np.array([other for row in rows for other in row], dtype=np.int32))


def test_steps_without_a_way_back_are_not_returned() -> None:
    assert count_returned(graph_of([1, 2], [0], [0])) == 4
    assert count_returned(graph_of([1, 2], [0], [])) < 3
    assert count_returned(graph_of([1], [2], [0])) < 3
    assert count_returned(graph_of([1, 1], [0, 0])) < 4
    assert count_returned(graph_of([0])) < 1
