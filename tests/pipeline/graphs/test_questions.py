"""Questions about puzzles, from the command line and from Python, with a run's distances and without."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import click
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

import boardspace
from boardspace.cli.main import cli
from boardspace.graphs import Case, Sparse, paths
from boardspace.graphs import answers as answers_of_numbers
from boardspace.graphs.answers import Answers, searched
from boardspace.graphs.declared import TAKEN
from boardspace.graphs.levels import BACK
from boardspace.graphs.paths import reached
from boardspace.graphs.questions import answers
from boardspace.graphs.trying import RuleError, try_rules
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.graph.rule import GOAL
from boardspace_kernels.jit import kernel
from tests.naive import graph as naive
from tests.puzzles import LAMPS, LIGHTS, LampRules, TurnedRules
from tests.row import ROW, RowRules

BOARD = {"rows": 3, "columns": 3}


def invoke(*arguments: object, typed: str = "", code: int = 0) -> str:
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments], input=typed)
    assert done.exit_code == code, done.output
    return done.output if code else done.stdout  # that kernels are compiled stands on standard error


def test_a_run_and_a_search_in_memory_answer_alike_and_as_a_slow_search(run_folder: Path) -> None:
    slow = naive.distances([0], lambda state: LAMPS.rules_of("press").moves(BOARD, state).values())
    here = answers("lamps", size=BOARD)
    there = answers("lamps", size=BOARD, dataset=boardspace.open(run_folder)["lamps"])
    for state in range(0, 512, 7):
        assert here.distance(state) == there.distance(state) == slow.get(state)
        steps = there.solution(state)
        assert (steps is None) == (state not in slow)
        for step in steps or []:
            assert here.moves(state)[step.move] == step.state
            state = step.state
        assert steps is None or state == 0
    assert here.hardest(1000) == there.hardest(1000) == [s for s, d in slow.items() if d == max(slow.values())]
    assert here.random(5, 3, 4) == there.random(5, 3, 4)
    assert slow[here.random(5, 3, 4)] in {3, 4}


def test_data_that_lack_a_size_or_a_metric_are_asked_nothing(run_folder: Path) -> None:
    data = boardspace.open(run_folder)["lamps"]
    with pytest.raises(
        BoardspaceError, match=r"these data have no press/9x3; they have .*press/3x3.*: ask without data"
    ):
        answers("lamps", size={"rows": 9, "columns": 3}, dataset=data)


def test_states_are_given_by_drawings_in_one_line_or_several_or_by_number(run_folder: Path) -> None:
    here = answers("lamps", size=BOARD)
    assert here.parse("*.*\n...\n..*") == here.parse("*.*/.../..*") == here.parse("#261") == 261
    assert here.parse("*.*/.../..*\n") == here.parse("#261\n") == 261
    for wrong in ("*.*", "#512", "abc/def/ghi", "", "#x"):
        with pytest.raises(BoardspaceError, match=r"state|lamps"):
            here.parse(wrong)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (lambda: answers("toy"), "no space made from a puzzle"),
        (lambda: answers("lamps", "jump"), "there is no metric 'jump'; there are: press"),
        (lambda: answers("lamps", size={"rows": 3}), "its size has rows, columns"),
        (lambda: answers("steps", "both").solution(3), "cannot all be taken back"),
        (lambda: answers("lamps", size=BOARD).random(1, 200, 201), "found no state of 200 to 201 moves"),
        (lambda: answers("lamps", size={"rows": 9, "columns": 3}).distance(1), "make a run of this size"),
    ],
)
def test_questions_that_cannot_be_answered_say_why(asked: Any, text: str) -> None:
    with pytest.raises(BoardspaceError, match=text):
        asked()


def test_every_puzzle_has_the_commands_that_authors_cannot_name() -> None:
    lines = invoke("lamps", "--help").partition("Commands:\n")[2].splitlines()
    assert sorted(TAKEN) == [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]


@click.option("--number", type=int, default=1)
def described(asked: Answers, number: int) -> dict[str, int]:
    """Answer of an author."""
    return {"count": asked.count, "number": number}


def test_a_command_of_the_author_s_is_beside_them_and_answers_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(vars(LAMPS), "commands", (described,))
    assert "Answer of an author." in invoke("lamps", "--help")
    assert invoke("lamps", "described", "--size", "rows=2,columns=3") == "count: 64\nnumber: 1\n"
    answer = invoke("lamps", "described", "--size", "rows=3,columns=3", "--number", 7, "--json")
    assert json.loads(answer) == {"count": 512, "number": 7}


def test_the_commands_of_a_puzzle_answer_in_text_and_json(run_folder: Path) -> None:
    size = ("--size", "rows=3,columns=3", "--data", run_folder)
    assert "#261, " in invoke("lamps", "show", "*.*/.../..*", *size)
    shown = json.loads(invoke("lamps", "show", "#261", *size, "--json"))
    solved = json.loads(invoke("lamps", "solve", "#261", *size, "--json"))
    assert shown["moves"] == len(solved["solution"]) > 0
    assert shown["choices"][solved["solution"][0]["move"]] == solved["solution"][0]["state"]
    assert solved["solution"][-1]["state"] == 0
    assert invoke("lamps", "solve", "#261", "--boards", *size).count("\n\n") == shown["moves"]
    [hardest] = json.loads(invoke("lamps", "hardest", *size, "--json"))
    assert hardest["moves"] == 9
    assert json.loads(invoke("lamps", "random", "--moves", 4, *size, "--json"))["moves"] == 4
    assert "no state of lamps" in invoke("lamps", "show", "?", *size, code=2)
    assert "NAME=NUMBER" in invoke("lamps", "solve", "--help")
    assert "rows=3,columns=4" in invoke("lamps", "show", "#1", "--size", "3x3", code=2)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--size", "rows=3,columns=3,rows=2"), "'rows=3,columns=3,rows=2' is not of the form rows=3,columns=4, each"),
        (("--size", "rows=3,columns=-3"), "is not of the form"),
        (("--size", ""), "is not of the form"),
        (("--moves", "5..4"), "moves: 5 is more than 4"),
    ],
)
def test_numbers_that_cannot_be_meant_are_refused(options: tuple[object, ...], text: str) -> None:
    assert text in invoke("lamps", "random", *options, code=2)


def test_a_drawing_may_begin_with_a_hyphen(monkeypatch: pytest.MonkeyPatch) -> None:
    parse, letters = LampRules.parse, str.maketrans(dict.fromkeys("-ahj", "."))
    monkeypatch.setattr(LampRules, "parse", lambda rules, *of: parse(rules, of[0], of[1].translate(letters)))
    for drawing in ("--*", "-.*", "-a*", "-h*", "-j*"):
        assert "#4, " in invoke("lamps", "show", drawing, "--size", "rows=1,columns=3")
    assert "Did you mean '--boards'" in invoke("lamps", "solve", "#1", "--boardz", code=2)


def test_a_state_that_is_not_reached_is_no_error() -> None:
    lines = ("--size", "rows=2,columns=3")
    state = next(s for s in range(64) if answers("lamps", size={"rows": 2, "columns": 3}).distance(s) is None)
    assert "no moves lead" in invoke("lamps", "solve", f"#{state}", *lines)
    found = json.loads(invoke("lamps", "solve", f"#{state}", *lines, "--json"))
    assert (found["solvable"], found["reason"]) == (False, "no moves lead to the end")
    found = json.loads(invoke("lamps", "random", "--moves", "200..201", *lines, "--json"))
    assert (found["solvable"], "found no state of 200 to 201 moves" in found["reason"]) == (False, True)


def test_a_group_has_so_many_states_and_the_hardest_take_so_many_moves() -> None:
    asked = answers("lamps", size={"rows": 2, "columns": 3})
    states = [state for state in range(64) if asked.distance(state) is not None]
    most = max(asked.distance(state) or 0 for state in states)
    found = json.loads(invoke("lamps", "group", f"#{states[-1]}", "--size", "rows=2,columns=3", "--json"))
    assert (found["positions"], found["goals"], found["most"]) == (len(states), 1, most)
    assert found["moves"] == asked.distance(states[-1])


def test_a_game_is_played_line_by_line(run_folder: Path) -> None:
    size = ("--size", "rows=1,columns=3")
    won = invoke("lamps", "play", "..*", *size, typed="moves\nhint\na1\nundo\na1\nb1\n")
    assert "a1, b1, c1" in won
    assert "(2 moves)" in won
    assert won.rstrip().endswith("...\nmove 2")
    assert "is no move here" in invoke("lamps", "play", "..*", *size, typed="z9\n", code=2)
    played = invoke("lamps", "play", "..*", *size, "--json", typed="a1\nquit\n", code=1)
    assert [json.loads(line)["played"] for line in played.splitlines()] == [0, 1]


@pytest.mark.parametrize(
    ("space", "metric", "size", "states"),
    [
        ("lamps", "press", {"rows": 2, "columns": 3}, range(64)),
        ("steps", "both", {}, [0, 3, 40, 500, 999]),
        ("steps", "one", {}, [0, 3, 6, 500, 999]),
        ("beads", "swap", {"places": 6}, range(64)),
    ],
)
def test_paths_between_any_two_states_are_as_short_as_those_of_a_slow_search(
    space: str, metric: str, size: dict[str, int], states: range | list[int]
) -> None:
    asked = answers(space, metric, size)
    for start in states[::5]:
        slow = naive.distances([start], lambda state: asked.moves(state).values())
        for end in states:
            steps = asked.path(start, end)
            assert (None if steps is None else len(steps)) == slow.get(end)
            here = start
            for step in steps or []:
                assert asked.moves(here)[step.move] == step.state
                here = step.state
            assert steps is None or here == end


def test_a_path_is_told_as_text_json_pictures_and_played(tmp_path: Path) -> None:
    size = ("--size", "rows=3,columns=3")
    told = invoke("lamps", "path", "#5", "#77", *size, "--boards", "--svg", tmp_path / "way.svg")
    assert told.startswith("5 moves: ")
    found = json.loads(invoke("lamps", "path", "#5", "#77", *size, "--json"))
    assert (found["moves"], found["solution"][-1]["state"], found["start"]["state"]) == (5, 77, 5)
    assert (tmp_path / "way.svg").read_text().count("<g transform") == 6
    assert invoke("lamps", "path", "#5", "#77", *size, "--animate").count("\n5: ") == 1
    assert invoke("lamps", "path", "#5", "#5", *size) == "0 moves\n"
    none = json.loads(invoke("steps", "path", "#3", "#5", "--metric", "one", "--json"))
    assert (none["solvable"], none["moves"]) == (False, None)


def test_pictures_are_the_authors_where_there_are_some_else_cells_of_the_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = ("--size", "rows=3,columns=3", "--svg", tmp_path / "one.svg")
    for question in (("show", "#261"), ("random",), ("hardest",), ("solve", "#261")):
        invoke("lamps", *question, *size)
        assert (tmp_path / "one.svg").read_text().count("<rect") % 9 == 0
    way = answers("lamps", size=BOARD).solution(261)
    assert way is not None
    assert way._repr_svg_() == (tmp_path / "one.svg").read_text()
    monkeypatch.setattr(type(LAMPS.rules), "svg", lambda *_: '<svg width="9" height="8"><b/></svg>', raising=False)
    invoke("lamps", "show", "#261", *size)
    assert '<svg width="9" height="8"><b/></svg>' in (tmp_path / "one.svg").read_text()
    monkeypatch.setattr(type(LAMPS.rules), "svg", lambda *_: "<svg/>", raising=False)
    assert "has width and height in pixels" in invoke("lamps", "show", "#261", *size, code=2)


def test_moves_are_written_as_rows_and_as_graphs(tmp_path: Path, run_folder: Path) -> None:
    size, rows, drawn = ("--size", "rows=3,columns=3"), tmp_path / "rows.parquet", tmp_path / "drawn.graphml"
    asked = answers("lamps", size=BOARD)
    every = sorted((state, there) for state in range(512) for there in asked.moves(state).values())
    for data in ((), ("--data", run_folder)):
        assert "4,608 moves" in invoke("lamps", "export", "--edges", rows, *size, *data)
        found = pq.read_table(rows).to_pylist()
        assert sorted((row["state"], row["next"]) for row in found) == every
    invoke("lamps", "export", "--edges", rows, "--around", "#0", "--radius", 1, "--names", *size)
    for row in pq.read_table(rows).to_pylist():
        assert asked.moves(row["state"])[row["move"]] == row["next"]
    assert json.loads(invoke("lamps", "export", "--edges", drawn, "--around", "#0", "--radius", 1, *size, "--json"))
    graph = ElementTree.parse(drawn)
    assert [len(graph.findall(f".//{{*}}{one}")) for one in ("node", "edge")] == [10, 18]
    [move] = graph.findall(".//{*}edge[@source='0'][@target='11']/{*}data")
    assert move.text == "a1"


def test_each_of_several_moves_from_a_state_to_another_has_its_name(tmp_path: Path) -> None:
    rows = tmp_path / "rows.parquet"
    invoke("steps", "export", "--edges", rows, "--metric", "both", "--names")
    found = [(row["move"], row["next"]) for row in pq.read_table(rows).to_pylist() if row["state"] == 7]
    assert found == [("double", 14), ("add", 14)]


class NumPyRules(TurnedRules):
    """The rules of lights, in NumPy's numbers."""

    def moves(self, size: Any, state: int) -> dict[str, Any]:
        return {name: np.uint64(there) for name, there in super().moves(size, state).items()}

    def parse(self, size: Any, text: str) -> Any:
        return np.uint64(super().parse(size, text))


def test_starts_and_second_rules_may_have_numpy_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    start: Any = lambda size: np.uint64(0)  # noqa: E731
    monkeypatch.setitem(vars(LIGHTS), "rules", NumPyRules())
    monkeypatch.setitem(vars(LIGHTS), "states", replace(LIGHTS.sparse, start=start))
    try_rules(LIGHTS, LIGHTS.cases(LIGHTS.config())[0])
    size = ("--size", "rows=2,columns=3")
    assert json.loads(invoke("lights", "solve", "***/***", *size, "--json"))["solution"][-1]["state"] == 0
    assert json.loads(invoke("lights", "show", "*../...", *size, "--json"))["choices"]["a1"] == 10
    assert json.loads(invoke("lights", "path", "*../...", "***/***", *size, "--json"))["start"]["state"] == 1


@kernel(GOAL)
def is_first(size: Any, state: Any) -> bool:
    """The first place."""
    return state == np.uint64(0)


class ToFirst(RowRules):
    """A row of places, the first of which is the goal."""

    def solved(self, size: Any, state: int) -> bool:
        return state == 0


def test_states_beyond_the_greatest_distance_are_refused_not_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    goals = replace(ROW, rules=ToFirst())
    numbered = replace(goals, states=replace(ROW.dense, start=lambda size: 100, goal=is_first))
    words = replace(goals, states=Sparse(start=lambda size: 100, goal=is_first))
    for puzzle, search in ((numbered, lambda puzzle, case: searched(puzzle, case, BACK)), (words, reached)):
        search(puzzle, Case("beside", {"places": 300}))
        for module in (answers_of_numbers, paths):
            monkeypatch.setattr(module, "FARTHEST", 254)
        search(puzzle, Case("beside", {"places": 255}))
        with pytest.raises(RuleError, match=r"some states take more than 254 moves, .*: if the rules are right, leave"):
            search(puzzle, Case("beside", {"places": 256}))
        monkeypatch.undo()


def test_a_class_its_groups_and_all_classes_are_written(tmp_path: Path) -> None:
    size, file = ("--size", "places=6"), tmp_path / "of.graphml"
    invoke("beads", "export", "--edges", file, "--label", 2, *size)
    assert len(ElementTree.parse(file).findall(".//{*}node")) == 15  # pairs of six places
    invoke("beads", "export", "--edges", file, "--around", "#5", *size)
    assert len(ElementTree.parse(file).findall(".//{*}node")) == 3  # both beads stay in even places
    rows = tmp_path / "rows.parquet"
    invoke("beads", "export", "--edges", rows, *size)
    assert len(set(pq.read_table(rows).column("state").to_pylist())) == 64 - 4  # of four strings no move leads away


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--edges", "x.csv"), "ends in .parquet or .graphml"),
        (("--edges", "x.graphml", "--radius", 2), "around which state"),
        (("--edges", "x.graphml", "--label", 1), "in no classes"),
        (("--edges", "x.graphml", "--label", 1, "--around", "#1"), "name one of them"),
    ],
)
def test_what_cannot_be_exported_is_refused(options: tuple[object, ...], text: str) -> None:
    assert text in invoke("lamps", "export", *options, "--size", "rows=2,columns=3", code=2)
