"""Sliding blocks: the records of the data, puzzles that are played and searched, boards that readers draw, sheets."""

import random
import re
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from boardspace.spaces.sliding_blocks import rules
from boardspace.spaces.sliding_blocks.boards import parse_board
from tests.browser.conftest import Reader
from tests.browser.hosts import Host
from tests.browser.test_pages import picture, violations

HARDEST = "ABB/CDE/F.E"
"""22 steps, the most on 3 x 3."""
LARGE = "A...../.B..C./....../.D..E./.....F"
"""Six single cells on 5 x 6: 3,562,650 positions."""


def rows_of(release: Path, table: str, tray: str) -> list[dict[str, Any]]:
    """A table's rows of one tray."""
    rows = pq.read_table(release / "sliding_blocks" / table)
    return list(rows.filter(pc.equal(rows["tray"], tray)).to_pylist())


def settled(reader: Reader) -> None:
    """Wait until the group was searched."""
    reader.page.wait_for_selector("[data-fact=group]:not(:text-is('…'))")


def test_the_gallery_has_the_hardest_puzzle_of_each_number_of_pieces(site: str, release: Path, reader: Reader) -> None:
    page = reader.open(site, "sliding/gallery/3x3")
    rows = [row for row in rows_of(release, "histograms", "3x3") if row["board"]]
    most = {pieces: max(row["steps"] for row in rows if row["pieces"] == pieces) for pieces in range(1, 9)}
    shown = page.eval_on_selector_all(".gallery a", "all => all.map(a => [+a.dataset.pieces, +a.dataset.steps])")
    assert dict(shown) == most
    page.click("text='5' >> nth=0")
    page.wait_for_selector("h2:has-text('5 pieces')")
    steps = page.eval_on_selector_all(".gallery a", "all => all.map(a => +a.dataset.steps)")
    assert steps == sorted((row["steps"] for row in rows if row["pieces"] == 5), reverse=True)


def test_the_solution_of_a_record_has_the_steps_of_the_data_and_ends_at_the_goal(site: str, reader: Reader) -> None:
    page = reader.open(site, f"sliding/play/{HARDEST}")
    settled(reader)
    assert reader.fact("data") == reader.fact("search") == "22"
    page.evaluate("() => { const later = window.setTimeout; window.setTimeout = (f, ms) => later(f, ms / 40) }")
    page.click("text=Play the solution")
    page.wait_for_selector(".said:has-text('At the goal, after 22 steps · 22 is the least')")
    assert len(re.findall("[A-Z][urdl]+", reader.address.split("game=")[1])) == 22
    reader.open(site, reader.address.split("#/")[1])
    assert "At the goal, after 22 steps" in reader.text(".said")


def test_records_of_the_table_of_records_have_their_steps(site: str, release: Path, reader: Reader) -> None:
    rows = [row for row in rows_of(release, "records", "3x3") if row["steps"] < 22]
    for row in random.Random(1).sample(rows, 3):
        reader.open(site, f"sliding/play/{row['board']}")
        settled(reader)
        assert reader.fact("data") == reader.fact("search") == str(row["steps"])


def test_a_search_in_the_browser_finds_what_plain_python_finds(site: str, reader: Reader) -> None:
    """Boards with equal pieces, a ring, holes of voids and no way to the goal, of trays that no release holds."""
    boards = ("ABB/C.B/DD.", "AAB/ACB/..D", "AB.CD/..E.F", "ABCD/E.FG", "AAAA/ABCA/A.AA/....", "A.B/.C./D.E", "AB/.B")
    for text in boards:
        tray, pieces = parse_board(text)[:2]
        found = rules.fewest_steps(tray, frozenset(pieces.values()), pieces["A"])
        reader.open(site, f"sliding/play/{text}")
        settled(reader)
        assert reader.fact("search") == ("no moves lead to the goal" if found is None else str(found)), text


def test_steps_by_mouse_and_keys_are_counted_as_the_space_counts_them(site: str, reader: Reader) -> None:
    """The same piece moved on is the same step; a step is shared by its address, and taken back."""
    page = reader.open(site, "sliding/play/A../..B/C..")
    settled(reader)
    piece = page.locator("[data-sign=A] path")
    piece.hover()  # waits until it stands still: answers that come below it may still move the tray
    box = piece.bounding_box()
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 1.6, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    page.wait_for_function("location.hash.endsWith('?game=Ar')")
    page.focus("[data-sign=A]")
    page.keyboard.press("ArrowDown")
    page.wait_for_function("location.hash.endsWith('?game=Ard')")
    page.focus("[data-sign=B]")
    page.keyboard.press("ArrowUp")
    assert reader.text(".stage .count") == "2 steps made"
    shared = reader.address.split("#/")[1]
    page.click("text=Undo")
    assert reader.text(".stage .count") == "1 step made"
    reader.open(site, shared)
    assert [page.get_attribute(f"[data-sign={sign}]", "data-at") for sign in "ABC"] == ["4", "2", "6"]


def test_all_next_steps_are_listed_with_what_each_leaves(site: str, reader: Reader) -> None:
    tray, pieces = parse_board(HARDEST)[:2]
    page = reader.open(site, f"sliding/play/{HARDEST}")
    settled(reader)
    page.click("summary:has-text('All next steps')")
    page.wait_for_selector("[data-value]")
    values = page.eval_on_selector_all("[data-value]", "all => all.map(one => +one.dataset.value)")
    wanted = []
    for piece, moved, _ in rules.slides(tray, frozenset(pieces.values())):
        mark = moved if piece == pieces["A"] else pieces["A"]
        found = rules.fewest_steps(tray, frozenset(pieces.values()) ^ {piece, moved}, mark)
        wanted.append(-1 if found is None else found)
    assert values == sorted(wanted)


def test_another_goal_is_asked_for_by_the_address(site: str, reader: Reader) -> None:
    reader.open(site, "sliding/play/AB/CD/E.?to=3,1")
    settled(reader)
    assert int(reader.fact("search")) > 2
    assert reader.fact("data") == "not one of those listed"
    reader.open(site, "sliding/play/AB/CD/E.?to=4,1")
    assert "rows 1 to 3 and columns 1 to 2" in reader.text("[role=alert]")


def test_a_group_that_is_too_large_is_not_searched_and_can_still_be_played(site: str, reader: Reader) -> None:
    page = reader.open(site, f"sliding/play/{LARGE}")
    page.wait_for_selector("[data-fact=search]:has-text('more than 400,000 positions')")
    assert "Too many positions" in reader.text(".said")
    page.focus("[data-sign=A]")
    page.keyboard.press("ArrowRight")
    assert reader.address.endswith("?game=Ar")


def test_a_stroke_over_cells_draws_a_piece_that_can_be_played(site: str, reader: Reader) -> None:
    page = reader.open(site, "sliding/draw/..A/...")
    box = page.locator("svg.drawing").bounding_box()
    cell = (box["width"] / 3.32, box["height"] / 2.32)
    at = [(box["x"] + cell[0] * (x + 0.66), box["y"] + cell[1] * (y + 0.66)) for y, x in ((0, 0), (1, 0), (1, 1))]
    page.mouse.move(*at[0])
    page.mouse.down()
    for place in at[1:]:
        page.mouse.move(*place)
    page.mouse.up()
    assert page.input_value("#sliding-text") == "B.A/BB."
    page.check("text=voids")
    page.mouse.click(*at[1])
    assert page.input_value("#sliding-text") == "B.A/.C.", "what a stroke cuts off is a piece of its own"
    page.check("text=the piece A")
    page.mouse.click(*at[1])
    assert page.input_value("#sliding-text") == "B../AC."
    page.click("text=Play it")
    settled(reader)
    assert reader.address.endswith("#/sliding/play/B../AC.")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("AB/A", "Row 2 has 1 sign, row 1 has 2"),
        ("A.A/...", "The cells of A are 2 separate parts"),
        ("BB./...", "There is no piece A"),
        ("B?/..", "There is no piece A"),
        ("A......./......../......../........", "4 × 8 is too large: up to 30 cells"),
        (" / ", "An empty board"),
    ],
)
def test_what_is_no_board_is_refused_with_the_reason(site: str, reader: Reader, text: str, said: str) -> None:
    page = reader.open(site, "sliding/draw")
    page.fill("#sliding-text", text)
    assert said in reader.text(".said")
    assert not page.locator("text=Play it").is_visible()
    if "?" not in text and text.strip(" /"):
        reader.open(site, f"sliding/play/{text}")
        assert said in reader.text("[role=alert]")


def test_a_damaged_table_is_told_and_the_search_goes_on(tables_host: Host, fresh_reader: Reader) -> None:
    tables_host.flips["/sliding_blocks/histograms/0000.parquet"] = 100
    try:
        page = fresh_reader.open(tables_host.url, f"sliding/play/{HARDEST}")
        page.wait_for_selector("[data-fault=damaged]")
        settled(fresh_reader)
        assert fresh_reader.fact("search") == "22"
    finally:
        tables_host.well()


def test_a_ring_is_drawn_with_its_hole(site: str, reader: Reader) -> None:
    page = reader.open(site, "sliding/play/AAA./ABA./AAA.")
    assert str(page.get_attribute("[data-sign=A] path", "d")).count("M") == 2
    settled(reader)
    assert reader.fact("group") == "1", "what is inside holds it"


def test_a_sheet_of_a4_can_be_saved_and_its_solutions_have_the_steps_it_names(site: str, reader: Reader) -> None:
    page = reader.open(site, "sliding/print/3x3")
    answers = page.locator(".answers p").all_inner_texts()
    named = [int(found) for found in re.findall(r"\. (\d+) steps?", page.locator("svg.a4").text_content())]
    assert named == sorted(named)
    assert [len(re.findall("[A-Z][↑→↓←]+", text)) for text in answers] == named
    with page.expect_download() as download:
        page.click("text=Save the sheet as SVG")
    saved = Path(download.value.path()).read_text()
    assert download.value.suggested_filename == "sliding-3x3.svg"
    assert 'width="210mm" height="297mm"' in saved
    assert "var(" not in saved
    page.emulate_media(media="print")
    assert page.locator("header").is_hidden()
    assert len(page.pdf(format="A4").split(b"/Type /Page\n")) - 1 == 2


def test_a_game_without_help_is_a_record(site: str, phone: Reader) -> None:
    page = phone.open(site, "sliding/play/A./B.")
    settled(phone)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for sign, key in (("A", "ArrowRight"), ("A", "ArrowDown")):
        page.focus(f"[data-sign={sign}]")
        page.keyboard.press(key)
    assert "您的最佳：1 步" in phone.text(".said")
    picture(phone, "sliding-won-phone")
    assert not violations(phone)


def test_the_longest_puzzles_of_a_tray_do_not_depend_on_the_letters(site: str, reader: Reader) -> None:
    """A puzzle of the data with other letters for its pieces is still found in the data."""
    others = dict(zip("ABCDEF", "AFEDCB", strict=True)) | {".": ".", "/": "/"}
    reader.open(site, f"sliding/play/{''.join(others[sign] for sign in HARDEST)}")
    settled(reader)
    assert reader.fact("data") == "22"
