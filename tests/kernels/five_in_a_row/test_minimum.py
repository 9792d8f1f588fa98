"""The minimum and the optimal placements, against trying everything, another solver, and published figures."""

from itertools import product

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.board import Board, BoardError, BoardTooLargeError, count_classes, unblocked
from boardspace_kernels.five_in_a_row.minimum import solve
from tests.kernels.five_in_a_row.golden import GOLDEN
from tests.naive import five_in_a_row as naive

LIMIT = 100_000


def as_sets(placements: np.ndarray) -> list[frozenset[tuple[int, ...]]]:
    return [frozenset(map(tuple, np.argwhere(placement).tolist())) for placement in placements]


SMALL = [
    *[((n, m), 5) for n in range(1, 6) for m in range(1, 6)],
    *[((n, m), 4) for n in range(1, 6) for m in range(1, 6)],
    *[((n, m), 3) for n in range(1, 5) for m in range(1, 6)],
    *[((n, m), 2) for n in range(1, 5) for m in range(1, 5)],
    ((6, 4), 6), ((3, 6), 3), ((8, 3), 4), ((7,), 3), ((2, 2, 3), 2), ((2, 3, 3), 3), ((1, 3, 5), 3),
]  # fmt: skip
LARGE = [((5, 5), 4), ((4, 5), 3)]
"""Those of them that take as long as all others together."""


@pytest.mark.parametrize(
    "boards", [[one for one in SMALL if one not in LARGE], pytest.param(LARGE, marks=pytest.mark.thorough)]
)
def test_all_optimal_placements_are_those_that_trying_everything_finds(
    boards: list[tuple[tuple[int, ...], int]],
) -> None:
    for shape, k in boards:
        solution = solve(Board(shape, k))
        expected = naive.optimal_placements(shape, k)
        found = as_sets(solution.placements(LIMIT))
        assert solution.minimum == len(expected[0]), (shape, k)
        assert solution.count == len(expected), (shape, k)
        assert len(set(found)) == len(found), (shape, k)
        assert set(found) == set(expected), (shape, k)


@pytest.mark.parametrize("k", range(2, 8))
def test_every_board_to_5_x_6_has_the_minimum_and_the_count_that_trying_every_line_finds(k: int) -> None:
    for shape in product(range(1, 6), range(1, 7)):
        solution = solve(Board(shape, k))
        assert (solution.minimum, solution.count) == naive.fewest(shape, k), shape


@pytest.mark.parametrize(("shape", "k"), [((5, 5), 5), ((5, 6), 5), ((5, 5), 4), ((4, 5), 3), ((4, 4), 2)])
def test_classes_are_counted_as_by_listing_images(shape: tuple[int, int], k: int) -> None:
    board = Board(shape, k)
    placements = solve(board).placements(LIMIT)
    assert count_classes(board, placements) == naive.classes(shape, as_sets(placements))


def test_classes_of_a_set_that_the_symmetries_do_not_keep_are_refused() -> None:
    board = Board((5, 6), 5)
    placements = solve(board).placements(LIMIT)
    with pytest.raises(BoardError, match="no set that its symmetries keep"):
        count_classes(board, placements[1:])


@pytest.mark.parametrize(
    ("shape", "k"), [((8, 7), 5), ((7, 7), 4), ((6, 8), 3), ((9, 8), 6), ((11, 9), 7), ((5, 7), 2)]
)
def test_turning_the_board_changes_nothing_and_every_placement_blocks(shape: tuple[int, int], k: int) -> None:
    board, turned = Board(shape, k), Board(shape[::-1], k)
    placements, others = solve(board).placements(LIMIT), solve(turned).placements(LIMIT)
    assert set(as_sets(placements.transpose(0, 2, 1))) == set(as_sets(others))
    for axes in ((1,), (2,), (1, 2)):
        assert set(as_sets(np.flip(placements, axes))) == set(as_sets(placements))
    assert all(len(unblocked(board, placement)) == 0 for placement in placements)


def test_placements_are_in_lexicographic_order() -> None:
    flat = [placement.ravel().tolist() for placement in solve(Board((5, 6), 5)).placements(LIMIT)]
    assert flat == sorted(flat)


@pytest.mark.parametrize(("rows", "columns", "minimum", "count"), GOLDEN["source"]["table_2"])
def test_the_rows_of_table_2_that_hold(rows: int, columns: int, minimum: int, count: int) -> None:
    solution = solve(Board((rows, columns), 5))
    assert (solution.minimum, solution.count) == (minimum, count)


@pytest.mark.parametrize("side", range(1, 12))
def test_no_three_in_a_row_on_squares(side: int) -> None:
    assert side**2 - solve(Board((side, side), 3)).minimum == GOLDEN["no_three"]["squares"][side - 1]


@pytest.mark.slow
@pytest.mark.parametrize("side", range(12, 17))
def test_no_three_in_a_row_on_large_squares(side: int) -> None:
    assert side**2 - solve(Board((side, side), 3)).minimum == GOLDEN["no_three"]["squares"][side - 1]


def test_no_three_in_a_row_on_rectangles() -> None:
    for rows, columns in product(range(1, 9), (1, 2, 3, 6, 9, 11, 14)):
        most = GOLDEN["no_three_rectangles"]["rows"][rows - 1][columns - 1]
        assert rows * columns - solve(Board((rows, columns), 3)).minimum == most, (rows, columns)


@pytest.mark.parametrize("half", range(1, 8))
def test_stones_against_two_in_a_row_leave_peaceful_kings(half: int) -> None:
    solution = solve(Board((2 * half, 2 * half), 2))
    assert solution.minimum == 3 * half**2
    assert solution.count == int(GOLDEN["kings"]["counts"][half - 1])
    if half <= 3:
        assert count_classes(solution.board, solution.placements(LIMIT)) == GOLDEN["kings"]["classes"][half - 1]


@pytest.mark.slow
def test_a_count_beyond_64_bits_is_exact() -> None:
    assert solve(Board((20, 20), 2)).count == int(GOLDEN["kings"]["counts"][9]) > 1 << 64


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_cubes_of_side_three_leave_the_moser_sets(dimension: int) -> None:
    assert 3**dimension - solve(Board((3,) * dimension, 3)).minimum == GOLDEN["moser"]["largest"][dimension - 1]


def cp_sat_minimum(shape: tuple[int, ...], k: int) -> int:
    """The minimum by a solver that knows nothing of all this."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    cells = sorted({cell for line in naive.lines(shape, k) for cell in line})
    stone = {cell: model.new_bool_var(str(cell)) for cell in cells}
    for line in naive.lines(shape, k):
        model.add_bool_or([stone[cell] for cell in line])
    model.minimize(sum(stone.values()))
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 8
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


OTHERS = [
    *[((7, 9), 5), ((9, 9), 5), ((10, 11), 5), ((8, 8), 6), ((9, 11), 7), ((10, 12), 7), ((7, 7), 3), ((7, 8), 4)],
    *[((3, 3, 4), 3), ((3, 4, 4), 4)],
]


@pytest.mark.parametrize(("shape", "k"), OTHERS)
def test_the_minimum_is_that_of_another_solver(shape: tuple[int, ...], k: int) -> None:
    assert solve(Board(shape, k)).minimum == cp_sat_minimum(shape, k)


def test_a_board_that_does_not_fit_is_refused() -> None:
    with pytest.raises(BoardTooLargeError, match="more memory"):
        solve(Board((9, 9), 8), memory=1 << 16)


@pytest.mark.parametrize(("shape", "k"), [((37, 37), 2), ((25, 30), 3), ((99, 16), 4), ((17, 17), 6), ((16, 16), 8)])
def test_a_board_out_of_reach_is_refused_before_the_search(shape: tuple[int, int], k: int) -> None:
    with pytest.raises(BoardTooLargeError, match=f"at most {min(shape) - 1} for k = {k}"):
        solve(Board(shape, k))


def test_more_placements_than_the_limit_are_refused() -> None:
    with pytest.raises(BoardError, match="more than the limit of 47"):
        solve(Board((5, 5), 5)).placements(47)
