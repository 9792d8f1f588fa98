"""Solutions: against the definition, and byte for byte against the public database's checksums."""

import hashlib

import pytest

from kernels.klotski.classes import ClassName, enumerate_layouts
from kernels.klotski.interchange import group_solutions, solution_rows
from tests.kernels.klotski.published import GOLDEN
from tests.naive import klotski as naive


@pytest.mark.parametrize("name", [ClassName(1, 0, 1), ClassName(7, 0, 7)], ids=str)
def test_solutions_are_those_of_the_definition(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    by_code = {naive.code(layout): layout for layout in naive.all_layouts(*name)}
    for group_num in range(len(layouts.groups.sizes)):
        codes, found = group_solutions(layouts, group_num)
        for i, code in enumerate(codes):
            expected = {naive.code(t): step for t, step in naive.solutions(by_code[code]).items()}
            least = min(expected.values(), default=-1)
            nearest = sorted(t for t, step in expected.items() if step == least)
            assert (found.min_step[i], found.min_num[i], found.num[i]) == (least, len(nearest), len(expected))
            assert [codes[v] for v in found.nearest[found.starts[i] : found.starts[i + 1]]] == nearest


QUICK = {"0-0-0", "0-1-0", "0-2-0", "0-14-0", "1-1-1", "5-2-5", "5-4-0", "6-2-3", "7-0-4"}


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in GOLDEN["solution_md5"]]
)
def test_the_solution_file_of_a_class_is_the_published_one(name: str) -> None:
    layouts = enumerate_layouts(ClassName(*map(int, name.split("-"))))
    text = "".join(solution_rows(layouts)).encode()
    assert hashlib.md5(text).hexdigest() == GOLDEN["solution_md5"][name]
