"""Totals: rows that sum up others, made from these and compared; and totals over several tables that are equal."""

from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spec.check import Draw, Outcome, outcome, places_among
from boardspace.spec.equations import (
    Balance,
    Closed,
    Columns,
    Fewest,
    Image,
    Is,
    Most,
    Over,
    RowFaultError,
    Total,
    Totals,
    Value,
)
from boardspace.spec.space import Inputs, Table
from boardspace.verify.one_class import Class, fault_of, unlike


class Sums:
    """The rows that a table of totals should have, as far as they are summed up."""

    def __init__(self, table: Table, closed: Closed) -> None:
        assert isinstance(table.rows, Totals)
        self.table, self.closed, self.by = table, closed, table.rows.by
        self.within = [name for name in self.by if name not in closed.label]
        summed = [column.name for column in table.columns if isinstance(column.equation, Total | Image | Value)]
        self.parts: dict[str, list[NDArray[Any]]] = {name: [] for name in (*self.by, *summed)}

    def add(self, one: Class) -> None:
        """Add the rows of one class: one, or one for each value of the column that is the last of the key."""
        label = dict(zip(self.closed.label, one.label, strict=True))
        found = summed_rows(self.table, one.rows, self.within, one.states, self.closed, label)
        for name, some in self.parts.items():
            some.append(found[name])

    def columns(self) -> dict[str, NDArray[Any]]:
        """All rows, by column; numbers of rows of several classes are added where the key does not name these."""
        found = {name: np.concatenate(some) if some else np.empty(0, np.int64) for name, some in self.parts.items()}
        if set(self.closed.label) <= set(self.by):
            return found
        keys, number = np.unique(found.pop(self.by[0]), return_inverse=True)
        added = {name: np.bincount(number, values, len(keys)).astype(np.int64) for name, values in found.items()}
        return {self.by[0]: keys, **added}


def summed_rows(
    table: Table,
    rows: Columns,
    by: Sequence[str],
    states: Any = None,
    closed: Closed | None = None,
    fixed: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, NDArray[Any]]:
    """The rows that sum up others, one for each value of the columns ``by``, ascending, or one in all; by column.

    states: what conditions of totals take. closed: the set that images of states are of. fixed: columns of one value.
    """
    found: dict[str, NDArray[Any]] = {}
    number, count = np.zeros(len(next(iter(rows.values()))), np.int64), 1
    if by:
        joined = rows[by[0]] if len(by) == 1 else np.stack([rows[name].astype(np.int64) for name in by], axis=1)
        keys, number = np.unique(joined, axis=0, return_inverse=True)
        found, number, count = dict(zip(by, np.atleast_2d(keys.T), strict=True)), number.ravel(), len(keys)
    found |= {name: np.full(count, value) for name, value in fixed.items()}
    for column in table.columns:
        equation = column.equation
        if isinstance(equation, Total):
            where = equation.where
            picked = where(states) if callable(where) else rows[where] if isinstance(where, str) else None
            found[column.name] = summed_up(equation, rows, picked, number, count)
        elif isinstance(equation, Image):
            assert closed is not None
            found[column.name] = _of_images(equation, found[equation.of], rows, closed)
        elif isinstance(equation, Value):
            found[column.name] = equation.of(found)
    return found


def summed_up(
    total: Total, rows: Columns, picked: NDArray[np.bool_] | None, number: NDArray[Any], count: int
) -> NDArray[Any]:
    """A total of each of ``count`` sets of rows, which are numbered; of those ``picked``, if not of all."""
    if isinstance(total.where, Most | Fewest):
        values = rows[total.where.column]
        extreme = _extreme(values, number, count, least=isinstance(total.where, Fewest))
        picked = values == extreme[number]
        if isinstance(total.where, Most) and total.where.above >= 0:
            picked &= values > total.where.above
    elif isinstance(total.where, Is):
        picked = rows[total.where.column] == total.where.value
    if picked is not None:
        number = number[picked]
    if total.how in ("count", "any"):
        found = np.bincount(number, minlength=count)
        return found > 0 if total.how == "any" else found
    values = rows[total.of] if picked is None else rows[total.of][picked]
    if total.how in ("sum", "half"):
        sums = np.zeros(count, np.int64)
        weights = 1 if not total.times else rows[total.times] if picked is None else rows[total.times][picked]
        np.add.at(sums, number, values.astype(np.int64) * weights)
        if total.how == "sum":
            return sums
        if (sums % 2 & (sums > 1)).any():
            raise RowFaultError(f"the sum of {total.of} is odd, {sums[sums % 2 & (sums > 1) == 1][0]}: half a pair")
        return sums // 2
    return _extreme(values, number, count, least=total.how == "least")


def _extreme(values: NDArray[Any], number: NDArray[Any], count: int, *, least: bool) -> NDArray[Any]:
    """The least or greatest value of each of ``count`` sets of rows, which are numbered; 0 of a set without rows."""
    bounds = np.iinfo(values.dtype)
    extreme = np.full(count, bounds.max if least else bounds.min, values.dtype)
    (np.minimum if least else np.maximum).at(extreme, number, values)
    extreme[np.bincount(number, minlength=count) == 0] = 0
    return extreme


def _of_images(equation: Image, states: NDArray[Any], rows: Columns, closed: Closed) -> NDArray[Any]:
    images, known = equation.image(states), rows[closed.state]
    places = places_among(images, known)
    wrong = places < 0
    if wrong.any():
        raise fault_of(closed, states, wrong, "its image is not of its class")
    found: NDArray[Any] = rows[equation.column][places]
    return found


def compare_totals(tables: Sequence[Table], expected: Mapping[str, Sums], inputs: Inputs) -> None:
    """Compare tables of totals with their sums; those that sum up another table are made of its rows."""
    read: dict[str, Columns] = {}
    for table in tables:
        assert isinstance(table.rows, Totals)
        found = read[table.name] = columns_of(inputs.table(table.name))
        above = table.rows.of
        if isinstance(above, str):
            made = summed_rows(table, read[above], table.rows.by)
        else:
            made = expected[table.name].columns()
        if table.rows.counted:
            made = _counted_out(table, made, found[table.rows.counted])
        if len(made[table.key[0]]) != len(found[table.key[0]]):
            wanted = len(made[table.key[0]])
            raise RowFaultError(f"{table.name} has {len(found[table.key[0]])} rows, and should have {wanted}")
        for column in (column for column in table.columns if column.name in made):
            wrong, what = unlike(column, found[column.name], made[column.name])
            if what:
                name = "-".join(str(made[key][np.argmax(wrong)]) for key in table.key)
                raise RowFaultError(f"{table.name} {name}: {what}")


def _counted_out(table: Table, made: Columns, counted: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The keys of a table that has a row for each number 0, 1, 2, ... in each of these rows; ends are its own."""
    assert isinstance(table.rows, Totals)
    starts = np.flatnonzero(counted == 0)
    count = len(made[table.key[0]])
    if len(starts) != count or (count and starts[0]):
        raise RowFaultError(f"{table.name}: {table.rows.counted} begins {len(starts)} times at 0, not {count} times")
    lengths = np.diff(starts, append=len(counted))
    keys = {name: np.repeat(made[name], lengths) for name in table.rows.by}
    return {**keys, table.rows.counted: np.arange(len(counted)) - np.repeat(starts, lengths)}


def columns_of(rows: pa.Table) -> dict[str, NDArray[Any]]:
    """The columns of a table by name."""
    return {name: rows.column(name).to_numpy() for name in rows.column_names}


def balance_outcome(balances: Sequence[Balance], config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """The outcome of totals that have to be equal; a case is one of them at one value of the columns that it is for."""
    return outcome(fault for balance in balances for fault in _balance_faults(balance, inputs))


def _balance_faults(balance: Balance, inputs: Inputs) -> Iterator[str]:
    sides = [[(_totals_over(over, balance.by, inputs), over.none) for over in side] for side in balance.sides]
    for key in sorted({key for side in sides for totals, _ in side for key in totals}):
        one, other = (sum(totals.get(key, none) for totals, none in side) for side in sides)
        at = ", ".join(f"{name} {value}" for name, value in zip(balance.by, key, strict=True))
        yield "" if one == other else f"{at}: {one:,} and {other:,} should be equal: {balance.says}"


def _totals_over(over: Over, by: Sequence[str], inputs: Inputs) -> dict[tuple[Any, ...], int]:
    """A total of the rows of each value of some columns, of those that have a value in all that it reads."""
    total, where = over.total, over.total.where
    end = where if isinstance(where, Most | Fewest) else None
    picks = [one for one in (over.rows, where) if isinstance(one, Is)]
    keys = list(dict.fromkeys([*by, end.column])) if end else list(by)
    values = [name for name in (total.of, total.times) if name]
    rows = inputs.table(over.table, columns=list(dict.fromkeys([*keys, *values, *(one.column for one in picks)])))
    for one in picks:
        rows = rows.filter(pc.equal(rows.column(one.column), one.value))
    of = pa.chunked_array([np.ones(rows.num_rows, np.int64)])
    for name in values:
        of = pc.multiply_checked(of, rows.column(name).cast(pa.int64()))
    rows = rows.select(keys).append_column("total", of).drop_null()
    how = {"least": "min", "greatest": "max"}.get(total.how, "sum")
    sums = rows.group_by(keys).aggregate([("total", how)])
    found: dict[tuple[Any, ...], tuple[int, int]] = {}
    for *key, value in zip(*(sums.column(name).to_pylist() for name in (*keys, f"total_{how}")), strict=True):
        own = tuple(key[: len(by)])
        rank = -key[-1] if isinstance(end, Fewest) else key[-1] if end else 0
        if own not in found or rank > found[own][0]:
            found[own] = rank, value + over.plus
    return {key: value for key, (_, value) in found.items()}
