"""The tables of a walk over a board's cells, cut into one :class:`Cell` after the other, and the state it starts
from."""

import numpy as np

from boardspace_kernels.five_in_a_row.board import Ints
from boardspace_kernels.five_in_a_row.frontier import Frontier
from boardspace_kernels.five_in_a_row.layers import Cell, States, StripTables, empty_states
from boardspace_kernels.five_in_a_row.small_layers import Cells


class CellTables:
    """A frontier with the gains (cells, D, k) of its bounds; ``over[t]`` numbers the strips over cell t."""

    def __init__(self, tables: Frontier, gains: list[Ints], over: list[Ints] | None = None) -> None:
        self.frontier = tables
        cells, directions = tables.slot.shape
        on_board = tables.slot >= 0
        self._word = np.where(on_board, tables.slot // tables.slots_per_word, -1)
        self._shift = (np.where(on_board, tables.slot, 0) % tables.slots_per_word * tables.bits).astype(np.uint64)
        self._gains = np.empty((cells, len(gains), directions, tables.board.k), dtype=np.int64)
        for g, gain in enumerate(gains):
            self._gains[:, g] = gain
        self._first = np.cumsum([0, *map(len, over or [[]] * cells)], dtype=np.int64)
        self._strips = np.concatenate([np.empty(0, dtype=np.int64), *(over or [])])

    def use_second(self, gains: Ints) -> None:
        """Let these gains be those of the second bound from here on."""
        self._gains = np.stack([self._gains[:, 0], gains], axis=1)

    @property
    def cells(self) -> Cells:
        """The tables of all cells."""
        return Cells(self._word, self._shift, self.frontier.next_run, self._gains, self._strips, self._first)

    def cell(self, t: int) -> Cell:
        """The tables of cell ``t``."""
        return Cell(
            self._word[t],
            self._shift[t],
            self.frontier.next_run[t],
            self._gains[t],
            self._strips[self._first[t] : self._first[t + 1]],
        )


NO_STRIPS = StripTables(np.empty(0, dtype=np.int32), np.empty(0, dtype=np.int32), np.empty((0, 0, 0), dtype=np.int64))


def root_state(words: int, values: Ints, strips: int, count: int) -> States:
    """Layer 0: nothing decided; ``values`` (G,) are the bounds at the root, ``count`` the placements it stands
    for."""
    root = empty_states(1, words, len(values), strips)
    root.keys[:] = 0
    root.stones[:] = 0
    root.counts[:] = count, 0
    root.values[:] = values
    root.nodes[:] = 0
    return root
