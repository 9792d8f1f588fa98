"""The five in a row dataset, from its config to its verified claims."""

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
import zarr
from click.testing import CliRunner

from boardspace.cli.main import cli
from boardspace.spaces.five_in_a_row import SPACE
from boardspace.spaces.five_in_a_row.config import HEAVIEST, LARGEST_K, FiveInARowConfig, SizedBoard, SplitBoard
from boardspace.spaces.five_in_a_row.parts.boards import hard
from boardspace.spaces.five_in_a_row.parts.boards.hard import require_whole
from boardspace.spaces.five_in_a_row.parts.boards.part import board_seconds
from boardspace.spaces.five_in_a_row.parts.placements.checks import check_placements
from boardspace.spaces.five_in_a_row.rules import fewest_on_a_column
from boardspace.spec.space import CLAIMS, Check, Draw, Inputs
from boardspace.verify.equations import all_checks
from boardspace_kernels.five_in_a_row import minimum, strip_density
from boardspace_kernels.five_in_a_row.board import WITHOUT_GAP
from boardspace_kernels.five_in_a_row.recount import Recount, check_certificate
from boardspace_kernels.five_in_a_row.search import Limits
from boardspace_kernels.five_in_a_row.strip_checker import check_strip
from boardspace_kernels.five_in_a_row.strip_density import continued
from tests.kernels.five_in_a_row.golden import GOLDEN
from tests.naive import five_in_a_row as naive
from tests.pipeline.conftest import boardspace, dataset_bytes
from tests.pipeline.finished import altered, finished_stages, run_of

DERIVED = [check for check in all_checks(SPACE) if CLAIMS.name not in check.columns]

CONFIG = """
[five_in_a_row]
squares = [[2, 4], [3, 5], [5, 7]]
boards = [[5, 11, 11], [5, 17, 13]]
split = [[3, 7, 7, 6, 3], [3, 8, 6, 0, 2]]
carried = [[5, 81, 81], [5, 193, 192]]
boxes = [[3, 3, 3, 3], [2, 2, 3, 2]]
cells = [3, 5]
strips = [[2, 4], [3, 5]]
listed = 500
"""


def invoke(*arguments: object) -> Any:
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_of(CONFIG, tmp_path_factory.mktemp("tiny"))


def rows(out: Path, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(out / "five_in_a_row" / table).to_pylist()
    return found


def results(out: Path) -> dict[tuple[int, int, int], dict[str, Any]]:
    return {(row["k"], row["rows"], row["columns"]): row for row in rows(out, "results")}


def array(out: Path, k: int, height: int, width: int) -> np.ndarray:
    (row,) = (r for r in rows(out, "listed") if (r["k"], r["rows"], r["columns"]) == (k, height, width))
    shape = row["placements"], height, row["row_bytes"]
    packed = zarr.open_array(out / "five_in_a_row" / "arrays.zarr" / "placements", mode="r")
    first = row["first_byte"]
    return np.unpackbits(np.asarray(packed[first : first + np.prod(shape)]).reshape(shape), axis=2, count=width)


def claims(out: Path) -> dict[str, dict[str, Any]]:
    return {row["claim"]: row for row in json.loads(invoke("claims", out, "--json").stdout)["five_in_a_row"]}


def as_sets(placements: np.ndarray) -> set[frozenset[tuple[int, ...]]]:
    return {frozenset(map(tuple, np.argwhere(placement).tolist())) for placement in placements}


@pytest.mark.parametrize(("k", "height", "width"), [(5, 5, 5), (3, 5, 4), (3, 4, 4), (2, 4, 4), (5, 5, 3), (5, 4, 4)])
def test_results_and_placements_are_those_that_trying_everything_finds(
    tiny: Path, k: int, height: int, width: int
) -> None:
    row, expected = results(tiny)[k, height, width], naive.optimal_placements((height, width), k)
    assert (row["stones"], row["placements"]) == (len(expected[0]), str(len(expected)))
    assert row["classes"] == str(naive.classes((height, width), expected))
    if row["listed"]:
        assert as_sets(array(tiny, k, height, width)) == set(expected)


def test_every_board_is_there_once(tiny: Path) -> None:
    sides = {2: 4, 3: 5, 5: 7}
    squares = [(k, n, m) for k, side in sides.items() for n in range(1, side + 1) for m in range(1, n + 1)]
    others = [(5, 11, 11), (5, 17, 13), (3, 7, 7), (3, 8, 6), (5, 81, 81), (5, 193, 192)]
    assert sorted(results(tiny)) == sorted(squares + others)
    assert len(rows(tiny, "results")) == len(squares + others)


@pytest.mark.parametrize(("height", "width"), [(7, 7), (8, 6)])
def test_a_board_in_parts_has_the_published_minimum(tiny: Path, height: int, width: int) -> None:
    most = GOLDEN["no_three_rectangles"]["rows"][width - 1][height - 1]
    assert height * width - results(tiny)[3, height, width]["stones"] == most


def test_a_board_in_parts_gives_what_it_gives_whole(tiny: Path, tmp_path: Path) -> None:
    whole = run_of("[five_in_a_row]\nsquares = []\nboards = [[3, 7, 7], [3, 8, 6]]\ncells = []\n", tmp_path)
    for board, row in results(whole).items():
        parts = results(tiny)[board]
        assert (row["stones"], row["placements"]) == (parts["stones"], parts["placements"])
        assert row["searches"] <= parts["searches"] + 1


def certificates(out: Path) -> dict[tuple[int, int, int], dict[str, Any]]:
    return {
        (row["k"], row["rows"], row["columns"]): json.loads(row["certificate"]) for row in rows(out, "certificates")
    }


def test_every_board_has_a_certificate_that_says_how_it_proves(tiny: Path) -> None:
    given = certificates(tiny)
    assert set(given) == set(results(tiny))
    for board, row in results(tiny).items():
        assert given[board]["minimum"] == row["stones"]
        assert row["certified"] == ("weights" if given[board]["proof"] == "bound" else "search")
    assert results(tiny)[5, 193, 192]["certified"] == results(tiny)[5, 6, 6]["certified"] == "weights"
    assert all(list(one) == list(given[5, 6, 6]) for one in given.values()), "in the same order, in parts or whole"
    assert {tuple(strip) for one in given.values() for strip in one["strips"]} == {("start", "costs")}
    for box in rows(tiny, "boxes"):
        check_certificate(json.loads(box["certificate"]))
        assert box["recounted"]


@pytest.mark.parametrize("board", [(3, 7, 7), (3, 8, 6), (5, 81, 81), (5, 7, 3)])
def test_certificates_of_boards_in_parts_and_carried_ones_are_checked_by_code_of_their_own(
    tiny: Path, board: tuple[int, int, int]
) -> None:
    check_certificate(certificates(tiny)[board])


def test_searched_boards_are_counted_twice_and_others_are_not(tiny: Path) -> None:
    for row in results(tiny).values():
        assert row["recounted"] == (row["proof"] in ("bound", "search")), row


def test_a_board_is_not_counted_twice_beyond_the_states_allowed(tmp_path: Path) -> None:
    out = run_of("[five_in_a_row]\nsquares = [[4, 5]]\ncells = []\nrecounted = 20\n", tmp_path)
    assert {row["recounted"] for row in results(out).values() if row["states"] > 20} == {False}
    assert any(row["recounted"] for row in results(out).values())


def test_two_counts_that_differ_end_the_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Recount, "agrees", lambda self, count: False)
    (tmp_path / "tiny.toml").write_text("[five_in_a_row]\nsquares = [[4, 5]]\ncells = []\n")
    result = invoke("run", tmp_path / "tiny.toml", "--out", tmp_path / "out", "--workers", 0)
    assert result.exit_code != 0
    assert "the second count" in result.output


def test_parts_that_leave_states_out_or_take_them_twice_are_refused() -> None:
    whole = SplitBoard(3, 7, 7, 6, 2)
    sweeps = [[20, "0", 1, 1], [21, "5", 1, 1]]
    first, second = {"sweeps": sweeps, "cut": [[3, 7], [4, 9]]}, {"sweeps": sweeps, "cut": [[4, 7], [5, 9]]}
    require_whole(whole, [first, second], 21)
    wrongs: tuple[list[Mapping[str, Any]], ...] = (
        [first],
        [first, first],
        [first, {"sweeps": sweeps, "cut": [[4, 7], [5, 10]]}],
        [{"sweeps": sweeps, "cut": [[7, 7], [9, 9]]}] * 2,
    )
    for wrong in wrongs:
        with pytest.raises(ArithmeticError, match="at the cut"):
            require_whole(whole, wrong, 21)


def test_parts_that_outgrow_their_memory_are_cut_again_and_change_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Twice in a row: three parts, each in four, some of those in four again; the layer at the cut has 946 states."""
    config = "[five_in_a_row]\nsquares = []\nsplit = [[4, 8, 6, 0, 3]]\ncells = []\n"
    (tmp_path / "whole").mkdir()
    whole = results(run_of(config, tmp_path / "whole"))[4, 8, 6]
    monkeypatch.setattr(minimum, "limits", lambda *_, **__: Limits(layer=960, total=1 << 40, links=1 << 20))
    monkeypatch.setattr(hard, "BEAM", 100)
    out = run_of(config, tmp_path)
    facts = finished_stages(out, FiveInARowConfig)[1].named_facts("parts")
    outgrown = {name.split("/")[1] for name, found in facts.items() if "outgrown" in found}
    assert {name[:6] for name in outgrown} == {"000003", "000012"}
    assert len(facts) == 3 + 4 * len(outgrown)
    row = results(out)[4, 8, 6]
    assert (row["stones"], row["placements"], row["recounted"]) == (whole["stones"], whole["placements"], True)
    assert row["peak"] <= 960 < whole["peak"]
    check_certificate(certificates(out)[4, 8, 6])


def test_a_thin_board_whose_search_leaves_no_placement_goes_by_the_rule(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minimum, "limits", lambda *_, **__: Limits(layer=1 << 30, total=1 << 40, links=10))
    row = results(run_of("[five_in_a_row]\nsquares = []\nboards = [[5, 12, 3]]\ncells = []\n", tmp_path))[5, 12, 3]
    assert (row["proof"], row["certified"], row["stones"]) == ("rule", "weights", 3 * (12 // 5))
    check_certificate(certificates(tmp_path / "out")[5, 12, 3])


def test_a_search_that_leaves_no_placement_says_what_to_do_in_a_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minimum, "limits", lambda *_, **__: Limits(layer=1 << 30, total=1 << 40, links=10))
    (tmp_path / "tiny.toml").write_text("[five_in_a_row]\nsquares = []\nboards = [[4, 8, 6]]\ncells = []\n")
    result = invoke("run", tmp_path / "tiny.toml", "--out", tmp_path / "out", "--workers", 0)
    assert result.exit_code == 2
    assert "k04-n0008-m0006 failed: the search of board 8 x 6, k = 4 was too large" in " ".join(result.output.split())


def test_strips_have_the_stones_of_every_board_and_a_certificate(tiny: Path) -> None:
    strips = {(row["k"], row["width"]): row for row in rows(tiny, "strips")}
    assert sorted(strips) == [(2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (3, 5)]
    for (k, width), row in strips.items():
        check_strip(json.loads(row["certificate"]))
        for (of, height, columns), board in results(tiny).items():
            if of == k and width in (height, columns):
                found = continued(row["fewest"], row["period"], row["stones"], height + columns - width)
                assert found == board["stones"]
    published, row = GOLDEN["no_three_rectangles"]["rows"][4], strips[3, 5]
    assert [5 * n - continued(row["fewest"], row["period"], row["stones"], n) for n in range(1, 22)] == published


@pytest.mark.parametrize("column", ["stones", "period"])
def test_verify_finds_a_wrong_density(tiny: Path, column: str) -> None:
    faults = faults_where(tiny, "strips", lambda row: row | {column: row[column] + 1})
    assert any(fault.startswith("strips ") and f"{column} is" in fault for fault in faults)


def test_verify_finds_a_strip_that_differs_from_a_board(tiny: Path) -> None:
    def one_more(row: dict[str, Any]) -> dict[str, Any]:
        return row | {"fewest": [stones + 1 for stones in row["fewest"]]}

    assert any("as a strip" in fault for fault in faults_where(tiny, "strips", one_more))


def test_the_table_of_the_source_is_judged(tiny: Path) -> None:
    found = {claim: (row["measured"], row["verdict"]) for claim, row in claims(tiny).items() if row["measured"]}
    assert found["cell-table-1"][1] == found["matrix"][1] == found["formula"][1] == "confirmed"
    assert found["table-2-6-7-placements"] == ('"6"', "confirmed")
    assert found["table-2-13-17-stones"] == ("44", "confirmed")
    assert found["table-2-81-81-stones"] == ("1312", "corrected")
    assert found["table-2-192-193-stones"] == ("7411", "corrected")
    assert found["table-2-192-193-placements"] == ('"8"', "confirmed")
    assert found["method-complete"] == ("2", "refuted")
    assert found["formula-brackets"][1] == "corrected"


def test_the_two_wrong_figures_of_table_2_are_the_formula_without_its_factor_5(tiny: Path) -> None:
    found = claims(tiny)
    assert "288 is ab + a1 b + b1 a + A = 256 + 16 + 16 + 0: the factor 5" in found["table-2-81-81-stones"]["evidence"]
    assert "1635 is ab + a1 b + b1 a + A = 1444 + 76 + 114 + 1" in found["table-2-192-193-stones"]["evidence"]
    assert "the factor 5" not in found["table-2-13-17-stones"]["evidence"]


def test_what_the_proof_prints_is_corrected_by_arithmetic(tiny: Path) -> None:
    found = claims(tiny)
    for claim in ("proof-cells-stones", "proof-pieces", "proof-stones", "proof-sum"):
        assert (found[claim]["measured"], found[claim]["verdict"]) == ('"pn + qm + 5pq"', "corrected")
        assert found[claim]["basis"] == "proof"
    assert found["proof-cells"]["verdict"] == found["formula-simplified"]["verdict"] == "confirmed"


def test_operations_are_read_as_the_table_has_them_and_the_words_do_not(tiny: Path) -> None:
    found = claims(tiny)
    assert (found["shift-first-column"]["measured"], found["shift-first-column"]["verdict"]) == ('["H_4"]', "corrected")
    assert (found["operation-indices"]["measured"], found["operation-indices"]["verdict"]) == ("10", "corrected")
    assert found["shift-powers"]["verdict"] == found["cell-equivalence"]["verdict"] == "confirmed"
    assert found["cited-kn-queens"]["verdict"] == "confirmed"


def test_claims_say_what_they_rest_on(tiny: Path) -> None:
    found = claims(tiny)
    assert found["history"]["basis"] == found["model-flow"]["basis"] == "reading"
    assert found["history"]["verdict"] == "open"
    assert found["cell-ten"]["basis"] == "all cases"
    assert found["method-complete"]["basis"] == found["formula"]["basis"] == "sample"
    for row in found.values():
        assert row["basis"] != "sample" or "a sample of" in row["evidence"], row["claim"]
    assert (found["figures-5-6"]["measured"], found["figures-5-6"]["verdict"]) == ("true", "confirmed")
    assert (found["faster"]["verdict"], found["faster"]["basis"]) == ("open", "reading")
    assert found["corner-3-2"]["verdict"] == "open"


def test_the_claims_are_in_the_order_of_the_text(tiny: Path) -> None:
    order = [row["claim"] for row in json.loads(invoke("claims", tiny, "--json").stdout)["five_in_a_row"]]
    places = [
        order.index(claim) for claim in ("cell-fewest", "cell-ten", "matrix", "formula", "method-complete", "faster")
    ]
    assert places == sorted(places)


def test_what_the_run_leaves_out_is_left_open(tiny: Path) -> None:
    found = claims(tiny)
    for claim in ("oeis-a181018", "table-2-25-25-stones", "outlook-seven-formula", "formula-5-to-9"):
        assert (found[claim]["verdict"], found[claim]["measured"]) == ("not_covered", "")


def test_placements_beyond_the_construction_are_shown(tiny: Path) -> None:
    shown = [row for row in rows(tiny, "additional") if row["k"] == 5]
    assert len([row for row in shown if row["rows"] == 5]) == 48 - 10
    assert len([row for row in shown if row["rows"] == 6]) == 18 - 10
    first = shown[0]
    cells = array(tiny, 5, first["rows"], first["columns"])[first["placement"]]
    assert first["picture"] == "/".join("".join(".#"[cell] for cell in row) for row in cells)


def test_a_large_board_is_carried_and_its_placements_block_it(tiny: Path) -> None:
    row = results(tiny)[5, 193, 192]
    assert row["proof"] == "carried"
    assert (193 - row["base_rows"]) % 5 == (192 - row["base_columns"]) % 5 == 0
    for placement in array(tiny, 5, 193, 192):
        assert placement.sum() == 7411
        assert not naive.has_free_line(placement.tolist(), 5)


def test_boxes_are_solved(tiny: Path) -> None:
    box = {(row["k"], row["a"], row["b"], row["c"]): row for row in rows(tiny, "boxes")}
    assert 27 - box[3, 3, 3, 3]["stones"] == GOLDEN["moser"]["largest"][2]
    expected = naive.optimal_placements((3, 2, 2), 2)
    assert (box[2, 3, 2, 2]["stones"], box[2, 3, 2, 2]["placements"]) == (len(expected[0]), str(len(expected)))


def test_verify_finds_no_fault(tiny: Path) -> None:
    result = json.loads(invoke("verify", tiny, "--json").stdout)
    assert result["faults"] == []
    assert result["cases"] > 60


@pytest.mark.slow
def test_workers_give_the_same_bytes_as_one_process(tiny: Path, tmp_path: Path) -> None:
    config = tmp_path / "tiny.toml"
    config.write_text(CONFIG)
    done = boardspace("run", config, "--out", tmp_path / "out", "--workers", 2, "--json")
    assert done.returncode == 0, done.stderr
    assert dataset_bytes(tmp_path / "out" / "five_in_a_row") == dataset_bytes(tiny / "five_in_a_row")


@cache
def tables_read(tiny: Path) -> dict[str, set[str]]:
    """The tables that each check reads, by the check's name."""
    config, inputs = finished_stages(tiny, FiveInARowConfig)
    read: dict[str, set[str]] = {}
    for check in DERIVED:
        seen = read.setdefault(check.name, set())

        def unchanged(stage: str, name: str, found: Any, seen: set[str] = seen) -> Any:
            seen.add(name)
            return found

        check.run(config, altered(inputs, unchanged), Draw())
    return read


def faults_where(tiny: Path, table: str, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Iterator[str]:
    """The faults that the checks which read a table find, one after the other, where its rows were changed."""
    config, inputs = finished_stages(tiny, FiveInARowConfig)

    def changed(stage: str, name: str, found: Any) -> Any:
        if name != table:
            return found
        return type(found).from_pylist([change(row) for row in found.to_pylist()], found.schema)

    checks = [check for check in DERIVED if table in tables_read(tiny)[check.name]]
    found = (fault_of(check, config, altered(inputs, changed)) for check in checks)
    return filter(None, found)


def fault_of(check: Check, config: FiveInARowConfig, inputs: Inputs) -> str:
    """The fault that a check finds, or what it cannot be made for, which is one too."""
    try:
        return check.run(config, inputs, Draw()).fault
    except (ArithmeticError, KeyError, TypeError, ValueError) as error:
        return f"cannot be made: {error!r}"


def test_verify_finds_a_wrong_number_of_stones(tiny: Path) -> None:
    def one_less(row: dict[str, Any]) -> dict[str, Any]:
        return row | {"stones": row["stones"] - 1} if row["columns"] == 7 and row["rows"] == 7 else row

    faults = faults_where(tiny, "results", one_less)
    assert any("7 x 7" in fault or "7x7" in fault for fault in faults)


@pytest.mark.parametrize("columns", [[0, 0, 0, 0, 0], [1, 2, 3, 4, 0], [3, 2, 1, 0, 4]])
@pytest.mark.parametrize("is_turned", [False, True])
def test_verify_finds_a_placement_that_leaves_lines_of_one_direction_free(
    tiny: Path, columns: list[int], is_turned: bool
) -> None:
    """Stones in these columns, row by row: columns are free, or a diagonal; turned, rows are, or that diagonal."""
    config, inputs = finished_stages(tiny, FiveInARowConfig)
    (row,) = (row for row in rows(tiny, "listed") if (row["k"], row["rows"], row["columns"]) == (5, 5, 5))
    placements = array(tiny, 5, 5, 5)
    forged = np.eye(5, dtype=np.uint8)[columns]
    placements[0] = forged.T if is_turned else forged
    packed = b"".join(sorted(map(bytes, np.packbits(placements, axis=2))))

    def changed(stage: str, name: str, found: Any) -> Any:
        if name == "placements":
            found[row["first_byte"] : row["first_byte"] + len(packed)] = np.frombuffer(packed, np.uint8)
        return found

    assert check_placements(config, inputs, Draw()).fault == ""
    fault = check_placements(config, altered(inputs, changed), Draw()).fault
    assert fault.startswith("placements of 5 x 5")
    assert fault.endswith("one leaves a line free")


def test_verify_finds_a_wrong_number_of_classes_of_a_thin_board(tiny: Path) -> None:
    def one_more(row: dict[str, Any]) -> dict[str, Any]:
        return row | {"classes": "11"} if (row["rows"], row["columns"], row["k"]) == (7, 3, 5) else row

    assert any("5-7-3: classes is '11', and " in fault for fault in faults_where(tiny, "results", one_more))


@pytest.mark.parametrize(("cells", "k"), [(3, 5), (5, 5), (9, 5), (10, 4), (7, 2), (11, 3)])
def test_a_column_is_counted_as_by_trying_everything(cells: int, k: int) -> None:
    expected = naive.optimal_placements((cells, 1), k)
    upside_down = [placement for placement in expected if {(cells - 1 - y, x) for y, x in placement} == placement]
    assert fewest_on_a_column(cells, k) == (len(expected[0]), len(expected), len(upside_down))


def test_verify_finds_a_certificate_that_proves_nothing(tiny: Path) -> None:
    def cheap(row: dict[str, Any]) -> dict[str, Any]:
        certificate = json.loads(row["certificate"])
        certificate["lines"] = [[first, last, 2 * weight] for first, last, weight in certificate["lines"]]
        return row | {"certificate": json.dumps(certificate)}

    assert any(faults_where(tiny, "certificates", cheap))


@pytest.mark.parametrize(
    ("table", "sides"),
    [
        ("results", (5, 6, 6)),
        *(pytest.param("results", sides, marks=pytest.mark.thorough) for sides in [(3, 7, 7), (5, 81, 81)]),
        ("boxes", (3, 3, 3)),
    ],
)
def test_verify_finds_a_row_that_names_another_kind_of_proof_than_its_certificate_has(
    tiny: Path, table: str, sides: tuple[int, ...]
) -> None:
    def another(row: dict[str, Any]) -> dict[str, Any]:
        here = (row["k"], row["rows"], row["columns"]) if table == "results" else (row["a"], row["b"], row["c"])
        return row | {"certified": "search" if row["certified"] == "weights" else "weights"} if here == sides else row

    assert any("certified is" in fault for fault in faults_where(tiny, table, another))


def test_verify_finds_a_board_without_the_certificate_that_its_row_names(tiny: Path) -> None:
    def of_another_board(row: dict[str, Any]) -> dict[str, Any]:
        return row | {"columns": 1} if (row["k"], row["rows"], row["columns"]) == (5, 6, 6) else row

    faults = faults_where(tiny, "certificates", of_another_board)
    assert "6 x 1, k = 5: the certificate says shape [6, 6], its row [6, 1]" in faults


def three_times(row: dict[str, Any]) -> dict[str, Any]:
    """Three times as many placements, in the row and in its certificate."""
    count, text = str(3 * int(row["placements"])), row["certificate"]
    return {"placements": count, "certificate": text.replace(f'"{row["placements"]}"', f'"{count}"')}


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda box: {"stones": box["stones"] + 1}, "3 x 3 x 3, k = 3: the certificate says minimum"),
        (three_times, "3 x 3 x 3, k = 3: counted again"),
        (
            lambda box: {"certificate": box["certificate"].replace('"floor":', '"floor":1')},
            "3 x 3 x 3, k = 3: the certificate: the bound is",
        ),
    ],
)
def test_verify_finds_a_box_whose_certificate_does_not_prove_its_row(
    tiny: Path, change: Callable[[dict[str, Any]], dict[str, Any]], fault: str
) -> None:
    def forged(box: dict[str, Any]) -> dict[str, Any]:
        return box | change(box) if box["k"] == 3 else box

    assert any(one.startswith(fault) for one in faults_where(tiny, "boxes", forged))


def test_verify_counts_again_what_was_counted_in_parts(tiny: Path) -> None:
    config, inputs = finished_stages(tiny, FiveInARowConfig)
    three_times = {"placements": ("7160", "21480"), "certificate": ('"7160"', '"21480"')}

    def forged(row: dict[str, Any]) -> dict[str, Any]:
        here = (row["k"], row["rows"], row["columns"]) == (3, 7, 7)
        return row | {name: row[name].replace(*both) for name, both in three_times.items() if here and name in row}

    def changed(stage: str, name: str, found: Any) -> Any:
        rows = list(map(forged, found.to_pylist())) if name in ("results", "certificates") else []
        return type(found).from_pylist(rows, found.schema) if rows else found

    (check,) = (check for check in DERIVED if check.name == "equations of boards")
    assert "7 x 7, k = 3: counted again" in fault_of(check, config, altered(inputs, changed))


def test_verify_finds_a_cell_that_is_no_best_cell(tiny: Path) -> None:
    def straight(row: dict[str, Any]) -> dict[str, Any]:
        return row | {"columns": [0, 1, 2, 3, 4]} if row["cell"] == 3 else row

    assert any(
        "cells 5-3: columns is [0, 1, 2, 3, 4], and " in fault for fault in faults_where(tiny, "cells", straight)
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("squares = [[5, 65]]", "side 65"),
        ("squares = [[14, 5]]", "k = 14; it may be 2 to 13"),
        ("squares = [[4, 16]]", "at most 15 for k = 4"),
        ("boards = [[3, 5, 6]]", "boards have 1 <= columns <= rows <= 256"),
        ("boards = [[3, 30, 30]]", "at most 24 for k = 3"),
        ("boards = [[5, 9, 9]]", "(5, 9, 9): a board or a k is there twice"),
        ("squares = [[2, 3], [5, 9], [5, 8]]", "(5, 9): a board or a k is there twice"),
        ("squares = []\nboards = [[5, 11, 9], [5, 10, 9], [5, 10, 9]]", "(5, 10, 9): a board or a k is there twice"),
        ("split = [[3, 9, 9, 2, 4]]", "width is 0 or k to the columns"),
        ("split = [[3, 25, 25, 6, 4]]", "at most 24 for k = 3"),
        ("split = [[2, 2, 2, 0, 3]]", "cut after 2 rows, so there must be more"),
        ("boxes = [[3, 7, 1, 1]]", "boxes have sides 1 to 6"),
        ("strips = [[3, 13]]", "at most 16 for k = 2, 12 for k = 3"),
        ("strips = [[3, 2]]", "strips are k columns wide or more"),
        ("strips = [[3, 5], [3, 6]]", "strips: a k is there twice"),
        ("cells = [14]", "cells are listed for n = 1 to 13"),
        ("colour = 1", "colour"),
        ("memory_mb = 1", "memory_mb"),
    ],
)
def test_a_config_that_cannot_run_is_refused_before_it_starts(tmp_path: Path, text: str, message: str) -> None:
    config = tmp_path / "bad.toml"
    config.write_text(f"[five_in_a_row]\n{text}\n")
    result = invoke("run", config, "--out", tmp_path / "out", "--workers", 0)
    assert result.exit_code == 2
    assert message in result.output


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("squares = [[5, 6]]\ncarried = [[5, 84, 84]]", "and none is here: add [5, 9, 9] to the boards"),
        ("squares = [[5, 5]]\ncarried = [[5, 86, 81]]", "add [5, 6, 6] to the boards, or [5, 11, 11]"),
        ("squares = []\nsplit = [[5, 9, 9, 0, 2]]\ncarried = [[5, 84, 84]]", "add [5, 9, 9] to the boards"),
        ("squares = []\nboards = [[7, 9, 9]]\ncarried = [[7, 23, 22]]", "add [7, 9, 8] to the boards"),
        ("squares = [[6, 10]]\ncarried = [[6, 84, 84]]", "for k = 5, 7, 11 and 13"),
        ("squares = [[5, 10]]\ncarried = [[5, 84, 4]]", "where no side is below k"),
    ],
)
def test_a_large_board_without_its_base_is_refused_when_it_is_planned_with_what_to_add(
    tmp_path: Path, text: str, message: str
) -> None:
    config = tmp_path / "bad.toml"
    config.write_text(f"[five_in_a_row]\n{text}\ncells = []\n")
    result = invoke("plan", config)
    assert result.exit_code == 2
    assert "carried (" in result.output
    assert message in " ".join(result.output.split())


def test_every_k_whose_bound_has_a_gap_is_planned_with_an_estimate_that_grows() -> None:
    for k in set(range(2, LARGEST_K + 1)) - set(WITHOUT_GAP):
        times = [board_seconds(SizedBoard(k, n, n)) for n in range(k + 2, k + 6)]
        assert all(later > earlier for earlier, later in pairwise(times)), k


def test_a_config_takes_the_weights_that_a_bound_of_the_plane_can_have() -> None:
    assert strip_density.HEAVIEST == HEAVIEST


@pytest.mark.slow
def test_the_laptop_run_judges_every_statement_about_boards(tmp_path: Path) -> None:
    done = boardspace("run", "laptop", "--space", "five_in_a_row", "--out", tmp_path / "out", "--json", timeout=1200)
    assert done.returncode == 0, done.stderr
    found = {row["claim"]: row["verdict"] for row in json.loads(done.stdout)["claims"]["five_in_a_row"]}
    assert {claim for claim, verdict in found.items() if verdict == "open"} == {
        "corner-3-2",
        "faster",
        "history",
        "model-flow",
    }
    assert {claim for claim, verdict in found.items() if verdict == "refuted"} == {
        "method-complete",
        "method-complete-step",
        "other-methods-large",
    }
    assert {claim for claim, verdict in found.items() if verdict == "answered"} == {
        "outlook-dimensions",
        "outlook-other-k",
        "outlook-seven-complete",
        "outlook-seven-formula",
    }
