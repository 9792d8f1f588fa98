"""The equations of tables whose rows the second rules make anew, folder by folder, and of what sums these up."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc

from boardspace.spec.check import Draw, Outcome
from boardspace.spec.equations import Equation, Given, Made, MadeRows, Making, Near, RowFaultError, Totals, Value
from boardspace.spec.space import Column, Inputs, Space, Table
from boardspace.verify.closed import WHOLE_SECONDS
from boardspace.verify.totals import summed_rows

LONGEST = 200
"""Letters of a value that a fault holds."""


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

    @property
    def columns(self) -> tuple[str, ...]:
        """Every column of theirs that is tried, as ``table.column``, those in the names of folders too."""
        return tuple(
            f"{table.name}.{column}"
            for table in self.tables
            for column in (*filter(None, [self.made.folder]), *(column.name for column, _ in stated(table)))
        )

    def outcome(self, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
        """Try all rows of the folders that can be paid for, of those that cost too much in all a draw."""
        costs = self.made.costs(config)
        chosen = self._chosen(costs, draw)
        read = {table.name: _folders(table, self.made.folder, inputs) for table in self.tables}
        of = sum(rows.num_rows for folders in read.values() for rows in folders.values())
        tried, left, partly = 0, list[str](), set[str]()
        try:
            if unnamed := [f"{table}: rows of {name}" for table in read for name in read[table].keys() - costs.keys()]:
                raise RowFaultError(f"{unnamed[0]}, a {self.made.folder} that the config does not name")
            for name in costs:
                if name in chosen or self.made.partly:
                    rows = {t.name: read[t.name].get(name, t.unfolded.schema.empty_table()) for t in self.tables}
                    made: Mapping[str, Any] = self.made.make(config, name, Making(name in chosen, draw, inputs, rows))
                    for table in self.tables:
                        own = made[self.made.name if isinstance(table.rows, Totals) else table.name]
                        if isinstance(table.rows, Totals):
                            own = summed_rows(table, own, table.rows.by)
                        known = _compare(table, name, rows[table.name], own)
                        tried, partly = tried + known.rows, partly | known.partly
                        if known.unknown:
                            number = f"{known.unknown} of {rows[table.name].num_rows}"
                            left.append(f"{number} rows of {table.name} {name}".rstrip())
                else:
                    partly.update(self.columns)
        except (RowFaultError, ValueError) as error:  # such as more states than the rows say
            return Outcome(tried, of, str(error) if isinstance(error, RowFaultError) else f"{self.made.name}: {error}")
        whole = tuple(name for name in self.columns if name not in partly)
        return Outcome(tried, of, "", f"all values of {', '.join(left)}: they follow in part" if left else "", whole)

    def _chosen(self, costs: Mapping[str, float], draw: Draw) -> set[str]:
        chosen, seconds = set[str](), 0.0
        for name in draw.generator().permutation(sorted(costs)).tolist():
            if math.isfinite(costs[name]) and (draw.everything or seconds + costs[name] <= WHOLE_SECONDS):
                chosen.add(name)
                seconds += costs[name]
        return chosen


def stated(table: Table) -> list[tuple[Column, Equation]]:
    """The columns of a table that have equations, with these."""
    made = table.rows.of if isinstance(table.rows, Totals) else table.rows
    assert isinstance(made, Made)
    common = Value(made.make, made.says) if made is table.rows and made.says else None
    columns = (column for column in table.unfolded.columns if column.name != made.folder)
    return [(column, equation) for column in columns if (equation := column.equation or common) is not None]


def _folders(table: Table, folder: str, inputs: Inputs) -> dict[str, pa.Table]:
    wanted = [column.name for column, _ in stated(table)]
    if not folder:
        return {"": inputs.table(table.name, columns=wanted)}
    rows = inputs.table(table.name, columns=[folder, *wanted])
    values = rows.column(folder)
    return {name: rows.filter(pc.equal(values, name)) for name in values.unique().to_pylist()}


class _Known(NamedTuple):
    """Rows of a table in one folder that have no fault, as far as they are known.

    rows: how many of which every value has to be the one that it is.
    unknown: how many of which some value is not known at all.
    partly: the columns (``table.column``) that are not derived exactly at every row.
    """

    rows: int
    unknown: int = 0
    partly: frozenset[str] = frozenset()


def _compare(table: Table, name: str, found: pa.Table, expected: MadeRows) -> _Known:
    """Compare the columns of a table that have equations; RowFaultError for the first row that differs."""
    length = len(expected) if isinstance(expected, Sequence) else found.num_rows
    for column, equation in stated(table):
        given = found.column(column.name)
        if isinstance(expected, Sequence):
            at, own = _first_unlike(given, column.name, expected)
        else:
            values = expected.get(column.name, [])
            at, length = _first_difference(given, values, column.type), len(values)
            own = None if at is None else values[at]
        if at is not None:
            row = "-".join(str(found.column(key)[at].as_py()) for key in table.key if key in found.column_names)
            both = ", and ".join(text[:LONGEST] for text in (repr(given[at].as_py()), str(own)))
            says = f"{column.name} is {both} by its equation: {equation.says}"
            raise RowFaultError(" ".join(filter(None, (table.name, name, f"{row}: {says}"))))
        if len(given) != length:
            raise RowFaultError(" ".join((table.name, *filter(None, [name]), f"has {len(given)} rows, not {length}")))
    if not isinstance(expected, Sequence):
        return _Known(length)
    names = {column.name for column, _ in stated(table)}
    unknown = sum(not names <= row.keys() for row in expected)
    exact = sum(not any(isinstance(row.get(name, Near()), Near) for name in names) for row in expected)
    partly = {name for row in expected for name in names if isinstance(row.get(name, Near()), Near | Given)}
    return _Known(exact, unknown, frozenset(f"{table.name}.{name}" for name in partly))


def _first_unlike(given: pa.ChunkedArray, name: str, rows: Sequence[Mapping[str, Any]]) -> tuple[int | None, Any]:
    """The first place at which a column is not what is known of a row, and what that is."""
    for at, (value, row) in enumerate(zip(given.to_pylist(), rows, strict=False)):
        own = row.get(name, value)
        if not (own.fits(value) if isinstance(own, Near | Given) else own == value):
            return at, own
    return None, None


def _first_difference(given: pa.ChunkedArray, own: Any, kind: pa.DataType) -> int | None:
    """The first place, of those that both have, where a column differs from what is made; None where none does."""
    both = min(len(given), len(own))
    here, made = given[:both], pa.chunked_array([own if isinstance(own, pa.Array) else pa.array(own, kind)])[:both]
    if here.equals(made):
        return None
    pairs = zip(here.to_pylist(), made.to_pylist(), strict=True)
    return next((at for at, (one, other) in enumerate(pairs) if one != other), None)
