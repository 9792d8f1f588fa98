"""Rows of all layouts, checked as they are read range after range of ids, and samples of them class by class."""

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from boardspace.spaces.klotski import table_rows
from boardspace.spaces.klotski.table_rows import CLASS, CLASSES, Rows
from boardspace.spaces.klotski.texts import format_code
from boardspace.spec.check import places_of
from boardspace.spec.space import Draw


class RowFaultError(Exception):
    """A row that is wrong; the text names its layout."""


def refuse(wrong: NDArray[np.bool_], codes: NDArray[np.uint64], what: str) -> None:
    """Raise RowFaultError for the first layout that is wrong, if there is one."""
    if wrong.any():
        raise RowFaultError(f"{format_code(int(codes[np.argmax(wrong)]))}: {what}")


class Groups:
    """The rows of ``groups``, or of some of its classes, by which layouts are numbered."""

    def __init__(self, table: pa.Table, chosen: Sequence[int] = range(len(CLASSES))) -> None:
        classes = table_rows.class_numbers({name: table.column(name).to_numpy() for name in CLASS})
        here = np.flatnonzero(np.isin(classes, chosen))
        self.table = table.take(here)
        self.classes = classes[here].astype(np.int64)
        self.size = self.table.column("group_size").to_numpy().astype(np.int64)
        self._count = np.bincount(self.classes, minlength=len(CLASSES))
        self._first = np.searchsorted(self.classes, np.arange(len(CLASSES)))

    def __len__(self) -> int:
        return len(self.classes)

    @property
    def keys(self) -> dict[str, NDArray[np.int64]]:
        """The key columns of a table that has a row for each group."""
        names = {name: np.array(CLASSES)[self.classes, at] for at, name in enumerate(CLASS)}
        return {**names, "group_num": np.arange(len(self)) - self._first[self.classes]}

    def class_sizes(self) -> list[int]:
        """How many layouts each class has, 0 where it is not there."""
        return np.bincount(self.classes, self.size, len(CLASSES)).astype(int).tolist()

    def numbers(self, rows: Rows) -> NDArray[np.int64]:
        """The number of the group of each row; RowFaultError where it has none."""
        classes, number = table_rows.class_numbers(rows), rows["group_num"]
        wrong = (classes < 0) | (number >= self._count.take(classes, mode="clip"))
        refuse(wrong, rows["code"], "its group has no row in groups")
        found: NDArray[np.int64] = self._first.take(classes) + number
        return found


class Sample:
    """Classes drawn to be walked whole, and rows drawn of every class."""

    def __init__(self, sizes: Sequence[int], walked: int, draw: Draw) -> None:
        self.random = draw.generator()
        classes = table_rows.drawn_classes(sizes, walked, self.random, draw.everything)
        self._kept: dict[int, list[Rows]] = {number: [] for number in classes}

    def keep(self, rows: Rows, classes: NDArray[np.int64], drawn: int) -> NDArray[np.int64]:
        """Keep the rows of the classes that are walked, and draw about so many of every class; returns these."""
        order = np.argsort(classes.astype(np.int16), kind="stable")
        bounds = np.cumsum(np.append(0, np.bincount(classes, minlength=len(CLASSES))))
        chosen = [np.empty(0, dtype=np.int64)]
        for number in np.flatnonzero(np.diff(bounds)).tolist():
            in_class = order[bounds[number] : bounds[number + 1]]
            chosen.append(in_class[self.random.integers(0, len(in_class), drawn)])
            if number in self._kept:
                self._kept[number].append({name: values[in_class] for name, values in rows.items()})
        return np.unique(np.concatenate(chosen))

    def classes(self) -> Iterator[tuple[str, Rows]]:
        """The names of the classes to walk, with all their rows."""
        for number, parts in self._kept.items():
            if parts:
                yield table_rows.class_name(number), joined(parts)


def joined(parts: Sequence[Rows]) -> Rows:
    """Rows of several ranges as one."""
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def refuse_unlike_images(rows: Rows, columns: Sequence[str], images: Sequence[NDArray[np.uint64]]) -> None:
    """Raise RowFaultError where an image of a layout, by its code, has another value in one of the columns.

    ``rows`` are those of a whole class, in order of codes.
    """
    codes = rows["code"]
    for image in images:
        places = np.minimum(places_of(image, codes), len(codes) - 1)
        refuse(codes[places] != image, codes, "its image is not among the layouts of its class")
        for column in columns:
            values = rows[column]
            refuse(values[places] != values, codes, f"its image has another {column}")
