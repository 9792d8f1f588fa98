"""Passes read what they want together, and what ends one of them ends no other."""

from typing import Any, cast

import pyarrow as pa
import pytest

from boardspace.spec.one_pass import Pass, Wanted, alone, together
from boardspace.spec.stage import Inputs

STEP = 4


class Counted:
    """Inputs with one table, which count how often it is read."""

    def __init__(self) -> None:
        self.reads: list[tuple[tuple[int, int], list[str]]] = []

    def table(self, name: str, *, columns: list[str], between: tuple[int, int]) -> pa.Table:
        if name != "rows":
            raise LookupError(name)
        self.reads.append((between, columns))
        numbers = list(range(*between))
        return pa.table({"id": numbers, "square": [number**2 for number in numbers]}).select(columns)


def summed(table: str, column: str, end: int = 12) -> Pass[int]:
    total = 0
    for low in range(0, end, STEP):
        found = yield Wanted((low, low + STEP), {table: (column,)})
        assert list(found[table]) == [column]
        total += int(found[table][column].sum())
    return total


def inputs() -> Any:
    return cast(Inputs, Counted())


def test_a_range_that_several_want_is_read_once_with_the_columns_of_all() -> None:
    given = inputs()
    assert together([summed("rows", "id"), summed("rows", "square"), summed("rows", "id", end=8)], given) == [
        66,
        506,
        28,
    ]
    assert given.reads == [((low, low + STEP), ["id", "square"]) for low in (0, 4)] + [((8, 12), ["id", "square"])]


def test_an_error_of_one_pass_leaves_the_others_going() -> None:
    missing, found = together([summed("nothing", "id"), summed("rows", "id")], inputs())
    assert isinstance(missing, LookupError)
    assert found == 66


def test_a_pass_by_itself_raises_its_error() -> None:
    with pytest.raises(LookupError):
        alone(summed("nothing", "id"), inputs())
