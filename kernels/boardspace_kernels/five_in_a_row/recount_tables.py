"""Tables of a recount: the lines of a board with their bits, the cells with their lines, the strips' diagram."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.checker import Line

Ints = npt.NDArray[np.int64]
Words = npt.NDArray[np.uint64]

NOWHERE = -1
"""Number of no state."""


class Cells(NamedTuple):
    """The tables of all cells.

    through: uint64 (cells, W), the lines through each cell.
    ending: uint64 (cells, W), those of them that end there.
    slots: int64, the bits of those that have a weight, of all cells one after the other.
    weights: int64 (as many, 2), their two weights.
    first_slot: int64 (cells + 1), where those of a cell begin.
    strips: int64, the numbers of the strips over each cell, one after the other.
    first_strip: int64 (cells + 1), where those of a cell begin.
    """

    through: Words
    ending: Words
    slots: Ints
    weights: Ints
    first_slot: Ints
    strips: Ints
    first_strip: Ints


class Strip(NamedTuple):
    """Nodes of the strips' common diagram: after a free cell, after a stone; completions (S, nodes), cheapest first."""

    free: Ints
    stone: Ints
    to_go: Ints


NO_STRIPS = Strip(np.empty(0, np.int64), np.empty(0, np.int64), np.empty((0, 0), np.int64))


class Lines:
    """The lines of a board, each with its bit while it is begun and not ended."""

    def __init__(self, cells: int, k: int, lines: Sequence[Line]) -> None:
        self.cells = cells
        self.lines = np.array(lines, dtype=np.int64).reshape(-1, k)
        self.first, self.last = self.lines[:, 0], self.lines[:, -1]
        self.slot, self.bits = self._slots()
        self.words = max(1, -(-self.bits // 64))
        numbers = np.repeat(np.arange(len(self.lines)), k)
        order = np.argsort(self.lines.ravel(), kind="stable")
        self._cell, self._number = self.lines.ravel()[order], numbers[order]
        through, ending = (np.zeros((self.cells, self.words), dtype=np.uint64) for _ in range(2))
        for bits, at, of in ((through, self._cell, self._number), (ending, self.last, slice(None))):
            # Slot s is bit s mod 64 of word s div 64. Of the lines of one cell ``|=`` would keep the last alone.
            slots = self.slot[of]
            np.bitwise_or.at(bits, (at, slots >> 6), np.uint64(1) << (slots & 63).astype(np.uint64))
        self._through, self._ending = through, ending

    def _slots(self) -> tuple[Ints, int]:
        """The bit of every line, and how many bits there are: lines that begin take bits of lines that have ended."""
        slot, free, bits = np.empty(len(self.lines), dtype=np.int64), list[int](), 0
        ended = np.argsort(self.last, kind="stable").tolist()
        begun = np.argsort(self.first, kind="stable").tolist()
        first, last, done = self.first.tolist(), self.last.tolist(), 0
        for number in begun:
            # This line has not ended, so the loop does. One that ends on this very cell still needs its bit there.
            while last[ended[done]] < first[number]:
                free.append(int(slot[ended[done]]))
                done += 1
            if not free:
                free.append(bits)
                bits += 1
            slot[number] = free.pop()
        return slot, bits

    def tables(self, weights: Ints, strips: Sequence[Sequence[int]]) -> Cells:
        """The tables of all cells; ``weights`` is (L, 2), ``strips`` are the numbers of the strips over each cell."""
        weighted = weights[self._number].any(axis=1)
        numbers = self._number[weighted]
        first_slot = np.searchsorted(self._cell[weighted], np.arange(self.cells + 1))
        first_strip = np.cumsum([0, *map(len, strips)])
        over = np.array([strip for some in strips for strip in some], dtype=np.int64)
        return Cells(self._through, self._ending, self.slot[numbers], weights[numbers], first_slot, over, first_strip)

    def begun(self, t: int) -> Ints:
        """Numbers of the lines with cells before cell ``t`` and from it on."""
        return np.flatnonzero((self.first < t) & (t <= self.last))

    def ahead(self, t: int) -> Ints:
        """Numbers of the lines that begin at cell ``t`` or later."""
        return np.flatnonzero(self.first >= t)
