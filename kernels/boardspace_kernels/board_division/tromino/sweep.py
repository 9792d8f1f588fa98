"""One row of the broken-profile programme of :mod:`.count`, for vectors of hundreds of millions of counts.

Cell by cell the step reads and writes the whole vector, and for the first cells its four counts lie close together,
which no vector instruction likes. Here a *block* of a few thousand counts is copied out and taken through several cells
at once. Cells ``first`` to ``last`` change only bits first - 1 .. last + 2 of a state; a block holds all of these
(its rows) for ``LANES`` values of the others (its columns), which are next to one another in the block, so that
everything is done to a row of columns at a time. The rules are those of :func:`.count.cover_cell`.

Counts are residues, reduced after each addition; in floating point the modulus is infinite.

A row of 26 cells goes through the memory 5 times, not 26.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined, kernel

CELLS_AT_ONCE = 6
"""Cells in a block: 2^(6 + 3) rows of 32 counts are 128 KiB, twice that with the single cell."""

LANES = 32
FIRST_CELLS = 7
"""The first block has bits 0 to 8 alone in its rows; from cell 7 on, 32 neighbouring states differ in no bit of
theirs."""

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
    with_single = np.empty((1 << bits if single.size else 0, lanes), plain.dtype)
    for number in range((plain.size >> bits) // lanes):
        # In the first block the bits of a block are the lowest ones, so its rows are next to one another in memory and
        # its columns lie apart; in all others columns are next to one another.
        if first == 0:
            start, down, across = number * lanes << bits, 1, 1 << bits
        else:
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
    nothing = covered.dtype.type(0)
    for lane in range(len(free)):
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
