"""Best cells, their table, and the windows of the source's construction."""

from math import gcd

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.best_cells import are_linear, best_cells, operation_table, torus_classes
from boardspace_kernels.five_in_a_row.board import Board, BoardError, unblocked
from boardspace_kernels.five_in_a_row.periodic import lattice_placements, lattice_stones, variable_matrix
from tests.kernels.five_in_a_row.golden import GOLDEN
from tests.naive import five_in_a_row as naive


@pytest.mark.parametrize("n", range(1, 8))
def test_best_cells_are_those_that_trying_everything_finds(n: int) -> None:
    cells = best_cells(n)
    assert len(cells) == len(naive.best_cells(n))
    assert {tuple(cell) for cell in cells.tolist()} == naive.best_cells(n)


@pytest.mark.parametrize("n", [*range(1, 16), *(pytest.param(n, marks=pytest.mark.thorough) for n in (16, 17))])
def test_the_number_of_best_cells_is_published(n: int) -> None:
    assert len(best_cells(n)) == GOLDEN["modular_queens"]["counts"][str(n)]
    assert (len(best_cells(n)) > 0) == (gcd(n, 6) == 1)


def test_table_1_of_the_source() -> None:
    table = operation_table(best_cells(5))
    assert {name: images.tolist() for name, images in table.items()} == GOLDEN["source"]["operations"]


@pytest.mark.parametrize(("n", "classes", "linear"), [(5, 1, 10), (7, 1, 28), (11, 2, 88), (13, 11, 130)])
def test_classes_on_the_torus_and_knights_walks(n: int, classes: int, linear: int) -> None:
    cells = best_cells(n)
    assert torus_classes(cells) == classes
    assert are_linear(cells).sum() == linear


@pytest.mark.parametrize("n", [5, 7, 11, 13])
def test_a_repeated_best_cell_blocks_the_plane(n: int) -> None:
    board = Board((3 * n, 3 * n), n)
    for cell in best_cells(n)[:: 1 if n < 13 else 97]:
        plane = np.tile(cell[:, None] == np.arange(n), (3, 3))
        assert len(unblocked(board, plane)) == 0


def test_the_variable_matrix_of_the_source() -> None:
    assert variable_matrix(best_cells(5)).tolist() == GOLDEN["source"]["variable_matrix"]


@pytest.mark.parametrize("n", [5, 7])
def test_the_variable_matrix_counts_every_window_of_the_plane(n: int) -> None:
    matrix, cells = variable_matrix(best_cells(n)), naive.best_cells(n)
    assert all(matrix[i, j] == naive.poorest_window(cells, i, j) for i in range(n) for j in range(n))


@pytest.mark.parametrize(
    ("rows", "columns", "k"), [(6, 7, 5), (13, 17, 5), (8, 9, 7), (9, 11, 7), (5, 5, 5), (25, 14, 11)]
)
def test_lattice_placements_block_and_have_the_stones_the_formula_says(rows: int, columns: int, k: int) -> None:
    cells = best_cells(k)
    placements = lattice_placements(cells, rows, columns)
    stones = lattice_stones(cells, rows, columns)
    assert stones == naive.poorest_window({tuple(cell) for cell in cells.tolist()}, rows, columns)
    for placement in placements:
        assert placement.sum() == stones
        assert len(unblocked(Board((rows, columns), k), placement)) == 0
    assert len(np.unique(placements.reshape(len(placements), -1), axis=0)) == len(placements)


def test_the_largest_board_of_table_2_is_a_moment() -> None:
    placements = lattice_placements(best_cells(5), 192, 193)
    assert placements.shape == (8, 192, 193)
    assert (placements.sum(axis=(1, 2)) == 7411).all()


def test_what_is_too_large_is_refused() -> None:
    with pytest.raises(BoardError, match="n = 1 to 17"):
        best_cells(18)
    with pytest.raises(BoardError, match="MiB"):
        lattice_placements(best_cells(5), 1 << 15, 1 << 14)
