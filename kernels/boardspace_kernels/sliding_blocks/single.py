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
from boardspace_kernels.sliding_blocks.tray import Tray

UNSEEN = np.int64(-1)


class Class(NamedTuple):
    """The positions of one class: code uint64 (positions), slots int32 (positions, pieces), placements ascending."""

    code: npt.NDArray[np.uint64]
    slots: npt.NDArray[np.int32]


class Graph(NamedTuple):
    """A class with its graph: how many groups and slides the workspace holds."""

    own: Class
    work: Workspace
    groups: int
    slides: int


def class_of(tray: Tray, placements: npt.NDArray[np.int32], most: int) -> Class | None:
    """All positions with the shapes of these placements, ascending; None where there are more than ``most``."""
    first = np.searchsorted(tray.shape, tray.shape[placements], "left").astype(np.int64)
    end = np.searchsorted(tray.shape, tray.shape[placements], "right").astype(np.int64)
    capacity = 1 << 12
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
    slots: npt.NDArray[np.int32],
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
    groups, slides = join_positions(tray, own.code, own.slots, work)
    return Graph(own, work, int(groups), int(slides))


def shortest_way(tray: Tray, graph: Graph, start: int, slot: int, goal: int) -> list[tuple[int, int]] | None:
    """Positions and slots of the marked piece on a shortest way, start and end included, that takes the piece in a slot
    of position ``start`` to the placement ``goal``; None where there is none."""
    slots = graph.own.slots
    same = np.flatnonzero(tray.shape[slots[0]] == tray.shape[slots[0, slot]])
    low, high = int(same[0]), int(same[-1]) + 1
    marked = len(slots) * (high - low)
    before = np.full(marked, UNSEEN, np.int64)
    end = search_forwards(
        graph.work, slots, low, high, start, slot, goal, before, np.zeros(graph.slides * (high - low), np.bool_)
    )
    if end < 0:
        return None
    way = [int(end)]
    while before[way[-1]] != way[-1]:
        way.append(int(before[way[-1]]))
    return [(state // (high - low), low + state % (high - low)) for state in reversed(way)]


@kernel
def search_forwards(
    work: Workspace,
    slots: npt.NDArray[np.int32],
    low: int,
    high: int,
    start: int,
    slot: int,
    goal: int,
    before: npt.NDArray[np.int64],
    done: npt.NDArray[np.bool_],
) -> int:
    """The marked position at the goal that a search meets first, or -1; ``before`` says whence each was met.

    ``slots[low:high]`` are the pieces of the marked one's shape. The parameters are arrays of the caller, made once.
    """
    begins, entry, slide, member = work.begins, work.entry, work.slide, work.member
    same = np.int64(high - low)
    queue = np.empty(len(before), np.int64)
    first = start * same + slot - low
    before[first] = first
    if slots[start, slot] == goal:
        return first
    queue[0] = first
    head, filled = np.int64(0), np.int64(1)
    while head < filled:
        state = queue[head]
        head += 1
        position, mark = state // same, state % same
        for e in range(begins[position], begins[position + 1]):
            number, moving = entry[e] >> SLOT_BITS, (entry[e] & SLOT) - low
            own = 0 <= moving < same
            name = mark
            if own:
                name = same - 1 if moving == mark else mark - np.int64(mark > moving)
            if done[number * same + name]:
                continue
            done[number * same + name] = True
            for m in range(slide[number], slide[number + 1]):
                other, new = np.int64(member[m]) >> SLOT_BITS, name
                if own:
                    moving = (np.int64(member[m]) & SLOT) - low
                    new = moving if name == same - 1 else name + np.int64(name >= moving)
                following = other * same + new
                if before[following] == UNSEEN:
                    before[following] = state
                    if slots[other, low + new] == goal:
                        return following
                    queue[filled] = following
                    filled += 1
    return -1
