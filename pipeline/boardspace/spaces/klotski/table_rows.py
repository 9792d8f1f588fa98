"""Rows of the tables that have a row for each layout, read range after range of ids by checks."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.filling import class_sizes, number_of_layouts
from boardspace.spec.one_pass import Pass, Wanted
from boardspace.spec.space import cut_range

IDS = 1 << 22
"""Ids of a range: about 200 MB of rows."""
BEYOND = 1 << 32
"""Above every id."""
CLASS = ("jiang_num", "bing_num", "style_num")
CLASSES = tuple(sorted(class_sizes()))
_SIDES = (8, 16, 8)
"""Above every number of jiang, bing, and lying dominoes."""
_NUMBER = np.full(_SIDES[0] * _SIDES[1] * _SIDES[2], -1, dtype=np.int16)
for _number, (_jiang, _bing, _style) in enumerate(CLASSES):
    _NUMBER[_jiang << 7 | _bing << 3 | _style] = _number

Rows = Mapping[str, NDArray[Any]]


class MissingRowsError(Exception):
    """A table does not have the same layouts as ``main``."""


def id_ranges() -> Iterator[tuple[int, int]]:
    """Yield ranges of ids, [low, high), that hold all ids, those that no layout has among them."""
    size = number_of_layouts()
    for low, high in cut_range(0, size, IDS):
        yield low, high if high < size else BEYOND


def rows_between(between: tuple[int, int], *tables: tuple[str, Sequence[str]]) -> Pass[dict[str, NDArray[Any]]]:
    """Read columns of tables, by name, in a range of ids; MissingRowsError where their ids differ."""
    read = yield Wanted(between, {name: ("layout_id", *columns) for name, columns in tables})
    rows: dict[str, NDArray[Any]] = {}
    for name, found in read.items():
        if rows and not np.array_equal(rows["layout_id"], found["layout_id"]):
            raise MissingRowsError(
                f"{name} and {tables[0][0]} do not hold the same layouts ({between[0]} <= id < {between[1]})"
            )
        rows |= found
    return rows


def class_numbers(rows: Rows) -> NDArray[np.int16]:
    """The number in CLASSES of the class of each row, -1 where there is no such class."""
    jiang, bing, style = (rows[name] for name in CLASS)
    place = (jiang.astype(np.uint16) << 7) | (bing.astype(np.uint16) << 3) | style
    found = _NUMBER.take(place, mode="clip")
    if all(rows[name].max(initial=0) < side for name, side in zip(CLASS, _SIDES, strict=True)):
        return found
    return np.where((jiang < _SIDES[0]) & (bing < _SIDES[1]) & (style < _SIDES[2]), found, np.int16(-1))


def of_classes(rows: Rows, chosen: Sequence[int]) -> NDArray[np.bool_]:
    """The rows of these classes, by their numbers in CLASSES."""
    wanted = np.zeros(len(CLASSES) + 1, dtype=np.bool_)
    wanted[list(chosen)] = True
    return wanted.take(class_numbers(rows))  # the last is of rows without a class, -1


def class_name(number: int) -> str:
    """The name of a class by its number in CLASSES."""
    return "-".join(map(str, CLASSES[number]))


def drawn_classes(sizes: Sequence[int], most: int, random: np.random.Generator, everything: bool) -> list[int]:
    """Draw classes, by numbers, of ``most`` layouts in all, or take all; ``sizes`` is 0 for classes not there."""
    chosen = []
    for number in random.permutation(len(sizes)).tolist():
        if sizes[number] and (everything or sizes[number] <= most):
            most -= sizes[number]
            chosen.append(number)
    return sorted(chosen)
