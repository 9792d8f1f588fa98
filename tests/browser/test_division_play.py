"""Trominoes and rectangles of pegs as games: played to the end by what the data hold, shared, taken back, stuck."""

from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import zarr

from tests.browser.conftest import Reader
from tests.browser.test_pages import picture, violations

WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def test_a_cover_of_the_data_is_laid_cell_by_cell(site: str, release: Path, reader: Reader) -> None:
    cover = np.asarray(zarr.open_array(release / "board_division/arrays.zarr/covers/2", mode="r")[6]).ravel()
    page = reader.open(site, "division/tiling?k=2&row=2&column=3")
    assert reader.text(".said") == "0 of 5 trominoes"
    page.wait_for_selector("text=This board has")
    for tromino in range(1, 6):
        for cell in np.flatnonzero(cover == tromino):
            page.click(f"[data-cell='{cell}']")
    page.wait_for_selector(".tiling.won")
    assert reader.text(".said") == "Covered, by 5 trominoes"
    shared = reader.address.split("#/")[1]
    page.click("text=Undo")
    assert reader.text(".said").startswith("4 of 5 trominoes")
    reader.open(site, shared)
    assert reader.text(".said") == "Covered, by 5 trominoes"
    page.click(f"[data-cell='{int(np.flatnonzero(cover == 2)[0])}']")
    assert reader.text(".said").startswith("4 of 5 trominoes"), "a tromino that is touched is taken away"


def test_a_stroke_over_three_cells_lays_a_tromino_and_keys_do(site: str, phone: Reader) -> None:
    page = phone.open(site, "division/tiling?k=1&row=2&column=2")
    box = page.locator("svg.tiling").bounding_box()
    at = [
        (box["x"] + box["width"] * x, box["y"] + box["height"] * y)
        for x, y in ((0.75, 0.25), (0.25, 0.25), (0.25, 0.75))
    ]
    page.mouse.move(*at[0])
    page.mouse.down()
    for place in at[1:]:
        page.mouse.move(*place, steps=4)
    page.mouse.up()
    page.wait_for_selector(".tiling.won")
    page.click("text=重来")
    page.focus("[data-cell='0']")
    for pressed in ("Enter", "ArrowRight", "Enter", "ArrowLeft", "ArrowDown", "Enter"):
        page.keyboard.press(pressed)
    page.wait_for_selector(".tiling.won")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    picture(phone, "tiling-phone")
    assert not violations(phone)


def test_a_cell_that_can_no_longer_be_covered_is_told(site: str, reader: Reader) -> None:
    """The cell left out and a tromino shut the corner in."""
    page = reader.open(site, "division/tiling?k=2&row=1&column=2&game=4.5.8")
    assert reader.text(".said") == "1 of 5 trominoes · 1 cell can no longer be covered"
    assert page.locator(".place.lost").get_attribute("data-cell") == "0"


@pytest.mark.parametrize(
    "place", ["division/tiling?k=5", "division/tiling?k=2&row=5", "division/tiling?k=2&game=1.2.4_4.5.8",
              "division/tiling?k=2&game=1.2.3", "division/pegs?m=0", "division/pegs?m=4&n=5&game=1.1u"]
)  # fmt: skip
def test_a_game_that_is_none_leads_nowhere(site: str, reader: Reader, place: str) -> None:
    reader.open(site, place)
    assert reader.text("h1") == "There is no such page"


def test_a_game_of_the_data_is_played_to_the_fewest_pegs(site: str, release: Path, reader: Reader) -> None:
    board = (pc.field("m") == 4) & (pc.field("n") == 5)
    rows = pq.read_table(release / "board_division/jumps").filter(board).sort_by("jump").to_pylist()
    page = reader.open(site, "division/pegs?m=4&n=5")
    assert reader.text(".said") == "20 pegs · 1 is the least"
    for row in rows:
        down, right = WAYS[row["direction"]]
        place = page.locator(f"[data-place='{row['row_num']} {row['column_num']}']")
        if "chosen" not in str(place.get_attribute("class")):
            place.click()
        page.click(f"[data-place='{row['row_num'] + 2 * down} {row['column_num'] + 2 * right}'].target")
    page.wait_for_selector(".jumping.won")
    assert reader.text(".said").startswith("1 peg left, the fewest there are, after 19 jumps · your best: 1")
    shared = reader.address.split("#/")[1]
    page.click("text=Undo")
    assert reader.text(".said").startswith("2 pegs")
    page.go_back()
    reader.arrive(shared)
    assert reader.text(".said").startswith("1 peg left")


def test_pegs_jump_by_arrow_keys_and_a_stuck_game_says_so(site: str, reader: Reader) -> None:
    page = reader.open(site, "division/pegs?m=1&n=3")
    page.focus("[data-place='1 2']")
    page.keyboard.press("ArrowLeft")
    assert reader.address.endswith("game=1.2l")
    assert reader.text(".said") == "2 pegs left, the fewest there are, after 1 jump · your best: 2"
    reader.open(site, "division/pegs?m=2&n=2&game=1.1d_2.2u")
    assert reader.text(".said") == "No jump is left: 2 pegs remain · 1 is the least · your best: 2"
