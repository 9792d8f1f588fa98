"""Tables of a class that is too large to be played whole: what can be known of it otherwise is, the rest is reported.

Fifteen holes are held to be too many here. Tables are altered together, so that they agree with one another.
"""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.numbering import NONE
from boardspace.spaces.solitaire.parts.classes.checks import played as playing
from boardspace.spaces.solitaire.parts.classes.checks.played import PlayedClass, play_class
from boardspace.spaces.solitaire.parts.classes.checks.solutions import unfolded
from boardspace.spaces.solitaire.parts.classes.vacancy import vacancies
from boardspace.spaces.solitaire.rules import GameByArrays
from boardspace.spaces.solitaire.shortest_by_hand import ShortestByHand, graph_of
from boardspace.spaces.solitaire.space import SPACE
from boardspace.spec.space import Draw
from boardspace.storage.run_folder import FinishedStages
from tests.pipeline.conftest import TRIANGLE
from tests.pipeline.finished import altered, finished_stages, outcome_of, run_of

HOME = ("triangle15", 1)
Run = tuple[SolitaireConfig, FinishedStages]
Rows = list[dict[str, Any]]
Alter = Callable[[Rows], Rows]
NAME = "equations of position classes"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return finished_stages(run_of(TRIANGLE, tmp_path_factory.mktemp("large")), SolitaireConfig)


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Classes of more than a hundred positions are not played whole."""
    monkeypatch.setattr(playing, "MOST", 100)
    monkeypatch.setattr(playing, "FIRST", 20)


def fault_of(run: Run, **tables: Alter) -> str:
    """The fault that is found where rows of the first vacancy are altered."""

    def change(stage: str, name: str, rows: Any) -> Any:
        if name not in tables or rows.num_columns < len(SPACE.table(name).columns):
            return rows
        listed = rows.to_pylist()
        mine = [row for row in listed if (row["board"], row["vacancy"]) == HOME]
        changed = [*tables[name](mine), *(row for row in listed if row not in mine)]
        key = [column for column in rows.column_names if column in KEY]
        return pa.Table.from_pylist(sorted(changed, key=lambda row: [row[column] for column in key]), rows.schema)

    return outcome_of(NAME, run[0], altered(run[1], change), Draw(1)).fault


KEY = ("board", "vacancy", "survivor", "pegs", "moves", "ordered", "mirror", "loop", "number", "position")


def test_nothing_is_wrong_and_what_is_not_known_whole_is_reported(run: Run, large: None) -> None:
    outcome = outcome_of(NAME, run[0], run[1], Draw(1))
    assert outcome.fault == ""
    assert outcome.cases < outcome.of
    unknown = re.findall(r"\d+ of \d+ rows of (\w+) triangle15", outcome.left)
    assert sorted(unknown) == ["class_moves", "hardest", "problem_solutions", "problems"]
    derived, named = ("class_levels.pegs", "problems.survivor"), ("class_moves.pegs", "class_solutions.moves")
    assert {*derived} <= {*outcome.whole}
    assert not {*named, "problems.moves", "hardest.moves"} & {*outcome.whole}  # of some rows only the table tells them


def test_levels_of_which_there_is_no_bitmap_are_reported_as_not_known(run: Run, large: None) -> None:
    """Those that cannot be known, and are null; the first levels are played."""
    section = run[0].classes[0].model_copy(update={"bitmaps": False, "hints": []})
    unknown = [f"{name}winning_in_vacancy" for name in ("", "labelled_")]

    def nulls(stage: str, name: str, rows: Any) -> Any:
        listed = rows.to_pylist() if name == "class_levels" else []
        return pa.Table.from_pylist([row | dict.fromkeys(unknown) for row in listed], rows.schema) if listed else rows

    config, inputs = run[0].model_copy(update={"classes": [section]}), altered(run[1], nulls)
    outcome = outcome_of(NAME, config, inputs, Draw())
    assert outcome.fault == ""
    assert re.search(r"\d+ of \d+ rows of class_levels triangle15", outcome.left)
    assert "class_levels.pegs" not in outcome.whole
    assert "winning_in_vacancy is" in outcome_of(NAME, config, run[1], Draw()).fault


def test_other_dead_ends_are_found_on_bitmaps(run: Run, large: None) -> None:
    def more(rows: Rows) -> Rows:
        return [
            row | {"dead_ends": row["dead_ends"] + 1, "labelled_dead_ends": row["labelled_dead_ends"] + 2}
            if row["pegs"] == 7
            else row
            for row in rows
        ]

    assert "triangle15-1-7: dead_ends is" in fault_of(run, class_levels=more)


def test_most_moves_that_no_fewer_lead_to_are_found(run: Run, large: None) -> None:
    hardest = run[1].table("hardest").to_pylist()
    most = next(row["moves"] for row in hardest if (row["board"], row["vacancy"]) == HOME)

    def up(rows: Rows) -> Rows:
        return [row | {"moves": most + 1} if row["moves"] == most else row for row in rows]

    assert "of one move fewer" in fault_of(run, class_moves=up, hardest=up, problems=up)


def test_least_moves_of_first_levels_are_found(run: Run, large: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Though they add up."""
    monkeypatch.setattr(playing, "MOST", 600)
    monkeypatch.setattr(playing, "FIRST", 600)
    numbers = ("positions", "labelled_positions")

    def exchanged(rows: Rows) -> Rows:
        one, other = [row for row in rows if row["pegs"] == 9][:2]
        assert one["positions"] != other["positions"]
        given = {one["moves"]: other, other["moves"]: one}
        return [
            row | {name: given[row["moves"]][name] for name in numbers}
            if row["pegs"] == 9 and row["moves"] in given
            else row
            for row in rows
        ]

    assert "triangle15-1-9-" in fault_of(run, class_moves=exchanged)


def test_least_moves_that_are_not_those_left_at_the_start_are_found(run: Run, large: None) -> None:
    def fewer(rows: Rows) -> Rows:
        return [row | {"moves": row["moves"] - 1} if row["moves"] and row.get("pegs", 1) == 1 else row for row in rows]

    assert "by the moves that are left" in fault_of(run, class_moves=fewer, problems=fewer)

    def others(rows: Rows) -> Rows:
        return [row | {"moves": row["moves"] - 1} if row["moves"] and row["survivor"] != 1 else row for row in rows]

    assert "the survivors of the problems are not" in fault_of(run, problems=others)


def test_least_moves_that_symmetries_do_not_keep_are_found(
    run: Run, large: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of two survivors change places, so that they add up, and those of one that symmetries make of it do not."""

    def exchanged(rows: Rows) -> Rows:
        moves = {row["survivor"]: row["moves"] for row in rows}
        assert moves[7] == moves[10] != moves[13]
        return [row | {"moves": moves[{7: 13, 13: 7}.get(row["survivor"], row["survivor"])]} for row in rows]

    monkeypatch.setattr("boardspace.spaces.solitaire.parts.classes.checks.solutions.solution_tables", lambda *_: {})
    assert "triangle15-1-10: moves is" in fault_of(run, problems=exchanged)


@pytest.mark.parametrize("is_large", [True, False])
def test_every_second_solution_left_out_is_found_though_the_numbers_follow(
    run: Run, is_large: bool, request: pytest.FixtureRequest
) -> None:
    if is_large:
        request.getfixturevalue("large")
    played = PlayedClass(vacancies(run[0].classes[0], run[0].boards)[0], 10**6)
    rows = [row for row in run[1].table("class_solutions").to_pylist() if row["vacancy"] == 1]
    survivor = max((row["survivor"] for row in rows), key=lambda one: sum(row["survivor"] == one for row in rows))
    game = GameByArrays(played.hand, played.hand.keeping(1, survivor))
    kept = [row for row in rows if row["survivor"] == survivor][::2]
    solutions = ShortestByHand(game, unfolded(game, played.hand, kept))
    numbered = [row | known for row, known in zip(kept, solutions.listed.values(), strict=True)]
    counts = solutions.counts

    def counted(rows: Rows) -> Rows:
        return [
            row | {"solutions": counts.get((row["ordered"], row["mirror"], row["loop"]), row["solutions"])}
            if row["survivor"] == survivor
            else row
            for row in rows
        ]

    def listed(rows: Rows) -> Rows:
        return [row for row in rows if row["survivor"] != survivor] + numbered

    fault = fault_of(run, class_solutions=listed, problem_solutions=counted)
    assert ("is not listed" if is_large else "by its equation") in fault


def test_solutions_that_are_not_listed_are_found_if_they_are_few_and_else_reported(run: Run, large: None) -> None:
    def none(rows: Rows) -> Rows:
        return []

    assert "although they are few" in fault_of(run, class_solutions=none)

    def many(stage: str, name: str, rows: Any) -> Any:
        if name == "problem_solutions" and "solutions" in rows.column_names:
            listed = [row | {"solutions": 123_456_789} for row in rows.to_pylist() if row["ordered"]]
            return pa.Table.from_pylist(listed, rows.schema)
        return rows.slice(0, 0) if name == "class_solutions" else rows

    outcome = outcome_of(NAME, run[0], altered(run[1], many), Draw())
    assert outcome.fault == ""
    count = altered(run[1], many).table("problem_solutions").num_rows
    assert f"{count} of {count} rows of problem_solutions triangle15" in outcome.left


def test_a_class_of_21_holes_is_played_whole_and_once() -> None:
    (vacancy,) = vacancies(Classes(board="triangle21", vacancies=(1,)))
    played = play_class(vacancy)
    assert played.is_whole
    assert sum(int(played.game.orbit_sizes(level).sum()) for level in played.levels) == 291_987
    assert play_class(vacancy) is played


@pytest.mark.parametrize("hole", [1, 5])
def test_positions_on_shortest_solutions_are_those_whose_moves_to_and_from_add_up(hole: int) -> None:
    (vacancy,) = vacancies(Classes(board="triangle15", vacancies=(hole,)))
    played = PlayedClass(vacancy, 10**6)
    for survivor, cell in played.hand.cell.items():
        goal = 1 << played.game.index[cell]
        length = int(played.moves_to(np.array([goal], np.uint64))[0])
        if length == NONE:
            continue
        game = GameByArrays(played.hand, played.hand.keeping(hole, survivor))
        images = np.unique(np.concatenate([*played.game.images(played.fewest.words)]))
        to, left = played.moves_to(images), {goal: 0}
        for word in sorted(images.tolist(), key=int.bit_count)[1:]:
            ends = (played.hand.word(end) for _, end in played.hand.paths(played.hand.position(word)))
            left[word] = min([left.get(end, NONE) + 1 for end in ends], default=NONE) if word != goal else 0
        on = {
            word
            for word, moves in zip(images.tolist(), to.tolist(), strict=True)
            if moves + left.get(word, NONE) == length
        }
        graph = graph_of(played.hand, game, played.passed_to(survivor, game))
        assert {word for layer in graph for word in layer} | {goal} == on
        assert all(steps for layer in graph for steps in layer.values())
