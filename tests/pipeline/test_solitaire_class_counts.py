"""How many positions lie between any start and any goals: numbers, and the command that asks for them."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace import solitaire
from boardspace.cli.main import cli
from boardspace.spaces.solitaire.board_files import ProblemText, load_board
from boardspace.spaces.solitaire.boards import build_board, parse_position
from boardspace.spaces.solitaire.rules import ProblemByHand
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.solitaire.board import Board, are_same_class
from tests.kernels.solitaire.boards import as_set, cells
from tests.naive import solitaire as naive
from tests.pipeline.conftest import ROOT

SMALL = ("triangle10", "triangle15", "rectangle3x5", "square4")
Positions = set[naive.Position]


def pegs_of(board: Board, position: int) -> str:
    """A position as a text."""
    return " ".join(map(str, board.pegs(position)))


def any_problem(board: Board, seed: int) -> tuple[int, list[int]]:
    """A start, some positions that it leads to and one that it may not."""
    random_ = random.Random(seed)
    start = board.full
    for hole in random_.sample(range(board.holes), random_.randint(1, 3)):
        start ^= 1 << hole
    reached = naive.reached_by_jumps(cells(board), board.grid, {as_set(board, start)})
    words = sorted(sum(1 << i for i, cell in enumerate(board.cells) if cell in position) for position in reached)
    return start, [*random_.sample(words, min(2, len(words))), 1 << random_.randrange(board.holes)]


def by_pegs(positions: Positions, group: list[dict[naive.Cell, naive.Cell]]) -> dict[int, tuple[int, int]]:
    """By pegs the positions and their orbits."""
    levels = {len(position) for position in positions}
    return {
        pegs: (
            sum(len(position) == pegs for position in positions),
            len({naive.orbit(group, position) for position in positions if len(position) == pegs}),
        )
        for pegs in levels
    }


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", SMALL)
def test_numbers_are_those_of_the_definition_for_any_start_and_goals(name: str, seed: int) -> None:
    board = build_board(name, load_board(name))
    start, goals = any_problem(board, seed)
    counted = solitaire.count_class(name, pegs_of(board, start), [pegs_of(board, goal) for goal in goals])
    reached = naive.reached_by_jumps(cells(board), board.grid, {as_set(board, start)})
    # Backwards with pegs for holes: a goal is reached from what the complement of the goal leads to.
    full = cells(board)
    same = [goal for goal in goals if are_same_class(board, start, goal)]
    complements = naive.reached_by_jumps(full, board.grid, {full - as_set(board, goal) for goal in same})
    leading = {full - position for position in complements}
    group = [
        image
        for image in naive.symmetries(full, board.grid)
        if naive.orbit([image], as_set(board, start)) == {as_set(board, start)}
        and {next(iter(naive.orbit([image], as_set(board, goal)))) for goal in same}
        == {as_set(board, goal) for goal in same}
    ]
    assert counted.symmetries == len(group)
    for positions, columns in ((reached, (1, 2)), (leading, (3, 4)), (reached & leading, (5, 6))):
        found = {level.pegs: tuple(level[column] for column in columns) for level in counted.levels}
        assert {pegs: numbers for pegs, numbers in found.items() if any(numbers)} == by_pegs(positions, group)
    assert {as_set(board, goal) for goal in goals} & reached == {
        frozenset(board.cells[board.hole(label)] for label in goal) for goal in counted.solved
    }


@pytest.mark.parametrize("name", ["triangle5", "T5"])
def test_a_triangle_is_found_by_the_holes_of_its_side_too(name: str) -> None:
    assert solitaire.count_class(name, "all but 1", ["1"]) == solitaire.count_class("triangle15", problem="corner")
    assert solitaire.problem(f"{name}", "corner").board.name == "triangle15"


def test_no_two_shipped_boards_share_a_name() -> None:
    names = [name for board in solitaire.boards() for name in (board, *load_board(board).aliases)]
    assert len(set(names)) == len(names)


def test_a_hole_may_be_named_by_its_column_and_row() -> None:
    by_names = solitaire.count_class("triangle15", "all but A1 b3", ["c3", "a5 e5"])
    assert by_names == solitaire.count_class("triangle15", "all but 1 5", ["6", "11 15"])


@pytest.mark.parametrize("written", ["all but d4", "d4", "20-22 D4, e5", "all but 1-5 g5"])
def test_a_written_position_is_read_alike_by_both_readers(written: str) -> None:
    text = load_board("english")
    board = build_board("english", text)
    read = replace(text, problems={"p": ProblemText(start=written, goal="d4")})
    by_hand = ProblemByHand("board/p", {"board": read})
    assert by_hand.word(by_hand.start) == parse_position(board, written)


def test_without_a_goal_it_is_one_peg_anywhere() -> None:
    counted = solitaire.count_class("triangle15", "all but 1")
    assert counted == solitaire.count_class("triangle15", "all but 1", [str(hole) for hole in range(1, 16)])
    assert counted.solved == ((1,), (7,), (10,), (13,))


@pytest.mark.slow  # 4 s
def test_the_central_game_has_the_published_numbers_of_positions() -> None:
    counted = solitaire.count_class("english", problem="central")
    assert (counted.reached, counted.symmetries) == (187_636_299, 8)
    assert sum(level.reached_orbits for level in counted.levels) == 23_475_688
    assert sum(level.both_orbits for level in counted.levels if level.pegs >= 17) == 839_536


@pytest.mark.slow  # 13 s
def test_the_last_supper_can_still_succeed_in_as_many_positions_as_its_page_says() -> None:
    counted = solitaire.count_class("french", problem="last_supper")
    page = (ROOT / "docs" / "last_supper.md").read_text(encoding="utf-8")
    orbits = sum(level.both_orbits for level in counted.levels)
    for number in (counted.reached, counted.leading, counted.both, orbits):
        assert f"{number:,}" in page
    rows = re.findall(r"^\| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \| ([\d,]+) \|$", page, re.MULTILINE)
    levels = {level.pegs: (level.reached, level.leading, level.both) for level in counted.levels}
    found = {int(pegs): tuple(int(n.replace(",", "")) for n in numbers) for pegs, *numbers in rows}
    assert len(found) == 12
    assert found.items() <= levels.items()


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, ["solitaire", "class", *map(str, arguments)])


def test_the_command_tells_what_the_function_does() -> None:
    asked = ("--board", "triangle15", "--start", "all but 4", "--goal", "4", "--goal", "15")
    counted = solitaire.count_class("triangle15", "all but 4", ["4", "15"])
    assert json.loads(invoke(*asked, "--json").stdout) == json.loads(json.dumps(counted.document()))
    lines = invoke(*asked).stdout.splitlines()
    assert lines[:5] == [
        "8,192 positions have the parities of the start",
        f"{counted.reached:,} can be reached from it",
        f"{counted.leading:,} lead to a goal",
        f"{counted.both:,} do both",
        "2 of 2 goals can be reached",
    ]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (("--board", "triangle15"), "give --start or --problem (one of: corner)"),
        (("--board", "triangle15", "--problem", "side"), "no problem 'side'; it has: corner"),
        (("--board", "triangle15", "--start", "all but 16"), "has no hole 16"),
        (("--board", "triangle15", "--start", "all but 1", "--goal", "x"), "'x' is not a position"),
        (("--board", "triangle15", "--start", "all but b1"), "b1 names no hole of the board"),
        (("--board", "triangle15", "--start", "all but a1 1"), "hole 1 is listed twice"),
        (("--board", "nowhere", "--start", "1"), "nowhere: no such board file"),
        (("--board", "triangle28", "--start", "all but 1", "--memory", "1MB"), "1.0 MB are allowed (--memory)"),
    ],
)
def test_what_cannot_be_counted_is_refused_and_why(asked: tuple[str, ...], message: str) -> None:
    result = invoke(*asked)
    assert result.exit_code == 2
    assert message in result.output


def test_goals_of_other_parities_are_said_to_be_so() -> None:
    result = invoke("--board", "triangle15", "--start", "all but 2 6", "--goal", "1 3")
    assert result.exit_code == 0, result.output
    assert "no goal has these parities" in result.output


def test_a_board_may_be_a_file(tmp_path: Path) -> None:
    path = tmp_path / "line.toml"
    path.write_text('grid = "square"\npicture = "1 2 3 4 5"\n')
    counted = solitaire.count_class(str(path), "1 2 4", ["5"])
    assert (counted.reached, counted.leading, counted.both) == (4, 3, 3)


def test_too_little_memory_is_an_error_that_says_how_much_is_needed() -> None:
    with pytest.raises(BoardspaceError, match=r"both sweeps of this class take 0\.0 MB"):
        solitaire.count_class("triangle15", "all but 1", memory=1)
