"""The rules of both problems in plain Python and NumPy, sharing nothing with the kernels; ``verify`` uses them."""

import functools
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Cell = tuple[int, int]
Numbers = NDArray[np.uint32]
Pegs = frozenset[Cell]
Jump = tuple[int, int, str]
"""Row and column of the peg that jumps, from 1, and its direction."""

MARGIN = 4
"""Rows and columns outside a rectangle that pegs may come to."""
STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}


def cover(k: int, special: Cell) -> tuple[list[list[int]], int, int]:
    """The recursion, gone through: the board, every tromino laid when it is its turn, how many boards of all sizes it
    met, and how many it held at a time at most."""
    board = [[0] * 2**k for _ in range(2**k)]
    laid = met = deepest = 0

    def divide(level: int, top: int, left: int, hole: Cell) -> None:
        """Cover the square of side 2^level whose upper left cell is (top, left), but for its hole."""
        nonlocal laid, met, deepest
        met, deepest = met + 1, max(deepest, k - level)
        quadrants = _quadrants(level, hole) if level else []
        for place, ((down, right), own, _, _) in enumerate(quadrants):
            if place == len(quadrants) // 2:
                laid += 1
                for (y, x), (row, column), _, number in quadrants:
                    if number:
                        board[top + y + row][left + x + column] = laid
            divide(level - 1, top + down, left + right, own)

    divide(k, 0, 0, special)
    return board, met, deepest


def trominoes(k: int) -> int:
    """Number of trominoes that cover a board of 2^k x 2^k cells less one."""
    return (4**k - 1) // 3


class Quadrant(NamedTuple):
    """A quadrant of a board less its special cell.

    corner: its upper left cell.
    special: its own special cell, counted from its corner: the board's, or the one at the board's centre.
    before: trominoes of the quadrants and round the centre that are numbered before its own.
    number: of its special cell on the board: 0, or that of the tromino round the centre.
    """

    corner: Cell
    special: Cell
    before: int
    number: int


def _quadrants(k: int, special: Cell) -> list[Quadrant]:
    """The four boards of half the side that a board of 2^k x 2^k cells is, from the upper left one in reading order.

    The one that holds the special cell keeps it; in each of the others the special cell is the one at the centre, and
    there the tromino round the centre lies. Numbers count the upper left quadrant, the upper right one, the tromino,
    the lower left and the lower right one.
    """
    half, found = 1 << (k - 1), []
    for place, (down, right) in enumerate(product((0, 1), repeat=2)):
        holds = (special[0] // half, special[1] // half) == (down, right)
        row, column = special if holds else (half - 1 + down, half - 1 + right)
        before, number = place * trominoes(k - 1) + down, 0 if holds else 2 * trominoes(k - 1) + 1
        corner = (down * half, right * half)
        found.append(Quadrant(corner, (row - corner[0], column - corner[1]), before, number))
    return found


@functools.lru_cache(maxsize=64)
def assembled(k: int, special: Cell) -> Numbers:
    """The cover [2^k, 2^k] for a special cell, counted from 0, put together from its quadrants as arrays.

    Of all boards three quadrants in four have a special cell at their corner: these are held.
    """
    board = np.zeros((1 << k, 1 << k), np.uint32)
    for (row, column), inner, before, number in _quadrants(k, special) if k else ():
        part = board[row : row + (1 << k - 1), column : column + (1 << k - 1)]
        part[:] = assembled(k - 1, inner) + np.uint32(before)
        part[inner] = number
    return board


def assembled_block(k: int, special: Cell, level: int, block: Cell) -> Numbers:
    """The 2^level x 2^level cells of one aligned block of a board, ``block`` counted in blocks from 0."""
    before, number = 0, 0
    for inner in reversed(range(level, k)):
        down, right = (side >> (inner - level) & 1 for side in block)
        _, special, earlier, at_centre = _quadrants(inner + 1, special)[2 * down + right]
        number = before + at_centre if at_centre else number
        before += earlier
    cells = assembled(level, special) + np.uint32(before)
    cells[special] = number
    return cells


def strip_of_covers(rows: int) -> Iterator[Counter[int]]:
    """The ways to cover 0, 1, 2, ... columns of a strip, cell by cell, by the set of covered cells of the next column.

    A set is a word whose lowest bit is the next cell to cover, and the one that is ``rows`` further the cell beside it.
    """
    ways = Counter({0: 1})
    while True:
        yield ways
        for cell in range(rows):
            beside = 1 << rows
            pieces = [1 | 2 | beside, 1 | 2 | beside << 1, 1 | beside | beside << 1] if cell + 1 < rows else []
            pieces += [1 | beside | beside >> 1] if cell else []
            following: Counter[int] = Counter()
            for covered, count in ways.items():
                for piece in pieces if not covered & 1 else [0]:  # a covered cell is passed
                    if not piece & covered:
                        following[(covered | piece) >> 1] += count
            ways = following


def rectangle(m: int, n: int) -> Pegs:
    """The full rectangle, cells from (1, 1)."""
    return frozenset((row, column) for row in range(1, m + 1) for column in range(1, n + 1))


MODULES = {"module 1": rectangle(3, 1), "module 2": rectangle(2, 3)}
HELPERS: dict[str, Pegs] = {"module 1": frozenset({(1, 2)}), "module 2": frozenset({(1, 4), (2, 4)})}


def fewest(m: int, n: int) -> int:
    """The formula that the source arrives at."""
    if min(m, n) == 1:
        return (max(m, n) + 1) // 2
    return 2 if 0 in (m % 3, n % 3) else 1


def jump(pegs: Pegs, row: int, column: int, direction: str) -> Pegs:
    """The position after a jump; ValueError where the rules forbid it."""
    down, right = STEPS[direction]
    over, landing = (row + down, column + right), (row + 2 * down, column + 2 * right)
    if (row, column) not in pegs or over not in pegs or landing in pegs:
        raise ValueError(f"({row}, {column}) {direction} is no jump")
    return pegs - {(row, column), over} | {landing}


def play(pegs: Pegs, jumps: Iterable[Jump]) -> Pegs:
    """The position after a sequence of jumps."""
    for row, column, direction in jumps:
        pegs = jump(pegs, row, column, direction)
    return pegs


def first_jumps(start: Pegs, cells: Pegs, end: Pegs | int) -> list[Jump]:
    """The jumps on these cells, to this position or to so many pegs, that a search in depth finds first: it takes pegs
    in reading order, and directions in the order U, R, D, L."""
    jumps: list[Jump] = []
    tried: set[Pegs] = set()

    def search(pegs: Pegs) -> bool:
        """Go on from a position, depth first; return whether the end was reached, by ``jumps``."""
        if pegs == end or len(pegs) == end:
            return True
        for row, column in sorted(pegs) if pegs not in tried else ():
            for direction, (down, right) in STEPS.items():
                landing = (row + 2 * down, column + 2 * right)
                if (row + down, column + right) in pegs and landing in cells - pegs:
                    jumps.append((row, column, direction))
                    if search(jump(pegs, *jumps[-1])):
                        return True
                    jumps.pop()
        tried.add(pegs)
        return False

    search(start)
    return jumps


def positions_from(start: Pegs) -> list[set[Pegs]]:
    """Every position that can be reached on the unbounded board, by the number of jumps."""
    levels = [{start}]
    while levels[-1]:
        levels.append({after for pegs in levels[-1] for after in _after(pegs)})
    return levels[:-1]


def _after(pegs: Pegs) -> Iterator[Pegs]:
    for (row, column), direction in ((peg, direction) for peg in pegs for direction in STEPS):
        down, right = STEPS[direction]
        if (row + down, column + right) in pegs and (row + 2 * down, column + 2 * right) not in pegs:
            yield jump(pegs, row, column, direction)


CONDITIONS = re.compile(r"(t?\.)*\.u+\.(\.t?)*")


def meets_conditions(line: str) -> bool:
    """True where the untouched pegs of a line are consecutive, with two empty cells on either side, and no two touched
    ones adjacent. A line is a text: u is an untouched peg, t a touched one, a dot an empty cell, some at either end."""
    return CONDITIONS.fullmatch(line) is not None


def line_jumps(line: str) -> Iterator[tuple[int, int]]:
    """The places of the peg that jumps and of the one it jumps over, of every jump of such a line."""
    for over in range(1, len(line) - 1):
        if line[over] != ".":
            if line[over - 1] != "." and line[over + 1] == ".":
                yield over - 1, over
            elif line[over - 1] == "." and line[over + 1] != ".":
                yield over + 1, over
