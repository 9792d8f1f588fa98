"""Covers with a single cell anywhere: against backtracking, the published sequence, and the counts cell by cell."""

import pytest

from boardspace.kernels.board_division.tromino import total
from boardspace.kernels.board_division.tromino.count import count_covers, special_cells
from boardspace.kernels.board_division.tromino.rule import BoardError
from boardspace.kernels.board_division.tromino.total import LARGEST_SIDE, count_all_covers
from tests.kernels.board_division.golden import GOLDEN
from tests.naive import board_division as naive

PUBLISHED = [int(term) for term in GOLDEN["covers_with_a_single_cell"]["values"]]


@pytest.mark.parametrize("side", range(15))
def test_the_published_terms(side: int) -> None:
    assert count_all_covers(side) == PUBLISHED[side]


@pytest.mark.slow
@pytest.mark.parametrize("side", [15, 16, 17])
def test_the_last_published_terms(side: int) -> None:
    assert count_all_covers(side) == PUBLISHED[side]


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


@pytest.mark.parametrize("every", [1, 3])
def test_reducing_more_often_changes_nothing(every: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(total, "REDUCED_EVERY", every)
    assert count_all_covers(11) == PUBLISHED[11]


@pytest.mark.parametrize("side", [-1, LARGEST_SIDE + 1])
def test_other_sides_are_refused(side: int) -> None:
    with pytest.raises(BoardError, match=f"sides 0 to {LARGEST_SIDE}"):
        count_all_covers(side)
