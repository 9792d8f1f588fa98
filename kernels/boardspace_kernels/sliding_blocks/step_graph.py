"""The graph of a class: which positions one step joins, as *slides*.

A step moves one piece, any way. So take a position and one of its pieces, and let that piece alone slide while all else
stands still: the positions that it makes are one *slide*. Every two of them are a step apart, and every step lies in
exactly one slide. A graph of slides and positions therefore has all steps, and it is small where steps are many: a
piece that has ten places to go takes ten entries instead of ninety.

Positions of a class are numbered as they were found, and a piece of a position is its *slot*: pieces in order of shape,
then of place. A pair of position and slot is number ``position * pieces + slot``. Unit moves to the right and down join
such pairs (the other two ways are the same moves backwards), by union-find; the sets of two and more are the slides.
The same moves join positions to groups. The position after a move is looked up by its code, a sum (see :mod:`.tray`),
in a hash table. A class may be one alone: all positions with given shapes, laid piece after piece, equal ones in order
of place (:func:`class_of`).
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.sliding_blocks.tray import DOWN, RIGHT, Slots, Tray

SLOT_BITS = np.int64(5)
SLOT = np.int64(31)
FREE = np.int32(-1)
SPREAD = np.uint64(0x9E3779B97F4A7C15)


class Workspace(NamedTuple):
    """Arrays for the graph of one class after the other, as large as the largest needs; a class uses their beginning.

    table: int32 (a power of 2), positions by their codes.
    owner: int32 (pairs), union-find over pairs, then the slide of each pair, -1 where the piece cannot move.
    group: int32 (positions), union-find over positions, then the number of each position's group.
    size: int32 (positions), how many positions each group has.
    begins: int32 (positions + 1), where a position's entries begin in ``entry``.
    entry: int64 (pairs), slide << 5 | slot, of the pieces that can move.
    slide: int32 (pairs + 1), where a slide's members begin in ``member``.
    member: int32 (pairs), position << 5 | slot.
    """

    table: npt.NDArray[np.int32]
    owner: npt.NDArray[np.int32]
    group: npt.NDArray[np.int32]
    size: npt.NDArray[np.int32]
    begins: npt.NDArray[np.int32]
    entry: npt.NDArray[np.int64]
    slide: npt.NDArray[np.int32]
    member: npt.NDArray[np.int32]


class GraphSize(NamedTuple):
    """Numbers of positions, groups and slides of the graph of a class."""

    positions: int
    groups: int
    slides: int


def workspace(positions: int, pieces: int) -> Workspace:
    """Arrays for classes of up to so many positions."""
    pairs = positions * pieces
    return Workspace(
        np.empty(1 << max(1, (2 * positions - 1).bit_length()), np.int32),
        np.empty(pairs, np.int32),
        np.empty(positions, np.int32),
        np.empty(positions, np.int32),
        np.empty(positions + 1, np.int32),
        np.empty(pairs, np.int64),
        np.empty(pairs + 1, np.int32),
        np.empty(pairs, np.int32),
    )


@kernel
def join_positions(tray: Tray, code: npt.NDArray[np.uint64], slots: Slots, work: Workspace) -> GraphSize:
    """Make the graph of the class with these positions (codes and slots) in the workspace.

    Where position p has other shapes than the first, two classes have the same key: then there is no graph, the number
    of groups is -1 and that of slides p.
    """
    positions, pieces = slots.shape
    for i in range(positions):
        for p in range(pieces):
            if tray.shape[slots[i, p]] != tray.shape[slots[0, p]]:
                return GraphSize(positions, -1, i)
    for i in range(positions):
        work.group[i] = i
    for pair in range(positions * pieces):
        work.owner[pair] = pair
    shift = _fill_table(code, work.table)
    _join_by_moves(tray, code, slots, work, shift)
    groups = _number_groups(work.group, work.size, positions)
    _count_members(work.owner, work.member, positions * pieces)
    slides = _number_slides(work, positions * pieces)
    _fill_slides(work, positions, pieces, slides)
    return GraphSize(positions, groups, slides)


@kernel
def _fill_table(code: npt.NDArray[np.uint64], table: npt.NDArray[np.int32]) -> np.uint64:
    """Put the positions into the hash table, of which so many places are used that at most half of them are taken.

    Returns by how many bits a hash is shifted to the right to give a place.
    """
    bits = np.int64(1)
    while np.int64(1) << bits < 2 * len(code):
        bits += 1
    last = (np.int64(1) << bits) - 1
    shift = np.uint64(64 - bits)
    for spot in range(last + 1):
        table[spot] = FREE
    for i in range(len(code)):
        # The highest bits of the product depend on all bits of the code.
        spot = np.int64((code[i] * SPREAD) >> shift)
        while table[spot] != FREE:
            spot = (spot + 1) & last
        table[spot] = i
    return shift


@kernel
def _join_by_moves(tray: Tray, code: npt.NDArray[np.uint64], slots: Slots, work: Workspace, shift: np.uint64) -> None:
    """Join pairs, and positions, of which a unit move to the right or down makes one from the other."""
    mask, word, ahead, moved = tray.mask, tray.word, tray.ahead, tray.moved
    table, owner, group = work.table, work.owner, work.group
    positions, pieces = slots.shape
    last = np.int64((np.uint64(1) << (np.uint64(64) - shift)) - np.uint64(1))
    for i in range(positions):
        covered = np.int64(0)
        for p in range(pieces):
            covered |= np.int64(mask[slots[i, p]])
        for p in range(pieces):
            placement = np.int64(slots[i, p])
            # Other pieces stand still, and `ahead` leaves out the piece's own cells, so all that is covered can be
            # asked at once.
            for way in (RIGHT, DOWN):
                if np.int64(ahead[placement, way]) & covered:  # off the tray ``ahead`` is all ones
                    continue
                after = np.int64(moved[placement, way])
                # Every position of the class is in the table, so the search for this one ends.
                # A code is the sum of its pieces' words, so a move changes two terms (modulo 2^64).
                wanted = code[i] - word[placement] + word[after]
                spot = np.int64((wanted * SPREAD) >> shift)
                while code[table[spot]] != wanted:
                    spot = (spot + 1) & last
                j = np.int64(table[spot])
                # Equal pieces are in order of place, so the one that moved may have passed others.
                q = p
                while q + 1 < pieces and slots[i, q + 1] < after:
                    q += 1
                _join(owner, i * pieces + p, j * pieces + q)
                _join(group, i, j)


@kernel
def _root(owner: npt.NDArray[np.int32], one: int) -> int:
    """The root of a member's set in ``owner`` int32 (members); the path to it is halved on the way."""
    while owner[one] != one:
        owner[one] = owner[owner[one]]
        one = np.int64(owner[one])
    return one


@kernel
def _join(owner: npt.NDArray[np.int32], one: int, other: int) -> None:
    """Join two sets; the smallest member is the root."""
    one, other = _root(owner, one), _root(owner, other)
    # So `owner` only leads to smaller members, and one pass from the front can number all sets.
    if one < other:
        owner[other] = one
    elif other < one:
        owner[one] = other


@kernel
def _number_groups(group: npt.NDArray[np.int32], size: npt.NDArray[np.int32], positions: int) -> int:
    """Turn roots into numbers of groups, in order of their first positions, and count members.

    A root is its set's smallest member, so when a position is met its root has its number already, kept as -1 - number.
    """
    groups = 0
    for i in range(positions):
        owner = np.int64(group[i])
        if owner == i:
            group[i] = -1 - groups
            size[groups] = 1
            groups += 1
        else:
            while owner >= 0:  # owners come before what they own, so all on the way are numbers by now
                owner = np.int64(group[owner])
            group[i] = owner
            size[-1 - owner] += 1
    for i in range(positions):
        group[i] = -1 - group[i]
    return groups


@kernel
def _count_members(owner: npt.NDArray[np.int32], member: npt.NDArray[np.int32], pairs: int) -> None:
    """Let every pair's owner be its root, and count the members of each set: at its root, for now in ``member``."""
    for pair in range(pairs):
        member[pair] = 0
    for pair in range(pairs):
        root = np.int64(owner[pair])
        if root != pair:
            root = np.int64(owner[root])  # what owns it is a root already: it comes before
            owner[pair] = root
        member[root] += 1


@kernel
def _number_slides(work: Workspace, pairs: int) -> int:
    """Number the slides in order of their roots, say where each begins, and return how many there are.

    A pair's owner becomes -2 - slide, or -1 where its piece cannot move: no such number is taken for a root.
    """
    owner, slide, member = work.owner, work.slide, work.member
    slides = 0
    reached = 0
    for pair in range(pairs):
        root = np.int64(owner[pair])
        if root != pair:
            owner[pair] = owner[root]  # the root comes before, so it has its number
        elif member[pair] > 1:
            owner[pair] = -2 - slides
            slide[slides] = reached
            reached += member[pair]
            slides += 1
        else:
            owner[pair] = -1
    slide[slides] = reached
    return slides


@kernel
def _fill_slides(work: Workspace, positions: int, pieces: int, slides: int) -> None:
    """List the members of every slide and the entries of every position, from the numbers in ``owner``."""
    owner, begins, entry, slide, member = work.owner, work.begins, work.entry, work.slide, work.member
    # A slide's begin runs on while it is filled, and is set back afterwards.
    used = 0
    for i in range(positions):
        # A pair's slide is known by now, so one pass over the positions fills both lists, each in ascending order.
        begins[i] = used
        for p in range(pieces):
            number = -2 - np.int64(owner[i * pieces + p])
            if number >= 0:
                entry[used] = (number << SLOT_BITS) | p
                used += 1
                # The counts that stood in `member` went into the begins of slides, so it is free for the members.
                member[slide[number]] = (i << SLOT_BITS) | p
                slide[number] += 1
    begins[positions] = used
    for number in range(slides, 0, -1):
        slide[number] = slide[number - 1]
    slide[0] = 0


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


def class_of(tray: Tray, placements: Sequence[int], most: int) -> Class | None:
    """All positions with the shapes of these placements, ascending; None where there are more than ``most``."""
    shapes = tray.shape[np.array(placements, np.int64)]
    first, end = (np.searchsorted(tray.shape, shapes, side).astype(np.int64) for side in ("left", "right"))
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
            # One more than it holds tells the caller to come back with larger arrays.
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
        # Equal shapes are laid in ascending order, so that no position is made twice.
        place[depth] = placement + 1 if first[depth] == first[depth - 1] else first[depth]
    return found


def graph_of(tray: Tray, own: Class) -> Graph:
    """The class with its groups and slides."""
    work = workspace(len(own.code), own.slots.shape[1])
    size = join_positions(tray, own.code, own.slots, work)
    return Graph(own, work, int(size.groups), int(size.slides))
