"""Comparing tables with what they should be, and joining outcomes: shared by the checks of this space."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
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


def columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Rows as columns."""
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}


def array_of(table: pa.Table, name: str) -> NDArray[Any]:
    """A column as an array."""
    values: NDArray[Any] = table.column(name).to_numpy()
    return values
