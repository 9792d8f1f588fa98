"""The frontier: all that matters to the rest of the cells already decided, packed into a few 64-bit words.

Cells are decided in order 0, 1, 2, ... A *chain* is a maximal straight run of cells along one direction; the lines on
it are its windows of k cells. Of the decided cells of a chain only one number matters, the *run*: how many of its
latest ones, in a row, are free of stones. A stone sets the run to 0; a free cell adds 1, and at k a line would be
free, which is forbidden. A run that can no longer grow to k before its chain ends is set to 0, so that states which
agree on all that can still happen are equal. Chains shorter than k have no line and are left out.

A chain is active from its first cell to its last, so a handful of chains is active at a time: about one for each
column and for each diagonal that crosses the frontier. Every chain gets a *slot*, which it gives back after its last
cell; a slot is a field of ``bits`` bits (2 for k = 3 and 4, 3 for k = 5 to 8) in one of ``words`` 64-bit words. The
fields together are the *key* of a state. After the last cell every run is 0, so every placement that blocks the board
ends in key 0.

Nothing here knows the plane: the same tables serve boxes of any dimension.
"""

import heapq
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, Ints

NO_SLOT = -1
FORBIDDEN = -1


@dataclass(frozen=True)
class Frontier:
    """The tables by which a search walks a board; D directions, L lines, n cells.

    board: the board.
    bits: of a run.
    slots: how many chains are open at once.
    slot: int64 (n, D), the slot of the chain through a cell along a direction, NO_SLOT where the chain is too short.
    next_run: int64 (n, D, k), the run after a free cell by the run before it, FORBIDDEN where a line would stay free.
    windows: int64 (n, D, k), number of the line that starts j cells before the cell, L where there is none.
    line_slot: int64 (L), the slot of every line.
    line_first: int64 (L), its first cell.
    line_last: int64 (L), its last cell.
    """

    board: Board
    bits: int
    slots: int
    slot: Ints
    next_run: Ints
    windows: Ints
    line_slot: Ints
    line_first: Ints
    line_last: Ints

    @property
    def slots_per_word(self) -> int:
        """Number of fields that fit one 64-bit word."""
        return 64 // self.bits

    @property
    def words(self) -> int:
        """Number of 64-bit words that a key takes."""
        return max(1, -(-self.slots // self.slots_per_word))

    @property
    def slot_word(self) -> Ints:
        """(slots,): the word of every slot."""
        return np.arange(self.slots) // self.slots_per_word

    @property
    def slot_shift(self) -> npt.NDArray[np.uint64]:
        """(slots,): by how many bits every slot's field is shifted in its word."""
        return (np.arange(self.slots) % self.slots_per_word * self.bits).astype(np.uint64)

    def gains(self, weights: Ints) -> Ints:
        """(n, D, k) int64: the weight of the lines that a stone on a cell would hit first, by direction and run.

        With ``run`` free cells just before it, the lines without a stone through the cell along a direction start at
        most ``run`` cells before it. ``weights`` is (L,) int64.
        """
        padded = np.append(weights, np.int64(0))
        return np.cumsum(padded[self.windows], axis=-1)

    def crossing(self, layer: int) -> tuple[Ints, Ints]:
        """The lines begun but not ended when ``layer`` cells are decided, and how many of each one's cells are.

        Such a line has no stone yet when its chain's run is at least that number.
        """
        lines = np.flatnonzero((self.line_first < layer) & (self.line_last >= layer))
        return lines, (self.board.lines[lines] < layer).sum(axis=1)

    def worth(self, weights: Ints, layer: int) -> Ints:
        """(slots, k) int64: the weight of the lines across the frontier without a stone, by slot and run."""
        lines, decided = self.crossing(layer)
        worth = np.zeros((self.slots, self.board.k), dtype=np.int64)
        np.add.at(worth, (self.line_slot[lines], decided), weights[lines])
        return np.cumsum(worth, axis=1)


def frontier(board: Board) -> Frontier:
    """The frontier of a board whose cells are decided in order."""
    before, after, k = board.before, board.after, board.k
    slot, slots = _slots(board)
    runs = np.arange(1, k + 1)
    next_run = np.where(runs + after[:, :, None] >= k, runs, 0)
    next_run[:, :, k - 1] = FORBIDDEN
    back = np.arange(k)
    starts = np.arange(board.cells)[:, None, None] - back * board.steps[None, :, None]
    fits = back <= before[:, :, None]
    windows = np.where(fits, board.line_at[np.where(fits, starts, 0), np.arange(len(board.steps))[:, None]], -1)
    lines = board.lines
    _, direction = np.nonzero(board.line_at >= 0)
    direction = np.sort(direction)
    return Frontier(
        board=board,
        bits=max(1, (k - 1).bit_length()),
        slots=slots,
        slot=slot,
        next_run=next_run.astype(np.int64),
        windows=np.where(windows < 0, len(lines), windows),
        line_slot=slot[lines[:, 0], direction],
        line_first=lines[:, 0],
        line_last=lines[:, -1],
    )


def _slots(board: Board) -> tuple[Ints, int]:
    """(n, D) slots, and how many there are; a chain takes a slot that no chain active with it holds."""
    before, after, steps = board.before, board.after, board.steps
    long_enough = before + after + 1 >= board.k
    starts, directions = np.nonzero(long_enough & (before == 0))
    slot = np.full(before.shape, NO_SLOT, dtype=np.int64)
    free: list[int] = []
    active: list[tuple[int, int]] = []
    slots = 0
    for start, direction in zip(starts.tolist(), directions.tolist(), strict=True):
        while active and active[0][0] < start:
            heapq.heappush(free, heapq.heappop(active)[1])
        if not free:
            free.append(slots)
            slots += 1
        taken = heapq.heappop(free)
        length = int(after[start, direction]) + 1
        chain = start + steps[direction] * np.arange(length)
        slot[chain, direction] = taken
        heapq.heappush(active, (int(chain[-1]), taken))
    return slot, slots
