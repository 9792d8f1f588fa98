"""The equations of ranked states, tried at every row: which states there are, least moves, values, and totals by rank.

Rows are of the least image of a state. So a value is written at the numbers of all images of its row, and is looked up
there: nothing that moves lead to has to be brought into a normal form. Which states there are is one equation of bits
(:mod:`.bitmaps`), over these numbers. Of states with too many numbers some rows are drawn, and their neighbours are
looked up among the rows.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spec.check import Draw, Outcome, by_folders, places_among
from boardspace.spec.equations import BitSet, Columns, Orbit, Ranked, RankedStates, RowFaultError, Step, Totals, Value
from boardspace.spec.space import Inputs, Space, Table
from boardspace.verify.bitmaps import Moved
from boardspace.verify.closed import WHOLE_SECONDS
from boardspace.verify.one_class import unlike
from boardspace.verify.totals import summed_rows

DRAWN = 2_000
"""Rows of a rank that are tried of larger ones."""
SECONDS_A_ROW = 1e-6
MOST_NUMBERS = 1 << 31
"""A byte is held for each."""
AT_ONCE, STEPS_AT_ONCE = 1 << 15, 1 << 17
"""Rows that are tried together: images stay in a core's cache; steps of few rows would be many small ones."""
BITS_AT_ONCE = 1 << 24
NONE = 255
"""No moves lead there."""
Words = NDArray[np.uint64]
Ranks = Mapping[int, dict[str, NDArray[Any]]]
"""Rows by rank, each with all columns."""


@dataclass(frozen=True)
class RankedTables:
    """Tables of a dataset on the same problems: sets of states, each after that which it is within, and totals."""

    sets: tuple[Table, ...]
    totals: tuple[Table, ...]

    @classmethod
    def of(cls, space: Space, first: Table) -> "RankedTables":
        """Find them among the tables of a space, by the set that is within no other."""
        others = [table for table in space.tables if isinstance(table.rows, Ranked) and table.rows.within == first.name]
        totals = [table for table in space.tables if isinstance(table.rows, Totals) and table.rows.of == first.rows]
        return cls((first, *others), tuple(totals))

    @property
    def first(self) -> Ranked:
        """The set that is within no other."""
        assert isinstance(self.sets[0].rows, Ranked)
        return self.sets[0].rows


def outcome(tables: RankedTables, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """The outcome of all equations of these tables: rows that were tried, of all."""
    problems = {problem.name: problem for problem in tables.first.problems(config)}
    read = {table.name: _read(table, inputs) for table in tables.sets}
    totals = {table.name: inputs.table(table.name) for table in tables.totals}
    count = sum(len(rows[tables.first.state]) for parts in read.values() for rows in parts.values())
    whole = draw.everything or count * SECONDS_A_ROW <= WHOLE_SECONDS
    tried, random = 0, draw.generator()
    try:
        _refuse_others(tables, problems, read, totals)
        for name, problem in problems.items():
            sets: dict[str, _Set] = {}
            for table in tables.sets:
                none = _columns(table.schema.empty_table())
                ranks = {rank: read[table.name].get((name, rank), none) for rank in problem.ranks}
                assert isinstance(table.rows, Ranked)
                one = sets[table.name] = _Set(problem, table, ranks, sets.get(table.rows.within))
                tried += one.check(whole, draw, random)
            for table in tables.totals:
                _compare(table, problem, list(sets.values()), totals[table.name])
    except RowFaultError as error:
        return Outcome(tried, count, str(error))
    return Outcome(tried, count)


def _read(table: Table, inputs: Inputs) -> dict[tuple[Any, ...], dict[str, NDArray[Any]]]:
    """The rows by problem and rank; copied, so that the names of problems, long texts at every row, are let go."""
    parts = by_folders(inputs.table(table.name), [column.name for column in table.folders])
    return {key: _columns(rows.select([column.name for column in table.columns])) for key, rows in parts.items()}


def _columns(rows: pa.Table) -> dict[str, NDArray[Any]]:
    return {name: np.array(rows.column(name).to_numpy()) for name in rows.column_names}


def _refuse_others(
    tables: RankedTables,
    problems: Mapping[str, RankedStates],
    read: Mapping[str, Mapping[tuple[Any, ...], Columns]],
    totals: Mapping[str, pa.Table],
) -> None:
    """RowFaultError for rows of no problem, or of a rank that there cannot be."""
    for table in tables.sets:
        for name, rank in read[table.name]:
            if name not in problems or rank not in problems[name].ranks:
                raise RowFaultError(f"{table.name}: {name}, {table.folders[1].name} {rank} is none of the config's")
    for table in tables.totals:
        others = set(totals[table.name].column(table.key[0]).to_pylist()) - problems.keys()
        if others:
            raise RowFaultError(f"{table.name}: {min(others)} is none of the config's")


class _Set:
    """One set of states of a problem, by rank.

    within: the set that all of its states are of.
    base: uint64 (1), the state with the value 0.
    bits: of the numbers of all states; None where there are too many numbers.
    """

    def __init__(self, problem: RankedStates, table: Table, ranks: Ranks, within: "_Set | None") -> None:
        assert isinstance(table.rows, Ranked)
        self.problem, self.table, self.ranks, self.within = problem, table, ranks, within
        self.state, self.back = table.rows.state, table.rows.back
        self.step = next(column for column in table.columns if isinstance(column.equation, Step))
        assert isinstance(self.step.equation, Step)
        self.base = np.array([self.step.equation.base(problem)], np.uint64)
        self.bits: Words | None = None

    def check(self, whole: bool, draw: Draw, random: np.random.Generator) -> int:
        """Try all equations; return the number of rows that were tried. RowFaultError for the first fault."""
        dense = self.problem.numbers_below <= MOST_NUMBERS
        values = np.full(self.problem.numbers_below, NONE, np.uint8) if dense else None
        for rank, rows in self.ranks.items():
            for part in _parts(rows):
                self._try_rows(rank, part, values)
        if values is not None:
            self.bits = _bits_of(values)
            self._try_bits(self.bits)
        tried = 0
        for rank, rows in self.ranks.items():
            length = len(rows[self.state])
            if not (whole and dense) and length > DRAWN:
                chosen = draw.choose(length, DRAWN, random)
                rows = {name: column[chosen] for name, column in rows.items()}
            tried += len(rows[self.state])
            for part in _parts(rows, STEPS_AT_ONCE):
                self._try_step(rank, part, values)
        return tried

    def _try_rows(self, rank: int, rows: Columns, values: NDArray[np.uint8] | None) -> None:
        """Try what a row says by itself, and write its value at the numbers of all images."""
        states = rows[self.state]
        self._refuse(rank, rows, self.problem.rank(states) != rank, f"it does not have {rank}")
        self._refuse(rank, rows, rows[self.step.name] == NONE, f"{self.step.name} is {NONE}")
        least, same = states.copy(), np.zeros(len(states), np.int64)
        count = 0
        for image in self.problem.images(states):
            np.minimum(least, image, out=least)
            same += image == states
            count += 1
            if values is not None:
                values[self.problem.numbers(image)] = rows[self.step.name]
        self._refuse(rank, rows, least != states, "it is not the least of its images")
        for column in self.table.columns:
            if isinstance(column.equation, Orbit):
                self._refuse(rank, rows, *unlike(column, rows[column.name], count // same))
            elif isinstance(column.equation, Value):
                values = column.equation.of(self.problem)(states)
                self._refuse(rank, rows, *unlike(column, rows[column.name], values))

    def _try_bits(self, bits: Words) -> None:
        """Try that these states, with all images, are all of the set."""
        problem, base = self.problem, self.base
        if self.within is not None and not self.within.has(base).all():
            base = base[:0]
        one = BitSet(self.table.name, problem.numbers(base).astype(np.uint64), problem.flips(self.back), hex)
        within = self.within.bits if self.within is not None else None
        moved = Moved(one, lambda low, high: bits[low:high], len(bits), within)
        for number in range(moved.ranges):
            fault = moved.fault(number)
            if fault:
                raise RowFaultError(f"{problem.name}: number {fault}")

    def has(self, states: Words) -> NDArray[np.bool_]:
        return self._looked_up(states) != NONE

    def _try_step(self, rank: int, rows: Columns, values: NDArray[np.uint8] | None) -> None:
        states = rows[self.state]
        if values is not None:
            least = self.problem.least(states, not self.back, values).astype(np.int64)
        else:
            least = np.full(len(states), NONE, np.int64)
            for origins, ends in self.problem.ends(states, not self.back):
                np.minimum.at(least, origins, self._looked_up(ends))
        least = np.minimum(least + 1, NONE)
        least[states == self.base[0]] = 0
        self._refuse(rank, rows, *unlike(self.step, rows[self.step.name], least))
        if values is None:
            for origins, ends in self.problem.ends(states, self.back):
                lost = ~self.has(ends) & (self.within is None or self.within.has(ends))
                wrong = np.isin(np.arange(len(states)), origins[lost])
                self._refuse(rank, rows, wrong, "a move joins it to a state of which there is no row")

    def _looked_up(self, states: Words) -> NDArray[np.uint8]:
        """The values of states, by their least images among the rows."""
        least = reduce(np.minimum, self.problem.images(states))
        found, ranks = np.full(len(states), NONE, np.uint8), self.problem.rank(states)
        for rank in set(ranks.tolist()) & self.ranks.keys():
            known, here = self.ranks[rank][self.state], np.flatnonzero(ranks == rank)
            places = places_among(least[here], known)
            found[here[places >= 0]] = self.ranks[rank][self.step.name][places[places >= 0]]
        return found

    def _refuse(self, rank: int, rows: Columns, wrong: NDArray[np.bool_], what: str) -> None:
        if wrong.any():
            state = int(rows[self.state][np.argmax(wrong)])
            where = f"{self.table.name}, {self.problem.name}, {self.table.folders[1].name} {rank}"
            raise RowFaultError(f"{where}, {self.problem.text(state)}: {what}")


def _bits_of(values: NDArray[np.uint8]) -> Words:
    """The bits of numbers that have a value; range by range, as truth values take as much memory as the values."""
    bits = np.zeros(-(-len(values) // 64) * 8, np.uint8)
    for low in range(0, len(values), BITS_AT_ONCE):
        some = np.packbits(values[low : low + BITS_AT_ONCE] != NONE, bitorder="little")
        bits[low // 8 : low // 8 + len(some)] = some
    return bits.view(np.uint64)


def _parts(rows: Columns, size: int = AT_ONCE) -> Iterator[dict[str, NDArray[Any]]]:
    length = len(next(iter(rows.values())))
    for low in range(0, length, size):
        yield {name: column[low : low + size] for name, column in rows.items()}


def _are_in(states: Words, some: Words) -> NDArray[np.bool_]:
    """True for those of ascending states that are among others, which are fewer."""
    found = np.zeros(len(states), np.bool_)
    places = places_among(some, states)
    found[places[places >= 0]] = True
    return found


def _compare(table: Table, problem: RankedStates, sets: Sequence[_Set], found: pa.Table) -> None:
    first, others = sets[0], sets[1:]
    name, rank_name = table.key
    there = {row[rank_name]: row for row in found.to_pylist() if row[name] == problem.name}
    held = {rank: rows for rank, rows in first.ranks.items() if len(rows[first.state])}
    if there.keys() != held.keys():
        wrong = min(there.keys() ^ held.keys())
        raise RowFaultError(f"{table.name}, {problem.name}: {rank_name} {wrong} is there, or not, against the rows")
    for rank, rows in held.items():
        rows |= {one.table.name: _are_in(rows[first.state], one.ranks[rank][one.state]) for one in others}
        made = summed_rows(table, rows, (), rows)
        for column in (column for column in table.columns if column.name in made):
            _, what = unlike(column, np.array([there[rank][column.name]]), made[column.name])
            if what:
                raise RowFaultError(f"{table.name}, {problem.name}, {rank_name} {rank}: {what}")
