"""Corner puzzles of a class: the fewest steps that take a marked piece from one corner of the tray to the opposite one.

A marked position is a position and one of its pieces. Pieces of the marked one's shape hold consecutive slots, ``low``
up to ``high``; a marked position is number ``position * (high - low) + slot - low``. One search backwards from all
marked positions whose marked piece is at the goal gives the length of every puzzle of this shape and goal.

The search goes through the slides of :mod:`.step_graph`, each at most once for every mark: when the first of a slide's
marked positions is met at a level, all others are at most one level further. A slide of another shape keeps the mark's
slot. In a slide of the marked shape the slots shift when the moving piece passes others; a mark is then known as the
moving piece itself, or by its number among those that stand still.

Puzzles from the other corners are puzzles from the upper left corner of the class's images: a class stands for its
orbit, so all four ways are searched. Two ways give the same puzzles where the images are the same class, or where the
marked piece is as high or as wide as the tray, so that two corners are the same place: then one is left out.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.sliding_blocks.step_graph import SLOT, SLOT_BITS, Workspace

LEVEL_BITS = np.uint32(12)
MOST_LEVELS = 1 << 12
MOST_SEARCHES = (1 << 20) - 1


class Marks(NamedTuple):
    """Arrays for the searches of one class after the other, as large as the largest needs.

    seen: uint32 (marked positions), number of the search << 12 | level, so that no search has to clear it.
    done: uint32 (slides and marks), number of the search that went through it.
    queue: int64 (marked positions), position << 5 | slot - low, by level.
    starts: int32 (4, positions), which positions have the marked shape at each corner, as position << 5 | slot - low.
    flag: uint32 (positions), number of the search in which a group has a start.
    """

    seen: npt.NDArray[np.uint32]
    done: npt.NDArray[np.uint32]
    queue: npt.NDArray[np.int64]
    starts: npt.NDArray[np.int32]
    flag: npt.NDArray[np.uint32]


def marks(positions: int, marked: int, slides: int) -> Marks:
    """Arrays for classes of up to so many positions, marked positions, and slides times marks."""
    return Marks(
        np.zeros(marked, np.uint32),
        np.zeros(slides, np.uint32),
        np.empty(marked, np.int64),
        np.empty((4, positions), np.int32),
        np.zeros(positions, np.uint32),
    )


@kernel
def list_corners(
    slots: npt.NDArray[np.int32],
    low: int,
    high: int,
    places: npt.NDArray[np.int32],
    starts: npt.NDArray[np.int32],
    counts: npt.NDArray[np.int64],
) -> None:
    """List the positions that have a piece of the slots' shape at each of four ``places``; int64 (4) ``counts``."""
    for corner in range(4):
        counts[corner] = 0
    for i in range(len(slots)):
        for p in range(low, high):
            placement = slots[i, p]
            for corner in range(4):
                if placement == places[corner]:
                    starts[corner, counts[corner]] = (i << SLOT_BITS) | (p - low)
                    counts[corner] += 1


@kernel
def search_backwards(
    work: Workspace,
    marks: Marks,
    search: int,
    low: int,
    high: int,
    starts: npt.NDArray[np.int32],
    goals: npt.NDArray[np.int32],
) -> int:
    """Search from the ``goals`` in all groups that have one of the ``starts``; how many marked positions were met.

    Afterwards ``seen`` has the number of the search and the level of each of them. ``search`` counts from 1.
    """
    group, begins, entry, slide, member = work.group, work.begins, work.entry, work.slide, work.member
    seen, done, queue, _, flag = marks
    same = np.int64(high - low)
    stamp = np.uint32(search)
    for s in range(len(starts)):
        flag[group[starts[s] >> SLOT_BITS]] = stamp
    filled = np.int64(0)
    for s in range(len(goals)):
        state = np.int64(goals[s])
        if flag[group[state >> SLOT_BITS]] == stamp:
            seen[(state >> SLOT_BITS) * same + (state & SLOT)] = stamp << LEVEL_BITS
            queue[filled] = state
            filled += 1
    head = np.int64(0)
    level = np.uint32(0)
    while head < filled:
        level_end = filled
        level += np.uint32(1)
        value = (stamp << LEVEL_BITS) | level
        while head < level_end:
            state = queue[head]
            head += 1
            position, mark = state >> SLOT_BITS, state & SLOT
            for e in range(begins[position], begins[position + 1]):
                number, slot = entry[e] >> SLOT_BITS, (entry[e] & SLOT) - low
                own = 0 <= slot < same
                # The mark's name in the slide: the last one for the moving piece, else its number among the others.
                name = mark
                if own:
                    name = same - 1 if slot == mark else mark - (mark > slot)
                if done[number * same + name] == stamp:
                    continue
                done[number * same + name] = stamp
                for m in range(slide[number], slide[number + 1]):
                    other = np.int64(member[m])
                    new = name
                    if own:
                        slot = (other & SLOT) - low
                        new = slot if name == same - 1 else name + (name >= slot)
                    following = (other >> SLOT_BITS) * same + new
                    if seen[following] >> LEVEL_BITS != stamp:
                        seen[following] = value
                        queue[filled] = (other & ~SLOT) | new
                        filled += 1
    return filled
