"""The neighbours of a layout, in three metrics.

    step      one piece moves any number of cells, in any directions, round corners, through empty cells
    straight  one piece moves any number of cells in one direction
    unit      one piece moves by one cell

The places that the block or a domino can reach are searched from its own along the tabulated moves of its pattern, as
far as no single is in the way. A single reaches all of each connected set of empty cells that it touches: it can come
back through the gap it left, and enter any of them from there.
No neighbour is met twice: its picture lacks one anchor of the layout's and has one more, and these two tell the move.
"""

import numpy as np
import numpy.typing as npt

from boardspace.kernels.bits import lowest_bit
from boardspace.kernels.jit import inlined, kernel
from boardspace.kernels.klotski.board import FOOTPRINT, SINGLE, STRIDE, component_of, count_cells, grow, on_board
from boardspace.kernels.klotski.patterns import Fillings, Patterns, address_of, kind_at, layout_at

STEP, STRAIGHT, UNIT = 0, 1, 2
"""The metrics."""

MOST_NEIGHBOURS = 128
"""More than any layout has: 68 (found by enumerating all) in class 0-7-0, whose singles each reach most empty cells."""


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

    ``places`` int64 (CELLS, 2) is room to work in.
    """
    pattern, singles = layout_at(patterns, fillings, address)
    block = np.int64(patterns.block[pattern])
    lying = np.int64(patterns.lying[pattern])
    standing = np.int64(patterns.standing[pattern])
    free = np.int64(patterns.free[pattern])
    empties = free & ~singles
    first = pattern * len(fillings.cells)
    filling = np.int64(fillings.cells[address - first])
    beside_empties = grow(empties)
    if metric == STEP:
        count = _steps_of_singles(fillings, first, filling, free, singles, places, found)
    else:
        count = 0
        movable = singles & beside_empties
        while movable:
            home = movable & -movable
            movable ^= home
            cells = _cells_of_single(empties, metric, home)
            while cells:
                target = cells & -cells
                cells ^= target
                found[count] = _address_after(fillings, first, filling, free, home, target)
                count += 1
    anchors = (1 << block) | lying | standing
    while anchors:
        home = np.int64(lowest_bit(np.uint64(anchors)))
        anchors &= anchors - 1
        kind = kind_at(block, lying, standing, home)
        if not FOOTPRINT[kind, home] & beside_empties:
            continue
        for i in range(1, _places_of(patterns, metric, pattern, singles, kind, home, places)):
            found[count] = address_of(patterns, fillings, places[i, 1], singles)
            count += 1
    return count


@inlined
def _steps_of_singles(
    fillings: Fillings,
    first: int,
    filling: int,
    free: int,
    singles: int,
    places: npt.NDArray[np.int64],
    found: npt.NDArray[np.uint32],
) -> int:
    """Write the addresses after a step of a single to ``found``, in order of their codes; returns how many they are.

    Each connected set of empty cells is entered, at any of its cells, by each single beside it. The later the first
    cell that a step empties, and the earlier the first that it fills, the larger is the code; of steps alike in that
    the other cell decides. A graph wants its rows in this order.
    """
    parts = count = total = 0
    movable = 0
    empties = rest = free & ~singles
    while rest:
        part = component_of(rest)
        rest ^= part
        beside = singles & grow(part)
        places[parts, 0], places[parts, 1] = part, beside
        parts += 1
        movable |= beside
        total += count_cells(part) * count_cells(beside)
    while movable:
        home = movable & -movable
        movable ^= home
        cells = 0
        for i in range(parts):
            if places[i, 1] & home:
                cells |= places[i, 0]
        cells &= -home
        count += count_cells(cells)
        place = count
        while cells:
            target = cells & -cells
            cells ^= target
            place -= 1
            found[place] = _address_after(fillings, first, filling, free, home, target)
    end = total
    while empties:
        target = empties & -empties
        empties ^= target
        i = 0
        while not places[i, 0] & target:
            i += 1
        homes = places[i, 1] & -target
        end -= count_cells(homes)
        place = end
        while homes:
            home = homes & -homes
            homes ^= home
            found[place] = _address_after(fillings, first, filling, free, home, target)
            place += 1
    return total


@inlined
def _address_after(fillings: Fillings, first: int, filling: int, free: int, home: int, target: int) -> int:
    """The address after a single went from one cell to another, given as masks: a bit of the filling is moved.
    ``first`` is the address of the pattern's first filling."""
    return first + fillings.number[filling ^ _filling_bit(free, home) ^ _filling_bit(free, target)]


@inlined
def _filling_bit(free: int, cell: int) -> int:
    """The bit of a filling that stands for a cell, given as a mask, of ``free``."""
    return 1 << count_cells(free & (cell - 1))


@inlined
def _places_of(
    patterns: Patterns, metric: int, pattern: int, singles: int, kind: int, home: int, places: npt.NDArray[np.int64]
) -> int:
    """Write where the block or domino at ``home`` can stand after a move, and the patterns then, to ``places``
    (place, (cell, pattern)); its own place comes first. Returns how many these are."""
    places[0, 0], places[0, 1] = home, pattern
    seen = 1 << home
    count = 1
    done = 0
    while done < count and (metric == STEP or done == 0):
        for direction in range(4):
            cell, at = places[done, 0], places[done, 1]
            while True:
                at = np.int64(patterns.move_to[at, cell, direction])
                cell += STRIDE[direction]
                if at < 0 or FOOTPRINT[kind, cell] & singles or (seen >> cell) & 1:
                    break
                seen |= 1 << cell
                places[count, 0], places[count, 1] = cell, at
                count += 1
                if metric != STRAIGHT:
                    break
        done += 1
    return count


@inlined
def _cells_of_single(empties: int, metric: int, home: int) -> int:
    """Mask of the cells that a single at ``home`` (a mask of one cell) can move to in a straight or unit move."""
    if metric == UNIT:
        return grow(home) & empties
    reached = 0
    start = np.int64(lowest_bit(np.uint64(home)))
    for direction in range(4):
        cell = start
        while on_board(SINGLE, cell, direction) and (empties >> (cell + STRIDE[direction])) & 1:
            cell += STRIDE[direction]
            reached |= 1 << cell
    return reached
