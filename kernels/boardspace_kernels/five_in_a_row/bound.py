"""Lower bounds on the stones a board still needs, as integers that a reader can check.

Give every line L a weight y(L) >= 0, and every strip b (a band of neighbouring columns, see
:mod:`.strips`) a cost c(b, cell) for a stone on each of its cells, such that on every cell that
is still to be decided

    sum of y(L) over the lines through the cell  +  sum of c(b, cell) over the strips over it   <=   SCALE.

Then every set of stones that completes a placement costs, at SCALE a stone, at least the weight of the lines without
a stone yet (each needs one of the stones, and a stone pays for all lines through it at most what is left to it) plus,
for every strip, the cheapest way to block that strip from where it stands. This holds for integers exactly, wherever
the numbers come from: a floating-point solver may propose them, :func:`check` decides.

With no strips this is the dual of the linear program "fewest stones, fractions allowed". With strips it is a
Lagrangian decomposition (Guignard and Kim 1987), which sees what the linear program cannot: that stones are whole.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, BoardError, Ints, load

SCALE = 1 << 30
"""Units in one stone."""


class BoundError(BoardError):
    """Weights and costs that prove nothing, because they charge a stone more than SCALE."""


@dataclass(frozen=True)
class Bound:
    """Weights of the lines (L,) and costs of the strips' cells (B, cells of a strip), for a search at ``layer``.

    Only cells from ``layer`` on are still to be decided; lines that end before it have no say.
    """

    weights: Ints
    costs: Ints
    layer: int = 0


def without_strips(weights: Ints, layer: int = 0) -> Bound:
    """A bound by lines alone."""
    return Bound(weights, np.empty((0, 0), dtype=np.int64), layer)


def check(board: Board, strip_cells: Ints, bound: Bound) -> None:
    """Refuse a bound that does not hold. ``strip_cells`` (B, cells of a strip) says which cell of the board each is.

    Raises:
        BoundError: a negative weight, or a cell charged more than SCALE.
    """
    if (bound.weights < 0).any():
        raise BoundError(f"line {int(bound.weights.argmin())} of {board} has a negative weight")
    charged = load(board, bound.weights)
    np.add.at(charged, strip_cells.ravel(), bound.costs.ravel())
    excess = np.where(np.arange(board.cells) >= bound.layer, charged - SCALE, 0)
    if (excess > 0).any():
        cell = int(excess.argmax())
        raise BoundError(f"a stone on cell {cell} of {board} is charged {int(charged[cell])}, more than {SCALE}")


def rounded(board: Board, weights: npt.NDArray[np.float64], layer: int = 0) -> Ints:
    """Integer weights, close to SCALE times ``weights`` (L,), that no cell from ``layer`` on is overcharged by.

    They are rounded down. Where a solver's tolerance leaves a cell charged ``worst`` > SCALE, each is multiplied by
    SCALE / worst and rounded down again, in integers, so that the sum of any cell's weights stays within SCALE; the
    products fit 64 bits, since no weight is above SCALE.
    """
    units = np.floor(np.clip(weights, 0.0, 1.0) * SCALE).astype(np.int64)
    worst = int(load(board, units)[layer:].max(initial=0))
    return units * SCALE // worst if worst > SCALE else units
