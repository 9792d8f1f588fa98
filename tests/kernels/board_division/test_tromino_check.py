"""The checker accepts every cover and nothing else."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardspace_kernels.board_division.cover_check import CoverError, check_cover, first_gap, owned_runs
from boardspace_kernels.board_division.covers import cover
from tests.naive import board_division as naive


def is_accepted(board: np.ndarray, special: tuple[int, int]) -> bool:
    try:
        check_cover(board, *special)
    except CoverError:
        return False
    return True


def test_of_all_numberings_of_a_2_x_2_board_the_checker_accepts_the_covers_only() -> None:
    for cells in product(range(-1, 3), repeat=4):
        board = np.array(cells).reshape(2, 2)
        for special in np.ndindex(2, 2):
            assert is_accepted(board, special) == naive.is_cover(board.tolist(), special)


@settings(deadline=None)
@given(st.integers(1, 4), st.data())
def test_any_renumbering_of_a_cover_is_a_cover(k: int, data: st.DataObject) -> None:
    special = (data.draw(st.integers(0, 2**k - 1)), data.draw(st.integers(0, 2**k - 1)))
    board = cover(k, *special)
    numbers = np.array([0, *data.draw(st.permutations(range(1, int(board.max()) + 1)))])
    check_cover(numbers[board], *special)


@settings(deadline=None)
@given(st.integers(1, 4), st.data())
def test_a_damaged_cover_is_accepted_only_where_the_definition_accepts_it(k: int, data: st.DataObject) -> None:
    coordinate = st.integers(0, 2**k - 1)
    special = (data.draw(coordinate), data.draw(coordinate))
    board = cover(k, *special).astype(np.int64)
    for _ in range(data.draw(st.integers(1, 3))):
        at, other = (data.draw(coordinate), data.draw(coordinate)), (data.draw(coordinate), data.draw(coordinate))
        if data.draw(st.booleans()):
            board[at], board[other] = board[other], board[at]
        else:
            board[at] = data.draw(st.integers(-1, 4**k))
    assert is_accepted(board, special) == naive.is_cover(board.tolist(), special)


@settings(deadline=None, max_examples=30)
@given(st.integers(3, 9), st.data())
def test_chunks_examined_alone_say_the_same_as_the_whole_board(k: int, data: st.DataObject) -> None:
    side = 2**k
    coordinate = st.integers(0, side - 1)
    board = cover(k, data.draw(coordinate), data.draw(coordinate))
    if data.draw(st.booleans()):
        board[data.draw(coordinate), data.draw(coordinate)] += 1
    rows, columns = data.draw(st.integers(side // 8, side)), data.draw(st.integers(side // 8, side))
    chunks = [
        owned_runs(board[r : r + rows + 1, c : c + columns + 1], min(rows, side - r), min(columns, side - c))
        for r in range(0, side, rows)
        for c in range(0, side, columns)
    ]
    numbers = (side * side - 1) // 3
    assert first_gap(chunks, numbers) == first_gap([owned_runs(board, side, side)], numbers)


@given(st.lists(st.integers(1, 40), max_size=60), st.integers(0, 40))
def test_the_first_gap_is_the_smallest_number_that_no_run_holds(owned: list[int], numbers: int) -> None:
    expected = min(set(range(1, numbers + 1)) - set(owned), default=None)
    assert first_gap([np.array([(v, v)]) for v in owned], numbers) == expected


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ((0, 0, 7), r"special cell \(1, 1\) holds 7; it must hold 0"),
        ((7, 7, 1), r"number 21 lies on 2 cells, not three: \(7, 8\) \(8, 7\)"),
        ((1, 2, 2), r"number 2 lies on 4 cells, not three: \(1, 3\) \(1, 4\) \(2, 3\) \(2, 4\)$"),
        ((0, 1, 9), r"number 1 lies on 2 cells, not three"),
        ((0, 1, 0), r"number 1 lies on 2 cells"),
    ],
)
def test_what_is_wrong_is_said(change: tuple[int, int, int], said: str) -> None:
    board = cover(3, 0, 0)
    board[change[0], change[1]] = change[2]
    with pytest.raises(CoverError, match=said):
        check_cover(board, 0, 0)


def test_three_cells_that_form_no_l_are_named() -> None:
    board = cover(2, 0, 0)
    board[0, 1], board[0, 2] = board[0, 2], board[0, 1]
    with pytest.raises(CoverError, match=r"number 1 lies on \(1, 3\) \(2, 1\) \(2, 2\), which form no L"):
        check_cover(board, 0, 0)


@pytest.mark.parametrize(
    ("shape", "special", "said"),
    [
        ((4, 5), (0, 0), "a board is square"),
        ((16,), (0, 0), "a board is square"),
        ((3, 3), (0, 0), "8 cells are no multiple of three"),
        ((4, 4), (0, 4), r"special cell \(1, 5\) is off the 4 x 4 board"),
        ((4, 4), (-1, 0), r"special cell \(0, 1\) is off the 4 x 4 board"),
        ((4, 4), (0, -1), r"special cell \(1, 0\) is off the 4 x 4 board"),
        ((4, 4), (0, 0), "number 1 lies on 0 cells"),
    ],
)
def test_boards_that_cannot_be_covers_are_refused(shape: tuple[int, ...], special: tuple[int, int], said: str) -> None:
    with pytest.raises(CoverError, match=said):
        check_cover(np.zeros(shape, np.uint8), *special)


def test_negative_numbers_are_none_of_a_cover() -> None:
    board = np.array([[-9, -9, -5, -5], [-9, 0, 0, -5], [1, 0, 0, 2], [1, 1, 2, 2]])
    with pytest.raises(CoverError, match="number 3 lies on 0 cells, not three"):
        check_cover(board, 1, 1)


def test_runs_that_hold_others_leave_no_gap() -> None:
    """Numbers owned in two chunks make runs that lie in one another."""
    runs = [np.array([[1, 10]]), np.array([[2, 3], [5, 5]]), np.array([[11, 12]])]
    assert first_gap(runs, 12) is None
    assert first_gap(runs, 13) == 13
    assert first_gap([np.array([[1, 4]]), np.array([[2, 3], [6, 9]])], 9) == 5
