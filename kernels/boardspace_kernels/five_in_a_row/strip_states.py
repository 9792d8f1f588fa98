"""The states of a strip, cell by cell: a circle of layers, one for each column.

Between two cells of a row the future depends on runs of free cells: down each column, along each diagonal of either
direction, and along the row so far. Diagonals are filed under the column in which they ended last, in this row for
columns that are decided, in the row above for the others; a run that can no longer come to k counts as 0. Layer c
holds the states that can arise before cell c of some row, by two words of ``bits`` a run; a free cell and a stone lead
to layer c + 1, and from the last layer back to layer 0, where a row begins. So every row of a strip of any length is
one way round, and a step for all states takes as many operations as there are links, not states times rows.

Found from the state of no rows by following links until nothing is new. k = 3 has 4,400 states in layer 0 for 7
columns, and about 4 times as many for each column more.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import mix
from boardspace_kernels.five_in_a_row.board import BoardError, BoardTooLargeError
from boardspace_kernels.jit import kernel

Words = npt.NDArray[np.uint64]
Links = npt.NDArray[np.int32]

NONE = -1
MOST_STATES = 1 << 23
"""In a layer; twelve layers of so many take 5 GiB."""

FIRST_CAPACITY = 1 << 12


@dataclass(frozen=True)
class Strip:
    """A strip of ``width`` columns and its states.

    k: cells in a row that may not be free.
    width: its columns.
    free: links (w, layer) to the states of the next layer after a free cell, NONE where k cells would be free.
    stone: links (w, layer) to those after a stone.
    sizes: int64 (w), how many states each layer has.
    words: uint64 (n, 2), the runs of the states of layer 0.
    """

    k: int
    width: int
    free: Links
    stone: Links
    sizes: npt.NDArray[np.int64]
    words: Words

    @property
    def states(self) -> int:
        """States between two rows; number 0 is that of no rows."""
        return int(self.sizes[0])

    @property
    def runs(self) -> npt.NDArray[np.uint8]:
        """(n, 3, w): the runs that end in the last row, down the columns, along the diagonals from the left above, and
        along those from the right above."""
        bits = bits_of(self.k)
        places = (np.arange(self.width) * bits).astype(np.uint64)
        mask = np.uint64((1 << bits) - 1)
        down = self.words[:, :1] >> places
        right = self.words[:, 1:] >> places
        left = self.words[:, 1:] >> places + np.uint64(self.width * bits)
        return (np.stack([down, right, left], axis=1) & mask).astype(np.uint8)


def bits_of(k: int) -> int:
    """Bits of a run of 0 to k - 1 cells."""
    return max(1, (k - 1).bit_length())


def strip(k: int, width: int, most: int = MOST_STATES) -> Strip:
    """All states of a strip.

    Raises:
        BoardError: a width below k, whose lines go one way only, or one whose runs do not fit two words.
        BoardTooLargeError: more than ``most`` states in a layer.
    """
    widest = 64 // (2 * bits_of(k)) if k >= 2 else 0
    if not 2 <= k <= width <= widest:
        if 2 <= k <= widest:
            raise BoardError(f"strips for k = {k} are {k} to {widest} columns wide; got {width}")
        raise BoardError(f"strips are for lines of k = 2 to 8; got k = {k}")
    capacity = FIRST_CAPACITY
    while True:
        sizes, words, free, stone = _closure(k, width, bits_of(k), min(capacity, most))
        if sizes[0] > 0:
            largest = sizes.max()
            return Strip(
                k, width, free[:, :largest].copy(), stone[:, :largest].copy(), sizes, words[0, : sizes[0]].copy()
            )
        if capacity >= most:
            raise BoardTooLargeError(f"a strip of {width} columns, k = {k}, has more than {most} states")
        capacity *= 8


@kernel
def _closure(k: int, width: int, bits: int, most: int) -> tuple[npt.NDArray[np.int64], Words, Links, Links]:
    """Sizes (w,), words (w, most, 2) and links (w, most) of all layers; sizes of 0 where one outgrows ``most``."""
    sizes, followed = np.zeros(width, np.int64), np.zeros(width, np.int64)
    words = np.empty((width, most, 2), np.uint64)
    free, stone = np.empty((width, most), np.int32), np.empty((width, most), np.int32)
    slots = 4
    while slots < 2 * most:
        slots *= 2
    table = np.full((width, slots), -1, np.int32)
    words[0, 0] = 0
    sizes[0] = 1
    table[0, 0] = 0  # where words of 0 are mixed to
    # The last layer leads back to layer 0, so the circle is gone round until no layer has a new state.
    while (followed < sizes).any():
        for cell in range(width):
            after = (cell + 1) % width
            for state in range(followed[cell], sizes[cell]):
                # Room for both children, whether they are new or not.
                if sizes[after] + 2 > most:
                    return np.zeros(width, np.int64), words, free, stone
                columns, diagonals = words[cell, state]
                if cell == 0:
                    diagonals = _moved(diagonals, width, bits)
                allowed, grown, crossed = _freed(columns, diagonals, cell, k, width, bits)
                free[cell, state] = _number(words[after], table[after], sizes, after, grown, crossed) if allowed else -1
                grown, crossed = _blocked(columns, diagonals, cell, width, bits)
                stone[cell, state] = _number(words[after], table[after], sizes, after, grown, crossed)
            followed[cell] = sizes[cell]
    return sizes, words, free, stone


@kernel
def _number(
    words: Words, table: Links, sizes: npt.NDArray[np.int64], layer: int, columns: np.uint64, diagonals: np.uint64
) -> int:
    """The number of a state in its layer, a new one at the end."""
    mask = np.uint64(len(table) - 1)
    slot = mix(columns ^ mix(diagonals)) & mask
    while table[slot] >= 0:
        known = table[slot]
        if words[known, 0] == columns and words[known, 1] == diagonals:
            return int(known)
        slot = (slot + np.uint64(1)) & mask
    words[sizes[layer], 0], words[sizes[layer], 1] = columns, diagonals
    table[slot] = sizes[layer]
    sizes[layer] += 1
    return int(table[slot])


@kernel
def _moved(diagonals: np.uint64, width: int, bits: int) -> np.uint64:
    """Diagonals filed under the column in which they meet the next row; those that leave the strip have run 0."""
    one, half = np.uint64(bits), np.uint64(width * bits)
    low = (np.uint64(1) << half) - np.uint64(1)
    # Runs to the right go a field up, where ``low`` cuts off the last, the others a field down, and lose the first.
    right, left = (diagonals & low) << one, diagonals >> half >> one
    return (right & low) | left << half


@kernel
def _freed(
    columns: np.uint64, diagonals: np.uint64, cell: int, k: int, width: int, bits: int
) -> tuple[bool, np.uint64, np.uint64]:
    """Return whether a cell may be free, and the words after it. The run along the row is filed above the columns'."""
    mask = np.uint64((1 << bits) - 1)
    down_at, across_at = np.uint64(cell * bits), np.uint64(width * bits)
    right_at, left_at = np.uint64(cell * bits), np.uint64((width + cell) * bits)
    down = int((columns >> down_at) & mask) + 1
    across = int((columns >> across_at) & mask) + 1
    right = int((diagonals >> right_at) & mask) + 1
    left = int((diagonals >> left_at) & mask) + 1
    if max(down, across, right, left) >= k:
        return False, columns, diagonals
    # Behind the last cell no run along the row is left, so the next row begins with 0. A column's run never ends.
    left_over = width - 1 - cell
    across = across if across + left_over >= k else 0
    right = right if right + left_over >= k else 0
    left = left if left + cell >= k else 0
    columns = columns & ~(mask << down_at | mask << across_at) | np.uint64(down) << down_at
    diagonals = diagonals & ~(mask << right_at | mask << left_at) | np.uint64(right) << right_at
    return True, columns | np.uint64(across) << across_at, diagonals | np.uint64(left) << left_at


@kernel
def _blocked(columns: np.uint64, diagonals: np.uint64, cell: int, width: int, bits: int) -> tuple[np.uint64, np.uint64]:
    """The words after a stone, which ends all four runs."""
    mask, at = np.uint64((1 << bits) - 1), np.uint64(cell * bits)
    across_at, left_at = np.uint64(width * bits), np.uint64((width + cell) * bits)
    return columns & ~(mask << at | mask << across_at), diagonals & ~(mask << at | mask << left_at)
