"""Games of the problems of a board, counted now: in how many ways, and by what luck, each can be solved."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from boardspace.spaces.solitaire.boards import open_board
from boardspace.spec.arguments import Progress, listener, text, whole
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.solitaire.board import Board, BoardError
from boardspace_kernels.solitaire.classes.between import count_problem
from boardspace_kernels.solitaire.classes.position_class import ClassTooLargeError, PositionClass

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
        if counted := count_problem(built, built.full ^ 1 << begin, 1 << end):
            found, jump_sets = counted
            assert jump_sets is not None
            numbers = found.positions, found.games, found.paths, jump_sets, found.luck
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
        yield from ((begin, end) for end in (board.first_holes(1 << begin) if survivor is None else [survivor]))
