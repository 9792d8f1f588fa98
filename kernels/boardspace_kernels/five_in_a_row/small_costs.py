"""Bounds in small whole numbers: what lines weigh and strips cost, in a few units a stone.

A derivation by cutting planes (:mod:`.completions`) takes a rounding for every unit that a stone costs in a strip, and
so it wants few units. A bound in units of 1 / SCALE (see :mod:`.bound`) is rounded: weights of lines to the nearest
whole number, lowered where they charge a cell too much, and what is left of a stone on every cell goes to the strips
over it, to each what it had, rounded down, and the rest to those that lost most. The sum of the strips' minima is
concave, and flat near its top, so that the bound hardly changes; it may even rise.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from boardspace_kernels.five_in_a_row.board import Board, Ints, load
from boardspace_kernels.five_in_a_row.bound import SCALE
from boardspace_kernels.five_in_a_row.search import Prepared


class SmallCosts(NamedTuple):
    """A bound whose stones are worth ``unit`` each.

    weights: by line its weight.
    strips: of each strip its cells, ascending, and what a stone costs on each of them.
    """

    unit: int
    weights: Sequence[int]
    strips: Sequence[tuple[Sequence[int], Sequence[int]]]


def small_costs(prepared: Prepared, unit: int) -> SmallCosts:
    """The root bound of a board in ``unit`` units a stone; one by lines alone stays in units of 1 / SCALE."""
    board, bound, strips = prepared.board, prepared.bound, prepared.strips
    if strips is None:
        return SmallCosts(SCALE, bound.weights.tolist(), ())
    weights = _small_weights(board, bound.weights, unit)
    costs = _shared(strips.cells, bound.costs * unit, unit - load(board, weights))
    return SmallCosts(unit, weights.tolist(), list(zip(strips.cells.tolist(), costs.tolist(), strict=True)))


def _small_weights(board: Board, weights: Ints, unit: int) -> Ints:
    """(L,) weights in units, none of the cells charged more than one stone."""
    small = (weights * unit + SCALE // 2) // SCALE
    while (charged := load(board, small)).max() > unit:
        through = np.flatnonzero((board.lines == charged.argmax()).any(axis=1) & (small > 0))
        small[through[-1]] -= 1
    return small


def _shared(cells: Ints, costs: Ints, due: Ints) -> Ints:
    """(B, n) costs in units, 0 or more: of every cell together what is ``due`` (cells,), each near ``costs`` / SCALE.

    A unit that is left goes to the strip that lost most, one too many is taken from the strip that lost least.
    """
    small = np.maximum(costs // SCALE, 0)
    for cell in np.unique(cells).tolist():
        over = np.nonzero(cells == cell)
        while left := int(due[cell] - small[over].sum()):
            lost = costs[over] - small[over] * SCALE
            place = int(lost.argmax() if left > 0 else np.where(small[over] > 0, -lost, -SCALE * SCALE).argmax())
            small[over[0][place], over[1][place]] += 1 if left > 0 else -1
    return small
