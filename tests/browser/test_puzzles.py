"""Puzzles of plug-ins, by their texts and data alone: starts, games with what remains after every move, questions."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import boardspace
from boardspace.graphs import games
from boardspace.graphs.answers import Answers
from boardspace.graphs.questions import answers
from boardspace.release.atlas.site import write_site
from tests.browser.conftest import Reader
from tests.browser.hosts import own_host
from tests.browser.test_pages import picture, violations
from tests.pipeline.finished import run_of
from tests.pipeline.graphs.conftest import puzzles
from tests.pipeline.publish.conftest import publish_quietly

__all__ = ["puzzles"]
FAST = "() => { const later = window.setTimeout; window.setTimeout = (f, ms) => later(f, ms / 40) }"


@pytest.fixture(scope="module")
def puzzle_release(chromium: object, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lamps, whose larger board is not held whole, and rounds, which have goals and dead ends."""
    folder = tmp_path_factory.mktemp("puzzles")
    publish_quietly(run_of("[lamps]\nmost = 3\n[rounds]\n", folder), folder / "release")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(games, "CAPACITY", 240)
        write_site(folder / "release", folder / "release", None, lambda _: None)
    return folder / "release"


@pytest.fixture(scope="module")
def puzzle_site(puzzle_release: Path) -> Iterator[str]:
    with own_host(puzzle_release) as url:
        yield url


@pytest.fixture
def lamps(puzzle_release: Path) -> Answers:
    return answers("lamps", "press", {"rows": 3, "columns": 3}, boardspace.open(puzzle_release)["lamps"])


def told(reader: Reader) -> dict[str, int]:
    """What the page says remains after each move."""
    reader.page.check("#puzzle-all")
    reader.page.wait_for_selector("[data-move][data-left]")
    found = reader.page.eval_on_selector_all("[data-left]", "all => all.map(a => [a.dataset.move, +a.dataset.left])")
    return dict(found)


def test_a_start_is_chosen_and_led_to_the_end_in_the_moves_of_the_data(
    puzzle_site: str, lamps: Answers, reader: Reader
) -> None:
    page = reader.open(puzzle_site, "puzzles")
    page.click(".card[href='#/puzzles/lamps']")
    page.click(".tabs a:has-text('press, 3 × 3')")
    page.wait_for_selector(".tabs a[aria-current=page]:has-text('press, 3 × 3')")  # the gallery of another size is gone
    page.wait_for_selector(".gallery a")
    shown = page.eval_on_selector_all(".gallery a", "all => all.map(a => [+a.dataset.moves, a.hash.split('/').at(-1)])")
    assert all(lamps.distance(int(state)) == moves for moves, state in shown)
    most = max(moves for moves, _ in shown)
    assert shown[0][0] == most == lamps.distance(lamps.hardest(1)[0])
    page.click(".gallery a >> nth=0")
    page.wait_for_selector(f".said:has-text('{most} moves to go')")
    page.evaluate(FAST)
    page.click("text=Play the solution")
    page.wait_for_selector(f".said:has-text('Back at the start, after {most} moves · {most} is the least')")
    assert not violations(reader)
    picture(reader, "puzzle-won")
    address = reader.address.split("#/")[1]
    assert len(address.split("game=")[1].split("~")) == most
    reader.open(puzzle_site, address)
    assert "Back at the start" in reader.text(".said")
    page.click("text=Undo")
    page.wait_for_selector(".said:has-text('1 move to go')")


def test_from_a_position_that_the_page_does_not_hold_a_search_tells_the_moves_of_the_data(
    puzzle_site: str, lamps: Answers, reader: Reader
) -> None:
    state = lamps.hardest(1)[0]
    page = reader.open(puzzle_site, f"puzzles/lamps/press-3x3/{state}")
    for name in [*lamps.moves(state)][:4]:
        page.click(f"[data-move='{name}']")
        state = lamps.moves(state)[name]
        moves = lamps.distance(state)
        page.wait_for_selector(f".said:has-text('{moves} move')")
    best = {name for name, there in lamps.moves(state).items() if lamps.distance(there) == (moves or 0) - 1}
    found = told(reader)
    assert {name for name, left in found.items() if left == (moves or 0) - 1} == best
    assert {name: lamps.distance(lamps.moves(state)[name]) for name in found} == found


def test_dead_ends_and_the_edge_of_what_the_page_holds_are_told(
    puzzle_site: str, puzzle_release: Path, reader: Reader
) -> None:
    rounds = answers("rounds", dataset=boardspace.open(puzzle_release)["rounds"])
    held = json.loads((puzzle_release / "atlas/rounds.game.0.json").read_text())
    lost = next(place for place, pairs in enumerate(held["next"]) if None in [held["moves"][to] for to in pairs[1::2]])
    for place in (held["edge"][0], held["edge"][-1], lost):
        state = int(held["states"][place])
        page = reader.open(puzzle_site, f"puzzles/rounds/both/{state}")
        steps = {name: rounds.solution(there) for name, there in rounds.moves(state).items()}
        found = told(reader)
        assert found.items() <= {name: len(way) for name, way in steps.items() if way is not None}.items()
        assert (page.locator("text=that this page does not hold").count() == 1) == (place in held["edge"])
        dead = page.eval_on_selector_all("[data-move]:has-text('No moves lead')", "all => all.map(a => a.dataset.move)")
        assert set(dead) <= {name for name, way in steps.items() if way is None}
    assert dead


def test_a_state_is_asked_for_by_number_or_drawing(
    puzzle_site: str, puzzle_release: Path, lamps: Answers, reader: Reader
) -> None:
    page = reader.open(puzzle_site, "puzzles/lamps/press-3x3")
    game = json.loads((puzzle_release / "atlas/lamps.game.2.json").read_text())
    state = next(state for state in range(512) if str(state) not in game["states"])
    page.fill("#puzzle-state", f"#{state}")
    page.click("text=Look it up")
    page.wait_for_selector(f".said:has-text('It takes {lamps.distance(state)} move')")
    reader.open(puzzle_site, "puzzles/lamps/press-3x3")
    page.fill("#puzzle-state", lamps.text(lamps.hardest(1)[0]).replace("\n", "/"))
    page.click("text=Look it up")
    page.wait_for_selector(".said:has-text('to go')")
    assert reader.address.endswith(f"/{lamps.hardest(1)[0]}")
    reader.open(puzzle_site, "puzzles/lamps/press-3x3/511x")
    assert "leads nowhere" in reader.text("main")


def test_the_pages_fit_a_phone_and_speak_chinese(puzzle_site: str, phone: Reader) -> None:
    for place in ("puzzles", "puzzles/lamps/press-3x3", "puzzles/rounds"):
        page = phone.open(puzzle_site, place)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        assert any("\u4e00" <= sign <= "\u9fff" for sign in phone.text("main"))
        picture(phone, f"{place.replace('/', '-')}-phone")
        assert not violations(phone)
