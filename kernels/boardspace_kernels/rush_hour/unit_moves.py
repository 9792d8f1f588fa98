"""Boards and moves of a class of unit Rush Hour (:mod:`.unit`).

The place of a board in its class is a sum over its rows, so boards that agree in upper rows make a range, and a move in
these rows carries a range of boards to another.
"""

from typing import NamedTuple

import numpy as np

from boardspace_kernels.jit import borrowing, inlined, kernel
from boardspace_kernels.rush_hour.unit_tables import Bits, Numbers, Ways, Words


class Work(NamedTuple):
    """Arrays for a class.

    boards: uint64 (boards), bits of cars that move along rows in the lower half, of others in the upper half.
    seen, coming: uint32 (boards), a bit for each exit: 4 i to 4 i + 3 are those at the left and right end of row i, and
    at the upper and lower end of column i.
    here, there, lengths: uint32 (moves); a move leads from so many boards, one after the other, to as many others.
    """

    boards: Words
    seen: Bits
    coming: Bits
    here: Bits
    there: Bits
    lengths: Bits


@kernel
def workspace(boards: int, moves: int) -> Work:
    """Room for so many boards and moves."""
    words, seen, coming = np.empty(boards, np.uint64), np.empty(boards, np.uint32), np.empty(boards, np.uint32)
    here, there, lengths = np.empty(moves, np.uint32), np.empty(moves, np.uint32), np.empty(moves, np.uint32)
    return Work(words, seen, coming, here, there, lengths)


class Filled(NamedTuple):
    """Rows that are filled, from the first one on.

    other, own: int64 (n), of each row the cells of cars that move along columns, and of those that move along it.
    need, place: int64 (n + 1), before each row the label of what columns need, and the place of the first board.
    """

    other: Numbers
    own: Numbers
    need: Numbers
    place: Numbers


@kernel
def build(farthest: int, along: Numbers, label: int, ways: Ways, work: Work) -> int:
    """Write the boards of a class, the exits at which they are solved, and the moves to the right and down (the others
    are these, taken back). Return the number of moves, of which those that fit are written.

    The place of a board is a sum over its rows, and boards that agree in their upper rows make a range. So a move in
    upper rows carries a range to a range.
    """
    n, rows = len(along), ways.rows
    filled = Filled(np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64))
    some, way = np.zeros(n, np.int64), np.full(n, -1)
    board, exits = np.zeros(n + 1, np.uint64), np.zeros(n + 1, np.uint32)
    filled.need[0], moves, row = label, 0, 0
    while row >= 0:
        way[row] += 1
        need = filled.need[row]
        # Columns that need a car in each row that is left have one in this row, and some of those that need fewer.
        always = rows.cells[n - row, need]
        above = always | some[row]
        below = need - rows.one[above]
        length = np.int64(ways.counts[row + 1, below])
        if way[row] == rows.ways[along[row], above] or length == 0:
            others = rows.cells[1, need] & ~always
            # The next set of these columns in ascending order; after the last one comes 0.
            some[row], way[row] = some[row] - others & others, -1
            if some[row] == 0:
                row -= 1
            continue
        cars = rows.cars[along[row], above, way[row]]
        filled.other[row], filled.own[row], filled.need[row + 1] = above, cars, below
        # Each rank of the row stands for a range of `length` boards.
        filled.place[row + 1] = filled.place[row] + ways.begins[row, need, above] + rows.rank[above, cars] * length
        moves = add_moves_right(row, farthest, filled, ways, work, moves)
        moves = add_moves_down(row, farthest, filled, ways, work, moves)
        board[row + 1] = board[row] | np.uint64(cars << n * row) | np.uint64(above << n * row) << np.uint64(32)
        exits[row + 1] = exits[row] | np.uint32(cars & 1 | (cars >> n - 1) << 1) << np.uint32(4 * row)
        # Cars of columns are at an exit in the first row and in the last.
        if row == 0 or row == n - 1:
            for column in range(n):
                exits[row + 1] |= np.uint32(above >> column & 1) << np.uint32(4 * column + (2 if row == 0 else 3))
        if row < n - 1:
            row += 1
        else:
            work.boards[filled.place[n]], work.seen[filled.place[n]] = board[n], exits[n]
    return moves


@borrowing
def add_moves_right(row: int, farthest: int, filled: Filled, ways: Ways, work: Work, moves: int) -> int:
    """Add the moves to the right in the last row that is filled; return how many moves there are now."""
    other, own, rank = filled.other[row], filled.own[row], ways.rows.rank
    here, length = filled.place[row + 1], np.int64(ways.counts[row + 1, filled.need[row + 1]])
    voids = (1 << len(filled.own)) - 1 & ~(other | own)
    for column in range(len(filled.own)):
        bit = 1 << column
        for far in range(1, farthest + 1 if own & bit else 1):
            if not voids & bit << far:
                break
            shifted = (rank[other, own ^ bit ^ bit << far] - rank[other, own]) * length
            moves = add_move(here, here + shifted, length, work, moves)
    return moves


@borrowing
def add_moves_down(row: int, farthest: int, filled: Filled, ways: Ways, work: Work, moves: int) -> int:
    """Add the moves down to the last row that is filled; return how many moves there are now."""
    here, length = filled.place[row + 1], np.int64(ways.counts[row + 1, filled.need[row + 1]])
    for column in range(len(filled.own)):
        bit = 1 << column
        if (filled.other[row] | filled.own[row]) & bit:
            continue
        for far in range(1, min(farthest, row) + 1):
            if filled.own[row - far] & bit:
                break
            # The nearest car above comes down, past voids alone, and no car behind it can.
            if filled.other[row - far] & bit:
                # Below this row columns need as many cars as before, so the other range is as long.
                moves = add_move(here, moved_down(row, far, bit, filled, ways), length, work, moves)
                break
    return moves


@inlined
def add_move(here: int, there: int, length: int, work: Work, moves: int) -> int:
    """Add a move of so many boards, if it fits; return how many moves there are now."""
    if moves < len(work.lengths):
        work.here[moves], work.there[moves], work.lengths[moves] = here, there, length
    return moves + 1


@kernel
def moved_down(row: int, far: int, bit: int, filled: Filled, ways: Ways) -> int:
    """The place of the first board that a car comes to which moves down ``far`` rows to this one."""
    begin = row - far
    wanted, found = filled.need[begin], filled.place[begin]
    for some in range(begin, row + 1):
        cells = filled.other[some] ^ (bit if some in (begin, row) else 0)
        before, wanted = wanted, wanted - ways.rows.one[cells]
        length = np.int64(ways.counts[some + 1, wanted])
        found += ways.begins[some, before, cells] + ways.rows.rank[cells, filled.own[some]] * length
    return found
