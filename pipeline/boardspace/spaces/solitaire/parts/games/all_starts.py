"""Numbers of games from every vacancy of a board, counted backwards, all starts of a class at once.

Symmetries map starts to starts of other classes. So of each orbit of vacancies an image is taken that shares its class
with a start before it, if there is one: the English board has seven starts, and three classes do for them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from boardspace.cli.lines import aligned
from boardspace.spaces.solitaire.boards import open_board
from boardspace.spec.arguments import LARGEST, Progress, listener, text, within
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.solitaire.board import Board
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
        return aligned(rows)

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
    found: dict[int, VacancyGames] = {}
    try:
        for some in _classes(built):
            found |= _games_of_class(built, some, limits)
    except ClassTooLargeError as error:
        raise BoardspaceError(f"{built.name}: {error}; count its games by a run with [[solitaire.games]]") from error
    return BoardGames(built.name, tuple(found[hole] for hole in sorted(found)))


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


def _classes(board: Board) -> list[_Class]:
    """One vacancy of each orbit, those together of which symmetries map one into the class of the other."""
    classes: list[_Class] = []
    for hole, *_ in board.orbits:
        places = ((some, image) for some in classes for image in board.symmetries.tolist())
        inside = ((some, image) for some, image in places if some.positions.contains(board.full ^ 1 << image[hole]))
        identity = list(range(board.holes))
        some, image = next(inside, (_Class(PositionClass(board, board.full ^ 1 << hole)), identity))
        some.images[hole] = image
        if some not in classes:
            classes.append(some)
    return classes
