"""The rules in plain Python, sharing nothing with the kernels; ``verify`` re-derives with them.

A piece is a set of cells with a bit for each, a position a frozenset of pieces.
"""

import functools
from collections import Counter, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from boardspace.spaces.sliding_blocks.boards import TraySize, bits, code_of

Position = frozenset[int]
Marked = tuple[Position, int]
Steps = Mapping[Position, Sequence[tuple[int, int, Position]]]
"""By position, every step from it: a piece, the place where it comes, and the position then."""
Shapes = tuple[int, ...]
"""Shapes of a class, ascending: pieces moved to the upper left corner."""


class Puzzle(NamedTuple):
    """Longest corner puzzles of a class in which pieces of one shape are marked, as records have them.

    start: the smallest code of a start.
    marked: cells of the marked piece there.
    starts: how many there are.
    """

    start: int
    marked: int
    starts: int


@functools.lru_cache(1 << 16)
def shifted(tray: TraySize, piece: int) -> tuple[int, ...]:
    """The piece moved by one cell, every way in which it stays on the tray."""
    rows, columns = tray
    moved = []
    cells = list(bits(piece))
    if min(cells) >= columns:
        moved.append(piece >> columns)
    if max(cells) < (rows - 1) * columns:
        moved.append(piece << columns)
    if all(cell % columns for cell in cells):
        moved.append(piece >> 1)
    if all(cell % columns < columns - 1 for cell in cells):
        moved.append(piece << 1)
    return tuple(moved)


@functools.lru_cache(1 << 16)
def shape(tray: TraySize, piece: int) -> int:
    """The piece moved to the upper left corner."""
    cells = list(bits(piece))
    return piece >> (min(cells) // tray.columns * tray.columns + min(cell % tray.columns for cell in cells))


def shapes(tray: TraySize, position: Iterable[int]) -> Shapes:
    """The class of a position."""
    return tuple(sorted(shape(tray, piece) for piece in position))


@functools.lru_cache(1 << 16)
def image(tray: TraySize, symmetry: int, piece: int) -> int:
    """A piece under a symmetry: 1 turns the columns about, 2 the rows, 4 first exchanges rows and columns."""
    turned = 0
    for cell in bits(piece):
        row, column = divmod(cell, tray.columns)
        if symmetry & 4:
            row, column = column, row
        row = tray.rows - 1 - row if symmetry & 2 else row
        column = tray.columns - 1 - column if symmetry & 1 else column
        turned |= 1 << row * tray.columns + column
    return turned


def symmetries(tray: TraySize) -> range:
    """All symmetries of the tray."""
    return range(8 if tray.rows == tray.columns else 4)


def orbit(tray: TraySize, own: Shapes) -> set[Shapes]:
    """The classes that symmetries of the tray turn a class into."""
    return {shapes(tray, (image(tray, symmetry, piece) for piece in own)) for symmetry in symmetries(tray)}


@functools.lru_cache(1 << 12)
def places(tray: TraySize, home: int) -> tuple[int, ...]:
    """Everywhere a shape can lie."""
    found, queue = {home}, [home]
    while queue:
        for moved in shifted(tray, queue.pop()):
            if moved not in found:
                found.add(moved)
                queue.append(moved)
    return tuple(sorted(found))


def positions(tray: TraySize, own: Shapes) -> set[Position]:
    """All positions of a class, cell by cell: a void, as long as there are some left, or a piece that begins there."""
    left, found = Counter(own), set[Position]()
    beginning: list[list[tuple[int, int]]] = [[] for _ in range(tray.cells)]
    for home in left:
        for place in places(tray, home):
            beginning[min(bits(place))].append((home, place))

    def fill(cell: int, covered: int, voids: int, laid: tuple[int, ...]) -> None:
        """Decide the cells from this one on."""
        while covered >> cell & 1:
            cell += 1
        if cell == tray.cells:
            found.add(frozenset(laid))
            return
        if voids:
            fill(cell + 1, covered, voids - 1, laid)
        for home, place in beginning[cell]:
            if left[home] and not place & covered:
                left[home] -= 1
                fill(cell + 1, covered | place, voids, (*laid, place))
                left[home] += 1

    fill(0, 0, tray.cells - sum(map(int.bit_count, own)), ())
    return found


def packings(tray: TraySize, sizes: tuple[int, ...]) -> Iterator[Position]:
    """All packings with these piece sizes, cell by cell: a void, or any connected set of free cells."""
    left = Counter(sizes)

    def fill(cell: int, covered: int, voids: int, laid: tuple[int, ...]) -> Iterator[Position]:
        """Yield the positions that decide the cells from this one on."""
        if cell == tray.cells:
            yield frozenset(laid)
            return
        if covered >> cell & 1:
            yield from fill(cell + 1, covered, voids, laid)
            return
        if voids:
            yield from fill(cell + 1, covered, voids - 1, laid)
        for size in [size for size, count in left.items() if count]:
            left[size] -= 1
            for piece in connected(tray, cell, size):
                if not piece & covered:
                    yield from fill(cell + 1, covered | piece, voids, (*laid, piece))
            left[size] += 1

    return fill(0, 0, tray.cells - sum(sizes), ())


@functools.lru_cache(1 << 10)
def connected(tray: TraySize, first: int, size: int) -> tuple[int, ...]:
    """All connected sets of so many cells with this first cell."""
    if size == 1:
        return (1 << first,)
    found = set()
    for smaller in connected(tray, first, size - 1):
        near = 0
        for cell in bits(smaller):
            row, column = divmod(cell, tray.columns)
            for down, right in ((-1, 0), (1, 0), (0, -1), (0, 1)):
                if 0 <= row + down < tray.rows and 0 <= column + right < tray.columns:
                    near |= 1 << (row + down) * tray.columns + column + right
        found |= {smaller | 1 << cell for cell in bits(near & ~smaller) if cell > first}
    return tuple(sorted(found))


@functools.lru_cache(1 << 14)
def slides(tray: TraySize, position: Position) -> tuple[tuple[int, int], ...]:
    """Every step: a piece, and another place where it can come by itself; kept, as each piece of a position may be the
    marked one."""
    covered, found = sum(position), []
    for piece in position:
        others = covered ^ piece
        seen, queue = {piece}, [piece]
        while queue:
            for moved in shifted(tray, queue.pop()):
                if not moved & others and moved not in seen:
                    seen.add(moved)
                    queue.append(moved)
                    found.append((piece, moved))
    return tuple(found)


def steps_between(tray: TraySize, members: Iterable[Position]) -> Steps:
    """All steps between the positions of whole groups."""
    own = {position: position for position in members}
    return {
        position: [(piece, moved, own[position ^ {piece, moved}]) for piece, moved in slides(tray, position)]
        for position in own
    }


def groups(steps: Steps) -> list[set[Position]]:
    """Positions sorted into groups, the largest first."""
    left = set(steps)
    found = []
    while left:
        first = left.pop()
        group, queue = {first}, [first]
        while queue:
            for _, _, following in steps[queue.pop()]:
                if following not in group:
                    group.add(following)
                    queue.append(following)
        left -= group
        found.append(group)
    return sorted(found, key=len, reverse=True)


@functools.lru_cache(1 << 16)
def in_corner(tray: TraySize, piece: int, lower_right: bool) -> bool:
    """Return whether a piece's bounding box lies in the upper left corner, or in the lower right one."""
    cells = list(bits(piece))
    rows, columns = {cell // tray.columns for cell in cells}, {cell % tray.columns for cell in cells}
    if lower_right:
        return max(rows) == tray.rows - 1 and max(columns) == tray.columns - 1
    return min(rows) == min(columns) == 0


def lengths(tray: TraySize, steps: Steps, symmetry: int = 0) -> dict[Marked, int]:
    """Length of every corner puzzle among whole groups, by its start, where a symmetry turns the tray; pieces in both
    corners make none."""
    goals = ((position, piece) for position in steps for piece in position)
    found = dict.fromkeys((goal for goal in goals if in_corner(tray, image(tray, symmetry, goal[1]), True)), 0)
    queue = deque(found)
    while queue:
        here = position, mark = queue.popleft()
        for piece, moved, then in steps[position]:
            following = (then, moved if piece == mark else mark)
            if following not in found:
                found[following] = found[here] + 1
                queue.append(following)
    return {
        marked: length
        for marked, length in found.items()
        if length and in_corner(tray, image(tray, symmetry, marked[1]), False)
    }


def solve(tray: TraySize, position: Position, mark: int) -> list[Position] | None:
    """The positions of a shortest way that takes the marked piece to the lower right corner; None where none does."""
    start = (position, mark)
    before: dict[Marked, Marked | None] = {start: None}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if in_corner(tray, here[1], True):
            way = [here]
            while (last := before[way[-1]]) is not None:
                way.append(last)
            return [place for place, _ in reversed(way)]
        for piece, moved in slides(tray, here[0]):
            following = (here[0] ^ {piece, moved}, moved if piece == here[1] else here[1])
            if following not in before:
                before[following] = here
                queue.append(following)
    return None


def longest_puzzles(tray: TraySize, steps: Steps) -> tuple[int, set[frozenset[Puzzle]]]:
    """The length of the longest corner puzzles of all classes of an orbit, from the steps of one class, and these
    puzzles; 0 and none where there is no puzzle.

    In one class a puzzle takes a piece from one place to another, each in a corner. A symmetry that turns these into
    the upper left corner and the lower right one makes it a puzzle of the turned class. Puzzles of the same places are
    one up to symmetry, and so are those that symmetries of the class turn into one another: they have the same images.
    """
    longest, tasks = 0, dict[tuple[int, int], set[Position]]()
    for way in range(4):
        for (position, mark), length in lengths(tray, steps, way).items():
            if length > longest:
                longest, tasks = length, {}
            if length == longest:
                goals = (place for place in places(tray, mark) if in_corner(tray, image(tray, way, place), True))
                tasks.setdefault((mark, next(goals)), set()).add(position)
    return longest, {frozenset(_images(tray, *task, starts)) for task, starts in tasks.items()}


def _images(tray: TraySize, mark: int, goal: int, starts: Collection[Position]) -> Iterator[Puzzle]:
    """Every puzzle that symmetries make of the starts of a piece at ``mark`` that has to come to ``goal``."""
    for symmetry in symmetries(tray):
        start, end = image(tray, symmetry, mark), image(tray, symmetry, goal)
        if in_corner(tray, start, False) and in_corner(tray, end, True):
            turned = ((image(tray, symmetry, piece) for piece in position) for position in starts)
            yield Puzzle(min(code_of(tray, pieces) for pieces in turned), start, len(starts))
