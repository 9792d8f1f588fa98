"""All boards of Rush Hour: groups, least steps and least unit moves of every class, many boards at a time.

Every class belongs to one label, the kinds of its index side (:mod:`.packing`), and a search goes through the labels of
both sides. Beside the kinds of the index side it lays the kinds of the inner lines, one line after another, and keeps
the index entries beside which something of each kind fits. A class is searched (:mod:`.groups`) by moves of whole words
of boards (:mod:`.moves`); starts that are farthest in their group, by as many steps as are listed from, are written
down (:mod:`.starts`).

It costs 85 ns of a core a board for all of it on 6 x 6. A byte for each board and a queue took 240 for steps alone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.rush_hour.groups import BOARDS, CLASSES, FIGURES, Sums, search_class
from boardspace_kernels.rush_hour.lines import Lines
from boardspace_kernels.rush_hour.moves import workspace
from boardspace_kernels.rush_hour.packing import OUTER_SIZE, Class, enter_index, pack, room_for_classes

SHARED_PIECES = 6
"""Pieces on the index side of labels that parts share: 25,000 of 6 x 6, which have nine tenths of all boards."""
_KINDS = 8
"""Kinds of a line of six cells: with them as digits, parts by the remainder of three lines' kinds are about equal."""
_PAIRS = np.full((19, 13), -1)
_PAIRS[tuple(np.array([(c, t) for c in range(19) for t in range(13) if 2 * c + 3 * t <= 36]).T)] = np.arange(127)


class Found(NamedTuple):
    """Figures and starts that a search finds; see :class:`~.groups.Sums`.

    figures: int64 (16, 127, 127, FIGURES), by kind of the red row, pieces across and pieces down.
    codes: uint64 (16, 127, 127, 2).
    levels, depths: int64 (16, 2, 1024), by kind of the red row.
    labels: int64 (labels, FIGURES), the figures of each label.
    starts: uint64 (capacity, 7).
    listed: int64 (1).
    """

    figures: NDArray[np.int64]
    codes: NDArray[np.uint64]
    levels: NDArray[np.int64]
    depths: NDArray[np.int64]
    labels: NDArray[np.int64]
    starts: NDArray[np.uint64]
    listed: NDArray[np.int64]


class Listing(NamedTuple):
    """Classes to be listed instead of searched, for a GPU; and those to be searched, of all that would be.

    classes: int64 (capacity, 5), the place of its label among those that are searched, four bits for the kind of each
        inner line, boards, kind of the red row, and 127 times the pieces across and the pieces down; () to search them.
    wanted: bool (classes), which to search; () for all.
    met: int64 (1), how many there were; more than the capacity are not written.
    """

    classes: NDArray[np.int64]
    wanted: NDArray[np.bool_]
    met: NDArray[np.int64]


def listing(capacity: int = 0, wanted: NDArray[np.bool_] | None = None) -> Listing:
    """Empty list of so many classes at most; with none, all are searched, or those that are wanted."""
    every = np.empty(0, np.bool_)
    return Listing(np.empty((capacity, 5), np.int64), every if wanted is None else wanted, np.zeros(1, np.int64))


def nothing_found(labels: int, starts: int) -> Found:
    """Findings before the first search, with so many starts at most."""
    return Found(
        np.zeros((16, 127, 127, FIGURES), np.int64),
        np.zeros((16, 127, 127, 2), np.uint64),
        np.zeros((16, 2, 1024), np.int64),
        np.zeros((16, 2, 1024), np.int64),
        np.zeros((labels, FIGURES), np.int64),
        np.zeros((starts, 7), np.uint64),
        np.zeros(1, np.int64),
    )


def most_arrangements(lines: Lines, side: int) -> NDArray[np.int64]:
    """Most arrangements of the inner lines from each on, int64 (n + 1), where a side is the index."""
    most = lines.arrangements.max(axis=1)
    n = len(most) // 2
    inner = most[n:] if side == 0 else most[:n]
    return np.append(np.cumprod(inner[::-1])[::-1], 1)


def search_labels(
    lines: Lines,
    side: int,
    labels: NDArray[np.int64],
    listed_from: int,
    *,
    only: tuple[int, ...] = (),
    part: tuple[int, int] = (0, 1),
    wanted: NDArray[np.bool_] | None = None,
) -> Found:
    """Search the classes of some labels whose index is a side: 0 for rows, 1 for columns.

    labels: int64 (labels), kinds of the lines of the side, the last one the last digit.
    listed_from: of groups that take so many steps the farthest boards are listed.
    only: kinds of the inner lines of the only class of these to search; () for all.
    part: which of so many parts of these classes to search; labels that have the most boards, of which there are few,
        have some classes in each part, and of the others each label is in one.
    wanted: classes to search, see :class:`Listing`; all where None.
    """
    capacity, rest = 1 << 10, most_arrangements(lines, side)
    while True:
        found, one = nothing_found(len(labels), capacity), room_for_classes(lines, side)
        search(one, rest, labels, np.array(only, np.int64), part, listed_from, found, listing(wanted=wanted))
        listed = int(found.listed[0])
        if listed <= capacity:
            return found._replace(starts=found.starts[:listed])
        capacity = 1 << listed.bit_length()


@kernel
def search(
    one: Class,
    rest: NDArray[np.int64],
    labels: NDArray[np.int64],
    only: NDArray[np.int64],
    part: tuple[int, int],
    listed_from: int,
    found: Found,
    chosen: Listing,
) -> None:
    """Search the classes of some labels; :func:`search_labels` tells of the other arguments.

    one: workspace of a class.
    rest: int64 (n + 1), most arrangements of the inner lines from each on.
    only: int64 (n), or (0) for all.
    chosen: the list of the classes, where they are not to be searched, and those that are wanted.
    """
    lines, a, b, kinds, n = one.lines, one.index_line, one.inner_line, one.inner_kinds, len(one.inner_kinds)
    most, least_more = len(one.index.pattern), np.int64(a > 0)
    choosing = len(chosen.classes) > 0 or len(chosen.wanted) > 0
    work = workspace(np.int64(1 << 12), np.int64(1 << 12))
    alive, ways = np.empty((n + 1, most), np.int32), np.empty((n + 1, most), np.int64)
    number, product = np.zeros(n + 1, np.int64), np.ones(n + 1, np.int64)
    for place in range(len(labels)):
        left, entries, pieces = labels[place], 1, 0
        for i in range(n - 1, -1, -1):
            one.index_kinds[i] = left % lines.kinds[a + i]
            left //= lines.kinds[a + i]
            entries *= lines.arrangements[a + i, one.index_kinds[i]]
            pieces += lines.pieces[a + i, one.index_kinds[i]]
        # Few pieces on the index side leave the inner lines free, so these labels have the most boards.
        is_shared = pieces <= SHARED_PIECES
        if not is_shared and place % part[1] != part[0]:
            continue
        least = entries + least_more  # rows are the index where both sides have as many arrangements
        # The index has to be the smaller side, and here the inner side has fewer arrangements whatever its kinds are.
        if rest[0] < least:
            continue
        enter_index(one)
        for t in range(entries):
            alive[0, t] = t
            ways[0, t] = 1
        number[0], kinds[0], j = entries, -1, 0
        while j >= 0:
            kinds[j] += 1
            k = kinds[j]
            if k == lines.kinds[b + j]:
                j -= 1
                continue
            if len(only) and k != only[j]:
                continue
            if j == 2 and is_shared and ((kinds[0] * _KINDS + kinds[1]) * _KINDS + k) % part[1] != part[0]:
                continue
            product[j + 1] = product[j] * lines.arrangements[b + j, k]
            # The same bound for the kinds laid so far: kinds of the lines to come cannot make up for it.
            if product[j + 1] * rest[j + 1] < least:
                continue
            m = 0
            for i in range(number[j]):
                t = alive[j, i]
                # Lines of the inner side do not touch one another, so an entry is kept by each line for itself, and its
                # ways multiply.
                fits = lines.fitting[b + j, k, one.index.pattern[t] >> 6 * j & 63]
                if fits:
                    alive[j + 1, m], ways[j + 1, m] = t, ways[j, i] * np.int64(popcount(np.uint64(fits)))
                    m += 1
            if m == 0:
                continue
            number[j + 1] = m
            if j < n - 1:
                j += 1
                kinds[j] = -1
                continue
            boards = np.int64(0)
            for i in range(m):
                boards += ways[n, i]
            red, sums = _sums_of(one, found, place)
            for figures in (sums.pieces, sums.label):
                figures[CLASSES] += 1
                figures[BOARDS] += boards
            if not lines.solvable[lines.row, red]:
                continue
            if choosing and not _is_wanted(one, chosen, place, boards, red):
                continue
            pack(one, alive[n, :m])
            words = m * one.counts[OUTER_SIZE]
            # Made twice as large as needed, so that it seldom grows.
            if words > len(work.word) or boards > len(work.every):
                work = workspace(max(2 * words, len(work.word)), max(2 * boards, len(work.every)))
            search_class(one, work, sums, listed_from)


@kernel
def _is_wanted(one: Class, chosen: Listing, place: int, boards: int, red: int) -> bool:
    """True where the class that is met now is to be searched. Where classes are listed it is listed instead."""
    met = chosen.met[0]
    chosen.met[0] += 1
    if len(chosen.wanted):
        return bool(chosen.wanted[met])
    if met >= len(chosen.classes):
        return False
    row = chosen.classes[met]
    row[0], row[1], row[2], row[3] = place, 0, boards, red
    for j in range(len(one.inner_kinds)):
        row[1] |= one.inner_kinds[j] << 4 * j
    index = pieces_of(one.lines, one.index_line, one.index_kinds)
    inner = pieces_of(one.lines, one.inner_line, one.inner_kinds)
    row[4] = 127 * index + inner if one.index_line == 0 else 127 * inner + index
    return False


@kernel
def _sums_of(one: Class, found: Found, place: int) -> tuple[int, Sums]:
    """The kind of a class's red row, and the figures that it is added to.

    place: of its label among those that are searched.
    """
    lines, rows_first = one.lines, one.index_line == 0
    red = one.index_kinds[lines.row] if rows_first else one.inner_kinds[lines.row]
    across, down = pieces_of(lines, one.index_line, one.index_kinds), pieces_of(lines, one.inner_line, one.inner_kinds)
    if not rows_first:
        across, down = down, across
    return red, Sums(
        found.figures[red, across, down],
        found.labels[place],
        found.codes[red, across, down],
        found.levels[red],
        found.depths[red],
        found.starts,
        found.listed,
    )


@kernel
def pieces_of(lines: Lines, first: int, kinds: NDArray[np.int64]) -> int:
    """The number of a pair: cars and trucks of some lines."""
    cars, trucks = 0, 0
    for i in range(len(kinds)):
        cars += lines.cars[first + i, kinds[i]]
        trucks += lines.pieces[first + i, kinds[i]] - lines.cars[first + i, kinds[i]]
    return _PAIRS[cars, trucks]


def class_of(lines: Lines, code: int) -> tuple[int, int, tuple[int, ...]]:
    """The class of a board: the side of its index, its label there, and the kinds of its inner lines."""
    n = len(lines.kinds) // 2
    numbers = [code >> 5 * (2 * n - 1 - line) & 31 for line in range(2 * n)]
    kinds = [int(np.argwhere(lines.number[line] == number)[0, 0]) for line, number in enumerate(numbers)]
    ways = [int(lines.arrangements[line, kind]) for line, kind in enumerate(kinds)]
    side = int(np.prod(ways[:n]) > np.prod(ways[n:]))
    label = 0
    for line in range(side * n, side * n + n):
        label = label * int(lines.kinds[line]) + kinds[line]
    return side, label, tuple(kinds[n - side * n : 2 * n - side * n])


def labels_of(lines: Lines, side: int) -> int:
    """Number of labels of a side."""
    n = len(lines.kinds) // 2
    return int(np.prod(lines.kinds[side * n : side * n + n]))


def pieces_of_pair(pair: int) -> tuple[int, int]:
    """Cars and trucks of the number of a pair."""
    cars, trucks = np.argwhere(pair == _PAIRS)[0].tolist()
    return cars, trucks
