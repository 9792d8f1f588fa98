"""A checker of covers that trusts nothing: neither the recursion, nor the numbering, nor the order of the cells.

A board of n x n cells is covered when the special cell holds 0 and each number 1..T, T = (n^2 - 1)/3, lies on
exactly three cells that form an L. An L is a window of 2 x 2 cells less one of them; say that a window *owns* a
number that lies on exactly three of its cells. Then the board is covered if and only if

    the special cell holds 0, and every number 1..T is owned by some window.

For then each of the T numbers lies on at least three cells, which form an L; with the special cell that makes
3T + 1 = n^2 cells, all there are, so no number has a fourth cell and nothing else is on the board. Conversely the
three cells of an L lie in one window.

Each window is asked for one number, so a board can be examined in chunks, each with one more row and one more
column (the first of its neighbours) where the board goes on. A chunk reports the numbers it owns as runs of
consecutive numbers, and the runs of all chunks together must leave no gap in 1..T. For the recursion's numbering
the runs are few; for any other they are more, and no less right.

Cost: four comparisons per window, and the sort of the numbers owned.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

BAND_ROWS = 256
"""Rows of a whole board examined at a time: bounds the memory that the check itself needs."""


class CoverError(ValueError):
    """Numbers on a board that are not a cover of it by L-trominoes."""


def _owned_by_windows(cells: NDArray[Any], rows: int, columns: int) -> NDArray[Any]:
    """The number that each window owns whose first cell is in rows x columns, in the order of the windows.

    Exactly three equal cells make three equal pairs; four make six, and any others at most two.
    """
    cells = cells[: rows + 1, : columns + 1]
    across, down = (cells[:, :-1] == cells[:, 1:]).view(np.uint8), (cells[:-1] == cells[1:]).view(np.uint8)
    a, b, c, d = cells[:-1, :-1], cells[:-1, 1:], cells[1:, :-1], cells[1:, 1:]
    with_a = across[:-1] + down[:, :-1] + (a == d)
    owns = with_a + across[1:] + down[:, 1:] + (b == c) == 3
    # Of three equal cells a is one if it equals two others, and else d is.
    return np.where(with_a == 2, a, d)[owns]


def owned_runs(cells: NDArray[Any], rows: int, columns: int) -> NDArray[np.int64]:
    """The numbers owned in one chunk of a board, as sorted runs [r, 2] (first, last) of consecutive numbers.

    ``cells`` is the chunk with the next row and column of the board where it has them; the chunk itself is its
    first ``rows`` x ``columns`` cells.
    """
    # Sorted and not by `np.unique`, which hashes, and takes a hundred times as long for millions of numbers.
    numbers = np.sort(_owned_by_windows(cells, rows, columns)).astype(np.int64)
    numbers = numbers[numbers > 0]  # on a wrong board a window may own what is no number of a cover
    numbers = numbers[np.diff(numbers, prepend=0) > 0]  # two windows may own the same
    breaks = np.flatnonzero(np.diff(numbers) != 1)
    starts, ends = np.append(0, breaks + 1), np.append(breaks, numbers.size - 1)
    return np.stack((numbers[starts[: numbers.size]], numbers[ends[: numbers.size]]), axis=1)


def first_gap(runs: Iterable[NDArray[np.int64]], numbers: int) -> int | None:
    """The first of 1..``numbers`` that no run of any chunk holds; None where all are owned."""
    # A run of 0 alone comes first, so that a gap before 1 is found like any other.
    every = np.concatenate([np.zeros((1, 2), np.int64), *runs])
    every = every[np.argsort(every[:, 0], kind="stable")]
    reached = np.maximum.accumulate(every[:, 1])
    gaps = np.flatnonzero(every[1:, 0] > reached[:-1] + 1)
    end = int(reached[gaps[0]] if gaps.size else reached[-1])
    return end + 1 if end < numbers else None


def check_cover(board: NDArray[Any], row: int, column: int) -> None:
    """Raise :class:`CoverError`, saying what is wrong, unless ``board`` [n, n] covers all but (row, column), from 0."""
    if board.ndim != 2 or board.shape[0] != board.shape[1]:
        raise CoverError(f"a board is square; this one has the shape {board.shape}")
    side = board.shape[0]
    numbers, rest = divmod(side * side - 1, 3)
    if rest:
        raise CoverError(f"{side * side - 1} cells are no multiple of three: no {side} x {side} board can be covered")
    if not (0 <= row < side and 0 <= column < side):
        raise CoverError(f"the special cell ({row + 1}, {column + 1}) is off the {side} x {side} board")
    if board[row, column] != 0:
        raise CoverError(f"the special cell ({row + 1}, {column + 1}) holds {board[row, column]}; it must hold 0")
    bands = (
        # A band has the first row of the next one with it, for windows that lie in both.
        owned_runs(board[top : top + BAND_ROWS + 1], min(BAND_ROWS, side - top), side)
        for top in range(0, side, BAND_ROWS)
    )
    gap = first_gap(bands, numbers)
    if gap is not None:
        raise CoverError(_what_is_wrong(board, gap))


def _what_is_wrong(board: NDArray[Any], number: int) -> str:
    """Say why ``number`` is owned by no window of the board."""
    cells = np.argwhere(board == number)
    places = " ".join(f"({r + 1}, {c + 1})" for r, c in cells[:4])
    if len(cells) == 3:
        return f"number {number} lies on {places}, which form no L"
    return f"number {number} lies on {len(cells)} cells, not three: {places}{' ...' if len(cells) > 4 else ''}"
