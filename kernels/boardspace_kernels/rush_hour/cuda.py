"""Groups, least steps and least unit moves of all classes of some labels of Rush Hour, on an NVIDIA GPU.

:func:`search_labels` finds what the one of :mod:`.search` does. A core lists the classes; one block of the device
searches a class, each thread every so-many-th of its boards. A board is a number below those of its class: the base of
its index entry, and in mixed radix the place of each inner line among the arrangements that fit beside the entry. Bases
are handed out as threads come by, so boards are numbered differently in each run, and nothing that is found depends on
that: counts, greatest levels, least codes.

1. Boards that a unit move joins are united in trees, whose roots stand for the groups.
2. Levels are pushed, once by steps and once by unit moves: a board of a level gives its neighbours the next one if they
   have none. Threads that give a board a level at the same time give it the same one.
3. The greatest level of a group is a maximum at its root.

Few groups are so deep that their farthest boards are listed with numbers of solutions (8,063 classes of 164 million on
6 x 6): these classes the core searches once more, for that alone.

Memory of the device: 14 bytes a board and 4 for each class and entry of its label, MOST_BOARDS at a time. It needs
a GPU or the simulator, as :mod:`boardspace_kernels.klotski.cuda` tells. These kernels have not run on a device yet; a
prototype searched all 49,425,302,142 boards of 6 x 6 on one H100 in 35 s, and a core takes 85 ns a board.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import cuda, int32

from boardspace_kernels.rush_hour.groups import GROUPS, SOLVABLE, STEPS
from boardspace_kernels.rush_hour.lines import Lines
from boardspace_kernels.rush_hour.packing import INDEX_PIECES, enter_index, room_for_classes
from boardspace_kernels.rush_hour.search import Found, listing, most_arrangements, nothing_found, search
from boardspace_kernels.rush_hour.search import search_labels as search_on_core

THREADS = 128
"""Threads of a block."""
MOST_BOARDS = 1 << 26
"""Boards of a launch, unless a single class has more."""
MOST_NEIGHBOURS = 64
"""No board has more: all pieces of a line together have at most four steps."""
NEVER = 255
"""Level of boards that lead to no goal."""


class Tables(NamedTuple):
    """Of :class:`.Lines` what moves need."""

    pieces: npt.NDArray[np.int64]
    step: npt.NDArray[np.int64]
    covered: npt.NDArray[np.int64]
    number: npt.NDArray[np.int64]
    fitting: npt.NDArray[np.int64]
    moving: npt.NDArray[np.int64]
    goal: npt.NDArray[np.int64]


class Labels(NamedTuple):
    """Index entries of some labels, see :class:`.Index`; ``first`` int64 (labels + 1), ``movable`` int64 (labels), how
    many of their pieces can move."""

    first: npt.NDArray[np.int64]
    movable: npt.NDArray[np.int64]
    pattern: npt.NDArray[np.int64]
    goal: npt.NDArray[np.bool_]
    number: npt.NDArray[np.uint64]
    moves: npt.NDArray[np.int32]


class Boards(NamedTuple):
    """Of each class its first board and first base, int64; of each class and entry the base; of boards their entry, the
    parent in the tree of their group, the greatest level of the group at its root, and levels, uint8 (2, boards)."""

    first: npt.NDArray[np.int64]
    first_base: npt.NDArray[np.int64]
    base: npt.NDArray[np.int32]
    entry: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int32]
    level: npt.NDArray[np.uint8]


class Results(NamedTuple):
    """``counts`` int32 (classes, 7), figures from GROUPS on; ``codes``, ``levels``, ``depths`` as in :class:`.Sums`."""

    counts: npt.NDArray[np.int32]
    codes: npt.NDArray[np.uint64]
    levels: npt.NDArray[np.int64]
    depths: npt.NDArray[np.int64]


@cuda.jit(device=True)
def _fits(tables, b, kinds, pattern, j):  # type: ignore[no-untyped-def]
    """Digits of inner line j that fit beside an entry with this pattern."""
    return tables.fitting[b + j, kinds >> 4 * j & 15, pattern >> 6 * j & 63]


@cuda.jit(device=True)
def _place(tables, b, n, kinds, pattern, digits):  # type: ignore[no-untyped-def]
    """The place of a board among those of its entry."""
    place, size = 0, 1
    for j in range(n):
        fits = _fits(tables, b, kinds, pattern, j)
        place += cuda.popc(fits & ((1 << (digits >> 4 * j & 15)) - 1)) * size
        size *= cuda.popc(fits)
    return place


@cuda.jit(device=True)
def _digits(tables, b, n, kinds, pattern, place):  # type: ignore[no-untyped-def]
    """The digits of the inner lines at a place, four bits each."""
    digits = 0
    for j in range(n):
        fits = _fits(tables, b, kinds, pattern, j)
        size = cuda.popc(fits)
        for _ in range(place % size):
            fits &= fits - 1
        place //= size
        digits |= cuda.popc((fits & -fits) - 1) << 4 * j
    return digits


@cuda.jit(device=True)
def _neighbours(tables, labels, b, n, kinds, label, base, board, t, many, out):  # type: ignore[no-untyped-def]
    """Write the boards one unit move, or with ``many`` one step, from a board of entry ``t``; return how many."""
    first, found, size = labels.first[label], 0, 1
    pattern = labels.pattern[first + t]
    digits = _digits(tables, b, n, kinds, pattern, board - base[t])
    for j in range(n):
        kind, fits, digit = kinds >> 4 * j & 15, _fits(tables, b, kinds, pattern, j), digits >> 4 * j & 15
        from_zero = board - cuda.popc(fits & ((1 << digit) - 1)) * size
        for p in range(tables.pieces[b + j, kind]):
            can, step, there = tables.moving[b + j, kind, p, pattern >> 6 * j & 63], tables.step[b + j, kind, p], digit
            while can >> there & 1:
                there += step
                out[found] = from_zero + cuda.popc(fits & ((1 << there) - 1)) * size
                found += 1
                if not many:
                    break
            there = digit - step
            while there >= 0 and can >> there & 1:  # it can come back to where it can go on from
                out[found] = from_zero + cuda.popc(fits & ((1 << there) - 1)) * size
                found += 1
                there -= step
                if not many:
                    break
        size *= cuda.popc(fits)
    for q in range(2 * labels.movable[label]):
        after = labels.moves[first + t, q]
        while after >= 0:
            i, j = (after & 63) // 6, (after & 63) % 6
            if tables.covered[b + j, kinds >> 4 * j & 15, digits >> 4 * j & 15] >> i & 1:
                break
            s = after >> 6
            out[found] = base[s] + _place(tables, b, n, kinds, labels.pattern[first + s], digits)
            found += 1
            if not many:
                break
            after = labels.moves[first + s, q]
    return found


@cuda.jit(device=True)
def _root(parent, board):  # type: ignore[no-untyped-def]
    """The root of a board's tree, to which the way becomes shorter. Parents are ancestors, however old they are."""
    while parent[board] != board:
        parent[board] = parent[parent[board]]
        board = parent[board]
    return board


@cuda.jit(device=True)
def _unite(parent, one, other):  # type: ignore[no-untyped-def]
    """Join the trees of two boards: the greater root gets the other as its parent, unless it is no root any more."""
    one, other = _root(parent, one), _root(parent, other)
    while one != other:
        low, high = min(one, other), max(one, other)
        was = cuda.atomic.cas(parent, high, high, low)
        if was == high:
            break
        one, other = low, _root(parent, was)


@cuda.jit(device=True)
def _code(tables, labels, b, n, kinds, entry, digits):  # type: ignore[no-untyped-def]
    """The code of a board; ``entry`` among those of all labels."""
    code = labels.number[entry]
    for j in range(n):
        number = tables.number[b + j, kinds >> 4 * j & 15, digits >> 4 * j & 15]
        code |= np.uint64(number) << np.uint64(5 * (2 * n - 1 - b - j))
    return code


@cuda.jit
def search_classes(tables, labels, b, n, classes, boards, results):  # type: ignore[no-untyped-def]
    """Search a class with each block; all its threads come to each barrier.

    b, n: the first inner line, and how many there are.
    classes: int64 (classes, 5), see :class:`.Listing`.
    """
    out = cuda.local.array(MOST_NEIGHBOURS, int32)
    count = cuda.shared.array(2, int32)
    number, thread, threads = cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x
    label, kinds, size, red = classes[number, 0], classes[number, 1], classes[number, 2], classes[number, 3]
    start, first = boards.first[number], labels.first[label]
    base = boards.base[boards.first_base[number] :]
    entry, parent, depth = boards.entry[start:], boards.parent[start:], boards.depth[start:]
    if thread == 0:
        count[0] = 0
        count[1] = 0
    cuda.syncthreads()
    for t in range(thread, labels.first[label + 1] - first, threads):
        ways, pattern = 1, labels.pattern[first + t]
        for j in range(n):
            ways *= cuda.popc(_fits(tables, b, kinds, pattern, j))
        if ways:
            base[t] = cuda.atomic.add(count, 0, ways)
            for board in range(base[t], base[t] + ways):
                entry[board] = t
                parent[board] = board
                depth[board] = -1
                digits, goal = _digits(tables, b, n, kinds, pattern, board - base[t]), labels.goal[first + t]
                for j in range(n):
                    goal &= tables.goal[b + j, kinds >> 4 * j & 15] >> (digits >> 4 * j & 15) & 1 == 1
                for mode in range(2):
                    boards.level[mode, start + board] = 0 if goal else NEVER
    cuda.syncthreads()
    if thread == 0:
        count[0] = 0
    for board in range(thread, size, threads):
        for i in range(_neighbours(tables, labels, b, n, kinds, label, base, board, entry[board], False, out)):
            if out[i] > board:
                _unite(parent, board, out[i])
    cuda.syncthreads()
    for mode in range(2):
        level = boards.level[mode, start:]
        now, last, total = 0, -1, 1
        while total and now < NEVER:
            here = 0
            for board in range(thread, size, threads):
                if level[board] == now:
                    here += 1
                    t = entry[board]
                    for i in range(_neighbours(tables, labels, b, n, kinds, label, base, board, t, mode == 0, out)):
                        if level[out[i]] == NEVER:
                            level[out[i]] = now + 1
            cuda.atomic.add(count, now & 1, here)
            cuda.syncthreads()
            total = count[now & 1]
            if thread == 0:
                count[~now & 1] = 0
                if total:
                    results.counts[number, 3 + 2 * mode] = now
                    results.counts[number, 4 + 2 * mode] = total
                    cuda.atomic.add(results.levels, (red, mode, now), total)
            cuda.syncthreads()
            if total:
                last = now
            now += 1
        groups, solvable_groups, solvable = 0, 0, 0
        for board in range(thread, size, threads):
            root = _root(parent, board)
            groups += root == board
            if level[board] != NEVER:
                solvable += 1
                solvable_groups += root == board
                cuda.atomic.max(depth, root, level[board])
                if level[board] == last:
                    t = entry[board]
                    digits = _digits(tables, b, n, kinds, labels.pattern[first + t], board - base[t])
                    code = _code(tables, labels, b, n, kinds, first + t, digits)
                    cuda.atomic.min(results.codes, (number, mode), code)
        if mode == 0:
            cuda.atomic.add(results.counts, (number, 0), groups)
            cuda.atomic.add(results.counts, (number, 1), solvable_groups)
            cuda.atomic.add(results.counts, (number, 2), solvable)
        cuda.syncthreads()
        for board in range(thread, size, threads):
            if depth[board] >= 0:
                cuda.atomic.add(results.depths, (red, mode, depth[board]), 1)
                depth[board] = -1
        cuda.syncthreads()


def search_labels(
    lines: Lines,
    side: int,
    labels: npt.NDArray[np.int64],
    listed_from: int,
    gpu: AbstractContextManager[None] | None = None,
    threads: int = THREADS,
    part: tuple[int, int] = (0, 1),
) -> Found:
    """Search the classes of some labels, as :func:`.search.search_labels`.

    ``gpu`` is entered for what runs on the device; ``threads`` of a block, at most 512: each takes 119 registers.

    Raises:
        ArithmeticError: a board takes 254 moves or more, for which there is no room.
    """
    found, classes = _listed(lines, side, labels, part)
    if not len(classes):
        return found
    counts, codes = np.zeros((len(classes), 7), np.int32), np.full((len(classes), 2), ~np.uint64(0))
    counts[:, 3] = counts[:, 5] = -1
    entries = _entries(lines, side, labels, set(classes[:, 0].tolist()))
    with gpu or nullcontext():
        _search(lines, side, entries, classes, Results(counts, codes, found.levels, found.depths), threads)
    if (counts[:, (3, 5)] >= NEVER - 1).any():
        raise ArithmeticError(f"a board takes {NEVER - 1} moves or more, for which there is no room on a GPU")
    _add_up(found, classes, counts, codes)
    deep = counts[:, 3] >= listed_from
    if not deep.any():
        return found
    again = search_on_core(lines, side, labels, listed_from, part=part, wanted=deep)
    return found._replace(starts=again.starts, listed=again.listed)


def _search(
    lines: Lines, side: int, entries: Labels, classes: npt.NDArray[np.int64], results: Results, threads: int
) -> None:
    """Search these classes on the device, as many at a time as have MOST_BOARDS boards."""
    n = len(lines.kinds) // 2
    tables = Tables(*(cuda.to_device(getattr(lines, name)) for name in Tables._fields))
    labels = Labels(*map(cuda.to_device, entries))
    levels, depths = cuda.to_device(results.levels), cuda.to_device(results.depths)
    first, first_base = (
        np.cumsum(np.append(0, sizes)) for sizes in (classes[:, 2], np.diff(entries.first)[classes[:, 0]])
    )
    cuts = np.append(np.unique(first[:-1] // MOST_BOARDS, return_index=True)[1], len(classes))
    for begin, end in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
        size = int(first[end] - first[begin])
        boards = Boards(
            cuda.to_device(first[begin:end] - first[begin]),
            cuda.to_device(first_base[begin:end] - first_base[begin]),
            cuda.device_array(int(first_base[end] - first_base[begin]), np.int32),
            *(cuda.device_array(size, np.int32) for _ in range(3)),
            cuda.device_array((2, size), np.uint8),
        )
        counts, codes = cuda.to_device(results.counts[begin:end]), cuda.to_device(results.codes[begin:end])
        search_classes[end - begin, threads](
            tables,
            labels,
            n - side * n,
            n,
            cuda.to_device(classes[begin:end]),
            boards,
            Results(counts, codes, levels, depths),
        )
        counts.copy_to_host(results.counts[begin:end])
        codes.copy_to_host(results.codes[begin:end])
    levels.copy_to_host(results.levels)
    depths.copy_to_host(results.depths)


def _listed(
    lines: Lines, side: int, labels: npt.NDArray[np.int64], part: tuple[int, int]
) -> tuple[Found, npt.NDArray[np.int64]]:
    """The classes to be searched, see :class:`.Listing`, and findings in which all are counted."""
    capacity, rest = 1 << 17, most_arrangements(lines, side)
    while True:
        found, chosen = nothing_found(len(labels), 0), listing(capacity)
        search(room_for_classes(lines, side), rest, labels, np.empty(0, np.int64), part, 0, found, chosen)
        met = int(chosen.met[0])
        if met <= capacity:
            return found, chosen.classes[:met]
        capacity = met


def _entries(lines: Lines, side: int, labels: npt.NDArray[np.int64], used: set[int]) -> Labels:
    """The index entries of those labels whose places are used."""
    one = room_for_classes(lines, side)
    n, first, movable, parts = len(one.index_kinds), [0], [], []
    for place, label in enumerate(labels.tolist()):
        if place not in used:
            first.append(first[-1])
            movable.append(0)
            continue
        entries, left = 1, label
        for i in range(n - 1, -1, -1):
            left, one.index_kinds[i] = divmod(left, lines.kinds[one.index_line + i])
            entries *= int(lines.arrangements[one.index_line + i, one.index_kinds[i]])
        enter_index(one)
        first.append(first[-1] + entries)
        movable.append(one.counts[INDEX_PIECES])
        parts.append([array[:entries].copy() for array in one.index])
    return Labels(np.array(first), np.array(movable), *map(np.concatenate, zip(*parts, strict=True)))


def _add_up(
    found: Found,
    classes: npt.NDArray[np.int64],
    counts: npt.NDArray[np.int32],
    codes: npt.NDArray[np.uint64],
) -> None:
    """Add what was found in each class to the figures of its pieces and of its label."""
    pieces = classes[:, 3], classes[:, 4] // 127, classes[:, 4] % 127
    for figures, at in ((found.figures, pieces), (found.labels, (classes[:, 0],))):
        np.add.at(figures[..., GROUPS : SOLVABLE + 1], at, counts[:, :3])
        for mode in range(2):
            greatest, level = figures[..., STEPS + 2 * mode], counts[:, 3 + 2 * mode] + 1
            np.maximum.at(greatest, at, level)
            farthest = (level == greatest[at]) & (level > 0)
            there = tuple(axis[farthest] for axis in at)
            np.add.at(figures[..., STEPS + 2 * mode + 1], there, counts[farthest, 4 + 2 * mode])
            if figures is found.figures:
                found.codes[(*there, mode)] = ~np.uint64(0)
                np.minimum.at(found.codes[..., mode], there, codes[farthest, mode])
