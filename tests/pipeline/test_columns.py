"""Every column and array of every space is re-derived by ``verify``, or its part says why it cannot be."""

import pytest

from boardspace.spec.claims import all_checks
from boardspace.spec.registry import spaces
from boardspace.spec.space import Space
from tests.pipeline.shipped import SHIPPED


def names_of(space: Space) -> set[str]:
    """``table.column`` of all tables, those exchanged between stages and the claims among them, columns of folders
    included; and the names of arrays."""
    columns = {f"{table.name}.{column.name}" for table in space.all_tables for column in table.unfolded.columns}
    return columns | {array.name for array in space.arrays}


def checked_in(space: Space) -> list[str]:
    """The same of what checks name; one that several checks re-derive is there several times."""
    return [
        f"{name}.{column}" if columns else name
        for check in all_checks(space)
        for name, columns in check.columns.items()
        for column in columns or ("",)
    ]


@pytest.mark.parametrize("name", SHIPPED)
def test_every_column_and_array_has_a_check_or_a_reason(name: str) -> None:
    space = spaces()[name]
    assert sorted(names_of(space) - set(checked_in(space)) - space.unchecked.keys()) == []


@pytest.mark.parametrize("name", spaces())
def test_checks_and_reasons_name_columns_and_arrays_that_there_are(name: str) -> None:
    space = spaces()[name]
    assert sorted({*checked_in(space), *space.unchecked} - names_of(space)) == []


@pytest.mark.parametrize("name", spaces())
def test_no_column_has_both_a_check_and_a_reason_why_it_has_none(name: str) -> None:
    space = spaces()[name]
    assert sorted(set(checked_in(space)) & space.unchecked.keys()) == []


@pytest.mark.parametrize("name", spaces())
def test_names_of_checks_are_different_and_reasons_say_something(name: str) -> None:
    checks = [check.name for check in all_checks(spaces()[name])]
    assert len(checks) == len(set(checks))
    assert all(len(reason.split()) > 3 for reason in spaces()[name].unchecked.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_few_columns_have_no_check(name: str) -> None:
    space = spaces()[name]
    assert len(space.unchecked) <= len(names_of(space)) // 20
