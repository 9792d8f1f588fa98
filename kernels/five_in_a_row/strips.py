"""Strips: bands of neighbouring columns, each solved exactly, whose costs add up to a bound on the whole board.

A strip of width w is a board of its own, with the lines that lie inside it. Its search without any bound is small (a
factor of about 3 for each column more), so its whole decision diagram is kept, and for any costs of its cells the
cheapest completion from every node is one pass over the diagram. The search of the board carries the node of every
strip along: a state's key decides where each strip stands, because a strip's runs are the board's, cut off at the
strip's edges.

Strips overlap, and a cell under several strips shares its SCALE among them; lines in no strip get a weight of their
own. The best shares maximise the sum of the strips' minima. That sum is concave and piecewise linear; a subgradient
says: raise the cost of a cell in the strips whose cheapest placement has a stone there, lower it in those whose has
none. The ascent below steps in that direction (Polyak's step length, towards a target just above the best sum so
far). It works on integers, and every cell's shares add up to SCALE at all times, so that the bound of every step
holds.

For k = 3 on a 16 x 16 board the linear program proves 86 stones, two strips of width 9 prove 125, and 126 are needed.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardspace.kernels.five_in_a_row.board import Board, Ints
from boardspace.kernels.five_in_a_row.bound import SCALE, Bound
from boardspace.kernels.five_in_a_row.diagram import Diagram, cheapest_path, cost_to_go
from boardspace.kernels.five_in_a_row.layers import StripTables
from boardspace.kernels.five_in_a_row.walk import whole_diagram
from boardspace.kernels.jit import kernel

OVERLAP = 1
"""Least number of columns that neighbouring strips share."""

STEPS = 150
"""Steps of the ascent at most."""

PATIENCE = 8
"""Steps without a better bound after which the target comes nearer."""

REVIEW, PROGRESS = 20, SCALE // 64
"""The ascent ends when so many steps have brought less than that."""


@dataclass(frozen=True)
class Strips:
    """B strips of one width over a board: their first columns, common diagram, and cells (B, cells of a strip)."""

    board: Board
    starts: tuple[int, ...]
    diagram: Diagram
    cells: Ints

    @property
    def cover(self) -> Ints:
        """(cells,): how many strips lie over each cell of the board."""
        return np.bincount(self.cells.ravel(), minlength=self.board.cells)

    def values(self, costs: Ints) -> Ints:
        """(B, nodes): the cheapest completion of every strip from every node, for costs (B, cells of a strip)."""
        return np.array([cost_to_go(self.diagram, cost) for cost in costs], dtype=np.int64)

    def tables(self, bound: Bound) -> StripTables:
        """What a search with this bound needs of the strips."""
        return StripTables(self.diagram.free, self.diagram.stone, self.values(bound.costs)[None])


def strips_over(board: Board, width: int, memory: int) -> Strips:
    """Strips of that width, evenly spread over a board; ``width`` is k at least and the last side at most.

    Raises:
        BoardTooLargeError: their diagram and its values would take more than ``memory`` bytes.
    """
    columns = board.shape[-1]
    number = 1 if width == columns else 1 - (width - columns) // (width - OVERLAP)
    starts = np.rint(np.linspace(0, columns - width, number)).astype(int).tolist()
    grid = np.arange(board.cells).reshape(board.shape)
    cells = np.array([grid[..., start : start + width].ravel() for start in starts])
    diagram = whole_diagram(Board((*board.shape[:-1], width), board.k), memory // node_bytes(number))
    return Strips(board, tuple(starts), diagram, cells)


def node_bytes(strips: int) -> int:
    """Bytes of a node of the strips' diagram: two links, and its values before and after a step of the ascent."""
    return 2 * 4 + 2 * 8 * strips


def ascend(strips: Strips) -> Bound:
    """The best bound that the ascent finds for the whole board."""
    cover, uncovered = strips.cover, _uncovered_lines(strips)
    lines = strips.board.lines[uncovered]
    costs = SCALE // cover[strips.cells]
    weights = np.zeros(len(uncovered), dtype=np.int64)
    best, best_sum, reviewed, reach, stale = (costs.copy(), weights.copy()), 0, 0, SCALE, 0
    for step in range(STEPS):
        if step % REVIEW == REVIEW - 1:
            if best_sum - reviewed < PROGRESS:
                break
            reviewed = best_sum
        values = strips.values(costs)
        total = int(values[:, 0].sum() + weights.sum())
        stale += 1
        if total > best_sum:
            best, best_sum, stale = (costs.copy(), weights.copy()), total, 0
        elif stale == PATIENCE:
            costs, weights, reach, stale = best[0].copy(), best[1].copy(), reach // 2, 0
            continue
        chosen = np.array([cheapest_path(strips.diagram, c, v) for c, v in zip(costs, values, strict=True)])
        if not take_step(costs, weights, strips.cells, lines, cover, chosen, best_sum + reach - total):
            break
    all_weights = np.zeros(len(strips.board.lines), dtype=np.int64)
    all_weights[uncovered] = best[1]
    return Bound(all_weights, best[0])


def _uncovered_lines(strips: Strips) -> Ints:
    """Numbers of the lines that lie in no strip."""
    inside = np.zeros(len(strips.board.lines), dtype=bool)
    for cells in strips.cells:
        held = np.zeros(strips.board.cells, dtype=bool)
        held[cells] = True
        inside |= held[strips.board.lines].all(axis=1)
    return np.flatnonzero(~inside)


@kernel
def take_step(
    costs: Ints, weights: Ints, cells: Ints, lines: Ints, cover: Ints, chosen: npt.NDArray[np.int8], distance: int
) -> bool:
    """Move ``costs`` (B, n) and ``weights`` (U,), in place, towards a sum larger by ``distance``; False at an
    optimum.

    ``cells`` (B, n) and ``lines`` (U, k) say which cells they concern, ``cover`` (cells,) how many strips share each,
    ``chosen`` (B, n) where the strips' cheapest placements have stones. Sums run in one order on every machine.
    """
    stones = np.zeros(len(cover), dtype=np.int64)
    for b in range(len(cells)):
        for i in range(cells.shape[1]):
            stones[cells[b, i]] += chosen[b, i]
    mean = stones / cover
    norm = 0.0
    for b in range(len(cells)):
        for i in range(cells.shape[1]):
            norm += (chosen[b, i] - mean[cells[b, i]]) ** 2
    missing = np.ones(len(lines))
    for line in range(len(lines)):
        for cell in lines[line]:
            missing[line] -= mean[cell]
        if weights[line] == 0:
            missing[line] = max(missing[line], 0.0)
        norm += missing[line] ** 2
    if norm < 1e-9:
        return False
    length = distance / norm
    due = np.full(len(cover), SCALE)
    for line in range(len(lines)):
        weights[line] = max(0, weights[line] + np.int64(np.rint(length * missing[line])))
        for cell in lines[line]:
            due[cell] -= weights[line]
    for b in range(len(cells)):
        for i in range(cells.shape[1]):
            costs[b, i] += np.int64(np.rint(length * (chosen[b, i] - mean[cells[b, i]])))
            due[cells[b, i]] -= costs[b, i]
    for b in range(len(cells)):
        for i in range(cells.shape[1]):
            share = due[cells[b, i]] // cover[cells[b, i]]
            costs[b, i] += share
    return True
