"""Pictures of rows for the atlas: which rows, and that nothing but shapes and text is let through."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from boardspace.release.atlas.drawn import LONGEST_SVG, DrawingError, checked, pictures, sample
from boardspace.spaces.board_division.answers import draw_cover, draw_jump
from boardspace.spaces.five_in_a_row.drawings import draw_pattern, draw_witness
from boardspace.spaces.klotski.layouts import draw_hardest
from boardspace.spaces.sliding_blocks.boards import draw_board
from boardspace.spaces.solitaire.pictures import draw_position, draw_solution
from boardspace.spec.space import Column, Table

TABLE = Table("sums", "Sums.", (Column("sum", pa.uint64(), "A sum."),), ("sum",))
SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">{}</svg>'


def test_what_a_space_of_the_house_draws_is_shown() -> None:
    svg = draw_board({"board": "AAB/.CB"})
    assert checked(svg, "records") == svg
    assert draw_board({"board": None}) == ""


@pytest.mark.parametrize(
    ("draw", "row"),
    [
        (draw_cover, {"side": 8, "row_num": 8, "column_num": 1}),
        (draw_jump, {"m": 10, "n": 10, "jump": 1, "row_num": 2, "column_num": 1, "direction": 0}),
        (draw_pattern, {"k": 4, "modulus": 12, "slope": 2, "residues": [0, 1, 5, 8]}),
        (draw_witness, {"rows": 14, "columns": 14, "certificate": f'{{"witness": "{"#" * 196}"}}'}),
        (draw_position, {"board": "wiegleb", "vacancy": 23, "position": 2**45 - 1}),
        (draw_solution, {"problem": "french-last_supper", "moves": "6==>19, 14==>12, 3==>13==>27"}),
        (draw_hardest, {"hardest_step": 81, "hardest_code": 0x1A9BF0C00}),
    ],
)
def test_the_largest_pictures_of_the_house_are_shown(draw: Callable[[Any], str], row: dict[str, Any]) -> None:
    svg = draw(row)
    assert checked(svg, "the row") == svg != ""


@pytest.mark.parametrize(
    ("draw", "row"),
    [
        (draw_cover, {"side": 9, "row_num": 1, "column_num": 1}),
        (draw_jump, {"m": 11, "n": 10, "jump": 1, "row_num": 1, "column_num": 1, "direction": 0}),
        (draw_jump, {"m": 4, "n": 4, "jump": 9999, "row_num": 1, "column_num": 1, "direction": 0}),
        (draw_witness, {"rows": 15, "columns": 14, "certificate": f'{{"witness": "{"#" * 210}"}}'}),
        (draw_position, {"board": "/dev/zero", "vacancy": 1, "position": 1}),
        (draw_solution, {"problem": "mine-central", "moves": "1==>3"}),
        (draw_hardest, {"hardest_step": -1, "hardest_code": 0}),
    ],
)
def test_rows_without_a_picture_of_their_own_have_none(draw: Callable[[Any], str], row: dict[str, Any]) -> None:
    assert draw(row) == ""


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("<script>alert(1)</script>", "script"),
        ('<rect onclick="alert(1)"/>', "onclick"),
        ('<a href="https://example.org"><rect/></a>', "element"),
        ('<image href="x.png"/>', "image"),
        ('<rect style="fill:red"/>', "style"),
        ("<style>*{fill:red}</style>", "style"),
        ('<rect fill="URL(#x)"/>', "fill"),
        ("<foreignObject/>", "foreignObject"),
        ('<b xmlns="http://www.w3.org/1999/xhtml"/>', "xhtml"),
        ("<!-- -->", "declaration"),
        ("<rect", "no XML"),
    ],
)
def test_a_picture_that_could_run_load_or_link_is_refused_with_the_reason(content: str, said: str) -> None:
    with pytest.raises(DrawingError, match=f"the row.*{said}"):
        checked(SVG.format(content), "the row")


def test_what_is_no_svg_or_too_long_is_refused() -> None:
    with pytest.raises(DrawingError, match="no svg of the name space"):
        checked("<svg/>", "the row")
    with pytest.raises(DrawingError, match="32,768 signs"):
        checked(SVG.format(" " * LONGEST_SVG), "the row")
    with pytest.raises(DrawingError, match="no text"):
        checked(None, "the row")  # type: ignore[arg-type]


def test_a_row_that_cannot_be_drawn_is_named_with_what_to_mend() -> None:
    def draw(row: Any) -> str:
        raise KeyError("board")

    said = "sums, sum 7: cannot be drawn by `picture` of the table: KeyError: 'board', in the code of a plug-in"
    with pytest.raises(DrawingError, match=said):
        pictures({replace(TABLE, picture=draw): [{"sum": 7}]})


def test_rows_without_a_picture_are_left_out() -> None:
    table = replace(TABLE, picture=lambda row: SVG.format("") if row["sum"] > 1 else "")
    assert pictures({table: [{"sum": 1}, {"sum": 2**64 - 1}]}) == {
        "sums": [{"key": ["18446744073709551615"], "svg": SVG.format("")}]
    }


@pytest.mark.parametrize("sizes", [[1], [5, 7], [40, 1, 100]])
def test_the_rows_drawn_go_evenly_from_the_first_to_the_last(sizes: list[int], tmp_path: Path) -> None:
    files, first = [], 0
    for size in sizes:
        files.append(tmp_path / f"{first}.parquet")
        pq.write_table(pa.table({"sum": range(first, first + size)}), files[-1], row_group_size=8)
        first += size
    drawn = [row["sum"] for row in sample(files)]
    assert drawn[0] == 0
    assert drawn[-1] == first - 1
    assert len(drawn) == min(12, first)
    gaps = {after - before for before, after in pairwise(drawn)}
    assert not gaps or max(gaps) - min(gaps) <= 1
