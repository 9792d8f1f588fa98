"""Layouts as people write, see and move them; against the kernels and the naive oracle."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardspace import klotski
from boardspace.spaces.klotski import pictures
from boardspace.spaces.klotski.queries import LayoutInClass
from boardspace.spaces.klotski.texts import encode
from boardspace_kernels.klotski.scan import space_scan, unrank

LAYOUTS = st.integers(0, 29_334_497).map(
    lambda layout_id: klotski.Layout(int(unrank(space_scan(), np.array([layout_id], dtype=np.uint32))[0]))
)
START = klotski.parse("1A9BF0C")


@given(LAYOUTS)
def test_a_drawing_and_a_code_are_read_back(layout: klotski.Layout) -> None:
    assert klotski.parse(layout.drawing) == layout
    assert klotski.parse(layout.drawing.replace("\n", " ")) == layout
    assert klotski.parse(f"0x{layout.text.lower().rstrip('0') or '0'}") == layout
    assert encode(layout.pieces[::-1]) == layout.code


@given(LAYOUTS)
def test_a_picture_shows_pieces_where_they_are_and_nothing_where_none_is(layout: klotski.Layout) -> None:
    lines = pictures.lines(layout.pieces)
    assert {len(line) for line in lines} == {2 + 4 * 4}
    for cell in range(20):
        row, column = 1 + 2 * (cell // 4), 1 + 4 * (cell % 4)
        signs = "".join(lines[y][column : column + 4] for y in (row, row + 1))
        inside = any({cell, cell - 1, cell - 4} & {p.cell} and p.height == p.width == 2 for p in layout.pieces)
        assert (signs.isspace() and not inside) == (cell in layout.empty)
    assert re.findall("[A-S]", "".join(lines)) == sorted(
        pictures.LETTERS[: len(layout.pieces)], key=lambda letter: layout.pieces[pictures.LETTERS.index(letter)].cell
    )


@settings(max_examples=settings().max_examples // 10)
@given(LAYOUTS)
def test_neighbours_are_those_of_the_kernels(layout: klotski.Layout) -> None:
    located = LayoutInClass(layout.code)
    one_step = set(located.codes[located.steps == 1].tolist())
    steps = klotski.neighbours(layout)
    assert len(steps) == len({step.layout for step in steps})
    assert {step.layout.code for step in steps} == one_step


def test_a_step_says_which_piece_went_where_and_how() -> None:
    for step in klotski.neighbours(START):
        cell = step.start.cell
        for arrow in step.route:
            cell += {"↑": -4, "←": -1, "→": 1, "↓": 4}[arrow]
        assert cell == step.end.cell
        assert set(step.layout.pieces) - set(START.pieces) == {step.end}


def test_the_classic_start_by_all_its_names() -> None:
    ways = ["横刀立马", "heng dao li ma", "Héng-Dāo-Lì-Mǎ", "hengdaolima", "0x1A9BF0C00", "5-4-1-1-7472", "id:4091296"]
    drawings = ["ABBC\nABBC\nDEEF\nDGHF\nI..J\n", "ABBC ABBC DEEF DGHF I00J", "1221\n1221\n3443\n3563\n5  6\n"]
    assert {klotski.parse(text) for text in [*ways, *drawings]} == {START}
    assert klotski.parse(4091296) == START


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nonsense", "a layout is written as a code (1A9BF0C: hexadecimal digits"),
        ("ABBC ABBC DEEF DGHF IKLJ", "1 blocks of 2x2 and 0 empty cells"),
        ("AAAC AAAC DEEF DGHF I..J", "row 1, column 1: the cells of 'A' are no piece"),
        ("ABBC\nABBC\nDEEF", "a drawing has 5 lines of 4 signs"),
        ("ABCD ABCD EFGH EFGH ....", "0 blocks of 2x2"),
        ("id:29334498", "ids go from 0 to 29,334,497"),
        ("5-4-1-1-99999", "there is no 99999"),
    ],
)
def test_what_is_no_layout_is_told(text: str, message: str) -> None:
    with pytest.raises(klotski.LayoutError, match=re.escape(message)):
        klotski.parse(text)


def test_the_known_starts_need_as_many_steps_as_is_told_of_them() -> None:
    """Their drawings come from memory of the trade; that the search finds the steps generally told vouches for them."""
    import tomllib
    from pathlib import Path

    from boardspace.spaces.klotski import layouts

    told = tomllib.loads(Path(layouts.__file__).with_name("starts.toml").read_text(encoding="utf-8"))["start"]
    found = {start.name: klotski.solution(start.layout) for start in klotski.starts()}
    assert {entry["name"]: entry["steps"] for entry in told} == {
        name: None if way is None else len(way) for name, way in found.items()
    }


def test_a_solution_is_a_way_of_single_steps_to_the_exit() -> None:
    way = klotski.solution(START)
    assert way is not None
    assert len(way) == 81
    for before, after in zip(way.layouts, way.layouts[1:], strict=False):
        assert after in {step.layout for step in klotski.neighbours(before)}
    assert way.layouts[-1].pieces[0].cell == 13
    drawn = [lines for _, lines in way.boards()]
    assert all(sum("┏" in line for line in lines) == 1 for lines in drawn[1:])
    assert way._repr_svg_().count("<g ") == 82


def test_a_group_its_members_and_its_farthest_layouts() -> None:
    found = klotski.group(START)
    assert found.size == len(set(found.members())) == 25_955
    layers = klotski.layers(START)
    assert sum(layers.sizes) == found.size
    assert layers.farthest == klotski.farthest(START)
    ways = klotski.path(START, layers.farthest[0])
    assert ways is not None
    assert len(ways.path) == layers.steps
    assert klotski.path(START, klotski.parse("4FEA134")) is None or klotski.group(klotski.parse("4FEA134")) == found
