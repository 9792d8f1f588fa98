"""Patterns of the plane: against trying everything, on long boards, and against what strips need at least."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.board import Board, BoardError, unblocked
from boardspace_kernels.five_in_a_row.periodic import LinearPattern, best_linear_pattern
from boardspace_kernels.five_in_a_row.strip_density import density
from boardspace_kernels.five_in_a_row.strip_states import strip


def on_a_board(pattern: LinearPattern, side: int) -> np.ndarray:
    y, x = np.indices((side, side))
    return np.isin((x + pattern.slope * y) % pattern.modulus, pattern.residues)


@pytest.mark.parametrize(
    ("k", "least"),
    [(2, Fraction(3, 4)), (3, Fraction(1, 2)), (4, Fraction(1, 3)), (5, Fraction(1, 5)), (7, Fraction(1, 7))],
)
def test_the_best_patterns_leave_no_line_free(k: int, least: Fraction) -> None:
    pattern = best_linear_pattern(k, 12)
    assert pattern.density == least
    assert len(unblocked(Board((40, 40), k), on_a_board(pattern, 40))) == 0


@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_no_other_residues_have_a_smaller_density(k: int) -> None:
    board = Board((20, 20), k)
    patterns = [
        LinearPattern(modulus, slope, residues)
        for modulus in range(1, 8)
        for slope in range(modulus)
        for number in range(1, modulus + 1)
        for residues in combinations(range(modulus), number)
    ]
    blocking = [one for one in patterns if not len(unblocked(board, on_a_board(one, 20)))]
    assert min(one.density for one in blocking) == best_linear_pattern(k, 7).density


@pytest.mark.slow
def test_four_in_a_row_needs_a_third_of_the_plane() -> None:
    found = density(strip(4, 8))
    assert Fraction(found.stones, found.period * 8) == Fraction(1, 3) == best_linear_pattern(4).density


@pytest.mark.parametrize(("k", "largest"), [(1, 5), (3, 0)])
def test_what_has_no_pattern_is_refused(k: int, largest: int) -> None:
    with pytest.raises(BoardError, match="patterns are for k of 2"):
        best_linear_pattern(k, largest)
