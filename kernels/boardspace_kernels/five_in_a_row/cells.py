"""Layers decided cell after cell in one compiled call, and the tables of a walk over a board's cells.

On small boards, and at the first and last cells of large ones, a layer has so few states that most of the time would
pass between the cells. There layers change places in two arrays, until one has more states than a search lets pass
without a look. A layer that has more is decided alone.
"""

from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Ints
from boardspace_kernels.five_in_a_row.frontier import Frontier
from boardspace_kernels.five_in_a_row.layers import (
    Budget,
    Cells,
    NextLayer,
    Scratch,
    States,
    StripTables,
    empty_states,
    expand,
    scratch_for,
)
from boardspace_kernels.jit import borrowing

Links = npt.NDArray[np.int32]


class Workspace(NamedTuple):
    """Arrays that layers are decided in.

    rows: states, of which the first ``sizes[0]`` are those before the first cell.
    spare: as many; twice as many where one cell is decided.
    index: int32, hash table.
    links: int32 (2, n), the links of all layers.
    sizes: int64 (cells + 1), the states of each layer.
    scratch: room for what is worked out about children.
    """

    rows: States
    spare: States
    index: Links
    links: Links
    sizes: npt.NDArray[np.int64]
    scratch: Scratch


def decide(
    states: States, cells: Cells, span: tuple[int, int], tables: StripTables, budget: Budget, most: int
) -> tuple[States, list[Links], list[Links]]:
    """Decide the cells from the first of ``span`` to the one before its second, or as many until a layer has more than
    ``most`` states; one at least.

    Returns the last layer, and of each layer before it the links (n,) to the next, after a free cell and after a stone.
    """
    begin, end = span
    size = len(states.stones)
    alone = size > most
    if alone:
        end, most = begin + 1, size
    words, bounds, strips = states.keys.shape[1], states.values.shape[1], states.nodes.shape[1]
    spare = empty_states(2 * most, words, bounds, strips)
    # Of a layer that is decided alone the given states are only read: no second cell is written over them.
    rows = states if alone else empty_states(2 * most, words, bounds, strips)
    if not alone:
        for column, given in zip(rows, states, strict=True):
            column[:size] = given
    # Two children a state, and a place for each of them, in a power of two.
    index = np.empty(1 << (2 * most).bit_length(), dtype=np.int32)
    # No layer with more than ``most`` states is decided, so the links of all fit.
    links = np.empty((2, (end - begin) * most), dtype=np.int32)
    sizes = np.zeros(end - begin + 1, dtype=np.int64)
    sizes[0] = size
    workspace = Workspace(rows, spare, index, links, sizes, scratch_for(states))
    done = _decide_cells(begin, cells, tables, budget, most, workspace)
    last = [column[: sizes[done]] for column in (rows if done % 2 == 0 else spare)]
    cuts = [0, *np.cumsum(sizes[:done]).tolist()]
    # Small layers are taken out of their large arrays; a large one fills its own, and to copy it would take its memory.
    kept = links if alone else links[:, : cuts[-1]].copy()
    free, stone = ([kind[low:high] for low, high in pairwise(cuts)] for kind in kept)
    return States(*(last if alone else [column.copy() for column in last])), free, stone


@borrowing
def _decide_cells(
    begin: int, cells: Cells, tables: StripTables, budget: Budget, most: int, workspace: Workspace
) -> int:
    """Decide cells from ``begin`` on, as many as the workspace has sizes after the first; how many were. After an odd
    number of cells the last layer is in ``spare``."""
    rows, spare, index, links, sizes, scratch = workspace
    used = 0
    for done in range(len(sizes) - 1):
        size = sizes[done]
        if size > most:
            return done
        # Only as much of the table as this layer needs: it is cleared for every cell, and a small one fits the cache.
        slots = 2
        while slots < 2 * size:
            slots *= 2
        for i in range(slots):
            index[i] = -1
        parents = States(
            rows.keys[:size], rows.stones[:size], rows.counts[:size], rows.values[:size], rows.nodes[:size]
        )
        to_free, to_stone = links[0, used : used + size], links[1, used : used + size]
        after = NextLayer(spare, index[:slots], to_free, to_stone, scratch)
        sizes[done + 1] = expand(parents, cells, begin + done, tables, budget, after)
        used += size
        # The parents are not needed any more, so the layer after the next is written over them.
        rows, spare = spare, rows
    return len(sizes) - 1


def cells_of(tables: Frontier, gains: list[Ints], over: list[Ints] | None = None) -> Cells:
    """The tables of a frontier's cells with the gains (cells, D, k) of bounds; ``over[t]`` numbers the strips over cell
    t."""
    cells, directions = tables.slot.shape
    every = np.empty((cells, len(gains), directions, tables.board.k), dtype=np.int64)
    for g, gain in enumerate(gains):
        every[:, g] = gain
    word, shift, field = tables.places
    others = np.full((cells, tables.words), ~np.uint64(0))
    for slots in tables.slot.T:
        (through,) = np.nonzero(slots >= 0)
        others[through, word[slots[through]]] &= ~(field << shift[slots[through]])
    return Cells(
        np.append(word, -1)[tables.slot],  # where there is no slot, which is -1, the last
        np.append(shift, np.uint64(0))[tables.slot],
        tables.next_run,
        every,
        np.concatenate([np.empty(0, dtype=np.int64), *(over or [])]),
        np.cumsum([0, *map(len, over or [[]] * cells)], dtype=np.int64),
        field,
        others,
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
