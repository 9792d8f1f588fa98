"""The construction leaves s(m, n) pegs, by legal jumps only, for every rectangle."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardspace_kernels.board_division.fewest_pegs import fewest_left
from boardspace_kernels.board_division.jumps import LARGEST_SIDE, LETTERS, RectangleError, replay
from boardspace_kernels.board_division.rectangle_jumps import (
    ENDINGS,
    MODULE_1,
    MODULE_2,
    block,
    find_jumps,
    reducing_jumps,
    strip_jumps,
)
from tests.kernels.board_division.golden import GOLDEN
from tests.naive import board_division as naive


def play(pegs: naive.Position, sequence: np.ndarray) -> naive.Position:
    """Play jumps that the naive rules allow."""
    for row, column, direction in sequence.tolist():
        following = {(cell, letter): after for cell, letter, after in naive.jumps(pegs)}
        pegs = following[(row, column), LETTERS[direction]]
    return pegs


def test_module_1_removes_three_pegs_in_a_line_and_gives_its_helper_back() -> None:
    helper = frozenset({(0, 1)})
    assert play(block(0, 0, 3, 1) | helper, MODULE_1) == helper


def test_module_2_removes_two_by_three_pegs_and_gives_its_helpers_back() -> None:
    helpers = frozenset({(0, 3), (1, 3)})
    assert play(block(0, 0, 2, 3) | helpers, MODULE_2) == helpers


@pytest.mark.parametrize(("m", "n"), ENDINGS)
def test_each_ending_leaves_the_fewest_pegs(m: int, n: int) -> None:
    assert len(play(naive.rectangle(m, n), ENDINGS[m, n])) == fewest_left(m, n)


def test_a_search_without_a_solution_says_so() -> None:
    with pytest.raises(LookupError, match="no sequence of jumps leads from"):
        find_jumps(block(0, 0, 1, 3), block(-4, -4, 9, 11), lambda pegs: len(pegs) == 1)


def test_small_rectangles_are_reduced_under_the_naive_rules() -> None:
    for m, n in product(range(1, 9), repeat=2):
        jumps = reducing_jumps(m, n)
        sequence = np.stack([values.astype(np.int64) for values in jumps], axis=1)
        left = play(naive.rectangle(m, n), sequence)
        assert len(left) == fewest_left(m, n), (m, n)
        assert sorted(left) == [tuple(cell) for cell in replay(m, n, jumps).tolist()], (m, n)


def test_the_sample_of_the_source_leaves_two() -> None:
    sample = GOLDEN["sample_rectangle"]
    assert len(replay(sample["m"], sample["n"], reducing_jumps(sample["m"], sample["n"]))) == sample["fewest"]


def test_every_rectangle_up_to_40_x_40_is_reduced() -> None:
    for m in range(1, 41):
        for n in range(1, 41):
            jumps = reducing_jumps(m, n)
            assert len(replay(m, n, jumps)) == fewest_left(m, n) == m * n - len(jumps.rows)


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 1000), st.integers(1, 1000))
def test_rectangles_of_the_source_are_reduced(m: int, n: int) -> None:
    assert len(replay(m, n, reducing_jumps(m, n))) == fewest_left(m, n)


@pytest.mark.parametrize(("m", "n"), [(1, LARGEST_SIDE), (LARGEST_SIDE, 1), (2, LARGEST_SIDE), (LARGEST_SIDE, 4)])
def test_the_longest_rectangles_are_reduced(m: int, n: int) -> None:
    assert len(replay(m, n, reducing_jumps(m, n))) == fewest_left(m, n)


def test_the_strips_prove_the_construction_for_any_number_of_columns() -> None:
    """A strip that leaves its fourth column full and stays off the fifth can be taken from any wider rectangle."""
    for m in range(2, 1001):
        jumps = strip_jumps(m)
        assert replay(m, 4, jumps).tolist() == [[row, 3] for row in range(m)]
        landings = jumps.columns + 2 * np.array([0, 1, 0, -1])[jumps.directions]
        assert max(jumps.columns.max(), landings.max()) == 3


@pytest.mark.parametrize(("m", "n"), [(0, 5), (5, 0), (-1, 3), (LARGEST_SIDE + 1, 2)])
def test_rectangles_that_do_not_exist_are_refused(m: int, n: int) -> None:
    with pytest.raises(RectangleError, match=f"sides 1 to {LARGEST_SIDE}"):
        reducing_jumps(m, n)


def test_a_line_has_no_strip() -> None:
    with pytest.raises(RectangleError, match="a line has no module"):
        strip_jumps(1)
