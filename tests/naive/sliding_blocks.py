"""Sliding blocks of any pieces, slowly: a position is a set of pieces, a piece a set of cells, a move slides one.

A cell is a pair (row, column). A position is a frozenset of pieces, each a frozenset of cells. Nothing here knows of
codes, tables or symmetric reductions.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import product

Cell = tuple[int, int]
Piece = frozenset[Cell]
Position = frozenset[Piece]
Marked = tuple[Position, Piece]
Shape = frozenset[Cell]
WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))


def cells_of(rows: int, columns: int) -> list[Cell]:
    """The cells of the tray in reading order."""
    return list(product(range(rows), range(columns)))


def is_connected(cells: Iterable[Cell]) -> bool:
    """Whether edges join all the cells."""
    left = set(cells)
    queue = [left.pop()]
    while queue:
        row, column = queue.pop()
        for down, right in WAYS:
            cell = (row + down, column + right)
            if cell in left:
                left.remove(cell)
                queue.append(cell)
    return not left


def packings(rows: int, columns: int) -> Iterator[Position]:
    """Every position: set partitions of the tray's cells into voids and pieces, cell by cell."""
    cells = cells_of(rows, columns)

    def place(number: int, pieces: list[set[Cell]]) -> Iterator[Position]:
        if number == len(cells):
            if all(map(is_connected, pieces)):
                yield frozenset(map(frozenset, pieces))
            return
        yield from place(number + 1, pieces)
        for piece in pieces:
            piece.add(cells[number])
            yield from place(number + 1, pieces)
            piece.remove(cells[number])
        pieces.append({cells[number]})
        yield from place(number + 1, pieces)
        pieces.pop()

    return place(0, [])


def shape(piece: Piece) -> Shape:
    """The piece moved to the upper left corner."""
    top, left = min(row for row, _ in piece), min(column for _, column in piece)
    return frozenset((row - top, column - left) for row, column in piece)


def class_of(position: Position) -> frozenset[tuple[Shape, int]]:
    """The multiset of its shapes."""
    return frozenset(Counter(map(shape, position)).items())


def histogram_of(position: Position) -> tuple[int, ...]:
    """The sizes of its pieces, ascending."""
    return tuple(sorted(map(len, position)))


def unit_moves(rows: int, columns: int, position: Position) -> Iterator[tuple[Piece, Piece]]:
    """Every piece that can move by one cell, before and after."""
    voids = set(cells_of(rows, columns)).difference(*position)
    for piece in position:
        for moved in beside(piece):
            if moved <= voids | piece:
                yield piece, moved


@cache
def beside(piece: Piece) -> list[Piece]:
    """The piece moved by one cell each way, be it beyond the tray."""
    return [frozenset((row + down, column + right) for row, column in piece) for down, right in WAYS]


def steps(rows: int, columns: int, position: Position) -> Iterator[tuple[Piece, Piece]]:
    """Every piece with each other place where it can come by itself, round corners too."""
    voids = set(cells_of(rows, columns)).difference(*position)
    for piece in position:
        seen, queue = {piece}, [piece]
        while queue:
            for after in beside(queue.pop()):
                if after <= voids | piece and after not in seen:
                    seen.add(after)
                    queue.append(after)
        for after in seen - {piece}:
            yield piece, after


def groups(rows: int, columns: int, positions: Iterable[Position]) -> list[set[Position]]:
    """The positions sorted into groups that unit moves join."""
    left = set(positions)
    found = []
    while left:
        first = left.pop()
        group, queue = {first}, [first]
        while queue:
            position = queue.pop()
            for before, after in unit_moves(rows, columns, position):
                following = position - {before} | {after}
                if following not in group:
                    group.add(following)
                    queue.append(following)
        left -= group
        found.append(group)
    return found


def in_upper_left(piece: Piece) -> bool:
    """Whether the bounding box lies in the upper left corner."""
    return min(row for row, _ in piece) == 0 and min(column for _, column in piece) == 0


def in_lower_right(rows: int, columns: int, piece: Piece) -> bool:
    """Whether the bounding box lies in the lower right corner."""
    return max(row for row, _ in piece) == rows - 1 and max(column for _, column in piece) == columns - 1


def distances(rows: int, columns: int, goals: Iterable[Marked]) -> dict[Marked, int]:
    """Fewest steps from every marked position to one of the goals (moves can be taken back)."""
    found = dict.fromkeys(goals, 0)
    queue = deque(found)
    while queue:
        position, mark = queue.popleft()
        for before, after in steps(rows, columns, position):
            following = (position - {before} | {after}, after if before == mark else mark)
            if following not in found:
                found[following] = found[position, mark] + 1
                queue.append(following)
    return found


def corner_puzzles(rows: int, columns: int, positions: Iterable[Position]) -> dict[Marked, int]:
    """Lengths of all corner puzzles among the positions, which hold whole groups, by their starts."""
    marked = [(position, piece) for position in positions for piece in position]
    found = distances(rows, columns, (m for m in marked if in_lower_right(rows, columns, m[1])))
    return {m: found[m] for m in marked if in_upper_left(m[1]) and m in found}


def by_class(positions: Iterable[Position]) -> dict[frozenset[tuple[Shape, int]], list[Position]]:
    """The positions of each class."""
    classes: dict[frozenset[tuple[Shape, int]], list[Position]] = {}
    for position in positions:
        classes.setdefault(class_of(position), []).append(position)
    return classes


def images(rows: int, columns: int, cells: Iterable[Cell]) -> list[frozenset[Cell]]:
    """The cells under every symmetry of the tray: 4, of squares 8."""
    cells = list(cells)
    flips = [
        frozenset((rows - 1 - r if down else r, columns - 1 - c if across else c) for r, c in cells)
        for down in (False, True)
        for across in (False, True)
    ]
    return flips + [frozenset((c, r) for r, c in image) for image in flips] if rows == columns else flips


def fewest_steps(board: str) -> int | None:
    """Fewest steps that take piece A to the lower right corner, from a board's text alone; None where it cannot come.

    A search from the start, level by level. A piece is a word with a bit for each cell of the tray and of a wall behind
    each row, so that a piece that would leave its row meets the wall. Pieces but A are a set, which makes equal ones
    one.
    """
    lines = board.split("/")
    high, wide = len(lines), len(lines[0]) + 1
    inside = sum(1 << r * wide + c for r in range(high) for c in range(wide - 1))
    pieces = {sign: 0 for line in lines for sign in line if sign != "."}
    for r, line in enumerate(lines):
        for c, sign in enumerate(line):
            if sign != ".":
                pieces[sign] |= 1 << r * wide + c
    marked = pieces.pop("A")
    bottom = max(r for r, line in enumerate(lines) if "A" in line)
    right = max(c for line in lines for c, sign in enumerate(line) if sign == "A")
    goal = marked << (high - 1 - bottom) * wide + wide - 2 - right

    def slides(piece: int, free: int) -> set[int]:
        found = {piece}
        queue = [piece]
        for here in queue:
            for there in (here << 1, here >> 1, here << wide, here >> wide):
                if there not in found and not there & ~free and there.bit_count() == piece.bit_count():
                    found.add(there)
                    queue.append(there)
        return found - {piece}

    level = {(marked, frozenset(pieces.values()))}
    seen, steps = set(level), 0
    while level:
        if any(mark == goal for mark, _ in level):
            return steps
        following = set()
        for mark, others in level:
            free = inside & ~(mark | sum(others))
            following |= {(there, others) for there in slides(mark, free | mark)}
            for piece in others:
                following |= {(mark, others - {piece} | {there}) for there in slides(piece, free | piece)}
        level = following - seen
        seen |= level
        steps += 1
    return None
