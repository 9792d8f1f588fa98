"""The rules in plain Python, sharing nothing with the kernels; ``verify`` re-derives with them.

A piece is a set of cells with a bit for each, a position a frozenset of pieces.
"""

import functools
from collections.abc import Callable, Collection, Iterable, Iterator
from typing import NamedTuple

from boardspace.spaces.sliding_blocks.boards import TraySize, code_of
from boardspace.spec import second_rules
from boardspace.spec.second_rules import Position, bits, every_way, nearest_first, shifted

Marked = tuple[Position, int]
Begun = tuple[int, int, tuple[int, ...], tuple[int, ...]]
"""Cells that pieces cover, voids left, kinds of pieces left, and pieces that are laid."""
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
    turned = second_rules.symmetries(tray)[symmetry]
    return sum(1 << turned[cell] for cell in bits(piece))


def symmetries(tray: TraySize) -> range:
    """All symmetries of the tray."""
    return range(8 if tray.rows == tray.columns else 4)


def orbit(tray: TraySize, own: Shapes) -> set[Shapes]:
    """The classes that symmetries of the tray turn a class into."""
    return {shapes(tray, (image(tray, symmetry, piece) for piece in own)) for symmetry in symmetries(tray)}


@functools.lru_cache(1 << 12)
def places(tray: TraySize, home: int) -> tuple[int, ...]:
    """Everywhere a shape can lie."""
    return tuple(sorted(place for place, _ in nearest_first([home], lambda here: filter(None, shifted(tray, here)))))


def positions(tray: TraySize, own: Shapes, most: int = 1 << 62) -> list[Position]:
    """All positions of a class; ValueError where they are more than ``most``."""
    voids = tray.cells - sum(map(int.bit_count, own))
    return _fillings(tray, own, voids, functools.partial(_beginning, tray), most)


@functools.lru_cache(1 << 14)
def _beginning(tray: TraySize, home: int, cell: int) -> tuple[int, ...]:
    """Everywhere a shape can lie with this first cell."""
    return tuple(place for place in places(tray, home) if place & -place == 1 << cell)


def packings(tray: TraySize, sizes: tuple[int, ...], most: int = 1 << 62) -> list[Position]:
    """All packings with these piece sizes; ValueError where they are more than ``most``."""
    voids = tray.cells - sum(sizes)
    return _fillings(tray, sizes, voids, lambda size, cell: connected(tray, cell, size), most)


def _fillings(
    tray: TraySize, own: tuple[int, ...], voids: int, beginning: Callable[[int, int], Iterable[int]], most: int
) -> list[Position]:
    """All ways to decide the cells one after the other: a void, as long as there are some left, or a piece of a kind
    that is left and begins there."""

    def ways(cell: int, edge: Begun) -> Iterator[Begun]:
        covered, voids, left, laid = edge
        if covered >> cell & 1:
            yield edge
        elif voids:
            yield covered, voids - 1, left, laid
        for kind in set(left) if not covered >> cell & 1 else ():
            place = left.index(kind)
            for piece in beginning(kind, cell):
                if not piece & covered:
                    yield covered | piece, voids, left[:place] + left[place + 1 :], (*laid, piece)

    start: Begun = (0, voids, own, ())
    return [frozenset(laid) for *_, laid in every_way(start, range(tray.cells), ways, most)]


@functools.lru_cache(1 << 10)
def connected(tray: TraySize, first: int, size: int) -> tuple[int, ...]:
    """All connected sets of so many cells with this first cell."""
    if size == 1:
        return (1 << first,)
    found = {
        smaller | beside
        for smaller in connected(tray, first, size - 1)
        for cell in bits(smaller)
        for beside in shifted(tray, 1 << cell)
        if beside > 1 << first and not beside & smaller
    }
    return tuple(sorted(found))


@functools.lru_cache(1 << 14)
def slides(tray: TraySize, position: Position) -> tuple[tuple[int, int, Position], ...]:
    """Every step: a piece, another place where it can come by itself, and the position then; kept, as each piece of a
    position may be the marked one."""
    return tuple((*step, position ^ {*step}) for step in second_rules.moved(tray, position))


def after(tray: TraySize, marked: Marked) -> Iterator[Marked]:
    """Yield where one step leads a position with a marked piece."""
    here, mark = marked
    return ((then, moved if piece == mark else mark) for piece, moved, then in slides(tray, here))


def groups(tray: TraySize, positions: Iterable[Position]) -> list[set[Position]]:
    """The positions of a class sorted into groups, the largest first."""
    left, found = set(positions), []
    while left:
        group = {one for one, _ in nearest_first([left.pop()], lambda here: (then for *_, then in slides(tray, here)))}
        left -= group
        found.append(group)
    return sorted(found, key=len, reverse=True)


@functools.lru_cache(1 << 16)
def in_corner(tray: TraySize, piece: int, lower_right: bool) -> bool:
    """Return whether a piece's bounding box lies in the upper left corner, or in the lower right one."""
    piece = image(tray, 3, piece) if lower_right else piece
    return piece == shape(tray, piece)


def lengths(tray: TraySize, positions: Iterable[Position], symmetry: int = 0) -> dict[Marked, int]:
    """Length of every corner puzzle among whole groups, by its start, where a symmetry turns the tray; pieces in both
    corners make none."""
    every = ((position, piece) for position in positions for piece in position)
    goals = (goal for goal in every if in_corner(tray, image(tray, symmetry, goal[1]), True))
    return {
        marked: length
        for marked, length in nearest_first(goals, functools.partial(after, tray))
        if length and in_corner(tray, image(tray, symmetry, marked[1]), False)
    }


def fewest_steps(tray: TraySize, position: Position, mark: int, most: int = 1 << 62) -> int | None:
    """The fewest steps that take the marked piece to the lower right corner; None where none do. ValueError where they
    lead to more than ``most`` positions, each with every piece that may be the marked one."""
    ways = nearest_first([(position, mark)], functools.partial(after, tray), most * len(position))
    return next((steps for (_, mark), steps in ways if in_corner(tray, mark, True)), None)


def longest_puzzles(tray: TraySize, positions: Collection[Position]) -> tuple[int, set[frozenset[Puzzle]]]:
    """The length of the longest corner puzzles of all classes of an orbit, from the positions of one class, and
    these puzzles; 0 and none where there is no puzzle.

    In one class a puzzle takes a piece from one place to another, each in a corner. A symmetry that turns these into
    the upper left corner and the lower right one makes it a puzzle of the turned class. Puzzles of the same places are
    one up to symmetry, and so are those that symmetries of the class turn into one another: they have the same images.
    """
    longest, tasks = 0, dict[tuple[int, int], set[Position]]()
    for way in range(4):
        for (position, mark), length in lengths(tray, positions, way).items():
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
