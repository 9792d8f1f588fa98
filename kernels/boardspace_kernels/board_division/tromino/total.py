"""All covers of an n x n board by L-trominoes and at most one single cell, wherever that lies: A233807 of the OEIS.

For n divisible by three there is no single cell, otherwise there is one. :mod:`.count` keeps a vector of 2^n counts for
every row, to tell the cells apart; here one bit says whether the single cell has been passed, and the rows are gone
through once. Let F_r[P] be the ways to cover rows 0..r-1 fully and of row r exactly the cells P, and G_r[P] the same
with the single cell among rows 0..r-1. At the middle row, a = n // 2 rows from above and b = n - 1 - a from below, the
board is put together:

    sum over P of  G_a[P] F_b[not P] + F_a[P] G_b[not P] + sum over cells c not in P of F_a[P] F_b[not P, not c].

In a row the single cell is a cell that counts as covered: before a cell is decided, the counts of the states in which
it is free are added to those with the bit in which it is covered (:mod:`.sweep`).

Residues are taken modulo primes below 2^62, so that two of them can be added. How many primes it takes says the same
pass in floating point: all terms are sums of products that are not negative, so it is right within a relative error far
below MARGIN, and the product of the primes exceeds it by more.

Cost: n^2 2^n steps for each prime and each of the two vectors, half as many as in rows, 24 bytes x 2^n of memory for
each vector.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.board_division.tromino.rule import BoardError
from boardspace_kernels.board_division.tromino.sweep import Counts, pass_row
from boardspace_kernels.jit import kernel
from boardspace_kernels.residues import combined, primes_beyond

LARGEST_SIDE = 27
"""One vector of 2^28 counts, and half of it again, 3 GiB in all."""

MODULI_BELOW = 1 << 62
"""Two residues and a carry from the addition of a third fit 64 bits."""

MARGIN = 1e-3
"""Above the relative error of n^2 additions, each within 2^-53, and of sums of 2^n of their products."""

LIMB = 31
"""Bits of half a residue, so that a product of halves is below 2^62."""


def count_all_covers(side: int) -> int:
    """Covers of the ``side`` x ``side`` board by L-trominoes and at most one single cell, exactly.

    Raises :class:`BoardError` for a side below 0 or above ``LARGEST_SIDE``.
    """
    if not 0 <= side <= LARGEST_SIDE:
        raise BoardError(f"covers with a single cell anywhere are counted for sides 0 to {LARGEST_SIDE}, not {side}")
    if side < 2:
        return 1
    primes = primes_beyond(int(_total(side, None) * (1 + MARGIN)), MODULI_BELOW)
    return combined([_total(side, prime) for prime in primes], primes)


def _total(side: int, prime: int | None) -> Any:
    """The number of covers modulo ``prime``, or about it, in floating point, for None."""
    dtype, modulus = (np.dtype(np.uint64), np.uint64(prime)) if prime else (np.dtype(np.float64), np.float64(np.inf))
    # n + 1 bits a state: without the single cell, and with it; a full board needs the first alone.
    plain, single = np.zeros(2 << side, dtype), np.zeros(0 if side % 3 == 0 else 2 << side, dtype)
    plain[0] = 1
    above, below = side // 2, side - 1 - side // 2
    for _ in range(below):
        pass_row(plain, single, side, modulus)
    lower = [vector[: 1 << side].copy() for vector in (plain, single)]
    for _ in range(below, above):
        pass_row(plain, single, side, modulus)
    upper = [vector[: 1 << side] for vector in (plain, single)]
    rest = [vector[::-1] for vector in lower]
    if not len(single):
        total = _product(upper[0], rest[0])
    else:
        total = _product(upper[1], rest[0]) + _product(upper[0], rest[1])
        for cell in range(side):
            apart = -1, 2, 1 << cell
            total += _product(upper[0].reshape(apart)[:, 0], rest[0].reshape(apart)[:, 1])
    return total % prime if prime else total


def _product(one: Counts, other: Counts) -> Any:
    """The sum of the products of two vectors, or matrices, exactly for integers."""
    one, other = np.atleast_2d(one), np.atleast_2d(other)
    if one.dtype == np.float64:
        return float(np.einsum("ij,ij->", one, other))
    high, across, low = _limb_products(one, other)
    parts = (high, 2 * LIMB), (across, LIMB), (low, 0)
    return sum((int(words[0]) + (int(words[1]) << 32)) << shift for words, shift in parts)


@kernel
def _limb_products(one: NDArray[np.uint64], other: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """[3, 2]: the sums of the products of upper halves, of upper and lower ones, and of lower halves; of each product
    the lower 32 bits are summed apart from the others, so that no sum outgrows 64 bits."""
    half, word = np.uint64((1 << LIMB) - 1), np.uint64((1 << 32) - 1)
    shift, above = np.uint64(LIMB), np.uint64(32)
    sums = np.zeros((3, 2), np.uint64)
    for row in range(one.shape[0]):
        for i in range(one.shape[1]):
            a, b = one[row, i], other[row, i]
            high = (a >> shift) * (b >> shift)
            across = (a >> shift) * (b & half) + (a & half) * (b >> shift)
            low = (a & half) * (b & half)
            sums[0, 0] += high & word
            sums[0, 1] += high >> above
            sums[1, 0] += across & word
            sums[1, 1] += across >> above
            sums[2, 0] += low & word
            sums[2, 1] += low >> above
    return sums
