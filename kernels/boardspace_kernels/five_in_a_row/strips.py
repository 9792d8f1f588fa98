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
far). It works on integers, and every cell's shares add up to SCALE at most at all times, so that the bound of every
step holds.

A board is its own mirror image, left and right and up and down. The sum is concave, so the average of a bound's images
is as good as the bound: the ascent stays among bounds that are their own images. Then a strip and its mirror image have
the same minimum, one of the two is worked out, and the average over a cheapest placement's images, all of them
cheapest, is a better direction than the placement alone.

For k = 3 on a 16 x 16 board the linear program proves 86 stones, two strips of width 9 prove 125, and 126 are needed.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, BoardError, Ints
from boardspace_kernels.five_in_a_row.bound import SCALE, Bound
from boardspace_kernels.five_in_a_row.diagram import Diagram, cheapest_path, cost_to_go, whole_diagram
from boardspace_kernels.five_in_a_row.layers import StripTables
from boardspace_kernels.jit import kernel

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
    def images(self) -> tuple[tuple[Ints, Ints], ...]:
        """The mirror images of the board that take strips to strips: the number of every strip's image (B,), and the
        places of its cells in that (cells of a strip,)."""
        columns, width = self.board.shape[-1], len(self.cells[0]) * self.board.shape[-1] // self.board.cells
        grid = np.arange(len(self.cells[0])).reshape(*self.board.shape[:-1], width)
        numbers = np.arange(len(self.starts))
        found = [(numbers, grid[::-1].ravel())]
        # Rounding may have put the strips out of symmetry. Upside down each is its own image in any case.
        if all(a + b == columns - width for a, b in zip(self.starts, self.starts[::-1], strict=True)):
            found += [(numbers[::-1], grid[:, ::-1].ravel()), (numbers[::-1], grid[::-1, ::-1].ravel())]
        return tuple(found)

    @property
    def cover(self) -> Ints:
        """(cells,): how many strips lie over each cell of the board."""
        return np.bincount(self.cells.ravel(), minlength=self.board.cells)

    def values(self, costs: Ints) -> Ints:
        """(B, nodes + 1): the cheapest completion of every strip from every node, for costs (B, cells of a strip); see
        :func:`.cost_to_go`."""
        values = np.empty((len(costs), len(self.diagram.free) + 1), dtype=np.int64)
        for cost, row in zip(costs, values, strict=True):
            cost_to_go(self.diagram, cost, row)
        return values

    def tables(self, bound: Bound) -> StripTables:
        """Return what a search with this bound needs of the strips."""
        return StripTables(self.diagram.free, self.diagram.stone, self.values(bound.costs)[None])


def strips_over(board: Board, width: int, memory: int) -> Strips:
    """Strips of that width, evenly spread over a rectangle.

    Raises:
        BoardError: the board is no rectangle, or a strip of that width is narrower than k or wider than the board.
        BoardTooLargeError: their diagram and its values would take more than ``memory`` bytes.
    """
    columns = board.shape[-1]
    # A certificate that is read may have any strips, so this is asked here and not left to the callers.
    if len(board.shape) != 2 or not board.k <= width <= columns:
        raise BoardError(f"{board}, strips of {width} columns: they are for rectangles, from k columns to all of them")
    # Rounded up, so that neighbours share OVERLAP columns at least.
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
    symmetric, places = _Symmetric(strips, lines), Places(strips.cells, lines, cover)
    costs = SCALE // cover[strips.cells]
    weights = np.zeros(len(uncovered), dtype=np.int64)
    best, best_sum, reviewed, reach, stale = (costs.copy(), weights.copy()), 0, 0, SCALE, 0
    workspace = [np.empty(len(strips.diagram.free) + 1, dtype=np.int64) for _ in symmetric.different]
    for step in range(STEPS):
        if step % REVIEW == REVIEW - 1:
            if best_sum - reviewed < PROGRESS:
                break
            reviewed = best_sum
        values = [cost_to_go(strips.diagram, costs[b], r) for b, r in zip(symmetric.different, workspace, strict=True)]
        total = int(sum(values[i][0] for i in symmetric.of) + weights.sum())
        stale += 1
        if total > best_sum:
            best, best_sum, stale = (costs.copy(), weights.copy()), total, 0
        elif stale == PATIENCE:
            # So many steps found nothing better: the next ones begin at the best again, towards a nearer target.
            costs, weights, reach, stale = best[0].copy(), best[1].copy(), reach // 2, 0
            continue
        paths = [cheapest_path(strips.diagram, v) for v in values]
        chosen = symmetric.average(paths)
        if not take_step(Charges(costs, weights), places, chosen, best_sum + reach - total):
            break
        symmetric.lower(costs, weights)
    all_weights = np.zeros(len(strips.board.lines), dtype=np.int64)
    all_weights[uncovered] = best[1]
    return Bound(all_weights, best[0])


class _Symmetric:
    """Tables of what mirror images make of strips and of the ``lines`` (U, k) in no strip.

    ``different``: the first of the strips that are images of one another; ``of`` (B,): which of these each strip is an
    image of.
    """

    def __init__(self, strips: Strips, lines: Ints) -> None:
        self.images = strips.images
        first = np.minimum.reduce([np.arange(len(strips.starts)), *(numbers for numbers, _ in self.images)])
        self.different, self.of = np.unique(first, return_inverse=True)
        self.line_images = _line_images(strips.board, lines, turned=len(self.images) > 1)

    def average(self, paths: list[npt.NDArray[np.int8]]) -> npt.NDArray[np.float64]:
        """(B, n): the average of the images of cheapest placements ``paths``, one of each different strip."""
        chosen = np.array([paths[i] for i in self.of], dtype=np.float64)
        for b, i in enumerate(self.of):
            if b != self.different[i]:  # the image left to right
                chosen[b] = paths[i][self.images[1][1]]
        images = [chosen, *(chosen[numbers][:, places] for numbers, places in self.images)]
        return np.asarray(sum(images) / len(images))

    def lower(self, costs: Ints, weights: Ints) -> None:
        """Lower costs (B, n) and weights (U,), in place, to the least of their images, which rounding may have set
        apart."""
        # The least of the images charges no cell more than was charged before, so the bound still holds.
        costs[:] = np.minimum.reduce([costs, *(costs[numbers][:, places] for numbers, places in self.images)])
        weights[:] = np.minimum.reduce([weights, *(weights[image] for image in self.line_images)])


def _line_images(board: Board, lines: Ints, turned: bool) -> list[Ints]:
    """Numbers (U,) of the lines' images upside down and, if ``turned``, left to right and both."""
    grid = np.arange(board.cells).reshape(board.shape)
    cells = [grid[::-1], grid[:, ::-1], grid[::-1, ::-1]] if turned else [grid[::-1]]
    number = {tuple(line): i for i, line in enumerate(lines[:, [0, -1]].tolist())}
    ends = [np.sort(image.ravel()[lines[:, [0, -1]]], axis=1).tolist() for image in cells]
    return [np.array([number[tuple(line)] for line in image], dtype=np.int64) for image in ends]


def _uncovered_lines(strips: Strips) -> Ints:
    """Numbers of the lines that lie in no strip."""
    inside = np.zeros(len(strips.board.lines), dtype=bool)
    for cells in strips.cells:
        held = np.zeros(strips.board.cells, dtype=bool)
        held[cells] = True
        inside |= held[strips.board.lines].all(axis=1)
    return np.flatnonzero(~inside)


class Charges(NamedTuple):
    """Charges for stones.

    costs: int64 (B, n), by each strip for each of its cells.
    weights: int64 (U), by each line in no strip.
    """

    costs: Ints
    weights: Ints


class Places(NamedTuple):
    """Cells of the board that charges concern.

    cells: int64 (B, n), those of each strip.
    lines: int64 (U, k), those of each line in no strip.
    cover: int64 (cells), how many strips share each.
    """

    cells: Ints
    lines: Ints
    cover: Ints


@kernel
def take_step(charges: Charges, places: Places, chosen: npt.NDArray[np.float64], distance: int) -> bool:
    """Move the charges, in place, towards a sum larger by ``distance``; False at an optimum.

    ``chosen`` float64 (B, n) is the share of the strips' cheapest placements that has a stone there. Sums run in one
    order on every machine.
    """
    (costs, weights), (cells, lines, cover) = charges, places
    mean = _mean_stones(cells, cover, chosen)
    norm = 0.0
    for b in range(len(cells)):
        for i in range(cells.shape[1]):
            norm += (chosen[b, i] - mean[cells[b, i]]) ** 2
    # What a line lacks of one stone, by the strips' placements: so much its weight pulls upwards.
    missing = np.ones(len(lines))
    for line in range(len(lines)):
        for cell in lines[line]:
            missing[line] -= mean[cell]
        # A weight of 0 cannot fall, so a fall has no part in the length of the step.
        if weights[line] == 0:
            missing[line] = max(missing[line], 0.0)
        norm += missing[line] ** 2
    if norm < 1e-9:
        return False
    length = distance / norm
    for line in range(len(lines)):
        weights[line] = max(0, weights[line] + np.int64(np.rint(length * missing[line])))
    for b in range(len(cells)):
        for i in range(cells.shape[1]):
            # Over the strips of a cell the differences add up to 0: what some charge more, others charge less. What
            # rounding and the weights of lines change is set right below.
            costs[b, i] += np.int64(np.rint(length * (chosen[b, i] - mean[cells[b, i]])))
    _share_dues(charges, places)
    return True


@kernel
def _mean_stones(cells: Ints, cover: Ints, chosen: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Mean share of a stone at each cell, over the strips that have the cell, float64 (cells)."""
    stones = np.zeros(len(cover))
    for b in range(len(cells)):
        for i in range(cells.shape[1]):
            stones[cells[b, i]] += chosen[b, i]
    return stones / cover


@kernel
def _share_dues(charges: Charges, places: Places) -> None:
    """Share out among the strips of each cell what its lines' weights and strips' costs leave of SCALE, rounded down:
    no cell costs more than a stone."""
    (costs, weights), (cells, lines, cover) = charges, places
    due = np.full(len(cover), SCALE)
    for line in range(len(lines)):
        for cell in lines[line]:
            due[cell] -= weights[line]
    for b in range(len(cells)):
        for i in range(cells.shape[1]):
            due[cells[b, i]] -= costs[b, i]
    for b in range(len(cells)):
        for i in range(cells.shape[1]):
            # Rounded down below 0 as well, so that together the strips never charge more than is due.
            costs[b, i] += due[cells[b, i]] // cover[cells[b, i]]
