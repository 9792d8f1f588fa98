"""The equations of a closed set of states, tried at every row of its tables: one pass, class by class.

Rows are read range after range of keys, every table and array of the set at once, compared as far as a range goes, and
put by class. Then each class is decoded by the second rules, and its equations are tried on all of it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spec.check import Draw, Outcome
from boardspace.spec.equations import (
    Again,
    Closed,
    Columns,
    Image,
    Joined,
    Key,
    Most,
    Pieces,
    Rank,
    Same,
    States,
    Step,
    Total,
    Totals,
    Value,
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
Label = tuple[int, ...]


class RowFaultError(Exception):
    """A row at which an equation does not hold; the text names it, the equation, and both sides."""


@dataclass(frozen=True)
class ClosedTables:
    """All that a dataset holds about a closed set.

    states: tables with a row for each state, that which names them first.
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
        states = [table for table in space.tables if table.rows == closed]
        states.sort(key=lambda table: table.name != closed.table)
        totals = [table for table in space.tables if isinstance(table.rows, Totals) and table.rows.of == closed]
        names = {table.name for table in totals}
        totals += [table for table in space.tables if isinstance(table.rows, Totals) and table.rows.of in names]
        arrays = tuple(array for array in space.arrays if array.rows == closed)
        return cls(closed, tuple(states), tuple(totals), arrays)

    @property
    def key(self) -> str:
        """The key column of the states' tables."""
        return self.states[0].key[0]

    def columns(self) -> Iterator[Column]:
        """The columns of the states' tables, but for the key."""
        return (column for table in self.states for column in table.columns if column.name != self.key)


def outcomes(
    tables: ClosedTables, asked: Sequence[Again | None], config: Any, inputs: Inputs, draw: Draw
) -> list[Outcome]:
    """The outcomes of what is asked: None for all equations, or one second method of its own."""
    closed = tables.closed
    sizes = dict(sorted(closed.sizes(config).items()))
    count, random = sum(sizes.values()), draw.generator()
    chosen = set(drawn(sizes, WHOLE_SECONDS / closed.seconds, random, draw.everything))
    methods = {one: set(drawn(sizes, one.states, random, draw.everything)) for one in asked if one is not None}
    tried, faults = dict.fromkeys(asked, 0), dict.fromkeys(asked, "")
    try:
        with_key = sum(sizes.values()) != closed.keys(config)
        expected = {table.name: _Sums(table, closed) for table in tables.totals}
        for label, rows in _classes(tables, sizes, config, inputs):
            states = _decoded(closed, rows)
            if None in asked and label in chosen:
                one = _Class(tables, rows, states, with_key)
                one.check()
                for table in tables.totals:
                    if table.rows is not None and table.rows.of == closed:  # type: ignore[union-attr]
                        expected[table.name].add(label, rows, states, closed)
                tried[None] += len(rows[tables.key])
            for again, classes in methods.items():
                if not faults[again]:
                    found = again.method(config, states, rows, random, label in classes)
                    tried[again], faults[again] = tried[again] + found.rows, found.fault
        if None in asked and len(chosen) == len(sizes):
            _compare_totals(tables, expected, inputs)
    except RowFaultError as error:
        faults = {one: faults[one] or (str(error) if one is None or None not in asked else "") for one in asked}
    return [Outcome(min(tried[one], count), count, faults[one]) for one in asked]


def drawn(sizes: Mapping[Label, int], most: float, random: np.random.Generator, everything: bool) -> Iterator[Label]:
    """Draw classes of ``most`` states in all, or take all."""
    labels = list(sizes)
    for place in random.permutation(len(labels)).tolist():
        if everything or sizes[labels[place]] <= most:
            most -= sizes[labels[place]]
            yield labels[place]


def _classes(
    tables: ClosedTables, sizes: Mapping[Label, int], config: Any, inputs: Inputs
) -> Iterator[tuple[Label, dict[str, NDArray[Any]]]]:
    """Yield every class with all its rows, once all ranges of keys are read."""
    parts: list[list[Columns]] = [[] for _ in sizes]
    numbers = _Labels(tables.closed.label, list(sizes))
    last, state, keys = -1, tables.closed.state, tables.closed.keys(config)
    complete = sum(sizes.values()) == keys
    for low, high in _ranges(keys):
        rows = _read(tables, inputs, (low, high))
        if complete:
            first = np.arange(low, low + len(rows[tables.key]))
            if (rows[tables.key] != first).any():
                raise RowFaultError(f"{tables.key} has gaps between {low} and {high}")
            _compare_arrays(tables, rows, inputs, low, keys)
        states = rows[state]
        if not len(states):
            continue
        if int(states[0]) <= last or (states[1:] <= states[:-1]).any():
            raise RowFaultError(
                f"{state} does not ascend with {tables.key}, between {rows[tables.key][0]} and the next"
            )
        last, number = int(states[-1]), numbers.of(rows)
        if (number < 0).any():
            raise _fault(tables.closed, states, number < 0, "its class is none of the run")
        order = np.argsort(number.astype(np.int16), kind="stable")
        bounds = np.searchsorted(number.take(order), np.arange(len(sizes) + 1))
        sorted_rows = {name: values.take(order) for name, values in rows.items()}
        for place in np.flatnonzero(np.diff(bounds)).tolist():
            part = slice(bounds[place], bounds[place + 1])
            parts[place].append({name: values[part] for name, values in sorted_rows.items()})
    for place, (label, size) in enumerate(sizes.items()):
        held = sum(len(part[state]) for part in parts[place])
        if held != size:
            raise RowFaultError(f"class {'-'.join(map(str, label))} has {size} states, the table has {held}")
    for place, label in enumerate(sizes):
        some, parts[place] = parts[place], []
        yield label, {name: np.concatenate([part[name] for part in some]) for name in some[0]}


def _ranges(keys: int) -> Iterator[tuple[int, int]]:
    for low, high in cut_range(0, keys, KEYS):
        yield low, high if high < keys else BEYOND


def _read(tables: ClosedTables, inputs: Inputs, between: tuple[int, int]) -> dict[str, NDArray[Any]]:
    """The rows of all tables of the states in a range of keys; RowFaultError where their keys differ."""
    found: dict[str, NDArray[Any]] = {}
    for table in tables.states:
        read = inputs.table(table.name, between=between)
        keys = read.column(tables.key).to_numpy()
        if found and not np.array_equal(found[tables.key], keys):
            raise RowFaultError(f"{table.name} and {tables.states[0].name} do not have the same {tables.key}")
        found |= {name: read.column(name).to_numpy() for name in read.column_names}
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


def _decoded(closed: Closed, rows: Columns) -> States:
    states = closed.states(rows[closed.state])
    if not states.legal.all():
        raise _fault(closed, rows[closed.state], ~states.legal, "it is no state, by the second rules")
    return states


@dataclass
class _Class:
    """A class whose equations are tried.

    pieces: of its states, made when an equation first asks for moves.
    """

    tables: ClosedTables
    rows: Columns
    states: States
    with_key: bool
    _pieces: list[Pieces] = field(default_factory=list)

    @property
    def pieces(self) -> list[Pieces]:
        """All slides of its pieces."""
        if not self._pieces:
            self._pieces = list(self.states.pieces())
        return self._pieces

    def check(self) -> None:
        """Try all equations of its rows; RowFaultError for the first that does not hold."""
        key = self.tables.states[0].columns[0]
        if self.with_key and isinstance(key.equation, Key) and key.equation.number is not None:
            self._compare(key, key.equation.number(self.states))
        made: dict[Any, Any] = {}
        for column in self.tables.columns():
            equation = column.equation
            if isinstance(equation, Value):
                if equation.of not in made:  # several columns may be of one function
                    made[equation.of] = equation.of(self.states)
                values = made[equation.of]
                self._compare(column, values[column.name] if isinstance(values, Mapping) else values)
            elif isinstance(equation, Joined):
                labels = folds.components(self.pieces, len(self.rows[column.name]))
                self._compare(column, folds.numbered(labels))
            elif isinstance(equation, Rank):
                self._compare(column, folds.places_within(self.rows[equation.within]))
            elif isinstance(equation, Step):
                self._step(column, equation)

    def _step(self, column: Column, equation: Step) -> None:
        stated = self.rows[column.name].astype(np.int64)
        values = np.where(stated == equation.none, folds.FAR, stated)
        wrong = (values < 0) | (values > folds.FAR)
        if wrong.any():
            raise self._fault(wrong, f"{column.name} is {stated[np.argmax(wrong)]}")
        least = folds.least_neighbour(self.pieces, values.astype(np.int16), equation.move).astype(np.int64)
        expected = np.where(equation.base(self.states), 0, np.minimum(least + 1, folds.FAR))
        self._compare(column, np.where(expected == folds.FAR, equation.none, expected))

    def _compare(self, column: Column, expected: NDArray[Any]) -> None:
        stated = self.rows[column.name]
        wrong = stated != expected
        if wrong.any():
            at = int(np.argmax(wrong))
            equation = column.equation
            assert equation is not None
            what = f"{column.name} is {stated[at]}, and {expected[at]} by its equation: {equation.says}"
            raise self._fault(wrong, what)

    def _fault(self, wrong: NDArray[np.bool_], what: str) -> RowFaultError:
        return _fault(self.tables.closed, self.rows[self.tables.closed.state], wrong, what)


class _Sums:
    """The rows that a table of totals should have, as far as they are summed up."""

    def __init__(self, table: Table, closed: Closed) -> None:
        assert isinstance(table.rows, Totals)
        self.table = table
        self.within = [name for name in table.rows.by if name not in closed.label]
        self.parts: dict[str, list[NDArray[Any]]] = {column.name: [] for column in table.columns}

    def add(self, label: Label, rows: Columns, states: States, closed: Closed) -> None:
        """Add the rows of one class: one, or one for each value of the column that is the last of the key."""
        if self.within:
            keys, number = np.unique(rows[self.within[0]], return_inverse=True)
        else:
            keys, number = np.zeros(1, np.int64), np.zeros(len(rows[closed.state]), np.int64)
        found: dict[str, NDArray[Any]] = dict(
            zip(closed.label, (np.full(len(keys), one) for one in label), strict=True)
        )
        found |= {self.within[0]: keys} if self.within else {}
        for column in self.table.columns:
            equation = column.equation
            if isinstance(equation, Total):
                where = equation.where
                picked = where(states) if callable(where) else rows[where] if isinstance(where, str) else None
                found[column.name] = summed_up(equation, rows, picked, number, len(keys))
            elif isinstance(equation, Image):
                found[column.name] = _of_images(equation, found[equation.of], rows, closed)
        for name, some in self.parts.items():
            some.append(found[name])

    def columns(self) -> dict[str, NDArray[Any]]:
        """All rows, by column."""
        return {name: np.concatenate(some) if some else np.empty(0) for name, some in self.parts.items()}


def summed_up(
    total: Total, rows: Columns, picked: NDArray[np.bool_] | None, number: NDArray[Any], count: int
) -> NDArray[Any]:
    """A total of each of ``count`` sets of rows, which are numbered; of those ``picked``, if not of all."""
    if isinstance(total.where, Most):
        values = rows[total.where.column]
        most = np.full(count, np.iinfo(values.dtype).min, values.dtype)
        np.maximum.at(most, number, values)
        picked = values == most[number]
    if picked is not None:
        number = number[picked]
    if total.how in ("count", "any"):
        found = np.bincount(number, minlength=count)
        return found > 0 if total.how == "any" else found
    values = rows[total.of] if picked is None else rows[total.of][picked]
    if total.how == "sum":
        sums = np.zeros(count, np.int64)
        weights = 1 if not total.times else rows[total.times] if picked is None else rows[total.times][picked]
        np.add.at(sums, number, values.astype(np.int64) * weights)
        return sums
    bounds = np.iinfo(values.dtype)
    extreme = np.full(count, bounds.max if total.how == "least" else bounds.min, values.dtype)
    (np.minimum if total.how == "least" else np.maximum).at(extreme, number, values)
    return extreme


def _of_images(equation: Image, states: NDArray[Any], rows: Columns, closed: Closed) -> NDArray[Any]:
    images, known = equation.image(states), rows[closed.state]
    places = np.minimum(np.searchsorted(known, images), len(known) - 1)
    wrong = known[places] != images
    if wrong.any():
        raise _fault(closed, states, wrong, "its image is not of its class")
    found: NDArray[Any] = rows[equation.column][places]
    return found


def _compare_totals(tables: ClosedTables, expected: Mapping[str, _Sums], inputs: Inputs) -> None:
    """Compare tables of totals with their sums; those that sum up another table are made of its rows."""
    read: dict[str, Columns] = {}
    for table in tables.totals:
        assert isinstance(table.rows, Totals)
        found = inputs.table(table.name)
        read[table.name] = {name: found.column(name).to_numpy() for name in found.column_names}
        above = table.rows.of
        made = _of_rows(table, read[above]) if isinstance(above, str) else expected[table.name].columns()
        if len(made[table.key[0]]) != found.num_rows:
            raise RowFaultError(f"{table.name} has {found.num_rows} rows, and should have {len(made[table.key[0]])}")
        for column in table.columns:
            wrong = read[table.name][column.name] != made[column.name]
            if wrong.any():
                at = int(np.argmax(wrong))
                name = "-".join(str(made[key][at]) for key in table.key)
                says = column.equation.says if column.equation is not None else "its key"
                both = f"{read[table.name][column.name][at]}, and {made[column.name][at]} by its equation: {says}"
                raise RowFaultError(f"{table.name} {name}: {column.name} is {both}")


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
    return found


def _compare_arrays(tables: ClosedTables, rows: Columns, inputs: Inputs, low: int, keys: int) -> None:
    """Compare a range of each array, from the key ``low`` on, with the rows of the set, which has all keys."""
    high = min(low + KEYS, keys)
    for array in tables.arrays:
        if isinstance(array.equation, Same):
            of = array.equation.of
            values = rows[of.rpartition(".")[2]] if isinstance(of, str) else of(rows)
            cells = inputs.array(array.name)
            if cells.shape != (keys,):
                raise RowFaultError(f"{array.name} has the shape {cells.shape}, and there are {keys} keys")
            wrong = cells_of(cells, slice(low, high)) != values
            if wrong.any():
                raise RowFaultError(f"{array.name} differs from its equation at {low + int(np.argmax(wrong))}")


def _fault(closed: Closed, states: NDArray[Any], wrong: NDArray[np.bool_], what: str) -> RowFaultError:
    return RowFaultError(f"{closed.text(int(states[np.argmax(wrong)]))}: {what}")
