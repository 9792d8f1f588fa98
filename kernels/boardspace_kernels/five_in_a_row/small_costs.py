"""Bounds in small whole numbers: what lines weigh and strips cost, in a few units a stone.

A derivation by cutting planes (:mod:`.completions`) takes a rounding for every unit that a stone costs in a strip, and
so it wants few units. The bound of a certificate, in units of 1 / SCALE, is rounded: weights of lines to the nearest
whole number, lowered where they charge a cell too much, and what is left of a stone on every cell goes to the strips
over it, to each what it had, rounded down, and the rest to those that lost most. The sum of the strips' minima is
concave, and flat near its top, so that the bound hardly changes: for k = 3 two strips prove 81.48 stones on 13 x 13,
and 81.33 in six units a stone. It may even rise.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from boardspace_kernels.five_in_a_row.board import Board, Ints, load
from boardspace_kernels.five_in_a_row.bound import SCALE

UNIT = 6


class SmallCosts(NamedTuple):
    """A bound whose stones are worth ``unit`` each.

    weights: by line its weight.
    strips: of each strip its cells, ascending, and what a stone costs on each of them.
    """

    unit: int
    weights: Sequence[int]
    strips: Sequence[tuple[Sequence[int], Sequence[int]]]


def small_costs(certificate: Mapping[str, Any], unit: int = UNIT) -> SmallCosts:
    """The bound of a certificate (:mod:`.certificate`) in ``unit`` units a stone; one by lines alone, which takes no
    roundings, stays in units of 1 / SCALE."""
    board = Board(tuple(certificate["shape"]), certificate["k"])
    weights = _line_weights(board, certificate["lines"])
    if not certificate["strips"]:
        return SmallCosts(SCALE, weights.tolist(), ())
    small = _small_weights(board, weights, unit)
    cells = np.array([_cells_of(board, strip) for strip in certificate["strips"]])
    costs = np.array([strip["costs"] for strip in certificate["strips"]], dtype=np.int64)
    shared = _shared(cells, costs * unit, unit - load(board, small))
    return SmallCosts(unit, small.tolist(), list(zip(cells.tolist(), shared.tolist(), strict=True)))


def _line_weights(board: Board, lines: Sequence[Sequence[int]]) -> Ints:
    """(L,) weights, of those given as first cell, last cell and weight."""
    by_ends = {(first, last): weight for first, last, weight in lines}
    ends = board.lines[:, [0, -1]].tolist()
    return np.array([by_ends.get((first, last), 0) for first, last in ends], dtype=np.int64)


def _cells_of(board: Board, strip: Mapping[str, Any]) -> Ints:
    columns = board.shape[-1]
    width = len(strip["costs"]) * columns // board.cells
    return np.arange(board.cells).reshape(-1, columns)[:, strip["start"] : strip["start"] + width].ravel()


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
