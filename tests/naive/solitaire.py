"""Peg solitaire from the definitions: boards are sets of cells, positions are frozen sets of the cells with pegs."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product

Cell = tuple[int, int]
Position = frozenset[Cell]
Path = tuple[Cell, ...]

STEPS = {
    "square": [(0, 1), (1, 0), (0, -1), (-1, 0)],
    "triangular": [(0, 1), (1, 0), (1, 1), (0, -1), (-1, 0), (-1, -1)],
}


@cache
def jumps(board: Position, grid: str) -> list[tuple[Cell, Cell, Cell]]:
    """All (from, over, to)."""
    lines = [
        (cell, (cell[0] + r, cell[1] + c), (cell[0] + 2 * r, cell[1] + 2 * c))
        for cell in sorted(board)
        for r, c in STEPS[grid]
    ]
    return [line for line in lines if set(line) <= board]


@cache
def jumps_from(board: Position, grid: str) -> dict[Cell, list[tuple[Cell, Cell]]]:
    """The (over, to) from each cell; the other way round they lead to it."""
    return {cell: [(b, c) for a, b, c in jumps(board, grid) if a == cell] for cell in board}


def moves(board: Position, grid: str, position: Position) -> Iterator[tuple[Path, Position]]:
    """Every move, as the cells its peg stood in, and the position it leads to."""
    lines = jumps_from(board, grid)

    def go_on(path: Path, here: Position) -> Iterator[tuple[Path, Position]]:
        for b, c in lines[path[-1]]:
            if b in here and c not in here:
                after = here - {path[-1], b} | {c}
                yield (*path, c), after
                yield from go_on((*path, c), after)

    for cell in sorted(position):
        yield from go_on((cell,), position)


def parents(board: Position, grid: str, position: Position) -> set[Position]:
    """Every position that one move leads from to this one, found by filling in one jump at a time."""
    lines, found = jumps_from(board, grid), set()

    def go_back(cell: Cell, here: Position) -> None:
        for b, a in lines[cell]:
            if a not in here and b not in here:
                before = here - {cell} | {a, b}
                found.add(before)
                go_back(a, before)

    for cell in position:
        go_back(cell, position)
    return found


def symmetries(board: Position, grid: str) -> list[dict[Cell, Cell]]:
    """Every map of the lattice, of the form of a small matrix and a shift, that maps the board to itself."""
    steps = set(STEPS[grid])
    low, high = -max(map(max, board)) - 1, 2 * max(map(max, board)) + 2
    found = []
    for a, b, c, d in product((-1, 0, 1), repeat=4):
        if {(a * r + b * s, c * r + d * s) for r, s in steps} != steps:
            continue
        for down, right in product(range(low, high), repeat=2):
            image = {(r, s): (a * r + b * s + down, c * r + d * s + right) for r, s in board}
            if set(image.values()) == board:
                found.append(image)
    return found


def orbit(group: list[dict[Cell, Cell]], position: Position) -> frozenset[Position]:
    """All images of a position."""
    return frozenset(frozenset(image[cell] for cell in position) for image in group)


def layers(board: Position, grid: str, start: Position, count: int) -> list[Counter[Position]]:
    """For k up to count: the positions after exactly k moves, each with the number of sequences that lead there."""
    found = [Counter({start: 1})]
    for _ in range(count):
        following: Counter[Position] = Counter()
        for position, ways in found[-1].items():
            for _, after in moves(board, grid, position):
                following[after] += ways
        found.append(following)
    return found


def shortest_solutions(board: Position, grid: str, start: Position, goal: Position, length: int) -> list[list[Path]]:
    """Every sequence of ``length`` moves from start to goal."""
    dead: set[tuple[Position, int]] = set()

    def go_on(position: Position, left: int) -> list[list[Path]]:
        if left == 0:
            return [[]] if position == goal else []
        if (position, left) in dead:
            return []
        found = [[path, *rest] for path, after in moves(board, grid, position) for rest in go_on(after, left - 1)]
        if not found:
            dead.add((position, left))
        return found

    return go_on(start, length)


def reachable(board: Position, grid: str, start: Position) -> dict[Position, int]:
    """Every position that can be reached, with the least number of moves to it, by breadth-first search on moves."""
    found = {start: 0}
    frontier = [start]
    while frontier:
        following = []
        for position in frontier:
            for _, after in moves(board, grid, position):
                if after not in found:
                    found[after] = found[position] + 1
                    following.append(after)
        frontier = following
    return found


def can_reach(board: Position, grid: str, position: Position, goal: Position, known: dict[Position, bool]) -> bool:
    """Whether jumps lead from the position to the goal."""
    if position not in known:
        known[position] = position == goal or any(
            can_reach(board, grid, position - {a, b} | {c}, goal, known)
            for a, b, c in jumps(board, grid)
            if {a, b} <= position and c not in position
        )
    return known[position]


def after_jumps(board: Position, grid: str, position: Position) -> set[Position]:
    """Every position one jump away."""
    lines = jumps(board, grid)
    return {position - {a, b} | {c} for a, b, c in lines if {a, b} <= position and c not in position}


def reached_by_jumps(board: Position, grid: str, starts: set[Position]) -> set[Position]:
    """Every position that jumps lead to from one of the starts, these included."""
    found, fresh = set(starts), set(starts)
    while fresh:
        fresh = {after for position in fresh for after in after_jumps(board, grid, position)} - found
        found |= fresh
    return found
