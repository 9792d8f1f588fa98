"""Classes of a closed set that checks read again and again: what follows from the rows of one is made once for as long
as these are the same (:func:`remembered_classes`)."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from boardspace.spec.check import Draw
from boardspace.spec.equations import Bounds, Label
from boardspace.verify import closed
from boardspace.verify.one_class import Class, ClosedTables
from boardspace.verify.totals import Sums

Rows = dict[str, Any]


class KnownClass(Class):
    """A class that remembers which of its equations hold, and its sums."""

    def __init__(self, tables: ClosedTables, label: Label, rows: Rows, draw: Draw, random: np.random.Generator) -> None:
        super().__init__(tables, label, rows, draw, random)
        self.given, self.holds, self.sums = rows, set[Any](), dict[str, Any]()

    def check(self, of: Any, with_key: bool) -> None:
        if (of, with_key) not in self.holds:
            super().check(of, with_key)
            self.holds.add((of, with_key))

    def has(self, rows: Rows) -> bool:
        """True where these are its rows."""
        return self.given.keys() == rows.keys() and all(np.array_equal(self.given[name], rows[name]) for name in rows)


class KnownSums(Sums):
    """Sums to which those of a class are added that were made before."""

    def add(self, one: Class) -> None:
        assert isinstance(one, KnownClass)
        if self.table.name not in one.sums:
            own = Sums(self.table, self.closed)
            own.add(one)
            one.sums[self.table.name] = own.parts
        for name, some in self.parts.items():
            some += one.sums[self.table.name][name]


@contextmanager
def remembered_classes() -> Iterator[None]:
    """The first rows of each class are remembered, as are the cells of arrays that are not altered."""
    classes, cells = dict[Label, KnownClass](), dict[Any, Any]()

    def class_of(tables: ClosedTables, label: Label, rows: Rows, draw: Draw, random: np.random.Generator) -> Class:
        known = classes.get(label)
        if known is None or not known.has(rows):
            known = KnownClass(tables, label, rows, draw, random)
            classes.setdefault(label, known)
        known.draw, known.random = draw, random
        return known

    read = closed._Reading._cells

    def cells_of(self: Any, array: Any, key: Any, low: int, high: int) -> Any:
        asked, begin = (array.name, low), self.ends.get(array.name)
        if self.inputs.name == array.name:
            return read(self, array, key, low, high)
        if asked not in cells or not (np.array_equal(cells[asked][0], key) and cells[asked][1] == begin):
            cells[asked] = key, begin, read(self, array, key, low, high), self.ends.get(array.name)
        if isinstance(array.equation, Bounds):
            self.ends[array.name] = cells[asked][3]
        return cells[asked][2]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(closed, "Class", class_of)
        patch.setattr(closed, "Sums", KnownSums)
        patch.setattr(closed._Reading, "_cells", cells_of)
        yield
