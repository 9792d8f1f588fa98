"""Corner puzzles of a class: the fewest steps that take a marked piece from one corner of the tray to the opposite one.

A marked position is a position and one of its pieces. One search backwards from all marked positions whose marked piece
is at the goal gives the length of every puzzle. A class has many such searches: each of its shapes, in each of four
ways across the tray. They go through the same graph, so they are made at once: a word of 64 bits at every position
holds a bit for each way and slot, *the marked piece of this way lies in this slot*, and a level moves whole words.

The search goes through the slides of :mod:`.step_graph`. When marks come to a slide for the first time, all its
positions get them, one level further; what a slide has passed on once it never passes on again. In a slide of another
shape a marked piece keeps its slot. In one of its own shape slots shift where the moving piece passes others; so inside
a slide the moving piece counts as the last of its shape, and the others keep their order: a rotation of a range of
bits, the same in every way's field.

Puzzles from the other corners are puzzles from the upper left corner of the class's images: a class stands for its
orbit, so all four ways are searched. Two ways give the same puzzles where the images are the same class, or where the
marked piece is as high or as wide as the tray, so that two corners are the same place: then one is left out. A piece
that lies in opposite corners at once makes no puzzle.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.sliding_blocks.step_graph import SLOT, SLOT_BITS, GraphSize, Workspace
from boardspace_kernels.sliding_blocks.tray import Slots, Tray

NOTHING = np.uint64(0)
ONE = np.uint64(1)
WAYS = 4
Levels = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.uint64], npt.NDArray[np.uint64]]


class Marks(NamedTuple):
    """Arrays for the searches of one class after the other, as large as the largest needs.

    seen: uint64 (positions), the marks met so far; 0 between searches.
    now: uint64 (positions), the marks of this level; 0 between searches.
    soon: uint64 (positions), the marks of the next level; 0 between searches.
    start: uint64 (positions), the marks with which a position is a start.
    goal: uint64 (positions), the marks with which a position is a goal.
    starting: uint64 (groups), all marks of shapes and ways of which a group has a start.
    ending: uint64 (groups), all marks of shapes and ways of which a group has a goal.
    done: uint64 (slides), the marks that a slide has passed on; 0 between searches.
    queue: int32 (positions), the positions of this level.
    following: int32 (positions), the positions of the next level.
    hit: int32 (positions), starts of the last level that had any.
    hits: uint64 (positions), the marks of these.
    """

    seen: npt.NDArray[np.uint64]
    now: npt.NDArray[np.uint64]
    soon: npt.NDArray[np.uint64]
    start: npt.NDArray[np.uint64]
    goal: npt.NDArray[np.uint64]
    starting: npt.NDArray[np.uint64]
    ending: npt.NDArray[np.uint64]
    done: npt.NDArray[np.uint64]
    queue: npt.NDArray[np.int32]
    following: npt.NDArray[np.int32]
    hit: npt.NDArray[np.int32]
    hits: npt.NDArray[np.uint64]


class Shift(NamedTuple):
    """Changes of place of marks in slides of a class, for each slot as the moving one.

    others: uint64 (slots), the marks behind it in its shape, in all fields; they move down by one.
    moving: uint64 (slots), its own marks, which become the last.
    by: uint64 (slots), by how many places.
    """

    others: npt.NDArray[np.uint64]
    moving: npt.NDArray[np.uint64]
    by: npt.NDArray[np.uint64]


class Hit(NamedTuple):
    """Result of a search: the level of the last starts (0 none), how many positions these are, and how many marked
    positions it met."""

    level: int
    positions: int
    met: int


def marks(positions: int, pieces: int) -> Marks:
    """Arrays for classes of up to so many positions."""
    words = [np.zeros(positions, np.uint64) for _ in range(7)]
    # A slide has two pairs or more, so there are at most half as many slides as pairs.
    done = np.zeros(positions * pieces // 2 + 1, np.uint64)
    lists = [np.empty(positions, np.int32) for _ in range(3)]
    return Marks(*words, done, *lists, np.empty(positions, np.uint64))


@kernel
def choose_ways(tray: Tray, slots: Slots, active: npt.NDArray[np.bool_]) -> None:
    """Choose the ways across the tray that have puzzles of each slot that no way before has: bool (4, slots).

    Way t begins in corner t; symmetry t turns it into the way from the upper left corner. Two ways have the same
    puzzles where these images are the same class; on a square, also where rows and columns changed places make them so.
    """
    keys = np.zeros(8, np.uint64)
    pieces = slots.shape[1]
    # Keys depend on shapes alone, so the first position gives those of the class.
    for p in range(pieces):
        for g in range(tray.symmetries):
            keys[g] += tray.key[slots[0, p], g]
    for way in range(WAYS):
        new = True
        for other in range(way):
            # Symmetry 4 + t turns the tray over first: beside t = 1 and 2 stand 6 and 5.
            over = 4 + (3 - other if other == 1 or other == 2 else other)
            if keys[way] == keys[other] or (tray.symmetries == 8 and keys[way] == keys[over]):
                new = False
        for p in range(pieces):
            place = slots[0, p]
            # Corner 3 - t lies opposite to corner t.
            here, there = tray.corner[way, place], tray.corner[3 - way, place]
            active[way, p] = new and here != there
            # A piece as high or as wide as the tray has both corners in common with another way: the first one stays.
            for other in range(way):
                if active[other, p] and tray.corner[other, place] == here and tray.corner[3 - other, place] == there:
                    active[way, p] = False


@kernel
def fill_shift(shape: npt.NDArray[np.uint32], slots: Slots, fields: int, shift: Shift) -> None:
    """The rotations of a class whose words have so many fields, one for each way."""
    pieces = slots.shape[1]
    for p in range(pieces):
        last = p
        while last + 1 < pieces and shape[slots[0, last + 1]] == shape[slots[0, p]]:
            last += 1
        shift.by[p] = last - p
        shift.others[p], shift.moving[p] = NOTHING, NOTHING
        for field in range(fields):
            base = np.uint64(field * pieces)
            shift.moving[p] |= (ONE << np.uint64(p)) << base
            # Bits p + 1 to last of the field.
            shift.others[p] |= ((ONE << np.uint64(last + 1)) - (ONE << np.uint64(p + 1))) << base


@kernel
def place_marks(tray: Tray, slots: Slots, active: npt.NDArray[np.bool_], first: int, fields: int, marks: Marks) -> None:
    """Starts and goals of the ways from ``first`` on at every position, in words of ``fields`` fields."""
    corner = tray.corner
    positions, pieces = slots.shape
    for i in range(positions):
        start, goal = NOTHING, NOTHING
        for p in range(pieces):
            placement = slots[i, p]
            for field in range(fields):
                way = first + field
                if not active[way, p]:
                    continue
                bit = ONE << np.uint64(field * pieces + p)
                # `corner` is the placement of the same shape in that corner, so these stand there.
                if corner[way, placement] == placement:
                    start |= bit
                elif corner[3 - way, placement] == placement:
                    goal |= bit
        marks.start[i], marks.goal[i] = start, goal


@kernel
def _match_groups(marks: Marks, group: npt.NDArray[np.int32], shift: Shift, graph: GraphSize, fields: int) -> None:
    """Fill ``starting`` and ``ending`` of every group: 0 for both unless the group has starts and goals."""
    start, goal, starting, ending = marks.start, marks.goal, marks.starting, marks.ending
    for g in range(graph.groups):
        starting[g], ending[g] = NOTHING, NOTHING
    for i in range(graph.positions):
        if start[i]:
            starting[group[i]] |= start[i]
        if goal[i]:
            ending[group[i]] |= goal[i]
    for g in range(graph.groups):
        if starting[g] and ending[g]:
            # Equal pieces pass one another, so a start in one slot may belong to a goal in any slot of its shape.
            starting[g] = _whole_shapes(starting[g], shift, fields)
            ending[g] = _whole_shapes(ending[g], shift, fields)
        else:
            starting[g], ending[g] = NOTHING, NOTHING


@kernel
def _place_sources(marks: Marks, group: npt.NDArray[np.int32], positions: int) -> tuple[int, int]:
    """Put the goals of groups that have a start of the same shape and way into the queue, and drop all other starts;
    how many positions are in the queue, and how many starts are wanted."""
    seen, now, start, goal = marks.seen, marks.now, marks.start, marks.goal
    starting, ending, queue = marks.starting, marks.ending, marks.queue
    filled = np.int64(0)
    wanted = np.int64(0)
    for i in range(positions):
        g = group[i]
        if starting[g]:
            # A start without a goal in its group can never be met; waiting for it would take the search through the
            # whole group.
            start[i] &= ending[g]
            if start[i]:
                wanted += np.int64(popcount(start[i]))
            # Goals without a start in their group would only cost time.
            source = goal[i] & starting[g]
            if source:
                seen[i] = source
                now[i] = source
                queue[filled] = i
                filled += 1
        else:
            start[i] = NOTHING
    return filled, wanted


@kernel
def search_backwards(work: Workspace, marks: Marks, shift: Shift, graph: GraphSize, fields: int) -> Hit:
    """Search from all goals in groups that have a start of the same shape and way, until all starts are met.

    ``marks.hit`` and ``hits`` then hold the starts that are furthest away, and their marks.
    """
    start, hit, hits = marks.start, marks.hit, marks.hits
    _match_groups(marks, work.group, shift, graph, fields)
    filled, wanted = _place_sources(marks, work.group, graph.positions)
    level, last, found, met = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    if filled == 0 or wanted == 0:
        for s in range(filled):
            marks.seen[marks.queue[s]], marks.now[marks.queue[s]] = NOTHING, NOTHING
        return Hit(level, found, met)
    queue, following, now, soon = marks.queue, marks.following, marks.now, marks.soon
    # Beyond the last start nothing is asked for, so the search may end before the group does.
    while filled and wanted:
        level += 1
        filled = _next_level(work, marks, shift, (queue, following, now, soon), filled, graph.positions)
        queue, following, now, soon = following, queue, soon, now
        # Starts met at this level replace those of the levels before: the last ones are furthest away.
        for s in range(filled):
            j = queue[s]
            met += np.int64(popcount(now[j]))
            mark = now[j] & start[j]
            if mark:
                wanted -= np.int64(popcount(mark))
                if last < level:
                    last = level
                    found = np.int64(0)
                hit[found], hits[found] = j, mark
                found += 1
    # Between searches all marks are 0.
    # The words of the level before are 0 already: each was cleared when it was passed on.
    for s in range(filled):
        now[queue[s]] = NOTHING
    for i in range(graph.positions):
        marks.seen[i] = NOTHING
    for number in range(graph.slides):
        marks.done[number] = NOTHING
    return Hit(last, found, met)


@kernel
def _next_level(work: Workspace, marks: Marks, shift: Shift, levels: Levels, filled: int, positions: int) -> int:
    """Pass the marks of ``filled`` positions of a level on through all their slides; how many positions the next level
    has. ``levels`` are the positions of both, and the marks of both.

    Nearly all the time of a survey goes into this loop: in it arrays are only indexed, never handed on. Its branches
    stay: most marks are known already, and to write down what is not new took up to a fifth longer, of small classes
    six times as long.
    """
    begins, entry, slide, member, seen, done = work.begins, work.entry, work.slide, work.member, marks.seen, marks.done
    queue, following, now, soon = levels
    others, moving, by = shift
    reached = np.int64(0)
    # Many positions at a level are taken in their order, so that what they need is read in its order, too.
    in_order = filled * 64 > positions
    for s in range(positions if in_order else filled):
        i = np.int64(s) if in_order else np.int64(queue[s])
        word = now[i]
        if word == NOTHING:
            continue
        now[i] = NOTHING
        for e in range(begins[i], begins[i + 1]):
            number, p = entry[e] >> SLOT_BITS, entry[e] & SLOT
            # A slide passes each mark on once.
            named = (_marks_inside(word, others[p], moving[p], by[p]) if by[p] else word) & ~done[number]
            if named == NOTHING:
                continue
            done[number] |= named
            for m in range(slide[number], slide[number + 1]):
                j, q = np.int64(member[m]) >> SLOT_BITS, np.int64(member[m]) & SLOT
                # The position that passes marks on is a member as well, and has seen its own.
                new = (_marks_outside(named, others[q], moving[q], by[q]) if by[q] else named) & ~seen[j]
                if new == NOTHING:
                    continue
                seen[j] |= new
                if soon[j] == NOTHING:
                    following[reached] = j
                    reached += 1
                soon[j] |= new
    return reached


@kernel
def _marks_inside(word: np.uint64, others: np.uint64, moving: np.uint64, by: np.uint64) -> np.uint64:
    """A position's marks as they are named inside a slide.

    There the moving piece is the last of its shape: its mark moves up by ``by`` places, those of the pieces behind it
    move down by one. No bit leaves its field, so all fields move at once.
    """
    return (word & ~(others | moving)) | ((word & others) >> ONE) | ((word & moving) << by)


@kernel
def _marks_outside(named: np.uint64, others: np.uint64, moving: np.uint64, by: np.uint64) -> np.uint64:
    """The marks with these names inside a slide, back in the slots of a position: the inverse of _marks_inside."""
    return (named & ~(others | moving)) | ((named << ONE) & others) | ((named >> by) & moving)


@kernel
def _whole_shapes(word: np.uint64, shift: Shift, fields: int) -> np.uint64:
    """The marks, and those of all other pieces of the same shape in the same way."""
    pieces = len(shift.by)
    whole = NOTHING
    for field in range(fields):
        base = field * pieces
        p = 0
        while p < pieces:
            # At the first slot of a shape, `by` leads to its last one.
            size = np.int64(shift.by[p]) + 1
            every = ((ONE << np.uint64(size)) - ONE) << np.uint64(base + p)
            if word & every:
                whole |= every
            p += size
    return whole
