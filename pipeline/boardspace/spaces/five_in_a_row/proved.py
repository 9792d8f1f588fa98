"""Boards and boxes with their certificates, as checks take them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

from boardspace.spaces.five_in_a_row import weighing
from boardspace.spec.space import Inputs

Row = dict[str, Any]
Key = tuple[int, ...]
"""k, then the sides, longest first."""


@dataclass(frozen=True)
class Proved:
    """A board or a box.

    key: k, then its sides.
    row: its row of ``results`` or ``boxes``.
    text: its certificate; None where it has none.
    """

    key: Key
    row: Row
    text: str | None

    @property
    def sides(self) -> tuple[int, ...]:
        """Its sides, longest first."""
        return self.key[1:]

    @property
    def cells(self) -> int:
        """How many cells it has."""
        return prod(self.sides)

    @property
    def where(self) -> str:
        """Its name in a fault."""
        return named(self.key)

    @property
    def searched(self) -> bool:
        """True where a search proved its row, whole or in parts."""
        return self.row["proof"] in ("bound", "search")

    @cached_property
    def certificate(self) -> Any:
        """Its certificate as a document; None where it has none. ValueError where it is no JSON."""
        return None if self.text is None else json.loads(self.text)

    @property
    def proved_by_weights(self) -> bool:
        """True where the bound of the certificate, rounded up, is the number of stones."""
        return -(-self.certificate["floor"] // weighing.SCALE) == self.row["stones"]


def named(key: Key) -> str:
    """The name of a board or a box in a fault."""
    return f"{' x '.join(map(str, key[1:]))}, k = {key[0]}"


def key_of(row: Row) -> Key:
    """The key of a row of a table of boards."""
    return row["k"], row["rows"], row["columns"]


def proved_boards(inputs: Inputs) -> list[Proved]:
    """All boards, in the order of their table."""
    texts = {key_of(row): row["certificate"] for row in inputs.table("certificates").to_pylist()}
    return [Proved(key_of(row), row, texts.get(key_of(row))) for row in inputs.table("results").to_pylist()]


def proved_boxes(inputs: Inputs) -> list[Proved]:
    """All boxes, in the order of their table."""
    rows = inputs.table("boxes").to_pylist()
    return [Proved((row["k"], row["a"], row["b"], row["c"]), row, row["certificate"]) for row in rows]


def each(cases: Iterable[Proved], fault: Callable[[Proved], str]) -> Iterator[str]:
    """The fault of each case, after its name; '' for each that has none."""
    for one in cases:
        found = fault(one)
        yield f"{one.where}: {found}" if found else ""


def columns_of(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Rows as columns by name."""
    return {name: [row[name] for row in rows] for name in (rows[0] if rows else ())}


def differences(found: Sequence[Row], expected: Sequence[Row], names: Sequence[str]) -> Iterator[str]:
    """Rows of a table compared with those derived again, in their order; ``names`` are the columns of the key."""

    def key(row: Row) -> tuple[Any, ...]:
        """The key of a row."""
        return tuple(row[name] for name in names)

    keys = [[key(row) for row in rows] for rows in (found, expected)]
    if keys[0] != keys[1]:
        strange = [one for one in keys[0] if one not in set(keys[1])]
        missing = [one for one in keys[1] if one not in set(keys[0])]
        what = f"{strange[0]} does not belong there" if strange else f"{missing[0]} is missing" if missing else "order"
        yield f"rows by {', '.join(names)}: {what}"
        return
    for row, wanted in zip(found, expected, strict=True):
        different = [name for name, value in wanted.items() if row[name] != value]
        yield f"{key(row)}: {different[0]} is {row[different[0]]!r}, not {wanted[different[0]]!r}" if different else ""
