"""Boards with a side shorter than k: only one direction has lines, and everything has a formula.

On an N x M board with M < k <= N no row and no diagonal holds k cells, so the lines are the windows of the M columns,
and the columns do not touch one another. A column of N = q k + r cells (0 <= r < k) holds q disjoint windows, so it
needs q stones, and q stones at distance k suffice. With q stones it has q + 1 runs of free cells, each of at most k -
1; together they have N - q cells, which is k - 1 - r fewer than (q + 1)(k - 1). To choose which runs are shorter, and
by how much, is to put k - 1 - r units into q + 1 runs, and no run can be given more than k - 1. Hence

    X = M q,      number of optimal placements = C(k - 1 - r + q, q) ** M.

With both sides below k there is no line: X = 0, one placement. Classes under the symmetries follow from the lemma of
Burnside: a reflection along the columns fixes a column when its runs read the same both ways.
"""

from dataclasses import dataclass
from itertools import product
from math import comb

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, BoardError
from boardspace_kernels.five_in_a_row.minimum import solve


@dataclass(frozen=True)
class ThinRule:
    """Return what the rule says of a thin board: X, the number of optimal placements, and of their classes."""

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
    pairs = (stones + 1) // 2
    if stones % 2:
        return 0 if units % 2 else comb(units // 2 + pairs - 1, pairs - 1)
    return comb(units // 2 + pairs, pairs)
