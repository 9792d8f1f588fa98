"""The frontier: all that matters to the rest of the cells already decided, packed into a few 64-bit words; and folded.

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

*Folding.* States that are mirror images of one another are folded into one at the ends of rows. Left and right are
alike on a rectangle. At the end of a row a state's mirror image is a state too: the run of a column goes to the column
as far from the other edge, that of a diagonal to the antidiagonal through the mirrored cell, and the run along the row
has ended. What completes the one completes the other when it is mirrored, with as many stones. So of two such states
one is dropped and its count added to the other's; the layers after it are nearly half as large (a state that is its own
image stays alone). No bound is asked for the other: of the state that stays all bounds hold as before.

A path of the diagram that goes into the state that was dropped now goes into the other and is *turned*: from there on
it says where the stones lie on the mirrored board, until a turned link mirrors it back.
"""

import heapq
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import Board, Ints
from boardspace_kernels.five_in_a_row.layers import Places, States, Words, add_count, hash_state, same_state
from boardspace_kernels.jit import borrowing, inlined

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
    def places(self) -> Places:
        """Where keys have the run of every slot."""
        word, place = np.divmod(np.arange(self.slots), self.slots_per_word)
        return Places(word, (place * self.bits).astype(np.uint64), np.uint64((1 << self.bits) - 1))

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
        # A line has no stone where the run is as long as its decided part, or longer: hence the sum over shorter ones.
        worth = np.zeros((self.slots, self.board.k), dtype=np.int64)
        np.add.at(worth, (self.line_slot[lines], decided), weights[lines])
        return np.cumsum(worth, axis=1)


def frontier(board: Board) -> Frontier:
    """The frontier of a board whose cells are decided in order."""
    before, after, k = board.before, board.after, board.k
    slot, slots = _slots(board)
    # At place r, which is the run before the cell, stands r + 1, the run after it.
    runs = np.arange(1, k + 1)
    next_run = np.where(runs + after[:, :, None] >= k, runs, 0)
    next_run[:, :, k - 1] = FORBIDDEN
    back = np.arange(k)
    starts = np.arange(board.cells)[:, None, None] - back * board.steps[None, :, None]
    fits = back <= before[:, :, None]
    # A start off the board could be another cell's number, so cell 0 is read instead and its answer dropped.
    windows = np.where(fits, board.line_at[np.where(fits, starts, 0), np.arange(len(board.steps))[:, None]], -1)
    lines = board.lines
    _, direction = np.nonzero(board.line_at >= 0)
    # Lines are numbered by direction first, so in ascending order these are the directions of lines 0, 1, 2, ...
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
        # Starts ascend. A chain that ends on this very cell still needs its slot there.
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


class Mirror(NamedTuple):
    """The runs that a state holds at the end of a row, and where each goes in the mirror image; P of them.

    word: int64 (P), the key's word with the run.
    shift: uint64 (P), where in that word.
    image_word: int64 (P), the word that it goes to.
    image_shift: uint64 (P), where in that word.
    field: the bits of a run, all set.
    """

    word: Ints
    shift: Words
    image_word: Ints
    image_shift: Words
    field: np.uint64


def mirror_after(frontier: Frontier, cells: int) -> Mirror | None:
    """The mirror image of the states after so many cells; None where these are no whole rows of a rectangle."""
    shape = frontier.board.shape
    if len(shape) != 2 or cells % shape[1] or not 0 < cells < frontier.board.cells:
        return None
    row = np.arange(cells - shape[1], cells)
    # Only chains that lead down out of the row: the runs along it have ended.
    going_on = (frontier.slot[row] >= 0) & (frontier.board.after[row] > 0) & (frontier.board.directions[:, 0] > 0)
    column, direction = np.nonzero(going_on)
    turned = frontier.board.directions * (1, -1)
    # Direction 0, along the row, is left out: mirrored it is none of the list, for the list has one of two opposites.
    partner = np.array([np.flatnonzero((frontier.board.directions == one).all(axis=1))[0] for one in turned[1:]])
    slot = frontier.slot[row[column], direction]
    image = frontier.slot[row[shape[1] - 1 - column], partner[direction - 1]]
    word, shift, field = frontier.places
    return Mirror(word[slot], shift[slot], word[image], shift[image], field)


def folded(states: States, mirror: Mirror) -> tuple[States, npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """The layer without mirror images, and (n,) for each state before: its number now, and whether it is turned.

    The states are moved in the arrays they stand in, in their order.
    """
    n = len(states.stones)
    number, turned = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.bool_)
    index = np.full(1 << (2 * n).bit_length(), -1, dtype=np.int32)
    size = fold(states, mirror, index, number, turned, np.empty(states.keys.shape[1], dtype=np.uint64))
    return States(*(column[:size] for column in states)), number, turned


@borrowing
def fold(
    states: States, mirror: Mirror, index: npt.NDArray[np.int32], number: npt.NDArray[np.int32],
    turned: npt.NDArray[np.bool_], image: Words,
) -> int:  # fmt: skip
    """Fold a layer in place; how many states are left. ``index`` is a hash table of -1's, its length a power of two
    above their number; ``number`` and ``turned`` (n,) are what :func:`folded` returns; ``image`` is room for a key."""
    mask = np.uint64(len(index) - 1)
    size = np.int64(0)  # of the literal 0 numba would compile what is called with it once more
    for i in range(len(states.stones)):
        image[:] = 0
        for p in range(len(mirror.word)):
            run = (states.keys[i, mirror.word[p]] >> mirror.shift[p]) & mirror.field
            image[mirror.image_word[p]] |= run << mirror.image_shift[p]
        stones = states.stones[i]
        # The sum of both hashes is the same for a state and for its image, so both are looked for from one place.
        place = (hash_state(states.keys[i], stones) + hash_state(image, stones)) & mask
        # States differ, so what is found is the image of another. A state that is its own image does not find itself.
        while index[place] >= 0 and not same_state(states, index[place], image, stones):
            place = (place + np.uint64(1)) & mask
        turned[i] = index[place] >= 0
        if turned[i]:
            add_count(states.counts, index[place], states.counts[i, 0], states.counts[i, 1])
        else:
            index[place] = size
            # ``size`` is at most i, so no state that is still to be read is written over.
            move(states, i, size)
            size += 1
        number[i] = index[place]
    return size


@inlined
def move(states: States, source: int, to: int) -> None:
    """Copy a state to another place of its layer."""
    states.stones[to] = states.stones[source]
    for w in range(states.keys.shape[1]):
        states.keys[to, w] = states.keys[source, w]
    for w in range(2):
        states.counts[to, w] = states.counts[source, w]
    for g in range(states.values.shape[1]):
        states.values[to, g] = states.values[source, g]
    for b in range(states.nodes.shape[1]):
        states.nodes[to, b] = states.nodes[source, b]
