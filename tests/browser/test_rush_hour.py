"""Rush Hour: the hardest starts of the data, boards that are played and searched, boards that readers draw, sheets."""

import re
from pathlib import Path

import pyarrow.compute as pc
import pyarrow.parquet as pq

import boardspace
from tests.browser.conftest import Reader
from tests.browser.test_pages import picture

JAM = "BBoooC/DooEoC/DAAEoC/DooEoo/FoooGG/FoHHHo"
FAST = "() => { const later = window.setTimeout; window.setTimeout = (f, ms) => later(f, ms / 40) }"


def steps_of(board: str) -> int:
    found = boardspace.rush_hour.solve(board)
    assert found is not None
    return len(found.moved)


def test_the_gallery_has_the_hardest_starts_of_the_data(site: str, release: Path, reader: Reader) -> None:
    page = reader.open(site, "rush/gallery/4x4-1")
    rows = pq.read_table(release / "rush_hour" / "hardest")
    rows = rows.filter(pc.equal(rows["board"], "4x4-1")).to_pylist()
    shown = page.eval_on_selector_all(".gallery a", "all => all.map(a => [a.hash.split('/').at(-1), +a.dataset.steps])")
    assert dict(shown).items() <= {row["text"]: row["steps"] for row in rows}.items()
    assert [steps for _, steps in shown] == sorted((row["steps"] for row in rows), reverse=True)[: len(shown)]
    page.click(".gallery a >> nth=0")
    page.wait_for_selector(f".said:has-text('{shown[0][1]} moves to go')")


def test_a_board_is_led_to_its_end_in_the_fewest_steps_and_its_address_keeps_them(site: str, reader: Reader) -> None:
    page = reader.open(site, f"rush/play/{JAM}")
    least = steps_of(JAM)
    page.wait_for_selector(f".said:has-text('{least} moves to go')")
    page.check("#puzzle-all")
    page.wait_for_selector("[data-left]")
    told = dict(page.eval_on_selector_all("[data-left]", "all => all.map(a => [a.dataset.move, +a.dataset.left])"))
    found = boardspace.rush_hour.moves(JAM)
    assert told == {name: left for name, _, left in found.choices}
    page.uncheck("#puzzle-all")
    page.evaluate(FAST)
    page.click("text=Play the solution")
    page.wait_for_selector(f".said:has-text('At a goal, after {least} moves · {least} is the least')")
    picture(reader, "rush-won")
    address = reader.address.split("#/")[1]
    reader.open(site, address)
    assert "At a goal" in reader.text(".said")


def test_pieces_follow_pointer_and_arrow_keys_and_going_on_is_the_same_step(site: str, reader: Reader) -> None:
    page = reader.open(site, f"rush/play/{JAM}")
    page.focus("[data-letter=B]")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert reader.address.endswith("game=B%2B2"), "two pushes of one piece are one step"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert "game=" not in reader.address, "back where it was is no step"
    box = page.locator("[data-letter=G]").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] - box["width"] * 3, box["y"] + 20)
    page.mouse.up()
    assert reader.address.endswith("game=G-3"), "as far as it goes"
    page.wait_for_selector(".said:has-text('to go')")


def test_a_reader_draws_a_board_and_plays_it(site: str, reader: Reader) -> None:
    page = reader.open(site, "rush/draw/AAo/ooo/ooo")
    board = page.locator(".drawing svg").bounding_box()

    def stroke(*cells: tuple[int, int]) -> None:
        places = [
            (board["x"] + board["width"] * (0.18 + 0.32 * c), board["y"] + board["height"] * (0.18 + 0.32 * r))
            for r, c in cells
        ]
        page.mouse.move(*places[0])
        page.mouse.down()
        for place in places[1:]:
            page.mouse.move(*place, steps=4)
        page.mouse.up()

    stroke((0, 2), (1, 2))
    assert page.input_value("#rush-text") == "AAB/ooB/ooo"
    page.check("[value=wall]")
    stroke((2, 0))
    assert page.input_value("#rush-text") == "AAB/ooB/xoo"
    page.check("[value=empty]")
    stroke((2, 0))
    page.click("text=Play it")
    page.wait_for_selector(".said:has-text('2 moves to go')")
    page.go_back()
    for wrong, said in (
        ("AA", "3 to 6 rows"),
        ("BB/oo", "3 to 6 rows"),
        ("ooo/ooo/ooo", "no red car"),
        ("AAo/oBo/ooo", "B is no car"),
    ):
        page.fill("#rush-text", wrong)
        assert said in reader.text(".said")
        reader.open(site, f"rush/play/{wrong}")
        assert said in reader.text("[role=alert]")
        reader.open(site, "rush/draw/ooo/AAo/ooo")


def test_a_sheet_has_a_dozen_starts_with_solutions_of_the_steps_of_the_data(site: str, reader: Reader) -> None:
    page = reader.open(site, "rush/print/4x4-1")
    page.wait_for_selector(".answers p >> nth=11")
    captions = re.findall(r"\d+\. (\d+) steps?", page.inner_html(".a4"))
    answers = [len(line.split()) - 1 for line in page.locator(".answers p").all_inner_texts()]
    assert answers == [int(steps) for steps in captions]
    assert len(answers) == 12
