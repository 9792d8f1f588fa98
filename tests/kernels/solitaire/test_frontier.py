"""Frontiers: exactly k moves, and first reached after k, against breadth-first search on sets."""

from itertools import islice

import pytest

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.search import frontiers
from tests.kernels.solitaire.boards import (
    LAST_SUPPER,
    SMALL,
    as_set,
    cells,
    hexagon,
    orbits,
    rectangle,
    stabiliser,
    triangle,
)
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive


@pytest.mark.parametrize(
    ("board", "empty", "deepest"),
    [(rectangle(4, 4), 2, 4), (triangle(5), 1, 5), (triangle(5), 5, 5), (hexagon(3), 10, 3), (SMALL[-1], 5, 9)],
    ids=lambda value: value.name if isinstance(value, Board) else str(value),
)
def test_layers_are_those_of_the_definition(board: Board, empty: int, deepest: int) -> None:
    problem = Problem(board, board.full ^ board.position([empty]), board.position([board.labels[0]]))
    group = stabiliser(board, problem.start, problem.goal)
    expected = naive.layers(cells(board), board.grid, as_set(board, problem.start), deepest)
    seen: set[naive.Position] = set()
    for layer in islice(frontiers(problem.forward, problem.root(problem.start, counted=True)), deepest + 1):
        exactly = expected[layer.moves]
        assert orbits(board, group, layer.run.positions) == {naive.orbit(group, p) for p in exactly}
        assert orbits(board, group, layer.first) == {naive.orbit(group, p) for p in set(exactly) - seen}
        seen |= set(exactly)
        assert layer.run.ways is not None
        for word, ways in zip(layer.run.positions.tolist(), layer.run.ways.tolist(), strict=True):
            assert ways == sum(exactly[p] for p in naive.orbit(group, as_set(board, word)))


def test_the_last_layer_is_the_one_before_no_move_is_left() -> None:
    board = rectangle(3, 4)
    problem = Problem(board, board.full ^ board.position([1]), board.position([1]))
    layers = list(frontiers(problem.forward, problem.root(problem.start)))
    assert len(naive.layers(cells(board), board.grid, as_set(board, problem.start), len(layers))[-1]) == 0
    assert all(len(layer.run.positions) for layer in layers)


def test_the_source_counts_29627_positions_after_exactly_7_moves() -> None:
    layers = list(islice(frontiers(LAST_SUPPER.forward, LAST_SUPPER.root(LAST_SUPPER.start)), 8))
    assert len(layers[7].run.positions) == GOLDEN["last_supper"]["positions_after_7_moves"]
    assert [len(layer.run.positions) for layer in layers] == [1, 1, 3, 17, 99, 670, 4534, 29627]
