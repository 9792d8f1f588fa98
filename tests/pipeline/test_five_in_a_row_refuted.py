"""Minima that a SAT solver proves a second time, from a run to what ``verify`` says of forged proofs."""

from collections.abc import Callable, Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.engine import plan
from boardspace.spaces.five_in_a_row import SPACE, proofs
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.space import Draw
from boardspace.verify.equations import all_checks
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.formulas import clauses
from tests.naive import refutation as naive
from tests.pipeline.conftest import dataset_bytes
from tests.pipeline.finished import altered, finished_stages

CONFIG = """
[five_in_a_row]
squares = [[3, 4]]
boards = [[6, 8, 8]]
split = [[6, 10, 6, 0, 2]]
boxes = [[2, 3, 3, 3], [3, 3, 3, 3]]
cells = []
refuted_conflicts = {conflicts}
"""

Row = dict[str, Any]


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def write(folder: Path, conflicts: int = 10_000) -> Path:
    file = folder / "refuted.toml"
    file.write_text(CONFIG.format(conflicts=conflicts))
    return file


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("refuted")
    result = invoke("run", write(folder), "--out", folder / "out", "--workers", 0, "--json")
    assert result.exit_code == 0, result.output
    return folder / "out"


def rows_of(out: Path, table: str) -> list[Row]:
    found: list[Row] = pq.read_table(out / "five_in_a_row" / table).to_pylist()
    return found


def test_every_minimum_by_search_is_refuted_by_a_solver_too(out: Path) -> None:
    searched = [row for row in rows_of(out, "results") + rows_of(out, "boxes") if row["proof"] == "search"]
    sides = {(row["k"], row["rows"], row["columns"]) for row in searched if "rows" in row}
    assert sides == {(6, 8, 8), (6, 10, 6)}
    assert {(row["k"], row["a"], row["b"], row["c"]) for row in searched if "a" in row} == {(2, 3, 3, 3), (3, 3, 3, 3)}
    assert all(row["refuted"] > 0 for row in searched)
    assert all(row["refuted"] is None for row in rows_of(out, "results") if row["proof"] != "search")


def test_the_table_holds_the_proofs_of_boards_and_only_theirs(out: Path) -> None:
    named = {(row["k"], row["rows"], row["columns"]): row for row in rows_of(out, "results") if row["refuted"]}
    refutations = {(row["k"], row["rows"], row["columns"]): row for row in rows_of(out, "refutations")}
    assert named.keys() == refutations.keys()
    for key, row in refutations.items():
        assert row["stones"] == named[key]["stones"] - 1
        assert row["clauses"] == named[key]["refuted"] == len(row["refutation"].splitlines())


def test_a_published_proof_follows_by_plain_propagation(out: Path) -> None:
    (box,) = (row for row in rows_of(out, "boxes") if row["k"] == 2)
    proof = [list(map(int, line.split()))[:-1] for line in box["refutation"].splitlines()]
    formula = clauses(Board((3, 3, 3), 2), box["stones"] - 1)
    assert naive.follows(formula, proof) == len(proof) == box["refuted"]
    assert proof[-1] == []


def test_the_command_line_checks_a_published_proof(out: Path, tmp_path: Path) -> None:
    (row,) = (row for row in rows_of(out, "refutations") if row["rows"] == 8)
    (tmp_path / "proof").write_text(row["refutation"])
    result = invoke("five", "cnf", 8, 8, row["stones"], "-k", 6, "--check", tmp_path / "proof")
    assert f"right: {row['clauses']} clauses" in result.output
    result = invoke("five", "cnf", 8, 8, row["stones"] + 1, "-k", 6, "--check", tmp_path / "proof")
    assert result.exit_code != 0
    assert "does not follow" in result.output


def test_verify_finds_no_fault(out: Path) -> None:
    result = invoke("verify", out)
    assert result.exit_code == 0, result.output


def faults_where(out: Path, table: str, change: Callable[[Row], Row]) -> Iterator[str]:
    """The faults of the checks, one after the other."""
    config, inputs = finished_stages(out, FiveInARowConfig)

    def changed(stage: str, name: str, found: Any) -> Any:
        if name != table:
            return found
        return type(found).from_pylist([change(row) for row in found.to_pylist()], found.schema)

    checks = (check for check in all_checks(SPACE) if table in check.columns)
    found = (check.run(config, altered(inputs, changed), Draw()) for check in checks)
    return (one.fault for one in found if one.fault)


def leaping(row: Row) -> Row:
    """The row with a proof that comes to its end at once."""
    if not row["refutation"]:
        return row
    lines = row["refutation"].splitlines()
    return row | {"refutation": "\n".join(["0", *lines[1:]])}


def shorter(row: Row) -> Row:
    return row | {"refutation": row["refutation"].rpartition("\n")[0].rpartition("\n")[0]} if row["refutation"] else row


@pytest.mark.parametrize(
    ("table", "change", "fault"),
    [
        ("refutations", leaping, "does not follow"),
        ("boxes", leaping, "does not follow"),
        ("boxes", shorter, "the proof has"),
        (
            "refutations",
            lambda row: row | {"refutation": "1 x\n" + row["refutation"].partition("\n")[2]},
            "is no clause",
        ),
        ("refutations", lambda row: row | {"refutation": row["refutation"] + "\n1 0"}, "the proof has"),
        ("refutations", lambda row: row | {"refutation": "d 1 2 0\n" + row["refutation"]}, "the proof has"),
        ("refutations", lambda row: row | {"refutation": " " + row["refutation"]}, "is not written as"),
        ("refutations", lambda row: row | {"clauses": row["clauses"] + 1}, "refutations 6-8-8: clauses is"),
        ("refutations", lambda row: row | {"stones": row["stones"] - 1}, "refutations 6-8-8: stones is"),
        ("refutations", lambda row: row | {"columns": 5}, "the proof has 1"),
        ("results", lambda row: row | {"refuted": None}, "refutations has 2 rows, not 0"),
        ("results", lambda row: row | {"refuted": row["refuted"] or 7}, "a solver's proof of a minimum"),
        ("boxes", lambda row: row | {"refutation": None}, "the proof has 1"),
        ("boxes", lambda row: row | {"refuted": None}, "refutation is"),
        ("boxes", lambda row: row | {"refuted": row["refuted"] + 1}, "the proof has"),
    ],
)
def test_verify_tells_what_is_wrong_with_a_proof(
    out: Path, table: str, change: Callable[[Row], Row], fault: str
) -> None:
    assert any(fault in one for one in faults_where(out, table, change))


def test_a_solver_that_gives_up_leaves_no_proof_and_the_minimum_stands(out: Path, tmp_path: Path) -> None:
    result = invoke("run", write(tmp_path, conflicts=1), "--out", tmp_path / "out", "--workers", 0, "--json")
    assert result.exit_code == 0, result.output
    refuted = {(row["k"], row["rows"]): row["refuted"] for row in rows_of(tmp_path / "out", "results")}
    assert refuted[6, 10] is None
    stones = [
        {(row["k"], row["rows"], row["columns"]): row["stones"] for row in rows_of(one, "results")}
        for one in (out, tmp_path / "out")
    ]
    assert stones[0] == stones[1]
    assert invoke("verify", tmp_path / "out").exit_code == 0


def test_a_worker_writes_the_same_bytes(out: Path, tmp_path: Path) -> None:
    result = invoke("run", write(tmp_path), "--out", tmp_path / "out", "--workers", 1, "--json")
    assert result.exit_code == 0, result.output
    assert dataset_bytes(tmp_path / "out" / "five_in_a_row") == dataset_bytes(out / "five_in_a_row")


def test_a_run_without_the_solver_is_refused_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(distribution: str) -> str:
        raise PackageNotFoundError(distribution)

    monkeypatch.setattr(plan, "LIBRARIES", ())
    monkeypatch.setattr(plan, "version", missing)
    for command in (["run", "--out", str(tmp_path / "out"), "--workers", "0"], ["plan"]):
        result = invoke(command[0], write(tmp_path), *command[1:])
        assert result.exit_code != 0
        assert "five_in_a_row: this config needs python-sat" in result.output
        assert "pip install 'boardspace[sat]'" in result.output
    assert not (tmp_path / "out" / "plan.json").exists()


def test_a_run_is_verified_where_the_solver_is_not_installed(out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(distribution: str) -> str:
        if distribution == "python-sat":
            raise PackageNotFoundError(distribution)
        return version(distribution)

    monkeypatch.setattr(plan, "version", missing)
    result = invoke("verify", out)
    assert result.exit_code == 0, result.output


def test_a_solver_that_finds_fewer_stones_stops_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    config = FiveInARowConfig(refuted_conflicts=1000)
    found = {"proof": "search", "stones": 12}  # 8 x 8, k = 6, needs 11
    with pytest.raises(ArithmeticError, match="a solver blocks it with 11 stones"):
        proofs.refuted(config, Board((8, 8), 6), found, lambda text: None)


def test_a_wrong_proof_is_not_written(monkeypatch: pytest.MonkeyPatch) -> None:
    from boardspace_kernels.five_in_a_row.checker import CertificateError

    def wrong(formula: Sequence[tuple[int, ...]], conflicts: int, satisfied: str) -> list[str]:
        return ["0"]

    monkeypatch.setattr(proofs, "_proof", wrong)
    with pytest.raises(CertificateError, match="line 1 of the proof does not follow"):
        proofs.refuted(
            FiveInARowConfig(refuted_conflicts=1000),
            Board((8, 8), 6),
            {"proof": "search", "stones": 11},
            lambda text: None,
        )
