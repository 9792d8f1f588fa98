"""Least moves that are left, from the config to answers: as arrays of classes, and in the table of a problem."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.queries import answers_from, answers_now
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy, vacancies
from boardspace.spaces.solitaire.playing import GameInPlay
from boardspace.spec.space import Draw
from boardspace.storage.arrays import open_array
from boardspace.verify import bitmaps
from tests.kernels.solitaire.boards import as_set, triangle
from tests.naive import solitaire as naive
from tests.pipeline.finished import altered, finished_stages, outcome_of
from tests.pipeline.test_solitaire_classes import invoke, rows

BOARD = triangle(5)
CELLS = frozenset(BOARD.cells)
NONE = 255


@pytest.fixture
def made(whole_classes: Path) -> Path:
    return whole_classes


def vacant(hole: int) -> Vacancy:
    return vacancies(Classes(board="triangle15", vacancies=(hole,)))[0]


@cache
def moves_left(hole: int, goals: frozenset[naive.Position]) -> dict[naive.Position, int]:
    """By whole moves, of the positions that a vacancy leads to."""
    known: dict[naive.Position, int] = {}
    reached = naive.reachable(CELLS, BOARD.grid, CELLS - as_set(BOARD, BOARD.position([hole])))
    for position in sorted(reached, key=len):
        after = [known[p] for _, p in naive.moves(CELLS, BOARD.grid, position) if p in known]
        if position in goals or after:
            known[position] = 0 if position in goals else 1 + min(after)
    return known


def test_arrays_have_the_least_moves_of_the_definition(made: Path) -> None:
    singles = frozenset(frozenset([cell]) for cell in CELLS)
    for hole in (1, 5):
        positions = vacant(hole).order.positions
        for name, goals in (("winning", singles), ("returning", frozenset([as_set(BOARD, BOARD.position([hole]))]))):
            words = open_array(made / "solitaire", f"classes/triangle15-{hole:02}/{name}_moves")[:]
            numbers = np.flatnonzero(words.view(np.uint8) != NONE).tolist()
            places = zip(positions.positions(np.array(numbers, np.int64)).tolist(), numbers, strict=True)
            found = {as_set(BOARD, position): int(words[n // 8]) >> 8 * (n % 8) & NONE for position, n in places}
            assert found == moves_left(hole, goals)
            assert len(found) > 100 or (hole, name) == (5, "returning")


def test_the_winning_positions_of_a_problem_have_the_least_moves_of_the_definition(made: Path) -> None:
    expected = moves_left(1, frozenset([as_set(BOARD, BOARD.position([1]))]))
    found = {as_set(BOARD, row["position"]): row["moves"] for row in rows(made, "winning")}
    assert found == {position: moves for position, moves in expected.items() if position in found}
    images = {frozenset((r, r - c) for r, c in position) for position in found}
    assert images | found.keys() == expected.keys()


def test_a_wrong_least_number_of_moves_is_found_whole_and_by_a_draw(
    made: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config, inputs = finished_stages(made, SolitaireConfig)
    start = vacant(1).order.positions.number(BOARD.full ^ 1)

    def another_word(stage: str, name: str, found: Any) -> Any:
        if not isinstance(found, pa.Table) and name.endswith("_moves"):
            found[start >> 3] ^= np.uint64(1 << 8 * (start & 7))
        return found

    def other_words(stage: str, name: str, found: Any) -> Any:
        return np.roll(found, 1) if not isinstance(found, pa.Table) and name.endswith("_moves") else found

    equation = "equation of classes/{board}-{vacancy}/{goal}_moves"
    assert outcome_of(equation, config, inputs, Draw()).fault == ""
    assert f"number {start}: " in outcome_of(equation, config, altered(inputs, another_word), Draw()).fault
    monkeypatch.setattr(bitmaps, "WHOLE_NUMBERS", 1)
    monkeypatch.setattr(bitmaps, "RUN", 4)
    monkeypatch.setattr(bitmaps, "DRAWN_WORDS", 64)
    monkeypatch.setattr(bitmaps, "HELD_BYTES", 1)
    monkeypatch.setattr(bitmaps, "CHUNK", 8)
    drawn = outcome_of(equation, config, inputs, Draw())
    assert (drawn.fault, drawn.cases < drawn.of) == ("", True)
    assert outcome_of(equation, config, altered(inputs, other_words), Draw()).fault


def test_answers_of_a_dataset_with_hints_are_those_of_a_sweep_in_memory(made: Path) -> None:
    stored, swept = answers_from(made / "solitaire", "triangle15", 5), answers_now("triangle15", 5)
    position = stored.vacancy.start
    while moves := stored.ask(position).moves:
        assert stored.ask(position) == swept.ask(position)
        assert stored.ask(position).moves_to_win == 1 + (moves[0].moves_to_win or 0)
        position = moves[0].position
    assert position.bit_count() == 1


@pytest.mark.thorough
def test_a_game_is_played_to_its_end_by_its_hints(made: Path) -> None:
    """From a dataset; a move that is made of two lines is one move, and what is left is told so."""
    game = GameInPlay(BOARD, 1, answers_from(made / "solitaire", "triangle15", 1))
    typed: list[str] = []
    while not game.is_over:
        begin, over, *_ = game.obey("hint")[-1].split("==>")
        typed.append(f"{begin} {over}")
        game.obey(typed[-1])
    asked = ("solitaire", "play", "--board", "triangle15", "--vacancy", 1, "--dataset", made / "solitaire")
    lines = "".join(f"{line}\n" for line in ("hint", *typed))
    told = CliRunner().invoke(cli, [str(part) for part in asked], input=lines).stdout
    assert typed[0].replace(" ", "==>") in told
    assert "1 peg, 10 moves, won" in told
    assert "14 pegs, 0 moves, one peg can be reached in 10 more moves, and no fewer" in told


def test_without_least_moves_hints_are_the_jumps_that_win() -> None:
    game = GameInPlay(BOARD, 1, answers_now("triangle15", 1, moves=False))
    while not game.is_over:
        told = game.shown()[-1]
        assert told.endswith("one peg can be reached")
        game.obey(game.obey("hint")[0])
    assert game.pegs == 1


def test_hints_need_bitmaps(tmp_path: Path) -> None:
    text = '[solitaire]\n[[solitaire.classes]]\nboard = "triangle15"\nbitmaps = false\nhints = ["winning"]\n'
    (tmp_path / "tiny.toml").write_text(text)
    refused = invoke("plan", tmp_path / "tiny.toml")
    assert refused.exit_code == 2
    assert "hints need bitmaps" in refused.output


def test_a_class_without_the_goal_has_no_hints_of_it(tmp_path: Path) -> None:
    text = '[[solitaire.classes]]\nboard = "rectangle3x5"\nvacancies = [8]\nhints = ["winning", "returning"]\n'
    (tmp_path / "tiny.toml").write_text(text)
    vacancy = vacancies(Classes(board="rectangle3x5", vacancies=(8,)))[0]
    planned = invoke("plan", tmp_path / "tiny.toml", "--all")
    assert ("returning_moves" in planned.output) == (vacancy.board.position([8]) in vacancy.single_pegs)
    assert ("winning_moves" in planned.output) == bool(vacancy.single_pegs)


def test_a_player_who_asks_for_help_sees_the_numbers_of_the_holes() -> None:
    numbers = ["          1", "        2   3", "      4   5   6", "    7   8   9  10", " 11  12  13  14  15"]
    for line in ("help", "?"):
        done = CliRunner().invoke(cli, ["solitaire", "play", "--board", "triangle15", "--vacancy", "1"], input=line)
        assert done.stdout.splitlines()[6:11] == numbers
    done = CliRunner().invoke(cli, ["solitaire", "play"], input="help")
    assert done.stdout.splitlines()[8:11] == ["       9 16 23", "      10 17 24", " 1  5 11 18 25 31 35"]


def test_a_game_without_a_vacancy_begins_in_the_middle_or_with_hole_1_and_says_so() -> None:
    for board, hole in (("triangle15", 1), ("square4", 1), ("rectangle3x5", 8)):
        done = CliRunner().invoke(cli, ["solitaire", "play", "--board", board], input="quit")
        assert f"{board}: hole {hole} is empty at first; --vacancy names another" in done.stderr
        assert done.exit_code == 1, done.output
