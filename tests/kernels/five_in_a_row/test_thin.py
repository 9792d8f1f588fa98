"""Boards with a side below k: the rule against the search and against listing."""

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.board import Board, BoardError, count_classes, unblocked
from boardspace_kernels.five_in_a_row.minimum import is_thin, solve, thin_placements, thin_rule, thin_witness

THIN = [(n, m, k) for k in range(2, 7) for n in range(1, 15) for m in range(1, k) if n >= m]


@pytest.mark.parametrize("k", range(2, 7))
def test_the_rule_agrees_with_the_search_on_every_thin_board(k: int) -> None:
    for n, m in [(n, m) for n, m, order in THIN if order == k]:
        rule, solution = thin_rule(Board((n, m), k)), solve(Board((n, m), k))
        assert (rule.minimum, rule.count) == (solution.minimum, solution.count), (n, m)
        if rule.count <= 20_000:
            assert rule.classes == (count_classes(solution.board, solution.placements(20_000)) if n >= k else 1), (n, m)


@pytest.mark.parametrize(
    ("shape", "k"), [((8, 3), 4), ((3, 8), 4), ((4, 4), 5), ((13, 2), 5), ((1, 7), 3), ((5, 1), 2)]
)
def test_the_placements_of_a_thin_board_are_those_of_the_search(shape: tuple[int, int], k: int) -> None:
    board = Board(shape, k)
    assert np.array_equal(thin_placements(board, 20_000), solve(board).placements(20_000))


@pytest.mark.parametrize(("shape", "k"), [((200, 8), 9), ((8, 200), 9), ((3, 3), 4)])
def test_a_thin_board_too_wide_for_a_search_has_a_witness(shape: tuple[int, int], k: int) -> None:
    board = Board(shape, k)
    witness = thin_witness(board)
    assert (witness.sum(), len(unblocked(board, witness))) == (thin_rule(board).minimum, 0)


def test_more_placements_of_a_thin_board_than_the_limit_are_refused() -> None:
    with pytest.raises(BoardError, match="252047376 optimal placements, more than the limit of 1000"):
        thin_placements(Board((25, 4), 5), 1000)


@pytest.mark.parametrize(("rows", "columns"), [(25, 4), (4, 25)])
def test_turning_a_thin_board_changes_nothing(rows: int, columns: int) -> None:
    rule = thin_rule(Board((rows, columns), 5))
    assert (rule.minimum, rule.count) == (20, 126**4)


def test_a_board_without_lines_needs_no_stone() -> None:
    assert thin_rule(Board((4, 4), 5)).minimum == 0
    assert thin_rule(Board((4, 3), 5)).count == 1


@pytest.mark.parametrize("shape", [(5, 5), (9, 8), (4, 9, 9)])
def test_other_boards_have_no_such_rule(shape: tuple[int, ...]) -> None:
    assert not is_thin(Board(shape, 5))
    with pytest.raises(BoardError, match="side below k"):
        thin_rule(Board(shape, 5))
