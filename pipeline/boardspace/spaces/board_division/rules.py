"""The rules of both problems in plain Python and NumPy, sharing nothing with the kernels; ``verify`` uses them."""

import functools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
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


class Laid(NamedTuple):
    """A board laid by the recursion, how many boards of all sizes it met, and how many it held at a time at most."""

    board: list[list[int]]
    boards_met: int
    deepest: int


def cover(k: int, special: Cell) -> Laid:
    """The recursion, gone through: every board it meets is counted, every tromino laid when it is its turn."""
    board = [[0] * 2**k for _ in range(2**k)]
    laid = met = deepest = 0

    def divide(top: int, left: int, level: int, hole: Cell) -> None:
        """Cover the square of side 2^level whose upper left cell is (top, left), but for its hole."""
        nonlocal laid, met, deepest
        met, deepest = met + 1, max(deepest, k - level)
        if level == 0:
            return
        half = 2 ** (level - 1)
        quadrants = [(row, column) for row in (0, 1) for column in (0, 1)]
        corners = {q: (top + q[0] * half, left + q[1] * half) for q in quadrants}
        middle = {q: (top + half - 1 + q[0], left + half - 1 + q[1]) for q in quadrants}
        own = {q: hole if _inside(hole, corners[q], half) else middle[q] for q in quadrants}
        for q in quadrants[:2]:
            divide(*corners[q], level - 1, own[q])
        laid += 1
        for row, column in (own[q] for q in quadrants if own[q] != hole):
            board[row][column] = laid
        for q in quadrants[2:]:
            divide(*corners[q], level - 1, own[q])

    divide(0, 0, k, special)
    return Laid(board, met, deepest)


def _inside(cell: Cell, corner: Cell, side: int) -> bool:
    return corner[0] <= cell[0] < corner[0] + side and corner[1] <= cell[1] < corner[1] + side


def trominoes(k: int) -> int:
    """Number of trominoes that cover a board of 2^k x 2^k cells less one."""
    return (4**k - 1) // 3


def assembled(k: int, specials: Sequence[Cell]) -> Numbers:
    """Covers [s, 2^k, 2^k] for these special cells, counted from 0, put together from quadrants as arrays.

    A board of 2^k x 2^k cells is four boards of half the side. The one that holds the special cell keeps it; in each of
    the other three the special cell is the one at the board's centre, and there the tromino round the centre lies.
    Numbers count the upper left quadrant, the upper right one, the tromino, the lower left and the lower right one.
    """
    boards = np.zeros((len(specials), 1 << k, 1 << k), np.uint32)
    if k == 0:
        return boards
    half = 1 << (k - 1)
    centre = 2 * trominoes(k - 1) + 1
    holder = [2 * (row >= half) + (column >= half) for row, column in specials]
    for quadrant in range(4):
        down, right = divmod(quadrant, 2)
        part = boards[:, down * half :, right * half :][:, :half, :half]
        before = quadrant * trominoes(k - 1) + (quadrant >= 2)
        inner = [place for place, held in enumerate(holder) if held == quadrant]
        if inner:
            cells = [(specials[place][0] - down * half, specials[place][1] - right * half) for place in inner]
            covers = assembled(k - 1, cells)
            covers += np.uint32(before)
            covers[np.arange(len(cells)), *np.transpose(cells)] = 0
            part[inner] = covers
        others = [place for place, held in enumerate(holder) if held != quadrant]
        if others:
            corner = _corner(k - 1, quadrant) + np.uint32(before)
            corner[_centre(k - 1, quadrant)] = centre
            part[others] = corner
    return boards


def assembled_block(k: int, special: Cell, level: int, block: Cell) -> Numbers:
    """The 2^level x 2^level cells of one aligned block of a board, ``block`` counted in blocks from 0."""
    before, number = 0, 0
    for inner in reversed(range(level, k)):
        half = 1 << inner
        quadrant = 2 * (block[0] >> (inner - level) & 1) + (block[1] >> (inner - level) & 1)
        corner = (quadrant // 2 * half, quadrant % 2 * half)
        holds = corner[0] <= special[0] < corner[0] + half and corner[1] <= special[1] < corner[1] + half
        if not holds:
            number = before + 2 * trominoes(inner) + 1
            special = (half - 1 + quadrant // 2, half - 1 + quadrant % 2)
        before += quadrant * trominoes(inner) + (quadrant >= 2)
        special = (special[0] - corner[0], special[1] - corner[1])
    (cells,) = assembled(level, [special])
    cells += np.uint32(before)
    cells[special] = number
    return cells


@functools.lru_cache(maxsize=64)
def _corner(k: int, quadrant: int) -> Numbers:
    """The cover of a board whose special cell is the corner that lies at the centre of the board above it."""
    return assembled(k, [_centre(k, quadrant)])[0]


def _centre(k: int, quadrant: int) -> Cell:
    """The corner of a quadrant that lies at the centre."""
    last = (1 << k) - 1
    return (0 if quadrant // 2 else last, 0 if quadrant % 2 else last)


def is_cover(board: list[list[int]], special: Cell) -> bool:
    """True for a cover: 0 on the special cell, each number 1..T on three cells of one 2 x 2 window, nothing else."""
    cells: dict[int, list[Cell]] = {}
    for row, numbers in enumerate(board):
        for column, number in enumerate(numbers):
            cells.setdefault(number, []).append((row, column))
    right = cells.pop(0, None) == [special] and sorted(cells) == list(range(1, (len(board) ** 2 - 1) // 3 + 1))
    return right and all(_is_l(three) for three in cells.values())


def _is_l(cells: list[Cell]) -> bool:
    rows, columns = zip(*cells, strict=True)
    return len(cells) == 3 and max(rows) - min(rows) == 1 and max(columns) - min(columns) == 1


def count_covers(side: int, special: Cell) -> int:
    """All covers of the square less one cell, cell by cell; ways are counted by the set of covered cells ahead."""
    ways = Counter({frozenset([special]): 1})
    for cell in ((row, column) for row in range(side) for column in range(side)):
        following: Counter[Pegs] = Counter()
        for covered, count in ways.items():
            if cell in covered:
                following[covered - {cell}] += count
                continue
            for piece in _pieces(cell, side):
                if not piece & covered:
                    following[covered | piece] += count
        ways = following
    return ways[frozenset()]


def _pieces(cell: Cell, side: int) -> Iterator[Pegs]:
    """The other two cells of each L whose first cell in reading order is ``cell``."""
    row, column = cell
    right, below = (row, column + 1), (row + 1, column)
    for others in (
        (right, below),
        (right, (row + 1, column + 1)),
        (below, (row + 1, column + 1)),
        ((row + 1, column - 1), below),
    ):
        if all(0 <= r < side and 0 <= c < side for r, c in others):
            yield frozenset(others)


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
                if covered & 1:
                    following[covered >> 1] += count
                    continue
                for piece in pieces:
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


def positions(m: int, n: int) -> list[set[Pegs]]:
    """Every position of a rectangle that can be reached, fewest pegs last."""
    return positions_from(rectangle(m, n))


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
