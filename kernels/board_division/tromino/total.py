"""All covers of an n x n board by L-trominoes and at most one single cell, wherever that lies: A233807 of the OEIS.

For n divisible by three there is no single cell, otherwise there is one. :mod:`.count` keeps a vector of 2^n counts for
every row, to tell the cells apart; here one bit says whether the single cell has been passed, and the rows are gone
through once. Let F_r[P] be the ways to cover rows 0..r-1 fully and of row r exactly the cells P, and G_r[P] the same
with the single cell among rows 0..r-1. At the middle row, a = n // 2 rows from above and b = n - 1 - a from below, the
board is put together:

    sum over P of  G_a[P] F_b[not P] + F_a[P] G_b[not P] + sum over cells c not in P of F_a[P] F_b[not P, not c].

In a row the single cell is a cell that counts as covered: before a cell is decided, the counts of the states in which
it is free are added to those with the bit in which it is covered.

Residues are taken modulo primes below 2^31. A cell multiplies the largest count by 4 at most, so between reductions,
every 16 cells, 64 bits hold them. How many primes it takes says the same pass in floating point: all terms are sums of
products that are not negative, so it is right within a relative error far below MARGIN, and the product of the primes
exceeds it by more.

Cost: n^2 2^n steps for each prime and each of the two vectors, half as many as in rows, 40 bytes x 2^n of memory.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.kernels.board_division.tromino.count import cover_cell, primes_beyond
from boardspace.kernels.board_division.tromino.rule import BoardError
from boardspace.kernels.jit import kernel

LARGEST_SIDE = 26
"""Vectors of 2^27 counts, 4 GiB in all."""

REDUCED_EVERY = 16
"""Cells after which counts below 2^31 are below 2^63."""

MARGIN = 1e-3
"""Above the relative error of n^2 additions, each within 2^-53, and of sums of 2^n of their products."""

Counts = NDArray[Any]


def count_all_covers(side: int) -> int:
    """Covers of the ``side`` x ``side`` board by L-trominoes and at most one single cell, exactly.

    Raises :class:`BoardError` for a side below 0 or above ``LARGEST_SIDE``.
    """
    if not 0 <= side <= LARGEST_SIDE:
        raise BoardError(f"covers with a single cell anywhere are counted for sides 0 to {LARGEST_SIDE}, not {side}")
    if side < 2:
        return 1
    total, modulus = 0, 1
    for prime in primes_beyond(int(_total(side, 0) * (1 + MARGIN))):
        lift = pow(modulus, -1, prime)
        total += modulus * ((_total(side, prime) - total) * lift % prime)
        modulus *= prime
    return total


def _total(side: int, prime: int) -> Any:
    """The number of covers modulo ``prime``, or about it, in floating point, for 0."""
    dtype = np.uint64 if prime else np.float64
    # Two words of n + 1 bits a state: without the single cell, and with it; a full board needs the first alone.
    vectors = [np.zeros(2 << side, dtype) for _ in range(1 if side % 3 == 0 else 2)]
    vectors[0][0] = 1
    above, below = side // 2, side - 1 - side // 2
    for _ in range(below):
        _pass_row(vectors, side, prime)
    lower = [vector[: 1 << side].copy() for vector in vectors]
    for _ in range(below, above):
        _pass_row(vectors, side, prime)
    upper = [vector[: 1 << side] for vector in vectors]
    rest = [vector[::-1] for vector in lower]
    if len(vectors) == 1:
        return _product(upper[0], rest[0], prime)
    total = _product(upper[1], rest[0], prime) + _product(upper[0], rest[1], prime)
    for cell in range(side):
        apart = -1, 2, 1 << cell
        total += _product(upper[0].reshape(apart)[:, 0], rest[0].reshape(apart)[:, 1], prime)
    return total % prime if prime else total


def _product(one: Counts, other: Counts, prime: int) -> Any:
    """The sum of the products of two vectors, modulo ``prime`` unless that is 0."""
    return int((one * other % np.uint64(prime)).sum()) % prime if prime else float((one * other).sum())


def _pass_row(vectors: list[Counts], width: int, prime: int) -> None:
    """Cover a row, in place: vectors [2^(width + 1)] hold the counts by the row's covered cells in their first half."""
    for vector in vectors:
        enter_row(vector)
    for cell in range(width):
        if len(vectors) == 2:
            leave_single(vectors[0], vectors[1], 2 << cell)
        for vector in vectors:
            cover_cell(vector, cell, width)
            if prime and (cell == width - 1 or cell % REDUCED_EVERY == REDUCED_EVERY - 1):
                vector %= np.uint64(prime)


@kernel
def enter_row(counts: Counts) -> None:
    """Make room for the next row's first cell, as the lowest bit, in place."""
    for cells in range(len(counts) // 2 - 1, -1, -1):
        counts[2 * cells] = counts[cells]
        counts[2 * cells + 1] = 0


@kernel
def leave_single(counts: Counts, with_single: Counts, here: int) -> None:
    """Let the single cell be the one that is decided next, whose bit is ``here``, in all states where it is free."""
    for high in range(0, len(counts), 2 * here):
        for state in range(high, high + here):
            with_single[state + here] += counts[state]
