"""``boardspace solitaire``, as a user would call it."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spec.texts import counted
from tests.kernels.solitaire.golden import GOLDEN

LINE = 'title = "line"\ngrid = "square"\npicture = "1 2 3 4 5"\n[problems.p]\nstart = "1 2 4"\ngoal = "5"\n'


def invoke(*arguments: object, text: str | None = None) -> Any:
    return CliRunner().invoke(cli, ["solitaire", *map(str, arguments)], input=text)


def test_boards_and_their_problems_are_listed() -> None:
    found = json.loads(invoke("boards", "--json").stdout)
    assert {"english", "french", "wiegleb", "diamond", "triangle15"} <= set(found)
    assert "last_supper: The Last Supper" in invoke("boards").output


@pytest.mark.parametrize(
    ("board", "problem", "name", "section"),
    [
        ("french", "last_supper", "solution", "last_supper"),
        ("english", "central", "bergholt", "english_central"),
        ("english", "central", "wan", "english_central"),
    ],
)
def test_the_printed_solutions_replay(board: str, problem: str, name: str, section: str) -> None:
    result = invoke("replay", "-", "--board", board, "--problem", problem, "--json", text=GOLDEN[section][name])
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert found["reaches_goal"] is True
    assert found["moves"] == GOLDEN[section]["fewest_moves"]


def test_a_replay_is_drawn_position_by_position() -> None:
    result = invoke("replay", "-", "--board", "english", text="6==>19")
    assert result.exit_code == 1
    assert "(1) 6==>19\n    ● ● ●\n    ● ● ●\n● ● ● ● ● ● ●\n● ○ ○ ◉ ● ● ●\n" in result.output
    assert "1 move; the goal is not reached" in result.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("6==>19, 6==>19", "move 2, 6==>19: hole 6 is empty"),
        ("6==>12", "move 1, 6==>12: no jump leads from hole 6 to hole 12"),
        ("6==>19, x", "move 2: 'x' is not a move"),
        ("4==>19", "has no hole 4"),
    ],
)
def test_an_impossible_game_is_refused_at_its_first_fault(text: str, message: str) -> None:
    result = invoke("replay", "-", "--board", "english", text=text)
    assert result.exit_code == 2
    assert message in result.output


def test_solve_finds_a_shortest_solution_and_draws_it() -> None:
    result = invoke("solve", "--board", "triangle15", "--problem", "corner")
    assert result.exit_code == 0
    assert "10 moves, and no fewer" in result.output
    found = json.loads(invoke("solve", "--board", "triangle15", "--problem", "corner", "--json").stdout)
    assert (found["solvable"], found["moves"], len(found["solutions"][0])) == (True, 10, 10)
    again = invoke("replay", "-", "--board", "triangle15", "--problem", "corner", text=",".join(found["solutions"][0]))
    assert again.exit_code == 0


def test_solve_takes_any_start_and_goal() -> None:
    found = json.loads(invoke("solve", "--board", "english", "--start", "5 6 18", "--goal", "19", "--json").stdout)
    assert found == {"solvable": False} | {key: found[key] for key in ("reason", "positions")}
    found = json.loads(
        invoke("solve", "--board", "english", "--start", "6 12 18", "--goal", "6 12 18", "--json").stdout
    )
    assert found == {"solvable": True, "moves": 0, "solutions": [[]]}


def test_all_solutions_are_listed_on_request() -> None:
    found = json.loads(invoke("solve", "--board", "english", "--all", "--json").stdout)
    assert found["moves"] == 18
    assert len(found["solutions"]) == 4


def test_unsolvable_problems_are_said_to_be_so_and_why() -> None:
    result = invoke("solve", "--board", "french", "--problem", "central")
    assert result.exit_code == 0
    assert "no solution: start and goal are in different position classes" in result.output
    result = invoke("solve", "--board", "triangle15", "--start", "all but 5", "--goal", "5")
    assert "no solution: every position that can be played from the start was looked at" in result.output


def test_a_search_that_outgrows_its_room_is_an_error_that_says_so() -> None:
    result = invoke("solve", "--board", "wiegleb", "--memory", "20KB")
    assert result.exit_code == 2
    assert "more than the 1,000 allowed" in result.output


def test_a_board_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "line.toml"
    path.write_text(LINE)
    found = json.loads(invoke("solve", "--board", path, "--json").stdout)
    assert found["solutions"] == [["1==>3==>5"]]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (LINE.replace("square", "round"), "grid"),
        (LINE.replace("1 2 3 4 5", "1 2 2"), "hole number 2 is used more than once"),
        (LINE.replace("1 2 3 4 5", "1 2"), "no three holes are in line"),
        (LINE.replace('"1 2 4"', '"1 2 9"'), "has no hole 9"),
        (LINE.replace('"1 2 4"', '"one"'), "is not a position"),
        (LINE.replace('"1 2 4"', '"4-2"'), "4-2 names no hole"),
        (LINE.replace('"1 2 4"', '"8-99999999999999"'), "names no hole"),
        (LINE + "colour = 1\n", "colour"),
        ("picture =", "not valid TOML"),
    ],
)
def test_a_bad_board_file_is_refused_with_the_reason(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "bad.toml"
    path.write_text(text)
    result = invoke("solve", "--board", path)
    assert result.exit_code == 2
    assert message in result.output


def test_unknown_boards_and_missing_positions_say_what_there_is() -> None:
    assert "no shipped board of that name (there are: diamond, english" in invoke("solve", "--board", "round").output
    result = invoke("solve", "--board", "french")
    assert result.exit_code == 2
    assert (
        "name one of its problems (--problem; there are: last_supper, edge, central), or give --start" in result.output
    )


def test_replay_reads_what_solve_writes() -> None:
    solved = invoke("solve", "--board", "triangle15")
    played = invoke("replay", "-", "--board", "triangle15", text=solved.output)
    assert played.exit_code == 0
    assert "10 moves; the goal is reached" in played.output


def test_all_solutions_of_the_last_supper_are_one_command_away() -> None:
    found = invoke("solve", "--board", "french", "--problem", "last_supper", "--all")
    lines = [line for line in found.stdout.splitlines() if line.startswith("(")]
    assert "# 15 moves, and no fewer" in found.output
    assert f"# {counted(len(lines), 'solution')}" in found.output
    played = invoke("replay", "-", "--board", "french", "--problem", "last_supper", text=lines[-1])
    assert "15 moves; the goal is reached" in played.output


def test_boards_stand_side_by_side_as_the_width_allows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    lines = invoke("solve", "--board", "triangle15", "--boards").stdout.splitlines()
    assert max(map(len, lines)) <= 60
    assert "(1) 4==>1" in lines[0]


def test_a_drawing_is_written_as_svg(tmp_path: Path) -> None:
    file = tmp_path / "game.svg"
    assert invoke("solve", "--board", "triangle15", "--svg", file).exit_code == 0
    assert file.read_text().count("<circle") == 11 * 15


def play(text: str, *options: object) -> Any:
    return invoke("play", *options, text=text)


def solution(board: str, problem: str) -> list[str]:
    found: list[str] = json.loads(invoke("solve", "--board", board, "--problem", problem, "--json").stdout)["solutions"]
    return list(found[0])


def test_a_game_is_played_to_its_end_from_a_pipe() -> None:
    """Once with arrows, once by numbers alone."""
    moves = solution("triangle15", "corner")
    for text in ("\n".join(moves), "\n\n".join(move.replace("==>", " ") for move in moves)):
        played = play(text, "--board", "triangle15", "--vacancy", 1, "--moves")
        assert played.exit_code == 0
        assert re.search(r"14 pegs, 0 moves, one peg can be reached in (9|10) more moves, and no fewer", played.stdout)
        assert played.stdout.splitlines()[-1] == f"1 peg, {len(moves)} moves, won"
        assert played.stdout.count("●") > 0
        assert "Error" not in played.stderr


def test_hints_lead_to_a_win_and_a_peg_that_goes_on_makes_no_new_move() -> None:
    """Move by move, each the first that is told."""
    moves: list[str] = []
    while True:
        played = play("\n".join([*moves, "hint"]), "--board", "triangle15", "--vacancy", 1)
        if played.stdout.endswith("won\n"):
            break
        assert played.exit_code == 1
        moves.append(played.stdout.splitlines()[-1])
    assert played.exit_code == 0
    ends = [move.split("==>")[-1] for move in moves]
    going_on = sum(move.split("==>")[0] == end for end, move in zip(ends, moves[1:], strict=False))
    assert played.stdout.splitlines()[-1] == f"1 peg, {len(moves) - going_on} moves, won"


def test_a_move_is_taken_back_and_a_lost_game_is_told() -> None:
    undone = play("4 1\nundo\nquit\n6 1\n", "--board", "triangle15", "--vacancy", 1)
    assert undone.exit_code == 1
    assert [line for line in undone.stdout.splitlines() if "peg" in line] == [
        "14 pegs, 0 moves, one peg can be reached in 10 more moves, and no fewer",
        "13 pegs, 1 move, one peg can be reached in 9 more moves, and no fewer",
        "14 pegs, 0 moves, one peg can be reached in 10 more moves, and no fewer",
    ]


def test_a_game_without_a_jump_is_over(tmp_path: Path) -> None:
    (tmp_path / "line.toml").write_text(LINE)
    stuck = play("1 3\n4 2\nhint\n", "--board", tmp_path / "line.toml")
    assert stuck.exit_code == 1
    assert stuck.stdout.splitlines()[-1] == "2 pegs, 2 moves, no jump is left"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("4 1\n4 1", "line 2: 4==>1: hole 4 is empty"),
        ("4 5", "line 1: 4==>5: no jump leads from hole 4 to hole 5"),
        ("jump", "line 1: 'jump' is not a move"),
        ("99 1", "has no hole 99"),
        ("undo", "line 1: there is no move to take back"),
    ],
)
def test_a_line_that_cannot_be_obeyed_ends_a_game_from_a_pipe(text: str, message: str) -> None:
    refused = play(text, "--board", "triangle15", "--vacancy", 1)
    assert refused.exit_code == 2
    assert message in refused.stderr


def test_large_boards_are_played_without_hints() -> None:
    """From the middle of the diamond; without a middle a vacancy has to be named."""
    played = play("19 21\nquit\n", "--board", "diamond")
    assert played.exit_code == 1
    assert played.stdout.splitlines()[-1] == "39 pegs, 1 move"
    assert "too large for hints" in played.stderr
    refused = play("hint\n", "--board", "diamond")
    assert refused.exit_code == 2
    assert "give --dataset" in refused.stderr
    assert "--vacancy" in play("", "--board", "square4").stderr
