"""Shortest ways of pieces that slide on a tray, searched from one position by NumPy, or by a kernel.

The two searches share tables and give the same answer: of the nearest positions with the goal reached the least, and
before each position the least of its neighbours that are a step nearer to the start. NumPy takes all positions of a
level at once, 1.4 microseconds each, and spares a process that asks a small question the compiler. The kernel takes
0.2 microseconds, after half a second of loading. So a process begins with NumPy, and goes over to the kernel
when NumPy has taken as long as loading the kernel does.
"""

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, permutations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace.spec.arguments import shown, text
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.second_rules import bits
from boardspace_kernels.graph.sliding import Kinds, Words, link, search

ONE = np.uint64(1)
WORD = 64
WAYS = ((-1, 0), (0, -1), (0, 1), (1, 0))
"""A cell up, left, right and down."""
PATIENCE = 400_000
"""Positions that NumPy goes through in the time that the kernel takes to load."""
MOST_MET, MOST_OF_A_GROUP = 4_000_000, 1 << 20
"""Positions that a search for one way meets, and those of a group that is searched whole."""
_groups: "deque[tuple[object, Mapping[bytes, int | None]]]" = deque(maxlen=8)
"""Groups that were searched last."""
searched = [0]
"""Positions that NumPy has gone through in this process."""

METRICS = ("step", "unit")
"""What counts as one move: a piece moved any way, round corners too; or a piece moved by one cell."""


class TooManyPositionsError(BoardspaceError):
    """A search has met more positions than it may."""


def is_unit(metric: str) -> bool:
    """True where a move takes a piece by one cell. BoardspaceError for what is no metric."""
    if text("metric", metric, "unit") not in METRICS:
        raise BoardspaceError(f"metric {shown(metric)}: it is {' or '.join(METRICS)}")
    return metric == "unit"


@dataclass(frozen=True)
class Tray:
    """A tray of rows x columns cells, 64 at most; pieces may cover the cells of the set ``floor``."""

    rows: int
    columns: int
    floor: int

    def anchored(self, piece: int) -> tuple[int, int]:
        """A piece moved to the upper left corner, and its anchor, the upper left cell of its bounding box."""
        cells = list(bits(piece))
        anchor = cells[0] // self.columns * self.columns + min(cell % self.columns for cell in cells)
        return piece >> anchor, anchor

    def anchors(self, height: int, width: int) -> int:
        """The set of anchors of pieces of so many rows and columns; empty where these do not fit."""
        row = (1 << self.columns - width + 1) - 1
        return sum(row << self.columns * number for number in range(self.rows - height + 1))


class Step(NamedTuple):
    """A step of a way: the number of the piece that moves, and its cells after it."""

    piece: int
    cells: int


class Question(NamedTuple):
    """A position, and where the first of its pieces is to come.

    pieces: sets of cells.
    goals: set of anchors of the first piece.
    across: of pieces that keep to their lines, whether each moves along its row, or along its column.
    """

    tray: Tray
    pieces: Sequence[int]
    goals: int
    across: Sequence[bool] | None = None


def shortest_way(question: Question, *, unit: bool = False, most: int = MOST_MET) -> list[Step] | None:
    """The steps of a shortest way that takes the first piece to a goal.

    A step moves a piece any way, or by a cell where ``unit`` is true. None where there is no way; TooManyPositionsError
    where more than ``most`` positions were met.
    """
    posed = Posed(question.tray, question.pieces, question.across)
    way = _way(posed.kinds, posed.start, np.uint64(question.goals), unit, most)
    return None if way is None else list(posed.steps(np.array(way)))


class Posed:
    """A position of pieces, as words, and by which piece each is made; arguments as :class:`Question` has them.

    kinds: of the pieces; the first piece is a kind of its own.
    start: uint64 (words), the position.
    key: what the positions of two questions have in common where one of their words means the same.
    """

    def __init__(self, tray: Tray, pieces: Sequence[int], across: Sequence[bool] | None = None) -> None:
        homes, anchors = zip(*map(tray.anchored, pieces), strict=True)
        named = list(zip(homes, [None] * len(homes) if across is None else across, strict=True))
        kinds = [named[0], *sorted(set(named[1:]), key=lambda kind: (kind[0], bool(kind[1])))]
        of = [0, *(kinds.index(one, 1) for one in named[1:])]
        single = [of.count(kind) == 1 for kind in range(len(kinds))]
        self._homes = [home for home, _ in kinds]
        self.kinds, words = tables(tray, self._homes, single)
        for kind, (_, along) in enumerate(kinds):
            if along is not None:
                self.kinds.stays[[0, 3] if along else [1, 2], kind] = 0
        self.key = (tray, tuple(kinds), tuple(single))
        self.start = np.zeros(words, np.uint64)
        self._number_at = {place: number for number, place in enumerate(zip(of, anchors, strict=True))}
        for kind, anchor in self._number_at:
            value = anchor if single[kind] else 1 << anchor
            self.start[self.kinds.word[kind]] += np.uint64(value << int(self.kinds.shift[kind]))

    def cells(self, positions: Words) -> list[tuple[int, ...]]:
        """Cells that pieces cover in each of some positions of one word, by kinds, and by anchors within a kind."""
        sets = anchor_sets(self.kinds, positions[None]).T.tolist()
        return [
            tuple(home << at for home, one in zip(self._homes, row, strict=True) for at in bits(one)) for row in sets
        ]

    def steps(self, way: Words) -> Iterator[Step]:
        """Yield the steps of a way from the start, uint64 (positions, words)."""
        number_at = dict(self._number_at)
        for before, after in pairwise(anchor_sets(self.kinds, way.T).T.tolist()):
            kind = next(kind for kind, home in enumerate(self._homes) if before[kind] != after[kind])
            left, new = ((one & ~other).bit_length() - 1 for one, other in permutations((before[kind], after[kind])))
            number = number_at[kind, new] = number_at.pop((kind, left))
            yield Step(number, self._homes[kind] << new)


def all_shortest_ways(
    tray: Tray, pieces: Sequence[int], ends: Iterable[Sequence[int]]
) -> dict[tuple[int, ...], list[tuple[int, ...]]]:
    """The positions on the shortest ways, in steps, from one position to the nearest of some others, each with those
    that may follow it; the nearer to the start come first, and an end has none. Empty where no way leads to any.

    Positions are given and told by the cells of their pieces, see :meth:`Posed.cells`; they have to fit a word. Levels
    grow round the start and round the ends, the smaller one next, until two of them have a position in common.
    """
    posed, others = Posed(tray, pieces), [Posed(tray, end) for end in ends]
    kinds = posed.kinds
    assert len(posed.start) == 1
    ahead, behind = (
        [np.unique(np.concatenate([kinds.home[:0], *(one.start for one in side if one.key == posed.key)]))]
        for side in ([posed], others)
    )
    while not len(meeting := ahead[-1][_among(ahead[-1], behind[-1])]):
        grown = min(ahead, behind, key=lambda levels: len(levels[-1]))
        following = _level_after(kinds, grown, unit=False)
        if not len(following):
            return {}
        grown.append(following)
    on_ways = deque([meeting])
    for level in ahead[-2::-1]:
        on_ways.appendleft(level[_among(level, np.sort(neighbours(kinds, on_ways[0], unit=False)[0]))])
    for level in behind[-2::-1]:
        on_ways.append(level[_among(level, np.sort(neighbours(kinds, on_ways[-1], unit=False)[0]))])
    after: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for here, there in pairwise([*on_ways, meeting[:0]]):
        names = posed.cells(here)
        after |= {name: [] for name in names}
        found, source = neighbours(kinds, here, unit=False)
        onward = _among(found, there)
        for one, name in zip(source[onward].tolist(), posed.cells(found[onward]), strict=True):
            after[names[one]].append(name)
    return after


def choices(question: Question, *, unit: bool) -> tuple[int | None, list[tuple[Step, int | None]]]:
    """The steps that lead the first piece to a goal, as in :func:`shortest_way`, and every next step with those that it
    leaves, the best ones first; None where no steps lead there.

    The whole group is searched, and kept for the next questions: TooManyPositionsError where it has more positions than
    MOST_OF_A_GROUP.
    """
    posed = Posed(question.tray, question.pieces, question.across)
    steps = _steps_left(posed, np.uint64(question.goals), unit)
    own = posed.start[None]
    after = search(posed.kinds, own, np.uint64(0), unit, 1).states[1:]
    found = [(next(posed.steps(np.stack([posed.start, one]))), steps[one.tobytes()]) for one in after]
    return steps[posed.start.tobytes()], sorted(found, key=lambda one: (one[1] is None, one[1] or 0, one[0]))


def _steps_left(posed: Posed, goals: np.uint64, unit: bool) -> Mapping[bytes, int | None]:
    """Steps of each position of a group, by its bytes, to the nearest goal; None where none is reached."""
    key, start = (posed.key, goals, unit), posed.start.tobytes()
    for one, known in _groups:
        if one == key and start in known:
            return known
    searched[0] = PATIENCE  # the kernel is loaded now
    group = _group(posed, unit)
    solved = group[anchor_sets(posed.kinds, group.T)[0] & goals != 0]
    steps: dict[bytes, int | None] = dict.fromkeys(map(np.ndarray.tobytes, group))
    if len(solved):
        found = search(posed.kinds, solved, np.uint64(0), unit, MOST_OF_A_GROUP)
        sizes = np.diff(found.ends, prepend=0)
        left = np.repeat(np.arange(len(sizes)), sizes).tolist()
        steps.update(zip(map(np.ndarray.tobytes, found.states), left, strict=True))
    _groups.append((key, steps))
    return steps


def _group(posed: Posed, unit: bool) -> Words:
    """All positions that moves lead to, the start first; TooManyPositionsError where they are too many."""
    group = search(posed.kinds, posed.start[None], np.uint64(0), unit, MOST_OF_A_GROUP).states
    if len(group) > MOST_OF_A_GROUP:
        raise TooManyPositionsError(f"more than {MOST_OF_A_GROUP:,} positions can be reached, too many to search")
    return group


@dataclass(frozen=True)
class Group:
    """Positions that moves join, each of which can be taken back, in compressed sparse rows.

    rows: int64 (positions + 1), where each position's moves begin; ends: uint32 (moves), to which positions they lead.
    goals: bool (positions).
    """

    rows: npt.NDArray[np.int64]
    ends: npt.NDArray[np.uint32]
    goals: npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Graph(Group):
    """All positions that moves lead to from a start, which is the first; in goals the first piece is in its place.

    away: int64 (positions), cells that it is away from the nearest goal, rows and columns together.
    as_begun: int64 (positions), pieces at places where the start has one of their kind.
    covered: uint64 (positions), cells that pieces cover.
    """

    away: npt.NDArray[np.int64]
    as_begun: npt.NDArray[np.int64]
    covered: Words


def graph_of(question: Question, *, unit: bool = False) -> Graph:
    """The graph of the group of a position; TooManyPositionsError where it has more positions than MOST_OF_A_GROUP."""
    tray, pieces, goals, across = question
    posed = Posed(tray, pieces, across)
    searched[0] = PATIENCE  # the kernel is loaded now
    group = _group(posed, unit)
    rows, ends = link(posed.kinds, group, unit)
    anchors = anchor_sets(posed.kinds, group.T)
    covered = np.zeros(len(group), np.uint64)
    for number in range(posed.kinds.cells.shape[1]):
        covered |= np.bitwise_or.reduce(anchors << posed.kinds.cells[:, number, None])
    cells = np.arange(tray.rows * tray.columns)
    far = np.abs([cells // tray.columns - goal // tray.columns for goal in bits(goals)])
    far += np.abs([cells % tray.columns - goal % tray.columns for goal in bits(goals)])
    return Graph(
        rows,
        ends,
        goals=anchors[0] & np.uint64(goals) != 0,
        away=far.min(axis=0)[_number(anchors[0])],
        as_begun=np.bitwise_count(anchors & anchors[:, :1]).sum(axis=0, dtype=np.int64),
        covered=covered,
    )


def _way(kinds: Kinds, start: Words, goals: np.uint64, unit: bool, most: int) -> list[Words] | None:
    """The positions of a shortest way, by NumPy where it may still take its time, else by the kernel."""
    if len(start) == 1 and searched[0] < PATIENCE:
        levels = list(levels_of(kinds, start, goals, unit, PATIENCE - searched[0]))
        searched[0] += sum(map(len, levels))
        if searched[0] <= PATIENCE:
            return way_back(kinds, levels, goals, unit)
    found = search(kinds, start[None], goals, unit, most)
    if found.goal >= 0:
        way = [found.goal]
        while found.before[way[-1]] >= 0:
            way.append(int(found.before[way[-1]]))
        return [found.states[position] for position in reversed(way)]
    if len(found.states) > most:
        raise TooManyPositionsError(f"more than {most:,} positions were met, too many to search")
    return None


def tables(tray: Tray, homes: Sequence[int], single: Sequence[bool]) -> tuple[Kinds, int]:
    """The tables of kinds of pieces, by what a piece of each covers in the upper left corner and whether there is one
    piece of it alone; and the number of words of a position."""
    stays, fronts, fields, filled = [], [], [], [0]
    for home, alone in zip(homes, single, strict=True):
        cells = {divmod(cell, tray.columns) for cell in bits(home)}
        height, width = (1 + max(ends) for ends in zip(*cells, strict=True))
        higher, wider = tray.anchors(height + 1, width), tray.anchors(height, width + 1)
        stays.append((higher << tray.columns, wider << 1, wider, higher))
        fronts.append(
            [_set(tray, {(r, c) for r, c in cells if (r + down, c + right) not in cells}) for down, right in WAYS]
        )
        size = tray.anchors(height, width).bit_length()
        size = max(1, (size - 1).bit_length()) if alone else size
        if filled[-1] + size > WORD:
            filled.append(0)
        fields.append((len(filled) - 1, filled[-1], (1 << size) - 1))
        filled[-1] += size
    word, shift, field = zip(*fields, strict=True)
    kinds = Kinds(
        np.uint64(tray.columns),
        np.uint64(tray.floor),
        np.array(homes, np.uint64),
        _numbers([homes])[0],
        np.array(stays, np.uint64).T.copy(),
        _numbers(list(zip(*fronts, strict=True))),
        np.array(word, np.int64),
        np.array(shift, np.uint64),
        np.array(field, np.uint64),
        np.array(single, np.bool_),
    )
    return kinds, len(filled)


def _set(tray: Tray, cells: Iterable[tuple[int, int]]) -> int:
    return sum(1 << tray.columns * row + column for row, column in cells)


def _numbers(sets: Sequence[Sequence[int]]) -> Words:
    """The numbers of the members of sets, uint64 (rows, columns, most members), the last one of each repeated."""
    most = max(one.bit_count() for row in sets for one in row)
    members = ([[*bits(one)] for one in row] for row in sets)
    return np.array([[some + some[-1:] * (most - len(some)) for some in row] for row in members], np.uint64)


def anchor_sets(kinds: Kinds, states: Words) -> Words:
    """The sets of anchors of each kind, uint64 (kinds, positions); positions are (words, positions)."""
    values = states[kinds.word] >> kinds.shift[:, None] & kinds.field[:, None]
    return np.where(kinds.single[:, None], ONE << values, values)


def levels_of(kinds: Kinds, start: Words, goals: np.uint64, unit: bool, most: int) -> Iterator[Words]:
    """Yield the positions 0, 1, 2, ... steps away, ascending, up to the first level with the goal reached, or to the
    end, or until they are more than ``most``. Positions are of one word."""
    levels, met = [start], 0
    while len(level := levels[-1]):
        yield level
        met += len(level)
        if met > most or len(_reached(kinds, level, goals)):
            return
        levels = [level, _level_after(kinds, levels, unit)]


def _level_after(kinds: Kinds, levels: Sequence[Words], unit: bool) -> Words:
    """The positions a step from the last of some levels that are in neither of the last two, ascending."""
    following = np.sort(neighbours(kinds, levels[-1], unit)[0])
    new = np.ones(len(following), np.bool_)
    new[1:] = following[1:] != following[:-1]
    for level in levels[-2:]:
        new &= ~_among(following, level)
    return following[new]


def way_back(kinds: Kinds, levels: list[Words], goals: np.uint64, unit: bool) -> list[Words] | None:
    """The positions of a shortest way, from the levels of a search; None where the last one does not reach the goal."""
    ends = _reached(kinds, levels[-1], goals)
    if not len(ends):
        return None
    way = [ends[:1]]
    for level in levels[-2::-1]:
        nearer, _ = neighbours(kinds, way[-1], unit)
        way.append(nearer[_among(nearer, level)].min(keepdims=True))
    return way[::-1]


def neighbours(kinds: Kinds, states: Words, unit: bool) -> tuple[Words, npt.NDArray[np.intp]]:
    """The positions a step away from some, those of each, and the place of the one that each is beside; a position may
    be there several times."""
    anchors = anchor_sets(kinds, states[None])
    covered = anchors << kinds.cells[:, :1]
    for number in range(1, kinds.cells.shape[1]):
        covered |= anchors << kinds.cells[:, number : number + 1]
    free = kinds.floor & ~np.bitwise_or.reduce(covered)
    kind, source, place = _apart(anchors & _movable(kinds, free))
    own = free[source] | kinds.home[kind] << _number(place)
    fits = np.bitwise_and.reduce(own >> kinds.cells[kind].T)
    stays, reached = kinds.stays[:, kind], place
    while True:
        grown = reached | (reached & stays[0]) >> kinds.columns | (reached & stays[1]) >> ONE
        grown |= (reached & stays[2]) << ONE | (reached & stays[3]) << kinds.columns
        grown &= fits
        if unit or (grown == reached).all():
            break
        reached = grown
    _, moved, target = _apart((grown & ~place)[None])
    kind, source, place = kind[moved], source[moved], place[moved]
    single = kinds.single[kind]
    change = np.where(single, _number(target) - _number(place), target - place)
    return states[source] + (change << kinds.shift[kind]), source


def _movable(kinds: Kinds, free: Words) -> Words:
    """The anchors of each kind from which a piece could move by a cell, (kinds, positions)."""
    up, left, right, down = np.bitwise_and.reduce(free >> kinds.fronts[..., None], axis=2)
    stays = kinds.stays[..., None]
    found: Words = up << kinds.columns & stays[0] | left << ONE & stays[1]
    return found | right >> ONE & stays[2] | down >> kinds.columns & stays[3]


def _apart(sets: Words) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp], Words]:
    """The members of sets (rows, columns), each as a set of its own, with its row and column."""
    row, column = np.nonzero(sets)
    left, found = sets[row, column], []
    while len(left):
        lowest = left & -left
        found.append((row, column, lowest))
        left = left ^ lowest
        more = np.flatnonzero(left)
        row, column, left = row[more], column[more], left[more]
    rows, columns, members = zip(*found, strict=True) if found else ((row,), (column,), (left,))
    return np.concatenate(rows), np.concatenate(columns), np.concatenate(members)


def _number(one: Words) -> Words:
    return np.bitwise_count(one - ONE).astype(np.uint64)


def _reached(kinds: Kinds, level: Words, goals: np.uint64) -> Words:
    """The positions of a level with the first kind's piece at a goal."""
    place = level >> kinds.shift[0] & kinds.field[0]
    return level[goals >> place & ONE != 0]


def _among(states: Words, level: Words) -> npt.NDArray[np.bool_]:
    """True for the positions that an ascending level holds."""
    if not len(level):
        return np.zeros(len(states), np.bool_)
    return level.take(np.searchsorted(level, states), mode="clip") == states
