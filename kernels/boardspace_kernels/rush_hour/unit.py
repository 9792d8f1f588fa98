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

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import inlined, kernel
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
from boardspace_kernels.rush_hour.unit_moves import Work, build, workspace
from boardspace_kernels.rush_hour.unit_tables import (
    Bits,
    Exits,
    Numbers,
    Rows,
    Words,
    completions,
    exits_of,
    patterns_of,
)


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
                words, seen, coming = work.boards[:boards], work.seen[:boards], work.coming[:boards]
                used = Work(words, seen, coming, work.here[:moves], work.there[:moves], work.lengths[:moves])
                spread(used, images, metric, exits, of_label)
            # The second turn has left the unit moves in `used`, and the exits that boards can reach.
            count_groups(used, images, exits, of_label.figures)


@kernel
def spread(work: Work, images: int, metric: int, exits: Exits, found: Found) -> None:
    """Search a class from all exits, and note the boards that take the most moves; ``work.seen`` are the exits that
    boards can reach at the end."""
    seen, coming, distance = work.seen, work.coming, 0
    coming[:] = 0
    note(0, np.uint64((1 << len(exits.places)) - 1), images, metric, exits, work, found)
    while True:
        coming[:] = seen
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
