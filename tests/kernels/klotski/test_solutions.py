"""Solutions: against the definition, and byte for byte against the public database's checksums."""

import hashlib

import numpy as np
import pytest

from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.nearest_solutions import class_solutions, list_nearest
from boardspace_kernels.klotski.public_files import solution_rows
from boardspace_kernels.klotski.solution_counts import count_solutions
from boardspace_kernels.klotski.step_graph import Graph
from tests.daily import daily
from tests.kernels.klotski.published import GOLDEN
from tests.naive import klotski as naive


@pytest.mark.parametrize("name", daily([ClassName(1, 0, 1), ClassName(6, 0, 1), ClassName(7, 0, 7)], 2), ids=str)
def test_solutions_are_those_of_the_definition(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    graphs = group_graphs(layouts)
    found = class_solutions(layouts, graphs, len(layouts.codes))
    starts, nearest = list_nearest(graphs.graph, found.least, found.nearest)
    codes = layouts.codes[layouts.name_order()].tolist()
    by_code = {naive.code(layout): layout for layout in naive.all_layouts(*name)}
    for i in range(0, len(codes), 1 + len(codes) // 1000):
        expected = {naive.code(t): step for t, step in naive.solutions(by_code[codes[i]]).items()}
        least = min(expected.values(), default=-1)
        first = sorted(t for t, step in expected.items() if step == least)
        assert (found.least[i], found.nearest[i], found.number[i]) == (least, len(first), len(expected))
        assert [codes[v] for v in nearest[starts[i] : starts[i + 1]]] == first


def test_only_groups_up_to_the_size_asked_for_are_counted() -> None:
    layouts = enumerate_layouts(ClassName(6, 0, 1))
    graphs = group_graphs(layouts)
    whole = class_solutions(layouts, graphs, len(layouts.codes))
    part = class_solutions(layouts, graphs, int(layouts.groups.sizes[2]))
    assert part.counted == layouts.groups.sizes[layouts.groups.sizes > layouts.groups.sizes[2]].sum()
    assert (part.number[part.counted :] == whole.number[part.counted :]).all()
    assert (part.least == whole.least).all()
    assert (part.nearest == whole.nearest).all()


def test_an_image_that_is_no_image_leaves_a_remainder_and_is_refused() -> None:
    path = Graph(np.array([0, 1, 2, 2], dtype=np.int32), np.array([1, 0], dtype=np.int32))
    images = np.array([0, 2, 1], dtype=np.int32)
    with pytest.raises(ArithmeticError, match="half of"):
        count_solutions(path, np.array([0, 3]), np.array([True, False, False]), images)


QUICK = {"0-0-0", "0-1-0", "0-2-0", "0-14-0", "1-1-1", "5-2-5", "5-4-0", "6-2-3", "7-0-4"}


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in GOLDEN["solution_md5"]]
)
def test_the_solution_file_of_a_class_is_the_published_one(name: str) -> None:
    layouts = enumerate_layouts(ClassName(*map(int, name.split("-"))))
    digest = hashlib.md5()
    for row in solution_rows(layouts):
        digest.update(row.encode())
    assert digest.hexdigest() == GOLDEN["solution_md5"][name]
