"""One class and one puzzle: all positions with given shapes, and a shortest way of one marked piece.

The positions of a class are made by laying its pieces one after the other, equal ones in order of place. A puzzle is
searched forwards from its start through the slides of :mod:`.step_graph`, each slide at most once for every mark (see
:mod:`.corner`), and every marked position remembers the one from which it was first met.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.sliding_blocks.step_graph import SLOT, SLOT_BITS, Workspace, join_positions, workspace
from boardspace_kernels.sliding_blocks.tray import Slots, Tray

UNSEEN = np.int64(-1)


class Class(NamedTuple):
    """The positions of one class: code uint64 (positions), slots int32 (positions, pieces), placements ascending."""

    code: npt.NDArray[np.uint64]
    slots: Slots


class Graph(NamedTuple):
    """A class with its graph: how many groups and slides the workspace holds."""

    own: Class
    work: Workspace
    groups: int
    slides: int


class Puzzle(NamedTuple):
    """A marked piece to bring to a goal.

    low: the first slot of the marked piece's shape.
    same: how many pieces of this shape there are; they have the slots from ``low`` on.
    start: the position to start from.
    slot: the slot of the marked piece there.
    goal: the placement that it is to reach.
    """

    low: int
    same: int
    start: int
    slot: int
    goal: int


class Met(NamedTuple):
    """Marked positions that a search has met: numbers ``position * same + mark``, where the marked piece lies in slot
    ``low + mark``.

    before: int64 (positions * same), from which marked position each was met, the start from itself; UNSEEN of others.
    done: bool (slides * same), which marks each slide has passed on.
    """

    before: npt.NDArray[np.int64]
    done: npt.NDArray[np.bool_]


def class_of(tray: Tray, placements: npt.NDArray[np.int32], most: int) -> Class | None:
    """All positions with the shapes of these placements, ascending; None where there are more than ``most``."""
    first = np.searchsorted(tray.shape, tray.shape[placements], "left").astype(np.int64)
    end = np.searchsorted(tray.shape, tray.shape[placements], "right").astype(np.int64)
    capacity = min(most, 1 << 12)
    while True:
        code, slots = np.empty(capacity, np.uint64), np.empty((capacity, len(placements)), np.int32)
        found = lay_pieces(tray.mask, tray.word, first, end, code, slots)
        if found <= capacity:
            return Class(code[:found].copy(), slots[:found].copy())
        if capacity >= most:
            return None
        capacity = min(most, 8 * capacity)


@kernel
def lay_pieces(
    mask: npt.NDArray[np.uint32],
    word: npt.NDArray[np.uint64],
    first: npt.NDArray[np.int64],
    end: npt.NDArray[np.int64],
    code: npt.NDArray[np.uint64],
    slots: Slots,
) -> int:
    """Lay pieces whose placements are ``first`` up to ``end``; how many positions there are, or one more than the
    arrays hold."""
    pieces = len(first)
    place = np.zeros(pieces + 1, np.int64)
    covered = np.zeros(pieces + 1, np.int64)
    sums = np.zeros(pieces + 1, np.uint64)
    found = np.int64(0)
    depth = np.int64(0)
    place[0] = first[0]
    while depth >= 0:
        placement = place[depth]
        while placement < end[depth] and np.int64(mask[placement]) & covered[depth]:
            placement += 1
        if placement >= end[depth]:
            depth -= 1
            continue
        place[depth] = placement + 1
        if depth == pieces - 1:
            if found == len(code):
                return found + 1
            code[found] = sums[depth] + word[placement]
            for p in range(pieces):
                slots[found, p] = place[p] - 1
            found += 1
            continue
        covered[depth + 1] = covered[depth] | np.int64(mask[placement])
        sums[depth + 1] = sums[depth] + word[placement]
        depth += 1
        place[depth] = placement + 1 if first[depth] == first[depth - 1] else first[depth]
    return found


def graph_of(tray: Tray, own: Class) -> Graph:
    """The class with its groups and slides."""
    work = workspace(len(own.code), own.slots.shape[1])
    size = join_positions(tray, own.code, own.slots, work)
    return Graph(own, work, int(size.groups), int(size.slides))


def shortest_way(tray: Tray, graph: Graph, start: int, slot: int, goal: int) -> list[tuple[int, int]] | None:
    """Positions and slots of the marked piece on a shortest way, start and end included, that takes the piece in a slot
    of position ``start`` to the placement ``goal``; None where there is none."""
    slots = graph.own.slots
    same = np.flatnonzero(tray.shape[slots[0]] == tray.shape[slots[0, slot]])
    puzzle = Puzzle(int(same[0]), len(same), start, slot, goal)
    before = np.full(len(slots) * len(same), UNSEEN, np.int64)
    met = Met(before, np.zeros(graph.slides * len(same), np.bool_))
    end = search_forwards(graph.work, slots, puzzle, met)
    if end < 0:
        return None
    way = [int(end)]
    while before[way[-1]] != way[-1]:
        way.append(int(before[way[-1]]))
    return [(state // len(same), puzzle.low + state % len(same)) for state in reversed(way)]


@kernel
def search_forwards(work: Workspace, slots: Slots, puzzle: Puzzle, met: Met) -> int:
    """Search from the start of a puzzle; the marked position at the goal that is met first, or -1 where there is none.

    ``met`` has met nothing at first.
    """
    low, same, goal = np.int64(puzzle.low), np.int64(puzzle.same), puzzle.goal
    before, done = met
    queue = np.empty(len(before), np.int64)
    first = puzzle.start * same + puzzle.slot - low
    before[first] = first
    if slots[puzzle.start, puzzle.slot] == goal:
        return first
    queue[0] = first
    head, filled = np.int64(0), np.int64(1)
    while head < filled:
        state = queue[head]
        head += 1
        position, mark = state // same, state % same
        for e in range(work.begins[position], work.begins[position + 1]):
            number = work.entry[e] >> SLOT_BITS
            name = _mark_inside(mark, (work.entry[e] & SLOT) - low, same)
            if done[number * same + name]:
                continue
            done[number * same + name] = True
            for m in range(work.slide[number], work.slide[number + 1]):
                other = np.int64(work.member[m]) >> SLOT_BITS
                new = _mark_outside(name, (np.int64(work.member[m]) & SLOT) - low, same)
                following = other * same + new
                if before[following] != UNSEEN:
                    continue
                before[following] = state
                if slots[other, low + new] == goal:
                    return following
                queue[filled] = following
                filled += 1
    return -1


@kernel
def _mark_inside(mark: int, moving: int, same: int) -> int:
    """A mark's name inside a slide: where the moving piece is of the marked one's shape, it counts as the last."""
    if not 0 <= moving < same:
        return mark
    return same - 1 if moving == mark else mark - np.int64(mark > moving)


@kernel
def _mark_outside(name: int, moving: int, same: int) -> int:
    """The mark that has this name inside a slide, in the slide's position whose moving piece is ``moving``."""
    if not 0 <= moving < same:
        return name
    return moving if name == same - 1 else name + np.int64(name >= moving)
