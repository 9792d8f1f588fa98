"""Numbers of games from every vacancy of a board and of every problem, counted backwards, all starts of a class at
once.

Symmetries map starts to starts of other classes. So of each orbit of vacancies an image is taken that shares its class
with a start before it, if there is one: the English board has seven starts, and three classes do for them.

Of every problem of a board, from one vacancy to one survivor, it is counted in how many ways and by what luck it can be
solved.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from boardspace.spaces.solitaire.boards import open_board
from boardspace.spec.arguments import LARGEST, Progress, listener, text, whole, within
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.solitaire.board import Board, BoardError
from boardspace_kernels.solitaire.classes.between import count_between, count_jump_sets, positions_between
from boardspace_kernels.solitaire.classes.games_left import MEMORY, CountingLimits, MemoryTooSmallError, games_of_starts
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import ClassTooLargeError, PositionClass

BITMAPS = 3
"""Of a class, held at once: what the starts lead to, what leads to one peg, and what does both."""


class VacancyGames(NamedTuple):
    """Numbers of games from one vacancy.

    vacancy: the number of the hole.
    games: all of them, until no jump is possible.
    survivors: games that end with one peg, by the number of its hole.
    """

    vacancy: int
    games: int
    survivors: Mapping[int, int]

    @property
    def won(self) -> int:
        """Games that end with one peg."""
        return sum(self.survivors.values())


@dataclass(frozen=True)
class BoardGames:
    """Numbers of games from one vacancy of each orbit of holes of a board, ascending."""

    board: str
    starts: tuple[VacancyGames, ...]

    def document(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {"board": self.board, "starts": [{**start._asdict(), "won": start.won} for start in self.starts]}

    def lines(self) -> Iterator[str]:
        """Text for a terminal."""
        rows: list[tuple[str, ...]] = [("vacancy", "games", "won", "in the vacancy")]
        for start in self.starts:
            numbers = (start.games, start.won, start.survivors.get(start.vacancy, 0))
            rows.append((str(start.vacancy), *(f"{number:,}" for number in numbers)))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(value.rjust(width) for value, width in zip(row, widths, strict=True))

    def __str__(self) -> str:
        return "\n".join(self.lines())


@dataclass(frozen=True)
class _Class:
    """Starts of one class: the vacancies asked for, each with the symmetry that maps it into the class."""

    positions: PositionClass
    images: dict[int, list[int]] = field(default_factory=dict)


def count_games_of_board(
    board: str = "english", memory: int = MEMORY, threads: int = 1, progress: Progress | None = None
) -> BoardGames:
    """Numbers of games from every vacancy of a board up to symmetry, exactly, all starts of a class at once.

    ``board`` is a shipped board or a board file. Bitmaps and numbers may take about ``memory`` bytes; with less, all
    positions are gone through more often. ``threads`` count at once; ``progress`` is called with a line of text before
    each pass. BoardspaceError where the file is wrong, or the memory does not suffice.

    >>> [(start.vacancy, start.games, start.won) for start in count_games_of_board("triangle15").starts]
    [(1, 568630, 29760), (2, 294543, 14880), (4, 1149568, 85258), (5, 137846, 1550)]
    """
    built = open_board(text("board", board, "triangle15"))
    memory, threads = within("memory", memory, 1, LARGEST), within("threads", threads, 1, LARGEST)
    limits = CountingLimits(memory, threads, listener(progress) or (lambda line: None))
    found = games_by_vacancy(built, [orbit[0] for orbit in built.orbits], limits)
    return BoardGames(built.name, tuple(found[hole] for hole in sorted(found)))


def games_by_vacancy(board: Board, holes: Sequence[int], limits: CountingLimits) -> dict[int, VacancyGames]:
    """The numbers of games from each of these vacancies, given as holes and not by their numbers.

    BoardspaceError where bitmaps and numbers take more than ``limits.memory``.
    """
    found: dict[int, VacancyGames] = {}
    try:
        for some in _classes(board, holes):
            found |= _games_of_class(board, some, limits)
    except ClassTooLargeError as error:
        raise BoardspaceError(f"{board.name}: {error}; count its games by a run with [[solitaire.games]]") from error
    return found


def _games_of_class(board: Board, some: _Class, limits: CountingLimits) -> dict[int, VacancyGames]:
    order = Order(some.positions)
    starts = {hole: board.full ^ 1 << symmetry[hole] for hole, symmetry in some.images.items()}
    pegs = [1 << hole for hole in range(board.holes) if some.positions.contains(1 << hole)]
    bitmaps = BITMAPS * some.positions.bytes
    numbers = limits.memory - bitmaps
    if numbers < 0:
        raise _too_little(board, "more than", bitmaps, limits)
    try:
        counted = games_of_starts(order, list(starts.values()), pegs, replace(limits, memory=numbers))
    except MemoryTooSmallError as error:
        raise _too_little(board, "about", bitmaps + error.needed, limits) from error
    found = {}
    for hole, start in starts.items():
        ends = ((survivor, 1 << image) for survivor, image in enumerate(some.images[hole]))
        ways = {board.labels[hole]: counted.ending[peg][start] for hole, peg in ends if peg in counted.ending}
        won = {label: number for label, number in ways.items() if number}
        found[hole] = VacancyGames(board.labels[hole], counted.all[start], won)
    return found


def _too_little(board: Board, about: str, needed: int, limits: CountingLimits) -> BoardspaceError:
    return BoardspaceError(
        f"{board.name}: bitmaps of a class and numbers of games take {about} {needed / 1e6:,.1f} MB, and "
        f"{limits.memory / 1e6:,.1f} MB are allowed (--memory); a run with [[solitaire.games]] counts games on the disk"
    )


def _classes(board: Board, holes: Sequence[int]) -> list[_Class]:
    """The vacancies, those together of which symmetries map one into the class of the other."""
    classes: list[_Class] = []
    for hole in holes:
        places = ((some, image) for some in classes for image in board.symmetries.tolist())
        inside = ((some, image) for some, image in places if some.positions.contains(board.full ^ 1 << image[hole]))
        identity = list(range(board.holes))
        some, image = next(inside, (_Class(PositionClass(board, board.full ^ 1 << hole)), identity))
        some.images[hole] = image
        if some not in classes:
            classes.append(some)
    return classes


MOST_BYTES = 256 << 20
"""Of a bitmap of a class; two of them are held, and eight bytes for each position that both have."""


class ProblemGames(NamedTuple):
    """Games of jumps from all pegs but one to one peg.

    vacancy: the number of the hole that is empty at first.
    survivor: the number of the hole of the last peg.
    positions: positions that occur in these games.
    games: sequences of jumps.
    paths: sequences of positions, up to the symmetries that keep vacancy and survivor.
    jump_sets: games that differ by more than the order of their jumps.
    luck: the chance that jumps taken at random, all that are possible equally likely, make one of these games.
    """

    vacancy: int
    survivor: int
    positions: int
    games: int
    paths: int
    jump_sets: int
    luck: Fraction


@dataclass(frozen=True)
class BoardProblems:
    """Problems of a board that can be solved, one of each orbit of pairs of a vacancy and a survivor, ascending."""

    board: str
    problems: tuple[ProblemGames, ...]

    def document(self) -> dict[str, Any]:
        """All of it as JSON values; the luck as a fraction, such as ``1/4``."""
        return {"board": self.board, "problems": [row._asdict() | {"luck": str(row.luck)} for row in self.problems]}

    def lines(self) -> Iterator[str]:
        """Text for a terminal."""
        rows: list[tuple[str, ...]] = [("vacancy", "survivor", "positions", "games", "paths", "jump sets", "luck")]
        for problem in self.problems:
            numbers = (problem.positions, problem.games, problem.paths, problem.jump_sets)
            ends = str(problem.vacancy), str(problem.survivor)
            rows.append((*ends, *(f"{number:,}" for number in numbers), f"{float(problem.luck):.4g}"))
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        for row in rows:
            yield "  ".join(value.rjust(width) for value, width in zip(row, widths, strict=True))

    def __str__(self) -> str:
        return "\n".join(self.lines())


def count_problems(
    board: str = "english", vacancy: int | None = None, survivor: int | None = None, progress: Progress | None = None
) -> BoardProblems:
    """Games of each problem of a board, from one vacancy to one survivor; problems that no game solves are left out.

    ``board`` is a shipped board or a board file. Without ``vacancy`` one hole of each orbit is empty at first; without
    ``survivor`` all holes may hold the last peg, one of those that symmetries exchange. ``progress`` is called with a
    line of text for each problem. BoardspaceError where the file or a hole is wrong, or the board's classes are too
    large.

    >>> [(p.survivor, p.games, p.jump_sets) for p in count_problems("triangle15", vacancy=1).problems]
    [(1, 6816, 8), (7, 3408, 6), (13, 16128, 44)]
    """
    built = open_board(text("board", board, "triangle15"))
    listen = listener(progress) or (lambda line: None)
    try:
        size = PositionClass(built, built.full ^ 1).bytes
    except ClassTooLargeError as error:
        raise BoardspaceError(str(error)) from error
    if size > MOST_BYTES:
        raise BoardspaceError(
            f"{built.name}: a bitmap of a class has {size:,} bytes; problems are counted where it has at most "
            f"{MOST_BYTES:,}, as on the English board"
        )
    rows = []
    for begin, end in _pairs(built, _hole(built, "vacancy", vacancy), _hole(built, "survivor", survivor)):
        listen(f"from {built.labels[begin]} to {built.labels[end]}")
        start, goal = built.full ^ 1 << begin, 1 << end
        between = positions_between(built, start, goal)
        if len(between):
            found = count_between(built, start, goal, between)
            numbers = found.positions, found.games, found.paths, count_jump_sets(built, between), found.luck
            rows.append(ProblemGames(built.labels[begin], built.labels[end], *numbers))
    return BoardProblems(built.name, tuple(rows))


def _hole(board: Board, name: str, label: int | None) -> int | None:
    if label is None:
        return None
    try:
        return board.hole(whole(name, label))
    except BoardError as error:
        raise BoardspaceError(f"{name}: {error}") from error


def _pairs(board: Board, vacancy: int | None, survivor: int | None) -> Iterator[tuple[int, int]]:
    """The holes of vacancy and survivor, one pair of those that symmetries exchange; those asked for as they are."""
    for begin in [orbit[0] for orbit in board.orbits] if vacancy is None else [vacancy]:
        if survivor is not None:
            yield begin, survivor
            continue
        kept = board.stabiliser(1 << begin)
        yield from ((begin, end) for end in range(board.holes) if kept[:, end].min() == end)
