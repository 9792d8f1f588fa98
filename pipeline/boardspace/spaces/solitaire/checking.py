"""What the checks of this space share."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spec.space import Outcome

Row = Mapping[str, Any]


def joined(outcomes: Iterable[tuple[str, Outcome]]) -> Outcome:
    """The outcomes of several problems, given by what they are of, as one; they end at the first fault."""
    cases = of = 0
    for name, one in outcomes:
        cases, of = cases + one.cases, of + one.of
        if one.fault:
            return Outcome(cases, of, f"{name}: {one.fault}")
    return Outcome(cases, of)


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
    if not table.num_rows:
        return {}
    codes = [pc.dictionary_encode(table.column(name).combine_chunks()) for name in names]
    changes = np.zeros(table.num_rows, bool)
    for code in codes:
        indices = code.indices.to_numpy()
        changes[1:] |= indices[1:] != indices[:-1]
    begins = [0, *np.flatnonzero(changes).tolist()]
    found: dict[tuple[Any, ...], pa.Table] = {}
    for begin, end in zip(begins, [*begins[1:], table.num_rows], strict=True):
        key = tuple(code[begin].as_py() for code in codes)
        if key in found:
            raise ValueError(f"rows of {', '.join(map(str, key))} do not stand together")
        found[key] = table.slice(begin, end - begin)
    return found


def array_of(table: pa.Table, name: str) -> NDArray[Any]:
    """A column as an array."""
    values: NDArray[Any] = table.column(name).to_numpy()
    return values


def is_ascending(words: NDArray[Any]) -> bool:
    """Whether each is above the one before it."""
    return bool((words[1:] > words[:-1]).all())
