"""Unit Rush Hour: all boards whose cars have one cell, searched from all exits at once.

Every cell of a square is a void, or a car that moves along its row, or one that moves along its column. Out is a car of
the first kind at the left end of a given row. (An exit at another side is the same board, turned.)

Rows keep their cars that move along rows, and columns those that move along columns, so these 2 n numbers name a class
that moves do not leave. Symmetries of the square exchange classes, and the 4 n exits: a car that moves along a row at
either end of it, one that moves along a column at either end of it. So one class of each orbit is searched, the one
whose numbers come first, from all exits: the sum over exits that symmetries exchange, times the classes of the orbit,
divided by the number of these exits, is the sum over the classes of the orbit for one exit.

The place of a board in its class is a sum over its rows, so boards that agree in upper rows lie together, and a move in
these rows carries a range of boards to another. The searches from all exits are one: each board has a word with a bit
for every exit that has reached it, and at each distance all moves hand on these words. Groups are counted by joining
the boards of all unit moves (Tarjan 1975); the first board of each knows by its word at the end which exits the group
has.
"""

from functools import lru_cache
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import borrowing, inlined, kernel
from boardspace_kernels.rush_hour.figures import (
    BOARDS,
    CLASSES,
    FIGURES,
    GROUPS,
    SOLVABLE,
    SOLVABLE_GROUPS,
    STEPS,
    UNITS,
)

Words = NDArray[np.uint64]
Bits = NDArray[np.uint32]
Numbers = NDArray[np.int64]


class Found(NamedTuple):
    """Figures of some labels, for every exit row of the upper half.

    figures: int64 (labels, rows, FIGURES), see :mod:`.figures`: of the boards of all classes
        of the orbits that are searched under a label; most moves are one more than they are, and 0 where no board can
        be solved. Of a single label: int64 (rows, FIGURES).
    most: int64 (rows, 2), the most steps and unit moves of all labels, one more than they are.
    codes: uint64 (rows, 2), of the boards that take these the least code: two bits for each cell, the first cell
        highest, 0 for a void, 1 for a car that moves along its row, else 2.
    """

    figures: NDArray[np.int64]
    most: Numbers
    codes: Words


def search_labels(n: int, voids: int, labels: Numbers) -> Found:
    """Search the classes of boards of n x n cells, n at most 5, with so many voids that have one of the labels.

    A label has the numbers of cars that move along rows, digits in base n + 1, the last row the last digit.
    """
    half = (n + 1) // 2
    figures = np.zeros((len(labels), half, FIGURES), np.int64)
    found = Found(figures, np.zeros((half, 2), np.int64), np.zeros((half, 2), np.uint64))
    search(n, voids, labels, patterns_of(n), exits_of(n), found)
    # What eight symmetries find at each exit of an orbit, each class of the orbit finds for one exit.
    exits = np.array([4 if 2 * row == n - 1 else 8 for row in range(half)])[:, None]
    by_exit = [SOLVABLE_GROUPS, SOLVABLE, STEPS + 1, UNITS + 1]
    assert not (figures[..., by_exit] % exits).any(), "an orbit was not searched from all exits"
    figures[..., by_exit] //= exits
    return found


class Exits(NamedTuple):
    """The exits of a square; bits 4 i to 4 i + 3 of a word are those at the left and right end of row i, and at the
    upper and lower end of column i.

    of_row: uint32 (rows of the upper half), the exits that symmetries exchange with the one at the left end of a row.
    places: int64 (4 n, 2, n^2), by the exit, for both symmetries that bring it to the left end of such a row (or for
        one, twice), where they bring each cell.
    """

    of_row: Bits
    places: NDArray[np.int64]


@lru_cache(8)
def exits_of(n: int) -> Exits:
    """The exits, by trying all symmetries."""
    cells, last = [*product(range(n), range(n))], n - 1
    ends = [((i, 0), (i, last), (0, i), (last, i))[side] for i in range(n) for side in range(4)]
    of_row, found = np.zeros((n + 1) // 2, np.uint32), [list[list[int]]() for _ in ends]
    for turned, flipped, upside in product((False, True), repeat=3):

        def image(row: int, column: int, of: tuple[bool, ...] = (turned, flipped, upside)) -> tuple[int, int]:
            """Where a symmetry brings a cell."""
            r, c = (column, row) if of[0] else (row, column)
            return (last - r if of[2] else r), (last - c if of[1] else c)

        for bit, end in enumerate(ends):
            row, column = image(*end)
            if (bit % 4 > 1) == turned and column == 0 and row < len(of_row):
                of_row[row] |= np.uint32(1 << bit)
                found[bit].append([n * r + c for r, c in (image(*cell) for cell in cells)])
    return Exits(of_row, np.array([[some[0], some[-1]] for some in found], np.int64))


class Rows(NamedTuple):
    """Rows of n cells, and labels of n numbers.

    cars: int64 (n + 1, 2^n, ways): by a number of cars that move along the row, and the cells of others, the cells that
    they can have. ways: int64 (n + 1, 2^n), how many there are. rank: int64 (2^n, 2^n), the place of cells among these.
    one: int64 (2^n), the label with 1 at each of the cells. cells: int64 (n + 1, labels), those where a label has at
    least this number.
    numbers: int64 (labels, n), the digits of a label in base n + 1, the last one last: so labels are in the order of
    their numbers. turned: int64 (labels), the label of these numbers from the last to the first.
    total, most: int64 (labels), the sum and the greatest of a label's numbers.
    """

    cars: NDArray[np.int64]
    ways: NDArray[np.int64]
    rank: NDArray[np.int64]
    one: Numbers
    cells: NDArray[np.int64]
    numbers: NDArray[np.int64]
    turned: Numbers
    total: Numbers
    most: Numbers


@lru_cache(8)
def patterns_of(n: int) -> Rows:
    """The rows of n cells."""
    every, columns = 1 << n, np.arange(n)
    digits = (n + 1) ** columns[::-1]
    numbers = np.arange((n + 1) ** n)[:, None] // digits % (n + 1)
    cars, ways = np.zeros((n + 1, every, every), np.int64), np.zeros((n + 1, every), np.int64)
    rank = np.zeros((every, every), np.int64)
    for taken, mine in product(range(every), repeat=2):
        if not mine & taken:
            number = mine.bit_count()
            cars[number, taken, ways[number, taken]] = mine
            rank[taken, mine] = ways[number, taken]
            ways[number, taken] += 1
    one = (np.arange(every)[:, None] >> columns & 1) @ digits
    cells = (numbers >= np.arange(n + 1)[:, None, None]) @ (1 << columns)
    return Rows(cars, ways, rank, one, cells, numbers, numbers @ digits[::-1], numbers.sum(axis=1), numbers.max(axis=1))


@kernel
def search(n: int, voids: int, labels: Numbers, rows: Rows, exits: Exits, found: Found) -> None:
    """Add up figures of the classes of each label, times the exits that symmetries exchange where they are by exit."""
    turned, work = rows.turned, workspace(1 << 12, 1 << 14)
    for place in range(len(labels)):
        label, along = labels[place], rows.numbers[labels[place]]
        cars = n * n - voids - rows.total[label]
        # The square upside down reverses a label; the smaller of the two stands for both.
        if cars < 0 or turned[label] < label:
            continue
        ways = completions(n, along, cars, rows)
        of_label = Found(found.figures[place], found.most, found.codes)
        for other in range((n + 1) ** n):
            boards = int(np.int64(ways.counts[0, other]))
            if boards == 0 or rows.total[other] != cars:
                continue
            # The same for columns; rows and columns changed places exchange the labels, so the smaller one comes first.
            if turned[other] < other or other < label:
                continue
            # Classes of the orbit: each of the three symmetries doubles them, unless it keeps the labels as they are.
            images = (1 + (label < turned[label])) * (1 + (other < turned[other])) * (1 + (label < other))
            if boards > len(work.boards):
                work = workspace(2 * boards, len(work.lengths))
            for row in range(len(of_label.figures)):
                of_label.figures[row, CLASSES] += images
                of_label.figures[row, BOARDS] += images * boards
            for metric in range(2):
                farthest = n - 1 if metric == 0 else 1
                moves = build(farthest, along, other, ways, work)
                if moves > len(work.lengths):
                    work = workspace(len(work.boards), 2 * moves)
                    # Moves beyond the arrays were only counted, so all are written again.
                    build(farthest, along, other, ways, work)
                used = part_of(work, boards, moves)
                spread(used, images, metric, exits, of_label)
            # The second turn has left the unit moves in `used`, and the exits that boards can reach.
            count_groups(used, images, exits, of_label.figures)


class Ways(NamedTuple):
    """Ways to fill a row and those below it, by the row and the label of what columns need in these rows.

    rows: the rows that they are filled with.
    counts: uint32 (n + 1, labels), how many there are.
    begins: uint32 (n, labels, 2^n), how many of them come before those with given cells of columns' cars.
    """

    rows: Rows
    counts: NDArray[np.uint32]
    begins: NDArray[np.uint32]


@kernel
def completions(n: int, along: Numbers, cars: int, rows: Rows) -> Ways:
    """The ways to fill rows with so many cars along them; labels of more than ``cars`` in all are left out."""
    labels = (n + 1) ** n
    counts, begins = np.zeros((n + 1, labels), np.uint32), np.zeros((n, labels, 1 << n), np.uint32)
    counts[n, 0] = 1
    for row in range(n - 1, -1, -1):
        for need in range(labels):
            if rows.total[need] > cars or rows.most[need] > n - row:
                continue
            for cells in range(1 << n):
                # A running sum over the cells, taken before their own ways are added.
                begins[row, need, cells] = counts[row, need]
                if not cells & ~rows.cells[1, need]:
                    # Only columns that need a car have one, so no digit of the label borrows from the next.
                    counts[row, need] += np.uint32(
                        rows.ways[along[row], cells] * counts[row + 1, need - rows.one[cells]]
                    )
    return Ways(rows, counts, begins)


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


@kernel
def part_of(work: Work, boards: int, moves: int) -> Work:
    """The part of the arrays that so many boards and moves take."""
    return Work(
        work.boards[:boards],
        work.seen[:boards],
        work.coming[:boards],
        work.here[:moves],
        work.there[:moves],
        work.lengths[:moves],
    )


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


@kernel
def spread(work: Work, images: int, metric: int, exits: Exits, found: Found) -> None:
    """Search a class from all exits, and note the boards that take the most moves; ``work.seen`` are the exits that
    boards can reach at the end."""
    seen, coming, distance = work.seen, work.coming, 0
    coming[:] = 0
    note(0, np.uint64((1 << len(exits.places)) - 1), images, metric, exits, work, found)
    while True:
        for place in range(len(seen)):
            coming[place] = seen[place]
        for move in range(len(work.here)):
            carry(seen, coming, work.here[move], work.there[move], work.lengths[move])
        fresh = np.uint32(0)
        for place in range(len(seen)):
            fresh |= coming[place] ^ seen[place]
        # Nothing is new, so both arrays are equal, and it does not matter which of them is `work.seen`.
        if not fresh:
            return
        distance += 1
        note(distance, fresh, images, metric, exits, work, found)
        seen, coming = coming, seen


@inlined
def carry(seen: Bits, coming: Bits, here: np.uint32, there: np.uint32, length: np.uint32) -> None:
    """Let the exits that have reached boards reach those one move away."""
    # Indices without a sign, for which numba asks no question.
    a, b = np.uint64(here), np.uint64(there)
    if length == 1:
        coming[a] |= seen[b]
        coming[b] |= seen[a]
        return
    for k in range(np.uint64(length)):
        coming[a + k] |= seen[b + k]
    for k in range(np.uint64(length)):
        coming[b + k] |= seen[a + k]


@kernel
def note(distance: int, any_of: np.uint64, images: int, metric: int, exits: Exits, work: Work, found: Found) -> None:
    """Count the boards that exits reach first at this distance, where none of the label takes more moves.

    any_of: the exits that reach a board first at this distance, or more of them.
    """
    moves = STEPS if metric == 0 else UNITS
    figures, most, codes = found
    for row in range(len(exits.of_row)):
        of_row = exits.of_row[row]
        if not any_of & of_row or distance + 1 < figures[row, moves]:
            continue
        starts = 0
        for place in range(len(work.boards)):
            # What has reached a board stays, so a difference is what is new, whichever array has it.
            fresh = (work.coming[place] ^ work.seen[place]) & of_row
            if fresh:
                starts += np.int64(popcount(np.uint64(fresh)))
                if distance + 1 >= most[row, metric]:
                    code = least_code(work.boards[place], fresh, exits)
                    if distance + 1 > most[row, metric] or code < codes[row, metric]:
                        most[row, metric], codes[row, metric] = distance + 1, code
        if starts and distance + 1 > figures[row, moves]:
            figures[row, moves], figures[row, moves + 1] = distance + 1, 0
        figures[row, moves + 1] += images * starts


@kernel
def least_code(board: np.uint64, ends: np.uint32, exits: Exits) -> np.uint64:
    """The least code of a board, turned so that one of the exits is at the left end of a row of the upper half."""
    least, (ends_of_lines, _, cells) = np.uint64((1 << 64) - 1), exits.places.shape
    for bit in range(ends_of_lines):
        if not ends >> np.uint32(bit) & np.uint32(1):
            continue
        # Exits at the ends of columns need rows and columns changed places, so the two sorts of cars change as well.
        turned = bit % 4 > 1
        for image in range(2):
            code = np.uint64(0)
            for cell in range(cells):
                along, down = board >> np.uint64(cell) & np.uint64(1), board >> np.uint64(32 + cell) & np.uint64(1)
                sign = down + np.uint64(2) * along if turned else along + np.uint64(2) * down
                code |= sign << np.uint64(2 * (cells - 1 - exits.places[bit, image, cell]))
            least = min(least, code)
    return least


@kernel
def count_groups(work: Work, images: int, exits: Exits, figures: NDArray[np.int64]) -> None:
    """Add the groups of a class searched by unit moves, and the boards and groups that exits can reach."""
    first, boards = work.coming, len(work.boards)  # of each board one before it of its group, itself if there is none
    groups = boards
    for place in range(boards):
        first[place] = place
    for move in range(len(work.here)):
        here, there = work.here[move], work.there[move]
        for k in range(np.uint64(work.lengths[move])):
            one, other = first_of(first, here + k), first_of(first, there + k)
            if one != other:
                # The smaller one leads, so a group's first board is its root.
                first[max(one, other)] = np.uint32(min(one, other))
                groups -= 1
    for row in range(len(exits.of_row)):
        solvable, solvable_groups = 0, 0
        for place in range(boards):
            found = np.int64(popcount(np.uint64(work.seen[place] & exits.of_row[row])))
            solvable += found
            if first[place] == place:
                solvable_groups += found
        figures[row, GROUPS] += images * groups
        figures[row, SOLVABLE] += images * solvable
        figures[row, SOLVABLE_GROUPS] += images * solvable_groups


@inlined
def first_of(first: Bits, place: int) -> np.uint64:
    """The first board of a group as far as it is joined; boards on the way then lead to one twice as near to it."""
    at = np.uint64(place)
    while first[at] != at:
        first[at] = first[np.uint64(first[at])]
        at = np.uint64(first[at])
    return at
