"""Covers with a single cell anywhere: against backtracking, the published sequence, and the counts cell by cell."""

from collections import Counter

import pytest

from boardspace_kernels.board_division import cover_counts as total
from boardspace_kernels.board_division.cover_counts import (
    LARGEST_SIDE,
    count_all_covers,
    count_covers,
    special_cells,
    stack_counts,
)
from boardspace_kernels.board_division.cover_strips import transitions
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


def test_rows_are_those_of_the_trominoes_laid_in_them_one_by_one() -> None:
    prime = primes_beyond(1, total.MODULI_BELOW)[0]
    for width in range(2, 9):
        steps, row = transitions(width), {0: 1}
        for found in stack_counts(4, width, prime):
            assert {state: count for state, count in enumerate(found.tolist()) if count} == row, width
            after = Counter[int]()
            for state, count in row.items():
                after.update({below: ways * count for below, ways in steps[state].items()})
            row = {state: count % prime for state, count in after.items()}


@pytest.mark.parametrize("width", [13, 14])
def test_rows_are_the_same_however_many_cells_a_block_takes(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    prime = primes_beyond(1, total.MODULI_BELOW)[0]
    wanted = stack_counts(4, width, prime)
    for at_once in (1, 3):
        monkeypatch.setattr(total, "CELLS_AT_ONCE", at_once)
        assert (stack_counts(4, width, prime) == wanted).all()


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
