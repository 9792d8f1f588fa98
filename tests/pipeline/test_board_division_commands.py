"""``boardspace tromino`` and ``boardspace rectangle``, as a user would call them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spaces.board_division.texts import board_lines, parse_board
from tests.naive import board_division as naive

SAMPLE = "1 0 2 2\n1 1 3 2\n4 3 3 5\n4 4 5 5\n"
DRAWN = """\
┌───┬───┬───────┐
│   │███│       │
│   └───┼───┐   │
│       │   │   │
├───┬───┘   ├───┤
│   │       │   │
│   └───┬───┘   │
│       │       │
└───────┴───────┘
"""
GAME = """\
2 x 2
o o
o o


1: (1, 1) R
. . o
o o


2: (2, 1) R
. . o
. . o


3: (1, 3) D
. .
. .
    o

1
"""


def invoke(*arguments: object, text: str | None = None) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments], input=text)


def test_tromino_prints_the_sample_of_the_source() -> None:
    assert invoke("tromino", 2, 1, 2).stdout == SAMPLE


@pytest.mark.parametrize("text", ["2\n1 2\n", "2\r\n1  2", "2 1 2\n"])
def test_tromino_reads_the_input_of_the_source(text: str) -> None:
    assert invoke("tromino", "-", text=text).stdout == SAMPLE


@pytest.mark.parametrize("text", ["", "2\n1\n", "2\n1 2\n3\n", "2\n1 b\n", "2\n1, 2\n"])
def test_input_that_is_not_three_numbers_is_refused(text: str) -> None:
    result = invoke("tromino", "-", text=text)
    assert result.exit_code == 2
    assert "is not three whole numbers: k on the first line" in " ".join(result.output.split())


def test_input_that_names_no_cell_is_refused() -> None:
    assert invoke("tromino", "-", text="2\n1 5\n").exit_code == 2


@pytest.mark.parametrize("arguments", [("-", 1), (2, 1), ("two", 1, 2)])
def test_arguments_that_do_not_belong_together_are_refused(arguments: tuple[object, ...]) -> None:
    assert invoke("tromino", *arguments, text=SAMPLE).exit_code == 2


def test_one_standard_input_is_not_read_as_two() -> None:
    assert "put one in a file" in " ".join(invoke("tromino", "-", "--check", "-", text=SAMPLE).output.split())


def test_a_cover_in_a_file_is_checked_against_the_input(tmp_path: Path) -> None:
    (tmp_path / "cover.txt").write_text(SAMPLE)
    result = invoke("tromino", "-", "--check", tmp_path / "cover.txt", text="2\n1 2\n")
    assert result.stdout == "right: a cover by 5 trominoes\n"


def test_tromino_draws_the_sample() -> None:
    assert invoke("tromino", 2, 1, 2, "--draw").stdout == DRAWN


def test_a_board_of_one_cell_is_its_special_cell() -> None:
    assert invoke("tromino", 0, 1, 1).stdout == "0\n"
    assert invoke("tromino", 0, 1, 1, "--draw").stdout == "┌───┐\n│███│\n└───┘\n"


def test_tromino_as_json_is_one_document() -> None:
    document = json.loads(invoke("tromino", 3, 8, 1, "--json").stdout)
    assert document == {"k": 3, "row": 8, "column": 1, "trominoes": 21, "board": naive.cover(3, (7, 0))}


def test_a_board_of_several_bands_is_printed_whole() -> None:
    lines = invoke("tromino", 9, 1, 512).stdout.splitlines()
    assert [list(map(int, line.split())) for line in lines] == naive.cover(9, (0, 511))


def test_a_printed_board_can_be_read_back() -> None:
    board = np.arange(300 * 300).reshape(300, 300)
    assert np.array_equal(parse_board("\n".join(board_lines(board)), 300, "text"), board)


def test_tromino_checks_what_it_printed() -> None:
    for k, x, y in ((0, 1, 1), (2, 1, 2), (5, 32, 7)):
        printed = invoke("tromino", k, x, y).output
        checked = invoke("tromino", k, x, y, "--check", "-", text=printed)
        assert (checked.exit_code, checked.output) == (0, f"right: a cover by {(4**k - 1) // 3:,} trominoes\n")


def test_tromino_accepts_any_other_numbering_and_draws_it() -> None:
    other = SAMPLE.translate(str.maketrans("12345", "54321"))
    assert invoke("tromino", 2, 1, 2, "--check", "-", text=other).exit_code == 0
    assert invoke("tromino", 2, 1, 2, "--check", "-", "--draw", text=other).stdout == DRAWN


def test_tromino_says_what_is_wrong_with_a_cover() -> None:
    wrong = invoke("tromino", 2, 1, 2, "--check", "-", text=SAMPLE.replace("1 1 3 2", "1 3 1 2"))
    assert wrong.exit_code == 1
    assert wrong.stdout == "not right: number 1 lies on (1, 1) (2, 1) (2, 3), which form no L\n"
    as_json = invoke("tromino", 2, 1, 1, "--check", "-", "--json", text=SAMPLE)
    assert json.loads(as_json.stdout) == {
        "right": False,
        "said": "the special cell (1, 1) holds 1; it must hold 0",
    }


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        ((2, 0, 1), None, "special row 0 is off the board: k = 2 has rows 1 to 4"),
        ((2, 1, 5), None, "special column 5 is off the board"),
        ((32, 1, 1), None, "k = 32: a board of 2^k x 2^k cells needs k from 0 to 31"),
        ((14, 1, 1), None, "boards up to k = 13 can be printed"),
        ((7, 1, 1, "--draw"), None, "boards up to k = 6 can be drawn"),
        ((1, 1, 1, "--check", "-"), "0 1\n", "<stdin>: 1 rows of numbers; this board has 2"),
        ((1, 1, 1, "--check", "-"), "0 1\n1\n", "<stdin>, row 2: 1 numbers; this board has 2"),
        ((1, 1, 1, "--check", "-"), "0 1\n1 x\n", "<stdin>, row 2, number 2: 'x' is not a tromino's number"),
        ((1, 1, 1, "--check", "-"), "0 1\n1 99999999999999999999\n", "row 2, number 2: '99999999999999999999'"),
    ],
)
def test_what_tromino_cannot_do_is_said(arguments: tuple[object, ...], text: str | None, said: str) -> None:
    result = invoke("tromino", *arguments, text=text)
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "three numbers, K X Y, or - to read them"),
        ((2, 1), "three numbers"),
    ],
)
def test_boards_that_are_none_are_refused(arguments: tuple[object, ...], said: str) -> None:
    result = invoke("tromino", *arguments)
    assert result.exit_code == 2
    assert said in result.output


@pytest.mark.parametrize(("m", "n", "fewest"), [(3, 4, 2), (1, 3, 2), (1, 9, 5), (7, 1, 4), (2, 2, 1), (1000, 1000, 1)])
def test_rectangle_prints_the_fewest_pegs(m: int, n: int, fewest: int) -> None:
    assert invoke("rectangle", m, n).stdout == f"{fewest}\n"


def test_rectangle_draws_the_game() -> None:
    assert invoke("rectangle", 2, 2, "--draw").stdout == GAME


def test_rectangle_as_json_tells_where_pegs_are_left() -> None:
    document = json.loads(invoke("rectangle", 2, 3, "--json").stdout)
    assert document["fewest"] == len(document["left"]) == 2
    assert document["jumps"] == 4


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 12), (3, 4), (9, 5), (100, 77)])
def test_the_jumps_written_are_right(m: int, n: int, tmp_path: Path) -> None:
    moves = tmp_path / "jumps.txt"
    fewest = invoke("rectangle", m, n, "--moves", moves).stdout.strip()
    checked = invoke("rectangle", m, n, "--check", moves)
    assert checked.exit_code == 0
    count = m * n - int(fewest)
    assert checked.stdout == (
        f"right: after {count:,} legal jump{'s' * (count != 1)} {fewest} of {m * n:,} stand; the fewest is {fewest}\n"
    )
    assert len(moves.read_text().splitlines()) == count


def test_jumps_that_leave_too_many_pegs_are_not_right() -> None:
    result = invoke("rectangle", 1, 4, "--check", "-", text="1 2 L\n")
    assert result.exit_code == 1
    assert result.stdout == "not right: after 1 legal jump 3 of 4 stand; the fewest is 2\n"


def test_a_jump_against_the_rules_is_named() -> None:
    result = invoke("rectangle", 1, 4, "--check", "-", "--json", text="1 2 L\n1 2 L\n")
    assert result.exit_code == 1
    assert json.loads(result.stdout) == {
        "right": False,
        "said": "jump 2, from (1, 2) L, starts from a cell without a peg",
    }


@pytest.mark.parametrize(
    ("arguments", "text", "said"),
    [
        ((0, 4), None, "m = 0: a rectangle of pegs has sides 1 to 32000"),
        ((4, 32001), None, "n = 32001: a rectangle of pegs has sides 1 to 32000"),
        ((21, 4, "--draw"), None, "21 x 4 is too large to draw: sides up to 20"),
        ((1, 4, "--check", "-"), "1 2 L\n1 b L\n", "<stdin>, jump 2: '1 b L' is not ROW COLUMN DIRECTION"),
        ((1, 4, "--check", "-"), "1 2 left\n", "<stdin>, jump 1: '1 2 left' is not"),
        ((1, 4, "--check", "-"), "1 2 L\n1 4", "<stdin>, jump 2: '1 4' is not"),
        ((1, 4, "--check", "-"), "1 40000 L\n", "<stdin>, jump 1: '1 40000 L' is not"),
        ((1, 4, "--check", "-"), "1 99999999999999999999 L\n", "<stdin>, jump 1"),
        ((1, 4, "--check", "-"), "1 UL L\n", "<stdin>, jump 1"),
    ],
)
def test_what_rectangle_cannot_do_is_said(arguments: tuple[object, ...], text: str | None, said: str) -> None:
    result = invoke("rectangle", *arguments, text=text)
    assert result.exit_code == 2
    assert said in result.output


def test_a_file_that_is_not_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "board.bin"
    path.write_bytes(b"\xff\xfe\x00")
    for command in (("tromino", 1, 1, 1), ("rectangle", 2, 2)):
        result = invoke(*command, "--check", path)
        assert result.exit_code == 2
        assert "not a text file in UTF-8" in result.output


def test_help_teaches() -> None:
    assert "boardspace tromino 2 1 2" in invoke("tromino", "--help").output
    assert "boardspace rectangle 1000 1000 --moves jumps.txt" in invoke("rectangle", "--help").output
