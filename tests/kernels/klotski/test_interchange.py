"""The public database's table of all layouts."""

import numpy as np
import pytest

from boardspace_kernels.klotski.classes import ClassName, class_numbers, enumerate_layouts
from boardspace_kernels.klotski.group_graphs import is_mirror
from boardspace_kernels.klotski.public_files import format_rows, main_rows
from boardspace_kernels.klotski.scan import rank, space_scan, unrank


def test_rows_are_separated_by_newlines_and_none_ends_the_file() -> None:
    ids = np.array([0, 9, 10, 29_334_497], dtype=np.uint32)
    codes = unrank(space_scan(), ids)
    text = format_rows(ids, codes, np.array([0, 7, 80, 2652], np.uint16), np.array([0, 10, 964_655, 5], np.uint32))
    jiang, bing, style = class_numbers(codes)
    names = [f"{j},{b},{s}" for j, b, s in zip(jiang, bing, style, strict=True)]
    mirror = ["Y" if own else "N" for own in is_mirror(codes)]
    numbers = ["0,0", "7,10", "80,964655", "2652,5"]
    rows = zip(ids, codes, mirror, names, numbers, strict=True)
    assert bytes(text).decode() == "\n".join(f"{i},{code:09X},{own},{name},{n}" for i, code, own, name, n in rows)


@pytest.mark.thorough
def test_the_first_rows_name_the_groups_of_their_classes() -> None:
    lines = next(main_rows()).decode().split("\n")
    layouts = enumerate_layouts(ClassName(2, 2, 1))
    groups = layouts.groups
    seen = 0
    for i, layout_id in enumerate(rank(space_scan(), layouts.codes).tolist()):
        if layout_id < len(lines):
            seen += 1
            row = lines[layout_id].split(",")
            assert (row[0], row[1]) == (str(layout_id), f"{layouts.codes[i]:09X}")
            assert row[3:] == ["2", "2", "1", str(groups.group_num[i]), str(groups.group_index[i])]
    assert seen > 100
