"""The equations of a closed set of states, tried at every row of its tables: one pass, class by class.

Rows are read range after range of keys, every table and array of the set at once, compared as far as a range goes, and
put by class. Then each class is decoded by the second rules, and its equations are tried on all of it.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spec.check import Draw, Outcome
from boardspace.spec.equations import (
    Again,
    Beside,
    Bounds,
    Classes,
    Closed,
    Columns,
    Label,
    RowFaultError,
    Same,
    Totals,
    Tried,
)
from boardspace.spec.space import Array, Inputs, Table, cut_range
from boardspace.verify.arrays import cells_of
from boardspace.verify.one_class import Class, ClosedTables, fault_of, words_of
from boardspace.verify.totals import Sums, columns_of, compare_totals

KEYS = 1 << 22
"""Keys of a range: about 200 MB of rows."""
LISTS = 1 << 19
"""Keys whose lists are added up together."""
BEYOND = 1 << 62
"""Above every key."""
WHOLE_SECONDS = 60.0
"""Sets that take no longer are tried whole."""

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
            table.name: Sums(table, tables.closed)
            for table in self.totals
            if isinstance(table.rows, Totals) and not isinstance(table.rows.of, str)
        }

    def try_class(self, one: Class) -> None:
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
        try:
            if not self.tried.fault:
                compare_totals(self.totals, self.sums, inputs)
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

    def try_class(self, config: Any, one: Class) -> None:
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
    for low, high in cut_range(0, reading.keys, KEYS):
        rows, number = reading.rows(low, high if high < reading.keys else BEYOND)
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
            rows = columns_of(inputs.table(table.name))
            none = {f"{table.name}.{name}": values[:0] for name, values in rows.items()}
            for own in found:
                own |= none
            number = numbers.of(rows)
            if (number < 0).any():
                raise RowFaultError(f"{table.name} has a class that is none of the run")
            for place, part in _split(number, rows):
                found[place] |= {f"{table.name}.{name}": values for name, values in part.items()}
    return found


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
            for name in content.schema.names if isinstance(content, Table) else [_column_of(content)]:
                self.without.setdefault(name, missing)
        self.ends = {array.name: 0 for array in tables.arrays if isinstance(array.equation, Bounds)}

    def rows(self, low: int, high: int) -> tuple[dict[str, NDArray[Any]], NDArray[np.int32]]:
        """The rows in a range of keys, and the number of each one's class; RowFaultError where tables do not have the
        same rows, or arrays differ."""
        first, *others = self.tables.states
        found = columns_of(self.inputs.table(first.name, between=(low, high)))
        key, number = found[self.tables.key], self.numbers.of(found)
        if (number < 0).any():
            raise fault_of(
                self.tables.closed, found[self.tables.closed.state], number < 0, "its class is none of the run"
            )
        if self.complete and (key != np.arange(low, low + len(key))).any():
            raise RowFaultError(f"{self.tables.key} has gaps between {low} and {high}")
        for table in others:
            here = self.wanted[table.name].take(number)
            read = columns_of(self.inputs.table(table.name, between=(low, high)))
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
                found[_column_of(array)] = self._cells(array, key, low, high)
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
        """The values of an array by key, or the numbers that it is the bounds of, or what its lists add up to; others
        are 0."""
        if isinstance(array.equation, Beside):
            return self._sums(array, array.equation, low, high)[key.astype(np.int64) - low]
        values, place = self._read(array, low, high), key.astype(np.int64) - low
        if isinstance(array.equation, Bounds):
            if int(values[0]) != self.ends[array.name]:
                raise RowFaultError(f"{array.name} does not begin at 0")
            self.ends[array.name] = int(values[-1])
            own = values.take(place + 1).astype(np.int64) - values.take(place).astype(np.int64)
            others = np.count_nonzero(values[1:] != values[:-1]) - np.count_nonzero(own)
        else:
            own = values.take(place)
            others = np.count_nonzero(values) - np.count_nonzero(own)
        if others:
            raise RowFaultError(f"{array.name} is not 0 at every key without a row, between {low} and {high}")
        return own

    def _sums(self, array: Array, equation: Beside, low: int, high: int) -> NDArray[np.uint64]:
        """For each key of a range the sum of the words of the keys that an array lists for it."""
        bounds = cells_of(self.inputs.array(equation.bounds), slice(low, high + 1)).astype(np.int64)
        cells, found = self.inputs.array(array.name), np.empty(high - low, np.uint64)
        length, sizes = cells.shape[0], np.diff(bounds)
        if (sizes < 0).any() or (bounds[-1] != length if high == self.keys else bounds[-1] > length):
            raise RowFaultError(f"{array.name} has {length} entries, and other bounds in {equation.bounds}")
        for first, last in cut_range(0, high - low, LISTS):
            origins = np.repeat(np.arange(low + first, low + last), sizes[first:last])
            keys = origins + cells_of(cells, slice(int(bounds[first]), int(bounds[last])))
            if ((keys[1:] <= keys[:-1]) & (origins[1:] == origins[:-1])).any():
                raise RowFaultError(f"{array.name} does not ascend at each key, between {low + first} and {low + last}")
            ends = bounds[first : last + 1] - bounds[first]
            found[first:last] = np.diff(np.append(np.uint64(0), np.cumsum(words_of(keys)))[ends])
        return found

    def _read(self, array: Array, low: int, high: int) -> NDArray[Any]:
        more = isinstance(array.equation, Bounds)
        cells = self.inputs.array(array.name)
        if cells.shape != (self.keys + more,):
            raise RowFaultError(f"{array.name} has the shape {cells.shape}, and there are {self.keys} keys")
        return cells_of(cells, slice(low, high + more))


def _column_of(array: Array) -> str:
    """The name of what is read of an array among the columns of its states."""
    return array.equation.sums(array.name) if isinstance(array.equation, Beside) else array.name


def _spread(values: NDArray[Any], here: NDArray[np.bool_]) -> NDArray[Any]:
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
