"""The metrics, and the neighbours of a layout in two of them.

    step      one piece moves any number of cells, in any directions, round corners, through empty cells
    straight  one piece moves any number of cells in one direction; these moves are read off steps (:mod:`.distances`)
    unit      one piece moves by one cell

Which dominoes can move at all, and whether the block can, shifted masks tell at once. The places that one of them can
reach are searched from its own, inside the set of those where it would cover nothing but empty cells and its own, along
the tabulated moves of its pattern. By a step a single reaches all of each connected set of empty cells that it touches:
it can come back through the gap it left, and enter any of them from there. By a unit move each empty cell is a set of
its own.
No neighbour is met twice: its picture lacks one anchor of the layout's and has one more, and these two tell the move.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.klotski.board import (
    COLUMN_0,
    COLUMN_3,
    COLUMNS,
    COLUMNS_01,
    FOOTPRINT,
    LYING,
    STANDING,
    STRIDE,
    UP,
    anchors_in,
    component_of,
    count_cells,
    grow,
)
from boardspace_kernels.klotski.patterns import Fillings, Patterns, address_of, kind_at, layout_at

STEP, STRAIGHT, UNIT = 0, 1, 2
"""The metrics."""

MOST_NEIGHBOURS = 128
"""More than any layout has: 68 (found by enumerating all) in class 0-7-0, whose singles each reach most empty cells."""


class Filled(NamedTuple):
    """Layout as a filling of its pattern.

    first: address of the pattern's first filling.
    filling: its own, a bit for each free cell.
    free: mask of the cells without a block or domino.
    singles: mask of the cells with a single.
    """

    first: int
    filling: int
    free: int
    singles: int


@kernel
def neighbours_of(
    patterns: Patterns,
    fillings: Fillings,
    metric: int,
    address: int,
    places: npt.NDArray[np.int64],
    found: npt.NDArray[np.uint32],
) -> int:
    """Write the addresses of a layout's neighbours to ``found`` uint32 (MOST_NEIGHBOURS); returns how many they are.

    ``metric`` is STEP or UNIT. They are in no order. ``places`` int64 (CELLS, 2) is scratch.
    """
    pattern, singles = layout_at(patterns, fillings, address)
    block = np.int64(patterns.block[pattern])
    lying = np.int64(patterns.lying[pattern])
    standing = np.int64(patterns.standing[pattern])
    free = np.int64(patterns.free[pattern])
    empties = free & ~singles
    first = pattern * len(fillings.cells)
    layout = Filled(first, np.int64(fillings.cells[address - first]), free, singles)
    count = _moves_of_singles(fillings, metric, layout, found)
    # Every longer move begins with a move by one cell, so no other piece has to be looked at.
    movable = _movable(1 << block, lying, standing, empties)
    while movable:
        home = np.int64(lowest_bit(np.uint64(movable)))
        movable &= movable - 1
        kind = kind_at(block, lying, standing, home)
        # The piece's own cells count as empty: after a move by one cell it still covers some of them.
        within = anchors_in(kind, empties | FOOTPRINT[kind, home])
        # Place 0 is where the piece stands.
        for i in range(1, _places_of(patterns, metric, pattern, within, home, places)):
            found[count] = address_of(patterns, fillings, places[i, 1], singles)
            count += 1
    return count


@inlined
def _moves_of_singles(fillings: Fillings, metric: int, layout: Filled, found: npt.NDArray[np.uint32]) -> int:
    """Write the addresses after a move of a single to ``found``; returns how many they are.

    Each set of empty cells is entered, at any of its cells, by each single beside it.
    """
    empties = layout.free & ~layout.singles
    count = 0
    while empties:
        part = component_of(empties) if metric == STEP else empties & -empties
        empties ^= part
        # `part` is empty, so of the grown set only the cells around it can hold singles.
        homes = layout.singles & grow(part)
        while homes:
            home = homes & -homes
            homes ^= home
            cells = part
            while cells:
                target = cells & -cells
                cells ^= target
                found[count] = _address_after(fillings, layout, home, target)
                count += 1
    return count


@inlined
def _address_after(fillings: Fillings, layout: Filled, home: int, target: int) -> int:
    """The address after a single went from one cell to another, given as masks: a bit of the filling is moved."""
    moved = _filling_bit(layout.free, home) ^ _filling_bit(layout.free, target)
    return layout.first + fillings.number[layout.filling ^ moved]


@inlined
def _filling_bit(free: int, cell: int) -> int:
    """The bit of a filling that stands for a cell, given as a mask, of ``free``."""
    # A filling has a bit for each free cell, in order, so the bit is the number of free cells before this one.
    return 1 << count_cells(free & (cell - 1))


@inlined
def _movable(block: int, lying: int, standing: int, empties: int) -> int:
    """The anchors, of those of the block and of the dominoes given as masks, whose piece can move by a cell."""
    # For each direction: the cells that have to be empty are moved onto the anchor of the piece that would enter them.
    # What wraps round the edge of the board comes out in the first or the last columns, which the masks cut off.
    side_by_side = anchors_in(LYING, empties)
    on_top = anchors_in(STANDING, empties)
    upright = block | standing
    flat = block | lying
    up = (flat & (side_by_side << COLUMNS)) | (standing & (empties << COLUMNS))
    down = (
        (block & (side_by_side >> 2 * COLUMNS))
        | (lying & (side_by_side >> COLUMNS))
        | (standing & (empties >> 2 * COLUMNS))
    )
    left = ((upright & (on_top << 1)) | (lying & (empties << 1))) & ~COLUMN_0
    right = (standing & (on_top >> 1) & ~COLUMN_3) | (((block & (on_top >> 2)) | (lying & (empties >> 2))) & COLUMNS_01)
    return up | down | left | right


@inlined
def _places_of(
    patterns: Patterns, metric: int, pattern: int, within: int, home: int, places: npt.NDArray[np.int64]
) -> int:
    """Write where the block or domino at ``home`` can stand after a move, and the patterns then, to ``places``
    (place, (cell, pattern)); its own place comes first. ``within`` are the anchors at which it would cover nothing but
    empty cells and its own. Returns how many places these are."""
    places[0, 0], places[0, 1] = home, pattern
    seen = 1 << home
    count = 1
    # Breadth first: `places` is the result and the queue, of which `done` have been gone on from. A unit move is the
    # first round of this search.
    done = 0
    while done < count and (metric == STEP or done == 0):
        cell, at = places[done, 0], places[done, 1]
        # Of two places beside one another a unit move leads from one to the other, both being in `within`.
        beside = grow(1 << cell) & within & ~seen
        seen |= beside
        while beside:
            target = np.int64(lowest_bit(np.uint64(beside)))
            beside &= beside - 1
            places[count, 0] = target
            # This table knows nothing of singles, but `within` has only places that they leave.
            places[count, 1] = patterns.move_to[at, cell, _direction_of(target - cell)]
            count += 1
        done += 1
    return count


@inlined
def _direction_of(stride: int) -> int:
    """The direction in which an anchor changes so: the inverse of STRIDE."""
    # Strides ascend with the directions (up, left, right, down), so the direction is the number of smaller strides.
    return np.int64(stride > STRIDE[UP]) + np.int64(stride > 0) + np.int64(stride > 1)
