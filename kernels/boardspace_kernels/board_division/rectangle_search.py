"""Every position that can be reached from a small rectangle of pegs on an unbounded board.

By the golden weights (:mod:`.fewest_pegs`) all pegs stay on a finite set of cells, known
beforehand. A position is a set of up to 128 such cells: bit c of two 64-bit words. Each jump removes one peg, so the
positions fall into levels by their number of pegs, and level p - 1 is made of level p alone. Positions that a symmetry
of the rectangle carries into each other (4, or 8 for a square) share one representative, the smallest; the symmetries
keep the level.

Symmetries are cheap on jumps: a jump flips three bits, and its image flips the images of these bits. So a position is
carried to its 4 or 8 images once, and each of its jumps costs one exclusive or per image.

The search also looks at each jump that would leave the set of cells, and counts it. There must be none: a count of 0
proves anew, without the weights, that the search has seen the unbounded board.

The smallest level reached is the fewest pegs that can be left, found with no theory but the rules. Cost: time and
memory go with the positions, about 4 times as many for two pegs more; 30 million orbits for 22 pegs.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit, mix
from boardspace_kernels.board_division.fewest_pegs import reachable_cells
from boardspace_kernels.board_division.jumps import COLUMN_STEP, ROW_STEP, RectangleError
from boardspace_kernels.jit import borrowing, kernel

LARGEST_BOARD = 128
"""Cells of a position: two 64-bit words."""

Words = NDArray[np.uint64]


class Board(NamedTuple):
    """The cells pegs can come to, and what a jump does there.

    bits: uint64 [c, 2], the word pair with bit c alone.
    over: int64 [c, 4], the cell next to c in each direction, -1 where there is none.
    landing: int64 [c, 4], the cell two on.
    images: int64 [g, c], where symmetry g carries cell c; symmetry 0 is the identity.
    flips: uint64 [g, c, 4, 2], the bits that the jump flips, carried by symmetry g.
    """

    bits: Words
    over: NDArray[np.int64]
    landing: NDArray[np.int64]
    images: NDArray[np.int64]
    flips: Words


class Level(NamedTuple):
    """Positions with one number of pegs.

    pegs: the number.
    orbits: positions up to symmetries.
    positions: all of them.
    stuck_orbits: orbits of positions from which no jump is possible.
    stuck_positions: positions from which none is.
    """

    pegs: int
    orbits: int
    positions: int
    stuck_orbits: int
    stuck_positions: int


class Reached(NamedTuple):
    """Result of a search: the levels, most pegs first, the cells [c, 2] ever occupied, and the jumps off the
    board."""

    levels: list[Level]
    cells: NDArray[np.int64]
    escapes: int


def _symmetries(m: int, n: int, cells: NDArray[np.int64]) -> list[NDArray[np.int64]]:
    """The images of ``cells`` [c, 2] under each symmetry of the m x n rectangle, the identity first."""
    images = []
    for transposed in (False, True) if m == n else (False,):
        for upside_down in (False, True):
            for mirrored in (False, True):
                row, column = (cells[:, ::-1] if transposed else cells).T
                images.append(
                    np.stack((m - 1 - row if upside_down else row, n - 1 - column if mirrored else column), axis=1)
                )
    return images


def make_board(m: int, n: int) -> tuple[Board, NDArray[np.int64]]:
    """The board of the m x n rectangle, and the places [c, 2] of its cells. Raises :class:`RectangleError`."""
    cells = reachable_cells(m, n)
    count = len(cells)
    if count > LARGEST_BOARD:
        raise RectangleError(
            f"pegs of a {m} x {n} rectangle may come to {count} cells; {LARGEST_BOARD} can be searched"
        )
    index = {(int(row), int(column)): c for c, (row, column) in enumerate(cells)}

    def indices(places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Numbers of the cells at ``places`` int64 [c, 2], int64 [c]; -1 where there is none."""
        return np.array([index.get((int(row), int(column)), -1) for row, column in places], np.int64)

    bits = np.zeros((count + 1, 2), np.uint64)
    for c in range(count):
        bits[c, c // 64] = np.uint64(1) << np.uint64(c % 64)
    steps = np.stack((ROW_STEP, COLUMN_STEP), axis=1)
    over = np.stack([indices(cells + step) for step in steps], axis=1)
    landing = np.stack([indices(cells + 2 * step) for step in steps], axis=1)
    images = np.stack([indices(image) for image in _symmetries(m, n, cells)])
    # The last row of `bits` is empty: a cell that does not exist (-1) flips nothing.
    carried = bits[np.append(images, np.full((len(images), 1), count), axis=1)]
    # One after another, or kernels would be compiled for this order and once more for that of the smallest boards.
    flips = np.ascontiguousarray(carried[:, :count, None] | carried[:, over] | carried[:, landing])
    return Board(bits[:count], over, landing, images, flips), cells


@kernel
def _has(low: np.uint64, high: np.uint64, cell: int) -> bool:
    """Return whether the position has a peg on ``cell``."""
    word = low if cell < 64 else high
    return (word >> np.uint64(cell & 63)) & np.uint64(1) != 0


@kernel
def _carry(position: Words, bits: Words, images: NDArray[np.int64], carried: Words) -> int:
    """Write the images of ``position`` [2] to ``carried`` [g, 2]; count the symmetries that leave it as it is."""
    for g in range(images.shape[0]):
        carried[g, 0], carried[g, 1] = 0, 0
    for word in range(2):
        pegs = position[word]
        while pegs:
            cell = 64 * word + int(lowest_bit(pegs))
            pegs &= pegs - np.uint64(1)
            for g in range(images.shape[0]):
                carried[g, 0] |= bits[images[g, cell], 0]
                carried[g, 1] |= bits[images[g, cell], 1]
    fixed = 0
    for g in range(images.shape[0]):
        fixed += carried[g, 0] == position[0] and carried[g, 1] == position[1]
    return fixed


@kernel
def _smallest_image(carried: Words, flips: Words, cell: int, direction: int) -> tuple[np.uint64, np.uint64]:
    """The representative of the position after a jump; ``carried`` holds the images of the one before it."""
    low, high = carried[0, 0] ^ flips[0, cell, direction, 0], carried[0, 1] ^ flips[0, cell, direction, 1]
    # Flips are carried by each symmetry beforehand, so an image of the new position costs two words.
    for g in range(1, carried.shape[0]):
        x, y = carried[g, 0] ^ flips[g, cell, direction, 0], carried[g, 1] ^ flips[g, cell, direction, 1]
        # Compared as one number of 128 bits, the high word first.
        if y < high or (y == high and x < low):
            low, high = x, y
    return low, high


@kernel
def _add(table: Words, low: np.uint64, high: np.uint64) -> int:
    """Put a position into the hash ``table`` [2^b, 2], where (0, 0) is an empty slot; 1 if it was not there yet."""
    mask = np.uint64(table.shape[0] - 1)
    # No position is empty, so (0, 0) can stand for a free slot.
    slot = mix(low ^ mix(high)) & mask
    while table[slot, 0] != low or table[slot, 1] != high:
        if not (table[slot, 0] | table[slot, 1]):
            table[slot, 0], table[slot, 1] = low, high
            return 1
        slot = (slot + np.uint64(1)) & mask
    return 0


@kernel
def _positions_in(table: Words, count: int) -> Words:
    """The ``count`` positions [count, 2] of a hash table, in the order of its slots."""
    positions = np.empty((count, 2), np.uint64)
    at = 0
    for slot in range(table.shape[0]):
        if table[slot, 0] | table[slot, 1]:
            positions[at, 0], positions[at, 1] = table[slot, 0], table[slot, 1]
            at += 1
    return positions


@kernel
def next_level(level: Words, board: Board, reached: Words) -> tuple[Words, int, int, int, int]:
    """All representatives one jump from ``level`` [p, 2].

    Also the positions that ``level`` stands for, its stuck orbits, the positions these stand for, and the jumps off the
    board. The cells occupied are added to ``reached`` [2].
    """
    table = np.zeros((4096, 2), np.uint64)
    symmetries = board.images.shape[0]
    carried = np.empty((symmetries, 2), np.uint64)
    count, positions, stuck_orbits, stuck_positions, escapes = 0, 0, 0, 0, 0
    for p in range(level.shape[0]):
        fixed = _carry(level[p], board.bits, board.images, carried)
        if symmetries % fixed:
            raise ArithmeticError("the symmetries that leave a position as it is are no subgroup of all")
        # The size of an orbit is the size of the group over that of the stabiliser.
        orbit = symmetries // fixed
        positions += orbit
        reached[0] |= level[p, 0]
        reached[1] |= level[p, 1]
        # At most half of the slots are taken, so that runs of taken ones stay short.
        if 2 * (count + 4 * LARGEST_BOARD) > table.shape[0]:
            kept, table = _positions_in(table, count), np.zeros((4 * table.shape[0], 2), np.uint64)
            for i in range(count):
                _add(table, kept[i, 0], kept[i, 1])
        jumps, new, off = _add_jumps(table, level[p], board, carried)
        count, escapes = count + new, escapes + off
        if not jumps:
            stuck_orbits += 1
            stuck_positions += orbit
    return _positions_in(table, count), positions, stuck_orbits, stuck_positions, escapes


@borrowing
def _add_jumps(table: Words, position: Words, board: Board, carried: Words) -> tuple[int, int, int]:
    """Put all representatives one jump from a position [2] into the hash table; ``carried`` [g, 2] holds its images.

    Returns the jumps, how many representatives are new, and the jumps off the board.
    """
    over, landing, low, high = board.over, board.landing, position[0], position[1]
    jumps, new, escapes = 0, 0, 0
    for word in range(2):
        pegs = position[word]
        while pegs:
            cell = 64 * word + int(lowest_bit(pegs))
            pegs &= pegs - np.uint64(1)
            for d in range(4):
                # Outside all cells there is no peg to jump over.
                if over[cell, d] < 0 or not _has(low, high, over[cell, d]):
                    continue
                if landing[cell, d] < 0:
                    # Counted though nothing is written: a search that is right never comes here.
                    escapes += 1
                elif not _has(low, high, landing[cell, d]):
                    jumps += 1
                    new += _add(table, *_smallest_image(carried, board.flips, cell, d))
    return jumps, new, escapes


def search_rectangle(m: int, n: int) -> Reached:
    """Search of all that can be reached from the m x n rectangle on an unbounded board.

    Raises :class:`RectangleError` where its pegs may come to more than ``LARGEST_BOARD`` cells.
    """
    board, cells = make_board(m, n)
    inside = (cells >= 0).all(axis=1) & (cells < (m, n)).all(axis=1)
    level = np.bitwise_or.reduce(board.bits[inside], axis=0)[None]
    reached = np.zeros(2, np.uint64)
    levels, escapes = [], 0
    for pegs in range(m * n, 0, -1):
        following, positions, stuck_orbits, stuck_positions, off = next_level(level, board, reached)
        levels.append(Level(pegs, len(level), positions, stuck_orbits, stuck_positions))
        escapes += off
        if not len(following):
            break
        level = following
    occupied = np.asarray((board.bits & reached).any(axis=1))
    # Only representatives were seen, so the images of their cells are added.
    occupied[board.images[:, occupied].ravel()] = True
    return Reached(levels, cells[occupied], escapes)
