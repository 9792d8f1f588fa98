"""Boards and positions of peg solitaire, drawn."""

import random
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace import solitaire
from boardspace.cli.main import cli
from boardspace.spaces.solitaire.board_files import BoardFileError, drawn_start, load_board
from boardspace.spaces.solitaire.boards import drawing_of, open_board, parse_position
from boardspace.spaces.solitaire.pictures import lines
from boardspace.spaces.solitaire.rules import GameByHand
from boardspace.storage.shipped import BOARDS, shipped_names

DRAWN = Path(__file__).resolve().parents[1] / "golden" / "cases" / "peg_board_drawn.txt"


def invoke(*arguments: object, stdin: str = "") -> Any:
    return CliRunner().invoke(cli, ["solitaire", *map(str, arguments)], input=stdin)


def test_the_board_that_people_draw_is_the_english_board_and_its_start() -> None:
    text = DRAWN.read_text(encoding="utf-8")
    solved = invoke("solve", "--board", DRAWN, "--goal", "d4").stdout
    assert "18 moves, and no fewer" in solved
    named = solitaire.problem("english", start="all but d4", goal="d4")
    for board in (str(DRAWN), text, text.strip().replace("\n", "/"), text.replace("x", ".")):
        drawn = solitaire.problem(board, goal="d4")
        assert (drawn.start, drawn.goal, drawn.board.labels) == (named.start, named.goal, named.board.labels), board
    assert drawn_start(str(DRAWN)) == drawn_start(text) is not None


def test_start_and_goal_are_drawings_as_well_on_any_command() -> None:
    board, start, goal = "oooo/oooo/oooo/oooo", "o.oo/oooo/oooo/oooo", "..o./..../..../...."
    wanted = invoke("solve", "--board", board, "--start", "all but 2", "--goal", "3", "--json").stdout
    assert "moves" in wanted
    for arguments in (
        ("--board", start, "--goal", "3"),
        ("--board", start.replace("/", "\n"), "--goal", goal),
        ("--board", board, "--start", start.replace("/", " "), "--goal", "3"),
        ("--board", board, "--start", start.replace(".", "x"), "--goal", goal.replace("/", " ")),
    ):
        assert invoke("solve", *arguments, "--json").stdout == wanted, arguments


def test_what_is_printed_of_a_position_is_read_back() -> None:
    source = random.Random(1)
    for name in solitaire.boards():
        board = open_board(name)
        position = source.randrange(1, board.full)
        printed = "\n".join(lines(board, position))
        in_a_line = drawing_of(board, position)
        assert GameByHand(load_board(name)).drawing(position) == in_a_line, name
        assert parse_position(board, printed) == parse_position(board, in_a_line) == position, name
        drawn = load_board(printed)
        assert (drawn.grid, len(open_board(printed).cells)) == (board.grid, board.holes), name
        assert drawn == load_board(name), name


def test_a_board_of_no_shipped_shape_is_numbered_row_by_row() -> None:
    board = open_board("#oo/ooo/.x#")
    assert (board.name, board.labels, board.cells[0]) == ("drawn", tuple(range(1, 8)), (0, 1))
    assert drawn_start("#oo/ooo/.x#") == "1 2 3 4 5"
    assert drawn_start("#oo/ooo/oo#") is None
    assert invoke("solve", "--board", "ooo/ooo", "--start", "1 2", "--goal", "3").stdout.startswith("(1) 1==>3")


def test_games_and_classes_begin_with_the_drawing() -> None:
    drawn = "o o o o o\n\no o . o o"
    assert invoke("games", "--board", drawn, "--json").stdout == (
        invoke("games", "--board", drawn, "--start", "all but 8", "--json").stdout
    )
    assert '"reached"' in invoke("class", "--board", drawn, "--json").stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--start", "oo/oox", "--goal", "1"), "board english has 33, in rows of [3, 3, 7, 7, 7, 3, 3]; o is a peg"),
        (("--start", "oooo###/" + "ooo####/" * 6, "--goal", "1"), "the drawing has 22 holes"),
        (("--start", "ABC", "--goal", "1"), "or a drawing, in which o is a peg"),
        (("--board", DRAWN.with_name("klotski_levels.tsv")), "nor is it a drawing: o is a peg"),
        (("--board", "ooo/oxo"), "give --start and --goal"),
    ],
)
def test_what_is_no_drawing_of_the_board_is_told(arguments: tuple[object, ...], message: str) -> None:
    result = invoke("solve", *arguments)
    assert result.exit_code == 2
    assert message in result.output


def test_a_drawing_of_another_board_is_an_error_of_the_library_too() -> None:
    with pytest.raises(BoardFileError, match="the drawing has 3 holes"):
        solitaire.problem("english", start="oox", goal="1")


def test_a_board_of_more_holes_than_a_position_has_bits_is_refused_with_what_it_would_need() -> None:
    drawn = "/".join(["o" * 9] * 8)
    for command in (
        ("position", "1", "--vacancy", "2", "--board", drawn),
        ("solve", "--board", drawn, "--goal", "1"),
        ("class", "--board", drawn),
    ):
        done = CliRunner().invoke(cli, ["solitaire", *command])
        assert done.exit_code == 2, done.output
        assert "72 holes, and 64 at most" in done.output, done.output
        assert "positions of two words" in done.output


def test_a_board_that_ships_is_what_a_file_with_its_text_is(tmp_path: Path) -> None:
    """One is read without pydantic, the other with it."""
    for name in shipped_names(BOARDS):
        copy = tmp_path / f"{name}.toml"
        copy.write_bytes((BOARDS / copy.name).read_bytes())
        assert load_board(str(copy)) == load_board(name)
