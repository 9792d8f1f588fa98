"""The space of Rush Hour: its tables, its questions, and that false tables do not pass."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest
from click.testing import CliRunner

import boardspace
from benchmarks import rush_hour_starts
from boardspace import rush_hour
from boardspace.cli.main import cli
from boardspace.instances.source import Request, rules_of
from boardspace.spaces.rush_hour.answers import NO_WAY
from boardspace.spaces.rush_hour.config import LISTED_FROM, Board, RushHourConfig
from boardspace.spaces.rush_hour.instances import SOURCE
from boardspace.spaces.rush_hour.notation import class_of, parse, rows_of, text_of, text_of_code
from boardspace.spaces.rush_hour.parts.boards import checks, claims, compute
from boardspace.spaces.rush_hour.parts.boards.claims import count_settled
from boardspace.spaces.rush_hour.rules import RULES, classes, code_of, count_boards, lines_of
from boardspace.spaces.rush_hour.space import SPACE
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.space import Draw
from boardspace.verify import verify
from boardspace.verify.equations import all_checks
from boardspace_kernels.rush_hour import search
from boardspace_kernels.rush_hour.figures import BOARDS, SOLVABLE
from tests.naive import rush_hour as naive
from tests.pipeline.alterations import exchanged, with_value
from tests.pipeline.finished import first_fault, with_values

HARDEST_5 = "BBCooDoCEEDAAFoGGoFHIIJJH"
CONFIG = "[rush_hour]\nboards = [[3, 1], [4, 1]]\nwalled = [[4, 1, [[1, 3]]], [4, 1, [[0, 1], [3, 2]]]]\n"
OTHER_COLUMNS = {
    "pieces": ("classes", "groups", "steps", "unit_moves", "solutions", "cars_down"),
    "labels": ("classes", "groups", "solvable", "steps", "unit_starts"),
    "levels": ("boards", "groups", "moves"),
    "hardest": ("code", "steps", "unit_moves", "solutions", "group_size", "goals", "starts"),
}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of small boards."""
    folder = tmp_path_factory.mktemp("rush_hour")
    (folder / "small.toml").write_text(CONFIG)
    result = CliRunner().invoke(
        cli, ["run", str(folder / "small.toml"), "--out", str(folder / "out"), "--workers", "0"]
    )
    assert result.exit_code == 0, result.output
    return folder / "out"


class Tables:
    """The tables of a run, one of which may be another."""

    def __init__(self, run: Path, **other: pa.Table) -> None:
        dataset = boardspace.open(run)["rush_hour"]
        self.tables = {
            name: dataset.tables[name].to_table() for name in ("pieces", "levels", "labels", "hardest")
        } | other

    def table(self, name: str, **_: Any) -> pa.Table:
        """A table."""
        return self.tables[name]


CONFIGURED = RushHourConfig.model_validate(
    {"boards": ((3, 1), (4, 1)), "walled": ((4, 1, ((1, 3),)), (4, 1, ((0, 1), (3, 2))))}
)
CHECKS = [
    check
    for check in reversed(all_checks(SPACE))
    if check.name in ("equations of all boards", "sums of boards", "boards by pieces")
]
"""What makes boards again comes last, since it takes longest."""


@pytest.fixture
def fault_of(run: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """The fault that the checks find in tables, one of which may be another, where no board is made again whole."""
    assert (len(CHECKS), CHECKS[-1].name) == (3, "equations of all boards")
    monkeypatch.setattr(checks, "MADE_SIDE", 0)

    def fault(**other: pa.Table) -> str:
        inputs: Any = Tables(run, **other)
        return first_fault(CHECKS, CONFIGURED, inputs, Draw(1, everything=True))

    return fault


def test_all_checks_pass_on_what_a_run_wrote(run: Path) -> None:
    result = CliRunner().invoke(cli, ["verify", str(run)])
    assert result.exit_code == 0, result.output


def test_a_search_that_shares_nothing_finds_the_columns_of_drawn_starts(run: Path) -> None:
    rows = boardspace.open(run)["rush_hour"].tables["hardest"].to_table().to_pylist()
    drawn = rush_hour_starts.drawn(rows, 30, seed=1)
    assert len(drawn) == 30
    assert set(rush_hour_starts.faults(drawn)) == {""}
    (wrong,) = rush_hour_starts.faults([drawn[0] | {"solutions": drawn[0]["solutions"] + 1}])
    assert "solutions" in wrong


def test_labels_and_tables_that_are_cut_have_the_same_rows(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(compute.EVERY, 4, 3)
    monkeypatch.setitem(compute.PARTS, 4, 2)
    monkeypatch.setattr(compute, "TOGETHER", 4)
    cut = boardspace.run({"rush_hour": CONFIGURED.model_dump(exclude_unset=True)}, tmp_path, workers=0)["rush_hour"]
    assert len(list((tmp_path / "rush_hour" / "pieces" / "board=4x4-1").iterdir())) > 1
    assert verify(tmp_path, "structure").faults == ()
    for name, rows in Tables(run).tables.items():
        assert cut.tables[name].to_table().equals(rows)


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("pieces", "boards"),
        *(
            pytest.param(table, column, marks=pytest.mark.columns)
            for table, columns in OTHER_COLUMNS.items()
            for column in columns
        ),
    ],
)
def test_a_value_that_is_one_more_is_found_without_making_all_boards_again(
    run: Path, fault_of: Callable[..., str], table: str, column: str
) -> None:
    rows = Tables(run).table(table)
    place = next(i for i, value in enumerate(rows.column(column).to_pylist()) if value)
    values = rows.column(column).to_pylist()
    values[place] += 1
    at = rows.schema.get_field_index(column)
    forged = rows.set_column(at, rows.schema.field(at), pa.array(values, rows.schema.field(at).type))
    assert fault_of(**{table: forged})


def test_right_tables_have_no_fault_where_no_board_is_made_again_whole(fault_of: Callable[..., str]) -> None:
    assert fault_of() == ""


def test_a_start_left_out_or_listed_twice_is_found_without_making_all_boards_again(
    run: Path, fault_of: Callable[..., str]
) -> None:
    rows = Tables(run).table("hardest")
    for forged in (rows.slice(1), pa.concat_tables([rows, rows.slice(0, 1)])):
        assert "listed starts" in fault_of(hardest=forged)


def test_starts_and_listed_starts_agree_at_every_row_whatever_is_drawn(
    run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in ("MADE_SIDE", "DRAWN_LABELS", "DRAWN_STARTS"):
        monkeypatch.setattr(checks, number, 0)
    pieces, hardest = (Tables(run).table(name) for name in ("pieces", "hardest"))
    steps, starts = (pieces.column(name).to_pylist() for name in ("steps", "start"))
    listed = next(place for place, number in enumerate(steps) if number and number >= 5)
    one, other = [place for place, number in enumerate(steps) if number][:2]
    starts[one] = starts[other]
    inputs: dict[str, Any] = {
        "starts is": Tables(run, pieces=with_value(pieces, "starts", listed)),
        "has other pieces": Tables(run, pieces=with_values(pieces, "start", starts)),
        "code is": Tables(run, hardest=exchanged(hardest, "text")),
        "": Tables(run),
    }
    for says, tables in inputs.items():
        fault = first_fault(CHECKS[-1:], CONFIGURED, tables, Draw(1))
        assert says in fault if says else fault == ""


def test_every_row_says_of_itself_whether_it_was_searched(run: Path, fault_of: Callable[..., str]) -> None:
    rows = Tables(run).table("pieces")
    at, values = rows.schema.get_field_index("searched"), rows.column("searched").to_pylist()
    for place in (values.index(True), values.index(False)):
        other = pa.array([value != (number == place) for number, value in enumerate(values)])
        assert "searched is" in fault_of(pieces=rows.set_column(at, rows.schema.field(at), other))


def test_boards_are_read_as_they_are_written() -> None:
    for text in (HARDEST_5, "oxoBAAoBCDDDCEEE"):
        assert text_of(*parse(text)) == text
    assert parse("AAB/..B/...") == parse("AAB ooB ooo")
    for wrong in ("AAB", "ABB/A../...", "AAo/BBB/BBB", "BBo/ooo/ooo", ""):
        with pytest.raises(BoardspaceError):
            parse(wrong)


@pytest.mark.parametrize("board", [Board(3, 1), Board(4, 1, ((1, 3),)), Board(4, 0, ((0, 1), (2, 2)))], ids=str)
def test_the_second_rules_lay_and_count_the_boards_of_the_definition(board: Board) -> None:
    every = set(naive.boards(naive.Game(board.n, board.row, frozenset(board.walls))))
    laid = classes(lines_of(board))
    assert sum(map(len, laid.values())) == len(every) == count_boards(board, {}, checks.PRIME)
    for one in (one for some in laid.values() for one in some):
        assert text_of(board, one.pieces) == text_of_code(board, one.code)
        assert code_of(board, one.pieces) == one.code
    assert count_boards(board, {}, checks.PRIME, goals=True) == sum(
        naive.is_goal(naive.Game(board.n, board.row), one) for one in every
    )


def test_labels_of_6_x_6_with_a_wall_have_the_figures_of_the_second_rules() -> None:
    board, random = Board(6, 2, ((0, 3),)), np.random.default_rng(1)
    for side in range(2):
        labels = np.sort(random.choice(search.labels_of(compute.tables_of(board), side), 60, replace=False))
        found = search.search_labels(compute.tables_of(board), side, labels, LISTED_FROM[6]).labels
        few = [place for place, boards in enumerate(found[:, BOARDS]) if 0 < boards < 200]
        assert found[few, SOLVABLE].any()
        for place in few:
            columns = {name: column.tolist()[0] for name, column in compute.figure_columns(found[[place]]).items()}
            again = checks._label_again(board, compute.SIDES[1 - side], int(labels[place]), 200)
            assert {name: again[name] for name in columns} == columns


def test_one_board_one_class_one_group_and_one_step_have_no_plural() -> None:
    moves = {"steps": 1, "start": "AAo", "unit_moves": 1, "unit_start": "oAA"}
    said = [*claims._lines([{"boards": 1, "classes": 1, "groups": 1, **moves}])]
    assert said == [
        "1 board in 1 class; 1 group of those whose red car can leave",
        "at most 1 step: AAo",
        "at most 1 unit move: oAA",
    ]
    none = dict.fromkeys(moves)
    [line] = claims._lines([{"boards": 2_000, "classes": 2, "groups": 0, **none}])
    assert line == "2,000 boards in 2 classes; 0 groups of those whose red car can leave"


@pytest.mark.parametrize("board", [Board(3, 1), Board(3, 0), Board(4, 1)], ids=str)
def test_settled_boards_are_those_of_the_definition(board: Board) -> None:
    game = naive.Game(board.n, board.row)
    assert count_settled(board) == sum(is_settled(game, one) for one in naive.boards(game))


def is_settled(game: naive.Game, board: naive.Board) -> bool:
    """No piece can move left or up, no line is full, and the red car is alone in its row."""
    rows = Counter(cells[0][0] for cells, _ in board for _ in cells if cells[0][0] == cells[1][0])
    columns = Counter(cells[0][1] for cells, _ in board for _ in cells if cells[0][1] == cells[1][1])
    if rows[game.row] != 2 or game.n in (*rows.values(), *columns.values()):
        return False
    moved = (
        (next(iter(board - after))[0], next(iter(after - board))[0]) for after in naive.moves(game, board, many=False)
    )
    return not any(there < here for here, there in moved)


@pytest.mark.parametrize(
    ("section", "says"),
    [
        ("boards = [[7, 2]]", "3 to 6 cells"),
        ("boards = [[5, 3]]", "upside down"),
        ("boards = [[4, 1], [4, 1]]", "twice"),
        ("walled = [[7, 2, [[0, 0]]]]", "3 to 6 cells"),
        ("walled = [[4, 1, [[4, 0]]]]", "walls are different cells"),
        ("walled = [[4, 1, []]]", "no walls"),
        ("walled = [[5, 2, [[2, 1], [2, 3]]]]", "no two cells side by side"),
    ],
)
def test_boards_that_cannot_be_done_are_refused(tmp_path: Path, section: str, says: str) -> None:
    (tmp_path / "wrong.toml").write_text(f"[rush_hour]\n{section}\n")
    result = CliRunner().invoke(cli, ["plan", str(tmp_path / "wrong.toml")])
    assert result.exit_code != 0
    assert says in result.output


def asked(*arguments: str, **options: Any) -> Any:
    return CliRunner().invoke(cli, ["rush-hour", *arguments], **options)


def test_the_hardest_board_of_5_x_5_takes_20_steps_and_33_unit_moves() -> None:
    found = json.loads(asked("hardest", "--number", "2", "--json").stdout)
    assert {"board": HARDEST_5, "steps": 20} in found
    assert asked("solve", HARDEST_5).stdout.startswith("20 steps: ")
    assert asked("solve", HARDEST_5, "--metric", "unit").stdout.startswith("33 unit moves: ")
    assert json.loads(asked("show", HARDEST_5, "--json").stdout)["most"] == 20


def test_the_longest_puzzle_of_the_public_database_takes_60_steps_in_a_group_of_2332_boards() -> None:
    found, units = (rush_hour.group("IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM", metric=m) for m in ("step", "unit"))
    assert (found.moves, found.most, found.positions, units.moves) == (60, 60, 2332, 103)


def test_a_start_is_drawn_with_so_many_steps_and_pieces(run: Path) -> None:
    found = json.loads(asked("random", "--board", "4x4-1", "--data", str(run), "--steps", "7", "--json").stdout)
    assert found == [{"board": "BBBCDAACDoEEDFFF", "steps": 7}] or found[0]["steps"] == 7
    assert "no start of the" in asked("random", "--board", "4x4-1", "--steps", "30").output
    assert asked("hardest", "--board", "6x6-2").exit_code != 0


def test_a_board_is_a_text_or_itself_and_its_group_has_the_hardest() -> None:
    start = rush_hour.parse(HARDEST_5)
    assert rush_hour.parse(start) is start
    found, units = rush_hour.group(start), rush_hour.group(start, metric="unit")
    assert (found.moves, units.moves) == (found.most, units.most) == (20, 33)
    assert found == rush_hour.group(str(start))
    assert start._repr_svg_().count("<rect") == 1 + len(start.pieces)


def test_the_hardest_are_those_of_a_run_and_a_dataset_of_another_space_is_refused(run: Path) -> None:
    dataset = boardspace.open(run)["rush_hour"]
    assert rush_hour.hardest("4x4-1", dataset) == rush_hour.hardest("4x4-1")
    assert rush_hour.random("4x4-1", seed=3, dataset=dataset) == rush_hour.random("4x4-1", seed=3)
    with pytest.raises(BoardspaceError, match="one of rush_hour is wanted, not of klotski"):
        rush_hour.hardest("4x4-1", replace(dataset, name="klotski"))
    with pytest.raises(BoardspaceError, match="too many boards to search"):
        rush_hour.hardest("6x6-2")


def test_the_hardest_of_a_board_with_walls_are_those_of_a_run_that_has_it(run: Path) -> None:
    rows = Tables(run).table("hardest").filter(pc.field("board") == "4x4-1-0.1_3.2").to_pylist()
    found = json.loads(
        asked("hardest", "--board", rows[0]["board"], "--data", str(run), "--number", "999", "--json").stdout
    )
    assert found == [{"board": row["text"], "steps": row["steps"]} for row in sorted(rows, key=by_steps)] != []
    assert "name one by its sides" in asked("hardest", "--board", "4x4-1-1.3").output
    for question in ("hardest", "random"):
        assert "the dataset has" in asked(question, "--board", "5x5-2", "--data", str(run)).output


def by_steps(row: dict[str, Any]) -> tuple[int, str]:
    """The order of the hardest."""
    return -row["steps"], row["text"]


def test_the_examples_of_the_help_are_solved() -> None:
    examples = re.findall(r"boardspace rush-hour (.+)", asked("--help").output)
    assert len(examples) == 3
    for example in examples:
        done = asked(*example.split(), input="B+1\nA+1\n")
        assert done.exit_code == 0, done.output
        assert NO_WAY not in done.output


def test_a_board_is_played_to_its_end() -> None:
    played = asked("play", "AAB/..B/...", input="moves\nhint\nB+1\nundo\nB+1\nA+1\n")
    assert played.exit_code == 0
    assert played.stdout.splitlines()[3:5] == ["B+1", "B+1 (2 steps)"]
    assert asked("play", "AAB/..B/...", input="A+1\n").exit_code != 0
    assert asked("play", ".../.AA/...", input="hint\n").stdout.splitlines() == ["...", ".AA", "..."]
    assert asked("play", "AAB/..B/..B", input="hint\n").stdout.splitlines()[3:] == [NO_WAY]
    assert asked("solve", "AAB/..B/..B", "--json").stdout == f'{{"solvable": false, "reason": "{NO_WAY}"}}\n'


def test_starts_drawn_from_a_run_are_those_that_are_searched(run: Path, tmp_path: Path) -> None:
    found = []
    for source in (("--data", str(run)), ()):
        out = tmp_path / f"drawn{len(source)}"
        done = CliRunner().invoke(cli, ["instances", "rush_hour", "--of", "4x4-1", *source, "--out", str(out)])
        assert done.exit_code == 0, done.output
        found.append([path.read_bytes() for path in sorted(out.glob("*.jsonl"))])
    assert found[0] == found[1]
    wrong = CliRunner().invoke(cli, ["instances", "rush_hour", "--of", "5x5-2", "--data", str(run)])
    assert "board '5x5-2': the dataset has 3x3-1, 4x4-1, 4x4-1-0.1_3.2, 4x4-1-1.3" in wrong.output


@pytest.mark.parametrize("game", [naive.Game(3, 1), naive.Game(4, 1, frozenset({(0, 1), (3, 2)}))], ids=str)
def test_the_second_rules_and_their_copy_beside_the_checker_move_as_the_definition_says(game: naive.Game) -> None:
    board = Board(game.n, game.row, tuple(sorted(game.walls)))

    def rows(one: naive.Board) -> tuple[str, ...]:
        cells = ((*cells[0], len(cells), cells[0][0] == cells[1][0], red) for cells, red in one)
        return rows_of(board, sorted(cells))

    for rule in (RULES, rules_of(SOURCE)["rush_hour"]):
        for one in naive.boards(game):
            start = rule.parse({}, rule.text({}, rows(one)))
            after = rule.moves({}, start)
            assert sorted(after.values()) == sorted(rows(there) for there in naive.moves(game, one, many=True))
            units = [there for name, there in after.items() if name[1:] in ("+1", "-1")]
            assert sorted(units) == sorted(rows(there) for there in naive.moves(game, one, many=False))
            assert rule.solved({}, start) == naive.is_goal(game, one)


def test_of_two_boards_upside_down_one_is_drawn_and_their_classes_are_one() -> None:
    (batch,) = SOURCE.batches(Request(("3x3-1",), "steps"))
    board, starts = Board(3, 1), {start.text for start in rush_hour.hardest("3x3-1")}
    drawn = [text_of_code(board, code) for code in batch.key.tolist()]
    images = [text_of(*parse("/".join(str(rush_hour.parse(text)).split("\n")[::-1]))) for text in drawn]
    assert {*drawn, *images} == starts
    assert 0 < sum(text != image for text, image in zip(drawn, images, strict=True)) < len(drawn)
    assert not set(drawn) & {image for text, image in zip(drawn, images, strict=True) if image != text}
    met: dict[str, int] = {}
    for text, image, number in zip(drawn, images, batch.group.tolist(), strict=True):
        for one in (text, image):
            assert met.setdefault(str(class_of(parse(one)[1])), number) == number
