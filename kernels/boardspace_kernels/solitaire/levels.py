"""The whole space by jumps, with the least number of moves to every position.

Level n holds the positions with n pegs that can be reached. Every jump removes one peg, so a level is made from the one
before it alone: duplicates occur inside a level and nowhere else.

A jump by the peg that moved last costs no move, any other one costs one. So the state of a game is its position and
the peg that moved last, but less has to be kept. Let m be the least number of moves to a position P, and call a peg
*live* if it can be the last to have moved in m moves. A jump from P by a live peg gives m moves. By any other peg it
gives m + 1: as a new move, or because to have that peg move last had taken at least m + 1 already. So for the position
Q after a jump

    m(Q)    = the least, over all jumps into Q, of  m(P) + (0 if the peg that jumps is live in P, else 1),
    live(Q) = the holes in which the jumps that attain it end.

A jump is written as one word, its *entry*: from the highest bits down the canonical Q, m, and the hole the jump ends
in, as seen by the symmetry that leads to the canonical Q. The images of P and what a jump flips in them are kept
shifted, with the hole below, so that the least of g XORs is at once the canonical Q and its hole. Entries are brought
together by position, and of each position those with the least m become one row of the level. Rows of the same position
in different parts of a level are merged by the same rule, so a level can be made in any number of parts. Where several
symmetries lead to the canonical Q, it has symmetries of its own, and only one of the holes they exchange is written.
That is enough: a jump by another of them leads to an image of what the jump by this one leads to, and the dearer of two
equal entries is dropped.

Cost: on the English board 186 million jumps lead to 23 million positions up to symmetry; about 15 ns to write an entry
and 8 ns to bring it to its position. To sort all entries took 12 ns and more.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.runs import Positions, grouped
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.moves import CHILDREN_AT_ONCE, least_after
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.tables import MoveTables, write_images, write_possible

MOVES_BITS = 6
HOLE_BITS = 6
POSITION_SHIFT = MOVES_BITS + HOLE_BITS

Counts = NDArray[np.uint8]


class BoardTooLargeError(ValueError):
    """A position of the board leaves no room in a word for a number of moves and a hole."""


class Level(NamedTuple):
    """Reachable positions with equally many pegs, or a part of them; canonical, ascending, distinct.

    positions: uint64 (p). moves: uint8 (p), the least number of moves to each. live: uint64 (p), the pegs that can
    have moved last in that many; of pegs that a symmetry of the position exchanges one at least.
    """

    positions: Positions
    moves: Counts
    live: NDArray[np.uint64]


class Step(NamedTuple):
    """Result of one jump from a level, or from a part of one.

    level: part of the next level. choices: uint8 (p), the jumps each position has; 0 for a dead end. orbits: uint8 (p),
    how many images each has.
    """

    level: Level
    choices: Counts
    orbits: Counts


def check_size(board: Board) -> None:
    """BoardTooLargeError where entries of the board do not fit a word: beyond 52 holes."""
    most = 64 - POSITION_SHIFT
    if board.holes > most:
        raise BoardTooLargeError(
            f"board {board.name!r} has {board.holes} holes; its levels can be made up to {most} holes only"
        )


def first_level(start: int) -> Level:
    """The level of the start alone: no move made, no peg live."""
    return Level(np.array([start], np.uint64), np.zeros(1, np.uint8), np.zeros(1, np.uint64))


def step(problem: Problem, level: Level, *, back: bool = False, capacity: int = CHILDREN_AT_ONCE) -> Step:
    """All jumps, made or taken back, from the positions of a level or of any part of it.

    capacity: entries held before they are sorted and joined; memory is about 30 bytes times that plus the result.
    """
    tables = problem.backward if back else problem.forward
    # A shifted image has zeros below the position, so XOR with a row of flips writes the hole there.
    flips = tables.flips << np.uint64(POSITION_SHIFT) | tables.landing.astype(np.uint64)
    choices, orbits = np.empty((2, len(level.positions)), dtype=np.uint8)
    entries = np.empty(max(capacity, len(flips)), dtype=np.uint64)
    parts: list[Level] = []
    begin = 0
    while begin < len(choices):
        part = Level(*(column[begin:] for column in level))
        done, written = write_entries(tables, flips, part, entries, choices[begin:], orbits[begin:])
        words, rows, positions = grouped(entries[:written], POSITION_SHIFT)
        parts.append(Level(positions, *join_entries(words, rows, len(positions))))
        begin += done
    return Step(merge_levels(parts), choices, orbits)


def merge_levels(parts: Sequence[Level]) -> Level:
    """One level from parts of it that may share positions."""
    # Pairs are merged, and pairs of these: a row is copied once for each halving, not once for each part.
    parts = list(parts) or [Level(np.empty(0, np.uint64), np.empty(0, np.uint8), np.empty(0, np.uint64))]
    while len(parts) > 1:
        pairs = [Level(*_merge_two(*a, *b)) for a, b in zip(parts[::2], parts[1::2], strict=False)]
        parts = pairs + parts[len(pairs) * 2 :]
    return parts[0]


@kernel
def write_entries(
    tables: MoveTables,
    flips: NDArray[np.uint64],
    level: Level,
    entries: NDArray[np.uint64],
    choices: Counts,
    orbits: Counts,
) -> tuple[int, int]:
    """Write the entry of every jump of as many positions as the capacity allows.

    flips: uint64 (jumps, g), what a jump flips in each image, shifted, above the hole it ends in.
    entries: uint64 (capacity), as many as jumps at least. choices, orbits: uint8 (p), filled; see ``Step``. Returns
    (positions done, entries written).
    """
    one, written = np.uint64(1), 0
    images, possible = np.empty(flips.shape[1], np.uint64), np.empty(tables.test.size, np.int64)
    origin = _origins(tables)
    for parent in range(level.positions.size):
        # Room for every jump of the board is asked for, so that no parent is done in part.
        if written + tables.test.size > entries.size:
            return parent, written
        position = level.positions[parent]
        fixed = _write_shifted(tables, position, images)
        live = level.live[parent]
        jumps = write_possible(tables, position, possible)
        # Six bits hold any cost: each move changes the number of pegs, which is 52 at most.
        unless_live = np.uint64(level.moves[parent]) + one
        for i in range(jumps):
            # A peg that moved last goes on in the same move, so this jump costs nothing.
            cost = unless_live - ((live >> origin[possible[i]]) & one)
            # The cost is the same for all images, so it is put in after the least of them is found.
            entries[written] = least_after(flips, possible[i], images) | cost << np.uint64(HOLE_BITS)
            written += 1
        choices[parent] = jumps
        if images.size % fixed != 0:
            raise ArithmeticError("the symmetries that keep a position do not divide the group: it is no group")
        orbits[parent] = images.size // fixed
    return level.positions.size, written


@inlined
def _origins(tables: MoveTables) -> NDArray[np.uint64]:
    """uint64 (jumps): the hole that each jump begins in."""
    origin = np.empty(tables.test.size, np.uint64)
    for hole in range(tables.first.size - 1):
        origin[tables.first[hole] : tables.first[hole + 1]] = hole
    return origin


@inlined
def _write_shifted(tables: MoveTables, position: np.uint64, images: NDArray[np.uint64]) -> int:
    """Write the images of a position, shifted as entries have them; return how many of them are the position."""
    write_images(tables.images, position, images)
    fixed = 0
    for s in range(images.size):
        fixed += images[s] == position
        images[s] <<= np.uint64(POSITION_SHIFT)
    return fixed


@kernel
def join_entries(entries: NDArray[np.uint64], rows: NDArray[np.int32], size: int) -> tuple[Counts, NDArray[np.uint64]]:
    """Moves and live pegs of ``size`` positions from entries; ``rows`` int32 (n) are the places of their positions."""
    # 64 is more than any entry can hold, so the first entry of a position always counts.
    moves, live = np.full(size, 1 << MOVES_BITS, np.uint8), np.zeros(size, np.uint64)
    for i in range(entries.size):
        row, entry = rows[i], entries[i]
        cost = np.uint8((entry >> np.uint64(HOLE_BITS)) & np.uint64((1 << MOVES_BITS) - 1))
        peg = np.uint64(1) << (entry & np.uint64((1 << HOLE_BITS) - 1))
        # Only pegs that attain the least cost are live.
        if cost < moves[row]:
            moves[row], live[row] = cost, peg
        elif cost == moves[row]:
            live[row] |= peg
    return moves, live


@kernel
def _merge_two(
    a: Positions,
    a_moves: Counts,
    a_live: NDArray[np.uint64],
    b: Positions,
    b_moves: Counts,
    b_live: NDArray[np.uint64],
) -> tuple[Positions, Counts, NDArray[np.uint64]]:
    """The rows of both; of a position of both the least moves, and the live pegs of those that attain it."""
    # Room for as many rows as there can be: a position of both takes one row, and both inputs go on.
    positions = np.empty(a.size + b.size, np.uint64)
    moves = np.empty(a.size + b.size, np.uint8)
    live = np.empty(a.size + b.size, np.uint64)
    i = j = rows = 0
    while i < a.size or j < b.size:
        from_a = i < a.size and (j == b.size or a[i] <= b[j])
        from_b = j < b.size and (i == a.size or b[j] <= a[i])
        # Of equal costs one row is taken, and the other's pegs are live as well.
        if from_a and (not from_b or a_moves[i] <= b_moves[j]):
            positions[rows], moves[rows], live[rows] = a[i], a_moves[i], a_live[i]
            if from_b and a_moves[i] == b_moves[j]:
                live[rows] |= b_live[j]
        else:
            positions[rows], moves[rows], live[rows] = b[j], b_moves[j], b_live[j]
        i += from_a
        j += from_b
        rows += 1
    return positions[:rows].copy(), moves[:rows].copy(), live[:rows].copy()
