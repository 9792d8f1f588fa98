"""The plain rules that ``verify`` re-derives with, against the oracles of the tests."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace.spaces.board_division import rules
from tests.naive import board_division as naive


@pytest.mark.parametrize("k", range(4))
def test_a_cover_put_together_from_quadrants_is_the_oracles(k: int) -> None:
    cells = [(row, column) for row in range(2**k) for column in range(2**k)]
    assert rules.assembled(k, cells).tolist() == [naive.cover(k, special) for special in cells]
    for special in cells:
        blocks = [rules.assembled_block(k, special, 0, cell).tolist() for cell in cells]
        assert blocks == [[[naive.cover(k, special)[row][column]]] for row, column in cells]


@pytest.mark.parametrize("k", range(4))
def test_the_recursion_gone_through_lays_the_oracles_cover_and_counts_its_boards(k: int) -> None:
    for special in ((row, column) for row in range(2**k) for column in range(2**k)):
        laid = rules.cover(k, special)
        assert laid.board == naive.cover(k, special)
        assert (laid.boards_met, laid.deepest) == (sum(4**level for level in range(k + 1)), k)


@given(st.integers(0, 3), st.data())
def test_a_cover_is_one_by_both_definitions(k: int, data: st.DataObject) -> None:
    coordinate = st.integers(0, 2**k - 1)
    special = (data.draw(coordinate), data.draw(coordinate))
    board = naive.cover(k, special)
    if data.draw(st.booleans()):
        board[data.draw(coordinate)][data.draw(coordinate)] = data.draw(st.integers(0, 4**k))
    assert rules.is_cover(board, special) == naive.is_cover(board, special)


@pytest.mark.parametrize("side", range(1, 6))
def test_covers_are_counted_cell_by_cell_as_by_backtracking(side: int) -> None:
    for special in ((row, column) for row in range(side) for column in range(side)):
        assert rules.count_covers(side, special) == naive.count_covers(side, special)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 6), (2, 3), (3, 2), (2, 4), (3, 3)])
def test_the_positions_are_the_oracles_with_cells_from_1(m: int, n: int) -> None:
    moved = [{frozenset((r + 1, c + 1) for r, c in pegs) for pegs in level} for level in naive.levels(m, n)]
    assert rules.positions(m, n) == moved
    assert rules.fewest(m, n) == min(len(pegs) for level in moved for pegs in level)


@pytest.mark.parametrize("jump", [(1, 1, "L"), (1, 1, "R"), (2, 1, "L"), (1, 3, "R")])
def test_what_is_no_jump_is_refused(jump: rules.Jump) -> None:
    with pytest.raises(ValueError, match="is no jump"):
        rules.play(rules.rectangle(1, 3), [jump])
