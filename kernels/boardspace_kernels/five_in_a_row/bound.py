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

The weights of lines come from linear programming: at the root for the whole board, later aimed at the states that
survive. The program is: maximise the weight of the lines without a stone, so that no undecided cell lies on lines of
more than one stone's weight. HiGHS solves it by its interior-point method *without crossover*: of all optimal solutions
it then stops near the middle, where every line that can have weight has some, and a placement that hits a line twice or
puts a stone on a slack cell pays for it at once. A corner of the optimal face prunes 10 to 100 times less.

At the root every line counts once, and symmetric lines may be given the same weight (an average over the symmetries
is as good a solution), so one variable per orbit of lines and one row per orbit of cells is enough. At a later layer
the cells behind the frontier no longer limit anything, and a line that crosses it counts by the share of the states
in which it has no stone yet: the bound is *aimed* at those states, and a few rounds of aiming at what is left remove
most of them.

*Small costs.* Bounds also come in small whole numbers: what lines weigh and strips cost, in a few units a stone. A
derivation by cutting planes (:mod:`.completions`) takes a rounding for every unit that a stone costs in a strip, and so
it wants few units. The bound of a certificate, in units of 1 / SCALE, is rounded: weights of lines to the nearest whole
number, lowered where they charge a cell too much, and what is left of a stone on every cell goes to the strips over it,
to each what it had, rounded down, and the rest to those that lost most. The sum of the strips' minima is concave, and
flat near its top, so that the bound hardly changes: for k = 3 two strips prove 81.48 stones on 13 x 13, and 81.33 in
six units a stone. It may even rise.
"""

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, BoardError, Ints, load
from boardspace_kernels.five_in_a_row.frontier import Frontier

Floats = npt.NDArray[np.float64]

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


def root_weights(board: Board) -> Ints:
    """(L,) integer weights of the lines of a whole board, equal on symmetric lines, in units of 1/SCALE stone."""
    if not len(board.lines):
        return np.empty(0, dtype=np.int64)
    # With equal weights on symmetric lines a cell and its images are charged alike: one stands for all.
    cell_orbit = board.symmetries.min(axis=0)
    line_orbit, sizes = _line_orbits(board)
    representative = np.flatnonzero(cell_orbit == np.arange(board.cells))
    row_of = np.full(board.cells, -1)
    row_of[representative] = np.arange(len(representative))
    rows = row_of[board.lines]
    columns = np.broadcast_to(line_orbit[:, None], rows.shape)
    # Lines of one orbit through one cell fall on one entry, and SciPy adds them up.
    weights = _solve(sizes.astype(float), rows[rows >= 0], columns[rows >= 0], len(representative))
    return rounded(board, weights[line_orbit])


def aimed_weights(frontier: Frontier, layer: int, run_shares: Floats) -> Ints:
    """(L,) integer weights for the cells from ``layer`` on; ``run_shares`` (slots, k) is how frequent each run is."""
    board = frontier.board
    crossing, decided = frontier.crossing(layer)
    ahead = np.flatnonzero(frontier.line_first >= layer)
    # The share of states with a run so long or longer, in which a line with so many cells decided has no stone.
    open_share = np.cumsum(run_shares[:, ::-1], axis=1)[:, ::-1]
    use = np.append(crossing, ahead)
    gain = np.append(open_share[frontier.line_slot[crossing], decided], np.ones(len(ahead)))
    # Cells that are decided get negative rows and fall out: they limit no weight any more.
    rows = board.lines[use] - layer
    columns = np.broadcast_to(np.arange(len(use))[:, None], rows.shape)
    weights = np.zeros(len(board.lines))
    weights[use] = _solve(gain, rows[rows >= 0], columns[rows >= 0], board.cells - layer)
    return rounded(board, weights, layer)


def _line_orbits(board: Board) -> tuple[Ints, Ints]:
    """(L,) number of each line's orbit under the symmetries, and the size of every orbit."""
    images = np.sort(board.symmetries[:, board.lines], axis=-1)
    # As k is 2 at least, the first two cells tell which line it is.
    name = images[..., 0] * board.cells + images[..., 1]
    order = np.argsort(name[0])
    number = order[np.searchsorted(name[0], name, sorter=order)]
    _, orbit, sizes = np.unique(number.min(axis=0), return_inverse=True, return_counts=True)
    return orbit, sizes


def _solve(gain: Floats, rows: Ints, columns: Ints, height: int) -> Floats:
    """Maximise gain @ y over 0 <= y <= 1 where the sum of y over the entries of each row is at most 1."""
    # Half a second, which boards solved by their lattice need not wait.
    from scipy.optimize import OptimizeWarning, linprog
    from scipy.sparse import csr_array

    matrix = csr_array((np.ones(len(rows)), (rows, columns)), shape=(height, len(gain)))
    with warnings.catch_warnings():
        # SciPy hands options it does not know to HiGHS as they are, and says so each time.
        warnings.filterwarnings("ignore", message="Unrecognized options", category=OptimizeWarning)
        for presolved in (True, False):  # where too little is left of a program, the first may end without a solution
            options = {"run_crossover": "off", "presolve": presolved}
            result = linprog(
                -gain, A_ub=matrix, b_ub=np.ones(height), bounds=(0, 1), method="highs-ipm", options=options
            )
            if result.x is not None:
                return np.asarray(result.x)
    return np.zeros(len(gain))


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
    weights = line_weights(board, certificate["lines"])
    if not certificate["strips"]:
        return SmallCosts(SCALE, weights.tolist(), ())
    small = _small_weights(board, weights, unit)
    cells = np.array([_cells_of(board, strip) for strip in certificate["strips"]])
    costs = np.array([strip["costs"] for strip in certificate["strips"]], dtype=np.int64)
    shared = _shared(cells, costs * unit, unit - load(board, small))
    return SmallCosts(unit, small.tolist(), list(zip(cells.tolist(), shared.tolist(), strict=True)))


def line_weights(board: Board, lines: Sequence[Sequence[int]]) -> Ints:
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
    # No cell is charged more than a stone by lines, so what is due is 0 or more, and some strip can give a unit back.
    small = np.maximum(costs // SCALE, 0)
    for cell in np.unique(cells).tolist():
        over = np.nonzero(cells == cell)
        while left := int(due[cell] - small[over].sum()):
            lost = costs[over] - small[over] * SCALE
            place = int(lost.argmax() if left > 0 else np.where(small[over] > 0, -lost, -SCALE * SCALE).argmax())
            small[over[0][place], over[1][place]] += 1 if left > 0 else -1
    return small
