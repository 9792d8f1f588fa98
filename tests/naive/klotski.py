"""Klotski from its definitions: a layout is a frozen set of (kind, row, column); slow and obvious."""

from collections.abc import Callable, Iterable, Iterator
from functools import cache

ROWS, COLUMNS = 5, 4
SHAPE = {"block": (2, 2), "lying": (1, 2), "standing": (2, 1), "single": (1, 1)}
ITEM = {None: 0, "lying": 1, "standing": 2, "single": 3}
DIRECTIONS = ((-1, 0), (0, -1), (0, 1), (1, 0))

Piece = tuple[str, int, int]
Layout = frozenset[Piece]


@cache
def cells(piece: Piece) -> frozenset[tuple[int, int]]:
    kind, row, column = piece
    height, width = SHAPE[kind]
    return frozenset((row + r, column + c) for r in range(height) for c in range(width))


@cache
def fits(piece: Piece) -> bool:
    return all(0 <= row < ROWS and 0 <= column < COLUMNS for row, column in cells(piece))


@cache
def shifted(piece: Piece) -> list[Piece]:
    """The piece a cell further in each direction, where it fits."""
    kind, row, column = piece
    return [moved for down, right in DIRECTIONS if fits(moved := (kind, row + down, column + right))]


@cache
def empties(layout: Layout) -> set[tuple[int, int]]:
    taken = {cell for piece in layout for cell in cells(piece)}
    return {(r, c) for r in range(ROWS) for c in range(COLUMNS)} - taken


def code(layout: Layout) -> int:
    """Scan the cells; one item for each that no earlier piece covers."""
    anchor = {(row, column): kind for kind, row, column in layout}
    (block,) = [piece for piece in layout if piece[0] == "block"]
    covered = set(cells(block))
    items = []
    for row in range(ROWS):
        for column in range(COLUMNS):
            if (row, column) in covered:
                continue
            kind = anchor.get((row, column))
            items.append(ITEM[kind])
            covered |= cells((kind, row, column)) if kind else {(row, column)}
    value = 4 * block[1] + block[2]
    for item in items + [0] * (16 - len(items)):
        value = 4 * value + item
    return value


def all_layouts(jiang: int, bing: int, style: int) -> set[Layout]:
    """Every layout of a class: cell by cell, whatever may stand there."""
    found: set[Layout] = set()

    def fill(cell: int, layout: Layout, taken: frozenset[tuple[int, int]], left: dict[str, int]) -> None:
        if cell == ROWS * COLUMNS:
            if not any(left.values()):
                found.add(layout)
            return
        if sum(len(cells((kind, 0, 0))) * count for kind, count in left.items()) > ROWS * COLUMNS - len(taken):
            return
        row, column = divmod(cell, COLUMNS)
        fill(cell + 1, layout, taken | {(row, column)}, left)
        for kind, count in left.items():
            piece = (kind, row, column)
            if count and fits(piece) and not cells(piece) & taken:
                fill(cell + 1, layout | {piece}, taken | cells(piece), left | {kind: count - 1})

    fill(0, frozenset(), frozenset(), {"block": 1, "lying": style, "standing": jiang - style, "single": bing})
    return {layout for layout in found if len(empties(layout)) >= 2}


def unit_moves(layout: Layout) -> Iterator[Layout]:
    for piece in layout:
        free = _free(layout, piece)
        for moved in shifted(piece):
            if cells(moved) <= free:
                yield layout - {piece} | {moved}


@cache
def steps(layout: Layout) -> set[Layout]:
    """All layouts that one piece can make by moving any number of cells round corners."""
    found = set()
    for piece in layout:
        free, reached, waiting = _free(layout, piece), {piece}, [piece]
        while waiting:
            for moved in shifted(waiting.pop()):
                if moved not in reached and cells(moved) <= free:
                    reached.add(moved)
                    waiting.append(moved)
        found |= {layout - {piece} | {moved} for moved in reached - {piece}}
    return found


def straight_moves(layout: Layout) -> set[Layout]:
    found = set()
    for piece in layout:
        free = _free(layout, piece)
        for down, right in DIRECTIONS:
            moved = piece
            while cells(moved := (moved[0], moved[1] + down, moved[2] + right)) <= free:
                found.add(layout - {piece} | {moved})
    return found


def _free(layout: Layout, piece: Piece) -> set[tuple[int, int]]:
    """The cells that a piece may cover."""
    return empties(layout) | cells(piece)


def groups(layouts: Iterable[Layout]) -> list[list[int]]:
    """Codes of each group ascending; groups by size, largest first, then by smallest code."""
    left, found = set(layouts), []
    while left:
        group, waiting = set(), [left.pop()]
        while waiting:
            layout = waiting.pop()
            group.add(layout)
            for other in unit_moves(layout):
                if other in left:
                    left.remove(other)
                    waiting.append(other)
        found.append(sorted(map(code, group)))
    return sorted(found, key=lambda codes: (-len(codes), codes[0]))


def distances(start: Layout, moves: Callable[[Layout], Iterable[Layout]] = steps) -> dict[Layout, int]:
    distance, queue = {start: 0}, [start]
    for layout in queue:
        for other in moves(layout):
            if other not in distance:
                distance[other] = distance[layout] + 1
                queue.append(other)
    return distance


def at_exit(layout: Layout) -> bool:
    return ("block", 3, 1) in layout


def solutions(start: Layout) -> dict[Layout, int]:
    """The solutions of a layout with their steps: no shortest path to one holds another layout of feature S."""
    distance = distances(start)
    clean: dict[Layout, bool] = {}
    for layout in sorted(distance, key=distance.__getitem__):
        before = [other for other in steps(layout) if distance[other] == distance[layout] - 1]
        clean[layout] = all(clean[other] and not at_exit(other) for other in before)
    return {layout: distance[layout] for layout in distance if at_exit(layout) and clean[layout]}


def mirrored(layout: Layout) -> Layout:
    return frozenset((kind, row, COLUMNS - column - SHAPE[kind][1]) for kind, row, column in layout)


def flipped(layout: Layout) -> Layout:
    return frozenset((kind, ROWS - row - SHAPE[kind][0], column) for kind, row, column in layout)


def farthest(layouts: Iterable[Layout]) -> dict[int, tuple[int, list[int]]]:
    """For the code of each layout: the number of the last layer around it, and the codes in it, ascending."""
    numbered = sorted(layouts, key=code)
    number = {layout: i for i, layout in enumerate(numbered)}
    codes = [code(layout) for layout in numbered]
    adjacent = [[number[other] for other in steps(layout)] for layout in numbered]
    found = {}
    for start in range(len(numbered)):
        reached, layers = {start}, [[start]]
        while layers[-1]:
            layers.append(list({other for v in layers[-1] for other in adjacent[v]} - reached))
            reached.update(layers[-1])
        found[codes[start]] = len(layers) - 2, sorted(codes[v] for v in layers[-2])
    return found


def shortest_solutions(start: Layout) -> int:
    """How many shortest paths lead from a layout to its nearest layouts at the exit, path by path."""
    paths = [[start]]
    reached = {start}
    while paths and not any(at_exit(path[-1]) for path in paths):
        paths = [[*path, other] for path in paths for other in steps(path[-1]) if other not in reached]
        reached |= {path[-1] for path in paths}
    return sum(at_exit(path[-1]) for path in paths)
