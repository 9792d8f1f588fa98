"""Boards: lines, loads, symmetries, and what is refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.five_in_a_row.board import Board, BoardError, load, unblocked
from tests.naive import five_in_a_row as naive

shapes = st.one_of(
    st.tuples(st.integers(1, 9)),
    st.tuples(st.integers(1, 7), st.integers(1, 7)),
    st.tuples(st.integers(1, 4), st.integers(1, 4), st.integers(1, 4)),
)


@given(shapes, st.integers(2, 6))
def test_the_lines_are_all_k_cells_in_a_row(shape: tuple[int, ...], k: int) -> None:
    board = Board(shape, k)
    found = {frozenset(tuple(board.coordinates[cell].tolist()) for cell in line) for line in board.lines}
    assert found == naive.lines(shape, k)
    assert len(found) == len(board.lines)


@given(shapes, st.integers(2, 6))
def test_the_cells_of_a_line_ascend_and_line_at_names_it(shape: tuple[int, ...], k: int) -> None:
    board = Board(shape, k)
    assert (np.diff(board.lines, axis=1) > 0).all()
    cells, _ = np.nonzero(board.line_at >= 0)
    assert (board.lines[board.line_at[board.line_at >= 0], 0] == cells).all()
    assert ((board.line_at == -1) == (board.after < k - 1)).all()


@given(shapes, st.integers(2, 4), st.integers(0, 1000))
def test_the_load_of_a_cell_is_the_weight_of_the_lines_through_it(shape: tuple[int, ...], k: int, seed: int) -> None:
    board = Board(shape, k)
    weights = np.random.default_rng(seed).integers(0, 1 << 40, len(board.lines))
    loads = load(board, weights)
    for cell in range(board.cells):
        assert loads[cell] == sum(int(w) for w, line in zip(weights, board.lines, strict=True) if cell in line)


@pytest.mark.parametrize(
    ("shape", "order"), [((5, 7), 4), ((6, 6), 8), ((1, 9), 2), ((1, 1), 1), ((2, 3, 3), 16), ((3, 3, 3), 48)]
)
def test_a_box_has_the_symmetries_of_its_sides(shape: tuple[int, ...], order: int) -> None:
    assert len(Board(shape, 3).symmetries) == order


@given(shapes)
def test_symmetries_take_lines_to_lines_and_the_identity_is_first(shape: tuple[int, ...]) -> None:
    board = Board(shape, 3)
    lines = {frozenset(line) for line in board.lines.tolist()}
    assert (board.symmetries[0] == np.arange(board.cells)).all()
    for image in board.symmetries:
        assert {frozenset(image[line].tolist()) for line in board.lines} == lines


@given(shapes)
def test_the_swept_board_has_its_longest_side_first_and_knows_its_cells(shape: tuple[int, ...]) -> None:
    board = Board(shape, 3)
    swept, cells = board.swept
    assert swept.shape == tuple(sorted(shape, reverse=True))
    assert {frozenset(cells[line].tolist()) for line in swept.lines} == {
        frozenset(line.tolist()) for line in board.lines
    }


def test_a_line_without_a_stone_is_found() -> None:
    board = Board((5, 6), 5)
    stones = np.ones((5, 6), dtype=bool)
    stones[2] = [False, False, True, False, False, False]
    assert len(unblocked(board, stones)) == 0
    stones[2] = False
    assert [board.lines[line].tolist() for line in unblocked(board, stones)] == [
        [12, 13, 14, 15, 16],
        [13, 14, 15, 16, 17],
    ]


@pytest.mark.parametrize(
    ("shape", "k", "message"),
    [
        ((0, 5), 5, "at least 1"),
        ((5, -1), 5, "at least 1"),
        ((5, 5), 1, "k is 2 to 16"),
        ((5, 5), 17, "k is 2 to 16"),
        ((1000, 1000), 5, "at most 65536"),
        ((2, 2, 2, 2, 2), 2, "1 to 4 sides"),
        ((), 3, "1 to 4 sides, not 0"),
    ],
)
def test_what_is_no_board_is_refused(shape: tuple[int, ...], k: int, message: str) -> None:
    with pytest.raises(BoardError, match=message):
        Board(shape, k)
