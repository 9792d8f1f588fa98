"""Least moves to every position, and from every position to a goal, as the definition has them."""

import numpy as np
import pytest

from boardspace.kernels.solitaire.board import Board
from boardspace.kernels.solitaire.classes.gather import Blocks
from boardspace.kernels.solitaire.classes.moves import moves_from, moves_to, positions_at, sweep_moves
from boardspace.kernels.solitaire.classes.moves_census import count_fixed_moves, count_moves, moves_of, with_moves
from boardspace.kernels.solitaire.classes.position_class import PositionClass
from boardspace.kernels.solitaire.classes.relax import MOST_MOVES, Layer, TooManyMovesError, make_layer, paths_of
from boardspace.kernels.solitaire.classes.steps import forward_steps
from boardspace.kernels.solitaire.classes.sweep import bitmap, reachable
from boardspace.kernels.solitaire.levels import first_level, step
from boardspace.kernels.solitaire.problem import Problem
from tests.kernels.solitaire.boards import ENGLISH, as_set, as_word, rectangle, stabiliser, triangle
from tests.kernels.solitaire.classes.classes import BOARDS, board_cells, order, starts, words
from tests.naive import solitaire as naive

NOTHING = np.zeros((1, 1), np.int64)


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


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_layers_are_counted_by_pegs_and_moves_labelled_and_up_to_symmetry(board: Board) -> None:
    for start in starts(board):
        here, group = order(board, start), board.stabiliser(start)
        layers = list(sweep_moves(here, forward_steps(here), [start]))
        expected = np.zeros((board.holes + 1, MOST_MOVES + 1, 2), np.int64)
        moves = naive.reachable(board_cells(board), board.grid, as_set(board, start))
        for position in moves:
            expected[len(position), moves[position], 0] += 1
        for orbit in {naive.orbit(stabiliser(board, start), position) for position in moves}:
            expected[len(min(orbit)), moves[min(orbit)], 1] += 1
        labelled = sum((count_moves(here, layer) for layer in layers), NOTHING)
        assert labelled.tolist() == expected[..., 0].tolist()
        fixed = [count_fixed_moves(here, symmetry, layer) for symmetry in group[1:] for layer in layers]
        assert (sum(fixed, labelled) // len(group)).tolist() == expected[..., 1].tolist()
        for most in (1, max(moves.values())):
            found = [position for layer in layers for position in with_moves(here, layer, most)]
            assert sorted(found) == sorted(as_word(board, p) for p in moves if moves[p] == most)
        for number in range(1 << board.holes if board.holes < 13 else 0):
            if here.positions.contains(number):
                known = [m for layer in layers if (m := moves_of(here, layer, number)) is not None]
                assert known == ([moves[as_set(board, number)]] if as_set(board, number) in moves else [])


def test_tiles_made_by_themselves_are_those_made_together() -> None:
    """Each weight in two parts, made from the parts of the weights before."""
    board = triangle(5)
    start = board.full ^ 1
    here, steps = order(board, start), forward_steps(order(board, start))
    parts: list[Layer] = []
    for layer in sweep_moves(here, steps, [start]):
        middle = here.highs // 3
        near = [part for part in parts if part.weight - layer.weight <= max(here.gaps)]
        made = [
            make_layer(here, steps, paths_of(here, steps), near, [start], layer.weight, *ends)
            for ends in ((0, middle), (middle, here.highs))
        ]
        assert np.array_equal(sum(count_moves(here, part) for part in made), count_moves(here, layer))
        assert np.array_equal(np.concatenate([part.index[:, 1] for part in made]), layer.index[:, 1])
        assert np.array_equal(np.concatenate([part.rows[1:] for part in made]), layer.rows[1:])
        parts += made


def test_more_moves_than_planes_can_count_are_refused() -> None:
    """The start is said to have needed 29 moves; then its children need 30."""
    board = rectangle(3, 5)
    start = board.full ^ 1
    here, steps = order(board, start), forward_steps(order(board, start))
    paths = paths_of(here, steps)
    weight = here.weight(start)
    first = make_layer(here, steps, paths, [], [start], weight)
    refusals = 0
    bit = first.rows[1:2].min() ^ first.rows.dtype.type(-1 % (1 << 8 * first.rows.itemsize))
    for moves, refused in ((MOST_MOVES - 2, False), (MOST_MOVES - 1, True)):
        late = first._replace(rows=first.rows.copy())
        for plane in range(5):
            late.rows[1 + plane] |= bit * first.rows.dtype.type(moves >> plane & 1)
        assert moves_of(here, late, start) == moves
        for gap in here.gaps:
            if refused and len(make_layer(here, steps, paths, [first], [], weight - gap).rows) > 1:
                with pytest.raises(TooManyMovesError, match="30 moves"):
                    make_layer(here, steps, paths, [late], [], weight - gap)
                refusals += 1
            else:
                make_layer(here, steps, paths, [late], [], weight - gap)
    assert refusals


@pytest.mark.slow
def test_the_english_board_from_its_centre() -> None:
    """As many positions with so many moves, and the same most moves for each number of pegs, as by sorted runs."""
    start = ENGLISH.full ^ ENGLISH.position([19])
    here = order(ENGLISH, start, 12)
    by_layers = sum((count_moves(here, layer) for layer in sweep_moves(here, forward_steps(here), [start])), NOTHING)
    assert int(by_layers.sum()) == 187_636_299
    problem, level = Problem(ENGLISH, start, start ^ ENGLISH.full), first_level(start)
    for pegs in range(32, 0, -1):
        after = step(problem, level)
        by_runs = np.bincount(level.moves, weights=after.orbits, minlength=MOST_MOVES + 1)
        assert by_layers[pegs].tolist() == by_runs.tolist()
        level = after.level
