"""``boardspace five``, as a user would call it."""

import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spaces.five_in_a_row import fewest as fewest_stones
from boardspace.spaces.five_in_a_row.fewest import fewest
from boardspace_kernels.five_in_a_row.strip_checker import check_strip
from tests.kernels.five_in_a_row.golden import GOLDEN
from tests.naive import five_in_a_row as naive

BEST_CELL = "#....\n..#..\n....#\n.#...\n...#.\n"


def invoke(*arguments: object, text: str | bytes | None = None) -> Any:
    return CliRunner().invoke(cli, ["five", *map(str, arguments)], input=text)


def answer(*arguments: object, text: str | None = None) -> dict[str, Any]:
    result = invoke(*arguments, "--json", text=text)
    assert result.exit_code in (0, 1), result.output
    found: dict[str, Any] = json.loads(result.stdout)
    return found


@pytest.mark.parametrize(("n", "m", "stones", "placements"), GOLDEN["source"]["table_2"])
def test_the_rows_of_table_2_that_hold(n: int, m: int, stones: int, placements: int) -> None:
    found = answer("X", n, m)
    assert (found["stones"], found["placements"], found["formula"]) == (stones, str(placements), stones)


@pytest.mark.parametrize(
    ("arguments", "stones", "placements", "proof"),
    [
        (("192", "193"), 7411, 8, "carried"),
        (("81", "6"), 97, 8, "carried"),
        (("5", "6"), 6, 18, "bound"),
        (("4", "4"), 0, 1, "rule"),
        (("3", "40"), 24, 495**3, "rule"),
        (("8", "200", "-k", "9"), 176, None, "rule"),
        (("4", "4", "-k", "3"), 7, None, None),
        (("9", "11", "-k", "7"), 13, None, "bound"),
    ],
)
def test_a_board_is_answered_with_its_proof(
    arguments: tuple[str, ...], stones: int, placements: int | None, proof: str | None
) -> None:
    found = answer("X", *arguments)
    assert found["stones"] == stones
    assert proof in (None, found["proof"])
    assert placements is None or found["placements"] == str(placements)


def test_the_answer_reads_as_a_sentence() -> None:
    output = invoke("X", 4, 4).output
    assert output == "X(4, 4, 5) = 0, 1 placement\nproof: no line of 5 fits on the board\n"
    assert "X(13, 17, 5) = 44, 8 placements\nproof: a search of 8 x 7 found" in invoke("X", 13, 17).output


@pytest.mark.parametrize(
    ("n", "m", "k", "number"), [(6, 7, 5, 6), (7, 6, 5, 6), (17, 13, 5, 8), (7, 3, 4, 1), (5, 4, 3, 0)]
)
def test_what_is_drawn_blocks_the_board(n: int, m: int, k: int, number: int) -> None:
    found = answer("place", n, m, "-k", k, "--all")
    boards = found["placements"]
    assert number in (0, len(boards))
    assert str(len(boards)) == answer("X", n, m, "-k", k)["placements"]
    assert len({tuple(board) for board in boards}) == len(boards)
    for board in boards:
        assert sum(row.count("#") for row in board) == found["stones"]
        assert not naive.has_free_line([[int(cell == "#") for cell in row] for row in board], k)


def test_one_placement_is_drawn_and_checks_as_optimal() -> None:
    for sides in ((6, 7), (30, 31), (3, 12)):
        drawn = invoke("place", *sides)
        assert drawn.output.count("\n") == sides[0]
        assert "is blocked; the fewest there can be" in invoke("check", "-", text=drawn.output).output


def test_a_board_is_checked(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_text(BEST_CELL)
    assert invoke("check", path).stdout == "5 x 5, 5 stones: every line of 5 is blocked; the fewest there can be\n"
    path.write_text(BEST_CELL.replace("...#.", "##.#."))
    assert "blocked; the fewest is 5" in invoke("check", path).output
    path.write_text(BEST_CELL.replace("..#..", "....."))
    free = invoke("check", path)
    assert free.exit_code == 1
    assert "free lines of 5 cells, such as (row, column) (2, 1) (2, 2) (2, 3) (2, 4) (2, 5)" in free.output
    assert answer("check", path)["free_line"] == [[2, column] for column in range(1, 6)]


def test_any_usual_marks_make_a_board() -> None:
    found = answer("check", "-", text="1 0 0 0 0\n0 0 x o o\n_ - - - *\n. X . . .\n...#.\n\n")
    assert (found["blocks"], found["optimal"]) == (True, True)


def test_a_blocked_board_out_of_reach_is_said_to_be_blocked() -> None:
    found = answer("check", "-", "-k", 3, text=("#" * 40 + "\n") * 40)
    assert (found["blocks"], found["fewest"], found["optimal"]) == (True, None, None)
    assert "beyond a search" in invoke("check", "-", "-k", 3, text=("#" * 40 + "\n") * 40).output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("..#\n..\n", "row 2: 2 cells; row 1 has 3"),
        ("...\n..z\n", "row 2, column 3: 'z' is neither a stone"),
        ("\n \n", "no board in it"),
        (b"\xff\xfe\x00", "not a text file in UTF-8"),
    ],
)
def test_a_text_that_is_no_board_is_refused_at_its_first_fault(text: str | bytes, message: str) -> None:
    result = invoke("check", "-", text=text)
    assert result.exit_code == 2
    assert message in result.output


def test_cells_and_the_table_of_the_source() -> None:
    found = answer("cells", 5)
    assert len(found["cells"]) == 10
    assert found["operations"] == GOLDEN["source"]["operations"]
    assert "S_1:  6  7  8  9 10  1  2  3  4  5\n" in invoke("cells", 5).output
    assert len(answer("cells", 11)["cells"]) == GOLDEN["modular_queens"]["counts"]["11"]


def test_the_table_of_all_small_boards() -> None:
    found = {(row["rows"], row["columns"]): row for row in answer("table", "-k", 3, "--side", 6)["boards"]}
    for n in range(1, 7):
        for m in range(1, n + 1):
            assert n * m - found[n, m]["stones"] == GOLDEN["no_three_rectangles"]["rows"][n - 1][m - 1]
    assert "   5 1 2 3 4 5\n" in invoke("table", "--side", 5).output
    assert "   5 5 25 125 625 48\n" in invoke("table", "--side", 5).output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("X", 0, 5), "every side of a board is at least 1; got board 0 x 5"),
        (("X", 7, 7, "-k", 1), "k is 2 to 16; got 1"),
        (("X", 7, 7, "-k", 17), "k is 2 to 16; got 17"),
        (("X", 300, 300), "has 90000 cells; the search takes boards of at most 65536"),
        (("X", 20, 20, "-k", 4), "shorter side is at most 15 for k = 4"),
        (("X", "five", 5), "'five' is not a valid integer"),
        (("X", 5), "Missing argument 'M'"),
        (("place", 30, 4, "--all"), "has 1944810000 optimal placements, more than the limit of 100000"),
        (("place", 22, 4, "--all"), "50625 boards of 22 x 4 are too much to print"),
        (("X", 14, 14, "-k", 4), "estimated at 2,560 s on one core, and 600 s are allowed; allow more (--seconds"),
        (("place", 2000, 20, "-k", 3, "--all"), "s on one core, and 600 s are allowed"),
        (("X", 9, 9, "-k", 3, "--seconds", 0), "0.0 is not in the range x>0"),
        (("cells", 6), "there are no best cells of order 6"),
        (("cells", 18), "best cells are listed for n = 1 to 17; got 18"),
        (("table", "--side", 26), "the table goes from 1 to 25"),
        (("check", "no_such_file"), "No such file"),
        (("check", "-", "-k", 99), "k is 2 to 16; got 99"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_the_reason(arguments: tuple[object, ...], message: str) -> None:
    result = invoke(*arguments, text=BEST_CELL)
    assert result.exit_code == 2
    assert message in result.output


def test_a_search_that_takes_longer_than_estimated_is_given_up_and_says_how_far_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fewest_stones, "board_seconds", lambda board: 0.0)
    result = invoke("X", 10, 10, "-k", 3, "--seconds", 1e-9)
    assert result.exit_code == 2
    assert "no answer after 0 s, with " in result.output
    assert "row " in result.output


def test_a_search_says_how_far_it_is() -> None:
    lines: list[str] = []
    assert fewest(10, 10, 3, progress=lines.append).stones == 48
    assert lines
    assert all(line.startswith("with ") and "row " in line for line in lines)


def test_structure_tells_orbits_and_defects() -> None:
    assert invoke("structure", 8, 8, "-k", 3).stdout.splitlines() == [
        "X(8, 8, 3) = 28, 1 placement",
        "orbits under the symmetries of the board: 1 (1 of 1)",
        "cells that differ from the pattern of least density, and placements:",
        "  32  1",
    ]
    document = json.loads(invoke("structure", 7, 7, "-k", 3, "--json").stdout)
    assert sum(document["defects"].values()) == sum(int(size) * n for size, n in document["orbits"].items())
    refused = invoke("structure", 8, 8, "-k", 4)
    assert refused.exit_code == 2
    assert "k = 2, 3, 5, 7" in refused.output


def test_a_strip_tells_every_length_and_the_rows_to_repeat(tmp_path: Path) -> None:
    assert invoke("strip", 5, "-k", 3).stdout.splitlines() == [
        "5 columns, k = 3: X(n + 3) = X(n) + 7 for n >= 7",
        "X(0), X(1), ... = 0, 1, 2, 6, 8, 9, 13, 15, 16, 20",
        "in the long run 7/15 of the cells, as in these rows for ever:",
        "..#..",
        "..#..",
        "#####",
    ]
    document = json.loads(invoke("strip", 5, "-k", 3, "--json", "--svg", tmp_path / "strip.svg").stdout)
    check_strip(document)
    assert (tmp_path / "strip.svg").read_text().count("<circle") == 7
    of_1000 = document["fewest"][7] + 331 * document["stones"]
    assert invoke("strip", 5, "-k", 3, "--rows", 1000).stdout == f"X(1000, 5, 3) = {of_1000}\n"
    assert json.loads(invoke("strip", 5, "-k", 3, "--rows", 1000, "--json").stdout)["stones"] == of_1000
    for arguments, message in {
        ("4",): "5 to 10 columns wide; got 4",
        ("6", "-k", "99"): "for lines of k = 2 to 8; got k = 99",
        ("5", "--rows", "-1"): "0 rows or more",
    }.items():
        refused = invoke("strip", *arguments)
        assert (refused.exit_code, message in refused.output) == (2, True)


def test_a_pattern_of_the_plane_leaves_no_line_free(tmp_path: Path) -> None:
    document = json.loads(invoke("plane", "-k", 4, "--json", "--svg", tmp_path / "plane.svg").stdout)
    assert len(document["residues"]) / document["modulus"] == 1 / 3
    said, *window = invoke("plane", "-k", 4).stdout.splitlines()
    assert said == "k = 4: 1/3 of the cells, where x + 2 y leaves 0, 1, 5, 8 modulo 12"
    board = "\n".join(row * 2 for row in window * 2)
    assert "every line of 4 is blocked" in invoke("check", "-", "-k", 4, text=board).output
    refused = invoke("plane", "--modulus", 21)
    assert (refused.exit_code, "from 1 to 20" in refused.output) == (2, True)


def test_a_formula_is_printed_and_a_proof_is_checked(tmp_path: Path) -> None:
    said = invoke("cnf", 5, 5, 8, "-k", 3).stdout.splitlines()
    assert said[2].startswith("p cnf 225 ")
    proof = Path(__file__).parents[1] / "golden" / "five_in_a_row_5x5_3.drup"
    assert invoke("cnf", 5, 5, 8, "-k", 3, "--check", proof).stdout.startswith("right: 68 clauses")
    refused = invoke("cnf", 5, 5, 9, "-k", 3, "--check", proof)
    assert refused.exit_code == 2
    assert "does not follow" in refused.output


@pytest.mark.parametrize(
    ("sides", "k", "stones"), [((6, 7), 5, 7), ((13, 17), 5, 43), ((2, 3, 3), 2, 13), ((4, 4), 3, 6)]
)
def test_a_proof_is_written_and_checked_against_the_board(
    sides: tuple[int, ...], k: int, stones: int, tmp_path: Path
) -> None:
    written = invoke("proof", *sides, "-k", k, "--out", tmp_path / "proof")
    assert f"{stones} stones do not suffice" in written.output
    formula = (tmp_path / "proof" / "board.opb").read_text(encoding="ascii").splitlines()
    assert formula[-1].endswith(f" >= {-stones} ;")
    checked = invoke("proof", *sides, "-k", k, "--check", tmp_path / "proof" / "board.pbp")
    assert checked.stdout.startswith("right: ")
    again = invoke("proof", *sides, "-k", k, "--out", tmp_path / "proof")
    assert (again.exit_code, "is not empty" in again.output) == (2, True)
    other = invoke("proof", *sides[:-1], sides[-1] + 2, "-k", k, "--check", tmp_path / "proof" / "board.pbp")
    assert other.exit_code == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("proof", 4, 4), "no line of 5 fits on it, so there is nothing to prove"),
        (("proof", 7, 0), "every side of a board is at least 1"),
        (("proof", 2, 2, 2, 2, 2), "a board has 1 to 4 sides, not 5"),
        (("proof",), "Missing argument"),
        (("proof", 20, 20, "-k", 4), "shorter side is at most 15 for k = 4"),
        (("proof", 6, 6, "-k", 3, "--format", "9"), "'9' is not one of"),
        (("proof", 6, 7, "--check", "-"), "a proof begins with: pseudo-Boolean proof version"),
    ],
)
def test_a_proof_that_cannot_be_made_is_refused_with_the_reason(arguments: tuple[object, ...], message: str) -> None:
    result = invoke(*arguments, text="no proof\n")
    assert (result.exit_code, message in result.output) == (2, True), result.output


def test_a_proof_that_takes_too_long_is_given_up(tmp_path: Path) -> None:
    result = invoke("proof", 9, 9, "-k", 3, "--seconds", 0.3, "--out", tmp_path / "proof")
    assert result.exit_code == 2
    assert "allow more (--seconds" in result.output


def test_the_starts_of_the_growing_area_give_all_windows() -> None:
    windows = {"/".join(board) for board in answer("place", 13, 17, "--all")["placements"]}
    grown = set()
    for cell, row, column in product(range(1, 11), range(1, 6), range(1, 6)):
        result = invoke("place", 13, 17, "--start", f"{row},{column}", "--cell", cell, "--json")
        if result.exit_code == 0:
            document = json.loads(result.stdout)
            assert document["stones"] == 44
            grown.add("/".join(document["placements"][0]))
    assert grown == windows


def test_the_growing_area_is_the_part_of_the_cell_that_begins_at_the_start() -> None:
    cell = answer("cells", 5)["cells"][5]
    (board,) = answer("place", 13, 17, "--start", "3,1", "--cell", 6)["placements"]
    for row, column in product(range(3), range(2)):
        assert (board[10 + row][15 + column] == "#") == (cell[(2 + row) % 5] == column % 5)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--start", "2"), "'2' is not ROW,COLUMN"),
        (("--start", "0,1"), "are 1 to 5"),
        (("--start", "6,1"), "are 1 to 5"),
        (("--start", "1,1", "--cell", "11"), "best cells 1 to 10 of order 5"),
        (("--start", "1,1", "-k", "6"), "no best cells of order 6"),
        (("--start", "1,1", "--all"), "leave out --all"),
        (("--cell", "1"), "--cell goes with --start"),
        (("--start", "1,1", "-k", "17"), "17"),
    ],
)
def test_a_start_that_is_none_is_refused(arguments: tuple[str, ...], message: str) -> None:
    result = invoke("place", 13, 17, *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())


def test_a_start_with_more_stones_is_refused_with_those_that_have_the_fewest() -> None:
    refused = [invoke("place", 6, 7, "--start", f"{row},{column}") for row, column in product((1, 2), range(1, 6))]
    messages = [" ".join(result.output.split()) for result in refused if result.exit_code]
    assert messages
    for message in messages:
        assert "the fewest, 0, are in those that begin at" in message
        start = message.split("begin at ")[1].split()[0]
        assert invoke("place", 6, 7, "--start", start).exit_code == 0


def test_a_board_with_a_side_below_k_has_no_cell_to_grow_from() -> None:
    assert "takes sides of 5 or more" in " ".join(invoke("place", 9, 4, "--start", "1,1").output.split())
