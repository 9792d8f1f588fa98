"""The Klotski pages: what the data say of a layout is verified and shown; steps are judged; solutions are played."""

import tomllib
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from tests.browser.conftest import Reader
from tests.browser.hosts import Host
from tests.browser.releases import CLASSIC

STARTS = Path(__file__).resolve().parents[2] / "pipeline/boardspace/spaces/klotski/starts.toml"
COLUMNS = ["group_num", "group_index", "min_solution_step", "min_solution_num", "solution_num"]


def row_of(release: Path, layout_id: int) -> dict[str, Any]:
    """What the tables say of a layout."""
    found: dict[str, Any] = {}
    for table in ("main", "solution"):
        rows = pq.read_table(release / "klotski" / table)
        found |= rows.filter(pc.equal(rows["layout_id"], layout_id)).to_pylist()[0]
    return found


@pytest.mark.parametrize("host", ["tables_host", "arrays_host"])
def test_a_permalink_shows_the_row_of_the_data(
    host: str, request: pytest.FixtureRequest, release: Path, reader: Reader
) -> None:
    reader.open(request.getfixturevalue(host).url, "klotski/1A9BF0C")
    row = row_of(release, CLASSIC)
    assert reader.fact("code") == f"{row['code']:09X}" == "1A9BF0C00"
    assert reader.fact("id") == "4,091,296"
    assert reader.fact("name") == f"5-4-1-{row['group_num']}-{row['group_index']}"
    assert reader.fact("steps") == str(row["min_solution_step"]) == "81"
    assert reader.fact("nearest") == str(row["min_solution_num"])
    assert reader.fact("solutions") == str(row["solution_num"])
    assert reader.fact("own") == "yes"


def test_codes_ids_names_and_known_starts_lead_to_a_layout(site: str, release: Path, reader: Reader) -> None:
    reader.open(site, "klotski/12E68FC00")
    row = row_of(release, CLASSIC)
    for text in (
        "0x1a9bf0c",
        "#4091296",
        f"5-4-1-{row['group_num']}-{row['group_index']}",
        "横刀立马",
        "Heng dao li-ma",
    ):
        reader.open(site, "klotski/12E68FC00")
        reader.page.fill("#find", text)
        reader.page.click("form.finder button")
        reader.arrive("/1A9BF0C00")
        assert reader.fact("steps") == "81"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1A9BG", "hexadecimal"),
        ("3", "first digit"),
        ("1FFFFFFFF", "two cells"),
        ("#29334498", "29,334,497"),
        ("9-9-9-0-0", "no layout of that name"),
    ],
)
def test_what_is_no_layout_is_refused_with_the_reason(site: str, reader: Reader, text: str, said: str) -> None:
    reader.open(site, "klotski")
    reader.page.fill("#find", text)
    reader.page.press("#find", "Enter")
    reader.page.wait_for_selector(".finder .fault:not(:empty)")
    assert said in reader.text(".finder .fault")


def test_a_step_by_mouse_is_judged_by_the_data(site: str, reader: Reader) -> None:
    """From the classic start the lower singles can go to the middle: that is no shortest first step on both sides."""
    page = reader.open(site, "klotski/1A9BF0C")
    single = page.locator(".piece.single[data-cell='16']")
    box = single.bounding_box()
    assert box
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 1.6, box["y"] + box["height"] / 2, steps=5)
    page.mouse.up()
    page.wait_for_function("() => document.querySelector('.said').dataset.mood", polling=50)
    assert not reader.address.endswith("/1A9BF0C"), "the address is that of the layout shown"
    steps = int("".join(c for c in reader.text(".said") if c.isdigit()))
    assert steps in {80, 81, 82}
    page.wait_for_selector(f"[data-fact=steps]:has-text('{steps}')")
    assert "1 step made" in reader.text(".stage .count")
    page.click("text=Undo")
    page.wait_for_selector(".said:has-text('81')")
    assert reader.address.endswith("/1A9BF0C00")


def test_pieces_move_by_arrow_keys_as_far_as_there_is_room(site: str, reader: Reader) -> None:
    page = reader.open(site, "klotski/1A9BF0C")
    page.focus(".piece.single[data-cell='16']")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    assert page.locator(".piece.single[data-cell='18']").count() == 1
    assert "1 step made" in reader.text(".stage .count"), "to move the same piece on is the same step"
    page.keyboard.press("ArrowRight")
    assert page.locator(".piece.single[data-cell='18']").count() == 1


def test_a_whole_solution_is_played_by_clicks(site: str, release: Path, reader: Reader) -> None:
    """Each click makes a best step; the data are asked after each, and the distance falls by one every time."""
    rows = pq.read_table(release / "klotski" / "solution")
    easy = rows.filter(pc.equal(rows["min_solution_step"], 7))["layout_id"][0].as_py()
    page = reader.open(site, "klotski")
    page.fill("#find", f"#{easy}")
    page.press("#find", "Enter")
    page.wait_for_selector("[data-fact=steps]:text-is('7')")
    for left in range(6, -1, -1):
        page.click("text=Best step")
        page.wait_for_selector(f"[data-fact=steps]:text-is('{left}')")
    assert page.locator(".piece.block[data-cell='13']").count() == 1
    assert page.is_disabled("text=Best step")


def test_the_solution_of_the_classic_start_is_played_to_the_exit(site: str, reader: Reader) -> None:
    page = reader.open(site, "klotski/1A9BF0C")
    page.evaluate(
        "() => { const wait = window.setTimeout; window.setTimeout = (f, ms, ...a) => wait(f, Math.min(ms, 5), ...a) }"
    )
    page.click("text=Play the solution")
    page.wait_for_selector(".piece.block[data-cell='13']")
    page.wait_for_selector(".count:has-text('81 steps')")
    page.wait_for_selector("[data-fact=steps]:text-is('0')")


def test_a_layout_is_built_by_touch(site: str, reader: Reader) -> None:
    page = reader.open(site, "klotski/build")
    page.click("text=Clear")
    assert "missing" in reader.text(".said")
    page.check("input[value='0']")
    page.click("[data-cell='13']")
    assert "D00000000" in reader.text(".said")
    page.check("input[value='1']")
    page.click("[data-cell='3']")
    assert "leaves the board" in reader.text(".said")
    page.click("[data-cell='3']")
    page.click("a.button:has-text('Show')")
    reader.arrive("/D00000000")
    assert "not in this release" in reader.fact("steps")


def test_classes_have_their_sizes_groups_and_plots(site: str, release: Path, reader: Reader) -> None:
    reader.open(site, "klotski/classes")
    rows = pq.read_table(release / "klotski" / "classes").to_pylist()
    shown = reader.text()
    assert all(f"{row['layouts']:,}" in shown for row in rows)
    page = reader.open(site, "klotski/class/5-4-1")
    assert "65,880 layouts in 898 groups" in reader.text()
    assert page.locator("svg.plot").count() == 2
    page.click("text=Show all 898")
    assert page.locator("tbody tr").count() > 898


def test_the_depths_of_a_group_are_searched_here_and_agree_with_the_data(
    site: str, release: Path, reader: Reader
) -> None:
    page = reader.open(site, "klotski/1A9BF0C")
    page.click(".layers button")
    page.wait_for_selector(".layers svg.plot")
    groups = pq.read_table(release / "klotski" / "groups").to_pylist()
    own = row_of(release, CLASSIC)["group_num"]
    row = next(g for g in groups if (g["jiang_num"], g["bing_num"], g["style_num"], g["group_num"]) == (5, 4, 1, own))
    assert f"{row['group_size']:,}" in reader.text(".layers figcaption")
    assert str(row["hardest_step"]) in reader.text(".layers figcaption")


def test_a_random_layout_is_one_of_the_release(tables_host: Host, reader: Reader) -> None:
    page = reader.open(tables_host.url, "klotski/1A9BF0C")
    page.click("text=Random")
    reader.arrive()
    assert reader.fault() == ""
    assert reader.page.get_attribute("dl", "data-covered") == "true"


def test_the_gallery_shows_the_known_starts_by_difficulty_with_names_on_their_pieces(site: str, reader: Reader) -> None:
    page = reader.open(site, "klotski/gallery")
    starts = {one["name"]: one["steps"] for one in tomllib.loads(STARTS.read_text())["start"]}
    shown = page.eval_on_selector_all(".gallery h2", "all => all.map(one => one.innerText)")
    assert sorted(shown) == sorted(starts)
    assert [starts[name] for name in shown] == sorted(starts.values())
    assert reader.text(".gallery .card:has-text('横刀立马') .count") == "●●● hard · 81 steps"
    page.click("text=横刀立马")
    reader.arrive("/klotski/1A9BF0C00")
    assert "横刀立马" in reader.text("h2.start")
    named = page.get_attribute(".piece.block", "aria-label")
    assert named == "曹操 Cao Cao: Block of 2 by 2, row 1, column 2"
    names = page.eval_on_selector_all(".piece", "all => all.map(one => one.textContent)")
    assert sorted(names) == sorted(["曹操", "关羽", "张飞", "赵云", "马超", "黄忠", *"兵兵兵兵"])


def test_all_next_steps_have_the_values_of_the_data_the_best_first(site: str, release: Path, reader: Reader) -> None:
    page = reader.open(site, "klotski/1A9BF0C")
    page.click("details.next summary")
    page.wait_for_selector(".next li")
    shown = page.eval_on_selector_all(".next .choice", "all => all.map(one => [one.dataset.to, +one.dataset.value])")
    assert [value for _, value in shown] == sorted(value for _, value in shown)
    rows = pq.read_table(release / "klotski/main", columns=["layout_id", "code"]).join(
        pq.read_table(release / "klotski/solution", columns=["layout_id", "min_solution_step"]), "layout_id"
    )
    codes = [int(code, 16) for code, _ in shown]
    found = rows.filter(pc.is_in(rows["code"], pa.array(codes, pa.uint64()))).to_pylist()
    assert {row["code"]: row["min_solution_step"] for row in found} == dict(
        zip(codes, (value for _, value in shown), strict=True)
    )
    assert len(codes) == 8, "each of the four soldiers that can move has two cells to go to"
    page.click(".next .choice >> nth=0")
    page.wait_for_selector(f"[data-fact=steps]:text-is('{shown[0][1]}')")
    assert reader.address.endswith(shown[0][0])


def test_the_puzzle_of_a_day_is_the_hardest_layout_of_a_group_and_the_same_for_all(
    site: str, release: Path, reader: Reader
) -> None:
    hardest = {f"{code:09X}" for code in pq.read_table(release / "klotski/groups")["hardest_code"].to_pylist()}
    found = []
    for day in ("2026-11-23", "2026-11-24", "2026-11-29", "2026-11-23"):
        reader.open(site, f"klotski/daily/{day}")
        assert day in reader.text(".day")
        assert f"{reader.fact('steps')} steps at best" in reader.text(".day")
        found.append((reader.fact("code"), int(reader.fact("steps"))))
    assert {code for code, _ in found} <= hardest
    assert found[0] == found[3]
    assert found[0][1] < found[2][1], "Mondays are easier than Sundays"
    reader.open(site, "klotski/daily/2026-02-30")
    assert "no such page" in reader.text("h1")


def test_a_game_won_without_help_is_kept_as_a_record(site: str, release: Path, reader: Reader) -> None:
    rows = pq.read_table(release / "klotski/main").join(pq.read_table(release / "klotski/solution"), "layout_id")
    above = pc.equal(pc.shift_right(rows["code"], pa.scalar(32, pa.uint64())), 9)
    near = rows.filter(pc.and_(pc.equal(rows["min_solution_step"], 1), above))
    code = f"{near['code'][0].as_py():09X}"
    page = reader.open(site, f"klotski/{code}")
    page.focus(".piece.block")
    page.keyboard.press("ArrowDown")
    page.wait_for_selector(".klotski-board.won")
    assert reader.text(".said") == "Out, after 1 step · you 1, best 1"
    assert page.evaluate("JSON.parse(localStorage['atlas-records'])") == {f"klotski/{code}": 1}
    reader.open(site, "klotski/1A9BF0C")
    assert page.evaluate("JSON.parse(localStorage['atlas-records'])") == {f"klotski/{code}": 1}


def test_the_page_to_print_has_each_start_with_a_solution_of_as_many_steps(site: str, reader: Reader) -> None:
    page = reader.open(site, "klotski/print")
    starts = {one["name"]: one["steps"] for one in tomllib.loads(STARTS.read_text())["start"]}
    answers = page.locator(".answers p").all_inner_texts()
    found = {line.split()[1]: len(line.split()) - 2 for line in answers}
    assert found == starts
    page.emulate_media(media="print")
    assert not page.locator("header").is_visible()
    assert page.locator(".sheet > div").count() == len(starts)
