"""Positions of shortest solutions, found by least moves of a whole class, are those that two searches meet on."""

import numpy as np
import pytest

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.fold import Fold, fold_by, unfolded
from boardspace_kernels.solitaire.classes.layer_blocks import Layer
from boardspace_kernels.solitaire.classes.layers import MoveSweep, make_layer, sweep_moves
from boardspace_kernels.solitaire.classes.moves_left import LayersOf, layers_to, moves_to_each
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.steps import forward_steps
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.search import Meeting, meet
from boardspace_kernels.solitaire.solutions import Solutions
from tests.kernels.solitaire.boards import CENTRAL
from tests.kernels.solitaire.classes.classes import BOARDS, each, least_moves, order, starts
from tests.kernels.solitaire.golden import GOLDEN


def swept(here: Order, start: int, fold: Fold) -> LayersOf:
    """All layers, each in two parts."""
    sweep, made = MoveSweep(here, forward_steps(here), fold), list[Layer]()
    for weight in range(here.heaviest, -1, -1):
        near = [layer for layer in made if layer.weight - weight <= max(here.gaps)]
        for ends in ((0, here.highs // 3), (here.highs // 3, here.highs)):
            made.append(make_layer(sweep, near, [start], weight, ends))
    return by_weight(made)


def by_weight(made: list[Layer]) -> LayersOf:
    return lambda weight: [layer for layer in made if layer.weight == weight]


@each(BOARDS)
def test_least_moves_to_many_positions_are_those_of_the_definition(board: Board) -> None:
    """To all that are reached, and to as many of the class that are not."""
    for start in starts(board):
        here = order(board, start)
        expected = least_moves(board, start)
        others = [n for n in range(1 << board.holes) if here.positions.contains(n) and n not in expected]
        asked = [*expected, *others[: len(expected)]]
        for fold in (unfolded(here), fold_by(here, board.stabiliser(start))):
            found = moves_to_each(here, fold, swept(here, start, fold), np.array(asked, np.uint64))
            assert found.tolist() == [expected.get(position, -1) for position in asked]


@each(BOARDS)
def test_layers_of_shortest_solutions_are_those_of_two_searches_that_meet(board: Board) -> None:
    for start in starts(board):
        here = order(board, start)
        fold = fold_by(here, board.stabiliser(start))
        layers = swept(here, start, fold)
        reached = least_moves(board, start)
        fewest = min(map(int.bit_count, reached))
        for position, moves in sorted(reached.items()):
            if position.bit_count() == fewest and moves:
                problem = Problem(board, start, position)
                meeting = meet(problem, 10**7)
                assert isinstance(meeting, Meeting)
                found = layers_to(problem, moves, here, fold, layers)
                assert [layer.tolist() for layer in found] == [p.tolist() for p in meeting.shortest_layers()]


@pytest.mark.slow
def test_the_central_game_of_the_english_board_has_the_solutions_that_a_search_from_both_sides_finds() -> None:
    here = order(CENTRAL.board, CENTRAL.start, 12)
    fold = fold_by(here, CENTRAL.board.stabiliser(CENTRAL.start))
    layers = by_weight(list(sweep_moves(here, forward_steps(here), [CENTRAL.start], fold)))
    assert moves_to_each(here, fold, layers, np.array([CENTRAL.goal], np.uint64)).tolist() == [18]
    meeting = meet(CENTRAL, 10**8)
    assert isinstance(meeting, Meeting)
    found = Solutions(CENTRAL, layers_to(CENTRAL, 18, here, fold, layers)).counts()
    assert found == Solutions(CENTRAL, meeting.shortest_layers()).counts()
    assert found[-1].solutions == GOLDEN["english_central"]["essential_solutions"]
