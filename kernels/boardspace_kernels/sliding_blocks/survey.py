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
from boardspace_kernels.sliding_blocks.step_graph import GraphSize, Workspace, join_positions, workspace
from boardspace_kernels.sliding_blocks.tray import Slots, Tray

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
    """Progress of a call: the class to go on with, the puzzles and groups listed so far; and a class whose positions
    differ in shapes, or -1."""

    following: int
    puzzles: int
    groups: int
    fault: int


Scratch = tuple[Workspace, Marks, Shift, npt.NDArray[np.bool_]]
"""Arrays for the graph of a class and its searches, how marks change places in its slides, and bool (4, pieces), which
ways have puzzles of each slot."""


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
    # A listed group has two positions or more, so half as many rows as positions hold all groups.
    listed = np.empty((len(classes.code) // 2 if list_groups else 0, 2), np.int64)
    if pieces == 0 or len(classes.code) == 0:
        return Survey(found, _no_puzzles(0), listed[:0], counters)
    largest, shift = int(np.diff(classes.start).max()), Shift(*(np.empty(pieces, np.uint64) for _ in range(3)))
    scratch = workspace(largest, pieces), marks(largest, pieces), shift, np.empty((WAYS, pieces), np.bool_)
    parts, reached, longest = [], Progress(0, 0, 0, -1), 0
    while reached.following < count:
        written = Survey(found, _no_puzzles(PUZZLES_A_CALL), listed, counters)
        reached = survey_some(tray, classes, written, max(1, min(puzzles_from, longest)), scratch, reached)
        if reached.fault >= 0:
            raise ArithmeticError(f"class {reached.fault}: another has the same key; give shapes other random words")
        parts.append(Puzzles(*(part[: reached.puzzles].copy() for part in written.puzzles)))
        steps = found.steps[: reached.following]
        longest = int(steps[steps != NO_PUZZLE].max(initial=0))
    joined = Puzzles(*(np.concatenate(part) for part in zip(*parts, strict=True)))
    # Calls before the longest was found listed shorter puzzles as well.
    kept = found.steps[joined.label] >= min(puzzles_from, longest)
    return Survey(found, Puzzles(*(part[kept] for part in joined)), listed[: reached.groups].copy(), counters)


def _no_puzzles(capacity: int) -> Puzzles:
    return Puzzles(*(np.empty(capacity, kind) for kind in (np.int64, np.uint64, np.int32, np.int64)))


@kernel
def survey_some(
    tray: Tray, classes: Classes, written: Survey, puzzles_from: int, scratch: Scratch, reached: Progress
) -> Progress:
    """Survey classes on from ``reached`` until all are done or there is no place for the puzzles of another one.

    All that is found goes into the arrays of ``written``. Puzzles are listed from ``puzzles_from`` steps on, or from
    the longest so far where that is less. One call surveys thousands of classes, most of them tiny, so the arrays that
    it works in are made once, outside.
    """
    (found, puzzles, _, counters), work = written, scratch[0]
    filled, listed = np.int64(0), np.int64(reached.groups)
    for label in range(reached.following, len(classes.key)):
        # A class lists at most one puzzle for each way and slot.
        if filled + WAYS * classes.slots.shape[1] > len(puzzles.label):
            return Progress(label, filled, listed, -1)
        first, end = classes.start[label], classes.start[label + 1]
        # A position alone is a group alone, as the arrays say from the start.
        if end - first < 2:
            continue
        code, slots = classes.code[first:end], classes.slots[first:end]
        graph = join_positions(tray, code, slots, work)
        if graph.groups < 0:
            return Progress(label, filled, listed, label)
        counters[SLIDES] += graph.slides
        counters[ENTRIES] += work.begins[end - first]
        found.groups[label] = graph.groups
        if graph.slides == 0:
            continue
        listed = _measure_groups(label, graph.groups, work.size, written, listed)
        found.code[label] = _smallest_code(code, work.group, work.size)
        before = filled
        best, filled = _search_ways(tray, slots, graph, written, puzzles_from, scratch, filled)
        puzzles.label[before:filled] = label
        if best > 0:
            found.steps[label] = best
    return Progress(len(classes.key), filled, listed, -1)


@kernel
def _measure_groups(label: int, groups: int, size: npt.NDArray[np.int32], written: Survey, listed: int) -> int:
    """Write how large a class's groups are; list those of two and more behind the ``listed`` ones, where they are asked
    for, and return how many are listed."""
    found, rows = written.classes, written.groups
    for g in range(groups):
        positions = np.int64(size[g])
        found.largest[label] = max(found.largest[label], positions)
        if positions > 1:
            found.joined[label] += positions
            if len(rows):
                rows[listed, 0], rows[listed, 1] = label, positions
                listed += 1
    return listed


@kernel
def _search_ways(
    tray: Tray, slots: Slots, graph: GraphSize, written: Survey, puzzles_from: int, scratch: Scratch, filled: int
) -> tuple[int, int]:
    """Search all puzzles of a class: the steps of the longest, 0 without one, and the row after the listed ones."""
    work, marks, shift, active = scratch
    choose_ways(tray, slots, active)
    pieces = slots.shape[1]
    # Of more than 16 pieces a word has no place for all four ways, so they are searched in two turns.
    most = min(WAYS, 64 // pieces)  # as many fields as fit into a word
    best, before = np.int64(0), filled
    for way in range(0, WAYS, most):
        fields = min(most, WAYS - way)
        fill_shift(tray.shape, slots, fields, shift)
        place_marks(tray, slots, active, way, fields, marks)
        level, hits, met = search_backwards(work, marks, shift, graph, fields)
        written.work[SEARCHES] += 1
        written.work[MARKED] += met
        if level > best:
            best = level
            filled = before  # the puzzles of the ways before are shorter
        if 0 < level == best and level >= puzzles_from:
            filled = _list_puzzles(tray, slots, scratch, (way, fields, hits), written.puzzles, filled)
    return best, filled


@kernel
def _smallest_code(code: npt.NDArray[np.uint64], group: npt.NDArray[np.int32], size: npt.NDArray[np.int32]) -> int:
    """The smallest code of the positions in groups of two and more."""
    # The caller has slides, so some position is in a group of two, and its code is smaller than this.
    least = ~np.uint64(0)
    for i in range(len(code)):
        if size[group[i]] > 1:
            least = min(least, code[i])
    return least


@kernel
def _list_puzzles(
    tray: Tray, slots: Slots, scratch: Scratch, found: tuple[int, int, int], puzzles: Puzzles, filled: int
) -> int:
    """Write a row, without its label, for each way and shape among the starts that a search met last; return the row
    after them.

    All starts are turned so that they lie in the upper left corner; the one with the smallest code is written.
    ``found`` says which way was searched first, how many were together, and how many positions have starts.
    """
    (_, marks, shift, _), (way, fields, hits) = scratch, found
    pieces = slots.shape[1]
    rows = np.full((fields, pieces), -1, np.int64)
    one_field = (np.uint64(1) << np.uint64(pieces)) - np.uint64(1)
    for h in range(hits):
        position = marks.hit[h]
        for field in range(fields):
            bits = (marks.hits[h] >> np.uint64(field * pieces)) & one_field
            if bits == 0:
                continue
            image = tray.image[way + field]
            # Made only for positions with marks of this way, and once for all their marked pieces.
            code = np.uint64(0)
            for p in range(pieces):
                # The code of the image is the sum of the words of its pieces.
                code += tray.word[image[slots[position, p]]]
            for p in range(pieces):
                if not (bits >> np.uint64(p)) & np.uint64(1):
                    continue
                last = p + np.int64(shift.by[p])  # the last slot stands for all of the shape
                row = rows[field, last]
                if row < 0:
                    row = rows[field, last] = filled
                    filled += 1
                    puzzles.starts[row], puzzles.start[row] = 0, ~np.uint64(0)
                puzzles.starts[row] += 1
                if code < puzzles.start[row]:
                    puzzles.start[row] = code
                    puzzles.marked[row] = image[slots[position, p]]
    return filled
