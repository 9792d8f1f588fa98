"""Comparing tables with what they should be, and joining outcomes: shared by the checks of this space."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spec.space import Outcome

Row = Mapping[str, Any]


def joined(outcomes: Iterable[tuple[str, Outcome]]) -> Outcome:
    """The outcomes of several problems, given by what they are of, as one; they end at the first fault."""
    cases, of, left = 0, 0, []
    for name, one in outcomes:
        cases, of = cases + one.cases, of + one.of
        if one.fault:
            return Outcome(cases, of, f"{name}: {one.fault}")
        left += [f"{name}: {one.left}"] if one.left else []
    return Outcome(cases, of, left="; ".join(left))


def compared(found: pa.Table, expected: Sequence[Row], key: Sequence[str]) -> Outcome:
    """A small table against all rows that it should have, in order; columns that these do not give are left out."""
    rows = found.to_pylist()
    for row, other in zip(rows, expected, strict=False):
        wrong = [name for name, value in other.items() if row[name] != value]
        if wrong:
            where = ", ".join(f"{name} {other[name]}" for name in key)
            fault = f"{where}: {wrong[0]} is {other[wrong[0]]}, the table says {row[wrong[0]]}"
            return Outcome(len(expected), len(expected), fault)
    fault = "" if len(rows) == len(expected) else f"there are {len(expected)} rows, the table has {len(rows)}"
    return Outcome(len(expected), len(expected), fault)


def by_folders(table: pa.Table, names: Sequence[str]) -> dict[tuple[Any, ...], pa.Table]:
    """The rows of a table by the values of some columns, in which it is sorted; ValueError where it is not."""
    changes = np.zeros(table.num_rows, bool)
    for name in names:
        _mark_changes(table.column(name), changes)
    begins = np.flatnonzero(changes).tolist()
    found: dict[tuple[Any, ...], pa.Table] = {}
    for begin, end in pairwise([*begins, table.num_rows]):
        key = tuple(table.column(name)[begin].as_py() for name in names)
        if key in found:
            raise ValueError(f"rows of {', '.join(map(str, key))} do not stand together")
        found[key] = table.slice(begin, end - begin)
    return found


def _mark_changes(column: pa.ChunkedArray, changes: NDArray[np.bool_]) -> None:
    """Mark the rows whose value differs from that of the row before, and the first; chunk by chunk, so that the many
    equal texts of a column of folders are not copied."""
    begin, before = 0, None
    for chunk in (chunk for chunk in column.chunks if len(chunk)):
        end = begin + len(chunk)
        changes[begin] |= not begin or before is None or chunk[0].as_py() != before
        differs = pc.fill_null(pc.not_equal(chunk.slice(1), chunk.slice(0, len(chunk) - 1)), True)
        changes[begin + 1 : end] |= differs.to_numpy(zero_copy_only=False)
        begin, before = end, chunk[-1].as_py()


def array_of(table: pa.Table, name: str) -> NDArray[Any]:
    """A column as an array."""
    values: NDArray[Any] = table.column(name).to_numpy()
    return values


def is_ascending(words: NDArray[Any]) -> bool:
    """Return whether each is above the one before it."""
    return bool((words[1:] > words[:-1]).all())
