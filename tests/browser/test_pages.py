"""Every page: what it shows, from both kinds of host, in both languages, for everybody, and what it looks like."""

import functools
import itertools
import json
import os
import random
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
import zarr

from boardspace.release.atlas.site import BUNDLE
from boardspace.spec.registry import spaces
from boardspace_kernels.solitaire.board import Board
from tests.browser.conftest import Reader
from tests.browser.hosts import Host, own_host

ROOT = Path(__file__).resolve().parents[2]
HOLES = "all => all.map(one => one.dataset.hole)"
TRIANGLE = "1 . . . .\n2 3 . . .\n4 5 6 . .\n7 8 9 10 .\n11 12 13 14 15"
SQUARE = "1 2 3 4\n5 6 7 8\n9 10 11 12\n13 14 15 16"
AXE = ROOT / "atlas/node_modules/axe-core/axe.min.js"


def picture(reader: Reader, name: str) -> None:
    """Keep a picture of the page where a folder for them is named."""
    folder = os.environ.get("BOARDSPACE_SCREENSHOTS")
    if folder:
        reader.page.screenshot(path=Path(folder) / f"{name}.png", full_page=True)


def violations(reader: Reader, *rules: str) -> list[tuple[str, list[str]]]:
    """What axe finds wrong by these rules, or by all: rules, with the first elements that break them."""
    if not reader.page.evaluate("'axe' in window"):
        reader.page.evaluate(AXE.read_text())
    chosen = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    found = reader.page.evaluate("chosen => axe.run(document, chosen)", chosen)["violations"]
    return [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]


def test_the_reader_chooses_language_and_theme_and_they_are_kept(site: str, reader: Reader) -> None:
    page = reader.open(site, "claims")
    page.click("text=中文")
    page.wait_for_selector("h1:has-text('原文的论断')")
    page.click("[aria-label='浅色或深色']")
    assert page.get_attribute("html", "data-theme") == "dark"
    reader.open(site, "")
    assert page.get_attribute("html", "data-theme") == "dark"
    assert page.get_attribute("html", "lang") == "zh-Hans"


def test_both_languages_have_every_string() -> None:
    en, zh = (json.loads((ROOT / f"atlas/strings/{name}.json").read_text()) for name in ("en", "zh"))
    assert list(en) == list(zh)
    assert all(en.values())
    assert all(zh.values())
    fields = [{re.split(r"[|}]", part)[0] for part in text.split("{")[1:]} for text in en.values()]
    assert fields == [{part.split("}")[0] for part in text.split("{")[1:]} for text in zh.values()]


def test_every_dataset_and_what_it_counts_is_translated() -> None:
    shipped = [space for name, space in spaces().items() if (ROOT / "pipeline/boardspace/spaces" / name).is_dir()]
    chinese = json.loads((ROOT / "atlas/strings/datasets.zh.json").read_text())
    assert chinese["datasets"].keys() == {space.name for space in shipped}
    assert chinese["scopes"].keys() == {scope.name for space in shipped for scope in space.scopes}


def test_titles_of_datasets_are_in_chinese_and_say_what_part_of_the_space_they_hold(site: str, reader: Reader) -> None:
    page = reader.open(site, "datasets")
    page.click("text=中文")
    page.wait_for_selector("h2:text-is('华容道，部分：类 2/203')")
    assert not [title for title in page.locator(".card h2").all_inner_texts() if re.search("[A-Za-z]", title)]
    reader.open(site, "datasets/klotski/tables").wait_for_selector("h1:text-is('华容道，部分：类 2/203')")
    reader.open(site, "claims").wait_for_selector("h2:has-text('华容道，部分：类 2/203')")


def test_the_start_page_says_of_each_dataset_what_part_of_its_space_it_holds(site: str, reader: Reader) -> None:
    page = reader.open(site, "")
    assert "PARTIAL: 2 of 203 classes" in reader.text("a.card[href='#/klotski']")
    page.click("text=中文")
    page.wait_for_selector("a.card[href='#/klotski'] >> text=部分：类 2/203")


def test_every_claim_is_translated() -> None:
    spaces = {path.parent.name: path for path in (ROOT / "pipeline/boardspace/spaces").glob("*/claims.toml")}
    chinese = json.loads((ROOT / "atlas/strings/claims.zh.json").read_text())
    claims = {name: tomllib.loads(path.read_text())["claim"] for name, path in spaces.items()}
    assert chinese.keys() == claims.keys()
    for name, own in claims.items():
        assert list(chinese[name]) == [claim["id"] for claim in own]
        for claim in own:
            text = chinese[name][claim["id"]]
            assert re.search("[\u4e00-\u9fff]", text) or claim["id"] in {"line-inequality", "formula-simplified"}, claim
            assert numbers(text) >= numbers(claim["statement"]), f"{claim['id']}: a figure was lost"


def numbers(text: str) -> set[str]:
    """Figures of three digits or more, which no language writes otherwise."""
    return set(re.findall(r"\d[\d,]*\d{2}", text))


def test_claims_are_folded_on_a_phone_and_opened_by_their_addresses(site: str, phone: Reader) -> None:
    page = phone.open(site, "claims")
    assert page.locator("section > details.dataset:not([open])").count() > 3
    assert page.evaluate("document.body.scrollHeight") < 2500
    phone.open(site, "claims/klotski/layouts")
    page.wait_for_selector("details.dataset[open]")
    assert page.locator("li > details[open]").count() == 1
    cited = page.locator("li:has(> details[open])")
    assert cited.get_attribute("id") == "claim-klotski-layouts"
    assert cited.locator("a").get_attribute("href") == "#/claims/klotski/layouts"
    assert cited.locator("a").inner_text() == "claims/klotski#layouts"


def test_claims_are_read_in_chinese_and_found_by_chinese_words(site: str, phone: Reader) -> None:
    page = phone.open(site, "claims/klotski")
    assert "合法布局共 29,334,498 个。" in phone.text(".claims >> nth=2")
    page.fill("input[type=search]", "最佳单元")
    shown = page.locator("ol.claims > li")
    assert 5 < shown.count() < 40
    assert all("最佳单元" in text for text in page.locator(".statement").all_inner_texts())


def test_chinese_has_the_punctuation_of_chinese() -> None:
    """A comma or colon of ASCII stands in numbers, addresses and formulas alone, never beside a Chinese sign."""
    zh = json.loads((ROOT / "atlas/strings/zh.json").read_text()).values()
    assert [text for text in zh if re.search(r"[\u4e00-\u9fff][,:;?!(]|[,:;?!)][\u4e00-\u9fff]", text)] == []


def test_the_bundle_is_small_and_names_no_other_host() -> None:
    """W3C's names of SVG and the licence are names, no addresses to fetch."""
    for file in Path(str(BUNDLE)).iterdir():
        text = file.read_text()
        for part in text.split("https://")[1:]:
            assert part.startswith(("example.org", "creativecommons.org")), f"{file.name}: https://{part[:60]}"


def test_a_heat_map_has_the_stones_of_every_board(site: str, release: Path, reader: Reader) -> None:
    page = reader.open(site, "five/5/8x8")
    rows = pq.read_table(release / "five_in_a_row/results").filter(pc.field("k") == 5).to_pylist()
    assert page.locator("a[href='#/five/5/8x8']").count() == 1
    assert page.locator("a[href='#/five/5/17x13']").count() == 0  # what is beyond the first view is read on demand
    page.click("text=Show all boards")
    page.wait_for_selector("a[href='#/five/5/17x13']")
    for row in rows:
        for n, m in ((row["rows"], row["columns"]), (row["columns"], row["rows"])):
            assert page.get_attribute(f"a[href='#/five/5/{n}x{m}']", "aria-label") == f"{n} × {m}: {row['stones']}"
    page.check("input[name=shade] >> nth=1")
    difference = {row["stones"] - row["formula"] for row in rows}
    assert all((f"+{d}" if d > 0 else str(d)) in reader.text("table.heat") for d in difference)


def test_placements_are_those_of_the_array(site: str, release: Path, reader: Reader) -> None:
    page = reader.open(site, "five/5/8x7")
    board = (pc.field("k") == 5) & (pc.field("rows") == 8) & (pc.field("columns") == 7)
    (listed,) = pq.read_table(release / "five_in_a_row/listed").filter(board).to_pylist()
    array = zarr.open_array(release / "five_in_a_row/arrays.zarr/placements", mode="r")
    packed = array[listed["first_byte"] :][: listed["placements"] * 8].reshape(-1, 8, 1)
    for number in range(min(3, len(packed))):
        stones = np.argwhere(np.unpackbits(packed[number], axis=1, count=7)).tolist()
        drawn = page.eval_on_selector_all(
            "svg.stones .stone", "all => all.map(c => [c.cy.baseVal.value - .5, c.cx.baseVal.value - .5])"
        )
        assert [[round(y), round(x)] for y, x in drawn] == stones
        page.click("[aria-label=Next]")
        page.wait_for_selector(f"text=placement {number + 2} of {len(packed)}")


def test_five_in_a_row_is_played_until_all_is_blocked_with_the_fewest_stones(
    site: str, release: Path, reader: Reader
) -> None:
    board = (pc.field("k") == 5) & (pc.field("rows") == 8) & (pc.field("columns") == 7)
    (listed,) = pq.read_table(release / "five_in_a_row/listed").filter(board).to_pylist()
    array = zarr.open_array(release / "five_in_a_row/arrays.zarr/placements", mode="r")
    packed = array[listed["first_byte"] :][:8].reshape(8, 1)
    stones = [int(row * 7 + column) for row, column in np.argwhere(np.unpackbits(packed, axis=1, count=7))]
    page = reader.open(site, "five/play/5/8x7")
    lines = 8 * 3 + 4 * 7 + 4 * 3 * 2
    assert reader.text(".said") == f"0 stones, {lines} lines still open · {len(stones)} is the least"
    for cell in stones[:-1]:
        page.click(f"[data-cell='{cell}']")
    assert page.locator(".playing .open").count() >= 5
    shared = reader.address
    page.focus(f"[data-cell='{stones[-1]}']")
    page.keyboard.press("Enter")
    page.wait_for_selector(".playing.won")
    assert reader.text(".said").startswith(f"All is blocked with {len(stones)} stones, the fewest there are")
    other = next(cell for cell in range(56) if cell not in stones)
    page.click(f"[data-cell='{other}']")
    assert f"with {len(stones) + 1} stones · {len(stones)} is the least" in reader.text(".said")
    reader.open(site, shared.split("#/")[1])
    assert page.locator(".stone").count() == len(stones) - 1


def test_covers_are_compared_with_the_data_for_any_touched_cell(site: str, reader: Reader) -> None:
    page = reader.open(site, "division?k=3&row=1&column=1")
    page.wait_for_selector("text=the same as in the data on all 64 cells")
    box = page.locator("canvas").bounding_box()
    assert box
    page.mouse.click(box["x"] + box["width"] * 0.95, box["y"] + box["height"] * 0.05)
    page.wait_for_url("**k=3&row=1&column=8")
    page.wait_for_selector("text=the same as in the data on all 64 cells")
    page.focus("canvas")
    page.keyboard.press("ArrowDown")
    page.wait_for_url("**k=3&row=2&column=8")
    page.fill("#cover-k", "10")
    page.keyboard.press("Tab")
    page.wait_for_selector("text=349,525 trominoes")


def test_rectangles_have_their_values_and_a_game_is_replayed(site: str, release: Path, reader: Reader) -> None:
    page = reader.open(site, "division/rectangles?m=4&n=5")
    rows = pq.read_table(release / "board_division/rectangles").filter((pc.field("m") <= 20) & (pc.field("n") <= 20))
    for row in rows.to_pylist():
        assert page.get_attribute(f"a[href='#/division/rectangles?m={row['m']}&n={row['n']}']", "aria-label") == (
            f"{row['m']} × {row['n']}: {row['fewest']}"
        )
    assert "after jump 0 of 19: 20 pegs" in reader.text()
    for _ in range(19):
        page.click("[aria-label=Next]")
    assert "after jump 19 of 19: 1 peg\n" in reader.text()
    page.fill("#rectangle-m", "299")
    page.fill("#rectangle-n", "300")
    page.click("text=Look up")
    page.wait_for_selector("text=299 × 300: 2 left")


def test_a_whole_solution_of_solitaire_is_played_by_clicks(site: str, release: Path, reader: Reader) -> None:
    """Every jump of a shortest solution is marked as one; after the last the goal is told, in as many moves."""
    page = reader.open(site, "solitaire/triangle15/corner?hints=which")
    row = pq.read_table(release / "solitaire/solutions").to_pylist()[0]
    for move in row["moves"].split(", "):
        holes = move.split("==>")
        if page.locator(".spot.chosen").count() == 0 or page.get_attribute(".spot.chosen", "data-hole") != holes[0]:
            page.click(f"[data-hole='{holes[0]}']")
        for hole in holes[1:]:
            page.wait_for_selector(f"[data-hole='{hole}'].target.shortest")
            page.click(f"[data-hole='{hole}']")
    assert f"The goal, in {row['length']} moves" in reader.text(".said")
    assert reader.text(".moves >> nth=0") == row["moves"]


def test_jumps_that_lose_are_those_that_the_data_do_not_hold_as_winning(
    site: str, release: Path, reader: Reader
) -> None:
    page = reader.open(site, "solitaire/triangle15/corner?hints=which")
    page.wait_for_selector(".spot.shortest")
    row = pq.read_table(release / "solitaire/solutions").to_pylist()[0]
    first, second = row["moves"].split(", ")[0].split("==>")[:2]
    page.click(f"[data-hole='{first}']")
    page.click(f"[data-hole='{second}']")
    page.wait_for_selector(".spot.lost, .spot.wins, .spot.shortest")
    page.wait_for_function(
        "() => !document.querySelector('.spot.free:not(.lost):not(.wins):not(.shortest)')", polling=100
    )
    assert page.locator(".spot.lost").count() > 0


def jumps(board: Board, pegs: int) -> list[tuple[int, int, int]]:
    """The hole that a peg leaves, the one it comes to, and the position after the jump."""
    return [
        (a, c, pegs ^ (1 << a | 1 << b | 1 << c))
        for a, b, c in board.jumps.tolist()
        if pegs >> a & 1 and pegs >> b & 1 and not pegs >> c & 1
    ]


def test_what_a_bitmap_tells_of_each_jump_is_what_a_search_finds(site: str, reader: Reader) -> None:
    """From one empty hole to one peg anywhere: every peg that can jump is marked by the best of its jumps."""
    board = Board.from_picture("square4", "square", SQUARE)

    @functools.cache
    def can_win(pegs: int) -> bool:
        return pegs.bit_count() == 1 or any(can_win(after) for _, _, after in jumps(board, pegs))

    page = reader.open(site, "solitaire/square4/vacancy-2?hints=which")
    pegs, draw = board.full ^ 2, random.Random(2)
    both = set()
    while possible := jumps(board, pegs):
        page.wait_for_function("() => !document.querySelector('.spot.free:not(.lost):not(.wins)')", polling=50)
        best = {a: any(can_win(after) for start, _, after in possible if start == a) for a, _, _ in possible}
        both |= set(best.values())
        marked = {
            kind: {int(hole) - 1 for hole in page.eval_on_selector_all(f".spot.free.{kind}", HOLES)}
            for kind in ("wins", "lost")
        }
        assert marked == {kind: {a for a, won in best.items() if won == (kind == "wins")} for kind in marked}
        begin, end, pegs = draw.choice(possible)
        jump(page, begin, end)
    assert both == {True, False}
    assert f"{pegs.bit_count()} pegs remain" in reader.text(".said") or "The goal" in reader.text(".said")


def jump(page: Any, begin: int, end: int) -> None:
    """Touch a peg, if it is not chosen yet, and where it is to go."""
    if page.get_attribute(f"[data-hole='{begin + 1}']", "class").count("chosen") == 0:
        page.click(f"[data-hole='{begin + 1}']")
    page.click(f"[data-hole='{end + 1}']")


@pytest.mark.parametrize(
    ("problem", "empty", "anywhere"), [("vacancy-1", 1, True), ("corner", 1, False), ("vacancy-5", 5, True)]
)
def test_every_jump_is_listed_with_the_least_moves_that_a_search_finds_after_it(
    site: str, reader: Reader, problem: str, empty: int, anywhere: bool
) -> None:
    """From the array of the class, from the table of a problem, and by a search in the browser where the release has
    neither: a peg that goes on makes no new move."""
    board = Board.from_picture("triangle15", "triangular", TRIANGLE)
    least = functools.cache(lambda pegs, last: least_moves(pegs, last))

    def least_moves(pegs: int, last: int) -> float:
        if pegs == 1 or (anywhere and pegs.bit_count() == 1):
            return 0
        return min(((a != last) + least(after, c) for a, c, after in jumps(board, pegs)), default=float("inf"))

    page = reader.open(site, f"solitaire/triangle15/{problem}?hints=which")
    pegs, last, draw, seen = board.full ^ 1 << empty - 1, -1, random.Random(3), set()
    while possible := jumps(board, pegs):
        expected = {f"{a + 1}→{c + 1}": least(after, c) for a, c, after in possible}
        page.wait_for_selector(f".choices li:nth-child({len(possible)})")
        listed = page.eval_on_selector_all(".choice", "all => all.map(one => [one.dataset.jump, one.dataset.left])")
        found = {name: float(left or "inf") for name, left in listed}
        assert found == expected
        assert [found[name] for name, _ in listed] == sorted(found.values())
        if anywhere and min(found.values()) < float("inf"):
            assert f"it can be won in {least(pegs, last)} more move" in reader.text(".said")
        seen |= {left for left in found.values() if left < float("inf")}
        good = [one for one in possible if least(one[2], one[1]) < float("inf")]
        begin, last, pegs = draw.choice(good if good and draw.random() < 0.8 else possible)
        page.click(f"[data-jump='{begin + 1}→{last + 1}']")
    assert len(seen) > 4


def test_any_hole_of_any_board_may_be_the_empty_one(site: str, reader: Reader) -> None:
    """Boards with six directions show them; a peg of the hexagon jumps along each of its three axes."""
    page = reader.open(site, "solitaire/square4/vacancy-2")
    assert page.locator(".mesh").count() == 0
    page.select_option("#vacancy-board", "hexagon19")
    reader.arrive("/solitaire/hexagon19/vacancy-1")
    page.select_option("#vacancy-hole", "10")
    reader.arrive("/solitaire/hexagon19/vacancy-10")
    assert page.locator(".mesh").count() == 42
    free = page.eval_on_selector_all(".spot.free", HOLES)
    assert sorted(map(int, free)) == [1, 3, 8, 12, 17, 19]
    jump(page, 7, 9)
    assert reader.text(".said") == "17 pegs, 1 move"
    names = page.locator("#vacancy-board option").all_inner_texts()
    assert not [name for name in names if "solitaire." in name]
    reader.open(site, "solitaire/hexagon19/vacancy-20")
    assert "no such page" in reader.text("h1")


def test_what_a_jump_is_worth_is_read_in_chinese_on_a_phone(phone: Reader, site: str) -> None:
    page = phone.open(site, "solitaire/triangle15/vacancy-1?hints=which")
    page.wait_for_selector(".choice")
    assert "此步之后还需 9 步" in phone.text(".choices")
    picture(phone, "solitaire-phone")
    page.click("[data-hole='4']")
    page.wait_for_selector("[data-hole='1'] text.left")
    assert page.text_content("[data-hole='1'] text.left") == "9"


def test_a_game_of_solitaire_lies_in_the_address(site: str, release: Path, reader: Reader) -> None:
    page = reader.open(site, "solitaire/triangle15/corner")
    row = pq.read_table(release / "solitaire/solutions").to_pylist()[0]
    moves = [move.split("==>") for move in row["moves"].split(", ")]
    first, second = moves[0][:2]
    jump(page, int(first) - 1, int(second) - 1)
    assert reader.address.endswith(f"solitaire/triangle15/corner?game={first}-{second}")
    shared = ",".join("-".join(move) for move in moves[:3])
    reader.open(site, f"solitaire/triangle15/corner?game={shared}")
    assert reader.text(".moves >> nth=0") == ", ".join("==>".join(move) for move in moves[:3])
    page.click("text=Undo")
    page.go_back()
    reader.arrive(f"?game={shared}")
    assert reader.text(".moves >> nth=0") == ", ".join("==>".join(move) for move in moves[:3])
    reader.open(site, "solitaire/triangle15/corner?game=1-2")
    assert "no such page" in reader.text("h1")


def test_hints_come_when_asked_for_and_by_grades(site: str, reader: Reader) -> None:
    page = reader.open(site, "solitaire/triangle15/vacancy-1")
    assert reader.text(".said") == "14 pegs, 0 moves"
    assert page.locator(".choice, .spot.wins").count() == 0
    page.select_option("#hints", "can")
    page.wait_for_selector(".said:text-is('14 pegs, 0 moves · it can still be won')")
    page.select_option("#hints", "moves")
    page.wait_for_selector(".said:text-is('14 pegs, 0 moves · it can be won in 10 more moves')")
    assert page.locator(".choice, .spot.wins").count() == 0
    page.select_option("#hints", "which")
    page.wait_for_selector(".choice")
    assert reader.address.endswith("?hints=which")


def test_a_solitaire_game_won_without_hints_is_a_record(site: str, release: Path, reader: Reader) -> None:
    row = pq.read_table(release / "solitaire/solutions").to_pylist()[0]
    moves = [move.split("==>") for move in row["moves"].split(", ")]
    *before, last = [jump for move in moves for jump in itertools.pairwise(move)]
    game = ",".join("-".join(jump) for jump in before)
    page = reader.open(site, f"solitaire/triangle15/corner?game={game}")
    jump(page, int(last[0]) - 1, int(last[1]) - 1)
    page.wait_for_selector(".solitaire-board.won")
    assert reader.text(".said") == f"The goal, in {row['length']} moves · your best: {row['length']}"


def test_a_solution_is_replayed_and_the_spaces_are_plotted(site: str, reader: Reader) -> None:
    page = reader.open(site, "solitaire/triangle15/corner")
    page.evaluate("() => { const every = window.setInterval; window.setInterval = (f, ms) => every(f, 10) }")
    page.click("text=Solutions in 10 moves")
    page.click("text=Play")
    page.wait_for_selector(".said:has-text('The goal, in 10 moves')")
    assert page.locator("svg.plot").count() >= 3


def test_claims_stand_in_the_order_of_their_text_and_are_filtered(site: str, release: Path, reader: Reader) -> None:
    page = reader.open(site, "claims")
    rows = sorted(pq.read_table(release / "klotski/claims.parquet").to_pylist(), key=lambda row: row["position"])
    shown = page.eval_on_selector_all("[id^=claim-klotski-]", "all => all.map(one => one.id)")
    assert shown == [f"claim-klotski-{row['claim']}" for row in rows]
    page.select_option("select >> nth=0", "klotski")
    page.select_option("select >> nth=1", "not_covered")
    assert page.locator("ol.claims > li").count() == sum(row["verdict"] == "not_covered" for row in rows)
    assert reader.address.endswith("claims?space=klotski&verdict=not_covered")
    page.fill("input[type=search]", "no such words")
    assert page.locator("ol.claims > li").count() == 0


def test_a_claim_is_a_line_that_opens_by_a_tap_a_key_or_what_was_searched(
    site: str, release: Path, phone: Reader
) -> None:
    page = phone.open(site, "claims")
    picture(phone, "claims-phone")
    page.locator("details.dataset > summary").first.tap()
    one, other = page.locator("ol.claims > li").nth(0), page.locator("ol.claims > li").nth(1)
    assert one.locator(".statement").evaluate("e => e.scrollWidth <= e.clientWidth + 1"), "no statement is cut"
    assert not one.locator("dl").is_visible()
    one.locator("summary").first.tap()
    assert one.locator("dl").is_visible()
    other.locator("summary").first.press("Enter")
    assert other.locator("dl").is_visible()
    picture(phone, "claims-phone-open")
    assert not violations(phone)
    rows = pq.read_table(release / "klotski/claims.parquet").to_pylist()
    row = next(row for row in rows if row["evidence"] and row["evidence"].lower() not in row["statement"].lower())
    page.fill("input[type=search]", row["evidence"])
    assert page.locator(f"#claim-klotski-{row['claim']} dl").is_visible()


def test_files_have_their_checksums(site: str, release: Path, reader: Reader) -> None:
    page = reader.open(site, "datasets/klotski/files")
    more = page.locator("text=Show all")
    if more.is_visible():
        more.click()
    shown = page.eval_on_selector_all(
        "tbody tr", "rows => rows.map(row => [row.cells[2].innerText, row.cells[0].innerText])"
    )
    sums = (release / "klotski/SHA256SUMS").read_text().splitlines()
    assert [f"{sha256}  {path}" for sha256, path in shown if path != "SHA256SUMS"] == sums


@pytest.mark.parametrize("language", ["polars", "pandas"])
def test_the_snippets_run_as_they_stand(tables_host: Host, reader: Reader, language: str) -> None:
    title = {"polars": "Polars", "pandas": "pandas"}[language]
    reader.open(tables_host.url, "datasets/five_in_a_row/open")
    exec(reader.text(f"h2:text-is('{title}') + pre"), {})


def heard(reader: Reader) -> list[tuple[str, int]]:
    """Requests from now on, as they end: the address, and the bytes of the answer with its headers."""
    sent: list[tuple[str, int]] = []

    def hear(request: Any) -> None:
        sizes = request.sizes()
        sent.append((request.url, sizes["responseBodySize"] + sizes["responseHeadersSize"]))

    reader.page.on("requestfinished", hear)
    return sent


def require_within(sent: list[tuple[str, int]], most: int, most_bytes: int) -> None:
    """What was sent over HTTP is no more than so many requests and bytes."""
    over_http = [(url, size) for url, size in sent if url.startswith("http")]
    assert len(over_http) <= most, over_http
    assert sum(size for _, size in over_http) <= most_bytes, over_http


@pytest.mark.parametrize("made", ["arrays_release", "unmeasured_release"])
def test_the_first_answer_costs_twelve_requests_and_sixty_kilobytes(
    made: str, request: pytest.FixtureRequest, fresh_reader: Reader
) -> None:
    """All that the page of a layout, opened first of all, asks for, with headers, as `boardspace serve` sends it."""
    sent = heard(fresh_reader)
    with own_host(request.getfixturevalue(made)) as url:
        fresh_reader.open(url, "klotski/1A9BF0C")
        assert fresh_reader.fact("solutions") == "6"
        assert fresh_reader.fact("farthest") == "not in this release"
        require_within(sent, 12, 60_000)


def test_a_release_without_arrays_answers_by_twelve_requests_and_120_kilobytes(site: str, fresh_reader: Reader) -> None:
    """Columns that lie side by side in a file come by one request, and of a small table one page of each."""
    sent = heard(fresh_reader)
    fresh_reader.open(site, "klotski/1A9BF0C")
    assert fresh_reader.fact("solutions") == "6"
    require_within(sent, 12, 120_000)


def test_all_claims_come_without_the_lists_of_tables(site: str, release: Path, fresh_reader: Reader) -> None:
    asked: list[str] = []
    fresh_reader.page.on("request", lambda request: asked.append(request.url))
    fresh_reader.open(site, "claims")
    assert sorted(url.split("/")[-2] for url in asked if url.endswith("/claims.parquet")) == sorted(
        path.parent.name for path in release.glob("*/COMPLETE")
    )
    assert not [url for url in asked if url.endswith(".tables.json")]


@pytest.mark.parametrize(
    ("place", "content", "said"),
    [
        ("klotski/1A9BF0C", "main", "2 of 203 classes"),
        ("sliding", "records", "1 of 3 trays and 1 more"),
        ("five/5", "results", "Complete by enumeration"),
        ("division", "cover_counts", "Complete by enumeration"),
        ("solitaire", "solution_counts", "Complete by enumeration"),
        ("datasets/sliding_blocks/tables/classes", "classes", "Complete by enumeration"),
    ],
)
def test_a_page_says_why_its_answers_hold(site: str, reader: Reader, place: str, content: str, said: str) -> None:
    page = reader.open(site, place)
    page.click(".grounds summary")
    reader.settle()
    assert said in reader.text(f"[data-grounds={content}]")
    assert violations(reader) == []


def test_the_board_is_there_before_any_data(arrays_host: Host, fresh_reader: Reader) -> None:
    fresh_reader.open(arrays_host.url, "")
    arrays_host.held = "/klotski/"
    fresh_reader.page.evaluate("location.hash = '#/klotski/1A9BF0C'")
    fresh_reader.page.wait_for_selector(".piece.block")
    assert fresh_reader.page.locator("[aria-busy]").count() == 1
    assert fresh_reader.fact("code") == "1A9BF0C00"
    assert fresh_reader.fact("steps") == "…"
    arrays_host.well()
    fresh_reader.settle()
    assert fresh_reader.fact("steps") == "81"


def test_a_further_layout_costs_little(arrays_host: Host, fresh_reader: Reader) -> None:
    fresh_reader.open(arrays_host.url, "klotski/1A9BF0C")
    arrays_host.traffic.requests.clear()
    fresh_reader.page.evaluate("location.hash = '#/klotski/12E68FC'")
    fresh_reader.page.wait_for_selector("[data-fact=code]:has-text('12E68FC')")
    fresh_reader.settle()
    assert sum(size for _, size in arrays_host.traffic.requests) <= 60_000
