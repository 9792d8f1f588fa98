"""Groups of a class of Rush Hour, the least moves of their boards, and the farthest: searches by levels, word by word.

A group is flooded by unit moves from the first board that no group has yet. If it has goals, a search by levels starts
from all of them, once with steps and once with unit moves. A search takes a word as often as it gets new bits; a word
has two to five boards, which mostly come together. A group has some hundred boards, so a call from one of these
searches to another would cost as much as the search: they are parts of one compiled function.

The farthest boards of a group are listed with the number of their shortest solutions. The search of the group has left
the boards of each level in its queues. A board's shortest solutions are the ways that go down a level with each step;
they are counted from the board on, one board after another in the order of a queue, which is that of the levels.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.jit import inlined_by_llvm, kernel
from boardspace_kernels.rush_hour.figures import GROUPS, SOLVABLE, SOLVABLE_GROUPS, STEPS, UNITS
from boardspace_kernels.rush_hour.moves import FLOOD, LEVEL, NEXT, NUMBER, STEP, UNIT, Workspace, neighbours
from boardspace_kernels.rush_hour.packing import ENTRIES, LOW, OUTER_SIZE, PACKED, PACKED_PIECES, STRIDE, Class, code_of

_ONE, _NONE = np.uint64(1), np.uint64(0)


class Sums(NamedTuple):
    """Figures that a class is added to.

    pieces, label: int64 (FIGURES), of its set of pieces and of its label. Most steps and most unit moves are one more
        than they are, and 0 where nothing is solvable, so that tables begin as zeros, which cost nothing.
    codes: uint64 (2), of this set the least code of a start with most steps, and of one with most unit moves, where
        something is solvable.
    levels: int64 (2, 1024), boards by least steps or unit moves.
    depths: int64 (2, 1024), groups by the greatest of their steps or unit moves.
    starts: uint64 (capacity, 7), of the farthest boards of groups: code, steps, unit moves, shortest solutions, boards
        and goals of the group, starts as far.
    listed: int64 (1), how many such boards there are; more than the capacity are not written.
    """

    pieces: NDArray[np.int64]
    label: NDArray[np.int64]
    codes: NDArray[np.uint64]
    levels: NDArray[np.int64]
    depths: NDArray[np.int64]
    starts: NDArray[np.uint64]
    listed: NDArray[np.int64]


@kernel
def search_class(one: Class, work: Workspace, sums: Sums, listed_from: int) -> None:
    """Search one class.

    listed_from: of groups that take so many steps the farthest boards are listed.
    """
    words, none = work.words, np.int64(-1)
    for seed in range(_number_words(one, work)):
        while words[seed, FLOOD]:
            size, goals, goal_words = _flood(one, work, seed)
            steps, units = none, none
            if goals:
                # One call for both searches, as it is inlined: after two turns each result has come to its place.
                for mode in (STEP, UNIT):
                    steps, units = units, _search_levels(one, work, sums, mode, goal_words)
            for figures in (sums.pieces, sums.label):
                figures[GROUPS] += 1
                figures[SOLVABLE_GROUPS] += goals > 0
                figures[SOLVABLE] += size if goals else 0
            if steps >= listed_from:
                sums.listed[0] = list_starts(one, work, (steps, units, size, goals), sums.starts, sums.listed[0])


@kernel
def _number_words(one: Class, work: Workspace) -> int:
    """Number the words that have boards, in no group yet and at no level; return how many there are."""
    every, packing, b, kinds, fitting = work.every, one.packing, one.inner_line, one.inner_kinds, one.lines.fitting
    lines, pattern, outer_size, number = packing.lines, one.index.pattern, one.counts[OUTER_SIZE], 0
    for s in range(one.counts[ENTRIES]):
        every[0], more = 0, 1
        for j in range(len(kinds)):
            if lines[j, PACKED]:
                continue
            fits = fitting[b + j, kinds[j], pattern[packing.entry[s]] >> 6 * j & 63] >> lines[j, LOW]
            before, more, kept = more, 0, -1
            for digit in range(8):
                if fits >> digit & 1:
                    if kept < 0:  # in place, after the others were made of these
                        kept, more = digit, before
                        continue
                    for i in range(before):
                        every[more + i] = every[i] + digit * lines[j, STRIDE]
                    more += before
            for i in range(before):
                every[i] += kept * lines[j, STRIDE]
        for i in range(more):
            work.word[s * outer_size + every[i]] = number
            work.home[number, 0], work.home[number, 1] = s, every[i]
            # LEVEL and NEXT are 0: each search clears what it has set there.
            for mode in range(3):
                work.words[number, mode] = packing.valid[s]
            number += 1
    return number


@inlined_by_llvm
def _flood(one: Class, work: Workspace, seed: int) -> tuple[int, int, int]:
    """Find the group of the first board of a word that is in none: its boards, goals, and words that have goals.

    The words with goals begin the queues of the other searches.
    """
    packing, goal_entries, packed_pieces = one.packing, one.index.goal, one.counts[PACKED_PIECES]
    words, queue, bits, moved = work.words, work.queue, work.bits, work.moved
    # The lowest bit: unsigned -x is ~x + 1.
    first = words[seed, FLOOD] & (~words[seed, FLOOD] + _ONE)
    words[seed, FLOOD] ^= first
    words[seed, LEVEL] = first
    queue[FLOOD, 0] = seed
    begin, end, size, goals, goal_words = 0, 1, np.int64(0), np.int64(0), 0
    while begin < end:
        word = queue[FLOOD, begin]
        begin += 1
        boards, closing, s = words[word, LEVEL], _NONE, work.home[word, 0]
        words[word, LEVEL] = _NONE
        while closing != boards:  # moves within the word, as often as they find something
            closing = boards
            for q in range(packed_pieces):
                mask, shift = packing.packed_mask[s, q], packing.packed_shift[q]
                boards |= (boards & mask) << shift | (boards >> shift) & mask
        words[word, FLOOD] &= ~boards
        # What earlier turns found of the word was closed under moves, which go both ways: none of these was counted.
        size += np.int64(popcount(boards))
        if goal_entries[packing.entry[s]] and packing.goal[work.home[word, 1]]:
            some = boards & packing.goal_bits[0]
            if some:
                queue[STEP, goal_words] = queue[UNIT, goal_words] = word
                bits[STEP, goal_words] = bits[UNIT, goal_words] = some
                goal_words += 1
                goals += np.int64(popcount(some))
        for move in range(neighbours(one, work, FLOOD, word, boards)):
            there = work.to[move]
            some = moved[move] & words[there, FLOOD]
            if some:
                # Taken when they are found, so that no board is found twice; they wait in LEVEL until the word's turn.
                words[there, FLOOD] ^= some
                if not words[there, LEVEL]:
                    queue[FLOOD, end] = there
                    end += 1
                words[there, LEVEL] |= some
    return size, goals, goal_words


@inlined_by_llvm
def _search_levels(one: Class, work: Workspace, sums: Sums, mode: int, goal_words: int) -> int:
    """Find the least steps, or unit moves, of all boards of a group; return the greatest.

    goal_words: so many words that have goals begin the queue.
    """
    words, queue, bits = work.words, work.queue, work.bits
    end = 0
    for i in range(goal_words):
        # A word that the flood took more than once comes again. What is written here lies at or before what is read.
        word = queue[mode, i]
        words[word, mode] ^= bits[mode, i]
        if not words[word, LEVEL]:
            queue[mode, end] = word
            end += 1
        words[word, LEVEL] |= bits[mode, i]
    # Two columns hold the boards of this level and the next, and change places.
    begin, level, now, count = 0, 0, LEVEL, np.int64(0)
    while begin < end:
        level_end, after = end, LEVEL + NEXT - now
        count = 0
        while begin < level_end:
            word = queue[mode, begin]
            boards = words[word, now]
            words[word, now] = _NONE
            bits[mode, begin] = boards
            count += np.int64(popcount(boards))
            begin += 1
            for move in range(neighbours(one, work, mode, word, boards)):
                there = work.to[move]
                # Boards at no level yet; moves can be taken back, so what is met again is of this level or of the two
                # beside it.
                some = work.moved[move] & words[there, mode]
                if some:
                    words[there, mode] ^= some
                    if not words[there, after]:
                        queue[mode, end] = there
                        end += 1
                    words[there, after] |= some
        sums.levels[mode - 1, level] += count
        work.level_ends[mode, level] = begin
        level, now = level + 1, after
    sums.depths[mode - 1, level - 1] += 1
    _count_farthest(one, work, sums, mode, level - 1, count)
    return level - 1


@inlined_by_llvm
def _count_farthest(one: Class, work: Workspace, sums: Sums, mode: int, depth: int, count: int) -> None:
    """Count the farthest boards of a group, where none were as far before."""
    most, place = STEPS if mode == STEP else UNITS, mode - 1
    # Most moves are kept as one more than they are, so this asks whether these are more.
    if depth >= sums.pieces[most]:
        sums.codes[place] = ~_NONE
    for figures in (sums.pieces, sums.label):
        if depth >= figures[most]:
            figures[most], figures[most + 1] = depth + 1, 0
        figures[most + 1] += count if depth + 1 == figures[most] else 0
    if depth + 1 == sums.pieces[most]:
        for i in range(work.level_ends[mode, depth - 1] if depth else 0, work.level_ends[mode, depth]):
            some, word = work.bits[mode, i], work.queue[mode, i]
            while some:
                bit = np.int64(lowest_bit(some))
                some &= some - _ONE
                code = code_of(one, work.home[word, 0], work.home[word, 1], bit)
                sums.codes[place] = min(sums.codes[place], code)


@kernel
def list_starts(
    one: Class, work: Workspace, group: tuple[int, int, int, int], starts: NDArray[np.uint64], listed: int
) -> int:
    """Write the farthest boards of the group that was searched just now; return how many are listed then.

    group: its most steps and most unit moves, its boards and goals.
    starts: uint64 (capacity, 7), see :class:`Sums`.
    """
    most_steps, most_units, size, goals = group
    words, queue, bits = work.words, work.queue, work.bits
    first = work.level_ends[STEP, most_steps - 1] if most_steps else 0
    last = work.level_ends[STEP, most_steps]
    number = np.int64(0)
    for i in range(last):
        words[queue[STEP, i], NUMBER] = ~_NONE
    # A word stands in the queue as often as it got boards, so those that have a number already are passed over.
    for i in range(last):
        if words[queue[STEP, i], NUMBER] == ~_NONE:
            words[queue[STEP, i], NUMBER] = np.uint64(number)
            number += 1
    steps = _levels_of_boards(work, number, STEP, most_steps)
    units = _levels_of_boards(work, number, UNIT, most_units)
    ways, every_board = np.zeros((number, 64), np.uint64), np.empty((size, 2), np.int64)
    as_far = np.int64(0)
    for i in range(first, last):
        as_far += np.int64(popcount(bits[STEP, i]))
    for i in range(first, last):
        some, word = bits[STEP, i], queue[STEP, i]
        while some:
            board = some & (~some + _ONE)
            some ^= board
            if listed < len(starts):
                row, bit = starts[listed], np.int64(lowest_bit(board))
                row[0] = code_of(one, work.home[word, 0], work.home[word, 1], bit)
                row[1], row[2] = np.uint64(most_steps), np.uint64(units[words[word, NUMBER], bit])
                row[3] = _solutions(one, work, steps, ways, every_board, word, board)
                row[4], row[5], row[6] = np.uint64(size), np.uint64(goals), np.uint64(as_far)
            listed += 1
    return listed


@kernel
def _levels_of_boards(work: Workspace, number: int, mode: int, most: int) -> NDArray[np.uint16]:
    """The level of each board of the group in a search, uint16 (words, 64), by the word's number in the group.

    number: of words; most: the last level.
    """
    levels, level = np.zeros((number, 64), np.uint16), 0
    for i in range(work.level_ends[mode, most]):
        # Queues hold one level after another.
        while i == work.level_ends[mode, level]:
            level += 1
        some, here = work.bits[mode, i], work.words[work.queue[mode, i], NUMBER]
        while some:
            levels[here, lowest_bit(some)] = level
            some &= some - _ONE
    return levels


@kernel
def _solutions(
    one: Class,
    work: Workspace,
    steps: NDArray[np.uint16],
    ways: NDArray[np.uint64],
    queue: NDArray[np.int64],
    word: int,
    board: np.uint64,
) -> np.uint64:
    """The number of shortest solutions of a board, by steps.

    steps: uint16 (g, 64), of each board of its group, by the word's number in the group.
    ways: uint64 (g, 64), all 0 before and after.
    queue: int64 (boards, 2), room for the group's boards.
    word, board: a word, and the bit in it.
    """
    queue[0, 0], queue[0, 1] = word, np.int64(board)
    ways[work.words[word, NUMBER], lowest_bit(board)] = _ONE
    begin, end, found = 0, 1, _NONE
    while begin < end:
        word, board = queue[begin, 0], np.uint64(queue[begin, 1])
        here, bit = np.int64(work.words[word, NUMBER]), np.int64(lowest_bit(board))
        begin += 1
        # Boards that are a step farther from the goals came before this one in the queue, so its ways are complete.
        if steps[here, bit] == 0:
            found += ways[here, bit]
        else:
            for move in range(neighbours(one, work, STEP, word, board)):
                some, group_word = work.moved[move], np.int64(work.words[work.to[move], NUMBER])
                while some:
                    there = np.int64(lowest_bit(some))
                    if steps[group_word, there] + 1 == steps[here, bit]:
                        # Without a way so far it is not in the queue yet.
                        if ways[group_word, there] == 0:
                            queue[end, 0], queue[end, 1] = work.to[move], np.int64(some & (~some + _ONE))
                            end += 1
                        ways[group_word, there] += ways[here, bit]
                    some &= some - _ONE
        # Cleared board by board, which costs less than all of them for each start.
        ways[here, bit] = _NONE
    return found
