"""Slow, obvious oracles for blocking k in a row, from the definitions alone."""

from collections.abc import Iterable, Sequence, Set
from itertools import combinations, count, permutations, product
from math import comb

Cell = tuple[int, ...]
Placement = frozenset[Cell]


def lines(shape: Cell, k: int) -> set[Placement]:
    """All sets of k cells, next to one another along a direction; a cell is a tuple of coordinates."""
    found = set()
    for start in product(*map(range, shape)):
        for heading in product((-1, 0, 1), repeat=len(shape)):
            if any(heading):
                cells = [tuple(c + j * h for c, h in zip(start, heading, strict=True)) for j in range(k)]
                if all(0 <= c < side for cell in cells for c, side in zip(cell, shape, strict=True)):
                    found.add(frozenset(cells))
    return found


def optimal_placements(shape: Cell, k: int) -> list[Placement]:
    """All smallest sets of stones that meet every line: try every set of 0 cells, of 1 cell, of 2 cells, ..."""
    cells = list(product(*map(range, shape)))
    bits = {cell: 1 << number for number, cell in enumerate(cells)}
    wanted = [sum(bits[cell] for cell in line) for line in lines(shape, k)]
    for stones in range(len(cells) + 1):
        blocking = list(map(sum, combinations(bits.values(), stones)))
        for line in wanted:
            blocking = [chosen for chosen in blocking if chosen & line]
        if blocking:
            return [frozenset(cell for cell in cells if chosen & bits[cell]) for chosen in blocking]
    raise AssertionError("a board full of stones blocks everything")


def fewest(shape: Cell, k: int) -> tuple[int, int]:
    """The fewest stones that meet every line, and in how many ways: try 0 stones, 1 stone, 2 stones, ..."""
    cells = list(product(*map(range, shape)))
    wanted = [frozenset(cells.index(cell) for cell in line) for line in lines(shape, k)]
    return next((stones, ways) for stones in count() if (ways := _ways(wanted, len(cells), stones)))


def _ways(unmet: list[frozenset[int]], undecided: int, stones: int) -> int:
    """In how many ways so many stones go on the undecided cells and meet these lines, given by their undecided cells.

    Of a line take the first cell with a stone, each in turn: the cells before it are free. With no line left the stones
    go anywhere.
    """
    if not unmet:
        return comb(undecided, stones)
    if not stones:
        return 0
    shortest = min(unmet, key=len)
    line, ways = sorted(shortest), 0
    for i, cell in enumerate(line):
        left = [other.difference(line[:i]) for other in unmet if cell not in other]
        if all(left):
            ways += _ways(left, undecided - i - 1, stones - 1)
    return ways


def has_free_line(rows: Sequence[Sequence[int]], k: int) -> bool:
    """True where k cells in a row, in any of the four directions, are all 0."""
    height, width = len(rows), len(rows[0])
    lines = [*rows, *zip(*rows, strict=True)]
    for across in (rows, [row[::-1] for row in rows]):  # diagonals by the column in which they would meet row 0
        for column in range(1 - height, width):
            first, end = max(0, -column), min(height, width - column)
            lines.append([across[row][column + row] for row in range(first, end)])
    return any("." * k in "".join(".#"[bool(cell)] for cell in line) for line in lines)


def rectangle_images(shape: Cell, placement: Placement) -> set[Placement]:
    """The images of a set of cells of a rectangle under its reflections and, for a square, its diagonal."""
    rows, columns = shape
    turns = [placement]
    if rows == columns:
        turns.append(frozenset((c, r) for r, c in placement))
    return {
        frozenset((rows - 1 - r if down else r, columns - 1 - c if across else c) for r, c in turn)
        for turn in turns
        for down in (False, True)
        for across in (False, True)
    }


def classes(shape: Cell, placements: Iterable[Placement]) -> int:
    """Number of classes of placements under the symmetries of a rectangle."""
    return len({tuple(min(sorted(image) for image in rectangle_images(shape, one))) for one in placements})


def best_cells(n: int) -> set[Cell]:
    """All n x n patterns with one stone in every row, column and wrapped diagonal, as tuples of columns by row."""
    rows = range(n)
    return {
        columns
        for columns in permutations(rows)
        if len({(columns[y] + y) % n for y in rows}) == n and len({(columns[y] - y) % n for y in rows}) == n
    }


def poorest_window(cells: Set[Cell], rows: int, columns: int) -> int:
    """The fewest stones of a rows x columns window, anywhere on the plane tiled by one of the best cells."""
    n = len(next(iter(cells)))
    return min(
        sum(cell[(top + y) % n] == (left + x) % n for y in range(rows) for x in range(columns))
        for cell in cells
        for top in range(n)
        for left in range(n)
    )
