"""The exact number of all covers of a board less one cell by L-trominoes, for every place of that cell.

An L-tromino always lies in two neighbouring rows. So the trominoes of a cover that meet row r are of two sorts:
those that reach up to row r - 1 and those that reach down to row r + 1, and the cells of row r split into P, covered
from above, the special cell c where it lies in this row, and the rest, covered from below. Let F_r[P] count the
ways to cover rows 0..r-1 fully and of row r exactly the cells P. Reflected, the rows below row r are such a stack
too, of n - 1 - r rows, so the covers of the n x n board less cell (r, c) number

    sum over P without c of  F_r[P] * F_{n-1-r}[all cells of the row but P and c].

One pass over the rows of a full board gives all F_r, and with them the counts for all n^2 special cells.

The pass is a broken-profile dynamic programme. Before cell c of a row the state is a word of n + 1 bits: bits 0..c
are cells 0..c of the next row, bits c + 1..n are cells c..n - 1 of this row; a 1 is a covered cell. The step covers
cell c where it is free, in one of four ways, and turns bit c + 1 from cell c of this row into cell c + 1 of the next:

    this row  c c+1    next row  c-1 c c+1        Only bits c - 1..c + 2 change, so the step is one linear map of 16
              x  x               .   x  .         counts, applied to the states that agree in all other bits. Split
              x  x               .   .  x         by bits c - 1 and c + 2, its four parts can be done in place when
              x  .               .   x  x         those with a 1 come first: each reads only itself and parts with a
              x  .               x   x  .         0 in place of a 1.

The counts are exact: the pass runs modulo primes below 2^31 whose product exceeds 4^T, T = (n^2 - 1)/3, and the
residues are joined by the Chinese remainder theorem. 4^T is a bound, since a cover is fixed by the ways in which its
first free cell is covered, T times over.

The symmetries of the square carry covers to covers, so only special cells with r <= c < (n + 1)/2 are computed.
Cost: n^2 * 2^n steps per prime. n = 16 takes 2^24 steps for each of 6 primes; n = 32 would take 2^42 for each of 23
primes, on vectors of 2^33 words, which is why the counts end at k = 4.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.board_division.tromino.cover import BoardError
from boardspace_kernels.jit import kernel
from boardspace_kernels.residues import combined, primes_beyond

LARGEST_SIDE = 20
"""Up to this side a row's counts, grown from residues below 2^31 by a factor of 3 per cell, fit 64 bits."""


@kernel
def cover_cell(counts: NDArray[Any], cell: int, width: int) -> None:
    """Cover ``cell`` of the row in all states of ``counts`` [2^(width + 1)], uint64 or float64, in place."""
    left, next_bit, here = (1 << cell) >> 1, 1 << cell, 2 << cell
    right = 4 << cell if cell < width - 1 else 0
    for with_left in range(1 if left else 0, -1, -1):
        for with_right in range(1 if right else 0, -1, -1):
            for high in range(0, counts.size, max(2 * right, 2 * here)):
                start = high + with_left * left + with_right * right
                for state in range(start, start + max(left, 1)):
                    free = counts[state]
                    covered, covered_next = counts[state + here], counts[state + here + next_bit]
                    across, diagonal = np.uint64(0), np.uint64(0)
                    if with_right:
                        across, diagonal = counts[state - right], counts[state - right + next_bit]
                    if with_left:
                        covered_next += counts[state - left]
                    counts[state] = covered
                    counts[state + next_bit] = covered_next + across
                    counts[state + here] = across if right else np.uint64(0)
                    counts[state + here + next_bit] = diagonal + free if right else np.uint64(0)


@kernel
def stack_counts(rows: int, width: int, prime: int) -> NDArray[np.uint64]:
    """F [rows + 1, 2^width] modulo ``prime``: F[r, P] covers rows 0..r-1 and, of row r, exactly the cells P.

    F[r, 0] counts the covers of the full r x width rectangle. ``prime`` is below 2^31, ``width`` at most
    ``LARGEST_SIDE``.
    """
    stacks = np.zeros((rows + 1, 1 << width), np.uint64)
    stacks[0, 0] = 1
    counts = np.zeros(2 << width, np.uint64)
    for row in range(rows):
        for cells in range(1 << width):
            counts[2 * cells], counts[2 * cells + 1] = stacks[row, cells], 0
        for cell in range(width):
            cover_cell(counts, cell, width)
        for cells in range(1 << width):
            stacks[row + 1, cells] = counts[cells] % np.uint64(prime)
    return stacks


@kernel
def _joined(above: NDArray[np.uint64], below: NDArray[np.uint64], column: int, prime: int) -> int:
    """Covers modulo ``prime`` with the special cell in ``column`` of the row where two stacks meet."""
    special = 1 << column
    total = np.uint64(0)
    for cells in range(above.size):
        if not cells & special:
            total += above[cells] * below[above.size - 1 - (cells | special)] % np.uint64(prime)
    return int(total % np.uint64(prime))


def special_cells(side: int) -> NDArray[np.int64]:
    """One special cell [s, 2] of each class under the symmetries of the square: row <= column < (side + 1)/2."""
    return np.array([(r, c) for c in range((side + 1) // 2) for r in range(c + 1)], np.int64)


def count_covers(side: int) -> list[int]:
    """Covers of the ``side`` x ``side`` board less one cell, exactly, for each of :func:`special_cells`.

    Raises :class:`BoardError` for a side below 1 or above ``LARGEST_SIDE``.
    """
    if not 1 <= side <= LARGEST_SIDE:
        raise BoardError(f"covers are counted for sides 1 to {LARGEST_SIDE}, not {side}")
    cells = special_cells(side)
    if (side * side - 1) % 3:
        return [0] * len(cells)
    primes = primes_beyond(1 << 2 * ((side * side - 1) // 3))
    residues = []
    for prime in primes:
        stacks = stack_counts(side - 1, side, prime)
        residues.append([_joined(stacks[r], stacks[side - 1 - r], int(c), prime) for r, c in cells])
    return [combined(of_cell, primes) for of_cell in zip(*residues, strict=True)]
