"""All classes with given piece sizes surveyed: groups, and the longest corner puzzles.

Many classes a call: most are tiny, and what a class costs beside its positions must be little. For every class its
graph is made (:mod:`.step_graph`); then every shape that it has, in each of the four ways across the tray, is searched
where a group has both a start and a goal (:mod:`.corner`).
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.sliding_blocks.corner import (
    LEVEL_BITS,
    MOST_LEVELS,
    MOST_SEARCHES,
    Marks,
    list_corners,
    marks,
    search_backwards,
)
from boardspace_kernels.sliding_blocks.enumeration import Classes
from boardspace_kernels.sliding_blocks.step_graph import SLOT, SLOT_BITS, Workspace, join_positions, workspace
from boardspace_kernels.sliding_blocks.tray import Tray

NO_PUZZLE = 0xFFFF
PUZZLES_A_CALL = 1 << 16
COUNTERS = 4
MARKED, SEARCHES, ENTRIES, SLIDES = range(COUNTERS)
"""Work that a survey did: marked positions met by searches, searches, entries of positions in slides, slides."""


class Surveyed(NamedTuple):
    """What a survey finds of each class.

    code: uint64 (classes), the smallest code of its positions in groups of two and more; 0 where there is none.
    groups: int64 (classes), all its groups.
    joined: int64 (classes), its positions in groups of two and more.
    largest: int64 (classes), positions of its largest group.
    steps: uint16 (classes), length of its longest corner puzzle, and of its images'; 65535 where it has none.
    """

    code: npt.NDArray[np.uint64]
    groups: npt.NDArray[np.int64]
    joined: npt.NDArray[np.int64]
    largest: npt.NDArray[np.int64]
    steps: npt.NDArray[np.uint16]


class Puzzles(NamedTuple):
    """Longest corner puzzles of classes, turned so that they go from the upper left to the lower right corner.

    label: int64 (puzzles), the number of the class.
    start: uint64 (puzzles), code of the start; the smallest of all starts of this class, marked shape and length.
    marked: int32 (puzzles), placement of the marked piece.
    starts: int64 (puzzles), how many starts there are.
    """

    label: npt.NDArray[np.int64]
    start: npt.NDArray[np.uint64]
    marked: npt.NDArray[np.int32]
    starts: npt.NDArray[np.int64]


class Survey(NamedTuple):
    """A survey: of every class, its longest corner puzzles, sizes of groups where they are asked for (int64 (groups, 2),
    number of the class and positions, groups of two and more), and int64 (counters) the work that it took."""

    classes: Surveyed
    puzzles: Puzzles
    groups: npt.NDArray[np.int64]
    work: npt.NDArray[np.int64]


class Progress(NamedTuple):
    """How far a call came: the class to go on with, the puzzles and groups listed, and the searches made so far; and a
    class whose positions differ in shapes, or -1."""

    following: int
    puzzles: int
    groups: int
    searches: int
    fault: int


def survey_classes(tray: Tray, classes: Classes, puzzles_from: int, list_groups: bool) -> Survey:
    """Survey all classes. Of corner puzzles those are listed that have ``puzzles_from`` steps and more, and always the
    longest of all.

    ArithmeticError where two classes have the same key.
    """
    count, pieces = len(classes.key), classes.slots.shape[1]
    found = Surveyed(
        np.zeros(count, np.uint64),
        classes.positions.copy(),
        np.zeros(count, np.int64),
        np.minimum(classes.positions, 1),
        np.full(count, NO_PUZZLE, np.uint16),
    )
    counters = np.zeros(COUNTERS, np.int64)
    listed = np.empty((len(classes.code) // 2 if list_groups else 0, 2), np.int64)
    if pieces == 0 or len(classes.code) == 0:
        return Survey(found, _no_puzzles(0), listed[:0], counters)
    largest = int(np.diff(classes.start).max())
    space, scratch = workspace(largest, pieces), marks(largest, largest * pieces, largest * pieces * pieces // 2)
    parts, reached, longest = [], Progress(0, 0, 0, 0, -1), 0
    while reached.following < count:
        puzzles = _no_puzzles(PUZZLES_A_CALL)
        reached = survey_some(
            tray, classes, found, puzzles, max(1, min(puzzles_from, longest)), listed, space, scratch, counters, reached
        )
        if reached.fault >= 0:
            raise ArithmeticError(f"class {reached.fault}: another has the same key; give shapes other random words")
        parts.append(Puzzles(*(part[: reached.puzzles].copy() for part in puzzles)))
        steps = found.steps[: reached.following]
        longest = int(steps[steps != NO_PUZZLE].max(initial=0))
    joined = Puzzles(*(np.concatenate(part) for part in zip(*parts, strict=True)))
    kept = found.steps[joined.label] >= min(puzzles_from, longest)
    return Survey(found, Puzzles(*(part[kept] for part in joined)), listed[: reached.groups].copy(), counters)


def _no_puzzles(room: int) -> Puzzles:
    return Puzzles(
        np.empty(room, np.int64), np.empty(room, np.uint64), np.empty(room, np.int32), np.empty(room, np.int64)
    )


@kernel
def survey_some(
    tray: Tray,
    classes: Classes,
    found: Surveyed,
    puzzles: Puzzles,
    puzzles_from: int,
    listed: npt.NDArray[np.int64],
    work: Workspace,
    marks: Marks,
    counters: npt.NDArray[np.int64],
    reached: Progress,
) -> Progress:
    """Survey classes on from ``reached`` until all are done or there is no room for the puzzles of another one.

    Puzzles are listed from ``puzzles_from`` steps on, or from the longest so far where that is less.
    """
    pieces = classes.slots.shape[1]
    filled, groups_listed, searches = np.int64(0), np.int64(reached.groups), np.int64(reached.searches)
    least = np.int64(puzzles_from)
    counts = np.empty(4, np.int64)
    ways = np.empty(4, np.bool_)
    for label in range(reached.following, len(classes.key)):
        if filled + 4 * pieces > len(puzzles.label):
            return Progress(label, filled, groups_listed, searches, -1)
        first, end = classes.start[label], classes.start[label + 1]
        if end - first < 2:
            continue
        code, slots = classes.code[first:end], classes.slots[first:end]
        groups, slides = join_positions(tray, code, slots, work)
        if groups < 0:
            return Progress(label, filled, groups_listed, searches, label)
        counters[SLIDES] += slides
        counters[ENTRIES] += work.begins[end - first]
        found.groups[label] = groups
        if slides == 0:
            continue
        for g in range(groups):
            size = np.int64(work.size[g])
            found.largest[label] = max(found.largest[label], size)
            if size > 1:
                found.joined[label] += size
                if len(listed):
                    listed[groups_listed, 0], listed[groups_listed, 1] = label, size
                    groups_listed += 1
        found.code[label] = _smallest_code(code, work.group, work.size)
        if searches + 4 * pieces > MOST_SEARCHES:
            _forget(marks.seen)
            _forget(marks.done)
            _forget(marks.flag)
            searches = np.int64(0)
        _choose_ways(tray, slots, ways)
        best = np.int64(0)
        before = filled
        low = 0
        while low < pieces:
            high = low + 1
            while high < pieces and tray.shape[slots[0, high]] == tray.shape[slots[0, low]]:
                high += 1
            places = tray.corner[:, slots[0, low]]
            list_corners(slots, low, high, places, marks.starts, counts)
            for way in range(4):
                if not ways[way] or counts[way] == 0 or _is_twin(places, way, ways):
                    continue
                searches += 1
                starts = marks.starts[way, : counts[way]]
                goals = marks.starts[3 - way, : counts[3 - way]]
                met = search_backwards(work, marks, searches, low, high, starts, goals)
                counters[SEARCHES] += 1
                counters[MARKED] += met
                steps = _longest(marks.seen, searches, high - low, starts)
                if steps > best:
                    best = steps
                    filled = before
                if 0 < steps == best and steps >= least:
                    puzzles.label[filled] = label
                    _choose_start(tray, slots, marks.seen, searches, low, high, starts, way, steps, puzzles, filled)
                    filled += 1
            low = high
        if best > 0:
            found.steps[label] = best
    return Progress(len(classes.key), filled, groups_listed, searches, -1)


@kernel
def _forget(stamps: npt.NDArray[np.uint32]) -> None:
    for i in range(len(stamps)):
        if stamps[i]:  # what was never written stays untouched, and takes no memory
            stamps[i] = 0


@kernel
def _smallest_code(code: npt.NDArray[np.uint64], group: npt.NDArray[np.int32], size: npt.NDArray[np.int32]) -> int:
    """The smallest code of the positions in groups of two and more."""
    least = ~np.uint64(0)
    for i in range(len(code)):
        if size[group[i]] > 1:
            least = min(least, code[i])
    return least


@kernel
def _choose_ways(tray: Tray, slots: npt.NDArray[np.int32], ways: npt.NDArray[np.bool_]) -> None:
    """Which of the four ways across the tray have puzzles that no way before them has.

    Way t begins in corner t; symmetry t turns it into the way from the upper left corner. Two ways have the same
    puzzles where these images are the same class; on a square, also where rows and columns changed places make them so.
    """
    keys = np.zeros(8, np.uint64)
    for p in range(slots.shape[1]):
        for g in range(tray.symmetries):
            keys[g] += tray.key[slots[0, p], g]
    for way in range(4):
        ways[way] = True
        for other in range(way):
            if keys[way] == keys[other]:
                ways[way] = False
            # Symmetry 4 + t turns the tray over first: beside t = 1 and 2 stand 6 and 5.
            if tray.symmetries == 8 and keys[way] == keys[4 + (3 - other if other in (1, 2) else other)]:
                ways[way] = False


@kernel
def _is_twin(places: npt.NDArray[np.int32], way: int, ways: npt.NDArray[np.bool_]) -> bool:
    """Whether a way before this one has the same start and goal, or this one's start is its goal."""
    if places[way] == places[3 - way]:
        return True
    for other in range(way):
        if ways[other] and places[other] == places[way] and places[3 - other] == places[3 - way]:
            return True
    return False


@kernel
def _longest(seen: npt.NDArray[np.uint32], search: int, same: int, starts: npt.NDArray[np.int32]) -> int:
    """The greatest level of the starts that the search met; 0 where it met none."""
    longest = np.int64(0)
    for s in range(len(starts)):
        state = np.int64(starts[s])
        value = seen[(state >> SLOT_BITS) * same + (state & SLOT)]
        if value >> LEVEL_BITS == np.uint32(search):
            longest = max(longest, np.int64(value & np.uint32(MOST_LEVELS - 1)))
    return longest


@kernel
def _choose_start(
    tray: Tray,
    slots: npt.NDArray[np.int32],
    seen: npt.NDArray[np.uint32],
    search: int,
    low: int,
    high: int,
    starts: npt.NDArray[np.int32],
    way: int,
    steps: int,
    puzzles: Puzzles,
    row: int,
) -> None:
    """Write the puzzle's row: of all starts that many steps away, turned, the one with the smallest code."""
    value = (np.uint32(search) << LEVEL_BITS) | np.uint32(steps)
    least = ~np.uint64(0)
    count = np.int64(0)
    marked = np.int32(-1)
    for s in range(len(starts)):
        position, slot = np.int64(starts[s]) >> SLOT_BITS, np.int64(starts[s]) & SLOT
        if seen[position * (high - low) + slot] == value:
            count += 1
            code = np.uint64(0)
            for p in range(slots.shape[1]):
                code += tray.word[tray.image[way, slots[position, p]]]
            if code < least:
                least = code
                marked = tray.image[way, slots[position, low + slot]]
    puzzles.start[row], puzzles.marked[row], puzzles.starts[row] = least, marked, count
