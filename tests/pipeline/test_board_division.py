"""The board_division dataset, from its config to its verified claims."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest
from click.testing import CliRunner

import boardspace
from boardspace.cli.main import cli
from boardspace.engine.config import ConfigError, validate
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.trominoes.checks import cover_counts
from boardspace.spaces.board_division.sequences import SEQUENCES
from boardspace.spec.space import Draw
from boardspace.storage.run_folder import FinishedStages
from tests.naive import board_division as naive
from tests.pipeline.finished import altered, finished_stages, outcome_of, run_of

CONFIG = """
[board_division]
special_boards = 3
large_boards = [[4, 1, 16], [8, 200, 77]]
cover_counts = 8
squares = 18
strips = 4
values = 1000
replays = 12
sequences = 8
large_rectangles = [[9, 30], [1000, 1000], [1, 700]]
search_pegs = 12
lines = 30
"""


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with small_blocks():
        return run_of(CONFIG, tmp_path_factory.mktemp("board_division"))


@contextmanager
def small_blocks() -> Iterator[None]:
    """Covers of 2^8 boards cut into several shards; verify cuts the plan again, so it needs the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("boardspace.spaces.board_division.parts.trominoes.part.BLOCK", 64)
        yield


@pytest.fixture(scope="module")
def finished(run_folder: Path) -> FinishedStages:
    return finished_stages(run_folder, BoardDivisionConfig)[1]


def test_every_claim_is_measured_and_none_is_refuted(run_folder: Path) -> None:
    rows = json.loads(invoke("claims", run_folder, "--json").stdout)["board_division"]
    verdicts = {row["claim"]: row["verdict"] for row in rows}
    corrected = {"line-inequality", "line-lemmas-named", "strip-direction", "sub-boards", "tromino-order"}
    views = {"division-is-recursion", "divisions-countless", "principles", "remainders"}
    assert {claim for claim, verdict in verdicts.items() if verdict == "corrected"} == corrected
    assert {claim for claim, verdict in verdicts.items() if verdict == "open"} == views
    answered = {"tromino-strips", "tromino-squares"}
    assert {claim for claim, verdict in verdicts.items() if verdict == "answered"} == answered
    assert {verdict for claim, verdict in verdicts.items() if claim not in corrected | views | answered} == {
        "confirmed"
    }


def test_claims_say_what_they_rest_on(run_folder: Path) -> None:
    rows = {row["claim"]: row for row in json.loads(invoke("claims", run_folder, "--json").stdout)["board_division"]}
    for claim in ("strip-direction", "tromino-order", "line-lemmas-named", "principles"):
        assert rows[claim]["basis"] == "reading"
    for row in rows.values():
        assert row["basis"] != "sample" or "a sample of" in row["evidence"], row["claim"]
    assert "Two rules give the printed numbers" in rows["tromino-sample"]["evidence"]
    assert rows["tromino-linear"]["evidence"].startswith("boards met: 1, 5, 21, 85")
    assert rows["tromino-special-boards"]["basis"] == "proof"
    assert rows["ending-modules"]["evidence"].endswith("(2, 4)D")
    assert rows["strip-1"]["basis"] == rows["module-1-alone"]["basis"] == "all cases"


def test_the_claims_are_in_the_order_of_the_text(run_folder: Path) -> None:
    order = [row["claim"] for row in json.loads(invoke("claims", run_folder, "--json").stdout)["board_division"]]
    places = [
        order.index(claim) for claim in ("sub-boards", "tromino-sample", "module-1", "endings", "parity", "formula")
    ]
    assert places == sorted(places)


def test_what_a_small_run_does_not_cover_is_told(tmp_path: Path) -> None:
    config = tmp_path / "least.toml"
    config.write_text(
        "[board_division]\nspecial_boards = 0\ncover_counts = 2\nstrips = 2\nvalues = 5\nreplays = 4\nsequences = 4\n"
        "search_pegs = 4\nlines = 2\n"
    )
    result = invoke("run", config, "--out", tmp_path / "out", "--workers", 0, "--json")
    assert result.exit_code == 0, result.output
    verdicts = {row["claim"]: row["verdict"] for row in json.loads(result.stdout)["claims"]["board_division"]}
    assert {claim for claim, verdict in verdicts.items() if verdict == "not_covered"} == {
        "formula",
        "oeis-a046984",
        "oeis-a233807",
        "rectangle-sample",
        "thousand",
        "tromino-large",
        "tromino-order",
        "tromino-quadrants",
        "tromino-sample",
        "tromino-squares",
        "tromino-unique",
    }
    assert "refuted" not in verdicts.values()
    assert invoke("verify", tmp_path / "out").exit_code == 0


def test_verify_finds_no_fault(run_folder: Path) -> None:
    with small_blocks():
        result = json.loads(invoke("verify", run_folder, "--json").stdout)
    assert result["faults"] == []
    assert result["cases"] > 300


def test_special_covers_are_the_recursions(finished: FinishedStages) -> None:
    for k in range(4):
        boards = finished.array(f"covers/{k}")[:]
        assert boards.tolist() == [naive.cover(k, divmod(special, 2**k)) for special in range(4**k)]


def test_a_large_cover_written_in_blocks_is_a_cover(finished: FinishedStages) -> None:
    assert finished.array("large/4-1-16")[:].tolist() == naive.cover(4, (0, 15))
    assert finished.array("large/8-200-77")[:].tolist() == naive.cover(8, (199, 76))
    assert len(finished.facts("large_covers")) == 1 + 16


def test_the_counts_of_covers_are_exact(finished: FinishedStages) -> None:
    rows = finished.read("cover_counts", "cover_counts").to_pylist()
    assert len(rows) == sum(side**2 for side in range(1, 9))
    for row in rows:
        if row["side"] <= 5:
            expected = naive.count_covers(row["side"], (row["row_num"] - 1, row["column_num"] - 1))
            assert int(row["covers"]) == expected


def test_squares_are_covered_as_often_as_the_cells_left_out_say(run_folder: Path, finished: FinishedStages) -> None:
    squares = [int(row["covers"]) for row in finished.read("square_covers", "square_covers").to_pylist()]
    rows = finished.read("cover_counts", "cover_counts").to_pylist()
    for side in (1, 2, 4, 5, 7, 8):
        assert squares[side] == sum(int(row["covers"]) for row in rows if row["side"] == side)
    terms = next(one for one in SEQUENCES if one.name == "A233807").terms(
        18, boardspace.open(run_folder)["board_division"]
    )
    assert [term for _, term in terms] == squares


def test_published_jumps_can_be_played(finished: FinishedStages) -> None:
    table = finished.read("sequences", "jumps")
    for m, n, left in ((1, 8, 4), (3, 4, 2), (8, 8, 1), (9, 30, 2)):
        rows = table.filter((pc.field("m") == m) & (pc.field("n") == n)).to_pylist()
        pegs = naive.rectangle(m, n)
        for row in rows:
            start, letter = (row["row_num"] - 1, row["column_num"] - 1), "URDL"[row["direction"]]
            pegs = next(after for cell, name, after in naive.jumps(pegs) if (cell, name) == (start, letter))
        assert len(pegs) == left == m * n - len(rows)


def test_rectangles_have_their_values(finished: FinishedStages) -> None:
    table = finished.read("values", "rectangles")
    assert table.num_rows == 1_000_000
    for m, n, fewest in ((1, 3, 2), (1, 9, 5), (1000, 1, 500), (3, 4, 2), (1000, 1000, 1), (999, 1000, 2)):
        row = table.slice((m - 1) * 1000 + n - 1, 1).to_pylist()[0]
        assert (row["m"], row["n"], row["fewest"], row["jumps"]) == (m, n, fewest, m * n - fewest)


def fault_of(run_folder: Path, check: str, name: str, alter: Callable[[Any], Any]) -> str:
    """The fault that a check finds where one table, or array, reads otherwise than it was written."""
    config, inputs = finished_stages(run_folder, BoardDivisionConfig)
    wrong = altered(inputs, lambda stage, read, found: alter(found) if read == name else found)
    with small_blocks():
        return outcome_of(check, config, wrong, Draw(7)).fault


@pytest.mark.parametrize(
    ("check", "name", "turned"),
    [
        ("special covers", "covers/2", lambda boards: boards[:, ::-1]),
        ("large covers", "large/4-1-16", lambda board: board[::-1, ::-1]),
    ],
)
def test_covers_of_other_special_cells_are_found(
    run_folder: Path, check: str, name: str, turned: Callable[[Any], Any]
) -> None:
    assert fault_of(run_folder, check, name, lambda boards: boards[:]) == ""
    assert fault_of(run_folder, check, name, turned)


def test_a_strip_whose_recurrence_can_be_shorter_is_found(run_folder: Path) -> None:
    """Numerator and denominator times 1 + x, and one term more: right covers, but not in lowest terms."""

    def longer(rows: pa.Table) -> pa.Table:
        def times(digits: list[str]) -> list[str]:
            numbers = [0, *map(int, digits), 0]
            return [str(one + other) for one, other in pairwise(numbers)]

        found = rows.to_pylist()
        for row in found[-1:]:  # of narrower ones it is longer than their columns have states
            row |= {name: times(row[name]) for name in ("numerator", "denominator")}
            row |= {name: row[name] + 1 for name in ("recurrence_order", "compared")}
        return pa.Table.from_pylist(found, rows.schema)

    assert fault_of(run_folder, "equations of strips", "strips", longer)


@pytest.mark.parametrize("side", range(1, 6))
def test_covers_counted_modulo_and_about_are_those_of_every_tromino_tried(side: int) -> None:
    expected = [str(naive.count_covers(side, divmod(cell, side))) for cell in range(side * side)]
    assert cover_counts(side) == expected


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("special_boards = 9", "board_division.special_boards: at most 8 is wanted, not 9"),
        ("large_boards = [[3, 9, 1]]", r"\(9, 1\) is off the board of k = 3, sides 1 to 8"),
        ("large_boards = [[17, 1, 1]]", "k = 17; it may be 0 to 16"),
        ("large_boards = [[3, 1, 1], [3, 1, 1]]", "one is there twice"),
        ("large_rectangles = [[0, 5]]", "0 x 5; sides may be 1 to 4000"),
        ("pegs = 3", "board_division.pegs: unknown key"),
    ],
)
def test_a_config_that_cannot_be_run_is_refused(line: str, said: str) -> None:
    import tomllib

    with pytest.raises(ConfigError, match=said):
        validate(tomllib.loads(f"[board_division]\n{line}\n"), "test", "test.toml")
