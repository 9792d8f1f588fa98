"""Levels: all positions by pegs, with the least number of moves, against search on whole moves."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.runs import intersection
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.levels import BoardTooLargeError, Level, check_size, first_level, merge_levels, step
from boardspace_kernels.solitaire.moves import orbit_sizes
from boardspace_kernels.solitaire.play import Problem
from tests.kernels.solitaire.boards import (
    CENTRAL,
    SMALL,
    as_set,
    cells,
    hexagon,
    rectangle,
    stabiliser,
    triangle,
)
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive


def levels(problem: Problem, capacity: int = 1 << 22) -> list[Level]:
    found = [first_level(problem.start)]
    while len(found[-1].positions):
        found.append(step(problem, found[-1], capacity=capacity).level)
    return found[:-1]


@pytest.mark.parametrize(
    ("board", "empty"),
    [(rectangle(3, 4), 2), (rectangle(4, 4), 2), (triangle(5), 1), (triangle(5), 5), (hexagon(2), 4), (SMALL[-1], 5)],
    ids=lambda value: value.name if isinstance(value, Board) else str(value),
)
def test_levels_hold_all_reachable_positions_with_their_least_number_of_moves(board: Board, empty: int) -> None:
    problem = Problem(board, board.full ^ board.position([empty]), board.position([empty]))
    group = stabiliser(board, problem.start, problem.goal)
    known = naive.reachable(cells(board), board.grid, as_set(board, problem.start))
    expected = {naive.orbit(group, position): moves for position, moves in known.items()}
    found = {}
    for pegs, level in zip(range(problem.start.bit_count(), 0, -1), levels(problem), strict=False):
        assert np.bitwise_count(level.positions).tolist() == [pegs] * len(level.positions)
        assert np.all(level.positions[1:] > level.positions[:-1])
        for word, moves in zip(level.positions.tolist(), level.moves.tolist(), strict=True):
            found[naive.orbit(group, as_set(board, word))] = moves
    assert found == expected


def test_live_pegs_are_those_that_can_have_moved_last() -> None:
    board = triangle(4)
    problem = Problem(board, board.full ^ board.position([2]), board.position([3]))
    assert len(problem.group) == 1
    last = _last_to_move(board, problem.start)
    for level in levels(problem):
        for word, moves, live in zip(*(column.tolist() for column in level), strict=True):
            assert last[as_set(board, word)] == (moves, set(as_set(board, live)))


@given(st.integers(1, 5), st.integers(0, 3))
def test_a_level_made_in_parts_is_the_same(parts: int, skipped: int) -> None:
    board = triangle(5)
    problem = Problem(board, board.full ^ board.position([5]), board.position([5]))
    for level in levels(problem)[3 + skipped :: 3]:
        whole = step(problem, level)
        cuts = [Level(*columns) for columns in zip(*(np.array_split(column, parts) for column in level), strict=True)]
        steps = [step(problem, part, capacity=1) for part in cuts]
        merged = merge_levels([part.level for part in steps])
        assert [column.tolist() for column in merged] == [column.tolist() for column in whole.level]
        assert np.concatenate([part.choices for part in steps]).tolist() == whole.choices.tolist()
        assert np.concatenate([part.orbits for part in steps]).tolist() == whole.orbits.tolist()


def test_choices_count_jumps_and_dead_ends_have_none() -> None:
    board = rectangle(4, 4)
    problem = Problem(board, board.full ^ board.position([2]), board.position([3]))
    for level in levels(problem):
        for word, choices in zip(level.positions.tolist(), step(problem, level).choices.tolist(), strict=True):
            position = as_set(board, word)
            lines = naive.jumps(cells(board), board.grid)
            assert choices == sum({a, b} <= position and c not in position for a, b, c in lines)
        assert step(problem, level).orbits.tolist() == orbit_sizes(problem.forward, level.positions).tolist()


def test_symmetries_that_are_no_group_are_refused_where_orbits_are_counted() -> None:
    board = rectangle(4, 4)
    problem = Problem(board, board.full ^ board.position([2]), board.position([2]))
    vars(problem)["group"] = np.stack([board.symmetries[0]] * 2 + [board.symmetries[1]])
    with pytest.raises(ArithmeticError, match="do not divide the group"):
        step(problem, first_level(problem.start))


def test_positions_that_can_win_are_found_from_the_goal() -> None:
    board = triangle(5)
    problem = Problem(board, board.full ^ board.position([1]), board.position([1]))
    goal = as_set(board, problem.goal)
    known: dict[naive.Position, bool] = {}
    winning = first_level(problem.goal).positions
    for level in reversed(levels(problem)):
        won = [
            word
            for word in level.positions.tolist()
            if naive.can_reach(cells(board), board.grid, as_set(board, word), goal, known)
        ]
        assert intersection(winning, level.positions).tolist() == won
        nothing = np.zeros(len(winning), np.uint8)
        taken_back = step(problem, Level(winning, nothing, nothing.astype(np.uint64)), back=True).level
        winning = taken_back.positions


def test_entries_of_a_board_of_more_than_52_holes_do_not_fit() -> None:
    check_size(rectangle(4, 13))
    with pytest.raises(BoardTooLargeError, match="has 64 holes; its levels can be made up to 52"):
        check_size(rectangle(8, 8))


def test_the_first_levels_of_the_english_board_are_those_published() -> None:
    level = first_level(CENTRAL.start)
    for published in GOLDEN["english_levels"]["positions"][:12]:
        assert len(level.positions) == published
        level = step(CENTRAL, level).level


@pytest.mark.slow
def test_all_levels_of_the_english_board_are_those_published() -> None:
    found = levels(CENTRAL)
    assert [len(level.positions) for level in found] == GOLDEN["english_levels"]["positions"]
    assert found[-1].moves.max() == GOLDEN["english_central"]["fewest_moves"]
    winning = first_level(CENTRAL.goal).positions
    sizes = [1]
    for level in reversed(found[:-1]):
        nothing = np.zeros(len(winning), np.uint8)
        taken_back = step(CENTRAL, Level(winning, nothing, nothing.astype(np.uint64)), back=True).level
        winning = intersection(taken_back.positions, level.positions)
        sizes.append(len(winning))
    assert sizes[::-1] == GOLDEN["english_levels"]["winning"]


@pytest.mark.parametrize(
    ("board", "start", "goal"),
    [(triangle(5), 1, 1), (rectangle(3, 5), 8, 8)],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_live_pegs_are_those_that_can_have_moved_last_up_to_the_symmetries_of_the_position(
    board: Board, start: int, goal: int
) -> None:
    problem = Problem(board, board.full ^ board.position([start]), board.position([goal]))
    group = stabiliser(board, problem.start, problem.goal)
    assert len(group) > 1
    last = _last_to_move(board, problem.start)
    symmetric = 0
    for level in levels(problem):
        for word, moves, live in zip(*(column.tolist() for column in level), strict=True):
            position = as_set(board, word)
            own = [image for image in group if {image[cell] for cell in position} == position]
            symmetric += len(own) > 1
            whole = {image[cell] for image in own for cell in as_set(board, live)}
            assert last[position] == (moves, whole)
    assert symmetric > 1


def _last_to_move(board: Board, start: int) -> dict[naive.Position, tuple[int, set[naive.Cell]]]:
    """For each position the fewest moves to it and the pegs that can have moved last in so many, by whole moves."""
    last: dict[naive.Position, tuple[int, set[naive.Cell]]] = {as_set(board, start): (0, set())}
    open_ends = list(last)
    while open_ends:
        position = open_ends.pop(0)
        for path, after in naive.moves(cells(board), board.grid, position):
            moves, pegs = last.get(after, (99, set()))
            if last[position][0] + 1 < moves:
                last[after] = (last[position][0] + 1, {path[-1]})
                open_ends.append(after)
            elif last[position][0] + 1 == moves:
                pegs.add(path[-1])
    return last
