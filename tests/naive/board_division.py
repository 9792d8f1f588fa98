"""Slow and obvious: covers by the plain recursion and by backtracking, peg positions as sets of cells."""

from collections.abc import Iterator
from decimal import Decimal, localcontext
from itertools import product

Cell = tuple[int, int]
Position = frozenset[Cell]

STEPS = {"U": (-1, 0), "R": (0, 1), "D": (1, 0), "L": (0, -1)}


def cover(k: int, special: Cell, order: tuple[str, ...] = ("NW", "NE", "centre", "SW", "SE")) -> list[list[int]]:
    """The recursion with its steps in the given order; numbers count up as trominoes are laid."""
    board = [[0] * 2**k for _ in range(2**k)]
    last = [0]

    def divide(top: int, left: int, side: int, hole: Cell) -> None:
        if side == 1:
            return
        half = side // 2
        quadrants = {
            "NW": (top, left),
            "NE": (top, left + half),
            "SW": (top + half, left),
            "SE": (top + half, left + half),
        }
        middle = {"NW": (0, 0), "NE": (0, 1), "SW": (1, 0), "SE": (1, 1)}
        holes = {}
        for name, (r, c) in quadrants.items():
            inside = r <= hole[0] < r + half and c <= hole[1] < c + half
            holes[name] = hole if inside else (top + half - 1 + middle[name][0], left + half - 1 + middle[name][1])
        for step in order:
            if step == "centre":
                last[0] += 1
                for name in quadrants:
                    if holes[name] != hole:
                        board[holes[name][0]][holes[name][1]] = last[0]
            else:
                divide(*quadrants[step], half, holes[step])

    divide(0, 0, 2**k, special)
    return board


def is_cover(board: list[list[int]], special: Cell) -> bool:
    """By definition: 0 on the special cell, each number 1..T on three cells of one 2 x 2 window, nothing else."""
    side = len(board)
    cells: dict[int, list[Cell]] = {}
    for r, c in product(range(side), repeat=2):
        cells.setdefault(board[r][c], []).append((r, c))
    if cells.pop(0, None) != [special] or sorted(cells) != list(range(1, (side * side - 1) // 3 + 1)):
        return False
    return all(
        len(three) == 3
        and max(r for r, _ in three) - min(r for r, _ in three) == 1
        and max(c for _, c in three) - min(c for _, c in three) == 1
        for three in cells.values()
    )


def count_covers(side: int, special: Cell) -> int:
    """All covers of the square less one cell: lay a tromino on the first free cell in every way, and go on."""
    return _count(frozenset((r, c) for r, c in product(range(side), repeat=2) if (r, c) != special))


def count_rectangle_covers(rows: int, columns: int) -> int:
    """All covers of a rectangle by L-trominoes, tried one by one."""
    return _count(frozenset((row, column) for row in range(rows) for column in range(columns)))


def _count(free: Position) -> int:
    if not free:
        return 1
    r, c = min(free)
    shapes = (
        {(r, c), (r, c + 1), (r + 1, c)},
        {(r, c), (r, c + 1), (r + 1, c + 1)},
        {(r, c), (r + 1, c), (r + 1, c + 1)},
        {(r, c), (r + 1, c), (r + 1, c - 1)},
    )
    return sum(_count(free - shape) for shape in shapes if shape <= free)


def rectangle(m: int, n: int) -> Position:
    """The full rectangle of pegs."""
    return frozenset(product(range(m), range(n)))


def jumps(pegs: Position) -> Iterator[tuple[Cell, str, Position]]:
    """Every legal jump: the cell it starts from, its direction, the position after it."""
    for (r, c), (name, (down, right)) in product(sorted(pegs), STEPS.items()):
        over, landing = (r + down, c + right), (r + 2 * down, c + 2 * right)
        if over in pegs and landing not in pegs:
            yield (r, c), name, pegs - {(r, c), over} | {landing}


def levels(m: int, n: int) -> list[set[Position]]:
    """Every position that can be reached, by the number of jumps; no symmetry, no bounds."""
    found = [{rectangle(m, n)}]
    while found[-1]:
        found.append({after for pegs in found[-1] for _, _, after in jumps(pegs)})
    return found[:-1]


def weight(m: int, n: int, target: Cell) -> Decimal:
    """The golden weight of the full rectangle seen from ``target``, to 50 digits."""
    with localcontext() as context:
        context.prec = 50
        s = (Decimal(5).sqrt() - 1) / 2
        return sum((s ** (abs(r - target[0]) + abs(c - target[1])) for r, c in rectangle(m, n)), Decimal(0))
