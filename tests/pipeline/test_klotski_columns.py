"""Every column and array of klotski forged, one after another, on a small run: some check finds each.

Forged are all values of a column, in every table; one value, two rows swapped, a row left out or invented, in tables
that have a row for a group, a class or a tray; a row left out or invented, and single distances, in tables that have a
row for each layout. A single number of solutions, or farthest step, is found if the layout is of a class that is
walked and not its own image; of other layouts with the chance that it is drawn, 8 of each walked class.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.parts.farthest import costs
from boardspace.spaces.klotski.space import SPACE
from boardspace.spec.check import Check, Draw
from boardspace.spec.space import CLAIMS, Table
from boardspace.storage.run_folder import FinishedStages
from boardspace.verify.equations import all_checks
from tests.pipeline.finished import finished_stages, run_of, with_values

pytestmark = pytest.mark.columns

CONFIG = """[klotski]
classes = ["0-0-0", "1-1-0", "2-0-1", "6-0-2", "7-0-3"]
farthest_seconds = 60.0
distance_seconds = 0.0005
unit_distances = ["0-*", "2-0-1", "6-0-2"]
net = true
trays = [[2, 5], [3, 3], [3, 4]]
tray_layouts = 600
ids_per_shard = 8388608
"""
LAYOUTS = ("main", "solution", "farthest")
"""Tables that have a row for each layout."""
PUBLISHED = [table for table in SPACE.tables if table.published]
SMALL = [table for table in PUBLISHED if table.name not in LAYOUTS]
COLUMNS = [f"{table.name}.{column}" for table in PUBLISHED for column in table.schema.names]
CHECKED = [name for name in COLUMNS if name not in SPACE.unchecked]
NET_ARRAYS = ("neighbour_start", "neighbours", "solution_paths")


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[KlotskiConfig, FinishedStages]:
    """Five classes, one of which was searched in parts, with their net, and three trays, one of them only counted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(costs, "PART_SECONDS", 3e-5)
        # All ids there are, few of them in these classes.
        patch.setattr("boardspace.spaces.klotski.columns.CHUNK", 1 << 22)
        out = run_of(CONFIG, tmp_path_factory.mktemp("columns"))
    return finished_stages(out, KlotskiConfig)


@cache
def stored_array(folder: Path, path: str) -> Any:
    return FinishedStages.array(finished_stages(folder, KlotskiConfig)[1], path)[:]


@dataclass(frozen=True)
class Forged(FinishedStages):
    """Finished stages of which one table, or one array, is another: as if it had been written so."""

    name: str = field(kw_only=True)
    values: Any = field(kw_only=True)

    def table(
        self, name: str, *, columns: Sequence[str] | None = None, between: tuple[Any, Any] | None = None
    ) -> pa.Table:
        if name != self.name:
            return super().table(name, columns=columns, between=between)
        rows = self.values
        if between is not None:
            keys = rows.column(self.space.table(name).key[0]).to_numpy()
            rows = rows.filter(pa.array((between[0] <= keys) & (keys < between[1])))
        return rows if columns is None else rows.select(columns)

    def read(
        self,
        stage: str,
        table: str,
        *,
        shards: Sequence[str] | None = None,
        columns: Sequence[str] | None = None,
        between: tuple[Any, Any] | None = None,
    ) -> pa.Table:
        if table != self.name:
            return super().read(stage, table, shards=shards, columns=columns, between=between)
        first = 0
        for shard in self.named_facts(stage):
            rows = super().read(stage, table, shards=[shard])
            if shards == [shard]:
                return self.values.slice(first, rows.num_rows)
            first += rows.num_rows
        return self.table(table, columns=columns, between=between)

    def array(self, path: str) -> Any:
        return self.values if path == self.name else stored_array(self.folder.root, path)


def fault_of(config: KlotskiConfig, inputs: FinishedStages, name: str, values: Any, seed: int = 0) -> str:
    """The first fault that checks find of a forged table or array; those that name it are tried first."""
    forged = Forged(inputs.folder, inputs.space, name=name, values=values)

    def of(check: Check) -> str:
        try:
            return check.run(config, forged, Draw(seed)).fault
        except Exception as error:  # verify reports what a check raises as a fault
            return repr(error)

    faults = (of(check) for check in sorted(all_checks(SPACE), key=lambda check: name not in check.columns))
    return next((fault for fault in faults if fault), "")


def other(value: Any) -> Any:
    """Another value of the same type; of none an invented one."""
    if isinstance(value, bool | str):
        return f"{value}." if isinstance(value, str) else not value
    return 1 if value is None else value + 1


def all_altered(rows: pa.Table, column: str) -> Iterator[pa.Table]:
    """All values raised by one, and all values moved on by one row, where that is something else."""
    values = rows.column(column).to_pylist()
    yield with_values(rows, column, [other(value) for value in values])
    moved = with_values(rows, column, values[1:] + values[:1])
    if not moved.equals(rows):
        yield moved


def altered_at(rows: pa.Table, column: str, row: int) -> pa.Table:
    values = rows.column(column).to_pylist()
    values[row] = other(values[row])
    return with_values(rows, column, values)


def without(rows: pa.Table, row: int) -> pa.Table:
    return pa.concat_tables([rows.slice(0, row), rows.slice(row + 1)])


def with_invented(table: Table, rows: pa.Table) -> pa.Table:
    """One more row at the end, like the last but for its key."""
    last = rows.slice(rows.num_rows - 1)
    return pa.concat_tables([rows, altered_at(last, table.key[-1], 0)])


def swapped(table: Table, rows: pa.Table, row: int) -> pa.Table:
    """Two rows exchanged, but for their keys."""
    order = list(range(rows.num_rows))
    order[row], order[row - 1] = order[row - 1], order[row]
    moved = rows.take(order)
    for key in table.key:
        moved = with_values(moved, key, rows.column(key).to_pylist())
    return moved


def test_every_column_and_array_has_a_check_or_a_reason() -> None:
    checked = {
        name if not columns else f"{name}.{column}"
        for check in all_checks(SPACE)
        for name, columns in check.columns.items()
        for column in (columns or [""])
    }
    arrays = [array.name for array in SPACE.arrays]
    claims = [f"claims.{column.name}" for column in CLAIMS.columns]
    assert sorted([*checked, *SPACE.unchecked]) == sorted([*COLUMNS, *arrays, *claims])


def test_checks_find_nothing_where_nothing_is_forged(run: tuple[KlotskiConfig, FinishedStages]) -> None:
    config, inputs = run
    assert fault_of(config, inputs, "main", inputs.table("main")) == ""


@pytest.mark.parametrize("name", CHECKED)
def test_a_column_forged_whole_is_found(run: tuple[KlotskiConfig, FinishedStages], name: str) -> None:
    config, inputs = run
    table, column = name.split(".")
    rows = inputs.table(table)
    assert rows.num_rows > 1
    for forged in all_altered(rows, column):
        assert fault_of(config, inputs, table, forged)


@pytest.mark.parametrize(
    "table",
    [pytest.param(table, marks=pytest.mark.slow) if table.name == "group_nets" else table for table in SMALL],
    ids=lambda table: table.name,
)
def test_single_values_and_rows_of_small_tables_forged_are_found(
    run: tuple[KlotskiConfig, FinishedStages], table: Table
) -> None:
    config, inputs = run
    rows = inputs.table(table.name)
    random = np.random.default_rng(5)
    forged = [altered_at(rows, column, int(random.integers(rows.num_rows))) for column in rows.column_names]
    forged += [without(rows, row) for row in (0, rows.num_rows // 2, rows.num_rows - 1)]
    forged += [with_invented(table, rows)]
    forged += [
        moved for row in range(1, min(rows.num_rows, 50), 7) if not (moved := swapped(table, rows, row)).equals(rows)
    ]
    for values in forged:
        assert fault_of(config, inputs, table.name, values)


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_layout_left_out_or_invented_is_found(run: tuple[KlotskiConfig, FinishedStages], name: str) -> None:
    config, inputs = run
    rows = inputs.table(name)
    for row in (0, 4_321, rows.num_rows - 1):
        assert fault_of(config, inputs, name, without(rows, row))
    assert fault_of(config, inputs, name, with_invented(SPACE.table(name), rows))


@pytest.mark.parametrize(
    "name",
    [f"main.{column}" for column in SPACE.table("main").schema.names]
    + ["solution.layout_id", "solution.min_solution_step", "solution.min_straight_step", "solution.min_unit_move"],
)
def test_single_values_of_layouts_of_classes_that_are_walked_are_found(
    run: tuple[KlotskiConfig, FinishedStages], name: str
) -> None:
    config, inputs = run
    table, column = name.split(".")
    rows = inputs.table(table)
    for row in np.random.default_rng(6).integers(0, rows.num_rows, 5).tolist():
        assert fault_of(config, inputs, table, altered_at(rows, column, row))


@pytest.mark.parametrize(
    "name",
    ["solution.min_solution_num", "solution.solution_num", "farthest.farthest_step", "farthest.farthest_num"],
)
def test_single_numbers_of_layouts_that_are_not_their_own_images_are_found(
    run: tuple[KlotskiConfig, FinishedStages], name: str
) -> None:
    config, inputs = run
    table, column = name.split(".")
    rows, is_mirror = inputs.table(table), inputs.table("main").column("is_mirror").to_numpy()
    for row in np.random.default_rng(7).choice(np.flatnonzero(~is_mirror), 5).tolist():
        assert fault_of(config, inputs, table, altered_at(rows, column, row))


@pytest.mark.parametrize("name", NET_ARRAYS)
def test_an_array_forged_whole_is_found(run: tuple[KlotskiConfig, FinishedStages], name: str) -> None:
    config, inputs = run
    values = stored_array(inputs.folder.root, name)
    assert fault_of(config, inputs, name, values + values.dtype.type(1))
    assert fault_of(config, inputs, name, np.roll(values, 1))
    assert fault_of(config, inputs, name, values[:-1])
