"""Tables of a closed set of states, and one of its classes: the equations of its rows, tried at every one.

The states are decoded by the second rules, and moved all at once.
"""

import secrets
from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spec.check import Draw
from boardspace.spec.equations import (
    Again,
    Beside,
    Bounds,
    Classes,
    Closed,
    Columns,
    Joined,
    Key,
    Label,
    Move,
    Pieces,
    Rank,
    RowFaultError,
    Step,
    Totals,
    Value,
    Ways,
)
from boardspace.spec.space import Array, Column, Space, Table
from boardspace.verify import folds

SALT = np.uint64(secrets.randbits(64))


@dataclass(frozen=True)
class ClosedTables:
    """Tables and arrays of a dataset about a closed set.

    states: tables with a row for each state, or for each of some classes, that which names them first.
    totals: tables that sum these up, or one another, each after those it sums up.
    arrays: with a cell for each key.
    """

    closed: Closed
    states: tuple[Table, ...]
    totals: tuple[Table, ...]
    arrays: tuple[Array, ...]

    @classmethod
    def of(cls, space: Space, closed: Closed) -> "ClosedTables":
        """Find them among the tables and arrays of a space."""

        def of_these(rows: object) -> bool:
            return rows == closed or (isinstance(rows, Classes) and rows.of == closed)

        states = [table for table in space.tables if of_these(table.rows)]
        states.sort(key=lambda table: table.name != closed.table)
        totals = [table for table in space.tables if isinstance(table.rows, Totals) and of_these(table.rows.of)]
        names = {table.name for table in totals}
        totals += [table for table in space.tables if isinstance(table.rows, Totals) and table.rows.of in names]
        return cls(closed, tuple(states), tuple(totals), tuple(array for array in space.arrays if of_these(array.rows)))

    @property
    def key(self) -> str:
        """The key column of the states' tables."""
        return self.states[0].key[0]

    @property
    def contents(self) -> tuple[Table | Array, ...]:
        """All of them."""
        return (*self.states, *self.totals, *self.arrays)

    def set_of(self, content: Table | Array) -> Closed | Classes:
        """The states that a table or an array is of, or sums up."""
        rows = content.rows
        while isinstance(rows, Totals):
            above = rows.of
            rows = next(t.rows for t in self.totals if t.name == above) if isinstance(above, str) else above
        assert isinstance(rows, Closed | Classes)
        return rows

    def classes(self, of: Closed | Classes, config: Any) -> Set[Label]:
        """The labels of the classes of states."""
        return set(of.labels(config)) if isinstance(of, Classes) else set(self.closed.sizes(config))

    def of_method(self, again: Again, config: Any) -> Set[Label]:
        """The labels of the classes whose rows a second method derives."""
        own = (table for table in self.contents if isinstance(table, Table))
        sets = {self.set_of(table) for table in own if any(column.equation == again for column in table.columns)}
        return frozenset[Label]().union(*(self.classes(one, config) for one in sets))


class _Rows(dict[str, NDArray[Any]]):
    """Columns by name; those that are :attr:`.Closed.degrees` are made when one asks for them."""

    def __init__(self, one: "Class", rows: Columns) -> None:
        super().__init__(rows)
        self._class, self._degrees = one, dict(one.tables.closed.degrees)

    def __missing__(self, name: str) -> NDArray[Any]:
        self[name] = self._class.around(self._degrees[name])[0]
        return self[name]


class Class:
    """A class whose equations are tried, and which second methods are shown.

    label: its name.
    rows: all of its rows; those of totals with a second method are there by ``table.column``.
    states: as the second rules decode them.
    """

    def __init__(
        self, tables: ClosedTables, label: Label, rows: Columns, draw: Draw, random: np.random.Generator
    ) -> None:
        self.tables, self.label, self.draw, self.random = tables, label, draw, random
        self.rows = _Rows(self, rows)
        self.states: Any = tables.closed.states(rows[tables.closed.state])
        self._graphs: dict[Move, folds.Graph] = {}
        self._around: dict[Move, tuple[NDArray[np.int64], NDArray[np.uint64]]] = {}
        self.raise_where(~self.states.legal, "it is no state, by the second rules")

    def __len__(self) -> int:
        return len(self.rows[self.tables.key])

    @cached_property
    def pieces(self) -> list[Pieces]:
        """All slides of its pieces."""
        return list(self.states.pieces())

    def graph(self, move: Move) -> folds.Graph:
        """All moves between its states."""
        if move not in self._graphs:
            self._graphs[move] = folds.graph_of(self.pieces, len(self), move)
        return self._graphs[move]

    def around(self, move: Move) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """For each state the number of its neighbours, and the sum of the words of their keys."""
        if move not in self._around:
            number, sums = np.zeros(len(self), np.int64), np.zeros(len(self), np.uint64)
            words = words_of(self.rows[self.tables.key])
            for starts, ends in folds.moves(self.pieces, move):
                number += np.bincount(starts, minlength=len(number))
                np.add.at(sums, starts, words[ends])
            self._around[move] = number, sums
        return self._around[move]

    def choose(self, count: int, most: int) -> list[int]:
        """Numbers of ``most`` cases to try, of ``count``, or of all."""
        return self.draw.choose(count, most, self.random)

    def raise_where(self, wrong: NDArray[np.bool_], what: str) -> None:
        """RowFaultError for the first state that is wrong, if there is one."""
        if wrong.any():
            raise fault_of(self.tables.closed, self.rows[self.tables.closed.state], wrong, what)

    def check(self, of: Closed | Classes, with_key: bool) -> None:
        """Try all equations of its rows in tables and arrays of these states; RowFaultError for the first that does
        not hold."""
        key = self.tables.states[0].columns[0]
        if with_key and isinstance(key.equation, Key) and key.equation.number is not None:
            self._compare(key, key.equation.number(self.states))
        made: dict[Any, Any] = {}
        for content in self.tables.contents:
            if content.rows == of:
                for column in (content,) if isinstance(content, Array) else content.columns:
                    self._check_column(column, made)

    def _check_column(self, column: Column | Array, made: dict[Any, Any]) -> None:
        equation = column.equation
        if isinstance(equation, Value):
            if equation.of not in made:  # several columns may be of one function
                made[equation.of] = equation.of(self.states)
            values = made[equation.of]
            self._compare(column, values[column.name] if isinstance(values, Mapping) else values)
        elif isinstance(equation, Joined):
            self._compare(column, folds.numbered(folds.components(self.pieces, len(self))))
        elif isinstance(equation, Rank):
            self._compare(column, folds.places_within(self.rows[equation.within]))
        elif isinstance(equation, Step):
            self._step(column, equation)
        elif isinstance(equation, Ways):
            values, steps = self.rows[column.name], self.rows[equation.steps]
            ways = folds.ways(self.pieces, values, steps, equation.move)
            self._compare(column, np.where(equation.base(self.states), values.dtype.type(1), ways))
        elif isinstance(equation, Bounds):
            self._compare(column, self.rows[equation.degree])
        elif isinstance(equation, Beside):
            wrong = self.around(equation.move)[1] != self.rows[equation.sums(column.name)]
            self.raise_where(wrong, f"its {column.name} are not {equation.says}")

    def _step(self, column: Column | Array, equation: Step) -> None:
        stated = self.rows[column.name].astype(np.int64)
        values = np.where(stated == equation.none, folds.FAR, stated)
        wrong = (values < 0) | (values > folds.FAR)
        self.raise_where(wrong, f"{column.name} is {stated[np.argmax(wrong)]}")
        least = folds.least_neighbour(self.pieces, values.astype(np.int16), equation.move).astype(np.int64)
        expected = np.where(equation.base(self.states), 0, np.minimum(least + 1, folds.FAR))
        self._compare(column, np.where(expected == folds.FAR, equation.none, expected))

    def _compare(self, column: Column | Array, expected: NDArray[Any]) -> None:
        self.raise_where(*unlike(column, self.rows[column.name], expected))


def words_of(keys: NDArray[Any]) -> NDArray[np.uint64]:
    """A word for each key, by a hash that nobody knows beforehand: so the sum of a set's words tells which it is."""
    words = (keys.astype(np.uint64) ^ SALT) * np.uint64(0x9E3779B97F4A7C15)
    words = (words ^ words >> np.uint64(32)) * np.uint64(0xD6E8FEB86659FD93)
    return words ^ words >> np.uint64(32)


def unlike(column: Column | Array, stated: NDArray[Any], expected: NDArray[Any]) -> tuple[NDArray[np.bool_], str]:
    """Where a column does not have the values that its equation gives, and the first difference in words; '' where
    there is none."""
    wrong = stated != expected
    if not wrong.any():
        return wrong, ""
    at, says = int(np.argmax(wrong)), column.equation.says if column.equation is not None else "its key"
    return wrong, f"{column.name} is {stated[at]}, and {expected[at]} by its equation: {says}"


def fault_of(closed: Closed, states: NDArray[Any], wrong: NDArray[np.bool_], what: str) -> RowFaultError:
    """The fault of the first state that is wrong."""
    return RowFaultError(f"{closed.text(int(states[np.argmax(wrong)]))}: {what}")
