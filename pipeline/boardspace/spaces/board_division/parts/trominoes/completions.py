"""All covers of a square less one cell, counted from both ends: ``verify`` compares the published counts with them.

Cells are covered in reading order. Before cell t, all cells before it are covered; of the cells t .. t + n some may be,
a bit each. *Beginnings* of a state are the ways to come to it; *completions* are the ways to cover all that is free
after it. Beginnings go forwards, completions backwards by the transposed steps. The covers that leave out cell t are

    sum over the states in which t is free of  beginnings(state) * completions(that state with t covered).

Counts are taken modulo 2^64, by the words' own overflow, and once more in floating point, which loses less than a part
in 10^12. Both together leave no doubt up to 2^100; the largest of a square of side 18 is below that.

The kernels put rows together, modulo primes; no code is shared.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

LEAST_SIDE = 4
"""Bits 1 and side - 1 of a state have to be two bits."""

TOLERANCE = 1e-10

Counts = NDArray[Any]


def folded(side: int) -> NDArray[np.int64]:
    """For each cell [side^2] in reading order, the number of the cell that the symmetries of the square carry it to:
    the one with row <= column, both in the upper left quarter."""
    rows, columns = np.divmod(np.arange(side * side), side)
    near = np.sort(np.minimum(np.stack((rows, columns)), side - 1 - np.stack((rows, columns))), axis=0)
    return np.asarray(near[0] * side + near[1], np.int64)


class CoverCounts:
    """The covers of a square of ``side`` >= 4 cells less one, for each cell left out.

    residues: [side^2] counts modulo 2^64.
    sizes: [side^2] about the same, in floating point.
    """

    def __init__(self, side: int) -> None:
        images = folded(side)
        wanted = sorted(set(images.tolist()))
        self.residues = np.zeros(side * side, np.uint64)
        self.sizes = np.zeros(side * side, np.float64)
        for counts in (self.residues, self.sizes):
            for cell, count in _left_out(side, wanted, counts.dtype).items():
                counts[cell] = count
            counts[:] = counts[images]

    def agree(self, cell: int, count: int) -> bool:
        """Return whether this is the number of covers that leave out the cell with this number."""
        return count % 2**64 == int(self.residues[cell]) and abs(count - self.sizes[cell]) <= TOLERANCE * count


def _left_out(side: int, wanted: list[int], dtype: Any) -> dict[int, Any]:
    """The covers that leave out each of the wanted cells."""
    begun: dict[int, Counts] = {}
    state = np.zeros(2 << side, dtype)
    state[0] = 1
    for cell in range(wanted[-1] + 1):
        if cell in wanted:
            begun[cell] = state[::2].copy()
        state = _forwards(state, side, cell)
    found = {}
    state = np.zeros(2 << side, dtype)
    state[0] = 1
    for cell in reversed(range(wanted[0], side * side)):
        if cell in begun:  # its state with the cell covered, after it, has the bits above it and a free cell on top
            found[cell] = (begun[cell] * state[: 1 << side]).sum(dtype=dtype)
        state = _backwards(state, side, cell)
    return found


def _before(state: Counts, side: int) -> Counts:
    """A state by the bits that a tromino changes: side, side - 1, those between, 1, 0."""
    return state.reshape(2, 2, -1, 2, 2)


def _after(state: Counts, side: int) -> Counts:
    """A state one cell on by the same cells: side + 1, side, side - 1, those between, 1."""
    return state.reshape(2, 2, 2, -1, 2)


def _steps(old: Counts, new: Counts, side: int, cell: int) -> list[tuple[Counts, Counts]]:
    """Parts of the states before and after a cell that one step carries into each other: it is covered, or a tromino
    is laid with it as the first cell."""
    row, column = divmod(cell, side)
    right, below, left = column < side - 1, row < side - 1, column > 0
    steps = [(old[..., 1], new[0])]
    if below and right:
        steps += [
            (old[0, :, :, 0, 0], new[0, 1, :, :, 1]),
            (old[:, :, :, 0, 0], new[1, :, :, :, 1]),
            (old[0, :, :, :, 0], new[1, 1]),
        ]
    if below and left:
        steps.append((old[0, 0, :, :, 0], new[0, 1, 1]))
    return steps


def _forwards(state: Counts, side: int, cell: int) -> Counts:
    following = np.zeros_like(state)
    for old, new in _steps(_before(state, side), _after(following, side), side, cell):
        new += old
    return following


def _backwards(following: Counts, side: int, cell: int) -> Counts:
    state = np.zeros_like(following)
    for old, new in _steps(_before(state, side), _after(following, side), side, cell):
        old += new
    return state
