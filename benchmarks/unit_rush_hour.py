"""``python -m benchmarks.unit_rush_hour N VOIDS [METRIC]``: the longest escapes of Unit Rush Hour, for every row.

All boards of N x N cells with so many voids are searched, from all exits at once, without a list of their groups (a
run lists all groups, of which 5 x 5 with one void has 84,860,492). The program shares nothing with the rules in
``examples/unit_rush_hour.py``; the tests compare the two.

Rows keep their cars that move along rows, and columns those that move along columns, so these 2 N numbers name a class
that moves do not leave. Symmetries of the square exchange classes, and the 4 N exits: a car that moves along rows at
either end of a row, one that moves along columns at either end of a column. So one class of each orbit is searched,
from all exits, and what is found counts for as many classes as the orbit has.

The place of a board in its class is a sum over its rows, so boards that agree in upper rows lie together, and a move in
these rows carries a range of boards to another. The searches from all exits are one: each board has a word with a bit
for every exit that has reached it, and at each distance all moves hand on these words.

Cost: 13 to 28 ns for each board of all classes, by one core.
"""

import sys
import time
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import inlined, kernel

Words = NDArray[np.uint64]
Bits = NDArray[np.uint32]
Numbers = NDArray[np.int64]
METRICS = ("unit_move", "step")


class Longest(NamedTuple):
    """The longest escapes.

    boards: all boards that were searched.
    moves, starts: int64 (rows of the upper half), by the row of the exit the most moves, and the boards that take them.
    examples: one of these each, as text.
    """

    boards: int
    moves: Numbers
    starts: Numbers
    examples: list[str]


def longest_escapes(n: int, voids: int, metric: str, labels: range | None = None) -> Longest:
    """The longest escapes of all boards of n x n cells; ``labels`` restricts the (n + 1)^n numbers of cars in rows."""
    some, half = labels or range((n + 1) ** n), (n + 1) // 2
    found, example = np.zeros((3, half), np.int64), np.zeros(half, np.uint64)
    boards = search(n, voids, n - 1 if metric == "step" else 1, some.start, some.stop, found, example)
    # What eight symmetries find at each exit of an orbit, each class of the orbit finds for one exit.
    exits = np.array([4 if 2 * row == n - 1 else 8 for row in range(half)])
    assert labels is not None or not (found[1] % exits).any(), "an orbit was not searched from all exits"
    texts = [drawing(n, int(example[row]), int(found[2, row]), row) for row in range(half)]
    return Longest(boards, found[0], found[1] // exits, texts)


@kernel
def search(n: int, voids: int, farthest: int, low: int, high: int, found: Numbers, example: Words) -> int:
    """Search the classes whose rows have the numbers of cars of labels ``low`` to ``high`` - 1; return the boards of
    their orbits.

    found: int64 (3, rows), by the row of the exit the most moves, the starts at all exits, and one exit of ``example``.
    """
    rows, total = patterns_of(n), 0
    along, down = np.empty(n, np.int64), np.empty(n, np.int64)
    work = workspace(1 << 12, 1 << 14)
    for label in range(low, high):
        digits(label, along)
        cars = n * n - voids - rows.total[label]
        if cars < 0 or before(along[::-1], along):
            continue
        ways = completions(n, along, cars, rows)
        for other in range((n + 1) ** n):
            boards = int(np.int64(ways.counts[0, other]))
            if boards == 0 or rows.total[other] != cars:
                continue
            digits(other, down)
            if before(down[::-1], down) or before(down, along):
                continue
            images = (1 + before(along, along[::-1])) * (1 + before(down, down[::-1])) * (1 + before(along, down))
            total += images * boards
            if boards > len(work.boards):
                work = workspace(2 * boards, len(work.lengths))
            moves = build(n, farthest, along, other, rows, ways, work)
            if moves > len(work.lengths):
                work = workspace(len(work.boards), 2 * moves)
                build(n, farthest, along, other, rows, ways, work)
            spread(n, boards, moves, images, work, found, example)
    return total


@kernel
def digits(label: int, out: Numbers) -> None:
    """Write the digits of a label in base n + 1, the last one last."""
    rest = label
    for place in range(len(out) - 1, -1, -1):
        out[place] = rest % (len(out) + 1)
        rest //= len(out) + 1


@kernel
def before(one: Numbers, other: Numbers) -> bool:
    """Whether a row of numbers comes before another."""
    for place in range(len(one)):
        if one[place] != other[place]:
            return bool(one[place] < other[place])
    return False


class Rows(NamedTuple):
    """Rows of n cells, and labels of n numbers.

    cars: int64 (n + 1, 2^n, ways): by a number of cars that move along the row, and the cells of others, the cells that
    they can have. ways: int64 (n + 1, 2^n), how many there are. rank: int64 (2^n, 2^n), the place of cells among these.
    one: int64 (2^n), the label with 1 at each of the cells. cells: int64 (n + 1, labels), those where a label has at
    least this number.
    total, most: int64 (labels), the sum and the greatest of a label's numbers.
    """

    cars: NDArray[np.int64]
    ways: NDArray[np.int64]
    rank: NDArray[np.int64]
    one: Numbers
    cells: NDArray[np.int64]
    total: Numbers
    most: Numbers


@kernel
def patterns_of(n: int) -> Rows:
    """The rows of n cells."""
    every, labels = 1 << n, (n + 1) ** n
    cars, ways = np.zeros((n + 1, every, every), np.int64), np.zeros((n + 1, every), np.int64)
    rank, one = np.zeros((every, every), np.int64), np.zeros(every, np.int64)
    for taken in range(every):
        for column in range(n):
            one[taken] += (taken >> column & 1) * (n + 1) ** (n - 1 - column)
        for mine in range(every):
            if not mine & taken:
                number = np.int64(popcount(np.uint64(mine)))
                cars[number, taken, ways[number, taken]] = mine
                rank[taken, mine] = ways[number, taken]
                ways[number, taken] += 1
    cells, total, most = np.zeros((n + 1, labels), np.int64), np.zeros(labels, np.int64), np.zeros(labels, np.int64)
    numbers = np.empty(n, np.int64)
    for label in range(labels):
        digits(label, numbers)
        total[label], most[label] = numbers.sum(), numbers.max()
        for column in range(n):
            cells[: numbers[column] + 1, label] |= 1 << column
    return Rows(cars, ways, rank, one, cells, total, most)


class Ways(NamedTuple):
    """Ways to fill a row and those below it, by the row and the label of what columns need in these rows.

    counts: uint32 (n + 1, labels), how many there are.
    begins: uint32 (n, labels, 2^n), how many of them come before those with given cells of columns' cars.
    """

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
                begins[row, need, cells] = counts[row, need]
                if not cells & ~rows.cells[1, need]:
                    counts[row, need] += np.uint32(
                        rows.ways[along[row], cells] * counts[row + 1, need - rows.one[cells]]
                    )
    return Ways(counts, begins)


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
def build(n: int, farthest: int, along: Numbers, label: int, rows: Rows, ways: Ways, work: Work) -> int:
    """Write the boards of a class, the exits at which they are solved, and the moves to the right and down (the others
    are these, taken back). Return the number of moves, of which those that fit are written.

    The place of a board is a sum over its rows, and boards that agree in their upper rows make a range. So a move in
    upper rows carries a range to a range.
    """
    other, own = np.zeros(n, np.int64), np.zeros(n, np.int64)
    need, place = np.zeros(n + 1, np.int64), np.zeros(n + 1, np.int64)
    some, way = np.zeros(n, np.int64), np.full(n, -1)
    board, exits = np.zeros(n + 1, np.uint64), np.zeros(n + 1, np.uint32)
    need[0], moves, row, room = label, 0, 0, len(work.lengths)
    while row >= 0:
        way[row] += 1
        # Columns that need a car in each row that is left have one in this row, and some of those that need fewer.
        always = rows.cells[n - row, need[row]]
        above = always | some[row]
        below = need[row] - rows.one[above]
        length = np.int64(ways.counts[row + 1, below])
        if way[row] == rows.ways[along[row], above] or length == 0:
            others = rows.cells[1, need[row]] & ~always
            some[row], way[row] = some[row] - others & others, -1
            if some[row] == 0:
                row -= 1
            continue
        cars = rows.cars[along[row], above, way[row]]
        other[row], own[row], need[row + 1] = above, cars, below
        here = place[row + 1] = place[row] + before_pattern(row, need[row], above, cars, rows, ways)
        voids = (1 << n) - 1 & ~(above | cars)
        for column in range(n):
            bit = 1 << column
            if cars & bit:  # along the row
                for far in range(1, farthest + 1):
                    if not voids & bit << far:
                        break
                    moved = cars ^ bit ^ bit << far
                    if moves < room:
                        shifted = (rows.rank[above, moved] - rows.rank[above, cars]) * length
                        work.here[moves], work.there[moves], work.lengths[moves] = here, here + shifted, length
                    moves += 1
            elif voids & bit:  # down to this row
                for far in range(1, min(farthest, row) + 1):
                    if own[row - far] & bit:
                        break
                    if other[row - far] & bit:
                        if moves < room:
                            there = moved_down(row, far, bit, other, own, need, place, rows, ways)
                            work.here[moves], work.there[moves], work.lengths[moves] = here, there, length
                        moves += 1
                        break
        board[row + 1] = board[row] | np.uint64(cars << n * row) | np.uint64(above << n * row) << np.uint64(32)
        exits[row + 1] = exits[row] | np.uint32(cars & 1 | (cars >> n - 1) << 1) << np.uint32(4 * row)
        if row == 0 or row == n - 1:
            for column in range(n):
                exits[row + 1] |= np.uint32(above >> column & 1) << np.uint32(4 * column + (2 if row == 0 else 3))
        if row < n - 1:
            row += 1
        else:
            work.boards[here], work.seen[here] = board[n], exits[n]
    return moves


@inlined
def before_pattern(row: int, need: int, other: int, own: int, rows: Rows, ways: Ways) -> int:
    """How many boards with the same upper rows come before those with this pattern in a row."""
    below = np.int64(ways.counts[row + 1, need - rows.one[other]])
    return int(np.int64(ways.begins[row, need, other]) + rows.rank[other, own] * below)


@kernel
def moved_down(
    row: int,
    far: int,
    bit: int,
    other: Numbers,
    own: Numbers,
    need: Numbers,
    place: Numbers,
    rows: Rows,
    ways: Ways,
) -> int:
    """The place of the first board that a car comes to which moves down ``far`` rows to this one."""
    begin = row - far
    wanted, found = need[begin], place[begin]
    for some in range(begin, row + 1):
        cells = other[some] ^ (bit if some in (begin, row) else 0)
        found += before_pattern(some, wanted, cells, own[some], rows, ways)
        wanted -= rows.one[cells]
    return int(found)


@kernel
def spread(n: int, boards: int, moves: int, images: int, work: Work, found: Numbers, example: Words) -> None:
    """Search a class from all exits, and note the longest escapes."""
    of_row = np.zeros(len(example), np.uint32)
    for i in range(n):
        of_row[min(i, n - 1 - i)] |= np.uint32(15) << np.uint32(4 * i)
    seen, coming, distance = work.seen[:boards], work.coming[:boards], 0
    while True:
        coming[:] = seen
        for move in range(moves):
            carry(seen, coming, work.here[move], work.there[move], work.lengths[move])
        fresh = np.uint32(0)
        for place in range(boards):
            fresh |= coming[place] ^ seen[place]
        if not fresh:
            return
        distance += 1
        for row in range(len(example)):
            if fresh & of_row[row] and distance >= found[0, row]:
                note(distance, row, of_row[row], images, work.boards, seen, coming, found, example)
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
def note(
    distance: int,
    row: int,
    of_row: np.uint32,
    images: int,
    boards: Words,
    seen: Bits,
    coming: Bits,
    found: Numbers,
    example: Words,
) -> None:
    """Count the boards that exits of a row reach first at this distance."""
    if distance > found[0, row]:
        found[0, row], found[1, row] = distance, 0
    for place in range(len(seen)):
        fresh = (coming[place] ^ seen[place]) & of_row
        if fresh and found[1, row] == 0:
            example[row], found[2, row] = boards[place], fresh
        found[1, row] += images * np.int64(popcount(np.uint64(fresh)))


def drawing(n: int, board: int, exit_bits: int, row: int) -> str:
    """A board, turned so that its exit is at the left end of the given row, in lines of signs."""
    lines = [[".-|"[(board >> n * r + c & 1) + 2 * (board >> 32 + n * r + c & 1)] for c in range(n)] for r in range(n)]
    i, side = divmod((exit_bits & -exit_bits).bit_length() - 1, 4)
    if side > 1:
        lines = [[{"-": "|", "|": "-"}.get(sign, sign) for sign in column] for column in zip(*lines, strict=True)]
    if side % 2:
        lines = [line[::-1] for line in lines]
    return "/".join("".join(line) for line in (lines if i == row else lines[::-1]))


def main(n: int, voids: int, metric: str) -> None:
    """Print for each row of the upper half the most moves, the boards that take them, and one of these."""
    begun = time.process_time()
    found = longest_escapes(n, voids, metric)
    assert found.boards == comb(n * n, voids) << n * n - voids
    for row, text in enumerate(found.examples):
        most = f"{found.moves[row]} moves, {found.starts[row]} boards, {text}"
        print(f"{metric}, {n} x {n}, {voids} voids, row {row + 1}: {most}")
    print(f"{found.boards:,} boards, {time.process_time() - begun:.1f} CPU s", flush=True)


if __name__ == "__main__":
    for asked in sys.argv[3:] or METRICS:
        main(int(sys.argv[1]), int(sys.argv[2]), asked)
