"""The fewest stones that block a board, proved, with the exact number of ways.

The root bound gives the least number of stones there could be. Sweeps with that budget, then one more, and so on,
find nothing until the first that does: that budget is the minimum X, and the sweep has met every placement with X
stones. So X is proved either by the bound itself (``bound``: it already says X, and a placement attains it), or by
the bound together with sweeps that came out empty up to X - 1 (``search``).

On boards with a side shorter than k only one direction has lines, and everything has a formula. On an N x M board with
M < k <= N no row and no diagonal holds k cells, so the lines are the windows of the M columns, and the columns do not
touch one another. A column of N = q k + r cells (0 <= r < k) holds q disjoint windows, so it needs q stones, and q
stones at distance k suffice. With q stones it has q + 1 runs of free cells, each of at most k - 1; together they have
N - q cells, which is k - 1 - r fewer than (q + 1)(k - 1). To choose which runs are shorter, and by how much, is to put
k - 1 - r units into q + 1 runs, and no run can be given more than k - 1. Hence

    X = M q,      number of optimal placements = C(k - 1 - r + q, q) ** M.

With both sides below k there is no line: X = 0, one placement. Classes under the symmetries follow from the lemma of
Burnside: a reflection along the columns fixes a column when its runs read the same both ways.
"""

import contextlib
from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, BoardError, BoardTooLargeError, refuse_out_of_reach
from boardspace_kernels.five_in_a_row.bound import SCALE
from boardspace_kernels.five_in_a_row.diagram import Diagram, paths_to_go, placements_by_rank
from boardspace_kernels.five_in_a_row.search import (
    DEFAULT_MEMORY,
    Limits,
    OnRow,
    Part,
    Prepared,
    Sweep,
    limits,
    prepare,
    sweep,
)

UNLIMITED = 1 << 62

LADDER: dict[int, tuple[tuple[int, int], ...]] = {
    2: ((6, 200_000), (12, UNLIMITED)),
    3: ((6, 500_000), (8, 2_500_000), (9, 50_000_000), (10, UNLIMITED)),
    4: ((5, 500_000), (6, 5_000_000), (7, UNLIMITED)),
    6: ((0, 20_000_000), (6, UNLIMITED)),
}
"""By k, the rungs: width of the strips (0 for lines alone) and states allowed.

For other k lines alone have hardly a gap, or strips of width k are too large; narrower ones see no line across them.
"""


@dataclass(frozen=True)
class Solution:
    """X(board, k) and what proves it. ``sweeps`` are all that were made, the last one met every optimal placement."""

    board: Board
    prepared: Prepared
    sweeps: tuple[Sweep, ...]

    @property
    def minimum(self) -> int:
        """X, the fewest stones."""
        return self.sweeps[-1].stones

    @property
    def count(self) -> int:
        """Number of optimal placements."""
        return self.sweeps[-1].count

    @property
    def proof(self) -> str:
        """``bound``: the dual bound alone proves X; ``search``: sweeps below X came out empty."""
        return "bound" if least(self.prepared) == self.minimum else "search"

    @property
    def states(self) -> int:
        """States made in all sweeps."""
        return sum(one.states for one in self.sweeps)

    @property
    def peak(self) -> int:
        """States of the largest layer."""
        return max(one.peak for one in self.sweeps)

    def placements(self, limit: int) -> npt.NDArray[np.bool_]:
        """(count, *shape): every optimal placement, in lexicographic order of the cells, stones after free cells.

        Raises:
            BoardError: there are more than ``limit``, or the diagram was too large to keep.
        """
        if self.count > limit:
            raise BoardError(f"{self.board} has {self.count} optimal placements, more than the limit of {limit}")
        diagram = self.diagram
        return listed(self.board, diagram, np.arange(self.count, dtype=np.uint64))

    def witness(self) -> npt.NDArray[np.bool_]:
        """(*shape): one optimal placement. Raises BoardError where the diagram was too large to keep."""
        first = listed(self.board, self.diagram, np.zeros(1, dtype=np.uint64))
        return first[0]

    @property
    def diagram(self) -> Diagram:
        """The diagram of all optimal placements of the swept board. Raises BoardError where it was too large to
        keep."""
        diagram = self.sweeps[-1].diagram
        if diagram is None:
            raise BoardError(f"the search of {self.board} was too large to keep its links; give it more memory")
        return diagram


def rungs(board: Board) -> list[tuple[int, int]]:
    """The ladder for a board whose sides descend; a strip as wide as the board is the last rung it needs.

    Strips are for rectangles: a slab of a box is nearly as hard as the box.
    """
    columns = board.shape[-1]
    if columns < board.k or len(board.shape) != 2:
        return [(0, UNLIMITED)]
    ladder = LADDER.get(board.k, ((0, UNLIMITED),))
    climbed = [(width, allowed) for width, allowed in ladder if width < columns]
    return climbed if len(climbed) == len(ladder) else [*climbed, (columns, UNLIMITED)]


def solve(board: Board, memory: int = DEFAULT_MEMORY, on_row: OnRow | None = None) -> Solution:
    """The minimum of a board, proved, and the number of optimal placements; ``on_row`` hears of each sweep how far it
    is.

    Raises:
        BoardTooLargeError: the board is out of reach, or the search would take more than ``memory`` bytes.
    """
    refuse_out_of_reach(board)
    *cheap, (width, total) = rungs(board.swept[0])
    for narrow, few in cheap:
        with contextlib.suppress(BoardTooLargeError):
            return _by_one_bound(board, narrow, few, memory, on_row)
    return _by_one_bound(board, width, total, memory, on_row)


def _by_one_bound(board: Board, width: int, total: int, memory: int, on_row: OnRow | None) -> Solution:
    """The minimum, and all sweeps, with one bound, so that it and their numbers of states are of one certificate."""
    prepared = prepare(board.swept[0], width, memory=memory)
    most = limits(prepared, memory, total=total)
    return Solution(board, prepared, _tried(prepared, prepared.board.cells, most, on_row=on_row))


def _tried(
    prepared: Prepared, most: int, limits: Limits, part: Part | None = None, beam: int = 0, on_row: OnRow | None = None
) -> tuple[Sweep, ...]:
    """The sweeps with ever more stones, up to the first that finds something, or to ``most`` stones."""
    sweeps: list[Sweep] = []
    for stones in range(least(prepared), most + 1):
        sweeps.append(sweep(prepared, stones, limits, part, beam, on_row))
        if sweeps[-1].count:
            break
    return tuple(sweeps)


def solve_part(
    prepared: Prepared, part: Part, most: int, memory: int = DEFAULT_MEMORY, on_row: OnRow | None = None
) -> tuple[Sweep, ...]:
    """The sweeps of one part, up to the first that finds something, or to ``most`` stones; ``on_row`` hears of each how
    far it is."""
    return _tried(prepared, most, limits(prepared, memory, total=UNLIMITED), part, on_row=on_row)


def few_stones(prepared: Prepared, beam: int, memory: int = DEFAULT_MEMORY, on_row: OnRow | None = None) -> Sweep:
    """A sweep that follows a beam and finds placements, with few stones but not certainly the fewest; ``on_row`` hears
    of each that is tried how far it is."""
    within = limits(prepared, memory, total=UNLIMITED)
    return _tried(prepared, prepared.board.cells, within, beam=beam, on_row=on_row)[-1]


def least(prepared: Prepared) -> int:
    """The least number of stones the root bound leaves possible."""
    return -(-prepared.floor // SCALE)


def listed(board: Board, diagram: Diagram, ranks: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """(n, *shape): the placements of a diagram at some ranks, on the board's own cells, in lexicographic order."""
    _, cells = board.swept
    walked = placements_by_rank(diagram, paths_to_go(diagram), ranks)
    placements = np.empty((len(ranks), board.cells), dtype=bool)
    placements[:, cells] = walked.astype(bool)
    # Of lexsort's keys the last counts first.
    order = np.lexsort(placements.T[::-1])
    return placements[order].reshape(-1, *board.shape)


@dataclass(frozen=True)
class ThinRule:
    """A thin board by the rule: X, the number of optimal placements, and of their classes."""

    minimum: int
    count: int
    classes: int


def is_thin(board: Board) -> bool:
    """Return whether the board is a rectangle with a side shorter than k."""
    return len(board.shape) == 2 and min(board.shape) < board.k


def thin_rule(board: Board) -> ThinRule:
    """X, count and classes of a thin board. Raises BoardError for any other board."""
    if not is_thin(board):
        raise BoardError(f"the rule for thin boards needs a rectangle with a side below k; got {board}")
    length, columns = max(board.shape), min(board.shape)
    if length < board.k:
        return ThinRule(0, 1, 1)
    stones, rest = divmod(length, board.k)
    column = comb(board.k - 1 - rest + stones, stones)
    symmetric = _symmetric_columns(stones, board.k - 1 - rest)
    # Kept as they are by the identity, left to right, upside down, and both. A thin board with lines is no square,
    # so it has no more symmetries.
    fixed = (
        column**columns,
        column ** -(-columns // 2),
        symmetric**columns,
        column ** (columns // 2) * symmetric ** (columns % 2),
    )
    number, rest = divmod(sum(fixed), 4)
    if rest:
        raise BoardError(f"{board}: {fixed} placements that symmetries leave as they are do not make whole classes")
    return ThinRule(columns * stones, column**columns, number)


def thin_witness(board: Board) -> npt.NDArray[np.bool_]:
    """(N, M): one optimal placement of a thin board, every k-th cell of its lines a stone."""
    placement = np.zeros((max(board.shape), min(board.shape)), dtype=bool)
    placement[board.k - 1 :: board.k] = True
    return placement if placement.shape == board.shape else placement.T


def thin_placements(board: Board, limit: int) -> npt.NDArray[np.bool_]:
    """(count, N, M): every optimal placement of a thin board, in lexicographic order: all ways for each column.

    Raises:
        BoardError: there are more than ``limit``.
    """
    count, columns = thin_rule(board).count, min(board.shape)
    if count > limit:
        raise BoardError(f"{board} has {count} optimal placements, more than the limit of {limit}")
    ways = solve(Board((max(board.shape),), board.k)).placements(limit)
    placements = np.stack([np.stack(chosen, axis=1) for chosen in product(ways, repeat=columns)])
    turned = placements if placements.shape[1:] == board.shape else placements.transpose(0, 2, 1)
    return np.unique(turned.reshape(count, -1), axis=0).reshape(-1, *board.shape)


def _symmetric_columns(stones: int, units: int) -> int:
    """In how many ways ``units`` go into ``stones`` + 1 runs so that they read the same both ways."""
    # Runs that mirror one another get as many units. Of an odd number of runs the middle one takes what is left.
    pairs = (stones + 1) // 2
    if stones % 2:
        return 0 if units % 2 else comb(units // 2 + pairs - 1, pairs - 1)
    return comb(units // 2 + pairs, pairs)
