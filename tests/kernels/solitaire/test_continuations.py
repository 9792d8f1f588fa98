"""Sequences of one and two moves, against moves made one by one on cells and against the layers that hold them."""

from itertools import islice

import numpy as np
import pytest

from boardspace_kernels.runs import total_ways
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.search import frontiers
from boardspace_kernels.solitaire.sequences import count_continuations, weighted_total
from tests.kernels.solitaire.boards import LAST_SUPPER, as_set, cells, hexagon, rectangle, triangle
from tests.naive import solitaire as naive


@pytest.mark.parametrize("board", [rectangle(3, 4), rectangle(2, 7), triangle(5), hexagon(3)], ids=lambda b: b.name)
def test_moves_and_pairs_of_moves_are_those_made_one_by_one(board: Board) -> None:
    positions = np.random.default_rng(3).integers(0, board.full, 30, dtype=np.uint64, endpoint=True)
    found = count_continuations(Problem(board, board.full, 1).forward, positions)
    for word, one, two in zip(positions.tolist(), found.one.tolist(), found.two.tolist(), strict=True):
        after = [result for _, result in naive.moves(cells(board), board.grid, as_set(board, word))]
        assert one == len(after)
        assert two == sum(1 for position in after for _ in naive.moves(cells(board), board.grid, position))


def test_two_moves_from_each_layer_of_the_last_supper_make_the_sequences_two_layers_on() -> None:
    root = LAST_SUPPER.root(LAST_SUPPER.start, counted=True)
    runs = [layer.run for layer in islice(frontiers(LAST_SUPPER.forward, root), 8)]
    totals = [total_ways(run.ways) for run in runs if run.ways is not None]
    for moves, run in enumerate(runs[:-2]):
        assert run.ways is not None
        found = count_continuations(LAST_SUPPER.forward, run.positions)
        assert [weighted_total(run.ways, times) for times in found] == totals[moves + 1 : moves + 3]


def test_totals_are_exact_beyond_a_word() -> None:
    ways = np.full(5, 2**64 - 1, np.uint64)
    times = np.array([2**27 - 1, 0, 1, 2, 3], np.int64)
    assert weighted_total(ways, times) == (2**64 - 1) * (2**27 + 5)
    assert weighted_total(ways[:0], times[:0]) == 0


def test_a_number_of_times_that_digits_cannot_hold_is_refused() -> None:
    with pytest.raises(OverflowError, match="continuations"):
        weighted_total(np.ones(1, np.uint64), np.array([2**27], np.int64))
