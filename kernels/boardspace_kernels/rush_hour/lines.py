"""Rows and columns of a Rush Hour board, and how pieces can stand in each: what the search looks up.

A board has n rows and n columns, its *lines*, the rows first. A piece is a car of two cells or a truck of three and
slides along its line; one car, the red one, lies in a given row. Fixed walls may stand on cells. The *kind* of a line
is what sliding never changes: which pieces it has, in their order, between which walls, and which of them is red.

An *arrangement* of a kind says where its pieces stand. It has a *digit*: the sum over the pieces of how far each stands
from its first place, times a step of its own. The steps are chosen so that different arrangements have different
digits and these are small; so a piece that goes on by a cell adds its step to the digit wherever it stands. Two cars in
a line of six cells take the digits 0 to 6 without 5; all other kinds of up to six cells use each digit below their
radix. A *pattern* is a set of cells of a line that pieces across cover.
"""

from itertools import combinations, groupby, pairwise, product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LARGEST = 6
"""Cells of the longest line."""
Piece = tuple[int, int, bool]
"""First cell, length, and whether it is the red car."""
Arrangement = tuple[Piece, ...]
_KINDS, _PIECES, _DIGITS, _PATTERNS = 16, 3, 8, 1 << LARGEST


class Lines(NamedTuple):
    """Tables of a board's 2n lines: axis l is the line, k its kind, p the piece of a kind, d the digit.

    row: that of the red car.
    kinds: int64 (l), how many a line has.
    solvable: int64 (l, k), 0 where the red car can never leave: another piece or a wall is before it.
    arrangements: int64 (l, k), how many a kind has.
    radix: int64 (l, k), digits are below it.
    pieces: int64 (l, k), number of pieces.
    cars: int64 (l, k), cars among them, the red one included.
    step: int64 (l, k, p), what a piece that goes on by a cell adds to the digit.
    covered: int64 (l, k, d), the cells that an arrangement covers, a bit each; -1 where the digit is none's.
    number: int64 (l, k, d), number of the arrangement among all of its line, by kind, then as tuples.
    onward: int64 (l, k, p, d), the cell that the piece enters if it goes on by one; -1 where it cannot.
    back: int64 (l, k, p, d), the cell that it enters if it goes back by one; -1 where it cannot.
    fitting: int64 (l, k, pattern), digits of the arrangements that cover no cell of a pattern, a bit each.
    moving: int64 (l, k, p, pattern), digits from which the piece can go on by a cell, nothing on the pattern.
    goal: int64 (l, k), digits at which the red car stands at the exit; of other lines all.
    """

    row: int
    kinds: NDArray[np.int64]
    solvable: NDArray[np.int64]
    arrangements: NDArray[np.int64]
    radix: NDArray[np.int64]
    pieces: NDArray[np.int64]
    cars: NDArray[np.int64]
    step: NDArray[np.int64]
    covered: NDArray[np.int64]
    number: NDArray[np.int64]
    onward: NDArray[np.int64]
    back: NDArray[np.int64]
    fitting: NDArray[np.int64]
    moving: NDArray[np.int64]
    goal: NDArray[np.int64]


def arranged(n: int, red: bool, walls: tuple[int, ...] = ()) -> list[list[Arrangement]]:
    """All arrangements of a line of n cells: a list for each kind."""
    places = [(a, length) for length in (2, 3) for a in range(n - length + 1)]
    places = [(a, length) for a, length in places if not any(a <= wall < a + length for wall in walls)]
    found: list[Arrangement] = []
    for number in range(n // 2 + 1):
        for some in combinations(sorted(places), number):
            if all(a + length <= b for (a, length), (b, _) in pairwise(some)):
                reds = [i for i, (_, length) in enumerate(some) if length == 2] if red else [-1]
                found += [tuple((*piece, i == k) for i, piece in enumerate(some)) for k in reds]
    ordered = sorted(found, key=lambda one: (kind_of(one, walls), one))
    return [list(same) for _, same in groupby(ordered, lambda one: kind_of(one, walls))]


def kind_of(line: Arrangement, walls: tuple[int, ...] = ()) -> tuple[tuple[int, bool, int], ...]:
    """The kind of an arrangement: length, redness and number of walls before it of each piece."""
    return tuple((length, red, sum(wall < a for wall in walls)) for a, length, red in line)


def lines(n: int, row: int, walls: tuple[tuple[int, int], ...] = ()) -> Lines:
    """The tables of a board.

    n: cells of a side, up to 6.
    row: that of the red car, from 0.
    walls: fixed cells as (row, column), from 0.
    """
    shape = (2 * n, _KINDS)
    tables = Lines(
        row,
        np.zeros(2 * n, np.int64),
        *(np.zeros(shape, np.int64) for _ in range(5)),
        np.zeros((*shape, _PIECES), np.int64),
        np.full((*shape, _DIGITS), -1),
        np.full((*shape, _DIGITS), -1),
        np.full((*shape, _PIECES, _DIGITS), -1),
        np.full((*shape, _PIECES, _DIGITS), -1),
        np.zeros((*shape, _PATTERNS), np.int64),
        np.zeros((*shape, _PIECES, _PATTERNS), np.int64),
        np.zeros(shape, np.int64),
    )
    for line in range(2 * n):
        here = tuple(b if line < n else a for a, b in walls if (a if line < n else b) == line % n)
        number = 0
        kinds = arranged(n, line == row, here)
        tables.kinds[line] = len(kinds)
        for kind, same in enumerate(kinds):
            _fill(tables, (line, kind), n, same, number)
            number += len(same)
    return tables


def _fill(tables: Lines, at: tuple[int, int], n: int, same: list[Arrangement], number: int) -> None:
    """Write the tables of one kind, whose first arrangement has a number."""
    steps, digits = _digits(same)
    red = [piece[2] for piece in same[0]]
    exits = [digit for line, digit in digits.items() if any(red) and line[-1] == (n - 2, 2, True)]
    tables.solvable[at] = bool(exits) or not any(red)
    tables.arrangements[at], tables.radix[at] = len(same), max(digits.values()) + 1
    tables.pieces[at], tables.cars[at] = len(red), sum(length == 2 for _, length, _ in same[0])
    tables.goal[at] = sum(1 << digit for digit in (exits if any(red) else digits.values()))
    tables.step[at][: len(steps)] = steps
    lines_at = {digit: line for line, digit in digits.items()}
    for line, digit in digits.items():
        covered = sum(1 << a + i for a, length, _ in line for i in range(length))
        tables.covered[at][digit], tables.number[at][digit] = covered, number + same.index(line)
        for piece, (a, length, is_red) in enumerate(line):
            moved = (*line[:piece], (a + 1, length, is_red), *line[piece + 1 :])
            if moved in digits:
                tables.onward[at][piece, digit] = a + length
                # The way back from there enters the cell that was left behind.
                tables.back[at][piece, digits[moved]] = a
    for pattern in range(_PATTERNS):
        fitting = sum(1 << digit for digit in lines_at if not tables.covered[at][digit] & pattern)
        tables.fitting[at][pattern] = fitting
        for piece, step in enumerate(steps):
            onward = sum(1 << digit for digit in lines_at if tables.onward[at][piece, digit] >= 0)
            # Both the digit and the one a step on must be clear of the pattern.
            tables.moving[at][piece, pattern] = onward & fitting & fitting >> step


def _digits(same: list[Arrangement]) -> tuple[list[int], dict[Arrangement, int]]:
    """The steps of a kind's pieces, and the digits of its arrangements: of all steps those with the least radix."""
    least = [min(places) for places in zip(*([piece[0] for piece in line] for line in same), strict=True)]
    best: tuple[list[int], dict[Arrangement, int]] = [], {}
    for steps in product((1, 2), repeat=len(least)):
        digits = {
            line: sum(s * (piece[0] - a) for s, piece, a in zip(steps, line, least, strict=True)) for line in same
        }
        # Steps under which two arrangements share a digit are of no use.
        if len(set(digits.values())) == len(same) and (not best[1] or max(digits.values()) < max(best[1].values())):
            best = list(steps), digits
    return best
