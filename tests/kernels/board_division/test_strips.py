"""Recurrences of the covers of strips: against covers counted one by one, and what they prove."""

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.board_division.cover_strips import (
    StripRecurrence,
    berlekamp_massey,
    strip_covers,
    strip_recurrence,
    transitions,
)
from tests.naive import board_division as naive

PRIME = 10007
ORDERS = {2: 1, 3: 2, 4: 3, 5: 5, 6: 11, 7: 18, 8: 36, 9: 71}
A351324 = [1, 0, 520, 22656, 1795360, 115363072]


@pytest.mark.parametrize(
    ("rows", "columns"), [(2, 3), (2, 6), (3, 2), (3, 4), (4, 3), (4, 6), (5, 3), (5, 6), (6, 3), (6, 4)]
)
def test_terms_are_the_covers_of_rectangles_tried_one_by_one(rows: int, columns: int) -> None:
    found = strip_recurrence(rows)
    place, rest = divmod(columns, found.period)
    assert rest == 0
    assert next(islice(found.terms(), place, None)) == naive.count_rectangle_covers(rows, columns)


@pytest.mark.parametrize("rows", [2, 3, 4, 5, 6, 7])
def test_orders_and_proofs_of_strips(rows: int) -> None:
    found = strip_recurrence(rows)
    assert found.order == ORDERS[rows] <= found.states == len(transitions(rows))
    assert found.compared == found.order + found.states
    assert len(found.numerator) == found.order


@pytest.mark.slow
@pytest.mark.parametrize("rows", [8, 9])
def test_wide_strips_satisfy_their_recurrences_on_three_times_as_many_terms(rows: int) -> None:
    found = strip_recurrence(rows)
    assert found.order == ORDERS[rows]
    terms = 3 * found.compared
    assert strip_covers(transitions(rows), found.period, terms) == list(islice(found.terms(), terms))


@given(st.lists(st.integers(-3, 3), min_size=1, max_size=6), st.data())
def test_a_shortest_recurrence_holds_for_all_terms_and_is_no_longer_than_one_that_made_them(
    coefficients: list[int], data: st.DataObject
) -> None:
    """Drawn ones, whose terms may begin with zeros: then many terms in a row say nothing new."""
    order = len(coefficients)
    terms = data.draw(st.lists(st.integers(-2, 2), min_size=order, max_size=order))
    for place in range(order, 4 * order):
        terms.append(-sum(c * terms[place - back] for back, c in enumerate(coefficients, 1)))
    found = berlekamp_massey([term % PRIME for term in terms], PRIME)
    assert found[0] == 1
    assert len(found) <= order + 1
    for place in range(len(found) - 1, len(terms)):
        assert sum(c * terms[place - back] for back, c in enumerate(found)) % PRIME == 0


def test_no_shorter_recurrence_holds() -> None:
    found = strip_recurrence(5)
    terms = list(islice(found.terms(), 20))
    shorter = StripRecurrence(5, 3, found.states, found.numerator[:-1], found.denominator[:-1], found.compared)
    assert found.denominator[-1] or found.numerator[-1]
    assert list(islice(shorter.terms(), 20)) != terms


def test_strips_of_7_rows_have_the_published_covers() -> None:
    assert list(islice(strip_recurrence(7).terms(), len(A351324))) == A351324


@pytest.mark.parametrize("rows", [0, 10])
def test_rows_out_of_range_are_refused(rows: int) -> None:
    with pytest.raises(ValueError, match="1 to 9 rows"):
        strip_recurrence(rows)
