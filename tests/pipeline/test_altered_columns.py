"""Every column and array of every space is re-derived by a check: each is altered in turn, and a check that says that
it derives it finds that.

The data are altered where checks read them, so all digests, receipts and counts are right. Altered are all values of a
column, one value at several places, two values and two rows in each other's place; rows are left out and invented. In
runs of this size nearly all is tried by every draw; what it may miss is said where it is (``Small``).
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from boardspace.spaces.solitaire.parts.classes.part import BITMAPS
from boardspace.spec.registry import spaces
from boardspace.spec.space import Draw, Outcome, Table
from boardspace.verify import ranked
from tests.pipeline.alterations import all_others, with_value, without
from tests.pipeline.finished import altered, run_of, with_values
from tests.pipeline.held import FinishedRun, Known, remembered

pytestmark = pytest.mark.columns
Row = dict[str, Any]


def is_not_its_own_image(run: FinishedRun, rows: pa.Table) -> Any:
    return pc.invert(run.rows("main")["is_mirror"])


@dataclass(frozen=True)
class Small:
    """A configuration that has rows of every table, or nearly.

    settings: constants of modules during the run.
    functions: of checks, that are called again and again with the same arguments.
    drawn: tables of which a draw may miss one row; see :class:`.FinishedRun`.
    known: by column, the rows of which no other value passes.
    """

    config: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    functions: tuple[str, ...] = ()
    drawn: tuple[str, ...] = ()
    known: Mapping[str, Known] = field(default_factory=dict)


SMALL = {
    "solitaire": Small(
        """
[solitaire]
levels = ["triangle15/corner"]
[[solitaire.searches]]
problem = "triangle15/corner"
forward = 6
backward = 5
games = 9
[[solitaire.feasible]]
problem = "triangle15/corner"
moves = 9
[[solitaire.classes]]
board = "triangle15"
vacancies = [1]
moves = true
shortest = true
hints = ["winning", "returning"]
[[solitaire.games]]
board = "triangle15"
vacancies = [1, 4]
[[solitaire.game_lengths]]
problem = "triangle15/corner"
moves = 7
[[solitaire.problem_games]]
board = "triangle15"
vacancies = [1, 4]
""",
        functions=("boardspace.spaces.solitaire.parts.classes.checks.solutions.solutions_of",),
    ),
    "five_in_a_row": Small(
        """
[five_in_a_row]
squares = [[2, 4], [3, 5], [5, 7]]
boards = [[5, 11, 11], [6, 8, 8]]
split = [[3, 7, 7, 6, 3]]
carried = [[5, 81, 81], [5, 86, 85]]
boxes = [[2, 3, 3, 3], [3, 3, 3, 3]]
cells = [1, 5, 7]
strips = [[2, 4], [3, 5]]
plane = [[2, [1, 1]], [3, [1, 1, 2, 1, 1]]]
listed = 500
refuted_conflicts = 10000
""",
        functions=tuple(
            f"boardspace.spaces.five_in_a_row.{name}"
            for name in (
                *("verified.weigh", "verified.recount", "verified.search_again"),
                "parts.strips.checks._first_of_least_density",
            )
        ),
        # Of a search whose layers are larger only what one layer and all can have is known.
        known={"results.peak": lambda run, rows: pc.less(rows["peak"], 4000)},
    ),
    "klotski": Small(
        """
[klotski]
classes = ["0-0-0", "1-1-0", "2-0-1", "6-0-2", "7-0-3"]
farthest_seconds = 60.0
distance_seconds = 0.0005
unit_distances = ["0-*", "2-0-1", "6-0-2"]
net = true
trays = [[2, 5], [3, 3], [3, 4]]
tray_layouts = 600
ids_per_shard = 8388608
""",
        # A class is searched in parts; all ids there are, few of them in these classes, are one chunk.
        {
            "boardspace.spaces.klotski.parts.farthest.costs.PART_SECONDS": 3e-5,
            "boardspace.spaces.klotski.columns.CHUNK": 1 << 22,
        },
        # Those of a layout that is its own image are found with the chance that it is drawn, 8 of each class.
        known=dict.fromkeys(
            (
                "solution.min_solution_num",
                "solution.solution_num",
                "farthest.farthest_step",
                "farthest.farthest_num",
            ),
            is_not_its_own_image,
        ),
    ),
    "board_division": Small(
        """
[board_division]
special_boards = 2
large_boards = [[3, 5, 2]]
cover_counts = 4
squares = 4
strips = 3
values = 12
replays = 6
sequences = 5
large_rectangles = [[20, 30]]
search_pegs = 8
lines = 8
"""
    ),
    "sliding_blocks": Small("[sliding_blocks]\ntrays = [[2, 3], [3, 3]]\nrecords_from = 10\n", drawn=("classes",)),
    "rush_hour": Small("[rush_hour]\nboards = [[3, 1]]\nunit = [[2, 1, 3]]\n"),
}
UNWRITTEN = {array.name for array in spaces()["klotski"].arrays} - {"neighbour_start", "neighbours", "solution_paths"}
"""Arrays that hold a column of all 29 million layouts, which runs of some classes do not write."""
TABLES = [(name, table) for name in SMALL for table in spaces()[name].tables if table.published]
of_each_table = pytest.mark.parametrize(
    ("run", "table"), TABLES, ids=lambda one: getattr(one, "name", one), indirect=["run"], scope="module"
)
ARRAYS = [(name, array.name) for name in SMALL for array in spaces()[name].arrays if array.name not in UNWRITTEN]
of_each_array = pytest.mark.parametrize(("run", "family"), ARRAYS, indirect=["run"], scope="module")


def of(*names: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("run", names, indirect=True, scope="module")


@pytest.fixture(scope="module")
def run(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[FinishedRun]:
    small = SMALL[request.param]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in small.settings.items():
            patch.setattr(name, value)
        folder = tmp_path_factory.mktemp(request.param)
        root = run_of(small.config, folder)
    space = spaces()[request.param]
    with remembered(space, small.functions):
        yield FinishedRun(root, space.config, small.drawn, small.known)


@of(*SMALL)
def test_nothing_is_found_where_nothing_is_altered(run: FinishedRun) -> None:
    assert {name: fault for name, fault in run.faults.items() if fault} == {}
    assert [table.name for table in run.space.tables if table.published and not run.rows(table.name).num_rows] == []


@of_each_table
def test_all_values_of_a_column_altered_are_found(run: FinishedRun, table: Table) -> None:
    assert run.missed(table, run.whole_columns(table)) == []


@of_each_table
def test_one_value_altered_is_found_and_two_values_in_each_others_place(run: FinishedRun, table: Table) -> None:
    assert run.missed(table, run.single_values(table)) == []


@of_each_table
def test_rows_left_out_invented_and_in_each_others_place_are_found(run: FinishedRun, table: Table) -> None:
    assert run.missed(table, run.single_rows(table)) == []


@of_each_array
def test_an_array_altered_is_found(run: FinishedRun, family: str) -> None:
    paths = run.arrays(family)
    assert paths
    for path in paths:
        values = run.array(path)
        one = values.copy()
        one.flat[np.argmax(values != values.flat[0])] ^= 1
        changes = {"all": values ^ 1, "one": one, "moved": np.roll(values, 1), "short": values[:-1]}
        others = {what: other for what, other in changes.items() if not np.array_equal(other, values)}
        assert len(others) > 2
        assert [what for what, other in others.items() if not run.found(path, other)] == []


# Solitaire


@of("solitaire")
def test_a_class_that_is_held_to_be_too_large_to_be_played_has_no_fault_either(
    run: FinishedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bitmaps are counted then, and its tables compared with one another."""
    monkeypatch.setattr("boardspace.spaces.solitaire.parts.classes.checks.played.MOST", 100)
    assert [fault for check in run.checks if (fault := run.fault(check, run.held()))] == []


@of("solitaire")
@pytest.mark.parametrize("table", ["solutions", "class_solutions"])
def test_a_solution_whose_moves_are_left_out_is_found(run: FinishedRun, table: str) -> None:
    rows = run.rows(table)
    moves = [*rows["moves"].to_pylist()[:-1], ""]
    wrong = run.held(table, with_values(rows, "moves", moves))
    faults = [run.fault(check, wrong) for check in run.checks if table in check.columns]
    assert any(f"{table} triangle15" in fault for fault in faults)


@of("solitaire")
@pytest.mark.parametrize("name", ["reachable", "winning"])
def test_any_bit_of_a_bitmap_is_found(run: FinishedRun, name: str) -> None:
    """Of positions that can be reached and of others, by its equation alone."""
    (check,) = (check for check in run.checks if check.columns.keys() == {BITMAPS.name})
    path = f"classes/triangle15-01/{name}"
    values = run.array(path)
    bits = 64 * len(values)
    assert check.run(run.config, run.held(), Draw()) == Outcome(2 * bits, 2 * bits)
    for number in range(1, bits, bits // 100):
        wrong = values.copy()
        wrong[number >> 6] ^= np.uint64(1 << (number & 63))
        assert f"{path}: number " in run.fault(check, run.held(path, wrong))


@of("solitaire")
@pytest.mark.parametrize("column", ["position", "moves", "choices", "orbit"])
def test_one_altered_value_of_any_position_is_found(run: FinishedRun, column: str) -> None:
    rows = run.rows("positions")
    every = range(0, rows.num_rows, rows.num_rows // 12)
    assert [place for place in every if not run.found("positions", with_value(rows, column, place), column)] == []


@of("solitaire")
def test_positions_with_too_many_numbers_are_tried_by_their_rows(
    run: FinishedRun, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranked, "MOST_NUMBERS", 1)
    (check,) = (check for check in run.checks if check.name == "equations of positions")
    assert run.fault(check, run.held()) == ""
    for table in ("positions", "winning"):
        rows = run.rows(table)
        for wrong in (all_others(rows, "moves", False), *(without(rows, place) for place in (0, rows.num_rows // 2))):
            assert run.fault(check, run.held(table, wrong), Draw(0, everything=True))


# Five in a row

SQUARE_6 = [
    {"version": 1},
    {"shape": [7, 6]},
    {"k": 6},
    {"minimum": 6},
    {"count": "19"},
    {"count": None},
    {"proof": "search"},
    {"empty_budgets": [6]},
    {"empty_budgets": [1]},
    {"states": 1},
    {"witness": "#" * 36},
    {"scale": 1},
    {"floor": 7},
    {"lines": []},
    {"strips": [{"start": 0, "costs": [1] * 36}]},
    {"aimed": [{"cells": 3, "lines": [[30, 34, 1 << 31]]}]},
    {"more": 1},
]
"""Other fields of the certificate of k = 5 on 6 x 6."""


def text_of(document: Row) -> str:
    return json.dumps(document, separators=(",", ":"))


@of("five_in_a_row")
def test_a_certificate_with_another_field_is_found(run: FinishedRun) -> None:
    rows, passed = run.rows("certificates"), []
    for field_ in SQUARE_6:
        documents = [json.loads(value) for value in rows["certificate"].to_pylist()]
        other = [text_of(one | field_ if one["shape"] == [6, 6] else one) for one in documents]
        wrong = with_values(rows, "certificate", other)
        assert wrong != rows
        if not (run.found("certificates", wrong) or run.found("results", wrong, "searches")):
            passed.append(field_)
    assert passed == []


@of("five_in_a_row")
@pytest.mark.parametrize(
    ("table", "field"),
    [
        *(("strips", field) for field in ("pattern", "potential", "period", "k")),
        *(("plane", field) for field in ("weights", "potential", "period", "weight", "k")),
    ],
)
def test_a_certificate_of_a_strip_or_of_the_plane_with_another_field_is_found(
    run: FinishedRun, table: str, field: str
) -> None:
    rows = run.rows(table)
    values = rows["certificate"].to_pylist()
    document = json.loads(values[-1])
    value = document[field]
    if isinstance(value, dict):
        other: Any = {name: number + (name == list(value)[-1]) for name, number in value.items()}
    else:
        other = value[::-1] + value[:1] if isinstance(value, list) else value + 1
    wrong = with_values(rows, "certificate", [*values[:-1], text_of(document | {field: other})])
    assert run.found(table, wrong, "certificate")


@of("five_in_a_row")
def test_two_placements_in_each_others_place_are_found(run: FinishedRun) -> None:
    values = run.array("placements").copy()
    values[-168:-84], values[-84:] = values[-84:].copy(), values[-168:-84].copy()
    assert run.found("placements", values)


@of("five_in_a_row")
def test_a_placement_left_out_with_all_that_counts_it_mended_is_found(run: FinishedRun) -> None:
    """The last placement of the last board of k = 5 that is not carried: 11 x 11 has eight, of 22 bytes."""
    key, listed = (5, 11, 11), run.rows("listed").to_pylist()
    (row,) = (row for row in listed if (row["k"], row["rows"], row["columns"]) == key)
    size = row["rows"] * row["row_bytes"]
    end = row["first_byte"] + row["placements"] * size

    def mended(name: str, row: Row) -> Row:
        here = (row.get("k"), row.get("rows"), row.get("columns")) == key
        if name == "listed":
            after = row["first_byte"] >= end
            return row | {"placements": row["placements"] - here, "first_byte": row["first_byte"] - size * after}
        if name == "results" and here:
            return row | {"placements": str(int(row["placements"]) - 1)}
        if name == "packed" and here:
            return row | {"bytes": row["bytes"][:-size]}
        if name == "certificates" and here:
            document = json.loads(row["certificate"])
            return row | {"certificate": text_of(document | {"count": str(int(document["count"]) - 1)})}
        return row

    def forge(stage: str, name: str, values: Any) -> Any:
        if name == "placements":
            return np.concatenate([values[: end - size], values[end:]])
        return type(values).from_pylist([mended(name, row) for row in values.to_pylist()], values.schema)

    wrong = altered(run.stages, forge)
    checks = [check for check in run.checks if {"results", "placements"} & check.columns.keys()]
    assert any("11 x 11, k = 5: counted again" in run.fault(check, wrong) for check in checks)
