"""Finished stages held in memory, of which one table or array is another, and the checks that find it.

A table is altered as a forger would who makes everything else agree: whoever reads it, by name or from its stage, some
shards of it or some keys, reads the altered rows; digests, receipts and counts of rows are no help.
"""

import importlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from boardspace.spec.equations import Made
from boardspace.spec.space import Check, Draw, Inputs, Space, SpaceConfig, Table
from boardspace.storage.parquet import read_tables, with_folders
from boardspace.storage.run_folder import FinishedStages
from boardspace.verify.equations import all_checks
from tests.pipeline.alterations import (
    FILLED,
    NULLED,
    all_others,
    exchanged,
    of_family,
    otherwise,
    rows_exchanged,
    with_value,
    without,
)
from tests.pipeline.finished import finished_stages
from tests.pipeline.held_classes import remembered_classes

SHARD = "written by"
"""A column beside those of a table: the stage and the shard that wrote the row."""
DRAW = Draw()
Altered = Iterator[tuple[str, str, pa.Table | None]]
"""Of which column ('' for rows), in words, and the rows altered; None where there is nothing to alter."""
Known = Callable[["FinishedRun", pa.Table], Any]


@dataclass(frozen=True)
class Held(FinishedStages):
    """Finished stages that are read once, and of which one table or array has other values.

    kept: what was read of the others.
    name: of the table or array that is another.
    values: its cells, or its rows with ``SHARD``.
    """

    kept: dict[Any, Any] = field(kw_only=True)
    name: str = field(default="", kw_only=True)
    values: Any = field(default=None, kw_only=True)

    def table(
        self, name: str, *, columns: Sequence[str] | None = None, between: tuple[Any, Any] | None = None
    ) -> pa.Table:
        if name != self.name:
            asked = (name, columns and tuple(columns), between)
            return self._once(asked, lambda: FinishedStages.table(self, name, columns=columns, between=between))
        names = [column.name for column in self.space.table(name).unfolded.columns]
        return self._between(self.values, between).select(names if columns is None else list(columns))

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
            some, wanted = shards if shards is None else tuple(shards), columns and tuple(columns)

            def read() -> pa.Table:
                return FinishedStages.read(self, stage, table, shards=shards, columns=columns, between=between)

            return self._once((stage, table, some, wanted, between), read)
        names = self.space.table(table).schema.names if columns is None else list(columns)
        receipts = self._receipts(stage) if shards is None else self._named(stage, shards)
        parts = [self.values.filter(pc.equal(self.values[SHARD], f"{stage}/{one.shard}")) for one in receipts]
        return self._between(pa.concat_tables(parts or [self.values.slice(0, 0)]), between).select(names)

    def _between(self, rows: pa.Table, between: tuple[Any, Any] | None) -> pa.Table:
        if between is None:
            return rows
        keys = rows.column(self.space.table(self.name).key[0]).to_numpy()
        return rows.filter(pa.array((between[0] <= keys) & (keys < between[1])))

    def rows(self, stage: str, table: str) -> int:
        return self.read(stage, table).num_rows if table == self.name else super().rows(stage, table)

    def array(self, path: str) -> Any:
        return self.values if path == self.name else self._once(path, lambda: FinishedStages.array(self, path)[:])

    def _once(self, asked: Any, read: Callable[[], Any]) -> Any:
        if asked not in self.kept:
            self.kept[asked] = read()
        return self.kept[asked]


class Noted:
    """What a function reads of rows or inputs, noted so that it can be asked again: the methods that it called."""

    def __init__(self, read: Any, notes: list[tuple[Callable[[Any], Any], Any]], to: Callable[[Any], Any]) -> None:
        self._read, self._notes, self._to = read, notes, to

    def __call__(self, *given: Any, **named: Any) -> Any:
        return self._noted(lambda read: read(*given, **named))

    def __getattr__(self, name: str) -> Any:
        if name == "inputs":
            return Noted(self._read.inputs, self._notes, lambda read: self._to(read).inputs)
        if name in ("whole", "draw"):
            return getattr(self._read, name)
        return lambda *given, **named: self._noted(lambda read: getattr(read, name)(*given, **named))

    def _noted(self, asked: Callable[[Any], Any]) -> Any:
        found = asked(self._read)
        self._notes.append((lambda read: asked(self._to(read)), found))
        return found


class Remembering:
    """A function of :class:`.equations.Made` that makes rows once for as long as all that it reads is the same."""

    def __init__(self, make: Callable[[Any, str, Any], Any]) -> None:
        self.make, self.made = make, dict[Any, Any]()

    def __call__(self, config: Any, name: str, at: Any) -> Any:
        asked = (name, at.whole, at.draw)
        if asked not in self.made:
            notes: list[tuple[Callable[[Any], Any], Any]] = []
            self.made[asked] = (self.make(config, name, Noted(at, notes, lambda read: read)), notes)
        rows, notes = self.made[asked]
        return rows if all(_same(read(at), found) for read, found in notes) else self.make(config, name, at)


def _same(one: Any, other: Any) -> bool:
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(_same(value, other[name]) for name, value in one.items())
    if isinstance(one, np.ndarray):
        return np.array_equal(one, other)
    return bool(one == other)


@contextmanager
def remembered(space: Space, functions: Sequence[str] = ()) -> Iterator[None]:
    """Rows of the space that checks make by hand, classes that they read, and values of some functions are made once
    for all that is the same: little of it follows from what is altered."""
    made = [one for table in space.tables for one in (table.rows, getattr(table.rows, "of", None))]
    own = {id(one): one for one in made if isinstance(one, Made)}
    by_rows = {one: Remembering(one.make) for one in own.values()}
    before = [(one, one.make, by_rows[one]) for one in own.values()]
    with pytest.MonkeyPatch.context() as patch:
        for name in functions:
            module, _, function = name.rpartition(".")
            patch.setattr(name, _by_arguments(getattr(importlib.import_module(module), function)))
        for one, _, function_of_rows in before:
            object.__setattr__(one, "make", function_of_rows)
        with remembered_classes():
            yield
        for one, make, _ in before:
            object.__setattr__(one, "make", make)


def _by_arguments(function: Callable[..., Any]) -> Callable[..., Any]:
    known = dict[str, Any]()

    def of_arguments(*given: Any) -> Any:
        asked = repr(given)
        if asked not in known:
            known[asked] = function(*given)
        return known[asked]

    return of_arguments


class FinishedRun:
    """A finished run of one space, whose tables and arrays are altered one at a time.

    faults: what the checks of the space find of the run itself, by their names; none.
    drawn: tables of which a draw may miss one row: of these all are tried, as by ``verify --all``.
    known: by column (``table.column``), the rows of which no other value passes, a truth value for each.
    """

    def __init__(
        self,
        root: Path,
        section: type[SpaceConfig],
        drawn: Sequence[str] = (),
        known: Mapping[str, Known] | None = None,
    ) -> None:
        self.drawn, self.known = drawn, known or {}
        self.config, self.stages = finished_stages(root, section)
        self.space, self.kept = self.stages.space, dict[Any, Any]()
        self.checks, self.faults = all_checks(self.space), dict[str, str]()
        self._seconds = dict[str, float]()
        for check in self.checks:
            began = time.process_time()
            self.faults[check.name] = check.run(self.config, self.held(), DRAW).fault
            self._seconds[check.name] = time.process_time() - began

    def held(self, name: str = "", values: Any = None) -> Held:
        known = self.stages
        return Held(known.folder, known.space, known.digests, known._records, kept=self.kept, name=name, values=values)

    def rows(self, name: str) -> pa.Table:
        """The rows of a table, with the columns of its folders, and ``SHARD``."""
        return self.held()._once(("rows", name), lambda: self._whole(name))

    def _whole(self, name: str) -> pa.Table:
        table, found = self.space.table(name), dict[Any, pa.Table]()
        for stage in self.stages.folder.finished_stages():
            for receipt in self.stages.record(stage).receipts:
                for file in (file for file in receipt.files if file.table == name):
                    rows = read_tables([self.stages.folder.root / file.path], table, None, None)
                    rows = with_folders(rows, table, file.path)
                    shard = pa.repeat(f"{stage}/{receipt.shard}", rows.num_rows)
                    place = (*table.folder_values(file.path).values(), file.path)
                    found[place] = rows.append_column(SHARD, shard)
        return pa.concat_tables(found[place] for place in sorted(found)).combine_chunks()

    def array(self, path: str) -> Any:
        """The cells of an array; not to be changed."""
        return self.held().array(path)

    def arrays(self, family: str) -> list[str]:
        """The paths of the arrays of a family that the run has."""
        stages = self.stages.folder.finished_stages()
        files = [file for stage in stages for one in self.stages.record(stage).receipts for file in one.files]
        return sorted({file.array for file in files if file.array and of_family(file.array, family)})

    def found(self, name: str, values: Any, column: str = "") -> str:
        """The first check that finds a table or an array of other values, '' for none: of those that say that they
        re-derive it, or the column, those that take least time first."""
        held, draw = self.held(name, values), Draw(0, name in self.drawn)
        return next((check.name for check in self._naming(name, column) if self.fault(check, held, draw)), "")

    def fault(self, check: Check, held: Inputs, draw: Draw = DRAW) -> str:
        """The fault that a check finds; what it raises is one, too, as ``verify`` says that it cannot be made."""
        try:
            return check.run(self.config, held, draw).fault
        except Exception as error:
            return f"cannot be made: {error!r}"

    def _naming(self, name: str, column: str) -> Iterator[Check]:
        for check in sorted(self.checks, key=lambda check: self._seconds[check.name]):
            for content, columns in check.columns.items():
                if of_family(name, content) and (not column or column in columns):
                    yield check

    def whole_columns(self, table: Table) -> Altered:
        """All values of each column altered, null, and none null."""
        rows, keys = self.rows(table.name), table.unfolded.key
        for column in self._checked(table):
            yield column, "all values", all_others(rows, column, column in keys)
            if rows.schema.field(column).nullable:
                for kind in (NULLED, FILLED):
                    yield column, kind, otherwise(rows, column, kind)

    def single_values(self, table: Table) -> Altered:
        """One value of each column at several places, and two of them in each other's place."""
        rows = self.rows(table.name)
        for column in self._checked(table):
            yield column, "two values", exchanged(rows, column)
            for place in self._places(table, column):
                yield column, f"row {place}", with_value(rows, column, place)

    def single_rows(self, table: Table) -> Altered:
        """Rows left out and exchanged with the row before at several places, and one more at the end."""
        rows, keys = self.rows(table.name), table.unfolded.key
        for place in self._places(table):
            yield "", f"without row {place}", without(rows, place)
            if place:
                yield "", f"row {place} exchanged", rows_exchanged(rows, [*keys, SHARD], place - 1, place)
        yield "", "row more", pa.concat_tables([rows, with_value(rows.slice(rows.num_rows - 1), keys[-1], 0)])

    def missed(self, table: Table, altered: Altered) -> list[str]:
        """The alterations that no check finds that says that it derives these columns."""
        kinds = ((column, what, rows) for column, what, rows in altered if rows is not None)
        return [
            f"{table.name}.{column}: {what}" for column, what, rows in kinds if not self.found(table.name, rows, column)
        ]

    def _checked(self, table: Table) -> list[str]:
        names = [column.name for column in table.unfolded.columns]
        return [name for name in names if f"{table.name}.{name}" not in self.space.unchecked]

    def _places(self, table: Table, column: str = "") -> list[int]:
        """A row that is drawn, and the last, of those whose value is known."""
        rows, which = self.rows(table.name), self.known.get(f"{table.name}.{column}")
        known = np.arange(rows.num_rows) if which is None else np.flatnonzero(pc.fill_null(which(self, rows), False))
        return sorted({int(np.random.default_rng(len(column)).choice(known)), int(known[-1])})
