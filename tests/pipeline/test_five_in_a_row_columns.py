"""No column of the five in a row dataset can be forged: each is altered in turn, and a check that names it finds it.

The tables are altered as the checks read them, so hashes, receipts and counts are no help. What is drawn is said where
it is: in runs of this size everything is re-derived, so nothing here may be missed. In larger runs a draw may miss

* ``placements`` of a board that is not among the 8 million states that are always counted again, and not drawn,
* ``peak`` of a board whose search has a layer of 4,000 states or more: of these only what one layer and all layers can
  have is known (one board of this run),
* the clauses of a solver's proof of more than 10,000 that is not drawn.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from boardspace.spaces.five_in_a_row import SPACE
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.space import CLAIMS, Check, Draw, Inputs
from boardspace.storage.run_folder import FinishedStages
from boardspace.verify.equations import all_checks
from tests.pipeline.finished import altered, finished_stages, run_of, with_values

DERIVED = [check for check in all_checks(SPACE) if CLAIMS.name not in check.columns]

pytestmark = pytest.mark.columns

CONFIG = """
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
"""

UNKNOWN_PEAK = 4_000
"""The largest layer of a search is known again where it is smaller."""
PUBLISHED = [table for table in SPACE.tables if table.published]
COLUMNS = [(table.name, column.name) for table in PUBLISHED for column in (*table.folders, *table.columns)]
TABLES = [table.name for table in PUBLISHED]
Row = dict[str, Any]
Run = tuple[FiveInARowConfig, FinishedStages]
Change = Callable[[list[Any]], list[Any]]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    return finished_stages(run_of(CONFIG, tmp_path_factory.mktemp("columns")), FiveInARowConfig)


def fault_of(check: Check, config: FiveInARowConfig, inputs: Inputs) -> str:
    """The fault that a check finds; what it cannot be made for is one too, as for ``verify``."""
    try:
        return check.run(config, inputs, Draw()).fault
    except Exception as error:
        return f"cannot be made: {error!r}"


def naming(table: str, column: str | None = None) -> list[Check]:
    """The checks that name a column, or any column of a table."""
    return [c for c in DERIVED if table in c.columns and (column is None or column in c.columns[table])]


def faults(run: Run, checks: list[Check], change: Callable[[str, str, Any], Any]) -> Iterator[str]:
    config, stages = run
    forged = altered(stages, change)
    return (fault for check in checks if (fault := fault_of(check, config, forged)))


def found(run: Run, table: str, column: str, change: Change) -> bool:
    """True where a check that names the column finds it altered."""

    def forge(stage: str, name: str, rows: Any) -> Any:
        return with_values(rows, column, change(rows.column(column).to_pylist())) if name == table else rows

    return any(faults(run, naming(table, column), forge))


def other(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case None:
            return None
        case bool():
            return not value
        case int():
            return value + 1
        case bytes():
            return bytes([value[0] ^ 1]) + value[1:]
        case list():
            return [other(value[0]), *value[1:]]
        case str() if value.isdecimal():
            return str(int(value) + 1)
        case str() if value[0] in ".#":
            return (".#"[value[0] == "."]) + value[1:]
        case _:
            return {"weights": "search", "search": "bound", "bound": "search"}.get(value, f" {value}")


def values_of(run: Run, table: str, column: str) -> list[Any]:
    values: list[Any] = run[1].table(table).column(column).to_pylist()
    return values


def test_every_column_and_every_array_is_named_by_a_check_or_has_a_reason() -> None:
    named = {(table, column) for check in DERIVED for table, columns in check.columns.items() for column in columns}
    for table, column in COLUMNS:
        assert (table, column) in named or f"{table}.{column}" in SPACE.unchecked, f"{table}.{column}"
    arrays = {name for check in DERIVED for name, columns in check.columns.items() if not columns}
    assert {array.name for array in SPACE.arrays} <= arrays


def test_a_run_that_nobody_forged_has_no_fault(run: Run) -> None:
    assert not list(faults(run, list(DERIVED), lambda stage, name, values: values))


def test_the_run_has_rows_of_every_table(run: Run) -> None:
    assert all(run[1].table(table).num_rows > 1 or table == "refutations" for table in TABLES)


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_column_with_all_values_altered_is_found(run: Run, table: str, column: str) -> None:
    assert found(run, table, column, lambda values: [other(value) for value in values])


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_one_altered_value_is_found_wherever_it_stands(run: Run, table: str, column: str) -> None:
    values = values_of(run, table, column)
    known = [value is not None and (column != "peak" or value < UNKNOWN_PEAK) for value in values]
    places = [place for place, of_use in enumerate(known) if of_use]
    chosen = np.random.default_rng(0).choice(places, min(len(places), 4), replace=False).tolist()
    for place in {places[0], places[-1], *chosen}:
        forged = [other(value) if i == place else value for i, value in enumerate(values)]
        assert found(run, table, column, lambda _, forged=forged: forged), f"row {place}"  # type: ignore[misc]


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_two_values_in_each_others_place_are_found(run: Run, table: str, column: str) -> None:
    values = values_of(run, table, column)
    pairs = [(a, b) for a, b in zip(range(len(values)), range(1, len(values)), strict=False) if values[a] != values[b]]
    for a, b in pairs[:1] + pairs[-1:]:
        forged = list(values)
        forged[a], forged[b] = forged[b], forged[a]
        assert found(run, table, column, lambda _, forged=forged: forged), f"rows {a} and {b}"  # type: ignore[misc]


@pytest.mark.parametrize("column", [column for table, column in COLUMNS if table == "results"])
def test_a_null_in_place_of_a_value_and_a_value_in_place_of_null_are_found(run: Run, column: str) -> None:
    values = values_of(run, "results", column)
    known = next((value for value in values if value is not None), None)
    if SPACE.table("results").schema.field(column).nullable and known is not None:
        assert found(run, "results", column, lambda values: [None] * len(values))
        if None in values:
            place = values.index(None)
            forged = [known if i == place else value for i, value in enumerate(values)]
            assert found(run, "results", column, lambda _: forged)


@pytest.mark.parametrize("table", TABLES)
def test_a_row_left_out_is_found(run: Run, table: str) -> None:
    number = run[1].table(table).num_rows
    for place in {0, number // 2, number - 1}:

        def without(stage: str, name: str, rows: Any, place: int = place) -> Any:
            return pa.concat_tables([rows[:place], rows[place + 1 :]]) if name == table else rows

        assert any(faults(run, naming(table), without)), f"row {place}"


@pytest.mark.parametrize("table", TABLES)
def test_a_row_invented_is_found(run: Run, table: str) -> None:
    last = SPACE.table(table).key[-1]

    def with_one_more(stage: str, name: str, rows: Any) -> Any:
        if name != table:
            return rows
        row = rows[-1:].to_pylist()[0]
        return pa.concat_tables([rows, type(rows).from_pylist([row | {last: row[last] + 1}], rows.schema)])

    assert any(faults(run, naming(table), with_one_more))


@pytest.mark.parametrize(
    "field",
    [
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
    ],
)
def test_a_certificate_with_another_field_is_found(run: Run, field: Row) -> None:
    def forge(values: list[Any]) -> list[Any]:
        documents = [json.loads(value) for value in values]
        return [
            json.dumps(document | field, separators=(",", ":")) if document["shape"] == [6, 6] else value
            for document, value in zip(documents, values, strict=True)
        ]

    def forged(stage: str, name: str, rows: Any) -> Any:
        if name != "certificates":
            return rows
        return with_values(rows, "certificate", forge(rows.column("certificate").to_pylist()))

    assert any(faults(run, naming("certificates") + naming("results", "searches"), forged))


@pytest.mark.parametrize(
    ("table", "field"),
    [
        *(("strips", field) for field in ("pattern", "potential", "period", "k")),
        *(("plane", field) for field in ("weights", "potential", "period", "weight", "k")),
    ],
)
def test_a_certificate_of_a_strip_or_of_the_plane_with_another_field_is_found(run: Run, table: str, field: str) -> None:
    def forge(values: list[Any]) -> list[Any]:
        document = json.loads(values[-1])
        value = document[field]
        if isinstance(value, dict):
            forged: Any = {name: number + (name == list(value)[-1]) for name, number in value.items()}
        else:
            forged = value[::-1] + value[:1] if isinstance(value, list) else value + 1
        return [*values[:-1], json.dumps(document | {field: forged}, separators=(",", ":"))]

    assert found(run, table, "certificate", forge)


@pytest.mark.parametrize("change", ["all", "one", "swapped", "shorter"])
def test_an_altered_array_of_placements_is_found(run: Run, change: str) -> None:
    def forge(stage: str, name: str, values: Any) -> Any:
        if (stage, name) != ("", "placements"):
            return values
        forged = values.copy()
        if change == "all":
            forged ^= 0x80
        elif change == "one":
            forged[len(forged) // 2] ^= 0x80
        elif change == "swapped":
            forged[-168:-84], forged[-84:] = values[-84:], values[-168:-84]
        return forged[:-1] if change == "shorter" else forged

    assert any(faults(run, naming("placements") + naming("listed"), forge))


def test_a_placement_left_out_with_all_that_counts_it_mended_is_found(run: Run) -> None:
    """The last placement of the last board of k = 5 that is not carried: 11 x 11 has eight, of 22 bytes."""
    key, listed = (5, 11, 11), run[1].table("listed").to_pylist()
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
            document["count"] = str(int(document["count"]) - 1)
            return row | {"certificate": json.dumps(document, separators=(",", ":"))}
        return row

    def forge(stage: str, name: str, values: Any) -> Any:
        if name == "placements":
            return np.concatenate([values[: end - size], values[end:]])
        return type(values).from_pylist([mended(name, row) for row in values.to_pylist()], values.schema)

    those = list(faults(run, naming("results", "placements"), forge))
    assert any("11 x 11, k = 5: counted again" in fault for fault in those)
