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
    WAYS,
    Marks,
    Shift,
    choose_ways,
    fill_shift,
    marks,
    place_marks,
    search_backwards,
)
from boardspace_kernels.sliding_blocks.enumeration import Classes
from boardspace_kernels.sliding_blocks.step_graph import Workspace, join_positions, workspace
from boardspace_kernels.sliding_blocks.tray import Tray

NO_PUZZLE = 0xFFFF
PUZZLES_A_CALL = 1 << 16
COUNTERS = 4
MARKED, SEARCHES, ENTRIES, SLIDES = range(COUNTERS)
"""Work that a survey did: marked positions met by searches, searches, entries of positions in slides, slides."""


class Surveyed(NamedTuple):
    """Figures of every class.

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
    """A survey.

    classes: what it found of every class.
    puzzles: their longest corner puzzles.
    groups: int64 (groups, 2), where they were asked for, number of the class and positions, groups of two and more.
    work: int64 (counters), what it took.
    """

    classes: Surveyed
    puzzles: Puzzles
    groups: npt.NDArray[np.int64]
    work: npt.NDArray[np.int64]


class Progress(NamedTuple):
    """How far a call came: the class to go on with, the puzzles and groups listed so far; and a class whose positions
    differ in shapes, or -1."""

    following: int
    puzzles: int
    groups: int
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
    space, scratch = workspace(largest, pieces), marks(largest, pieces)
    parts, reached, longest = [], Progress(0, 0, 0, -1), 0
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


def _no_puzzles(capacity: int) -> Puzzles:
    return Puzzles(
        np.empty(capacity, np.int64),
        np.empty(capacity, np.uint64),
        np.empty(capacity, np.int32),
        np.empty(capacity, np.int64),
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
    """Survey classes on from ``reached`` until all are done or there is no place for the puzzles of another one.

    Puzzles are listed from ``puzzles_from`` steps on, or from the longest so far where that is less.

    One call surveys thousands of classes, most of them tiny, so the arrays that it works in are made once, outside, and
    are parameters; and what it does for each class stands in one loop.
    """
    pieces = classes.slots.shape[1]
    filled, groups_listed = np.int64(0), np.int64(reached.groups)
    active = np.empty((WAYS, pieces), np.bool_)
    shift = Shift(np.empty(pieces, np.uint64), np.empty(pieces, np.uint64), np.empty(pieces, np.uint64))
    fields = min(WAYS, 64 // pieces)
    for label in range(reached.following, len(classes.key)):
        if filled + WAYS * pieces > len(puzzles.label):
            return Progress(label, filled, groups_listed, -1)
        first, end = classes.start[label], classes.start[label + 1]
        if end - first < 2:
            continue
        code, slots = classes.code[first:end], classes.slots[first:end]
        groups, slides = join_positions(tray, code, slots, work)
        if groups < 0:
            return Progress(label, filled, groups_listed, label)
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
        choose_ways(tray, slots, active)
        best = np.int64(0)
        before = filled
        for way in range(0, WAYS, fields):
            several = min(fields, WAYS - way)
            fill_shift(tray.shape, slots, several, shift)
            place_marks(tray, slots, active, way, several, marks)
            level, hits, met = search_backwards(work, marks, shift, end - first, slides, groups, several)
            counters[SEARCHES] += 1
            counters[MARKED] += met
            if level > best:
                best = level
                filled = before
            if 0 < level == best and level >= puzzles_from:
                filled = _list_puzzles(tray, slots, marks, shift, hits, way, several, label, puzzles, filled)
        if best > 0:
            found.steps[label] = best
    return Progress(len(classes.key), filled, groups_listed, -1)


@kernel
def _smallest_code(code: npt.NDArray[np.uint64], group: npt.NDArray[np.int32], size: npt.NDArray[np.int32]) -> int:
    """The smallest code of the positions in groups of two and more."""
    least = ~np.uint64(0)
    for i in range(len(code)):
        if size[group[i]] > 1:
            least = min(least, code[i])
    return least


@kernel
def _list_puzzles(
    tray: Tray,
    slots: npt.NDArray[np.int32],
    marks: Marks,
    shift: Shift,
    hits: int,
    first: int,
    fields: int,
    label: int,
    puzzles: Puzzles,
    filled: int,
) -> int:
    """Write a row for each way and shape among the starts that a search met last; the row after them.

    All starts are turned so that they lie in the upper left corner; the one with the smallest code is written. The
    parameters are those of its only caller's loop, which compiled code passes in registers.
    """
    pieces = slots.shape[1]
    rows = np.full((fields, pieces), -1, np.int64)
    for h in range(hits):
        position = marks.hit[h]
        for field in range(fields):
            way = first + field
            bits = (marks.hits[h] >> np.uint64(field * pieces)) & ((np.uint64(1) << np.uint64(pieces)) - np.uint64(1))
            if bits == 0:
                continue
            code = np.uint64(0)
            for p in range(pieces):
                code += tray.word[tray.image[way, slots[position, p]]]
            for p in range(pieces):
                if not (bits >> np.uint64(p)) & np.uint64(1):
                    continue
                last = p + np.int64(shift.by[p])
                row = rows[field, last]
                if row < 0:
                    row = rows[field, last] = filled
                    filled += 1
                    puzzles.label[row], puzzles.starts[row], puzzles.start[row] = label, 0, ~np.uint64(0)
                puzzles.starts[row] += 1
                if code < puzzles.start[row]:
                    puzzles.start[row] = code
                    puzzles.marked[row] = tray.image[way, slots[position, p]]
    return filled
