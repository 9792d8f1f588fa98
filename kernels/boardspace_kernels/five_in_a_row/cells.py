"""Tables of a walk over a board's cells, and layers of few states, decided cell after cell in one compiled call.

On small boards, and at the first and last cells of large ones, a layer has so few states that most of the time would
pass between the cells. Here the layers change places in two arrays, until one has more states than a search lets pass
without a look.

The tables of a walk are cut into one :class:`.Cell` after the other where layers are large.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Ints
from boardspace_kernels.five_in_a_row.frontier import Frontier
from boardspace_kernels.five_in_a_row.layers import (
    Budget,
    Cell,
    Child,
    NextLayer,
    States,
    StripTables,
    empty_child,
    empty_states,
    expand,
)
from boardspace_kernels.jit import borrowing

Links = npt.NDArray[np.int32]


class Cells(NamedTuple):
    """The tables of all n cells, each as in :class:`.Cell`.

    word: int64 (n, D).
    shift: uint64 (n, D).
    next_run: int64 (n, D, k).
    gains: int64 (n, G, D, k).
    strips: int64, of all cells one after the other.
    first: int64 (n + 1), the strips over cell t are those from ``first[t]`` on, up to ``first[t + 1]``.
    """

    word: npt.NDArray[np.int64]
    shift: npt.NDArray[np.uint64]
    next_run: npt.NDArray[np.int64]
    gains: npt.NDArray[np.int64]
    strips: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]


class Workspace(NamedTuple):
    """Arrays that small layers are decided in.

    rows: states, of which the first ``sizes[0]`` are those before the first cell.
    spare: as many.
    index: int32, hash table.
    links: int32 (2, n), the links of all layers.
    sizes: int64 (cells + 1), the states of each layer.
    free, stone: room for a child each.
    """

    rows: States
    spare: States
    index: Links
    links: Links
    sizes: npt.NDArray[np.int64]
    free: Child
    stone: Child


def decide_small(
    states: States, cells: Cells, span: tuple[int, int], tables: StripTables, budget: Budget, most: int
) -> tuple[States, list[Links], list[Links]]:
    """Decide the cells from the first of ``span`` to the one before its second, or as many until a layer has more than
    ``most`` states, which may be the one given: the last layer, and the links to each after a free cell and after a
    stone (see :func:`.layers.decide`)."""
    begin, end = span
    size = len(states.stones)
    if size > most or begin == end:
        return states, [], []
    words, bounds, strips = states.keys.shape[1], states.values.shape[1], states.nodes.shape[1]
    rows, spare = (empty_states(2 * most, words, bounds, strips) for _ in range(2))
    for column, given in zip(rows, states, strict=True):
        column[:size] = given
    index = np.empty(1 << (4 * most).bit_length(), dtype=np.int32)
    links = np.empty((2, (end - begin) * most), dtype=np.int32)
    sizes = np.zeros(end - begin + 1, dtype=np.int64)
    sizes[0] = size
    workspace = Workspace(rows, spare, index, links, sizes, empty_child(states), empty_child(states))
    done = _expand_cells(begin, cells, tables, budget, most, workspace)
    last = rows if done % 2 == 0 else spare
    cuts = [0, *np.cumsum(sizes[:done]).tolist()]
    kept = links[:, : cuts[-1]].copy()
    free, after_stone = ([kind[low:high] for low, high in pairwise(cuts)] for kind in kept)
    return States(*(column[: sizes[done]].copy() for column in last)), free, after_stone


@borrowing
def _expand_cells(
    begin: int, cells: Cells, tables: StripTables, budget: Budget, most: int, workspace: Workspace
) -> int:
    """Decide cells from ``begin`` on, as many as the workspace has sizes after the first; how many were. After an odd
    number of cells the last layer is in ``spare``."""
    rows, spare, index, links, sizes, free, stone = workspace
    used = 0
    for done in range(len(sizes) - 1):
        size = sizes[done]
        if size > most:
            return done
        t = begin + done
        cell = Cell(
            cells.word[t],
            cells.shift[t],
            cells.next_run[t],
            cells.gains[t],
            cells.strips[cells.first[t] : cells.first[t + 1]],
        )
        slots = 4
        while slots < 4 * size:
            slots *= 2
        for i in range(slots):
            index[i] = -1
        parents = States(
            rows.keys[:size], rows.stones[:size], rows.counts[:size], rows.values[:size], rows.nodes[:size]
        )
        to_free, to_stone = links[0, used : used + size], links[1, used : used + size]
        after = NextLayer(spare, index[:slots], to_free, to_stone, free, stone)
        sizes[done + 1] = expand(parents, cell, tables, budget, after)
        used += size
        rows, spare = spare, rows
    return len(sizes) - 1


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
