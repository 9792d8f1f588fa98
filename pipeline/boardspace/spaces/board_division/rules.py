"""The rules of both problems in plain Python, sharing nothing with the kernels; ``verify`` re-derives with them."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

Cell = tuple[int, int]
Pegs = frozenset[Cell]
Jump = tuple[int, int, str]
"""Row and column of the peg that jumps, from 1, and its direction."""

STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}


def lay(k: int, special: Cell, wanted: Cell) -> int:
    """The number on a cell, cells from 0, by the recursion: upper left, upper right, centre, lower left, lower right.

    Quadrants without the wanted cell are not laid but counted.
    """
    top = left = laid = 0
    for half in (2**level for level in reversed(range(k))):
        inner = (half * half - 1) // 3
        found = 0
        for quadrant in ((0, 0), (0, 1), (1, 0), (1, 1)):
            corner = (top + quadrant[0] * half, left + quadrant[1] * half)
            middle = (top + half - 1 + quadrant[0], left + half - 1 + quadrant[1])
            own = special if _inside(special, corner, half) else middle
            if _inside(wanted, corner, half):
                place, found = (corner, own), quadrant[0] * 2 + quadrant[1]
        if place[1] != special and place[1] == wanted:
            return laid + 2 * inner + 1
        laid += found * inner + (found >= 2)
        (top, left), special = place
    return 0


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


def is_cover(board: list[list[int]], special: Cell) -> bool:
    """By definition: 0 on the special cell, each number 1..T on three cells of one 2 x 2 window, nothing else."""
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
