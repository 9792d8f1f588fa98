"""Other trays: the puzzle on a frame of any width and height, by one codec that knows its frame.

The pieces and rules are those of the 4 x 5 board, and so is the code: the block's cell, then an item of 2 bits for each
cell that is not yet covered, row by row, filled up with zeros to as many items as the frame has cells beside the block.
On the frame 4 x 5 it is the code of :mod:`.board`. A frame of at most 25 cells takes 47 bits.

The block leaves where it stands in the middle of the lower short side; on a frame of odd width, where there is no such
place, at one of the two that are nearest to it. A frame that is wider than high is the same frame turned.

All layouts are written down in order of their codes, in which a code is found again by halving. A piece moves inside
the set of cells where its corner may stand when it is taken away: of the free cells those whose neighbours, as many as
it is wide and high, are free too. A step fills that set from where the piece stands, a unit move goes to a cell beside
it.

Cost: about 0.4 microseconds for each neighbour, four searches in all; that is for frames of some million layouts.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import inlined, kernel, shared
from boardspace_kernels.klotski.board import (
    BLOCK,
    BLOCK_ITEMS,
    EMPTIES_WANTED,
    EMPTY,
    ITEM_BITS,
    LYING,
    SINGLE,
    STANDING,
    decode_in_tray,
    encode_in_tray,
)
from boardspace_kernels.klotski.moves import STEP, STRAIGHT, UNIT

MOST_NEIGHBOURS = 256
UNREACHED = -1


class Tray(NamedTuple):
    """A frame; cell ``columns * row + column`` is a bit of a mask.

    columns: how many.
    rows: how many.
    everywhere: mask of all cells.
    first: mask of the first column.
    last: mask of the last column.
    exits: mask of the cells of the block at the exit.
    """

    columns: int
    rows: int
    everywhere: int
    first: int
    last: int
    exits: int

    @property
    def items(self) -> int:
        """Cells beside the block, which is how many items a code has room for."""
        return self.columns * self.rows - BLOCK_ITEMS


def tray(columns: int, rows: int) -> Tray:
    """The frame of so many columns and rows, at least as high as wide."""
    if not 2 <= columns <= rows or columns * rows > 25:
        raise ValueError(
            f"{columns} x {rows}: a tray has at least 2 columns, no more columns than rows, 25 cells at most"
        )
    first = sum(1 << columns * row for row in range(rows))
    middle = {(columns - 2) // 2, (columns - 1) // 2}
    exits = sum(1 << columns * (rows - 2) + column for column in middle)
    return Tray(columns, rows, (1 << columns * rows) - 1, first, first << columns - 1, exits)


class Hardest(NamedTuple):
    """The most moves that any layout needs to the exit, -1 where none gets there, and the smallest code that does."""

    moves: int
    code: int


class TraySurvey(NamedTuple):
    """Figures of a tray.

    layouts: how many there are.
    groups: that moves join.
    largest_group: layouts of the largest of them.
    solvable: layouts with a way to the exit.
    by_step: the hardest by steps.
    by_straight_step: the hardest by straight steps.
    by_unit_move: the hardest by unit moves.
    """

    layouts: int
    groups: int
    largest_group: int
    solvable: int
    by_step: Hardest
    by_straight_step: Hardest
    by_unit_move: Hardest


def survey_tray(frame: Tray, layouts: int) -> TraySurvey:
    """Enumerate a tray that has so many layouts and search it; ValueError where it has another number."""
    codes = tray_codes(frame, layouts)
    sizes, queue = _group_sizes(frame, codes), np.empty(layouts, dtype=np.int32)
    exits = np.flatnonzero(frame.exits >> (codes >> np.uint64(ITEM_BITS * frame.items)).astype(np.int64) & 1)
    found = []
    for metric in (STEP, STRAIGHT, UNIT):
        distance = np.full(layouts, UNREACHED, dtype=np.int16)
        queue[: len(exits)], distance[exits] = exits, 0
        _search(frame, codes, metric, queue, 0, len(exits), distance)
        most = int(distance.max())
        found.append(Hardest(most, int(codes[np.argmax(distance == most)]) if most >= 0 else 0))
    return TraySurvey(len(codes), len(sizes), int(sizes.max()), int(np.count_nonzero(distance != UNREACHED)), *found)


def tray_codes(frame: Tray, layouts: int) -> npt.NDArray[np.uint64]:
    """The codes of all layouts of a tray, uint64 (layouts), ascending."""
    codes, found = _enumerate(frame, layouts, frame.items)
    if found != layouts:
        raise ValueError(f"{frame.columns} x {frame.rows}: {found} layouts, expected {layouts}")
    return codes


@kernel
def _enumerate(frame: Tray, most: int, items: int) -> tuple[npt.NDArray[np.uint64], int]:
    """At most ``most`` codes, ascending, and how many there are."""
    codes = np.empty(most, dtype=np.uint64)
    # The stacks of the search below: an item covers a cell, so no word is deeper than `items`.
    open_cells = np.zeros(items + 1, dtype=np.int64)
    empties = np.zeros(items + 1, dtype=np.int64)
    word = np.zeros(items + 1, dtype=np.int64)
    next_item = np.zeros(items + 1, dtype=np.int64)
    square = 3 | (3 << frame.columns)
    found = 0
    for block in range(frame.columns * (frame.rows - 1)):
        if (frame.last >> block) & 1:
            continue
        depth = 0
        # Depth first, items in ascending order, so the codes ascend.
        open_cells[0], word[0], next_item[0] = frame.everywhere ^ (square << block), block, EMPTY
        while depth >= 0:
            if open_cells[depth] == 0:
                if empties[depth] >= EMPTIES_WANTED:
                    if found < most:
                        # Each domino leaves one item less; zeros fill the code up.
                        codes[found] = word[depth] << (ITEM_BITS * (items - depth))
                    # Counted even where `codes` is full, so that the caller learns the true number.
                    found += 1
                depth -= 1
                continue
            item = next_item[depth]
            next_item[depth] += 1
            if item > SINGLE:
                depth -= 1
                continue
            covered = _covered_by(frame, open_cells[depth], item)
            if covered == 0:
                continue
            open_cells[depth + 1] = open_cells[depth] ^ covered
            empties[depth + 1] = empties[depth] + (item == EMPTY)
            word[depth + 1] = (word[depth] << ITEM_BITS) | item
            next_item[depth + 1] = EMPTY
            depth += 1
    return codes, found


@inlined
def _covered_by(frame: Tray, open_cells: int, item: int) -> int:
    """The cells that an item covers at the first open cell; 0 where it does not fit."""
    lowest = open_cells & -open_cells
    covered = lowest
    if item == LYING:
        covered |= lowest << 1
    elif item == STANDING:
        covered |= lowest << frame.columns
    # A cell below the last row is no open cell; one right of the last column would be the first of the next row.
    return 0 if covered & ~open_cells or (item == LYING and lowest & frame.last) else covered


@kernel
def tray_neighbours(frame: Tray, code: np.uint64, metric: int, found: npt.NDArray[np.uint64]) -> int:
    """Write the codes of a layout's neighbours to ``found`` uint64 (MOST_NEIGHBOURS); returns how many they are.
    ``metric`` as in :mod:`.moves`."""
    block, lying, standing, singles = decode_in_tray(frame.columns, frame.rows, code)
    down = frame.columns
    square = (1 << block) | (2 << block)
    covered = square | (square << down) | lying | (lying << 1) | standing | (standing << down) | singles
    count = 0
    for kind in (BLOCK, LYING, STANDING, SINGLE):
        anchors = (1 << block, lying, standing, singles)[kind]
        while anchors:
            home = anchors & -anchors
            anchors ^= home
            shape = home
            if kind in (BLOCK, LYING):
                shape |= home << 1
            if kind in (BLOCK, STANDING):
                # The block was widened before, so both of its upper cells are carried down.
                shape |= shape << down
            # The cells that are free when the piece is taken away; then those at which its corner may stand, because
            # the cells right of it and below it are free too.
            allowed = frame.everywhere & ~(covered & ~shape)
            if kind in (BLOCK, LYING):
                allowed &= (allowed >> 1) & ~frame.last
            if kind in (BLOCK, STANDING):
                # For the block both lines apply, and together they ask for all four cells.
                allowed &= allowed >> down
            reached = _reached(frame, home, allowed, metric) & ~home
            while reached:
                target = reached & -reached
                reached ^= target
                swap = home | target
                found[count] = encode_in_tray(
                    frame.columns,
                    frame.rows,
                    np.int64(lowest_bit(np.uint64(target))) if kind == BLOCK else block,
                    lying ^ swap if kind == LYING else lying,
                    standing ^ swap if kind == STANDING else standing,
                    singles ^ swap if kind == SINGLE else singles,
                )
                count += 1
    return count


@kernel
def _reached(frame: Tray, home: int, allowed: int, metric: int) -> int:
    """The cells of ``allowed`` that a corner at ``home`` reaches in one move, and ``home``."""
    if metric == STRAIGHT:
        reached = home
        for direction in range(4):
            # Not `reached`: a corner that turned would not have gone straight.
            place = home
            while place:
                reached |= place
                place = _shift(frame, place, direction) & allowed
        return reached
    reached = home
    while True:
        larger = reached
        for direction in range(4):
            larger |= _shift(frame, reached, direction) & allowed
        if larger == reached or metric == UNIT:
            return larger
        reached = larger


@kernel
def _shift(frame: Tray, cells: int, direction: int) -> int:
    """A set of cells moved by one cell up, left, right or down (0 to 3); those that leave the tray are dropped."""
    if direction == 0:
        return cells >> frame.columns
    if direction == 1:
        return (cells & ~frame.first) >> 1
    if direction == 2:
        return (cells & ~frame.last) << 1
    return (cells << frame.columns) & frame.everywhere


@kernel
def _group_sizes(frame: Tray, codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
    """Number of layouts of each group, int64 (groups), in order of their smallest codes."""
    distance = np.full(len(codes), UNREACHED, dtype=np.int16)
    queue = np.empty(len(codes), dtype=np.int32)
    sizes = np.empty(len(codes), dtype=np.int64)
    groups = end = 0
    for seed in range(len(codes)):
        if distance[seed] == UNREACHED:
            first = end
            queue[first], distance[seed] = seed, 0
            # All groups share one queue. Steps are made of unit moves, so the groups are those of all metrics.
            end = _search(frame, codes, UNIT, queue, first, first + 1, distance)
            sizes[groups] = end - first
            groups += 1
    return sizes[:groups].copy()


@shared
def _search(
    frame: Tray,
    codes: npt.NDArray[np.uint64],
    metric: int,
    queue: npt.NDArray[np.int32],
    begin: int,
    end: int,
    distance: npt.NDArray[np.int16],
) -> int:
    """Search on from the layouts in ``queue`` from ``begin`` to before ``end``, whose ``distance`` is known; where the
    queue then ends. Those that are not reached have UNREACHED. ArithmeticError where ``codes`` lacks a neighbour."""
    found = np.empty(MOST_NEIGHBOURS, dtype=np.uint64)
    while begin < end:
        at = queue[begin]
        begin += 1
        for k in range(tray_neighbours(frame, codes[at], metric, found)):
            other = np.searchsorted(codes, found[k])
            if other == len(codes) or codes[other] != found[k]:
                raise ArithmeticError("a move leads to no layout of the tray")
            if distance[other] == UNREACHED:
                distance[other] = distance[at] + 1
                queue[end] = other
                end += 1
    return end
