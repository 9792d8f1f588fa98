"""What is stated of every layout: counted as by definition, and missed where a layout, a name or a step is spoilt."""

from collections import Counter
from typing import NamedTuple

import numpy as np
import pytest

from boardspace_kernels.klotski.classes import ClassLayouts, ClassName, enumerate_layouts
from boardspace_kernels.klotski.group_graphs import GroupGraphs, group_graphs
from boardspace_kernels.klotski.step_graph import Graph
from boardspace_kernels.klotski.survey import Survey, count_returned, survey
from tests.naive import klotski as naive

NAME = ClassName(7, 0, 3)


class Right(NamedTuple):
    """A class as it is, with what its survey finds."""

    layouts: ClassLayouts
    graphs: GroupGraphs
    whole: Survey


@pytest.fixture(scope="module")
def right() -> Right:
    layouts = enumerate_layouts(NAME)
    graphs = group_graphs(layouts)
    return Right(layouts, graphs, survey(NAME, layouts, graphs))


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


def test_a_code_that_is_not_that_of_its_layout_is_missed(right: Right) -> None:
    codes = right.layouts.codes.copy()
    codes[[5, 6]] = codes[[6, 5]]
    assert survey(NAME, right.layouts._replace(codes=codes), right.graphs).coded == right.whole.coded - 2


def test_a_code_with_a_bit_behind_its_last_item_is_missed(right: Right) -> None:
    codes = right.layouts.codes.copy()
    codes[9] |= np.uint64(1)
    assert survey(NAME, right.layouts._replace(codes=codes), right.graphs).coded == right.whole.coded - 1


def test_a_layout_that_occurs_twice_is_counted_once(right: Right) -> None:
    codes, addresses = right.layouts.codes.copy(), right.layouts.addresses.copy()
    codes[4], addresses[4] = codes[3], addresses[3]
    assert (
        survey(NAME, right.layouts._replace(codes=codes, addresses=addresses), right.graphs).coded
        == right.whole.coded - 1
    )


def test_a_layout_of_another_class_is_missed(right: Right) -> None:
    codes = right.layouts.codes.copy()
    codes[0] = enumerate_layouts(ClassName(7, 0, 4)).codes[0]
    assert survey(NAME, right.layouts._replace(codes=codes), right.graphs).counted == right.whole.counted - 1


def renamed(right: Right, group: int | None = None, index: int | None = None) -> ClassLayouts:
    """The class with another name for its first layout."""
    nums, indices = right.layouts.groups.group_num.copy(), right.layouts.groups.group_index.copy()
    nums[0] = nums[0] if group is None else group
    indices[0] = indices[0] if index is None else index
    return right.layouts._replace(groups=right.layouts.groups._replace(group_num=nums, group_index=indices))


@pytest.mark.parametrize("index", [1, 10_000])
def test_a_name_that_another_layout_has_or_that_leaves_a_gap_is_missed(right: Right, index: int) -> None:
    assert survey(NAME, renamed(right, index=index), right.graphs).named == right.whole.named - 1
    assert (
        survey(NAME, renamed(right, group=len(right.layouts.groups.sizes)), right.graphs).named == right.whole.named - 1
    )


def test_a_name_outside_its_group_is_missed_though_its_place_is_free(right: Right) -> None:
    groups = right.layouts.groups
    nums, indices = groups.group_num.copy(), groups.group_index.copy()
    moved = np.flatnonzero((nums == 1) & (indices == 0))
    nums[moved], indices[moved] = 0, groups.sizes[0]
    spoilt = right.layouts._replace(groups=groups._replace(group_num=nums, group_index=indices))
    assert survey(NAME, spoilt, right.graphs).named == right.whole.named - 1


def test_groups_cut_in_two_are_left_and_groups_put_together_are_not_reached(right: Right) -> None:
    starts = right.graphs.starts
    cut = right.graphs._replace(starts=np.sort(np.append(starts, starts[1] // 2)))
    group = np.searchsorted(cut.starts, np.arange(starts[-1]), side="right")
    start = np.repeat(group, np.diff(right.graphs.graph.indptr))
    assert survey(NAME, right.layouts, cut).leaving == np.count_nonzero(start != group[right.graphs.graph.indices]) > 0
    joined = right.graphs._replace(starts=np.delete(starts, 1))
    assert survey(NAME, right.layouts, joined).reached == right.whole.reached - right.layouts.groups.sizes[1]


def graph_of(*rows: list[int]) -> Graph:
    indptr = np.cumsum([0, *map(len, rows)], dtype=np.int32)
    return Graph(indptr, np.array([other for row in rows for other in row], dtype=np.int32))


def test_steps_without_a_way_back_are_not_returned() -> None:
    assert count_returned(graph_of([1, 2], [0], [0])) == 4
    assert count_returned(graph_of([1, 2], [0], [])) < 3
    assert count_returned(graph_of([1], [2], [0])) < 3
    assert count_returned(graph_of([1, 1], [0, 0])) < 4
    assert count_returned(graph_of([0])) < 1
