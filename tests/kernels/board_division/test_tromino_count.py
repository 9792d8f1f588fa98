"""The counts of all covers, against backtracking, published tables and theorems."""

import numpy as np
import pytest

from boardspace_kernels.board_division.cover_counts import LARGEST_BY_CELL, count_covers, special_cells, stack_counts
from boardspace_kernels.board_division.covers import BoardError
from tests.kernels.board_division.golden import GOLDEN
from tests.naive import board_division as naive

PRIME = 2**31 - 1
OTHER_PRIME = 10**9 + 7


def test_full_rectangles_have_the_published_numbers_of_covers() -> None:
    for rows, columns, covers in GOLDEN["rectangle_covers"]["values"]:
        assert stack_counts(rows, columns, PRIME)[rows, 0] == covers % PRIME, (rows, columns)
        assert stack_counts(columns, rows, PRIME)[columns, 0] == covers % PRIME, (rows, columns)


@pytest.mark.parametrize("side", range(1, 7))
def test_counts_agree_with_backtracking_for_every_special_cell(side: int) -> None:
    counts = {tuple(cell): count for cell, count in zip(special_cells(side).tolist(), count_covers(side), strict=True)}
    for r in range(side):
        for c in range(side):
            low, high = sorted((min(r, side - 1 - r), min(c, side - 1 - c)))
            assert naive.count_covers(side, (r, c)) == counts[low, high]


def test_the_covers_of_boards_up_to_4_x_4_are_unique() -> None:
    for side in (1, 2, 4):
        assert set(count_covers(side)) == {1}


@pytest.mark.parametrize("side", [2, 4, 5, 7, 8, 10, 11, 13])
def test_squares_less_a_cell_can_be_covered_but_for_side_5(side: int) -> None:
    assert all(count_covers(side)) == (side != GOLDEN["deficient_squares"]["exception"])


def test_no_square_of_side_divisible_by_three_can() -> None:
    assert not any(count for side in (3, 6, 9) for count in count_covers(side))


def test_counts_for_16_x_16_are_beyond_64_bits_and_those_of_a_plain_profile_modulo_another_prime() -> None:
    counts = dict(zip(map(tuple, special_cells(16).tolist()), count_covers(16), strict=True))
    assert len(counts) == 36
    assert min(counts.values()) > 2**64
    assert counts[3, 6] % OTHER_PRIME == profile_count(16, (3, 6), OTHER_PRIME)


@pytest.mark.parametrize("side", [5, 7, 8, 10, 11])
def test_counts_are_those_of_a_plain_profile(side: int) -> None:
    for special, count in zip(map(tuple, special_cells(side).tolist()), count_covers(side), strict=True):
        assert count % OTHER_PRIME == profile_count(side, special, OTHER_PRIME)


def profile_count(side: int, special: tuple[int, int], prime: int) -> int:
    """Covers modulo a prime, cell by cell in reading order.

    A state is which of this cell and the ``side`` + 1 cells after it are covered already; the special cell is covered
    from the start. The other cells of the L whose first cell is this one lie 1 on, and ``side`` - 1 to ``side`` + 1 on.
    """
    states = np.arange(1 << (side + 2))
    free = states[states & 1 == 0]
    counts = np.zeros(len(states), dtype=np.int64)
    counts[0] = 1
    for row, column in np.ndindex(side, side):
        right, below = column < side - 1, row < side - 1
        pieces = [(1, side)] * (right and below) + [(1, side + 1)] * (right and below)
        pieces += [(side, side + 1)] * (right and below) + [(side - 1, side)] * (column > 0 and below)
        following = np.zeros_like(counts)
        if (row, column) == special:
            following[free >> 1] = counts[free]
        else:
            following[states[states & 1 == 1] >> 1] = counts[states & 1 == 1]
            for one, other in pieces:
                fits = free[(free >> one | free >> other) & 1 == 0]
                following[(fits | 1 << one | 1 << other) >> 1] += counts[fits]
        counts = following % prime
    return int(counts[0])


@pytest.mark.parametrize("side", [0, LARGEST_BY_CELL + 1])
def test_sides_that_cannot_be_counted_are_refused(side: int) -> None:
    with pytest.raises(BoardError, match=f"sides 1 to {LARGEST_BY_CELL}"):
        count_covers(side)
