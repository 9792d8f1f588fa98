"""Covers with a single cell anywhere: against backtracking, the published sequence, and the counts cell by cell."""

from itertools import product

import numpy as np
import pytest

from boardspace_kernels.board_division import cover_totals as total
from boardspace_kernels.board_division.cover_counts import count_covers, special_cells, stack_counts
from boardspace_kernels.board_division.cover_totals import LARGEST_SIDE, count_all_covers
from boardspace_kernels.board_division.covers import BoardError
from boardspace_kernels.residues import is_prime, primes_beyond
from tests.kernels.board_division.golden import GOLDEN
from tests.naive import board_division as naive

PUBLISHED = [int(term) for term in GOLDEN["covers_with_a_single_cell"]["values"]]


def test_the_published_terms() -> None:
    for side in range(18):
        assert count_all_covers(side) == PUBLISHED[side], side


@pytest.mark.parametrize("side", [1, 2, 4, 5])
def test_squares_are_those_of_backtracking_for_every_special_cell(side: int) -> None:
    cells = [(r, c) for r in range(side) for c in range(side)]
    assert count_all_covers(side) == sum(naive.count_covers(side, cell) for cell in cells)


def every_cell(side: int) -> int:
    """The sum of the counts for every special cell, from those of one cell of each class."""
    counts = dict(zip(map(tuple, special_cells(side).tolist()), count_covers(side), strict=True))
    edges = [min(i, side - 1 - i) for i in range(side)]
    return sum(counts[min(r, c), max(r, c)] for r in edges for c in edges)


@pytest.mark.parametrize("side", [7, 8, 10, 11, 13])
def test_the_special_cells_add_up(side: int) -> None:
    assert count_all_covers(side) == every_cell(side)


def test_rows_in_blocks_are_those_cell_by_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    for width, at_once in product((2, 3, 6, 7, 8, 13, 14), (1, 3, total.CELLS_AT_ONCE)):
        monkeypatch.setattr(total, "CELLS_AT_ONCE", at_once)
        prime = primes_beyond(1)[0]
        counts, none = np.zeros(2 << width, np.uint64), np.zeros(0, np.uint64)
        counts[0] = 1
        for wanted in stack_counts(5, width, prime):
            assert (counts[: 1 << width] == wanted).all(), (width, at_once)
            total.pass_row(counts, none, width, np.uint64(prime))


def test_residues_stay_below_the_modulus_and_small_ones_are_floating_point() -> None:
    prime = primes_beyond(1, total.MODULI_BELOW)[0]
    assert total._total(10, prime) == total._total(10, None) == PUBLISHED[10]
    assert total._total(14, 101) == PUBLISHED[14] % 101


def test_primes_are_those_that_no_smaller_number_divides() -> None:
    assert [n for n in range(3, 2000, 2) if is_prime(n)] == [
        n for n in range(3, 2000, 2) if all(n % d for d in range(2, n))
    ]
    assert not is_prime(3215031751)
    assert not is_prime(3825123056546413051)
    assert is_prime((1 << 61) - 1)
    assert not is_prime((1 << 62) - 1)


@pytest.mark.parametrize("side", [-1, LARGEST_SIDE + 1])
def test_other_sides_are_refused(side: int) -> None:
    with pytest.raises(BoardError, match=f"sides 0 to {LARGEST_SIDE}"):
        count_all_covers(side)
