"""The same boards searched the other way: along their shorter side, and with bounds that are reflected."""

from itertools import count

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.board import Board, Ints
from boardspace_kernels.five_in_a_row.bound import SCALE, Bound, without_strips
from boardspace_kernels.five_in_a_row.minimum import least, rungs, solve
from boardspace_kernels.five_in_a_row.search import Sweep, limits, prepare, sweep

MEMORY = 1 << 30
SMALL = {2: 6, 3: 6, 4: 6, 5: 8, 6: 7, 7: 8}
LARGE = {2: 8, 3: 8, 4: 8, 5: 10, 6: 10, 7: 11}
"""By k, the longest side."""

SIDES = [*SMALL.items(), *(pytest.param(k, side, marks=pytest.mark.slow) for k, side in LARGE.items())]


def rectangles(k: int, side: int) -> list[Board]:
    return [Board((n, m), k) for n in range(2, side + 1) for m in range(2, n + 1)]


def swept_as_it_is(board: Board, width: int = 0, bound: Bound | None = None) -> Sweep:
    """The first sweep that finds something, of a board that is not turned so that its longest side is first."""
    prepared = prepare(board, width, bound)
    allowed = limits(prepared, MEMORY, total=1 << 40)
    sweeps = (sweep(prepared, stones, allowed) for stones in count(least(prepared)))
    return next(one for one in sweeps if one.count)


def disjoint_lines(board: Board) -> Ints:
    """(L,): the weight of one stone on lines that share no cell, the first that there are: a bound without symmetry."""
    taken, weights = np.zeros(board.cells, dtype=bool), np.zeros(len(board.lines), dtype=np.int64)
    for number, line in enumerate(board.lines):
        if not taken[line].any():
            taken[line], weights[number] = True, SCALE
    return weights


def moved(board: Board, weights: Ints, image: Ints) -> Ints:
    """(L,): the weights of the lines where a symmetry takes them."""
    number = {frozenset(line): i for i, line in enumerate(board.lines.tolist())}
    there = np.empty_like(weights)
    there[[number[frozenset(line)] for line in image[board.lines].tolist()]] = weights
    return there


@pytest.mark.parametrize(("k", "side"), SIDES)
def test_a_board_swept_along_its_shorter_side_has_the_same_minimum_and_as_many_placements(k: int, side: int) -> None:
    for board in rectangles(k, side):
        solution, turned = solve(board), Board(board.shape[::-1], k)
        for width in {0, *(width for width, _ in rungs(board) if k <= width <= board.shape[0])}:
            found = swept_as_it_is(turned, width)
            assert (found.stones, found.count) == (solution.minimum, solution.count), (turned, width)


@pytest.mark.parametrize(("k", "side"), SIDES)
def test_a_board_with_its_bound_reflected_has_the_same_minimum_and_as_many_placements(k: int, side: int) -> None:
    others = 0
    for board in rectangles(k, side):
        solution, weights = solve(board), disjoint_lines(board)
        states = set()
        for image in board.symmetries:
            found = swept_as_it_is(board, bound=without_strips(moved(board, weights, image)))
            assert (found.stones, found.count) == (solution.minimum, solution.count), (board, image)
            states.add(found.states)
        others += len(states) > 1
    assert others, "no reflected search met other states"
