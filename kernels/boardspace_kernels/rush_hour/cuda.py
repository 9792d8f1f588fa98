"""Groups, least steps and least unit moves of all classes of some labels of Rush Hour, on an NVIDIA GPU.

:func:`search_labels` finds what the one of :mod:`.search` does. A core lists the classes; one block of the device
searches a class, each thread every so-many-th of its boards. A board is a number: the base of its index entry, and in
mixed radix the place of each inner line among the arrangements that fit beside the entry. Bases are handed out as
threads come by, so boards are numbered differently in each run, and nothing that is found depends on that: counts,
greatest levels, least codes.

1. Boards that a unit move joins are united in trees, whose roots stand for the groups.
2. From all goals at once a queue finds the levels, once by steps and once by unit moves. Who gives a board its level,
   by an exchange that one thread alone makes, queues it.
3. The greatest level of a group is a maximum at its root.

Few groups are so deep that their farthest boards are listed with numbers of solutions (8,063 classes of 164 million on
6 x 6): these classes the core searches once more, for that alone.

It needs a GPU or the simulator, as :mod:`boardspace_kernels.klotski.cuda` tells. On one H100 it searches 7.8e8 boards
of 6 x 6 a second, all that is sent there and back included; a core takes 85 ns a board.
"""

from contextlib import AbstractContextManager, nullcontext
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import config, cuda, int32, int64, uint8

from boardspace_kernels.rush_hour.groups import FIGURES, GROUPS, STEPS
from boardspace_kernels.rush_hour.lines import Lines
from boardspace_kernels.rush_hour.packing import INDEX_PIECES, enter_index, room_for_classes
from boardspace_kernels.rush_hour.search import Found, list_classes, search_listed

THREADS = 256
"""Threads of a block."""
OPTIONS: dict[str, int] = {} if config.ENABLE_CUDASIM else {"max_registers": 80}
"""Of the compiler: with 93 registers a thread, as it would take, fewer blocks run at a time, and a fifth longer."""
MOST_BOARDS = 1 << 27
"""Boards of a launch, unless a single class has more: each takes 24 bytes on the device."""
NEVER = -1
"""Level of boards that lead to no goal."""
UNITE, STEP, UNIT = range(3)
"""Ways to follow the moves of a board."""


class Tables(NamedTuple):
    """Of :class:`.Lines` what moves need, as uint8."""

    pieces: npt.NDArray[np.uint8]
    step: npt.NDArray[np.uint8]
    covered: npt.NDArray[np.uint8]
    number: npt.NDArray[np.uint8]
    fitting: npt.NDArray[np.uint8]
    moving: npt.NDArray[np.uint8]
    goal: npt.NDArray[np.uint8]


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
    """Of each class its first board and first base, int64, and of each of its entries the base. Of boards, int32: entry
    and digits, parent in the tree of the group, level, at roots the greatest level of the group; and a queue."""

    first: npt.NDArray[np.int64]
    first_base: npt.NDArray[np.int64]
    base: npt.NDArray[np.int32]
    entry: npt.NDArray[np.int32]
    digits: npt.NDArray[np.int32]
    parent: npt.NDArray[np.int32]
    level: npt.NDArray[np.int32]
    depth: npt.NDArray[np.int32]
    queue: npt.NDArray[np.int32]


class Results(NamedTuple):
    """``counts`` int32 (classes, 7), figures from GROUPS on; ``codes``, ``levels``, ``depths`` as in :class:`.Sums`."""

    counts: npt.NDArray[np.int32]
    codes: npt.NDArray[np.uint64]
    levels: npt.NDArray[np.int64]
    depths: npt.NDArray[np.int64]


class Class(NamedTuple):
    """The class that a block searches, in memory that its threads share; j is an inner line, p a piece of it.

    fitting: uint8 (64 j + pattern), digits that fit beside an entry with this pattern, a bit each.
    moving: uint8 (192 j + 64 p + pattern), digits from which the piece can go on there.
    pieces, step, goal: uint8 (j, 3 j + p, j).
    cells: int64 (8 j + digit), the cells that are covered, six times the index line plus j, a bit each.
    """

    fitting: npt.NDArray[np.uint8]
    moving: npt.NDArray[np.uint8]
    pieces: npt.NDArray[np.uint8]
    step: npt.NDArray[np.uint8]
    goal: npt.NDArray[np.uint8]
    cells: npt.NDArray[np.int64]


@cuda.jit(device=True)
def _enter(tables, b, n, kinds, one):  # type: ignore[no-untyped-def]
    """Write the tables of a class whose inner lines, from ``b`` on, have these kinds, four bits each."""
    for i in range(cuda.threadIdx.x, 64 * n, cuda.blockDim.x):
        j, pattern = i >> 6, i & 63
        line, kind = b + j, kinds >> 4 * j & 15
        one.fitting[i] = tables.fitting[line, kind, pattern]
        for p in range(3):
            one.moving[192 * j + 64 * p + pattern] = tables.moving[line, kind, p, pattern]
        if pattern < 8:
            cells = 0
            for k in range(n):
                cells |= np.int64(tables.covered[line, kind, pattern] >> k & 1) << 6 * k + j
            one.cells[8 * j + pattern] = cells
        if pattern < 3:
            one.step[3 * j + pattern] = tables.step[line, kind, pattern]
        if pattern == 0:
            one.pieces[j], one.goal[j] = tables.pieces[line, kind], tables.goal[line, kind]


@cuda.jit(device=True)
def _below(fits, digit):  # type: ignore[no-untyped-def]
    """The number of those digits below one that fit."""
    return np.int32(cuda.popc(np.uint32(fits & ((1 << digit) - 1))))


@cuda.jit(device=True)
def _digits(one, n, pattern, rest):  # type: ignore[no-untyped-def]
    """The digits of the inner lines, four bits each, of the board so far from the base of its entry."""
    digits = 0
    for j in range(n):
        fits = np.int32(one.fitting[64 * j + (pattern >> 6 * j & 63)])
        size = np.uint32(_below(fits, 8))
        for _ in range(np.uint32(rest) % size):
            fits &= fits - 1
        rest = np.uint32(rest) // size  # 32 bits: division takes long
        digits |= (cuda.ffs(np.uint32(fits)) - 1) << 4 * j
    return digits


@cuda.jit(device=True)
def _root(parent, board):  # type: ignore[no-untyped-def]
    """The root of a board's tree, to which the way becomes shorter. Parents are ancestors, however old they are."""
    while parent[board] != board:
        parent[board] = parent[parent[board]]
        board = parent[board]
    return board


@cuda.jit(device=True)
def _meet(boards, tail, mode, mine, there):  # type: ignore[no-untyped-def]
    """Unite the tree of root ``mine`` with that of a board, and return the root; or give the board the level ``mine``
    and queue it, if it has none."""
    if mode != UNITE:
        if boards.level[there] == NEVER:
            if cuda.atomic.cas(boards.level, there, NEVER, mine) == NEVER:
                boards.queue[cuda.atomic.add(tail, 0, 1)] = there
        return mine
    other = _root(boards.parent, there)
    while mine != other:
        low, high = min(mine, other), max(mine, other)
        if cuda.atomic.cas(boards.parent, high, high, low) == high:  # it was a root still
            return low
        mine, other = _root(boards.parent, low), _root(boards.parent, high)
    return mine


@cuda.jit(device=True)
def _follow(one, labels, boards, tail, n, movable, first, shift, mode, board):  # type: ignore[no-untyped-def]
    """Follow the unit moves of a board, or all steps; to unite groups those on suffice, as moves can be taken back."""
    t, digits, many, directions = boards.entry[board], boards.digits[board], mode == STEP, 1 if mode == UNITE else 2
    mine = _root(boards.parent, board) if mode == UNITE else boards.level[board] + 1
    pattern, size, cells = labels.pattern[t], 1, 0
    for j in range(n):
        covered, digit = pattern >> 6 * j & 63, digits >> 4 * j & 15
        fits = np.int32(one.fitting[64 * j + covered])
        cells |= one.cells[8 * j + digit]
        lowest = board - _below(fits, digit) * size
        for p in range(one.pieces[j]):
            can, step = np.int32(one.moving[192 * j + 64 * p + covered]), np.int32(one.step[3 * j + p])
            for back in range(directions):
                there = digit - back * step  # it can come back to where it can go on from
                while there >= 0 and can >> there & 1:
                    mine = _meet(boards, tail, mode, mine, lowest + _below(fits, there + (1 - back) * step) * size)
                    if not many:
                        break
                    there += (1 - 2 * back) * step
        size *= _below(fits, 8)
    for q in range(0, 2 * movable, 3 - directions):  # each second one is of going back
        after = labels.moves[t, q]
        while after >= 0 and not cells >> (after & 63) & 1:
            s = first + (after >> 6)
            there, pattern = 0, labels.pattern[s]
            for j in range(n - 1, -1, -1):
                fits = np.int32(one.fitting[64 * j + (pattern >> 6 * j & 63)])
                there = there * _below(fits, 8) + _below(fits, digits >> 4 * j & 15)
            mine = _meet(boards, tail, mode, mine, boards.base[shift + s] + there)
            if not many:
                break
            after = labels.moves[s, q]


@cuda.jit(cache=True, **OPTIONS)
def search_classes(tables, labels, b, n, classes, boards, results):  # type: ignore[no-untyped-def]
    """Search a class with each block; all its threads come to each barrier.

    b, n: the first inner line, and how many there are.
    classes: int64 (classes, 5), see :class:`.Listing`.
    """
    tail = cuda.shared.array(1, int32)  # of what is filled now: bases, then queues
    fitting = cuda.shared.array(384, uint8)
    moving = cuda.shared.array(1152, uint8)
    pieces = cuda.shared.array(6, uint8)
    step = cuda.shared.array(18, uint8)
    goal = cuda.shared.array(6, uint8)
    cells = cuda.shared.array(48, int64)
    one = Class(fitting, moving, pieces, step, goal, cells)
    number, thread, threads = cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x
    label, size, red, start = classes[number, 0], classes[number, 2], classes[number, 3], boards.first[number]
    movable, first = labels.movable[label], labels.first[label]
    shift = boards.first_base[number] - first
    _enter(tables, b, n, classes[number, 1], one)
    if thread == 0:
        tail[0] = start
    cuda.syncthreads()
    for t in range(first + thread, labels.first[label + 1], threads):
        ways = 1
        for j in range(n):
            ways *= _below(fitting[64 * j + (labels.pattern[t] >> 6 * j & 63)], 8)
        if ways:
            base = cuda.atomic.add(tail, 0, ways)
            boards.base[shift + t] = base
            for board in range(base, base + ways):
                boards.entry[board] = t
    cuda.syncthreads()
    for board in range(start + thread, start + size, threads):
        t = boards.entry[board]
        boards.digits[board] = _digits(one, n, labels.pattern[t], board - boards.base[shift + t])
        boards.parent[board] = board
    cuda.syncthreads()
    for board in range(start + thread, start + size, threads):
        _follow(one, labels, boards, tail, n, movable, first, shift, UNITE, board)
    cuda.syncthreads()
    groups, solvable_groups = 0, 0
    for board in range(start + thread, start + size, threads):
        root = _root(boards.parent, board)
        boards.parent[board] = root
        groups += root == board
    cuda.atomic.add(results.counts, (number, 0), groups)
    for mode in range(STEP, UNIT + 1):
        if thread == 0:
            tail[0] = start
        cuda.syncthreads()
        for board in range(start + thread, start + size, threads):
            boards.level[board] = boards.depth[board] = NEVER
            is_goal = labels.goal[boards.entry[board]]
            for j in range(n):
                is_goal &= goal[j] >> (boards.digits[board] >> 4 * j & 15) & 1 == 1
            if is_goal:
                boards.level[board] = 0
                boards.queue[cuda.atomic.add(tail, 0, 1)] = board
        cuda.syncthreads()
        last, begin, end, level = start, start, tail[0], -1
        cuda.syncthreads()
        while begin < end:
            for i in range(begin + thread, end, threads):
                _follow(one, labels, boards, tail, n, movable, first, shift, mode, boards.queue[i])
            last, begin, level = begin, end, level + 1
            if thread == 0:
                cuda.atomic.add(results.levels, (red, mode - 1, level), end - last)
            cuda.syncthreads()
            end = tail[0]
            cuda.syncthreads()
        for i in range(end - 1 - thread, start - 1, -threads):  # the farthest first: most find their maximum there
            board = boards.queue[i]
            root = boards.parent[board]
            if boards.depth[root] < boards.level[board]:
                cuda.atomic.max(boards.depth, root, boards.level[board])
            if i >= last:
                code = labels.number[boards.entry[board]]
                for j in range(n):
                    at = b + j, classes[number, 1] >> 4 * j & 15, boards.digits[board] >> 4 * j & 15
                    code |= np.uint64(tables.number[at]) << np.uint64(5 * (2 * n - 1 - b - j))
                cuda.atomic.min(results.codes, (number, mode - 1), code)
        cuda.syncthreads()
        for i in range(start + thread, end, threads):
            board = boards.queue[i]
            if boards.parent[board] == board:
                cuda.atomic.add(results.depths, (red, mode - 1, boards.depth[board]), 1)
                solvable_groups += mode == STEP
        if thread == 0:
            results.counts[number, 2] = end - start
            results.counts[number, 1 + 2 * mode], results.counts[number, 2 + 2 * mode] = level, end - last
        cuda.syncthreads()
    cuda.atomic.add(results.counts, (number, 1), solvable_groups)


def search_labels(
    lines: Lines,
    side: int,
    labels: npt.NDArray[np.int64],
    listed_from: int,
    gpu: AbstractContextManager[None] | None = None,
    threads: int = THREADS,
    part: tuple[int, int] = (0, 1),
) -> Found:
    """Search the classes of some labels, as :func:`.search.search_labels`. ``gpu`` is entered for what runs on the
    device; ``threads`` of a block."""
    found, classes = list_classes(lines, side, labels, part)
    if not len(classes):
        return found
    entries = _entries(lines, side, labels, set(classes[:, 0].tolist()))
    order = np.argsort(-classes[:, 2], kind="stable")  # the last ones to begin are soon done
    counts, codes = np.zeros((len(classes), 7), np.int32), np.full((len(classes), 2), ~np.uint64(0))
    with gpu or nullcontext():
        _search(lines, side, entries, classes[order], Results(counts, codes, found.levels, found.depths), threads)
    counts[order], codes[order] = counts.copy(), codes.copy()
    _add_up(found, classes, counts, codes)
    deep = classes[counts[:, 3] >= listed_from]
    if not len(deep):
        return found
    starts = search_listed(lines, side, labels, deep, listed_from)
    return found._replace(starts=starts, listed=np.array([len(starts)]))


def _search(
    lines: Lines, side: int, entries: Labels, classes: npt.NDArray[np.int64], results: Results, threads: int
) -> None:
    """Search these classes on the device, as many at a time as have MOST_BOARDS boards."""
    n = len(lines.kinds) // 2
    tables = Tables(*(cuda.to_device(getattr(lines, name).astype(np.uint8)) for name in Tables._fields))
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
            *(cuda.device_array(size, np.int32) for _ in range(6)),
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
    pieces = np.ravel_multi_index((classes[:, 3], *np.divmod(classes[:, 4], 127)), found.figures.shape[:3])
    least, by_figure = found.codes.reshape(-1, 2), counts.T.astype(np.int64)
    for figures, at in ((found.figures.reshape(-1, FIGURES), pieces), (found.labels, classes[:, 0].copy())):
        for number in range(3):
            np.add.at(figures[:, GROUPS + number], at, by_figure[number])
        for mode in range(2):
            greatest, level = figures[:, STEPS + 2 * mode], by_figure[3 + 2 * mode] + 1
            np.maximum.at(greatest, at, level)
            farthest = (level == greatest[at]) & (level > 0)
            there = at[farthest]
            np.add.at(figures[:, STEPS + 2 * mode + 1], there, by_figure[4 + 2 * mode, farthest])
            if figures is not found.labels:
                least[there, mode] = ~np.uint64(0)
                np.minimum.at(least[:, mode], there, codes[farthest, mode])
