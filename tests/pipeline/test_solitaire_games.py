"""Numbers of games as a run makes them: sharded, verified, judged."""

import json
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

from boardspace import solitaire
from boardspace.cli.main import cli
from boardspace.engine.config import validate
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.games import checks, compute
from boardspace.spaces.solitaire.parts.games.checks import starts
from boardspace.spaces.solitaire.parts.games.part import GAMES_COUNTED, LEVELS
from boardspace.spaces.solitaire.space import SPACE
from boardspace.spec.stage import Inputs
from boardspace.verify.equations import all_checks
from tests.pipeline.finished import altered, faulty_checks, finished_stages, run_of, with_values

BOARDS = """
[solitaire]
rows_per_shard = 300
[[solitaire.games]]
board = "triangle10"
[[solitaire.games]]
board = "triangle15"
"""


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(BOARDS, tmp_path_factory.mktemp("games"))


def rereading(run_folder: Path, alter: Callable[[str, pa.Table], pa.Table]) -> Inputs:
    """The finished stages, where tables read otherwise than they were written."""
    _, inputs = finished_stages(run_folder, SolitaireConfig)
    return altered(inputs, lambda stage, name, found: alter(name, found))


def faulty(run_folder: Path, alter: Callable[[str, pa.Table], pa.Table] = lambda name, rows: rows) -> set[str]:
    """The checks that find a fault where tables read otherwise than they were written."""
    own = [check for check in all_checks(SPACE) if "games" in check.columns]
    return faulty_checks(run_folder, SolitaireConfig, own, alter)


def test_the_numbers_are_those_of_games_counted_in_memory(run_folder: Path) -> None:
    _, inputs = finished_stages(run_folder, SolitaireConfig)
    games = {(row["board"], row["vacancy"]): row for row in inputs.table("games").to_pylist()}
    assert [games["triangle15", hole]["games"] for hole in (1, 2, 4, 5)] == ["568630", "294543", "1149568", "137846"]
    assert games["triangle10", 2]["won"] == "14"
    ends = inputs.table("game_ends").to_pylist()
    corner = {row["survivor"]: row["games"] for row in ends if (row["board"], row["vacancy"]) == ("triangle15", 1)}
    assert corner == {1: "6816", 7: "3408", 10: "3408", 13: "16128"}


def test_levels_are_cut_into_shards_by_ranges(run_folder: Path) -> None:
    _, inputs = finished_stages(run_folder, SolitaireConfig)
    assert any(name.endswith("/0001") for name in inputs.named_facts("games.levels"))


def test_checks_find_nothing_in_what_was_written(run_folder: Path) -> None:
    assert faulty(run_folder) == set()


def other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, str):
        return f"{value}0" if value.isdigit() and value != "0" else "7"
    return value + 1


@pytest.mark.columns
def test_every_column_that_was_altered_is_found_by_the_levels_of_the_run(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which are read where it takes too long to make games again; test_altered_columns.py has them made again."""
    monkeypatch.setattr(checks, "SECONDS", 1e9)
    for name, column in [(table.name, column.name) for table in GAMES_COUNTED.tables for column in table.columns]:

        def alter(read: str, rows: pa.Table, name: str = name, column: str = column) -> pa.Table:
            if read != name or not rows.num_rows:
                return rows
            return with_values(rows, column, [other(value) for value in rows.column(column).to_pylist()])

        assert faulty(run_folder, alter), (name, column)


def test_of_levels_that_nobody_has_sums_are_tried(run_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "SECONDS", 1e9)
    monkeypatch.setattr(checks, "MOST_ROWS", 0)
    monkeypatch.setattr(checks, "WHOLE", 1)
    assert faulty(run_folder) == set()
    for name, column in (("games", "games"), ("games", "won"), ("game_levels", "ended"), ("game_ends", "games")):

        def alter(read: str, rows: pa.Table, name: str = name, column: str = column) -> pa.Table:
            values = rows.column(column).to_pylist() if read == name else []
            return with_values(rows, column, [other(values[0]), *values[1:]]) if values else rows

        assert faulty(run_folder, alter), (name, column)


@pytest.mark.parametrize(
    ("table", "column", "moved"),
    [
        ("game_ends", "games", {7: 1, 10: -1}),
        ("game_levels", "positions", {12: 1, 11: -1}),
        ("game_levels", "sequences", {13: 1}),
    ],
    ids=["survivors that symmetries exchange", "positions of first levels", "their sequences"],
)
def test_what_moves_between_rows_is_found_where_nobody_has_the_levels(
    run_folder: Path, table: str, column: str, moved: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checks, "SECONDS", 1e9)
    monkeypatch.setattr(checks, "MOST_ROWS", 0)
    monkeypatch.setattr(checks, "WHOLE", 4 if table == "game_levels" else 1)

    def alter(read: str, rows: pa.Table) -> pa.Table:
        if read != table:
            return rows
        key = "survivor" if table == "game_ends" else "pegs"
        values = [
            type(row[column])(int(row[column]) + moved.get(row[key], 0))
            if (row["board"], row["vacancy"]) == ("triangle15", 1)
            else row[column]
            for row in rows.to_pylist()
        ]
        return with_values(rows, column, values)

    assert faulty(run_folder) == set()
    assert faulty(run_folder, alter) == {"equations of games of boards"}


@pytest.mark.parametrize("whole", [1 << 10, 0])
@pytest.mark.parametrize("column", ["low", "position"])
def test_what_leaves_all_sums_of_a_level_as_they_are_is_found(
    run_folder: Path, column: str, whole: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the level above, and by jumps taken back."""
    monkeypatch.setattr(checks, "WHOLE", whole)
    monkeypatch.setattr(checks, "SECONDS", 1e9)
    config, inputs = finished_stages(run_folder, SolitaireConfig)
    (start,) = [start for start in starts(config) if (start.board, start.vacancy) == ("triangle15", 1)]
    shards = [name for name in inputs.named_facts(LEVELS) if name.startswith("triangle15-01/pegs=09/")]
    rows = inputs.read(LEVELS, "next_ways", shards=shards)
    words, values = rows.column("position").to_numpy(), rows.column(column).to_pylist()
    jumps = start.arrays.jump_counts(words)
    if column == "low":  # of two positions with as many jumps
        pairs = combinations(range(len(values)), 2)
        one, two = next((a, b) for a, b in pairs if jumps[a] == jumps[b] and values[a] != values[b])
        values[one], values[two] = values[two], values[one]
    else:  # a position of as many pegs and jumps that no game leads to
        least = start.arrays.canonical(np.arange(1 << 15, dtype=np.uint64))
        others = np.setdiff1d(least[np.bitwise_count(least) == 8], words)
        values[0] = int(others[start.arrays.jump_counts(others) == jumps[0]][0])
    forged = with_values(rows, column, values)
    found = faulty(run_folder, lambda name, read: forged if name == "next_ways" and read.equals(rows) else read)
    assert found == {"equations of games of boards"}


def test_claims_say_by_which_rule_the_published_numbers_hold(run_folder: Path) -> None:
    _, inputs = finished_stages(run_folder, SolitaireConfig)
    claims = {row["claim"]: row for row in inputs.table("claims").to_pylist()}
    assert claims["games-fifteen"]["verdict"] == "corrected"
    assert claims["games-fifteen"]["stated"] in claims["games-fifteen"]["evidence"]
    assert claims["games-fifteen-won"]["verdict"] == "confirmed"


@pytest.mark.parametrize("name", ["triangle15", "triangle10", "rectangle3x5", "square4"])
def test_from_all_vacancies_at_once_there_are_as_many_games_as_from_each(name: str) -> None:
    for start in solitaire.count_games_of_board(name).starts:
        one = solitaire.count_games(name, f"all but {start.vacancy}")
        assert (start.games, start.survivors) == (one.games, one.survivors)


def test_the_command_counts_from_every_vacancy() -> None:
    asked = ["solitaire", "games", "--board", "triangle5", "--every-vacancy"]
    assert CliRunner().invoke(cli, asked).stdout.splitlines()[1].split() == ["1", "568,630", "29,760", "6,816"]
    document = json.loads(CliRunner().invoke(cli, [*asked, "--json"]).stdout)
    assert [start["won"] for start in document["starts"]] == [29760, 14880, 85258, 1550]


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        (["--board", "french"], "take more than 3,221.2 MB, and 2,147.5 MB are allowed (--memory)"),
        (["--board", "triangle6", "--memory", "1MB"], "take about 2.5 MB"),
        (["--board", "wiegleb"], "take more than"),
        (["--board", "T5", "--memory", "much"], "is no amount of memory"),
        (["--board", "T5", "--moves"], "leave --moves out"),
        (["--board", "T5", "--start", "all but 1"], "leave --start out"),
    ],
)
def test_what_cannot_be_counted_from_every_vacancy_is_refused(asked: list[str], message: str) -> None:
    result = CliRunner().invoke(cli, ["solitaire", "games", "--every-vacancy", *asked])
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize(
    ("board", "vacancy", "rows"),
    [("english", 17, 150_736_026), ("french", 19, 1_497_546_123), ("triangle28", 1, 34_623_540)],
)
def test_the_plan_knows_about_how_many_rows_long_runs_write(board: str, vacancy: int, rows: int) -> None:
    """As those runs wrote them, in shards of the default size: bytes go by rows, seconds nearly so."""
    config = validate({"solitaire": {"games": [{"board": board, "vacancies": [vacancy]}]}}, "games", "games")
    found = config.spaces["solitaire"]
    assert isinstance(found, SolitaireConfig)
    expected = compute.cost(found)
    assert expected.bytes / compute.BYTES_PER_ROW == pytest.approx(rows, rel=0.4)
    assert expected.seconds == pytest.approx(4.8e-7 * rows, rel=0.4)


def test_problems_are_counted_with_their_luck() -> None:
    asked = ["solitaire", "problems", "--board", "triangle5", "--vacancy", "4", "--survivor", "13"]
    assert not json.loads(CliRunner().invoke(cli, [*asked, "--json"]).stdout)["problems"]
    asked[-3:] = ["1", "--survivor", "1"]
    row = CliRunner().invoke(cli, asked).stdout.splitlines()[1].split()
    assert row == ["1", "1", "370", "6,816", "2,924", "8", "0.0002545"]
    document = json.loads(CliRunner().invoke(cli, [*asked, "--json"]).stdout)
    assert document["problems"][0]["luck"] == "17242335766667/67750334668800000"
    refused = CliRunner().invoke(cli, ["solitaire", "problems", "--board", "french"])
    assert refused.exit_code == 2
    assert "as on the English board" in refused.output
