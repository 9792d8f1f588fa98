"""Carrying what is computed for small boards to all boards."""

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.best_cells import best_cells
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.minimum import solve
from boardspace_kernels.five_in_a_row.periodic import (
    Computed,
    Theorem,
    base_of,
    completeness_from,
    lattice_placements,
    lattice_stones,
    least_side,
    stones_from,
    theorem,
)


def computed(k: int, sides: range) -> dict[tuple[int, int], Computed]:
    cells = best_cells(k)
    found = {}
    for rows in sides:
        for columns in sides:
            solution = solve(Board((rows, columns), k))
            optimal = solution.minimum == lattice_stones(cells, rows, columns)
            windows = lattice_placements(cells, rows, columns)
            same = optimal and solution.count == len(windows)
            complete = same and np.array_equal(solution.placements(len(windows)), windows)
            found[rows, columns] = Computed(optimal, complete)
    return found


def test_the_boards_to_11_prove_five_in_a_row_for_all_boards() -> None:
    base = computed(5, range(5, 12))
    incomplete = {sides for sides, one in base.items() if not one.complete}
    assert incomplete == {(5, 5), (5, 6), (6, 5)}
    for rows in range(5, 60):
        for columns in range(5, 60):
            assert stones_from(5, (rows, columns), base) is not None
            assert (completeness_from(5, (rows, columns), base) is None) == ((rows, columns) in incomplete)


def test_they_prove_it_as_a_theorem_and_smaller_ones_do_not() -> None:
    base = computed(5, range(5, 12))
    assert theorem(5, base) == Theorem(11, stones=True, incomplete=((5, 5), (6, 5)))
    smaller = {sides: one for sides, one in base.items() if max(sides) < 11}
    assert theorem(5, smaller) == Theorem(10, stones=True, incomplete=None)
    assert theorem(5, {sides: one for sides, one in base.items() if max(sides) < 9}) == Theorem(8, False, None)
    assert theorem(5, {}) == Theorem(4, False, None)
    assert theorem(5, {sides: one for sides, one in base.items() if sides != (9, 9)}).side == 8
    assert not theorem(5, base | {(7, 7): Computed(False, False)}).stones


SEVEN = (
    *((7, 7), (8, 7), (8, 8), (9, 7), (9, 8), (9, 9), (10, 7), (11, 7), (11, 11), (12, 12)),
    *((13, 10), (13, 11), (13, 12), (13, 13)),
)


@pytest.mark.slow
def test_the_boards_to_20_prove_seven_in_a_row_for_all_boards() -> None:
    assert theorem(7, computed(7, range(7, 21))) == Theorem(20, stones=True, incomplete=SEVEN)


@pytest.mark.parametrize("sides", SEVEN)
def test_the_exceptions_of_seven_in_a_row_have_more_placements(sides: tuple[int, int]) -> None:
    solution, cells = solve(Board(sides, 7)), best_cells(7)
    assert solution.minimum == lattice_stones(cells, *sides)
    assert solution.count > len(lattice_placements(cells, *sides))


def test_what_is_carried_is_what_is_computed() -> None:
    base = computed(5, range(5, 12))
    cells = best_cells(5)
    for rows, columns in [(12, 6), (13, 13), (16, 11), (17, 14), (21, 5)]:
        solution = solve(Board((rows, columns), 5))
        assert completeness_from(5, (rows, columns), base) is not None
        assert solution.minimum == lattice_stones(cells, rows, columns)
        windows = lattice_placements(cells, rows, columns)
        assert np.array_equal(solution.placements(len(windows)), windows)


def test_a_base_needs_two_rows_more_than_k_to_carry_completeness_but_not_stones() -> None:
    base = {(6, 8): Computed(True, True)}
    assert stones_from(5, (11, 8), base) == (6, 8)
    assert completeness_from(5, (11, 8), base) is None
    assert completeness_from(5, (6, 13), base) == (6, 8)
    assert stones_from(5, (12, 8), base) is None
    assert stones_from(5, (6, 3), base) is None


@pytest.mark.parametrize(("n", "rows"), [(5, 2), (7, 2), (11, 2), (13, 8)])
def test_so_many_rows_tell_a_best_cell_and_fewer_do_not(n: int, rows: int) -> None:
    """Linear cells are told by two rows, from anywhere on; of order 13 most are not linear, and it takes eight."""
    cells = best_cells(n)
    assert least_side(n) == n + rows
    for first in range(n):
        part = np.roll(cells, -first, axis=1)
        assert len(np.unique(part[:, :rows], axis=0)) == len(cells)
        assert len(np.unique(part[:, : rows - 1], axis=0)) < len(cells)


def test_completeness_of_cells_that_are_not_linear_is_carried_by_longer_sides_only() -> None:
    short, long = (20, 20), (21, 21)
    base = {short: Computed(True, True), long: Computed(True, True)}
    assert completeness_from(13, (33, 33), base) is None
    assert completeness_from(13, (34, 34), base) == long
    assert base_of(13, (47, 21)) == (21, 21)


@pytest.mark.parametrize(
    ("k", "sides", "base"),
    [
        (5, (11, 5), (11, 5)),
        (5, (12, 13), (7, 8)),
        (5, (192, 193), (7, 8)),
        (5, (81, 81), (11, 11)),
        (7, (16, 9), (9, 9)),
    ],
)
def test_a_base_is_the_smallest_board_of_its_class_that_carries_both(
    k: int, sides: tuple[int, int], base: tuple[int, int]
) -> None:
    assert base_of(k, sides) == base
    assert completeness_from(k, sides, {base: Computed(True, True)}) == base
    smaller = {(rows, columns): Computed(True, True) for rows in range(base[0]) for columns in range(base[1])}
    assert sides == base or completeness_from(k, sides, smaller) is None
