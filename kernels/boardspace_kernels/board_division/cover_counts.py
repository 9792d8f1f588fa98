"""Numbers of all covers of an n x n board by L-trominoes: of the board less one cell, by the place of that cell, and of
the board with at most one single cell, wherever that lies (A233807 of the OEIS).

An L-tromino always lies in two neighbouring rows. So the trominoes of a cover that meet row r are of two sorts: those
that reach up to row r - 1 and those that reach down to row r + 1, and the cells of row r split into P, covered from
above, the single cell where it lies in this row, and the rest, covered from below. Let F_r[P] count the ways to cover
rows 0..r-1 fully and of row r exactly the cells P, and G_r[P] the same with the single cell among rows 0..r-1.
Reflected, the rows below a row are such a stack, too. So the covers of the board less cell (r, c) number

    sum over P without c of  F_r[P] * F_{n-1-r}[all cells of the row but P and c],

and all covers with at most one single cell, put together at a row with a rows above it and b below,

    sum over P of  G_a[P] F_b[not P] + F_a[P] G_b[not P] + sum over cells c not in P of F_a[P] F_b[not P, not c].

For n divisible by three there is no single cell, otherwise there is one. The symmetries of the square carry covers to
covers, so only cells with r <= c < (n + 1)/2 are counted.

*The pass* over the rows is a broken-profile dynamic programme. Before cell c of a row the state is a word of n + 1
bits: bits 0..c are cells 0..c of the next row, bits c + 1..n are cells c..n - 1 of this row; a 1 is a covered cell. The
step covers cell c where it is free, in one of four ways, and turns bit c + 1 from cell c of this row into cell c + 1 of
the next:

    this row  c c+1    next row  c-1 c c+1        Only bits c - 1..c + 2 change, so the step is one linear map of 16
              x  x               .   x  .         counts, applied to the states that agree in all other bits. Split
              x  x               .   .  x         by bits c - 1 and c + 2, its four parts can be done in place when
              x  .               .   x  x         those with a 1 come first: each reads only itself and parts with a
              x  .               x   x  .         0 in place of a 1.

In a row the single cell is a cell that counts as covered: before a cell is decided, the counts of the states in which
it is free are added to those with the bit in which it is covered.

Cell by cell the step would read and write the whole vector, and for the first cells its four counts lie close together,
which no vector instruction likes. Here a *block* of a few thousand counts is copied out and taken through several cells
at once. Cells ``first`` to ``last`` change only bits first - 1 .. last + 2 of a state; a block holds all of these (its
rows) for ``LANES`` values of the others (its columns), which are next to one another in the block, so that everything
is done to a row of columns at a time. A row of 26 cells goes through the memory 5 times, not 26.

The counts are exact: residues modulo primes below 2^62, so that two of them can be added, are joined by the Chinese
remainder theorem. Of a board less one cell the product of the primes exceeds 4^T, T = (n^2 - 1)/3: a cover is fixed by
the ways in which its first free cell is covered, T times over. With a single cell anywhere, the same pass in floating
point, where the modulus is infinite, says how many primes it takes: all terms are sums of products that are not
negative, so it is right within a relative error far below MARGIN, and the product of the primes exceeds it by more.

Cost: n^2 2^n steps for each prime and vector, for a single cell anywhere half as many as in rows; 16 bytes x 2^n of
memory for each vector, and for the counts by the place of the cell 8 bytes x n 2^n beside it.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.board_division.covers import BoardError
from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.residues import combined, primes_beyond

CELLS_AT_ONCE = 6
"""Cells in a block: 2^(6 + 3) rows of 32 counts are 128 KiB, twice that with the single cell."""

LANES = 32
FIRST_CELLS = 7
"""The first block has bits 0 to 8 alone in its rows; from cell 7 on, 32 neighbouring states differ in no bit of
theirs."""

LARGEST_SIDE = 27
"""With a single cell anywhere: one vector of 2^28 counts, and half of it again, 3 GiB in all."""

LARGEST_BY_CELL = 20
"""By the place of the cell, for which the counts of all rows are held."""

MODULI_BELOW = 1 << 62
"""Two residues and a carry from the addition of a third fit 64 bits."""

MARGIN = 1e-3
"""Above the relative error of n^2 additions, each within 2^-53, and of sums of 2^n of their products."""

LIMB = 31
"""Bits of half a residue, so that a product of halves is below 2^62."""


Counts = NDArray[Any]


def pass_row(plain: Counts, single: Counts, width: int, modulus: Any) -> None:
    """Cover a row, in place: [2^(width + 1)] counts by the row's covered cells in their first half, without the single
    cell in ``plain``, with it in ``single``, which is empty for a board that has none."""
    enter_row(plain)
    enter_row(single)
    first, at_once = 0, FIRST_CELLS
    while first < width:
        last = min(first + at_once, width) - 1
        _cover_cells(plain, single, first, last, width, modulus)
        first, at_once = last + 1, CELLS_AT_ONCE


@kernel
def enter_row(counts: Counts) -> None:
    """Make room for the next row's first cell, as the lowest bit, in place."""
    # From the highest state down, or a count would be written over before it is moved.
    for cells in range(len(counts) // 2 - 1, -1, -1):
        counts[2 * cells] = counts[cells]
        counts[2 * cells + 1] = 0


@kernel
def _cover_cells(plain: Counts, single: Counts, first: int, last: int, width: int, modulus: Any) -> None:
    """Cover cells ``first`` to ``last`` in all states, block by block."""
    lowest = max(first - 1, 0)
    bits = min(last + 2, width) - lowest + 1
    lanes = min(LANES, plain.size >> bits)
    block = np.empty((1 << bits, lanes), plain.dtype)
    # Without a single cell an array without rows, in which all loops end at once.
    with_single = np.empty((1 << bits if single.size else 0, lanes), plain.dtype)
    for number in range((plain.size >> bits) // lanes):
        # In the first block the bits of a block are the lowest ones, so its rows are next to one another in memory and
        # its columns lie apart; in all others columns are next to one another.
        if first == 0:
            start, down, across = number * lanes << bits, 1, 1 << bits
        else:
            # `number` says the bits above those of the block, and below them the chunk of `lanes` states.
            chunks = (1 << lowest) // lanes
            start = (number // chunks << lowest + bits) + number % chunks * lanes
            down, across = 1 << lowest, 1
        _copy(plain, block, start, down, across, False)
        _copy(single, with_single, start, down, across, False)
        for cell in range(first, last + 1):
            here = 2 << cell - lowest
            right = 2 * here if cell < width - 1 else 0
            if single.size:
                # Before the cell is covered: the single cell goes where this one is still free.
                _leave_single(block, with_single, here, modulus)
                _cover(with_single, here // 4 if cell else 0, here, right, modulus)
            _cover(block, here // 4 if cell else 0, here, right, modulus)
        _copy(plain, block, start, down, across, True)
        _copy(single, with_single, start, down, across, True)


@kernel
def _copy(counts: Counts, block: Counts, start: int, down: int, across: int, back: bool) -> None:
    """Copy a block out of ``counts``, or ``back``: rows lie ``down`` apart, columns ``across``."""
    rows, lanes = block.shape
    if across == 1:
        for row in range(rows):
            for lane in range(lanes):
                _copy_one(counts, start + row * down + lane, block, row, lane, back)
        return
    for lane in range(lanes if rows else 0):
        for row in range(rows):
            _copy_one(counts, start + row + lane * across, block, row, lane, back)


@inlined
def _copy_one(counts: Counts, place: int, block: Counts, row: int, lane: int, back: bool) -> None:
    if back:
        counts[place] = block[row, lane]
    else:
        block[row, lane] = counts[place]


@kernel
def _leave_single(block: Counts, with_single: Counts, here: int, modulus: Any) -> None:
    """Let the single cell be the one that is decided next, whose bit is ``here``, in all states where it is free."""
    for high in range(0, len(block), 2 * here):
        for state in range(high, high + here):
            _add(with_single[state + here], block[state], modulus)


@kernel
def _cover(block: Counts, left: int, here: int, right: int, modulus: Any) -> None:
    """Cover the cell whose bit is ``here`` in all states, in place; ``left`` and ``right`` are 0 at the row's ends."""
    next_bit = here // 2
    # In place, so from the states with both neighbours covered down: each reads counts of states with fewer covered
    # cells, which are not yet written.
    for with_left in range(1 if left else 0, -1, -1):
        for with_right in range(1 if right else 0, -1, -1):
            for high in range(0, len(block), max(2 * right, 2 * here)):
                start = high + with_left * left + with_right * right
                for state in range(start, start + max(left, 1)):
                    across = block[state - right * with_right]
                    diagonal = block[state - right * with_right + next_bit]
                    _cover_lanes(
                        (block[state], block[state + next_bit], block[state + here], block[state + here + next_bit]),
                        (block[state - left * with_left], across, diagonal),
                        (with_left, with_right, right),
                        modulus,
                    )


@kernel
def _cover_lanes(rows: Any, others: Any, sides: Any, modulus: Any) -> None:
    """Cover the cell in four rows of counts: ``rows`` with the cell and the one below it free, with the latter covered,
    with the former covered, with both; ``others`` those with a free cell to the left below, and with a free cell to the
    right, without and with the one below; ``sides`` whether the cells to the left below and to the right are covered
    in ``rows``, and whether there is one to the right."""
    free, free_next, covered, covered_next = rows
    left, across, diagonal = others
    with_left, with_right, right = sides
    # Of the type of the counts, so that whole numbers do not become floats.
    nothing = covered.dtype.type(0)
    for lane in range(len(free)):
        # Kept, as the four rows take over each other's counts.
        turned = free[lane]
        done = covered_next[lane]
        free[lane] = covered[lane]
        if with_left:
            done = _sum(done, left[lane], modulus)
        if with_right:
            done = _sum(done, across[lane], modulus)
            turned = _sum(turned, diagonal[lane], modulus)
            covered[lane] = across[lane]
        else:
            covered[lane] = nothing
        free_next[lane] = done
        covered_next[lane] = turned if right else nothing


@kernel
def _add(counts: Counts, others: Counts, modulus: Any) -> None:
    """Add to a row of counts, in place."""
    for lane in range(len(counts)):
        counts[lane] = _sum(counts[lane], others[lane], modulus)


@kernel
def _sum(one: Any, other: Any, modulus: Any) -> Any:
    """The sum of two residues."""
    total = one + other
    # The sum of two residues below 2^62 fits a word, and one subtraction does for a division.
    return total - modulus if total >= modulus else total


def special_cells(side: int) -> NDArray[np.int64]:
    """One special cell [s, 2] of each class under the symmetries of the square: row <= column < (side + 1)/2."""
    return np.array([(r, c) for c in range((side + 1) // 2) for r in range(c + 1)], np.int64)


def count_covers(side: int) -> list[int]:
    """Covers of the ``side`` x ``side`` board less one cell, exactly, for each of :func:`special_cells`.

    Raises :class:`BoardError` for a side below 1 or above ``LARGEST_BY_CELL``.
    """
    if not 1 <= side <= LARGEST_BY_CELL:
        raise BoardError(f"covers are counted for sides 1 to {LARGEST_BY_CELL}, not {side}")
    cells = special_cells(side).tolist()
    if (side * side - 1) % 3:
        return [0] * len(cells)
    primes = primes_beyond(1 << 2 * ((side * side - 1) // 3), MODULI_BELOW)
    residues = []
    for prime in primes:
        stacks = stack_counts(side - 1, side, prime)
        residues.append([_with_cell(stacks[r], stacks[side - 1 - r, ::-1], c) % prime for r, c in cells])
    return [combined(of_cell, primes) for of_cell in zip(*residues, strict=True)]


def stack_counts(rows: int, width: int, prime: int) -> NDArray[np.uint64]:
    """F [rows + 1, 2^width] modulo ``prime``: F[r, P] covers rows 0..r-1 and, of row r, exactly the cells P.

    F[r, 0] counts the covers of the full r x width rectangle.
    """
    counts, none, stacks = (
        np.zeros(2 << width, np.uint64),
        np.zeros(0, np.uint64),
        np.empty((rows + 1, 1 << width), np.uint64),
    )
    counts[0] = 1
    for row in range(rows + 1):
        stacks[row] = counts[: 1 << width]
        if row < rows:
            pass_row(counts, none, width, np.uint64(prime))
    return stacks


def _with_cell(upper: Counts, rest: Counts, cell: int) -> Any:
    """The sum of the ways to put rows above and below together with the special cell at a place of the row between:
    ``rest`` are the counts of the rows below by the cells that they leave free."""
    # Split by the cell: it is free above, and the rows below do not cover it either.
    apart = -1, 2, 1 << cell
    return _product(upper.reshape(apart)[:, 0], rest.reshape(apart)[:, 1])


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
    # The rows above go on from here, so the rows below need a copy.
    lower = [vector[: 1 << side].copy() for vector in (plain, single)]
    for _ in range(below, above):
        pass_row(plain, single, side, modulus)
    upper = [vector[: 1 << side] for vector in (plain, single)]
    # Read backwards, a vector goes by the complements of its sets of cells.
    rest = [vector[::-1] for vector in lower]
    if not len(single):
        total = _product(upper[0], rest[0])
    else:
        total = _product(upper[1], rest[0]) + _product(upper[0], rest[1])
        total += sum(_with_cell(upper[0], rest[0], cell) for cell in range(side))
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
            # Two products of 31 bits by 31 each, so their sum is below 2^63.
            across = (a >> shift) * (b & half) + (a & half) * (b >> shift)
            low = (a & half) * (b & half)
            sums[0, 0] += high & word
            sums[0, 1] += high >> above
            sums[1, 0] += across & word
            sums[1, 1] += across >> above
            sums[2, 0] += low & word
            sums[2, 1] += low >> above
    return sums
