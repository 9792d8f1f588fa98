"""The farthest boards of a group, listed with the number of their shortest solutions.

The search of the group has left the boards of each level in its queues. A board's shortest solutions are the ways that
go down a level with each step; they are counted from the board on, one board after another in the order of a queue,
which is that of the levels.
"""

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.rush_hour.moves import NUMBER, STEP, UNIT, Workspace, neighbours
from boardspace_kernels.rush_hour.packing import Class, code_of

_ONE, _NONE = np.uint64(1), np.uint64(0)


@kernel
def list_starts(
    one: Class, work: Workspace, group: tuple[int, int, int, int], starts: NDArray[np.uint64], listed: int
) -> int:
    """Write the farthest boards of the group that was searched just now; return how many are listed then.

    group: its most steps and most unit moves, its boards and goals.
    starts: uint64 (capacity, 7), see :class:`~.groups.Sums`.
    """
    most_steps, most_units, size, goals = group
    words, queue, bits = work.words, work.queue, work.bits
    first = work.level_ends[STEP, most_steps - 1] if most_steps else 0
    last = work.level_ends[STEP, most_steps]
    number = np.int64(0)
    for i in range(last):
        words[queue[STEP, i], NUMBER] = ~_NONE
    for i in range(last):
        if words[queue[STEP, i], NUMBER] == ~_NONE:
            words[queue[STEP, i], NUMBER] = np.uint64(number)
            number += 1
    steps, units = np.zeros((number, 64), np.uint8), np.zeros((number, 64), np.uint16)
    ways, every_board = np.zeros((number, 64), np.uint64), np.empty((size, 2), np.int64)
    for mode in (STEP, UNIT):
        level = 0
        for i in range(work.level_ends[mode, most_steps if mode == STEP else most_units]):
            while i == work.level_ends[mode, level]:
                level += 1
            some, here = bits[mode, i], words[queue[mode, i], NUMBER]
            while some:
                if mode == STEP:
                    steps[here, lowest_bit(some)] = level
                else:
                    units[here, lowest_bit(some)] = level
                some &= some - _ONE
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
def _solutions(
    one: Class,
    work: Workspace,
    steps: NDArray[np.uint8],
    ways: NDArray[np.uint64],
    queue: NDArray[np.int64],
    word: int,
    board: np.uint64,
) -> np.uint64:
    """The number of shortest solutions of a board, by steps.

    steps: uint8 (g, 64), of each board of its group, by the word's number in the group.
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
        if steps[here, bit] == 0:
            found += ways[here, bit]
        else:
            for move in range(neighbours(one, work, STEP, word, board)):
                some, group_word = work.moved[move], np.int64(work.words[work.to[move], NUMBER])
                while some:
                    there = np.int64(lowest_bit(some))
                    if steps[group_word, there] + 1 == steps[here, bit]:
                        if ways[group_word, there] == 0:
                            queue[end, 0], queue[end, 1] = work.to[move], np.int64(some & (~some + _ONE))
                            end += 1
                        ways[group_word, there] += ways[here, bit]
                    some &= some - _ONE
        ways[here, bit] = _NONE
    return found
