"""All boards of Rush Hour: groups, least steps and least unit moves of every class, many boards at a time.

**Classes.** What sliding never changes is the kind of each line (:mod:`.lines`). A class is the kinds of the rows and
of the columns together. Pieces of two rows never meet, nor those of two columns. So take one side, rows or columns, as
the *index*: given the arrangements of all its lines, an *index entry*, the lines of the other side, the *inner* one,
are independent of each other. The side with fewer arrangements is the index, rows if both have as many; so every class
belongs to one label, the kinds of its index side, and a search goes through the labels of both sides.

**Words.** A board is an index entry and a digit for each inner line. As many inner lines as have a product of radices
up to 64 are *packed*: a set of boards that differ in these digits alone is a word of 64 bits. The other inner lines are
*outer* ones; their digits are a number in mixed radix, and with the index entry the number of the word. So nothing is
hashed and nothing sorted. A unit move is

- of a piece in a packed line: the bits under a mask, which depends on the line's digit and on the cells that the index
  entry covers in it, shifted by the piece's step;
- in an outer line: the word goes to another word, at a constant distance;
- in an index line: the bits whose packed lines leave the entered cell free go to the word of another index entry, if
  the outer lines leave it free as well; again at a constant distance among the index entries.

A step moves one piece any number of cells: unit moves of one piece one after another while bits are left.

**Searches.** Groups are flooded by unit moves from the first board that no group has yet, in-word moves as often as
they find something. If a group has goals, a search by levels starts from all of them, once with steps and once with
unit moves. Each takes a word as often as it gets new bits; a word has two to five boards, which mostly come together.
A start that is farthest in its group, by as many steps as are listed from, is written down with the number of its
shortest solutions, which a search from it counts board by board.

**Cost.** 85 ns of a core a board for all of it on 6 x 6. A byte for each board and a queue took 240 for steps alone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.rush_hour.lines import Lines

CLASSES, BOARDS, GROUPS, SOLVABLE_GROUPS, SOLVABLE, STEPS, STEP_STARTS, UNITS, UNIT_STARTS = range(9)
"""Figures of a set of pieces."""
FIGURES = 9
_ONE, _NONE = np.uint64(1), np.uint64(0)
_PAIRS = np.full((19, 13), -1)
_PAIRS[tuple(np.array([(c, t) for c in range(19) for t in range(13) if 2 * c + 3 * t <= 36]).T)] = np.arange(127)
FLOOD, STEP, UNIT = range(3)
"""Searches, in their order."""
Shape = tuple[int, int, int, int]
"""Of a class the number of values of w, and how many packed, outer and index pieces can move."""


class Index(NamedTuple):
    """Entries of the index of a label, t, and the pieces of its lines that can move, q.

    pattern: int64 (t), six bits for each inner line: the cells of it that are covered, by index line.
    goal: bool (t), nothing on the index side keeps the board from being a goal.
    number: uint64 (t), its part of the boards' codes.
    moves: int32 (t, 2 q), 64 times the entry after the piece goes on by a cell, and the cell that it enters, six times
        its index line plus the inner line; -1 where it cannot. Each second one is of going back.
    """

    pattern: NDArray[np.int64]
    goal: NDArray[np.bool_]
    number: NDArray[np.uint64]
    moves: NDArray[np.int32]


class Packing(NamedTuple):
    """How the boards of a class are packed into words; s is the place of an index entry, w the number of outer digits.

    slot: int32 (t), places of the entries.
    entry: int32 (s), entries of the places.
    valid: uint64 (s), the bits that are boards.
    packed_mask: uint64 (s, piece), bits from which a packed piece can go on.
    packed_shift: uint64 (piece), by which.
    outer_set: int64 (s, piece), digits from which an outer piece can go on.
    outer: int64 (piece, 3), place of its line's digit, its step in the digit, and its step in w.
    digits: int64 (w), four bits for each inner line.
    covered: int64 (w), cells that outer lines cover, numbered like ``entered``.
    goal: bool (w).
    goal_bits: uint64 (1), bits whose packed lines keep no board from being a goal.
    lines: int64 (n, 4), of each inner line its lowest digit, its radix from there, its stride in the word or in w, and
    whether it is packed.
    free: uint64 (36), bits whose packed lines leave a cell free.
    """

    slot: NDArray[np.int32]
    entry: NDArray[np.int32]
    valid: NDArray[np.uint64]
    packed_mask: NDArray[np.uint64]
    packed_shift: NDArray[np.uint64]
    outer_set: NDArray[np.int64]
    outer: NDArray[np.int64]
    digits: NDArray[np.int64]
    covered: NDArray[np.int64]
    goal: NDArray[np.bool_]
    goal_bits: NDArray[np.uint64]
    lines: NDArray[np.int64]
    free: NDArray[np.uint64]


class Workspace(NamedTuple):
    """Arrays of a search that grow with the classes; x is a word's number.

    word: int32 (s w), numbers of the words by place and outer digits.
    home: int32 (x, 2), place and outer digits of the words.
    words: uint64 (x, 8): boards in no group yet, at no level of steps yet, of unit moves yet; the word's number in its
        group; boards of the level that is gone through, and of the next one.
    queue: int64 (3, boards), of each search the words that got boards, in order.
    bits: uint64 (3, boards), these boards.
    every: int64 (boards), values of w that have boards.
    level_ends: int64 (3, 1024), where each level ends in the queue.
    """

    word: NDArray[np.int32]
    home: NDArray[np.int32]
    words: NDArray[np.uint64]
    queue: NDArray[np.int64]
    bits: NDArray[np.uint64]
    every: NDArray[np.int64]
    level_ends: NDArray[np.int64]


class Found(NamedTuple):
    """Figures and starts that a search finds.

    figures: int64 (16, 127, 127, FIGURES), added to: by kind of the red row, pieces across and pieces down.
    codes: uint64 (16, 127, 127, 2), least code of a start with most steps, and of one with most unit moves.
    levels: int64 (16, 2, 1024), added to: boards by kind of the red row and by least steps or unit moves.
    depths: int64 (16, 2, 1024), added to: groups by the greatest of their steps or unit moves.
    labels: int64 (labels, FIGURES), added to: the figures of each label.
    starts: uint64 (room, 7), of the farthest boards of groups: code, steps, unit moves, shortest solutions, boards and
        goals of the group, starts as far.
    """

    figures: NDArray[np.int64]
    codes: NDArray[np.uint64]
    levels: NDArray[np.int64]
    depths: NDArray[np.int64]
    labels: NDArray[np.int64]
    starts: NDArray[np.uint64]


@inlined
def neighbours(
    index: Index,
    packing: Packing,
    work: Workspace,
    shape: Shape,
    many: bool,
    word: int,
    boards: np.uint64,
    to: NDArray[np.int64],
    moved: NDArray[np.uint64],
) -> int:
    """Write the words to which some boards of a word can go and the boards there; return how many words.

    many: any number of cells.
    """
    outer_size, packed_pieces, outer_pieces, index_pieces = shape[0], shape[1], shape[2], shape[3]
    s, w = np.int64(work.home[word, 0]), np.int64(work.home[word, 1])
    from_zero = s * outer_size
    found = 1
    within = np.uint64(0)
    for q in range(packed_pieces):
        mask, shift = packing.packed_mask[s, q], packing.packed_shift[q]
        some = (boards & mask) << shift
        within |= some
        while many and some:
            some = (some & mask) << shift
            within |= some
        some = (boards >> shift) & mask
        within |= some
        while many and some:
            some = (some >> shift) & mask
            within |= some
    to[0], moved[0] = word, within
    digits = packing.digits[w]
    for q in range(outer_pieces):
        can, step, far = packing.outer_set[s, q], packing.outer[q, 1], packing.outer[q, 2]
        first = digits >> packing.outer[q, 0] & 15
        digit, there = first, from_zero + w
        while can >> digit & 1:
            digit += step
            there += far
            to[found], moved[found] = work.word[there], boards
            found += 1
            if not many:
                break
        digit, there = first - step, from_zero + w
        while digit >= 0 and can >> digit & 1:
            digit -= step
            there -= far
            to[found], moved[found] = work.word[there], boards
            found += 1
            if not many:
                break
    covered, entry = packing.covered[w], packing.entry[s]
    for q in range(index_pieces):
        for way in range(2):
            some, t = boards, entry
            while True:
                after = index.moves[t, 2 * q + way]
                if after < 0:
                    break
                cell = after & 63
                some &= packing.free[cell]
                if covered >> cell & 1 or not some:
                    break
                t = after >> 6
                to[found], moved[found] = work.word[packing.slot[t] * outer_size + w], some
                found += 1
                if not many:
                    break
    return found


@kernel
def enter_index(lines: Lines, a: int, kinds: NDArray[np.int64], index: Index) -> int:
    """Write the index entries of a label, by digits of the lines, the last one fastest; return the movable pieces."""
    n = len(lines.kinds) // 2
    stride, digit = np.ones(n, np.int64), np.zeros(n, np.int64)
    for i in range(n - 2, -1, -1):
        stride[i] = stride[i + 1] * lines.radix[a + i + 1, kinds[i + 1]]
    line, piece = np.zeros(12, np.int64), np.zeros(12, np.int64)
    pieces = 0
    for i in range(n):
        for p in range(lines.pieces[a + i, kinds[i]]):
            if lines.moving[a + i, kinds[i], p, 0]:
                line[pieces], piece[pieces] = i, p
                pieces += 1
    place_of = np.full(stride[0] * lines.radix[a, kinds[0]], -1, np.int32)  # of each number of digits
    for again in range(2):
        t = 0
        for place in range(len(place_of)):
            is_entry = True
            pattern, goal, number = 0, True, _NONE
            for i in range(n):
                digit[i] = place // stride[i] % lines.radix[a + i, kinds[i]]
                covered = lines.covered[a + i, kinds[i], digit[i]]
                if covered < 0:
                    is_entry = False
                    break
                for j in range(n):
                    pattern |= (covered >> j & 1) << (6 * j + i)
                goal &= lines.goal[a + i, kinds[i]] >> digit[i] & 1 == 1
                number |= np.uint64(lines.number[a + i, kinds[i], digit[i]]) << np.uint64(5 * (2 * n - 1 - a - i))
            if not is_entry:
                continue
            if again == 0:
                place_of[place] = t
                index.pattern[t], index.goal[t], index.number[t] = pattern, goal, number
                t += 1
                continue
            for q in range(pieces):
                i, p = line[q], piece[q]
                far = lines.step[a + i, kinds[i], p] * stride[i]
                index.moves[t, 2 * q] = index.moves[t, 2 * q + 1] = -1
                cell = lines.onward[a + i, kinds[i], p, digit[i]]
                if cell >= 0:
                    index.moves[t, 2 * q] = place_of[place + far] << 6 | 6 * i + cell
                cell = lines.back[a + i, kinds[i], p, digit[i]]
                if cell >= 0:
                    index.moves[t, 2 * q + 1] = place_of[place - far] << 6 | 6 * i + cell
            t += 1
    return pieces


@kernel
def pack(
    lines: Lines, b: int, kinds: NDArray[np.int64], index: Index, packing: Packing, entries: NDArray[np.int32]
) -> tuple[int, int, int]:
    """Write how the boards of a class are packed into words.

    entries: int32 (s), the index entries that have boards.

    Returns the number of values of w, and how many packed pieces and outer ones can move.
    """
    n = len(lines.kinds) // 2
    low, radix = np.zeros(n, np.int64), np.zeros(n, np.int64)
    for j in range(n):  # only digits that fit somewhere
        fits = np.int64(0)
        for s in range(len(entries)):
            fits |= lines.fitting[b + j, kinds[j], index.pattern[entries[s]] >> 6 * j & 63]
        while not fits >> low[j] & 1:
            low[j] += 1
        while fits >> low[j] >> radix[j]:
            radix[j] += 1
    best, chosen = 0, 0
    for some in range(1 << n):
        size = 1
        for j in range(n):
            if some >> j & 1:
                size *= radix[j]
        if best <= size <= 64:
            best, chosen = size, some
    stride, packed_size, outer_size = np.zeros(n, np.int64), 1, 1
    for j in range(n):
        if chosen >> j & 1:
            stride[j] = packed_size
            packed_size *= radix[j]
        else:
            stride[j] = outer_size
            outer_size *= radix[j]

    # Words with the bits of boards whose digit in a packed line is in a set: one digit after another.
    sets = np.zeros((n, 128), np.uint64)
    for j in range(n):
        if not chosen >> j & 1:
            continue
        first = _ONE  # all boards whose digit in line j is 0
        for i in range(n):
            if i != j and chosen >> i & 1:
                every = _NONE
                for digit in range(radix[i]):
                    every |= first << np.uint64(digit * stride[i])
                first = every
        for digit in range(radix[j]):
            word = first << np.uint64(digit * stride[j])
            for some in range(1 << digit):
                sets[j, some | 1 << digit] = sets[j, some] | word

    everything = ~_NONE
    for cell in range(36):
        packing.free[cell] = everything
    outer_pieces, packed_pieces = 0, 0
    packed_line, packed_piece = np.zeros(12, np.int64), np.zeros(12, np.int64)
    outer_line, outer_piece = np.zeros(12, np.int64), np.zeros(12, np.int64)
    for j in range(n):
        k = kinds[j]
        if chosen >> j & 1:
            for i in range(n):
                packing.free[6 * i + j] = sets[j, lines.fitting[b + j, k, 1 << i] >> low[j] & ((1 << radix[j]) - 1)]
        for p in range(lines.pieces[b + j, k] if radix[j] > 1 else 0):
            if not lines.moving[b + j, k, p, 0]:
                continue
            if chosen >> j & 1:
                packed_line[packed_pieces], packed_piece[packed_pieces] = j, p
                packing.packed_shift[packed_pieces] = lines.step[b + j, k, p] * stride[j]
                packed_pieces += 1
            else:
                outer_line[outer_pieces], outer_piece[outer_pieces] = j, p
                step = lines.step[b + j, k, p]
                packing.outer[outer_pieces, 0] = 4 * j
                packing.outer[outer_pieces, 1], packing.outer[outer_pieces, 2] = step, step * stride[j]
                outer_pieces += 1
    for s in range(len(entries)):
        t = entries[s]
        packing.slot[t], packing.entry[s] = s, t
        valid, pattern = everything, index.pattern[t]
        for j in range(n):
            if chosen >> j & 1:
                valid &= sets[j, lines.fitting[b + j, kinds[j], pattern >> 6 * j & 63] >> low[j]]
        packing.valid[s] = valid
        for q in range(packed_pieces):
            j = packed_line[q]
            moving = lines.moving[b + j, kinds[j], packed_piece[q], pattern >> 6 * j & 63]
            packing.packed_mask[s, q] = sets[j, moving >> low[j]]
        for q in range(outer_pieces):
            j = outer_line[q]
            packing.outer_set[s, q] = lines.moving[b + j, kinds[j], outer_piece[q], pattern >> 6 * j & 63] >> low[j]
    packing.goal_bits[0] = everything
    for j in range(n):
        if chosen >> j & 1:
            packing.goal_bits[0] &= sets[j, lines.goal[b + j, kinds[j]] >> low[j] & ((1 << radix[j]) - 1)]
        packing.lines[j, 0], packing.lines[j, 1], packing.lines[j, 2] = low[j], radix[j], stride[j]
        packing.lines[j, 3] = chosen >> j & 1
    for w in range(outer_size):
        digits, covered, goal = 0, 0, True
        for j in range(n):
            if chosen >> j & 1:
                continue
            digit = w // stride[j] % radix[j]
            digits |= digit << 4 * j
            cells = lines.covered[b + j, kinds[j], digit + low[j]]
            if cells >= 0:
                for i in range(n):
                    covered |= (cells >> i & 1) << (6 * i + j)
            goal &= lines.goal[b + j, kinds[j]] >> (digit + low[j]) & 1 == 1
        packing.digits[w], packing.covered[w], packing.goal[w] = digits, covered, goal
    return outer_size, packed_pieces, outer_pieces


@kernel
def code_of(
    lines: Lines,
    b: int,
    kinds: NDArray[np.int64],
    index: Index,
    packing: Packing,
    home: NDArray[np.int32],
    bit: int,
) -> np.uint64:
    """The code of a board: five bits for each line, the first row highest, the numbers of their arrangements."""
    n = len(lines.kinds) // 2
    code = index.number[packing.entry[home[0]]]
    digits = packing.digits[home[1]]
    for j in range(n):
        low, radix, stride = packing.lines[j, 0], packing.lines[j, 1], packing.lines[j, 2]
        digit = low + (bit // stride % radix if packing.lines[j, 3] else digits >> 4 * j & 15)
        code |= np.uint64(lines.number[b + j, kinds[j], digit]) << np.uint64(5 * (2 * n - 1 - b - j))
    return code


@kernel
def solutions(
    index: Index,
    packing: Packing,
    work: Workspace,
    shape: Shape,
    distance: NDArray[np.uint8],
    ways: NDArray[np.uint64],
    start: int,
    boards: np.uint64,
    queue: NDArray[np.int64],
) -> np.uint64:
    """The number of shortest solutions of a board, by steps.

    distance: uint8 (g, 64), steps of each board of its group.
    ways: uint64 (g, 64), all 0 before and after.
    start, boards: a word, and the bit in it.
    queue: int64 (boards, 2), room for the group's boards.
    """
    to, moved = np.empty(128, np.int64), np.empty(128, np.uint64)
    queue[0, 0], queue[0, 1] = start, np.int64(boards)
    ways[work.words[start, 3], lowest_bit(boards)] = _ONE
    begin, end, found = 0, 1, _NONE
    while begin < end:
        word, bit = queue[begin, 0], np.uint64(queue[begin, 1])
        here = np.int64(work.words[word, 3])
        place = np.int64(lowest_bit(bit))
        begin += 1
        if distance[here, place] == 0:
            found += ways[here, place]
        else:
            many = neighbours(index, packing, work, shape, True, word, bit, to, moved)
            for move in range(many):
                some, group_word = moved[move], np.int64(work.words[to[move], 3])
                while some:
                    there = np.int64(lowest_bit(some))
                    if distance[group_word, there] + 1 == distance[here, place]:
                        if ways[group_word, there] == 0:
                            queue[end, 0], queue[end, 1] = to[move], np.int64(some & (~some + _ONE))
                            end += 1
                        ways[group_word, there] += ways[here, place]
                    some &= some - _ONE
        ways[here, place] = _NONE
    return found


@kernel
def search_class(
    lines: Lines,
    b: int,
    kinds: NDArray[np.int64],
    index: Index,
    packing: Packing,
    shape: Shape,
    entries: NDArray[np.int32],
    work: Workspace,
    out: Found,
    of_label: NDArray[np.int64],
    key: tuple[int, int, int],
    listed_from: int,
    listed: int,
) -> int:
    """Search one class; return how many starts are listed then.

    b, kinds: its first inner line, and the kinds of these.
    entries: int32 (s), the index entries that have boards.
    of_label: int64 (FIGURES), those of its label.
    key: kind of the red row, pieces across and pieces down.
    listed_from, listed: see :func:`search`.

    It is long because a call costs as much as a small class: the three searches share one loop.
    """
    red, across, down = key
    outer_size, packed_pieces = shape[0], shape[1]
    n = len(lines.kinds) // 2
    to, moved = np.empty(128, np.int64), np.empty(128, np.uint64)
    words, queue, bits, every, home = work.words, work.queue, work.bits, work.every, work.home
    level_ends = work.level_ends
    depth = np.zeros(3, np.int64)
    figures = out.figures[red, across, down]
    codes = out.codes[red, across, down]
    number = 0
    for s in range(len(entries)):  # no board is in a group yet, nor at a level
        every[0], more = 0, 1
        for j in range(n):
            if packing.lines[j, 3]:
                continue
            low, stride = packing.lines[j, 0], packing.lines[j, 2]
            fits = lines.fitting[b + j, kinds[j], index.pattern[entries[s]] >> 6 * j & 63] >> low
            before = more
            more = 0
            kept = -1
            for digit in range(8):
                if fits >> digit & 1:
                    if kept < 0:
                        kept, more = digit, before
                        continue
                    for i in range(before):
                        every[more + i] = every[i] + digit * stride
                    more += before
            for i in range(before):
                every[i] += kept * stride
        for i in range(more):
            work.word[s * outer_size + every[i]] = number
            home[number, 0], home[number, 1] = s, every[i]
            for mode in range(3):
                words[number, mode] = packing.valid[s]
            number += 1
    for seed in range(number):
        while words[seed, FLOOD]:
            size, goals, goal_words = np.int64(0), np.int64(0), 0
            last_count, depth[STEP], depth[UNIT] = np.int64(0), -1, -1
            for mode in range(3):
                end = 0
                if mode == FLOOD:
                    first = words[seed, FLOOD] & (~words[seed, FLOOD] + _ONE)
                    words[seed, FLOOD] ^= first
                    words[seed, 4] = first
                    queue[FLOOD, 0], end = seed, 1
                for i in range(goal_words):
                    word, some = queue[mode, i], bits[mode, i]
                    words[word, mode] ^= some
                    if words[word, 4] == 0:
                        queue[mode, end] = word
                        end += 1
                    words[word, 4] |= some
                if end == 0:
                    break
                begin, level, now = 0, 0, 0
                while begin < end:
                    level_end, count = end, np.int64(0)
                    after = now if mode == FLOOD else 1 - now
                    while begin < level_end:
                        word = queue[mode, begin]
                        boards = words[word, 4 + now]
                        words[word, 4 + now] = _NONE
                        if mode == FLOOD:
                            s = home[word, 0]
                            before_closing = _NONE
                            while before_closing != boards:
                                before_closing = boards
                                for q in range(packed_pieces):
                                    mask, shift = packing.packed_mask[s, q], packing.packed_shift[q]
                                    boards |= (boards & mask) << shift | (boards >> shift) & mask
                            words[word, FLOOD] &= ~boards
                            if index.goal[packing.entry[s]] and packing.goal[home[word, 1]]:
                                some = boards & packing.goal_bits[0]
                                if some:
                                    queue[STEP, goal_words] = queue[UNIT, goal_words] = word
                                    bits[STEP, goal_words] = bits[UNIT, goal_words] = some
                                    goal_words += 1
                                    goals += np.int64(popcount(some))
                        bits[mode, begin] = boards
                        count += np.int64(popcount(boards))
                        begin += 1
                        for move in range(
                            neighbours(index, packing, work, shape, mode == STEP, word, boards, to, moved)
                        ):
                            there = to[move]
                            some = moved[move] & words[there, mode]
                            if some:
                                words[there, mode] ^= some
                                if words[there, 4 + after] == 0:
                                    queue[mode, end] = there
                                    end += 1
                                words[there, 4 + after] |= some
                    if mode == FLOOD:
                        size += count
                    else:
                        out.levels[red, mode - 1, level] += count
                        level_ends[mode, level] = begin
                        last_count = count
                        depth[mode] = level
                    level, now = level + 1, after
                if mode != FLOOD:
                    best = STEPS if mode == STEP else UNITS
                    if depth[mode] > of_label[best]:
                        of_label[best], of_label[best + 1] = depth[mode], 0
                    of_label[best + 1] += last_count if depth[mode] == of_label[best] else 0
                if mode != FLOOD and depth[mode] >= figures[STEPS if mode == STEP else UNITS]:
                    best, place = (STEPS, 0) if mode == STEP else (UNITS, 1)
                    if depth[mode] > figures[best]:
                        figures[best], figures[best + 1], codes[place] = depth[mode], 0, ~_NONE
                    figures[best + 1] += last_count
                    for i in range(level_ends[mode, depth[mode] - 1] if depth[mode] else 0, end):
                        some = bits[mode, i]
                        while some:
                            bit = np.int64(lowest_bit(some))
                            some &= some - _ONE
                            codes[place] = min(
                                codes[place], code_of(lines, b, kinds, index, packing, work.home[queue[mode, i]], bit)
                            )
            for some_figures in (figures, of_label):
                some_figures[GROUPS] += 1
                some_figures[SOLVABLE_GROUPS] += goals > 0
                some_figures[SOLVABLE] += size if goals else 0
            if goals:
                out.depths[red, 0, depth[STEP]] += 1
                out.depths[red, 1, depth[UNIT]] += 1
            if depth[STEP] >= listed_from:
                listed = list_starts(
                    lines, b, kinds, index, packing, shape, work, depth, size, goals, out.starts, listed
                )
    return listed


@kernel
def list_starts(
    lines: Lines,
    b: int,
    kinds: NDArray[np.int64],
    index: Index,
    packing: Packing,
    shape: Shape,
    work: Workspace,
    depth: NDArray[np.int64],
    size: int,
    goals: int,
    starts: NDArray[np.uint64],
    listed: int,
) -> int:
    """Write the farthest boards of a group that was searched just now; return how many are listed then."""
    words, queue, bits, level_ends = work.words, work.queue, work.bits, work.level_ends
    number = np.int64(0)
    for i in range(level_ends[STEP, depth[STEP]]):
        words[queue[STEP, i], 3] = ~_NONE
    for i in range(level_ends[STEP, depth[STEP]]):
        if words[queue[STEP, i], 3] == ~_NONE:
            words[queue[STEP, i], 3] = np.uint64(number)
            number += 1
    steps, units = np.zeros((number, 64), np.uint8), np.zeros((number, 64), np.uint16)
    ways = np.zeros((number, 64), np.uint64)
    for mode in (STEP, UNIT):
        level = 0
        for i in range(level_ends[mode, depth[mode]]):
            while i == level_ends[mode, level]:
                level += 1
            some, here = bits[mode, i], words[queue[mode, i], 3]
            while some:
                if mode == STEP:
                    steps[here, lowest_bit(some)] = level
                else:
                    units[here, lowest_bit(some)] = level
                some &= some - _ONE
    first = level_ends[STEP, depth[STEP] - 1] if depth[STEP] else 0
    last = level_ends[STEP, depth[STEP]]
    as_far = np.int64(0)
    for i in range(first, last):
        as_far += np.int64(popcount(bits[STEP, i]))
    every_board = np.empty((size, 2), np.int64)
    for i in range(first, last):
        some, word = bits[STEP, i], queue[STEP, i]
        while some:
            boards = some & (~some + _ONE)
            some ^= boards
            if listed < len(starts):
                row = starts[listed]
                row[0] = code_of(lines, b, kinds, index, packing, work.home[word], np.int64(lowest_bit(boards)))
                row[1], row[2] = np.uint64(depth[STEP]), np.uint64(units[words[word, 3], lowest_bit(boards)])
                row[3] = solutions(index, packing, work, shape, steps, ways, word, boards, every_board)
                row[4], row[5], row[6] = np.uint64(size), np.uint64(goals), np.uint64(as_far)
            listed += 1
    return listed


@kernel
def search(
    lines: Lines, side: int, labels: NDArray[np.int64], only: NDArray[np.int64], listed_from: int, out: Found
) -> int:
    """Search the classes of some labels whose index is a side: 0 for rows, 1 for columns.

    labels: int64 (labels), kinds of the lines of the side, the last one the last digit.
    only: int64 (n), kinds of the inner lines of the only class of these to search; none for all.
    listed_from: of groups that take so many steps the farthest boards are listed.

    Returns how many starts are listed; more than there is room for are not written.
    """
    n = len(lines.kinds) // 2
    a, b = (0, n) if side == 0 else (n, 0)
    most = 1
    rest = np.ones(n + 1, np.int64)
    for i in range(n):
        greatest = 0
        for k in range(lines.kinds[a + i]):
            greatest = max(greatest, lines.arrangements[a + i, k])
        most *= greatest
    for j in range(n - 1, -1, -1):
        greatest = 0
        for k in range(lines.kinds[b + j]):
            greatest = max(greatest, lines.arrangements[b + j, k])
        rest[j] = rest[j + 1] * greatest
    most = min(most, rest[0])
    index = Index(
        np.empty(most, np.int64),
        np.empty(most, np.bool_),
        np.empty(most, np.uint64),
        np.empty((most, 24), np.int32),
    )
    packing = Packing(
        np.empty(most, np.int32),
        np.empty(most, np.int32),
        np.empty(most, np.uint64),
        np.empty((most, 12), np.uint64),
        np.empty(12, np.uint64),
        np.empty((most, 12), np.int64),
        np.empty((12, 3), np.int64),
        np.empty(4096, np.int64),
        np.empty(4096, np.int64),
        np.empty(4096, np.bool_),
        np.empty(1, np.uint64),
        np.empty((n, 4), np.int64),
        np.empty(36, np.uint64),
    )
    alive, ways = np.empty((n + 1, most), np.int32), np.empty((n + 1, most), np.int64)
    kinds_a, kinds_b = np.zeros(n, np.int64), np.zeros(n, np.int64)
    number, product = np.zeros(n + 1, np.int64), np.ones(n + 1, np.int64)
    work = workspace(1 << 12, 1 << 12)
    listed = 0
    for place in range(len(labels)):
        left, entries = labels[place], 1
        for i in range(n - 1, -1, -1):
            kinds_a[i] = left % lines.kinds[a + i]
            left //= lines.kinds[a + i]
            entries *= lines.arrangements[a + i, kinds_a[i]]
        least = entries + side
        if rest[0] < least:
            continue
        index_pieces = enter_index(lines, a, kinds_a, index)
        for t in range(entries):
            alive[0, t] = t
            ways[0, t] = 1
        number[0], kinds_b[0], j = entries, -1, 0
        while j >= 0:
            kinds_b[j] += 1
            k = kinds_b[j]
            if k == lines.kinds[b + j]:
                j -= 1
                continue
            if len(only) and k != only[j]:
                continue
            product[j + 1] = product[j] * lines.arrangements[b + j, k]
            if product[j + 1] * rest[j + 1] < least:
                continue
            m = 0
            for i in range(number[j]):
                t = alive[j, i]
                fits = lines.fitting[b + j, k, index.pattern[t] >> 6 * j & 63]
                if fits:
                    alive[j + 1, m], ways[j + 1, m] = t, ways[j, i] * np.int64(popcount(np.uint64(fits)))
                    m += 1
            if m == 0:
                continue
            number[j + 1] = m
            if j < n - 1:
                j += 1
                kinds_b[j] = -1
                continue
            boards = np.int64(0)
            for i in range(m):
                boards += ways[n, i]
            red = kinds_a[lines.row] if side == 0 else kinds_b[lines.row]
            across, down = pieces_of(lines, a, kinds_a), pieces_of(lines, b, kinds_b)
            if side == 1:
                across, down = down, across
            for figures in (out.figures[red, across, down], out.labels[place]):
                figures[CLASSES] += 1
                figures[BOARDS] += boards
            if not lines.solvable[lines.row, red]:
                continue
            entered = alive[n, :m]
            outer_size, packed_pieces, outer_pieces = pack(lines, b, kinds_b, index, packing, entered)
            if m * outer_size > len(work.word) or boards > len(work.every):
                work = workspace(max(2 * m * outer_size, len(work.word)), max(2 * boards, len(work.every)))
            shape = (outer_size, packed_pieces, outer_pieces, index_pieces)
            key, of_label = (red, across, down), out.labels[place]
            listed = search_class(
                lines, b, kinds_b, index, packing, shape, entered, work, out, of_label, key, listed_from, listed
            )
    return listed


@kernel
def workspace(words: int, boards: int) -> Workspace:
    """Room for a class of so many words and boards."""
    return Workspace(
        np.empty(words, np.int32),
        np.empty((boards, 2), np.int32),
        np.zeros((boards, 8), np.uint64),
        np.empty((3, boards), np.int64),
        np.empty((3, boards), np.uint64),
        np.empty(boards, np.int64),
        np.empty((3, 1024), np.int64),
    )


@kernel
def pieces_of(lines: Lines, first: int, kinds: NDArray[np.int64]) -> int:
    """The number of a pair: cars and trucks of some lines."""
    cars, trucks = 0, 0
    for i in range(len(kinds)):
        cars += lines.cars[first + i, kinds[i]]
        trucks += lines.pieces[first + i, kinds[i]] - lines.cars[first + i, kinds[i]]
    return _PAIRS[cars, trucks]


def search_labels(
    lines: Lines, side: int, labels: NDArray[np.int64], listed_from: int, only: tuple[int, ...] = ()
) -> Found:
    """Search the classes of some labels: :func:`search`, with room for what it finds."""
    capacity = 1 << 10
    while True:
        out = Found(
            np.zeros((16, 127, 127, FIGURES), np.int64),
            np.full((16, 127, 127, 2), ~np.uint64(0)),
            np.zeros((16, 2, 1024), np.int64),
            np.zeros((16, 2, 1024), np.int64),
            np.zeros((len(labels), FIGURES), np.int64),
            np.zeros((capacity, 7), np.uint64),
        )
        for figures in (out.figures, out.labels):
            figures[..., STEPS] = figures[..., UNITS] = -1
        listed = search(lines, side, labels, np.array(only, np.int64), listed_from, out)
        if listed <= capacity:
            return out._replace(starts=out.starts[:listed])
        capacity = 1 << listed.bit_length()


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
    """How many labels a side has."""
    n = len(lines.kinds) // 2
    return int(np.prod(lines.kinds[side * n : side * n + n]))


def pieces_of_pair(pair: int) -> tuple[int, int]:
    """Cars and trucks of the number of a pair."""
    cars, trucks = np.argwhere(pair == _PAIRS)[0].tolist()
    return cars, trucks
