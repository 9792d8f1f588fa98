"""Every column and array of the solitaire dataset is re-derived by a check: what is forged consistently is found.

The data are altered where checks read them, so all digests, receipts and counts are right. Small tables are forged one
value at a time, too, and by two rows exchanged and one left out; where a draw may miss a forgery of one row, it tries
all rows here, as ``verify --all`` does.
"""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.part import BITMAPS
from boardspace.spaces.solitaire.space import SPACE
from boardspace.spec.space import Draw, Outcome, Table
from boardspace.storage.run_folder import FinishedStages
from boardspace.verify import ranked
from boardspace.verify.coverage import coverage_faults
from boardspace.verify.equations import all_checks
from tests.pipeline.finished import altered, finished_stages, run_of

pytestmark = pytest.mark.columns

CONFIG = """
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
"""
SMALL = 60
"""Rows of a table that is forged one by one."""
TABLES = {table.name: table for table in SPACE.tables if table.published}
COLUMNS = [(table.name, column.name) for table in TABLES.values() for column in table.unfolded.columns]
ARRAYS = ["reachable", "winning", "winning_moves", "returning_moves"]
INEXACT = {("sequences", "sequences"), ("sequences", "standard_error")}
"""Estimates: a value within the error of one's own is as good; so they are forged by a factor."""
Rows = list[dict[str, Any]]
Change = Callable[[str, str, Any], Any]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> tuple[SolitaireConfig, FinishedStages]:
    return finished_stages(run_of(CONFIG, tmp_path_factory.mktemp("columns")), SolitaireConfig)


def found(run: tuple[SolitaireConfig, FinishedStages], change: Change, name: str, everything: bool = False) -> str:
    """The first fault that the checks of a table or array find where it is altered."""
    config, inputs = run
    for check in all_checks(SPACE):
        if any(name == column or ("{" in column and name.startswith("classes/")) for column in check.columns):
            try:
                fault = check.run(config, altered(inputs, change), Draw(1, everything)).fault
            except Exception as error:  # verify says of such a check that it cannot be made, which is a fault
                fault = repr(error)
            if fault:
                return fault
    return ""


def forged(value: Any, column: str) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        turned = value[::-1]
        return {"forward": "backward", "backward": "forward"}.get(value, turned if turned != value else f"{value}1")
    if isinstance(value, float):
        return value * 3 + 1
    if value is None:
        return 1
    return value + 1 if value < 200 or column in ("ways", "position", "live", "child") or value > 255 else value - 1


def of_table(table: str, alter: Callable[[Rows], Rows]) -> Change:
    """Rows of one table altered, as far as what is read of it has the columns that are altered."""

    def change(stage: str, name: str, rows: Any) -> Any:
        if name != table or not isinstance(rows, pa.Table):
            return rows
        altered_rows = alter(rows.to_pylist())
        return pa.Table.from_pylist(altered_rows, rows.schema) if altered_rows else rows.slice(0, 0)

    return change


def row_count(run: tuple[SolitaireConfig, FinishedStages], table: str) -> int:
    return run[1].table(table).num_rows


def keys(table: Table) -> set[str]:
    return set(table.unfolded.key)


def test_the_unaltered_run_has_no_fault(run: tuple[SolitaireConfig, FinishedStages]) -> None:
    config, inputs = run
    for check in all_checks(SPACE):
        assert check.run(config, inputs, Draw(1)).fault == "", check.name


def test_a_class_that_is_held_to_be_too_large_to_be_played_has_no_fault_either(
    run: tuple[SolitaireConfig, FinishedStages], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its bitmaps are counted then, and its tables compared with one another."""
    monkeypatch.setattr("boardspace.spaces.solitaire.parts.classes.checks.played.MOST", 100)
    test_the_unaltered_run_has_no_fault(run)


@pytest.mark.parametrize("table", ["solutions", "class_solutions"])
def test_a_solution_whose_moves_are_left_out_is_found(run: tuple[SolitaireConfig, FinishedStages], table: str) -> None:
    without = of_table(table, lambda rows: [*rows[:-1], rows[-1] | {"moves": ""}])
    assert f"{table} triangle15" in found(run, without, table)


@pytest.mark.parametrize("name", ["reachable", "winning"])
def test_any_bit_of_a_bitmap_is_found(run: tuple[SolitaireConfig, FinishedStages], name: str) -> None:
    """Of positions that can be reached and of others, by its equation alone."""
    config, inputs = run
    (check,) = (check for check in all_checks(SPACE) if check.columns.keys() == {BITMAPS.name})
    path = f"classes/triangle15-01/{name}"
    bits = 64 * inputs.array(path).shape[0]
    assert check.run(config, inputs, Draw()) == Outcome(2 * bits, 2 * bits)
    for number in range(1, bits, bits // 200):

        def change(stage: str, read: str, values: Any, number: int = number) -> Any:
            if read == path:
                values = values.copy()
                values[number >> 6] ^= np.uint64(1 << (number & 63))
            return values

        assert f"{path}: number " in check.run(config, altered(inputs, change), Draw()).fault


@pytest.mark.parametrize(("table", "column"), [("positions", c) for c in ("position", "moves", "choices", "orbit")])
def test_one_forged_value_of_any_position_is_found(
    run: tuple[SolitaireConfig, FinishedStages], table: str, column: str
) -> None:
    count = row_count(run, table)
    for number in range(0, count, count // 40):

        def alter(rows: Rows, number: int = number) -> Rows:
            rows[number][column] = forged(rows[number][column], column)
            return rows

        assert found(run, of_table(table, alter), table), f"row {number}"


def test_positions_with_too_many_numbers_are_tried_by_their_rows(
    run: tuple[SolitaireConfig, FinishedStages], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ranked, "MOST_NUMBERS", 1)
    test_the_unaltered_run_has_no_fault(run)
    for table in ("positions", "winning"):
        test_a_whole_column_that_is_forged_is_found(run, table, "moves")
        test_a_row_that_is_left_out_is_found(run, table)


def test_nothing_is_without_a_check(run: tuple[SolitaireConfig, FinishedStages]) -> None:
    assert coverage_faults(SPACE) == []


@pytest.mark.parametrize(("table", "column"), COLUMNS)
def test_a_whole_column_that_is_forged_is_found(
    run: tuple[SolitaireConfig, FinishedStages], table: str, column: str
) -> None:
    def alter(rows: Rows) -> Rows:
        return [row | {column: forged(row[column], column)} if column in row else row for row in rows]

    assert row_count(run, table)
    assert found(run, of_table(table, alter), table)


@pytest.mark.parametrize(("table", "column"), [one for one in COLUMNS if one not in INEXACT])
def test_one_forged_value_of_a_small_table_is_found(
    run: tuple[SolitaireConfig, FinishedStages], table: str, column: str
) -> None:
    count = row_count(run, table)
    if count > SMALL:
        pytest.skip("not small")
    for number in sorted({0, count // 2, count - 1}):

        def alter(rows: Rows, number: int = number) -> Rows:
            if column not in rows[0] or len(rows) != count:
                return rows
            rows[number] |= {column: forged(rows[number][column], column)}
            return rows

        assert found(run, of_table(table, alter), table), f"row {number}"


def exchanged(rows: Rows, table: Table) -> Rows:
    """Two rows that differ in what is no key, with all of that exchanged."""
    values = [column.name for column in table.unfolded.columns if column.name not in keys(table)]
    number = len(rows) // 3
    for other in range(number + 1, len(rows)):
        one, two = ({name: rows[i][name] for name in values if name in rows[i]} for i in (number, other))
        if one != two:
            rows[number], rows[other] = rows[number] | two, rows[other] | one
            return rows
    return rows


@pytest.mark.parametrize("table", list(TABLES))
def test_rows_whose_values_are_exchanged_are_found(run: tuple[SolitaireConfig, FinishedStages], table: str) -> None:
    whole = run[1].table(table).to_pylist()
    if exchanged([dict(row) for row in whole], TABLES[table]) == whole:
        pytest.skip("no two rows differ in more than their keys")

    def alter(rows: Rows) -> Rows:
        return exchanged(rows, TABLES[table])

    assert found(run, of_table(table, alter), table, everything=True)


def left_out(table: str, count: int) -> Iterator[int]:
    yield from sorted({0, count // 2, count - 1})


@pytest.mark.parametrize("table", list(TABLES))
def test_a_row_that_is_left_out_is_found(run: tuple[SolitaireConfig, FinishedStages], table: str) -> None:
    """Wherever it is read: by its table's name, and from its stage."""
    whole = run[1].table(table).to_pylist()
    names = [column.name for column in TABLES[table].columns]
    for number in left_out(table, len(whole)):
        gone = {name: whole[number][name] for name in names}

        def alter(rows: Rows, gone: dict[str, Any] = gone, number: int = number) -> Rows:
            if len(rows) == len(whole):
                return rows[:number] + rows[number + 1 :]
            same = [i for i, row in enumerate(rows) if all(row[name] == gone[name] for name in row if name in gone)]
            return rows[: same[0]] + rows[same[0] + 1 :] if same and set(names) <= set(rows[0]) else rows

        assert found(run, of_table(table, alter), table, everything=True), f"row {number}: {gone}"


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("everywhere", [True, False])
def test_an_array_that_is_forged_is_found(
    run: tuple[SolitaireConfig, FinishedStages], name: str, everywhere: bool
) -> None:
    path = f"classes/triangle15-01/{name}"

    def change(stage: str, read: str, values: Any) -> Any:
        if read != path:
            return values
        values = values.copy()
        if everywhere:
            return np.roll(values, 1)
        place = int(np.flatnonzero(values != values[0])[0])
        values[place] ^= np.uint64(1)
        return values

    assert found(run, change, path)
