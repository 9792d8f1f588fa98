"""Orbits and defects of placements, against lists of images and against trying all windows."""

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.board import (
    TILES,
    Board,
    BoardError,
    count_classes,
    defects,
    orbit_sizes,
    unblocked,
    windows,
)
from boardspace_kernels.five_in_a_row.minimum import solve

LIMIT = 100_000


@pytest.mark.parametrize(("k", "density", "different"), [(2, 3 / 4, 4), (3, 1 / 2, 8), (5, 1 / 5, 10), (7, 1 / 7, 28)])
def test_windows_block_and_have_the_density_of_the_pattern(k: int, density: float, different: int) -> None:
    board = Board((4 * k * k, 4 * k * k), k) if k < 4 else Board((5 * k, 5 * k), k)
    found = windows(board)
    assert len(found) == different
    for window in found:
        assert len(unblocked(board, window)) == 0
        assert window.mean() == pytest.approx(density, abs=0.02)


@pytest.mark.parametrize(("shape", "k"), [((5, 5), 3), ((7, 7), 3), ((8, 7), 3), ((6, 5), 5), ((5, 5), 2)])
def test_orbits_are_as_many_as_classes_and_hold_all_placements(shape: tuple[int, int], k: int) -> None:
    solution = solve(Board(shape, k))
    placements = solution.placements(LIMIT)
    sizes = orbit_sizes(solution.board, placements)
    assert sum(sizes.values()) == count_classes(solution.board, placements)
    assert sum(size * orbits for size, orbits in sizes.items()) == solution.count


def test_an_orbit_that_is_not_whole_is_refused() -> None:
    solution = solve(Board((6, 6), 3))
    with pytest.raises(BoardError, match="no set that its symmetries keep"):
        orbit_sizes(solution.board, solution.placements(LIMIT)[1:])


def test_defects_are_the_cells_that_differ_from_the_nearest_window() -> None:
    board = Board((9, 8), 3)
    window = windows(board)[3]
    bent = window.copy()
    bent[2, 3:6] ^= True
    assert defects(board, np.array([window, bent, window[::-1], ~window])).tolist() == [0, 3, 0, 0]


def test_all_optimal_placements_of_a_large_board_of_five_are_windows() -> None:
    solution = solve(Board((11, 11), 5))
    assert set(defects(solution.board, solution.placements(LIMIT)).tolist()) == {0}


def test_a_board_without_a_pattern_is_refused() -> None:
    with pytest.raises(BoardError, match="k = 2, 3, 5, 7"):
        windows(Board((9, 9), 4))
    with pytest.raises(BoardError, match="rectangles"):
        windows(Board((3, 3, 3), 3))
    assert 4 not in TILES
