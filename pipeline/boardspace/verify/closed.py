"""The equations of a closed set of states, tried at every row of its tables: one pass, class by class.

Rows are read range after range of keys, every table and array of the set at once, compared as far as a range goes, and
put by class. Then each class is decoded by the second rules, and its equations are tried on all of it.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spec.check import Draw, Outcome
from boardspace.spec.equations import (
    Again,
    Bounds,
    Classes,
    Closed,
    Columns,
    Fewest,
    Image,
    Is,
    Joined,
    Key,
    Label,
    Most,
    Move,
    Pieces,
    Rank,
    RowFaultError,
    Same,
    Step,
    Total,
    Totals,
    Tried,
    Value,
    Ways,
)
from boardspace.spec.space import Array, Column, Inputs, Space, Table, cut_range
from boardspace.verify import folds
from boardspace.verify.arrays import cells_of

KEYS = 1 << 22
"""Keys of a range: about 200 MB of rows."""
BEYOND = 1 << 62
"""Above every key."""
WHOLE_SECONDS = 60.0
"""Sets that take no longer are tried whole."""


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


Asked = Closed | Classes | Again
"""What is asked: the equations of all rows of some states, or one second method."""


def outcomes(tables: ClosedTables, asked: Sequence[Asked], config: Any, inputs: Inputs, draw: Draw) -> list[Outcome]:
    """The outcome of each that is asked."""
    closed = tables.closed
    sizes = dict(sorted(closed.sizes(config).items()))
    random = draw.generator()
    chosen = set(drawn(sizes, WHOLE_SECONDS / closed.seconds, random, draw.everything))
    sets = [_Set(tables, one, config, sizes) for one in asked if not isinstance(one, Again)]
    methods = [_Method(tables, one, config, sizes, random, draw) for one in asked if isinstance(one, Again)]
    try:
        for label, rows in _classes(tables, sizes, config, inputs):
            one = Class(tables, label, rows, draw, random)
            for own in sets if label in chosen else ():
                own.try_class(one)
            for method in methods:
                method.try_class(config, one)
        for own in sets if len(chosen) == len(sizes) else ():
            own.compare_totals(inputs)
    except RowFaultError as error:
        for blamed in sets or methods:
            blamed.tried = blamed.tried._replace(fault=blamed.tried.fault or str(error))
    every: list[_Set | _Method] = [*sets, *methods]
    found = {one.asked: one.tried for one in every}
    return [Outcome(min(cases, of), of, fault) for cases, of, fault in map(found.__getitem__, asked)]


class _Set:
    """States whose equations are tried, with all that the dataset holds about them.

    tried: so far, with the first fault.
    """

    def __init__(self, tables: ClosedTables, asked: Closed | Classes, config: Any, sizes: Mapping[Label, int]) -> None:
        self.tables, self.asked, self.labels = tables, asked, tables.classes(asked, config)
        self.tried = Tried(0, sum(size for label, size in sizes.items() if label in self.labels))
        self.totals = [table for table in tables.totals if tables.set_of(table) == asked]
        self.with_key = asked == tables.closed and self.tried.of != tables.closed.keys(config)
        self.sums = {
            table.name: _Sums(table, tables.closed)
            for table in self.totals
            if isinstance(table.rows, Totals) and not isinstance(table.rows.of, str)
        }

    def try_class(self, one: "Class") -> None:
        """Try all equations of a class, if it is of these states and no fault was found before."""
        if one.label not in self.labels or self.tried.fault:
            return
        try:
            one.check(self.asked, self.with_key)
            for sums in self.sums.values():
                sums.add(one)
            self.tried = self.tried._replace(cases=self.tried.cases + len(one))
        except RowFaultError as error:
            self.tried = self.tried._replace(fault=str(error))

    def compare_totals(self, inputs: Inputs) -> None:
        """Compare the tables of totals."""
        try:
            if not self.tried.fault:
                _compare_totals(self.totals, self.sums, inputs)
        except RowFaultError as error:
            self.tried = self.tried._replace(fault=str(error))


class _Method:
    """A second method: the classes whose rows it derives, those that are drawn for it, and what it has tried."""

    def __init__(
        self,
        tables: ClosedTables,
        asked: Again,
        config: Any,
        sizes: Mapping[Label, int],
        random: np.random.Generator,
        draw: Draw,
    ) -> None:
        self.asked, self.labels, self.tried = asked, tables.of_method(asked, config), Tried(0, 0)
        own = {label: size for label, size in sizes.items() if label in self.labels}
        self.drawn = set(drawn(own, asked.states, random, draw.everything))

    def try_class(self, config: Any, one: "Class") -> None:
        """Show a class to it, if it derives rows of it and has found no fault before."""
        if one.label in self.labels and not self.tried.fault:
            try:
                found = self.asked.method(config, one, one.label in self.drawn)
            except (RowFaultError, ValueError) as error:  # such as groups that moves leave
                found = Tried(0, len(one), str(error))
            self.tried = Tried(self.tried.cases + found.cases, self.tried.of + found.of, found.fault)


def drawn(sizes: Mapping[Label, int], most: float, random: np.random.Generator, everything: bool) -> Iterator[Label]:
    """Draw classes of ``most`` states in all, or of as many as the smallest has, or take all."""
    labels, most = list(sizes), max(most, min(sizes.values(), default=0))
    for place in random.permutation(len(labels)).tolist():
        if everything or sizes[labels[place]] <= most:
            most -= sizes[labels[place]]
            yield labels[place]


def _classes(
    tables: ClosedTables, sizes: Mapping[Label, int], config: Any, inputs: Inputs
) -> Iterator[tuple[Label, dict[str, NDArray[Any]]]]:
    """Yield every class with all its rows, once all ranges of keys are read.

    Columns of tables and arrays of some classes alone are there in these; those of totals that a second method derives
    are there by ``table.column``.
    """
    numbers = _Labels(tables.closed.label, list(sizes))
    reading = _Reading(tables, config, inputs, numbers, sizes)
    parts: list[list[Columns]] = [[] for _ in sizes]
    last, state = -1, tables.closed.state
    for low, high in _ranges(reading.keys):
        rows, number = reading.rows(low, high)
        states = rows[state]
        if not len(states):
            continue
        if int(states[0]) <= last or (states[1:] <= states[:-1]).any():
            raise RowFaultError(
                f"{state} does not ascend with {tables.key}, between {rows[tables.key][0]} and the next"
            )
        last = int(states[-1])
        for place, part in _split(number, rows):
            parts[place].append({name: values for name, values in part.items() if place not in reading.without[name]})
    totals = _of_totals(tables, numbers, inputs, len(sizes))
    for place, (label, size) in enumerate(sizes.items()):
        held = sum(len(part[state]) for part in parts[place])
        if held != size:
            raise RowFaultError(f"class {'-'.join(map(str, label))} has {size} states, the table has {held}")
    for place, label in enumerate(sizes):
        some, parts[place] = parts[place], []
        yield label, {name: np.concatenate([part[name] for part in some]) for name in some[0]} | totals[place]


def _ranges(keys: int) -> Iterator[tuple[int, int]]:
    for low, high in cut_range(0, keys, KEYS):
        yield low, high if high < keys else BEYOND


def _split(number: NDArray[np.int32], rows: Columns) -> Iterator[tuple[int, Columns]]:
    """The rows by their class, which is numbered."""
    order = np.argsort(number.astype(np.int16), kind="stable")
    ordered = number.take(order)
    begins = np.flatnonzero(np.diff(ordered, prepend=-1))
    sorted_rows = {name: values.take(order) for name, values in rows.items()}
    for begin, end in pairwise([*begins.tolist(), len(order)]):
        yield int(ordered[begin]), {name: values[begin:end] for name, values in sorted_rows.items()}


def _of_totals(tables: ClosedTables, numbers: "_Labels", inputs: Inputs, count: int) -> list[dict[str, NDArray[Any]]]:
    """Of each class the rows of tables of totals that have a second method, by ``table.column``."""
    found: list[dict[str, NDArray[Any]]] = [{} for _ in range(count)]
    for table in tables.totals:
        if any(isinstance(column.equation, Again) for column in table.columns):
            rows = _columns(inputs.table(table.name))
            none = {f"{table.name}.{name}": values[:0] for name, values in rows.items()}
            for own in found:
                own |= none
            number = numbers.of(rows)
            if (number < 0).any():
                raise RowFaultError(f"{table.name} has a class that is none of the run")
            for place, part in _split(number, rows):
                found[place] |= {f"{table.name}.{name}": values for name, values in part.items()}
    return found


def _columns(rows: pa.Table) -> dict[str, NDArray[Any]]:
    return {name: rows.column(name).to_numpy() for name in rows.column_names}


class _Reading:
    """Rows of all tables of the states, read range after range of keys, with the cells of arrays.

    without: by column the numbers of the classes that have no values in it.
    """

    def __init__(
        self, tables: ClosedTables, config: Any, inputs: Inputs, numbers: "_Labels", sizes: Mapping[Label, int]
    ) -> None:
        self.tables, self.inputs, self.numbers = tables, inputs, numbers
        self.keys = tables.closed.keys(config)
        self.complete = sum(sizes.values()) == self.keys
        self.without: dict[str, Set[int]] = {}
        self.wanted: dict[str, NDArray[np.bool_]] = {}
        contents: tuple[Table | Array, ...] = (*tables.states, *tables.arrays)
        for content in contents:
            labels = tables.classes(tables.set_of(content), config)
            self.wanted[content.name] = np.array([label in labels for label in sizes], np.bool_)
            missing = {place for place, label in enumerate(sizes) if label not in labels}
            for name in content.schema.names if isinstance(content, Table) else [content.name]:
                self.without.setdefault(name, missing)
        self.ends = {array.name: 0 for array in tables.arrays if isinstance(array.equation, Bounds)}

    def rows(self, low: int, high: int) -> tuple[dict[str, NDArray[Any]], NDArray[np.int32]]:
        """The rows in a range of keys, and the number of each one's class; RowFaultError where tables do not have the
        same rows, or arrays differ."""
        first, *others = self.tables.states
        found = _columns(self.inputs.table(first.name, between=(low, high)))
        key, number = found[self.tables.key], self.numbers.of(found)
        if (number < 0).any():
            raise _fault(
                self.tables.closed, found[self.tables.closed.state], number < 0, "its class is none of the run"
            )
        if self.complete and (key != np.arange(low, low + len(key))).any():
            raise RowFaultError(f"{self.tables.key} has gaps between {low} and {high}")
        for table in others:
            here = self.wanted[table.name].take(number)
            read = _columns(self.inputs.table(table.name, between=(low, high)))
            if not np.array_equal(read.pop(self.tables.key), key if here.all() else key[here]):
                raise RowFaultError(f"{table.name} and {first.name} do not have the same {self.tables.key}")
            found |= read if here.all() else {name: _spread(values, here) for name, values in read.items()}
        high = min(high, self.keys)
        for array in self.tables.arrays:
            if not self.wanted[array.name].any():
                continue
            if isinstance(array.equation, Same):
                self._compare(array, found, low, high)
            else:
                found[array.name] = self._cells(array, key, low, high)
        return found, number

    def _compare(self, array: Array, rows: Columns, low: int, high: int) -> None:
        """Compare a range of an array, of a set that has all keys, with the rows."""
        assert isinstance(array.equation, Same)
        if self.complete:
            of = array.equation.of
            values = rows[of.rpartition(".")[2]] if isinstance(of, str) else of(rows)
            wrong = self._read(array, low, high) != values
            if wrong.any():
                raise RowFaultError(f"{array.name} differs from its equation at {low + int(np.argmax(wrong))}")

    def _cells(self, array: Array, key: NDArray[Any], low: int, high: int) -> NDArray[Any]:
        """The values of an array by key, or the numbers that it is the bounds of; others are 0."""
        values = self._read(array, low, high)
        if isinstance(array.equation, Bounds):
            if int(values[0]) != self.ends[array.name]:
                raise RowFaultError(f"{array.name} does not begin at 0")
            self.ends[array.name], values = int(values[-1]), np.diff(values.astype(np.int64))
        own = values.take(key.astype(np.int64) - low)
        if np.count_nonzero(values) != np.count_nonzero(own):
            raise RowFaultError(f"{array.name} is not 0 at every key without a row, between {low} and {high}")
        return own

    def _read(self, array: Array, low: int, high: int) -> NDArray[Any]:
        more = isinstance(array.equation, Bounds)
        cells = self.inputs.array(array.name)
        if cells.shape != (self.keys + more,):
            raise RowFaultError(f"{array.name} has the shape {cells.shape}, and there are {self.keys} keys")
        return cells_of(cells, slice(low, high + more))


def _spread(values: NDArray[Any], here: NDArray[np.bool_]) -> NDArray[Any]:
    """Values of some rows in an array of all, else 0."""
    found = np.zeros(len(here), values.dtype)
    found[here] = values
    return found


class _Labels:
    """Numbers of classes by their labels."""

    def __init__(self, columns: Sequence[str], labels: Sequence[Label]) -> None:
        self.columns = columns
        self.sides = [max((label[at] for label in labels), default=0) + 1 for at in range(len(columns))]
        self.number = np.full(int(np.prod(self.sides)), -1, np.int32)
        for place, label in enumerate(labels):
            self.number[np.ravel_multi_index(label, self.sides)] = place

    def of(self, rows: Columns) -> NDArray[np.int32]:
        """The number of each row's class, -1 where it is none of these."""
        place, inside = np.zeros(len(rows[self.columns[0]]), np.int32), True
        for name, side in zip(self.columns, self.sides, strict=True):
            values = rows[name]
            inside = inside and int(values.max(initial=0)) < side
            place = place * np.int32(side) + np.minimum(values, side - 1)
        number = self.number.take(place)
        if inside:
            return number
        known = [rows[name] < side for name, side in zip(self.columns, self.sides, strict=True)]
        return np.where(np.logical_and.reduce(known), number, np.int32(-1))


class _Rows(dict[str, NDArray[Any]]):
    """Columns by name; those that are :attr:`.Closed.degrees` are made when one asks for them."""

    def __init__(self, one: "Class", rows: Columns) -> None:
        super().__init__(rows)
        self._class, self._degrees = one, dict(one.tables.closed.degrees)

    def __missing__(self, name: str) -> NDArray[Any]:
        self[name] = self._class.degrees(self._degrees[name])
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

    def degrees(self, move: Move) -> NDArray[np.int64]:
        """For each state the number of its neighbours."""
        found = np.zeros(len(self), np.int64)
        for starts, _ in folds.moves(self.pieces, move):
            found += np.bincount(starts, minlength=len(found))
        return found

    def choose(self, count: int, most: int) -> list[int]:
        """Numbers of ``most`` cases to try, of ``count``, or of all."""
        return self.draw.choose(count, most, self.random)

    def raise_where(self, wrong: NDArray[np.bool_], what: str) -> None:
        """RowFaultError for the first state that is wrong, if there is one."""
        if wrong.any():
            raise _fault(self.tables.closed, self.rows[self.tables.closed.state], wrong, what)

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

    def _step(self, column: Column | Array, equation: Step) -> None:
        stated = self.rows[column.name].astype(np.int64)
        values = np.where(stated == equation.none, folds.FAR, stated)
        wrong = (values < 0) | (values > folds.FAR)
        self.raise_where(wrong, f"{column.name} is {stated[np.argmax(wrong)]}")
        least = folds.least_neighbour(self.pieces, values.astype(np.int16), equation.move).astype(np.int64)
        expected = np.where(equation.base(self.states), 0, np.minimum(least + 1, folds.FAR))
        self._compare(column, np.where(expected == folds.FAR, equation.none, expected))

    def _compare(self, column: Column | Array, expected: NDArray[Any]) -> None:
        stated = self.rows[column.name]
        wrong = stated != expected
        if wrong.any():
            at = int(np.argmax(wrong))
            assert column.equation is not None
            both = f"{stated[at]}, and {expected[at]} by its equation: {column.equation.says}"
            self.raise_where(wrong, f"{column.name} is {both}")


class _Sums:
    """The rows that a table of totals should have, as far as they are summed up."""

    def __init__(self, table: Table, closed: Closed) -> None:
        assert isinstance(table.rows, Totals)
        self.table, self.closed, self.by = table, closed, table.rows.by
        self.within = [name for name in self.by if name not in closed.label]
        summed = [column.name for column in table.columns if isinstance(column.equation, Total | Image | Value)]
        self.parts: dict[str, list[NDArray[Any]]] = {name: [] for name in (*self.by, *summed)}

    def add(self, one: Class) -> None:
        """Add the rows of one class: one, or one for each value of the column that is the last of the key."""
        rows, closed = one.rows, self.closed
        if self.within:
            keys, number = np.unique(rows[self.within[0]], return_inverse=True)
        else:
            keys, number = np.zeros(1, np.int64), np.zeros(len(one), np.int64)
        found: dict[str, NDArray[Any]] = dict(
            zip(closed.label, (np.full(len(keys), part) for part in one.label), strict=True)
        )
        found |= {self.within[0]: keys} if self.within else {}
        for column in self.table.columns:
            equation = column.equation
            if isinstance(equation, Total):
                where = equation.where
                picked = where(one.states) if callable(where) else rows[where] if isinstance(where, str) else None
                found[column.name] = summed_up(equation, rows, picked, number, len(keys))
            elif isinstance(equation, Image):
                found[column.name] = _of_images(equation, found[equation.of], rows, closed)
            elif isinstance(equation, Value):
                found[column.name] = equation.of(found)
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
    places = np.minimum(np.searchsorted(known, images), len(known) - 1)
    wrong = known[places] != images
    if wrong.any():
        raise _fault(closed, states, wrong, "its image is not of its class")
    found: NDArray[Any] = rows[equation.column][places]
    return found


def _compare_totals(tables: Sequence[Table], expected: Mapping[str, _Sums], inputs: Inputs) -> None:
    """Compare tables of totals with their sums; those that sum up another table are made of its rows."""
    read: dict[str, Columns] = {}
    for table in tables:
        assert isinstance(table.rows, Totals)
        found = read[table.name] = _columns(inputs.table(table.name))
        above = table.rows.of
        made = _of_rows(table, read[above]) if isinstance(above, str) else expected[table.name].columns()
        if table.rows.counted:
            made = _counted_out(table, made, found[table.rows.counted])
        if len(made[table.key[0]]) != len(found[table.key[0]]):
            wanted = len(made[table.key[0]])
            raise RowFaultError(f"{table.name} has {len(found[table.key[0]])} rows, and should have {wanted}")
        for column in (column for column in table.columns if column.name in made):
            wrong = found[column.name] != made[column.name]
            if wrong.any():
                at = int(np.argmax(wrong))
                name = "-".join(str(made[key][at]) for key in table.key)
                says = column.equation.says if column.equation is not None else "its key"
                both = f"{found[column.name][at]}, and {made[column.name][at]} by its equation: {says}"
                raise RowFaultError(f"{table.name} {name}: {column.name} is {both}")


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


def _of_rows(table: Table, rows: Columns) -> dict[str, NDArray[Any]]:
    """The rows that a table of totals should have, from those of the table that it sums up."""
    assert isinstance(table.rows, Totals)
    by = np.stack([rows[name].astype(np.int64) for name in table.rows.by], axis=1)
    keys, number = np.unique(by, axis=0, return_inverse=True)
    found: dict[str, NDArray[Any]] = {name: keys[:, at] for at, name in enumerate(table.rows.by)}
    for column in table.columns:
        if isinstance(column.equation, Total):
            where = column.equation.where
            picked = rows[where] if isinstance(where, str) else None
            found[column.name] = summed_up(column.equation, rows, picked, number.ravel(), len(keys))
        elif isinstance(column.equation, Value):
            found[column.name] = column.equation.of(found)
    return found


def _fault(closed: Closed, states: NDArray[Any], wrong: NDArray[np.bool_], what: str) -> RowFaultError:
    return RowFaultError(f"{closed.text(int(states[np.argmax(wrong)]))}: {what}")
