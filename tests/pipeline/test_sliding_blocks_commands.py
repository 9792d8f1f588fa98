"""``boardspace sliding`` as a user would ask it, held against the slow searches."""

import json
from typing import Any

import pytest
from click.testing import CliRunner

from boardspace import sliding_blocks
from boardspace.cli.main import cli
from boardspace.spec.errors import BoardspaceError
from tests.naive import sliding_blocks as naive


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, ["sliding", *map(str, arguments)])


def position_of(board: str) -> tuple[naive.Position, dict[str, naive.Piece]]:
    cells: dict[str, set[naive.Cell]] = {}
    for r, row in enumerate(board.split("/")):
        for c, sign in enumerate(row):
            if sign != ".":
                cells.setdefault(sign, set()).add((r, c))
    pieces = {sign: frozenset(some) for sign, some in cells.items()}
    return frozenset(pieces.values()), pieces


def test_counts_of_packings() -> None:
    assert json.loads(invoke("count", 2, 2, "--json").stdout) == {
        "rows": 2,
        "columns": 2,
        "packings": 43,
        "by_voids": [12, 16, 10, 4, 1],
    }
    assert "5 x 5: 3,117,469,335,485 packings" in invoke("count", 5, 5).stdout
    assert sliding_blocks.count(1, 40).packings == sliding_blocks.count(40, 1).packings == 37_889_062_373_143_906


def test_one_of_a_thing_has_no_plural() -> None:
    counts = CliRunner().invoke(cli, ["sliding", "count", "1", "1"])
    assert counts.stdout.splitlines() == [
        "1 x 1: 2 packings",
        "  0 voids                 1",
        "  1 void                  1",
    ]
    assert "1 piece, 1 void, " in str(sliding_blocks.group("AA."))
    assert "1 piece, 2 voids, " in str(sliding_blocks.group("A.."))


@pytest.mark.parametrize(
    "board", ["AAB/A.B", "ABC/D.E", "AB./..C", "A..../.....", "...", "AAA/AAA", "AAA/A.A/AAA", "AAA/ABA/AAA"]
)
def test_a_board_is_shown_with_its_class_and_group(board: str) -> None:
    rows, columns = board.count("/") + 1, len(board.split("/")[0])
    position, _ = position_of(board)
    found = json.loads(invoke("show", board, "--json").stdout)
    members = naive.by_class(naive.packings(rows, columns))[naive.class_of(position)] if rows * columns < 9 else None
    if members is not None:
        groups = naive.groups(rows, columns, members)
        assert (found["positions"], found["groups"]) == (len(members), len(groups))
        assert found["group"] == next(len(group) for group in groups if position in group)
    assert found["board"] == board


@pytest.mark.parametrize(
    ("board", "piece", "to"),
    [("ABC/DE.", "A", (2, 3)), ("AAB/.CB", "C", (2, 1)), ("AB./..C", "C", (1, 1)), ("ABB/.CD/E.D", "A", (3, 3))],
)
def test_a_solution_is_shortest_and_every_step_is_one(board: str, piece: str, to: tuple[int, int]) -> None:
    rows, columns = board.count("/") + 1, len(board.split("/")[0])
    position, pieces = position_of(board)
    found = json.loads(invoke("solve", board, "--piece", piece, "--to", f"{to[0]},{to[1]}", "--json").stdout)
    distance = naive.distances(rows, columns, [(position, pieces[piece])])
    at_goal = [
        steps
        for (_, mark), steps in distance.items()
        if (min(r for r, _ in mark) + 1, min(c for _, c in mark) + 1) == to
    ]
    assert found["steps"] == len(found["boards"]) - 1 == min(at_goal)
    for before, after, moved in zip(found["boards"], found["boards"][1:], found["moved"], strict=False):
        here, names = position_of(before)
        there, later = position_of(after)
        assert (names[moved], later[moved]) in set(naive.steps(rows, columns, here))
        assert here - {names[moved]} == there - {later[moved]}


def test_the_marked_one_of_two_equal_pieces_is_the_one_that_comes() -> None:
    found = json.loads(invoke("solve", "AB.", "--piece", "B", "--json").stdout)
    assert (found["steps"], found["boards"][-1]) == (1, "A.B")
    assert "no way takes A there" in invoke("solve", "AB.", "--piece", "A").stdout


def test_a_piece_inside_a_ring_moves_there() -> None:
    board = "AAAA/AB.A/AAAA"
    found = sliding_blocks.group(sliding_blocks.parse(board))
    assert (found.positions, found.groups, found.group) == (2, 1, 2)


def test_the_hardest_puzzle_of_a_small_tray() -> None:
    found = json.loads(invoke("hardest", 3, 3, "--pieces", 6, "--json").stdout)
    assert found["steps"] == 22
    solved = sliding_blocks.solve(sliding_blocks.parse(found["board"]), "A")
    assert solved is not None
    assert len(solved.moved) == 22


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("count", 6, 6), "trays are counted up to 5 x 100"),
        (("count", 0, 3), "at least one row"),
        (("show", "AAB/B.A"), "the cells of A are 2 separate parts"),
        (("show", "AAB/A"), "row 2 has 1 sign, row 1 has 3"),
        (("show", "/"), "an empty board"),
        (
            ("show", "ABCDE/FGHIJ/KLMNO/PQRST/....."),
            "up to 20 cells can be searched: on 5 x 5 pieces can lie in 2,301,877 ways",
        ),
        (("random", "--pieces", 3, "--steps", "x"), "is not LEAST..MOST, such as 40..60"),
        (("random", 3, 3, "--pieces", 6, "--steps", "60..40"), "60 is more than 40"),
        (("random", 3, 3, "--pieces", -1), "pieces: -1 is not from 1 to 9"),
        (("random", 3, 3, "--pieces", 6, "--seed", -1), "seed: -1 is not from 0"),
        (("random", 5, 5, "--pieces", 6), "trays of up to 16 cells"),
        (("count", 6, 6), "takes ten times as long"),
        (("solve", "AB./..C", "--piece", "X"), "no piece 'X'; it has A, B, C"),
        (("solve", "AB./..C", "--piece", "A", "--to", "3,1"), "does not fit at 3,1"),
        (("solve", "AB./..C", "--piece", "A", "--to", "x"), "is not ROW,COLUMN"),
        (("hardest", 3, 3, "--pieces", 10), "pieces: 10 is not from 1 to 9"),
        (("hardest", 4, 5, "--pieces", 3), "trays of up to 16 cells"),
    ],
)
def test_bad_questions_get_an_answer(arguments: tuple[object, ...], message: str) -> None:
    result = invoke(*arguments)
    assert result.exit_code != 0
    assert message in str(result.exception) + result.output


@pytest.mark.parametrize(("board", "to", "end"), [("A.B.C", "1,4", "A.BC."), ("A/./B/./C", "4,1", "A/./B/C/.")])
def test_lines_of_cells_are_trays(board: str, to: str, end: str) -> None:
    found = json.loads(invoke("solve", board, "--piece", "C", "--to", to, "--json").stdout)
    assert (found["steps"], found["boards"][-1]) == (1, end)


def test_a_puzzle_is_drawn_with_the_steps_that_were_asked_for() -> None:
    arguments = ("random", 3, 3, "--pieces", 5, "--steps", "8..10", "--seed", 1, "--json")
    found = json.loads(invoke(*arguments).stdout)
    assert found == json.loads(invoke(*arguments).stdout)
    assert naive.fewest_steps(found["board"]) == found["steps"]
    assert 8 <= found["steps"] <= 10
    drawn = {invoke("random", 3, 3, "--pieces", 5, "--steps", "8..10", "--seed", seed).stdout for seed in range(8)}
    assert len(drawn) > 1


def test_a_picture_is_written(tmp_path: Any) -> None:
    file = tmp_path / "board.svg"
    assert invoke("show", "AAB/A.B", "--svg", file).exit_code == 0
    assert file.read_text().startswith("<svg")


@pytest.mark.parametrize("metric", ["step", "unit"])
def test_round_walls_and_through_gaps_in_them_ways_are_those_of_the_definition(metric: str) -> None:
    """Cells of walls are pieces that the slow search leaves where they are."""
    moves = naive.unit_moves if metric == "unit" else naive.steps
    for board in ("###/#A./#B.", "#####/#A..#/#C#.B/#C..#", "A#../..#B/.CC.", "A.#/#.B/..#"):
        rows, columns = len(board.split("/")), board.index("/")
        position, pieces = position_of(board.replace("#", "."))
        walls = {frozenset([divmod(i, columns)]) for i, sign in enumerate(board.replace("/", "")) if sign == "#"}
        distance, level = {(position, pieces["A"]): 0}, [(position, pieces["A"])]
        for here, mark in level:
            for before, after in moves(rows, columns, here | walls):
                following = (here - {before} | {after}, after if before == mark else mark)
                if before not in walls and following not in distance:
                    distance[following] = distance[here, mark] + 1
                    level.append(following)
        for row in range(rows):
            for column in range(columns):
                there = [far for (_, mark), far in distance.items() if mark == frozenset([(row, column)])]
                asked = ("--walls", "#", "--piece", "A", "--to", f"{row + 1},{column + 1}", "--metric", metric)
                told = json.loads(invoke("solve", board, *asked, "--json").stdout)
                assert told.get("steps") == min(there, default=None), (board, row, column)


def test_unit_moves_are_called_so() -> None:
    assert invoke("solve", "A.../....", "--piece", "A", "--metric", "unit").stdout.startswith("4 unit moves: A")
    assert invoke("solve", "A.../....", "--piece", "A").stdout == "1 step: A\n"
    drawn = invoke("solve", "A.../....", "--piece", "A", "--metric", "unit", "--animate").stdout
    assert "\n4 of 4 unit moves\n" in drawn


def test_walls_that_are_not_there_and_unknown_metrics_are_refused() -> None:
    refused = invoke("solve", "A.", "--walls", "x", "--piece", "A")
    assert (refused.exit_code, "no cell has the sign of walls, 'x'" in refused.output) == (2, True)
    with pytest.raises(BoardspaceError, match="metric 'cells': it is step or unit"):
        sliding_blocks.solve("A.", "A", metric="cells")
    with pytest.raises(BoardspaceError, match="a tray with walls has no class"):
        sliding_blocks.group(sliding_blocks.parse("A.#", "#"))
