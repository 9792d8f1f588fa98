"""Groups, least steps and least unit moves of all classes of some labels of Rush Hour, on an NVIDIA GPU.

:func:`search_labels` finds what the one of :mod:`.search` does. A core lists the classes; one block of the device
searches a class, each thread every so-many-th of its boards. A board is a number: the base of its index entry, and in
mixed radix the place of each inner line among the arrangements that fit beside the entry. Bases are handed out as
threads come by, so boards are numbered differently in each run, and nothing that is found depends on that: counts,
greatest levels, least codes.

1. Boards that a unit move joins are united in trees, whose roots stand for the groups.
2. From all goals at once a queue finds the levels, once by steps and once by unit moves. Who gives a board its level,
   by an exchange that one thread alone makes, queues it. Levels only grow meanwhile, so the last one that is written at
   the root of a group is its greatest.

A launch searches all classes, in 24 bytes a board, 1 GB for the 41 million boards of a shard of 6 x 6. Few groups are
so deep that their farthest boards are listed with numbers of solutions (8,063 classes of 164 million on 6 x 6): these
classes the core searches once more, for that alone.

It needs a GPU or the simulator, as :mod:`boardspace_kernels.klotski.cuda` tells. On one H100 it searched 7.8e8 boards
of 6 x 6 a second, all that is sent there and back included; a core takes 85 ns a board.
"""

from collections import namedtuple
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import cuda, int32, int64, uint8

from boardspace_kernels.rush_hour.figures import FIGURES, GROUPS, SOLVABLE, SOLVABLE_GROUPS, STEPS, UNITS, merged
from boardspace_kernels.rush_hour.lines import Lines
from boardspace_kernels.rush_hour.packing import INDEX_PIECES, Index, enter_index, room_for_classes
from boardspace_kernels.rush_hour.search import Found, list_classes, listed_kinds, search_listed

THREADS = 256
"""Threads of a block. Three blocks run at a time, as a thread takes up to 80 registers; two take a fifth longer."""
NEVER = -1
"""Level of boards that lead to no goal."""
UNITE, STEP, UNIT = range(3)
"""Ways to follow the moves of a board."""
MOVING, STEPS_OF, PIECES, GOAL, ROW = 64, 256, 259, 260, 261
"""Where in the row of a line's kind, which begins with ``fitting``, the others lie, see :class:`.Lines`; its length."""
KINDS, RED, MOVABLE, FIRST, LAST, BASES, START, STOP = range(8)
"""Of a class: kinds of the inner lines, four bits each, kind of the red row, pieces of the index side that can move;
from where on, and before where, its index entries lie; how much further on their bases; the same of its boards."""
Boards = namedtuple("Boards", "base entry digits parent level depth queue")
"""int32: the first board of each entry of each class; of boards their entry, digits of the inner lines, four bits each,
parent in the tree of the group, level, at roots the greatest level of the group; and a queue."""


@cuda.jit(device=True)
def _below(fits, digit):
    """The number of those digits below one that fit."""
    return np.int32(cuda.popc(np.uint32(fits & ((1 << digit) - 1))))


@cuda.jit(device=True)
def _root(parent, board):
    """The root of a board's tree, to which the way becomes shorter. Parents are ancestors, however old they are."""
    while parent[board] != board:
        parent[board] = parent[parent[board]]
        board = parent[board]
    return board


@cuda.jit(device=True)
def _meet(boards, tail, mode, mine, there):
    """Unite the tree of root ``mine`` with that of a board, and return the root; or give the board the level ``mine``
    and queue it, if it has none."""
    if mode != UNITE:
        # The plain reading first spares most exchanges, which take long.
        if boards.level[there] == NEVER and cuda.atomic.cas(boards.level, there, NEVER, mine) == NEVER:
            boards.queue[cuda.atomic.add(tail, mode, 1)] = there
        return mine
    other = _root(boards.parent, there)
    while mine != other:
        # Roots only get smaller parents, so no circle can come up.
        low, high = min(mine, other), max(mine, other)
        if cuda.atomic.cas(boards.parent, high, high, low) == high:  # it was a root still
            return low
        # Another thread was first: both trees may have new roots by now.
        mine, other = _root(boards.parent, low), _root(boards.parent, high)
    return mine


@cuda.jit(device=True)
def _follow(one, cells, index, boards, tail, n, movable, first, shift, mode, board):
    """Follow the unit moves of a board, or all steps; to unite groups those on suffice, as moves can be taken back."""
    t, digits, many, directions = boards.entry[board], boards.digits[board], mode == STEP, 1 if mode == UNITE else 2
    mine = _root(boards.parent, board) if mode == UNITE else boards.level[board] + 1
    pattern, size, taken = index.pattern[t], 1, 0
    for j in range(n):
        covered, digit = pattern >> 6 * j & 63, digits >> 4 * j & 15
        fits = np.int32(one[j, covered])
        taken |= cells[j, digit]
        # The board with this line's first digit that fits, from which the others are counted.
        lowest = board - _below(fits, digit) * size
        for p in range(one[j, PIECES]):
            can, step = np.int32(one[j, MOVING + 64 * p + covered]), np.int32(one[j, STEPS_OF + p])
            for back in range(directions):
                there = digit - back * step  # it can come back to where it can go on from
                while there >= 0 and can >> there & 1:
                    mine = _meet(boards, tail, mode, mine, lowest + _below(fits, there + (1 - back) * step) * size)
                    if not many:
                        break
                    there += (1 - 2 * back) * step
        size *= _below(fits, 8)
    for q in range(directions * movable):
        move = q if directions == 2 else 2 * q  # each second one is of going back
        after = index.moves[t, move]
        while after >= 0 and not taken >> (after & 63) & 1:
            s = first + (after >> 6)
            there, pattern = 0, index.pattern[s]
            # Other digits fit beside the other entry, so the number is made anew, the first line fastest.
            for j in range(n - 1, -1, -1):
                fits = np.int32(one[j, pattern >> 6 * j & 63])
                there = there * _below(fits, 8) + _below(fits, digits >> 4 * j & 15)
            mine = _meet(boards, tail, mode, mine, boards.base[shift + s] + there)
            if not many:
                break
            after = index.moves[s, move]


@cuda.jit(cache=True)
def search_classes(tables, words, index, classes, boards, counts, codes, levels, depths):
    """Search a class with each block; all its threads come to each barrier.

    tables: uint8 (n, 16, ROW), by inner line and kind.
    words: int64 (2, n, 16, 8), also by digit: the cells that are covered, six times the index line plus the inner one,
        a bit each; and the part of the code.
    index: of all labels; ``classes`` int32 (classes, 8), see KINDS.
    counts: int32 (classes, FIGURES), from GROUPS on; ``codes``, ``levels``, ``depths`` as in :class:`.Found`.
    """
    tail = cuda.shared.array(3, int32)  # of bases and, by mode, of the queue
    one = cuda.shared.array((6, ROW), uint8)  # the tables of this class
    cells = cuda.shared.array((6, 8), int64)
    number, thread, threads, n = cuda.blockIdx.x, cuda.threadIdx.x, cuda.blockDim.x, np.int32(len(tables))
    kinds, red, movable = classes[number, KINDS], classes[number, RED], classes[number, MOVABLE]
    first, last, shift = classes[number, FIRST], classes[number, LAST], classes[number, BASES]
    start, stop = classes[number, START], classes[number, STOP]
    for i in range(thread, n * ROW, threads):
        one[i // ROW, i % ROW] = tables[i // ROW, kinds >> 4 * (i // ROW) & 15, i % ROW]
    for i in range(thread, n * 8, threads):
        cells[i >> 3, i & 7] = words[0, i >> 3, kinds >> 4 * (i >> 3) & 15, i & 7]
    if thread == 0:
        tail[UNITE] = tail[STEP] = tail[UNIT] = start
    cuda.syncthreads()
    for t in range(first + thread, last, threads):
        ways = 1
        for j in range(n):
            ways *= _below(one[j, index.pattern[t] >> 6 * j & 63], 8)
        if ways:
            # Its boards are next to one another, in whatever order the threads of the block come by.
            base = cuda.atomic.add(tail, UNITE, ways)
            boards.base[shift + t] = base
            for board in range(base, base + ways):
                boards.entry[board] = t
    cuda.syncthreads()
    for board in range(start + thread, stop, threads):
        t, digits = boards.entry[board], 0
        rest = np.uint32(board - boards.base[shift + t])  # 32 bits: division takes long
        for j in range(n):
            fits = np.int32(one[j, index.pattern[t] >> 6 * j & 63])
            size = np.uint32(_below(fits, 8))
            # Without its lowest bits, as many as digits come before, the lowest one left is the digit.
            for _ in range(rest % size):
                fits &= fits - 1
            rest = np.uint32(rest // size)
            digits |= (cuda.ffs(np.uint32(fits)) - 1) << 4 * j
        boards.digits[board], boards.parent[board] = digits, board
    cuda.syncthreads()
    for board in range(start + thread, stop, threads):
        _follow(one, cells, index, boards, tail, n, movable, first, shift, UNITE, board)
    cuda.syncthreads()
    groups, solvable_groups = 0, 0
    for board in range(start + thread, stop, threads):
        boards.parent[board] = _root(boards.parent, board)
        groups += boards.parent[board] == board
    cuda.atomic.add(counts, (number, GROUPS), groups)
    for mode in range(STEP, UNIT + 1):
        for board in range(start + thread, stop, threads):
            boards.level[board] = NEVER
            is_goal = index.goal[boards.entry[board]]
            for j in range(n):
                is_goal &= one[j, GOAL] >> (boards.digits[board] >> 4 * j & 15) & 1 == 1
            if is_goal:
                boards.level[board] = 0
                boards.queue[cuda.atomic.add(tail, mode, 1)] = board
        cuda.syncthreads()
        farthest, begin, end, level = start, start, tail[mode], 0
        # No thread may move the tail on before all have read it.
        cuda.syncthreads()
        while begin < end:
            for i in range(begin + thread, end, threads):
                board = boards.queue[i]
                # All threads that write now write the same level.
                boards.depth[boards.parent[board]] = level
                _follow(one, cells, index, boards, tail, n, movable, first, shift, mode, board)
            farthest, begin = begin, end
            if thread == 0:
                cuda.atomic.add(levels, (red, mode - 1, level), end - farthest)
            cuda.syncthreads()
            end, level = tail[mode], level + 1
            cuda.syncthreads()
        for i in range(start + thread, end, threads):
            board = boards.queue[i]
            if boards.parent[board] == board:
                cuda.atomic.add(depths, (red, mode - 1, boards.depth[board]), 1)
                solvable_groups += mode == STEP
            if i >= farthest:
                code = index.number[boards.entry[board]]
                for j in range(n):
                    code |= np.uint64(words[1, j, kinds >> 4 * j & 15, boards.digits[board] >> 4 * j & 15])
                cuda.atomic.min(codes, (number, mode - 1), code)
        if thread == 0:
            most, counts[number, SOLVABLE] = STEPS if mode == STEP else UNITS, end - start
            counts[number, most], counts[number, most + 1] = level, end - farthest
        cuda.syncthreads()
    cuda.atomic.add(counts, (number, SOLVABLE_GROUPS), solvable_groups)


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
    found, listed = list_classes(lines, side, labels, part)
    if not len(listed):
        return found
    order = np.argsort(-listed[:, 2], kind="stable")  # the last ones to begin are soon done
    classes = listed[order]
    counts, codes = np.zeros((len(classes), FIGURES), np.int32), np.full((len(classes), 2), ~np.uint64(0))
    given, results = _given(lines, side, labels, classes), (counts, codes, found.levels, found.depths)
    with gpu or nullcontext():
        _search(given, results, threads)  # its arrays are free before the GPU is left
    # Classes that cannot be solved have no code.
    codes[counts[:, STEPS] == 0] = 0
    sets = np.ravel_multi_index((classes[:, 3], *np.divmod(classes[:, 4], 127)), found.figures.shape[:3])
    for key, figures in ((classes[:, 0], found.labels), (sets, found.figures.reshape(-1, FIGURES))):
        # Codes have five bits for each of twelve lines at most, so a sign does not touch them.
        sums = merged(np.column_stack([key, counts, codes.view(np.int64)]), keys=1)
        figures[sums[:, 0]] += sums[:, 1:-2]
    # These are the sums of the last turn, by set of pieces.
    found.codes.reshape(-1, 2)[sums[:, 0]] = sums[:, -2:]
    deep = listed[np.sort(order[counts[:, STEPS] > listed_from])]
    if len(deep):
        each = [(int(labels[place]), listed_kinds(lines, kinds), listed_from) for place, kinds in deep[:, :2].tolist()]
        starts = search_listed(lines, side, each)
        found = found._replace(starts=starts, listed=np.array([len(starts)]))
    return found


def _given(lines: Lines, side: int, labels: npt.NDArray[np.int64], classes: npt.NDArray[np.int64]) -> list[Any]:
    """The first arguments of :func:`search_classes`."""
    one, parts, movable = room_for_classes(lines, side), [], []
    n, used, which = len(one.index_kinds), *np.unique(classes[:, 0], return_inverse=True)
    outer, inner = (np.arange(line, line + n) for line in (one.index_line, one.inner_line))
    for label in labels[used]:
        one.index_kinds[:] = np.unravel_index(label, lines.kinds[outer])
        enter_index(one)
        movable.append(one.counts[INDEX_PIECES])
        parts.append([array[: lines.arrangements[outer, one.index_kinds].prod()].copy() for array in one.index])
    sizes = np.array([len(part[0]) for part in parts])
    ends, stop = np.cumsum(sizes), np.cumsum(classes[:, 2])
    own = np.column_stack([movable, ends - sizes, ends])[which]
    # Where the bases of a class begin, less where its entries begin.
    bases = np.cumsum(sizes[which]) - ends[which]
    each = np.column_stack([classes[:, [1, 3]], own, bases, stop - classes[:, 2], stop]).astype(np.int32)
    names, bit = ("fitting", "moving", "step", "pieces", "goal"), np.arange(n)
    tables = np.concatenate([getattr(lines, name)[inner].reshape(n, 16, -1) for name in names], axis=2)
    cells = (lines.covered[inner, ..., None] >> bit & 1) << 6 * bit + bit[:, None, None, None]
    words = np.array([cells.sum(axis=3), lines.number[inner] << 5 * (2 * n - 1 - inner[:, None, None])])
    return [tables.astype(np.uint8), words, Index(*map(np.concatenate, zip(*parts, strict=True))), each]


def _search(given: list[Any], results: tuple[npt.NDArray[Any], ...], threads: int) -> None:
    """Search the classes on the device, and write the results."""
    *_, index, classes = given
    sizes = int(classes[-1, BASES]) + int(classes[-1, LAST]), *[int(classes[-1, STOP])] * 6
    boards, found = Boards(*(cuda.device_array(size, np.int32) for size in sizes)), [*map(cuda.to_device, results)]
    sent = [Index(*map(cuda.to_device, one)) if one is index else cuda.to_device(one) for one in given]
    search_classes[len(classes), threads](*sent, boards, *found)
    for array, result in zip(found, results, strict=True):
        array.copy_to_host(result)
