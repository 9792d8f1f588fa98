"""The formula and the bound from colours."""

from collections import Counter
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.board_division.fewest_pegs import (
    colour_bound,
    colour_counts,
    fewest_left,
)
from boardspace_kernels.board_division.jumps import RectangleError
from tests.naive import board_division as naive


def test_the_formula_agrees_with_trying_everything() -> None:
    for m, n in product(range(1, 5), repeat=2):
        if m * n <= 12:
            assert fewest_left(m, n) == min(len(pegs) for level in naive.levels(m, n) for pegs in level), (m, n)


@pytest.mark.parametrize(("m", "n", "left"), [(1, 3, 2), (1, 9, 5), (3, 1, 2), (9, 1, 5), (3, 4, 2), (1000, 1000, 1)])
def test_the_line_goes_before_the_divisibility_by_three(m: int, n: int, left: int) -> None:
    assert fewest_left(m, n) == left


@given(st.integers(1, 40), st.integers(1, 40))
def test_colours_are_counted_as_on_the_board(m: int, n: int) -> None:
    colours = Counter((r + c) % 3 for r in range(m) for c in range(n))
    assert colour_counts(m, n).tolist() == [colours[colour] for colour in range(3)]


def test_the_bound_from_colours_is_the_value_but_for_lines() -> None:
    m, n = np.ogrid[1:301, 1:301]
    bound, value = colour_bound(m, n), np.vectorize(fewest_left)(m, n)
    assert np.array_equal(bound[1:, 1:], value[1:, 1:])
    assert (bound <= value).all()
    assert [colour_bound(r, 6) for r in range(1, 9)] == bound[:8, 5].tolist()


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_a_jump_changes_the_parity_of_every_colour(m: int, n: int, data: st.DataObject) -> None:
    pegs = naive.rectangle(m, n)
    while choices := list(naive.jumps(pegs)):
        _, _, after = data.draw(st.sampled_from(choices))
        for colour in range(3):
            assert sum((r + c) % 3 == colour for r, c in pegs) % 2 != sum((r + c) % 3 == colour for r, c in after) % 2
        pegs = after


def test_rectangles_that_do_not_exist_are_refused() -> None:
    for m, n in ((0, 1), (1, 0)):
        with pytest.raises(RectangleError):
            fewest_left(m, n)
