"""The rules in plain Python, sharing nothing with the kernels; ``verify`` re-derives with them.

A piece is a set of cells with a bit for each, a position a frozenset of pieces.
"""

import functools
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from boardspace.spaces.sliding_blocks.boards import TraySize, bits, code_of

Position = frozenset[int]
Marked = tuple[Position, int]
Shapes = tuple[int, ...]
"""Shapes of a class, ascending: pieces moved to the upper left corner."""


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


def groups(tray: TraySize, members: Iterable[Position]) -> list[set[Position]]:
    """Positions sorted into groups, the largest first, equal ones by their smallest codes."""
    left = set(members)
    found = []
    while left:
        first = left.pop()
        group, queue = {first}, [first]
        while queue:
            position = queue.pop()
            for piece, moved in slides(tray, position):
                following = position ^ {piece, moved}
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


def lengths(tray: TraySize, members: Iterable[Position]) -> dict[Marked, int]:
    """Length of every corner puzzle among whole groups, by its start; pieces in both corners make none."""
    marked = [(position, piece) for position in members for piece in position]
    found = dict.fromkeys((mark for mark in marked if in_corner(tray, mark[1], True)), 0)
    queue = deque(found)
    while queue:
        position, mark = queue.popleft()
        for piece, moved in slides(tray, position):
            following = (position ^ {piece, moved}, moved if piece == mark else mark)
            if following not in found:
                found[following] = found[position, mark] + 1
                queue.append(following)
    return {mark: found[mark] for mark in marked if found.get(mark) and in_corner(tray, mark[1], False)}


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


class ClassFigures(NamedTuple):
    """Figures of a class, as the tables have them.

    code: smallest code of its positions in groups of two and more, 0 where it has none.
    orbit: classes of its orbit.
    positions, groups, joined, largest_group: as in the table of classes.
    steps: of the longest corner puzzles of all classes of the orbit; 0 where there is none.
    sizes: positions of its groups of two and more, the largest first.
    puzzles: of these longest puzzles, one set for each kind: for a class and a marked shape all starts, as pairs of
        code and marked piece; kinds that a symmetry turns into one another are together.
    """

    code: int
    orbit: int
    positions: int
    groups: int
    joined: int
    largest_group: int
    steps: int
    sizes: list[int]
    puzzles: list[list[set[tuple[int, int]]]]


def figures(tray: TraySize, own: Shapes) -> ClassFigures:
    """Everything about a class, by trying."""
    members = positions(tray, own)
    found = groups(tray, members)
    joined = [position for group in found if len(group) > 1 for position in group]
    images = orbit(tray, own)
    starts: dict[tuple[Shapes, int], dict[Marked, int]] = {}
    for turned in images:
        for mark, steps in lengths(tray, positions(tray, turned)).items():
            starts.setdefault((turned, shape(tray, mark[1])), {})[mark] = steps
    longest = max((steps for kind in starts.values() for steps in kind.values()), default=0)
    kinds = {
        kind: {(code_of(tray, position), piece) for (position, piece), steps in marks.items() if steps == longest}
        for kind, marks in starts.items()
        if longest in marks.values()
    }
    return ClassFigures(
        min((code_of(tray, position) for position in joined), default=0),
        len(images),
        len(members),
        len(found),
        len(joined),
        max(map(len, found), default=0),
        longest,
        [len(group) for group in found if len(group) > 1],
        _by_twins(tray, kinds),
    )


def _by_twins(
    tray: TraySize, kinds: dict[tuple[Shapes, int], set[tuple[int, int]]]
) -> list[list[set[tuple[int, int]]]]:
    """Kinds of puzzles, those together that a symmetry of the task turns into one another.

    Symmetries of the task keep the upper left corner: on a square, the exchange of rows and columns. A piece as high
    or as wide as the tray lies in two corners at once, so a turned tray may give the same task.
    """
    together: list[list[tuple[Shapes, int]]] = []
    for kind in kinds:
        for others in together:
            twins = (s for s in symmetries(tray) if _keeps(tray, s, kind[1]))
            if any(_turned(tray, symmetry, kind) == others[0] for symmetry in twins):
                others.append(kind)
                break
        else:
            together.append([kind])
    return [[kinds[kind] for kind in some] for some in together]


def _turned(tray: TraySize, symmetry: int, kind: tuple[Shapes, int]) -> tuple[Shapes, int]:
    own, mark = kind
    return shapes(tray, (image(tray, symmetry, piece) for piece in own)), shape(tray, image(tray, symmetry, mark))


def _keeps(tray: TraySize, symmetry: int, home: int) -> bool:
    """Return whether a symmetry takes this shape in the upper left corner to one there, and the same for the lower
    right."""
    goal = max(places(tray, home))
    return in_corner(tray, image(tray, symmetry, home), False) and in_corner(tray, image(tray, symmetry, goal), True)
