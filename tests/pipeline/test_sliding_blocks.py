"""The sliding_blocks dataset, from its config to its verified claims."""

import json
import random
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.engine.config import ConfigError, validate
from boardspace.engine.plan import recorded_work
from boardspace.spaces.sliding_blocks import rules
from boardspace.spaces.sliding_blocks.boards import TraySize, board_text, code_of, parse_board, pieces_of
from boardspace.spaces.sliding_blocks.config import SlidingBlocksConfig
from boardspace.spaces.sliding_blocks.packings import Packings
from boardspace.spaces.sliding_blocks.parts.classes import compute, part
from boardspace.spaces.sliding_blocks.space import SPACE
from boardspace.spec.space import Draw
from boardspace.verify.equations import all_checks
from tests.naive import sliding_blocks as naive
from tests.pipeline.finished import faulty_checks, finished_stages, run_of, with_values

CONFIG = """
[sliding_blocks]
trays = [[1, 5], [3, 2], [3, 3], [2, 4]]
records_from = 8
"""
TABLES = {table.name: table for table in SPACE.tables if table.published}
SIZES = {"1x5": 89, "3x2": 397, "3x3": 13_329, "2x4": 3_693}
"""Packings of the trays of the run."""


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def run_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(CONFIG, tmp_path_factory.mktemp("sliding_blocks"))


def rows_of(run_folder: Path, table: str, tray: str) -> list[dict[str, Any]]:
    _, inputs = finished_stages(run_folder, SlidingBlocksConfig)
    return [row for row in inputs.table(table).to_pylist() if row["tray"] == tray]


@pytest.mark.thorough
def test_verify_tries_every_row_of_small_trays_and_finds_no_fault(run_folder: Path) -> None:
    result = json.loads(invoke("verify", run_folder, "--json", "--all").stdout)
    assert result["faults"] == []
    assert result["cases"] > 1000


def test_the_multisets_of_a_tray_have_all_its_packings(run_folder: Path) -> None:
    for tray, packings in SIZES.items():
        rows = rows_of(run_folder, "histograms", tray)
        assert sum(row["packings"] for row in rows) == packings
        assert [row["histogram"] for row in rows] == list(range(len(rows)))


def test_classes_groups_and_packings_alone_are_those_found_by_trying(run_folder: Path) -> None:
    positions = list(naive.packings(3, 2))
    groups = naive.groups(3, 2, positions)
    rows = rows_of(run_folder, "histograms", "3x2")
    assert sum(row["classes"] for row in rows) == len(naive.by_class(positions))
    assert sum(row["groups"] for row in rows) == len(groups)
    assert sum(row["alone"] for row in rows) == sum(len(group) == 1 for group in groups)
    assert max(row["largest_group"] for row in rows) == max(map(len, groups))


@pytest.mark.slow
def test_longest_corner_puzzles_are_those_found_by_trying(run_folder: Path) -> None:
    for rows, columns in ((3, 2), (3, 3)):
        longest: dict[tuple[int, ...], int] = {}
        for members in naive.by_class(naive.packings(rows, columns)).values():
            for steps in naive.corner_puzzles(rows, columns, members).values():
                sizes = naive.histogram_of(members[0])
                longest[sizes] = max(longest.get(sizes, 0), steps)
        for row in rows_of(run_folder, "histograms", f"{rows}x{columns}"):
            sizes = tuple(map(int, row["sizes"].split()))
            assert (row["steps"] or 0) == longest.get(sizes, 0)


def test_records_can_be_solved_in_their_steps_and_no_fewer(run_folder: Path) -> None:
    rows = rows_of(run_folder, "records", "3x3")
    assert len(rows) >= 10
    for row in rows:
        tray, pieces = parse_board(row["board"])[:2]
        assert rules.fewest_steps(tray, frozenset(pieces.values()), pieces["A"]) == row["steps"] >= 8


def test_a_solver_that_reads_the_text_of_a_board_alone_finds_the_same_steps(run_folder: Path) -> None:
    for tray in ("3x3", "2x4"):
        records = rows_of(run_folder, "records", tray)
        assert records
        for row in records:
            assert naive.fewest_steps(row["board"]) == row["steps"], row["board"]


@pytest.mark.slow
def test_a_hundred_drawn_records_of_4_x_4_are_confirmed_by_that_solver(tmp_path: Path) -> None:
    records = rows_of(run_of("[sliding_blocks]\ntrays = [[4, 4]]\n", tmp_path), "records", "4x4")
    drawn = random.Random(33).sample(records, 100)
    assert min(row["steps"] for row in drawn) >= 40
    assert [row["board"] for row in drawn if naive.fewest_steps(row["board"]) != row["steps"]] == []


def test_trays_of_one_row_and_of_one_column_have_the_same_figures(tmp_path: Path) -> None:
    out = run_of("[sliding_blocks]\ntrays = [[1, 6], [6, 1]]\nrecords_from = 1\n", tmp_path)
    figures = [
        [{name: row[name] for name in row if name not in ("tray", "board", "code")} for row in table]
        for table in (rows_of(out, "histograms", tray) for tray in ("1x6", "6x1"))
    ]
    assert figures[0] == figures[1]
    assert sum(row["packings"] for row in figures[0]) == 233
    assert not invoke("verify", out, "--all").exit_code


def test_the_rules_of_the_checks_are_those_of_the_slow_searches() -> None:
    tray = TraySize(2, 4)

    def cells(piece: int) -> naive.Piece:
        return frozenset(divmod(cell, 4) for cell in range(8) if piece >> cell & 1)

    for members in list(naive.by_class(naive.packings(2, 4)).values())[::3]:
        pieces = {
            cells(bits): bits for position in members for bits in (sum(1 << 4 * r + c for r, c in p) for p in position)
        }
        own = rules.shapes(tray, [pieces[piece] for piece in members[0]])
        found = rules.positions(tray, own)
        assert {frozenset(map(cells, position)) for position in found} == set(members)
        assert sorted(map(len, rules.groups(tray, found))) == sorted(map(len, naive.groups(2, 4, members)))
        lengths = {
            (frozenset(map(cells, position)), cells(mark)): length
            for (position, mark), length in rules.lengths(tray, found).items()
        }
        expected = {mark: steps for mark, steps in naive.corner_puzzles(2, 4, members).items() if steps}
        assert lengths == expected


def test_packings_by_the_rules_are_all_packings() -> None:
    tray = TraySize(2, 3)
    by_sizes: dict[tuple[int, ...], int] = {}
    for position in naive.packings(2, 3):
        sizes = naive.histogram_of(position)
        by_sizes[sizes] = by_sizes.get(sizes, 0) + 1
    for sizes, count in by_sizes.items():
        assert len(set(rules.packings(tray, sizes))) == count


def test_packings_made_by_arrays_are_those_of_kept_classes_and_joined_as_by_trying() -> None:
    for rows, columns in ((1, 1), (1, 5), (5, 1), (2, 2), (2, 3), (3, 2), (2, 4)):
        tray, positions = TraySize(rows, columns), list(naive.packings(rows, columns))
        made = Packings(tray)
        of_class = np.bincount(made.classes)
        assert (made.orbit * of_class).sum() == len(positions)
        assert made.orbit.sum() == len(naive.by_class(positions))
        codes = {code_of(tray, (sum(1 << columns * r + c for r, c in piece) for piece in one)) for one in positions}
        assert set(made.codes.tolist()) <= codes
        assert len(set(made.codes.tolist())) == len(made.codes)
        class_of_group = np.zeros(len(made.sizes), int)
        class_of_group[made.group] = made.classes
        sizes = sorted(np.repeat(made.sizes, made.orbit[class_of_group]).tolist())
        assert sizes == sorted(map(len, naive.groups(rows, columns, positions)))


def test_codes_and_texts_say_the_same() -> None:
    tray, pieces, _ = parse_board("AAB/C.B")
    assert tray == (2, 3)
    code = code_of(tray, pieces.values())
    assert sorted(pieces_of(tray, code)) == sorted(pieces.values())
    assert board_text(tray, list(pieces.values()), pieces["B"]) == "BBA/C.A"


def test_a_blank_behind_a_board_is_found(run_folder: Path) -> None:
    def alter(name: str, rows: pa.Table) -> pa.Table:
        boards = rows.column("board").to_pylist() if name == "histograms" and "board" in rows.column_names else []
        return with_values(rows, "board", [board and board + " " for board in boards]) if boards else rows

    (records,) = (check for check in all_checks(SPACE) if check.name == "records")
    assert faulty_checks(run_folder, SlidingBlocksConfig, [records], alter) == {"records"}


def test_a_class_left_out_of_all_tables_whose_sums_agree_is_found(run_folder: Path) -> None:
    config, inputs = finished_stages(run_folder, SlidingBlocksConfig)
    tables = {name: inputs.table(name).to_pylist() for name in ("histograms", "classes", "groups")}
    gone = next(row for row in tables["classes"] if row["tray"] == "3x3" and row["steps"] is None and row["groups"] > 1)
    for row in tables["histograms"]:
        if (row["tray"], row["histogram"]) == ("3x3", gone["histogram"]):
            row["groups"] += gone["orbit"] * (gone["positions"] - gone["groups"])
            row["alone"] += gone["orbit"] * gone["joined"]
    key = ("tray", "histogram", "code")
    for name in ("classes", "groups"):
        tables[name] = [row for row in tables[name] if [row[one] for one in key] != [gone[one] for one in key]]

    class Altered(type(inputs)):  # type: ignore[misc]
        def table(self, asked: str, *, columns: Any = None, between: Any = None) -> pa.Table:
            if asked not in tables:
                return inputs.table(asked, columns=columns, between=between)
            whole = pa.Table.from_pylist(tables[asked], TABLES[asked].unfolded.schema)
            return whole if columns is None else whole.select(columns)

    wrong = Altered(inputs.folder, inputs.space)
    (equations,) = (check for check in all_checks(SPACE) if check.name == "equations of packings")
    (sums,) = (check for check in all_checks(SPACE) if check.name == "sums of classes")
    assert not sums.run(config, wrong, Draw(7)).fault
    assert "by its equation" in equations.run(config, wrong, Draw(7)).fault


def test_trays_of_which_not_all_packings_are_made_are_tried_by_the_plain_rules(
    run_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The smallest trays whose packings are not made have ten million, so here those of small ones count as such."""
    monkeypatch.setattr("boardspace.spaces.sliding_blocks.parts.classes.checks.GROUP_CELLS", 0)
    names = {"classes", "multisets of large trays"}
    plain = [check for check in all_checks(SPACE) if check.name in names]
    assert faulty_checks(run_folder, SlidingBlocksConfig, plain) == set()
    for table, column, found_by in (
        *(("classes", column, "classes") for column in ("orbit", "groups", "joined", "largest_group")),
        *(("histograms", column, "multisets of large trays") for column in ("classes", "orbits")),
    ):

        def one_more(name: str, rows: pa.Table, table: str = table, column: str = column) -> pa.Table:
            if name != table or column not in rows.column_names:
                return rows
            return with_values(rows, column, [value + 1 for value in rows.column(column).to_pylist()])

        assert found_by in faulty_checks(run_folder, SlidingBlocksConfig, plain, one_more)


def test_claims_on_counts_are_confirmed_and_the_rest_waits_for_larger_trays(run_folder: Path) -> None:
    rows = json.loads(invoke("claims", run_folder, "--json").stdout)["sliding_blocks"]
    verdicts = {row["claim"]: row["verdict"] for row in rows}
    counted = {"packings-4x4", "packings-4x5", "packings-5x5", "packings-small", "packings-lines"}
    assert {claim for claim, verdict in verdicts.items() if verdict == "confirmed"} == counted
    assert {claim for claim, verdict in verdicts.items() if verdict == "corrected"} == {"cost-4x5"}
    assert {verdicts[claim] for claim in set(verdicts) - counted - {"cost-4x5"}} == {"not_covered"}


def test_a_multiset_surveyed_in_parts_has_the_rows_of_one_surveyed_whole(
    run_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compute, "GROUP_CELLS", 8)
    monkeypatch.setattr(part, "LARGE", 9)
    monkeypatch.setattr(compute, "SHARD_SECONDS", 0.0)
    monkeypatch.setattr(compute, "PART_SECONDS", 2e-5)
    monkeypatch.setattr(compute, "SECONDS_PER_PACKING_MADE", 0.0)
    config = tmp_path / "parts.toml"
    config.write_text("[sliding_blocks]\ntrays = [[3, 3]]\nrecords_from = 8\n")
    out = tmp_path / "out"
    assert invoke("run", config, "--out", out, "--workers", 0, "--quiet").exit_code == 0
    _, inputs = finished_stages(out, SlidingBlocksConfig)
    assert max(Counter(name[:-3] for name in inputs.named_facts("parts")).values()) > 2
    for table in ("histograms", "classes", "records"):
        assert inputs.table(table).to_pylist() == rows_of(run_folder, table, "3x3")


def test_the_plan_tells_shards_and_bytes_before_anything_is_made(run_folder: Path) -> None:
    (work,) = recorded_work(run_folder)
    _, inputs = finished_stages(run_folder, SlidingBlocksConfig)
    stage = SPACE.stages(work.config)[0]
    shards = stage.split(work.config, inputs)
    assert [shard.name for shard in shards] == [f"tray={tray}/0000" for tray in ("1x5", "3x2", "3x3", "2x4")]
    histograms: Any = [shard.params["histograms"] for shard in shards]
    assert sum(map(len, histograms)) == inputs.rows("survey", "histograms")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("trays = [[5, 5]]", "5 x 5 has 25 cells; up to 20 can be enumerated"),
        ("trays = [[0, 5]]", "a tray has at least one row"),
        ("trays = [[2, 2], [2, 2]]", "one is there twice"),
        ("trays = [[2, 2, 2]]", "sliding_blocks.trays"),
        ("records_from = 0", "at least 1 is wanted, not 0"),
        ("pieces = 3", "sliding_blocks.pieces: unknown key"),
    ],
)
def test_bad_sections_are_refused(line: str, message: str) -> None:
    with pytest.raises(ConfigError) as refused:
        validate(tomllib.loads(f"[sliding_blocks]\n{line}\n"), "test", "test.toml")
    assert message in str(refused.value)


@pytest.mark.slow
def test_the_laptop_run_corrects_the_article_and_confirms_all_else_on_4_x_4(tmp_path: Path) -> None:
    result = invoke("run", "laptop", "--space", "sliding_blocks", "--out", tmp_path / "out", "--workers", 0, "--json")
    assert result.exit_code == 0, result.output
    verdicts = {row["claim"]: row["verdict"] for row in json.loads(result.stdout)["claims"]["sliding_blocks"]}
    assert {claim for claim, verdict in verdicts.items() if verdict == "corrected"} == {"cost-4x5", "longest-4x4"}
    assert {claim for claim, verdict in verdicts.items() if verdict == "not_covered"} == {
        "klotski",
        "longest-4x5-11",
        "marked-4x5",
    }
    assert "refuted" not in verdicts.values()
    assert invoke("verify", tmp_path / "out").exit_code == 0
