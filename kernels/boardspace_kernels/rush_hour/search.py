"""All boards of Rush Hour: groups, least steps and least unit moves of every class, many boards at a time.

Every class belongs to one label, the kinds of its index side (:mod:`.packing`), and a search goes through the labels of
both sides. Beside the kinds of the index side it lays the kinds of the inner lines, one line after another, and keeps
the index entries beside which something of each kind fits. A class is searched (:mod:`.groups`) by moves of whole words
of boards (:mod:`.moves`); starts that are farthest in their group, by as many steps as are listed from, are written
down (:mod:`.groups`).

It costs 85 ns of a core a board for all of it on 6 x 6. A byte for each board and a queue took 240 for steps alone.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import borrowing, kernel
from boardspace_kernels.rush_hour.figures import BOARDS, CLASSES, FIGURES
from boardspace_kernels.rush_hour.groups import Sums, search_class
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
    """Classes to be listed instead of searched, for a GPU.

    classes: int64 (capacity, 5), the place of its label among those that are searched, four bits for the kind of each
        inner line (:func:`listed_kinds`), boards, kind of the red row, and 127 times the pieces across and the pieces
        down; () to search them.
    met: int64 (1), how many there were; more than the capacity are not written.
    """

    classes: NDArray[np.int64]
    met: NDArray[np.int64]


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
    part: tuple[int, int] = (0, 1),
) -> Found:
    """Search the classes of some labels whose index is a side: 0 for rows, 1 for columns.

    labels: int64 (labels), kinds of the lines of the side, the last one the last digit.
    listed_from: of groups that take so many steps the farthest boards are listed.
    part: which of so many parts of these classes to search; labels that have the most boards, of which there are few,
        have some classes in each part, and of the others each label is in one.
    """
    return _searched(lines, side, [(labels, (), listed_from)], part)


def search_listed(lines: Lines, side: int, each: Sequence[tuple[int, tuple[int, ...], int]]) -> NDArray[np.uint64]:
    """The starts of classes of a side, uint64 (starts, 7) as of :class:`~.groups.Sums`, in the order of the classes.

    each: of a class its label, the kinds of its inner lines, and from how many steps on starts are listed.
    """
    return _searched(lines, side, [(np.array([label]), kinds, steps) for label, kinds, steps in each], (0, 1)).starts


def _searched(
    lines: Lines, side: int, each: Sequence[tuple[NDArray[np.int64], tuple[int, ...], int]], part: tuple[int, int]
) -> Found:
    """Search the classes of each of these labels, or only the one of these kinds of inner lines where there are any,
    with the starts from so many steps; see :func:`search_labels`."""
    # Rows that nobody writes to take no memory, so the first room is seldom too small.
    capacity, rest, one = 1 << 16, most_arrangements(lines, side), room_for_classes(lines, side)
    all_searched = Listing(np.empty((0, 5), np.int64), np.zeros(1, np.int64))
    while True:
        found = nothing_found(max(len(labels) for labels, *_ in each), capacity)
        for labels, only, listed_from in each:
            search(one, rest, labels, np.array(only, np.int64), part, listed_from, found, all_searched)
        listed = int(found.listed[0])
        if listed <= capacity:
            return found._replace(starts=found.starts[:listed])
        capacity = 1 << listed.bit_length()


def list_classes(
    lines: Lines, side: int, labels: NDArray[np.int64], part: tuple[int, int]
) -> tuple[Found, NDArray[np.int64]]:
    """The classes that :func:`search_labels` would search, see :class:`Listing`, and findings in which all are
    counted."""
    capacity, rest, one = 1 << 20, most_arrangements(lines, side), room_for_classes(lines, side)
    while True:
        found = nothing_found(len(labels), 0)
        chosen = Listing(np.empty((capacity, 5), np.int64), np.zeros(1, np.int64))
        search(one, rest, labels, np.empty(0, np.int64), part, 0, found, chosen)
        met = int(chosen.met[0])
        if met <= capacity:
            return found, chosen.classes[:met]
        capacity = met


class Laid(NamedTuple):
    """Inner lines that are laid one after another. A row for each number of lines: to go back to fewer costs nothing.

    entries: int32 (n + 1, t), the index entries beside which something of each kind fits.
    ways: int64 (n + 1, t), in how many ways.
    number: int64 (n + 1), of entries.
    """

    entries: NDArray[np.int32]
    ways: NDArray[np.int64]
    number: NDArray[np.int64]


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
    chosen: the list of the classes, where they are not to be searched.
    """
    lines, a, b, kinds, n = one.lines, one.index_line, one.inner_line, one.inner_kinds, len(one.inner_kinds)
    pattern, most, only_listed = one.index.pattern, len(one.index.pattern), len(chosen.classes) > 0
    work = workspace(np.int64(1 << 12), np.int64(1 << 12))
    laid = Laid(np.empty((n + 1, most), np.int32), np.ones((n + 1, most), np.int64), np.empty(n + 1, np.int64))
    for t in range(most):
        laid.entries[0, t] = t
    product, by_pattern, patterns, present = np.ones(n + 1, np.int64), np.zeros(64, np.int64), np.empty(64, np.int64), 0
    for place in range(len(labels)):
        entries, pieces = _take_label(one, labels[place])
        # Few pieces on the index side leave the inner lines free, so these labels have the most boards.
        is_shared = pieces <= SHARED_PIECES
        if not is_shared and place % part[1] != part[0]:
            continue
        least = entries + np.int64(a > 0)  # rows are the index where both sides have as many arrangements
        # The index has to be the smaller side, and here the inner side has fewer arrangements whatever its kinds are.
        if rest[0] < least:
            continue
        enter_index(one)
        index_pieces = pieces_of(lines, a, one.index_kinds)
        laid.number[0], kinds[0], j = entries, -1, 0
        while j >= 0:
            kinds[j] += 1
            if kinds[j] == lines.kinds[b + j]:
                j -= 1
                continue
            if len(only) and kinds[j] != only[j]:
                continue
            # Three lines decide the part, so all that lies below them is left out at once.
            if j == 2 and is_shared and ((kinds[0] * _KINDS + kinds[1]) * _KINDS + kinds[2]) % part[1] != part[0]:
                continue
            product[j + 1] = product[j] * lines.arrangements[b + j, kinds[j]]
            # The same bound for the kinds laid so far: kinds of the lines to come cannot make up for it.
            if product[j + 1] * rest[j + 1] < least:
                continue
            if only_listed and j == n - 1:
                boards = _boards_of(lines.fitting, b + j, kinds[j], by_pattern, patterns[:present])
            else:
                boards = _keep(lines.fitting, b + j, kinds[j], pattern, laid, j)
            if boards == 0:
                continue
            if j < n - 1:
                j += 1
                kinds[j] = -1
                if only_listed and j == n - 1:
                    present = _add_up(pattern, laid, j, by_pattern, patterns, present)
                continue
            red = one.index_kinds[lines.row] if a == 0 else kinds[lines.row]
            across, down = index_pieces, pieces_of(lines, b, kinds)
            if a > 0:
                across, down = down, across
            for figures in (found.figures[red, across, down], found.labels[place]):
                figures[CLASSES] += 1
                figures[BOARDS] += boards
            # Where the red car can never leave, boards are counted and not searched.
            if not lines.solvable[lines.row, red]:
                continue
            if only_listed:
                _list(kinds, chosen, place, boards, red, 127 * across + down)
                continue
            pack(one, laid.entries[n, : laid.number[n]])
            words = laid.number[n] * one.counts[OUTER_SIZE]
            # Made twice as large as needed, so that it seldom grows.
            if words > len(work.word) or boards > len(work.every):
                work = workspace(max(2 * words, len(work.word)), max(2 * boards, len(work.every)))
            sums = Sums(
                found.figures[red, across, down],
                found.labels[place],
                found.codes[red, across, down],
                found.levels[red],
                found.depths[red],
                found.starts,
                found.listed,
            )
            search_class(one, work, sums, listed_from)


@kernel
def _take_label(one: Class, label: int) -> tuple[int, int]:
    """Write the kinds of the index lines of a label; return how many index entries and pieces they have."""
    lines, entries, pieces = one.lines, 1, 0
    for i in range(len(one.index_kinds) - 1, -1, -1):
        line = one.index_line + i
        label, kind = label // lines.kinds[line], label % lines.kinds[line]
        one.index_kinds[i] = kind
        entries *= lines.arrangements[line, kind]
        pieces += lines.pieces[line, kind]
    return entries, pieces


@borrowing
def _keep(fitting: NDArray[np.int64], line: int, kind: int, pattern: NDArray[np.int64], laid: Laid, j: int) -> int:
    """Keep the entries beside which ``j`` lines and now one of a kind fit; return in how many ways, all entries
    together. After the last line these are the boards of the class."""
    kept, every = 0, np.int64(0)
    for i in range(laid.number[j]):
        t = laid.entries[j, i]
        # Lines of the inner side do not touch one another, so an entry is kept by each line for itself, and its ways
        # multiply.
        fits = np.uint64(fitting[line, kind, pattern[t] >> 6 * j & 63])
        if fits:
            ways = laid.ways[j, i] * np.int64(popcount(fits))
            laid.entries[j + 1, kept], laid.ways[j + 1, kept] = t, ways
            every += ways
            kept += 1
    laid.number[j + 1] = kept
    return every


@borrowing
def _add_up(
    pattern: NDArray[np.int64],
    laid: Laid,
    j: int,
    by_pattern: NDArray[np.int64],
    patterns: NDArray[np.int64],
    present: int,
) -> int:
    """Add up the ways of the entries that ``j`` lines keep by what they cover in the line after these: who counts
    boards needs no entries. Of 64 sums the first ``present`` of ``patterns`` are not 0; return how many are then."""
    for i in range(present):
        by_pattern[patterns[i]] = 0
    present = 0
    for i in range(laid.number[j]):
        covered = pattern[laid.entries[j, i]] >> 6 * j & 63
        if by_pattern[covered] == 0:
            patterns[present] = covered
            present += 1
        by_pattern[covered] += laid.ways[j, i]
    return present


@borrowing
def _boards_of(
    fitting: NDArray[np.int64], line: int, kind: int, by_pattern: NDArray[np.int64], patterns: NDArray[np.int64]
) -> int:
    """Boards of the entries that were added up by these patterns, with a last line of a kind."""
    boards = np.int64(0)
    for covered in patterns:
        boards += by_pattern[covered] * np.int64(popcount(np.uint64(fitting[line, kind, covered])))
    return boards


@kernel
def _list(kinds: NDArray[np.int64], chosen: Listing, place: int, boards: int, red: int, pieces: int) -> None:
    """List the class that is met now, whose inner lines have these kinds."""
    met = chosen.met[0]
    chosen.met[0] += 1
    if met >= len(chosen.classes):
        return
    row = chosen.classes[met]
    row[0], row[1], row[2], row[3], row[4] = place, 0, boards, red, pieces
    for j in range(len(kinds)):
        row[1] |= kinds[j] << 4 * j


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


def listed_kinds(lines: Lines, number: int) -> tuple[int, ...]:
    """The kinds of the inner lines of a class that is listed with this number."""
    return tuple(number >> 4 * line & 15 for line in range(len(lines.kinds) // 2))


def labels_of(lines: Lines, side: int) -> int:
    """Number of labels of a side."""
    n = len(lines.kinds) // 2
    return int(np.prod(lines.kinds[side * n : side * n + n]))


def pieces_of_pair(pair: int) -> tuple[int, int]:
    """Cars and trucks of the number of a pair."""
    cars, trucks = np.argwhere(pair == _PAIRS)[0].tolist()
    return cars, trucks
