"""Least moves to every position, and from every position to a goal, as the definition has them."""

import numpy as np
import pytest

from boardspace.kernels.solitaire.board import Board
from boardspace.kernels.solitaire.classes.census import count_by_pegs
from boardspace.kernels.solitaire.classes.gather import Blocks
from boardspace.kernels.solitaire.classes.moves import moves_from, moves_to, positions_at
from boardspace.kernels.solitaire.classes.position_class import PositionClass
from boardspace.kernels.solitaire.classes.sweep import bitmap, reachable
from boardspace.kernels.solitaire.levels import first_level, step
from boardspace.kernels.solitaire.problem import Problem
from tests.kernels.solitaire.boards import ENGLISH, as_set, as_word
from tests.kernels.solitaire.classes.classes import BOARDS, board_cells, order, starts, words
from tests.naive import solitaire as naive


def by_position(positions: PositionClass, planes: Blocks) -> dict[int, int]:
    """The number of moves of every position that has one."""
    most = (1 << len(planes)) - 1
    return {p: moves for moves in range(most) for p in words(positions, positions_at(planes, moves))}


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_least_moves_from_a_start_are_those_of_the_definition(board: Board) -> None:
    for start in starts(board):
        here = order(board, start)
        expected = naive.reachable(board_cells(board), board.grid, as_set(board, start))
        found = by_position(here.positions, moves_from(here, [start]))
        assert found == {as_word(board, position): moves for position, moves in expected.items()}


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_least_moves_to_a_goal_are_those_of_the_definition(board: Board) -> None:
    """By breadth-first search on moves taken back."""
    here = order(board, starts(board)[1])
    reached = words(here.positions, bitmap(here, reachable(here, [starts(board)[1]]).values()))
    goal = min(reached, key=lambda position: (position.bit_count(), position))
    expected, frontier = {as_set(board, goal): 0}, {as_set(board, goal)}
    while frontier:
        before = {p for after in frontier for p in naive.parents(board_cells(board), board.grid, after)}
        frontier = before - expected.keys()
        expected |= dict.fromkeys(frontier, max(expected.values()) + 1)
    found = by_position(here.positions, moves_to(here, [goal]))
    assert found == {as_word(board, position): moves for position, moves in expected.items()}


@pytest.mark.slow
def test_the_english_board_from_its_centre() -> None:
    """As many positions with so many moves, and the same most moves for each number of pegs, as by sorted runs."""
    start = ENGLISH.full ^ ENGLISH.position([19])
    here = order(ENGLISH, start, 12)
    planes = moves_from(here, [start])
    by_bitmap = np.array([count_by_pegs(here, positions_at(planes, moves)) for moves in range(32)])
    assert int(by_bitmap.sum()) == 187_636_299
    problem, level = Problem(ENGLISH, start, start ^ ENGLISH.full), first_level(start)
    for pegs in range(32, 0, -1):
        after = step(problem, level)
        by_runs = np.bincount(level.moves, weights=after.orbits, minlength=32)
        assert by_bitmap[:, pegs].tolist() == by_runs.tolist()
        level = after.level
