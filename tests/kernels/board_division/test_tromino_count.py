"""The counts of all covers, against backtracking, published tables and theorems."""

import pytest

from boardspace.kernels.board_division.tromino_count import LARGEST_SIDE, count_covers, special_cells, stack_counts
from boardspace.kernels.board_division.tromino_rule import BoardError
from tests.kernels.board_division.golden import GOLDEN
from tests.naive import board_division as naive

PRIME = 2**31 - 1


@pytest.mark.parametrize(("rows", "columns", "covers"), GOLDEN["rectangle_covers"]["values"])
def test_full_rectangles_have_the_published_numbers_of_covers(rows: int, columns: int, covers: int) -> None:
    assert stack_counts(rows, columns, PRIME)[rows, 0] == covers % PRIME
    assert stack_counts(columns, rows, PRIME)[columns, 0] == covers % PRIME


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


def test_counts_for_16_x_16_are_whole_and_beyond_64_bits() -> None:
    counts = count_covers(16)
    assert len(counts) == 36
    assert min(counts) > 2**64
    assert all(count % PRIME == residue for count, residue in zip(counts, _residues_by_hand(16), strict=True))


def _residues_by_hand(side: int) -> list[int]:
    """The sum over the meeting row, in Python's integers, modulo the first prime."""
    stacks = stack_counts(side - 1, side, PRIME)
    full = (1 << side) - 1
    totals = []
    for row, column in special_cells(side).tolist():
        above, below = stacks[row].tolist(), stacks[side - 1 - row].tolist()
        free = full & ~(1 << column)
        totals.append(sum(above[p] * below[free ^ p] for p in range(full + 1) if p & ~free == 0) % PRIME)
    return totals


@pytest.mark.parametrize("side", [0, LARGEST_SIDE + 1])
def test_sides_that_cannot_be_counted_are_refused(side: int) -> None:
    with pytest.raises(BoardError, match=f"sides 1 to {LARGEST_SIDE}"):
        count_covers(side)
