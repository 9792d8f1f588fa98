"""Everything that is asked of a board with four directions is answered for boards with six, and right."""

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace import solitaire
from boardspace.cli.main import cli
from boardspace.spaces.solitaire.board_files import load_board
from boardspace.spaces.solitaire.boards import build_board
from tests.kernels.solitaire.boards import as_set, cells
from tests.naive import solitaire as naive

FIFTEEN = build_board("triangle15", load_board("triangle15"))
TEN = build_board("triangle10", load_board("triangle10"))


def invoke(*arguments: object, text: str | None = None) -> Any:
    return CliRunner().invoke(cli, ["solitaire", *map(str, arguments)], input=text)


@cache
def moves_from(board: Any, vacancy: int) -> dict[naive.Position, int]:
    """The oracle's least moves to every position that a vacancy leads to."""
    return naive.reachable(cells(board), board.grid, as_set(board, board.full ^ board.position([vacancy])))


@pytest.mark.parametrize("vacancy", TEN.labels)
def test_every_problem_of_ten_holes_takes_the_moves_of_the_definition(vacancy: int) -> None:
    least = moves_from(TEN, vacancy)
    for survivor in TEN.labels:
        found = solitaire.solve(solitaire.problem("triangle10", start=f"all but {vacancy}", goal=str(survivor)))
        assert (found.moves if found.solvable else None) == least.get(as_set(TEN, TEN.position([survivor])))


def test_hints_are_those_of_the_definition() -> None:
    """Of positions that are drawn: reached or not, won or not, and in how many moves."""
    known, reached = solitaire.answers_now("triangle15", 4), moves_from(FIFTEEN, 4)
    complements = {peg: moves_from(FIFTEEN, peg) for peg in (3, 4, 9, 12, 15)}
    draw = random.Random(7)
    words = list(filter(known.vacancy.order.positions.contains, draw.sample(range(1 << 15), 240)))
    words += [sum(1 << i for i, cell in enumerate(FIFTEEN.cells) if cell in p) for p in draw.sample(list(reached), 60)]
    for word in words:
        answer = known.ask(word)
        # A position leads to one peg in a hole just if its complement can be reached with that hole vacant.
        complement = as_set(FIFTEEN, FIFTEEN.full ^ word)
        assert answer.reachable == (as_set(FIFTEEN, word) in reached)
        assert answer.can_win == any(complement in found for found in complements.values())
        assert {(jump.begin, jump.end) for jump in answer.jumps} == {
            (FIFTEEN.labels[a], FIFTEEN.labels[c])
            for a, b, c in FIFTEEN.jumps.tolist()
            if word >> a & 1 and word >> b & 1 and not word >> c & 1
        }


def test_solve_lists_all_solutions_which_replay_and_are_drawn(tmp_path: Path) -> None:
    asked = ("--board", "triangle15", "--start", "all but 13", "--goal", "1")
    found = json.loads(invoke("solve", *asked, "--all", "--json").stdout)
    assert (found["moves"], len(found["solutions"])) == (9, 10)
    for solution in found["solutions"]:
        replayed = json.loads(invoke("replay", "-", *asked, "--json", text="\n".join(solution)).stdout)
        assert (replayed["moves"], replayed["reaches_goal"]) == (9, True)
    drawn = invoke("solve", *asked, "--boards", "--svg", tmp_path / "game.svg").output
    assert "    ● " in drawn  # the top of a triangle, before another one
    assert (tmp_path / "game.svg").read_text().count("<circle") == 15 * 10


def test_a_position_is_drawn_with_its_hints() -> None:
    result = invoke("position", "all but 2", "--board", "triangle15", "--vacancy", "2", "--moves")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[:5] == ["    ●", "   · ●", "  ● ● ●", " ● ● ● ●", "● ● ● ● ●"]
    assert {"7==>2  wins", "9==>2  loses", "10 moves to one peg, and no fewer"} <= set(lines)


def test_a_game_is_played_with_hints_to_one_peg() -> None:
    asked = ("--board", "triangle15", "--vacancy", "4")
    solution = json.loads(
        invoke("solve", "--board", "triangle15", "--start", "all but 4", "--goal", "4", "--json").stdout
    )
    played = invoke("play", *asked, text="\n".join(["hint", *solution["solutions"][0]]))
    assert played.exit_code == 0, played.output
    assert "one peg can be reached in 9 more moves, and no fewer" in played.output
    assert "1 peg, 9 moves, won" in played.output


@pytest.mark.parametrize(
    "board", ["triangle10", "triangle15", "star13", pytest.param("hexagon19", marks=pytest.mark.slow)]
)
def test_a_class_and_its_games_have_the_same_positions(board: str) -> None:
    """Two methods, and from every vacancy that differs."""
    for orbit in build_board(board, load_board(board)).orbits:
        start = f"all but {build_board(board, load_board(board)).labels[orbit[0]]}"
        counted = solitaire.count_class(board, start)
        # Games identify positions by the symmetries of the start; so do classes where single pegs are the goals.
        games = solitaire.count_games(board, start)
        assert sum(level.reached_orbits for level in counted.levels) == games.positions
        assert {hole for (hole,) in counted.solved} == set(games.survivors)


@pytest.mark.slow  # 8 s
def test_a_run_of_fifteen_holes_confirms_the_published_catalogue(tmp_path: Path) -> None:
    (tmp_path / "fifteen.toml").write_text(
        '[[solitaire.classes]]\nboard = "triangle15"\nmoves = true\nshortest = true\n'
        '[[solitaire.classes]]\nboard = "hexagon19"\n'
    )
    arguments = ["run", str(tmp_path / "fifteen.toml"), "--out", str(tmp_path / "out"), "--workers", "0", "--json"]
    done = CliRunner().invoke(cli, arguments)
    assert done.exit_code == 0, done.output
    verdicts = {row["claim"]: row["verdict"] for row in json.loads(done.stdout)["claims"]["solitaire"]}
    assert {claim for claim, verdict in verdicts.items() if verdict == "confirmed"} >= {
        "fifteen-problems",
        "fifteen-moves",
        "fifteen-solutions",
        "hexagon-problems",
    }
    assert verdicts["triangles-moves"] == "not_covered"
    assert CliRunner().invoke(cli, ["verify", str(tmp_path / "out")]).exit_code == 0
