"""The equations of tables whose rows the second rules make anew, folder by folder, and of what sums these up."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spec.check import Draw, Outcome
from boardspace.spec.equations import Columns, Equation, Made, Total, Totals, Value
from boardspace.spec.space import Column, Inputs, Space, Table
from boardspace.verify.closed import WHOLE_SECONDS, RowFaultError, summed_up


@dataclass(frozen=True)
class MadeTables:
    """All tables with rows of one made set, and those that sum it up."""

    made: Made
    tables: tuple[Table, ...]

    @classmethod
    def of(cls, space: Space, made: Made) -> "MadeTables":
        """Find them among the tables of a space."""
        own = (table for table in space.tables if made in (table.rows, getattr(table.rows, "of", None)))
        return cls(made, tuple(own))

    def outcome(self, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
        """Try all rows of the folders that can be paid for, of those that cost too much in all a draw."""
        costs = {name: cost for name, cost in self.made.costs(config).items() if math.isfinite(cost)}
        tried, of, fault = 0, 0, ""
        chosen, seconds = list[str](), 0.0
        for name in draw.generator().permutation(sorted(costs)).tolist():
            if draw.everything or seconds + costs[name] <= WHOLE_SECONDS:
                chosen, seconds = [*chosen, name], seconds + costs[name]
        read = {table.name: _folders(table, self.made.folder, inputs) for table in self.tables}
        for name in self.made.costs(config):
            count = sum(folders[name].num_rows for folders in read.values() if name in folders)
            of += count
            if name in chosen and not fault:
                tried += count
                fault = self._fault(config, name, read, inputs)
        for table, folders in read.items():
            for name in folders:
                if name not in self.made.costs(config) and not fault:
                    fault = f"{table}: rows of {self.made.folder} {name}, which the config does not name"
        return Outcome(tried, of, fault)

    def _fault(self, config: Any, name: str, read: Mapping[str, Mapping[str, pa.Table]], inputs: Inputs) -> str:
        rows = {table.name: read[table.name].get(name, table.unfolded.schema.empty_table()) for table in self.tables}

        def columns(table: str, wanted: Sequence[str]) -> Columns:
            """The columns of a table in this folder, or of one that has checks of its own."""
            found = rows[table] if table in rows else inputs.table(table, columns=list(wanted))
            return {column: found.column(column).to_numpy() for column in wanted}

        try:
            made = self.made.make(config, name, columns)
            for table in self.tables:
                own = _summed(table, made) if isinstance(table.rows, Totals) else made[table.name]
                _compare(table, name, rows[table.name], own)
        except RowFaultError as error:
            return str(error)
        return ""


def stated(table: Table) -> list[tuple[Column, Equation]]:
    """The columns of a table that have equations, with these."""
    made = table.rows.of if isinstance(table.rows, Totals) else table.rows
    assert isinstance(made, Made)
    common = Value(made.make, made.says) if made is table.rows and made.says else None
    columns = (column for column in table.unfolded.columns if column.name != made.folder)
    return [(column, equation) for column in columns if (equation := column.equation or common) is not None]


def _folders(table: Table, folder: str, inputs: Inputs) -> dict[str, pa.Table]:
    """The rows of a table by the value of the column in its folders' names."""
    wanted = [column.name for column, _ in stated(table)]
    if not folder:
        return {"": inputs.table(table.name, columns=wanted)}
    rows = inputs.table(table.name, columns=[folder, *wanted])
    values = rows.column(folder)
    return {name: rows.filter(pc.equal(values, name)) for name in values.unique().to_pylist()}


def _summed(table: Table, made: Mapping[str, Columns]) -> dict[str, NDArray[Any]]:
    """The rows that a table of totals should have."""
    assert isinstance(table.rows, Totals)
    assert isinstance(table.rows.of, Made)
    rows, (by,) = made[table.rows.of.name], table.rows.by
    keys, number = np.unique(rows[by], return_inverse=True)
    totals = ((column.name, column.equation) for column in table.columns if isinstance(column.equation, Total))
    sums = {name: summed_up(total, rows, None, number, len(keys)) for name, total in totals}
    return {by: keys} | sums


def _compare(table: Table, name: str, found: pa.Table, expected: Mapping[str, Any]) -> None:
    """Compare the columns of a table that have equations; RowFaultError for the first row that differs."""
    for column, equation in stated(table):
        given, own = found.column(column.name), expected.get(column.name, [])
        at = _first_difference(given, own, column.type)
        if at is not None:
            row = "-".join(str(found.column(key)[at].as_py()) for key in table.key if key in found.column_names)
            says = f"{column.name} is {given[at].as_py()!r}, and {own[at]} by its equation: {equation.says}"
            raise RowFaultError(" ".join(filter(None, (table.name, name, f"{row}: {says}"))))
        if len(given) != len(own):
            raise RowFaultError(" ".join((table.name, *filter(None, [name]), f"has {len(given)} rows, not {len(own)}")))


def _first_difference(given: pa.ChunkedArray, own: Any, kind: pa.DataType) -> int | None:
    """The first place, of those that both have, where a column differs from what is made; None where none does."""
    both = min(len(given), len(own))
    here, made = given[:both], pa.chunked_array([own if isinstance(own, pa.Array) else pa.array(own, kind)])[:both]
    if here.equals(made):
        return None
    pairs = zip(here.to_pylist(), made.to_pylist(), strict=True)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), None)
