"""Every column and array of every space is re-derived by ``verify``, or its part says why it cannot be."""

import pytest

from boardspace.spec.registry import spaces
from boardspace.verify.coverage import contents_of, coverage_faults, covered_by
from tests.pipeline.shipped import SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_every_column_and_array_has_a_check_or_a_reason(name: str) -> None:
    """What stages exchange is no data: the SHA-256 of the receipts, and shards made again, cover it."""
    space = spaces()[name]
    assert sorted({*contents_of(space)} - covered_by(space).keys() - space.unchecked.keys()) == []


@pytest.mark.parametrize("name", spaces())
def test_checks_and_reasons_name_what_there_is_once(name: str) -> None:
    assert coverage_faults(spaces()[name]) == []
    assert all(len(reason.split()) > 3 for reason in spaces()[name].unchecked.values())


@pytest.mark.parametrize("name", SHIPPED)
def test_few_columns_have_no_check(name: str) -> None:
    space = spaces()[name]
    assert len(space.unchecked) <= len(contents_of(space, intermediates=True)) // 20
