"""Numbers of games, counted now: of jumps from a start, of moves that are told apart by their effect, and of the games
that solve each problem of a board.

The jumps of one peg in a row are one move. Told apart by all holes in which the peg stood, there are as many games of
moves as of jumps. Here two moves are one where the peg begins and ends in the same holes and takes the same pegs,
whatever way it goes round a loop.

A move goes on as long as its peg does, so the next move is another peg's. Let ways(P, h) be the number of sequences
that lead to position P with a last move that ended in h. A move from P by the peg on b to P', where it stands on e,
adds the sum of ways(P, h) over all h but b to ways(P', e). Positions are taken in order of falling pegs.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from boardspace.cli.lines import aligned
from boardspace.spaces.solitaire.boards import open_board, parse_position
from boardspace.spaces.solitaire.parts.games.compute import orbit_ends, survivors
from boardspace.spec.arguments import Progress, listener, text, whole
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace_kernels.solitaire.board import Board, BoardError
from boardspace_kernels.solitaire.classes.between import count_problem
from boardspace_kernels.solitaire.classes.position_class import ClassTooLargeError, PositionClass
from boardspace_kernels.solitaire.games import first_ways, jump
from boardspace_kernels.solitaire.play import Play
from boardspace_kernels.solitaire.tables import forward_tables

MOST_POSITIONS = 30_000_000
"""Positions of one level that are held at once, up to symmetry: 24 bytes each, and as much again while it is made."""

MOST_BYTES = 256 << 20
"""Of a bitmap of a class; two of them are held, and eight bytes for each position that both have."""


@dataclass(frozen=True)
class GameCount:
    """Numbers of games from a start until no jump is possible.

    board: its name.
    start: the numbers of the holes with pegs.
    games: all games.
    ended: games by the number of pegs in the end.
    survivors: games that end with one peg, by the number of its hole.
    positions: positions that can be reached, up to symmetries of the start.
    """

    board: str
    start: tuple[int, ...]
    games: int
    ended: Mapping[int, int]
    survivors: Mapping[int, int]
    positions: int

    @property
    def won(self) -> int:
        """Games that end with one peg."""
        return sum(self.survivors.values())

    def document(self) -> dict[str, Any]:
        """All of it as JSON values."""
        names = ("board", "start", "games", "won", "ended", "survivors", "positions")
        return {name: getattr(self, name) for name in names}

    def lines(self) -> Iterator[str]:
        """Text for a terminal."""
        yield f"{counted(self.games, 'game')}, {self.won:,} of them end with one peg"
        for hole, number in self.survivors.items():
            yield f"  in {hole}: {number:,}"
        for pegs, number in self.ended.items():
            yield f"{counted(pegs, 'peg')} left: {number:,}"
        yield f"{counted(self.positions, 'position')} up to symmetry"

    def __str__(self) -> str:
        return "\n".join(self.lines())


def count_games(board: str = "english", start: str = "all but 19") -> GameCount:
    """Number of games from a start, exactly: sequences of jumps until no jump is possible.

    ``board`` is a shipped board or a board file, ``start`` the holes with pegs (``1 3-5``, ``all but 1``).
    BoardspaceError where the file or the start is wrong, or the board has too many positions to be held in memory.

    >>> fifteen = count_games("triangle15", "all but 1")
    >>> fifteen.games, fifteen.won, fifteen.survivors
    (568630, 29760, {1: 6816, 7: 3408, 10: 3408, 13: 16128})
    """
    built = open_board(text("board", board, "triangle15"))
    position = parse_position(built, text("start", start, "all but 1"))
    tables = forward_tables(built, built.stabiliser(position))
    level, positions, ended, won = first_ways(position), 0, dict[int, int](), dict[int, int]()
    while len(level.positions):
        if len(level.positions) > MOST_POSITIONS:
            raise BoardspaceError(
                f"{board}: more than {MOST_POSITIONS:,} positions have equally many pegs; count its games by a run "
                "with [[solitaire.games]], out of memory"
            )
        pegs = int(level.positions[0]).bit_count()
        positions += len(level.positions)
        jumps = jump(tables, level)
        if stuck := level.total(jumps.choices == 0):
            ended[pegs] = stuck
        won = survivors(built, position, orbit_ends(built, level))
        level = jumps.ways
    by_pegs = dict(sorted(ended.items()))
    return GameCount(built.name, tuple(built.pegs(position)), sum(ended.values()), by_pegs, won, positions)


MOST_HOLES = 21
"""Of a board that plain Python counts in a minute or two."""
NOWHERE = -1

Moved = set[tuple[int, int]]


@dataclass(frozen=True)
class MoveGameCount:
    """Numbers of games of moves, told apart by where each move's peg begins and ends and by the pegs that it takes.

    board: its name.
    start: the numbers of the holes with pegs.
    games: all games.
    won: those that end with one peg.
    """

    board: str
    start: tuple[int, ...]
    games: int
    won: int

    def document(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {name: getattr(self, name) for name in ("board", "start", "games", "won")}

    def __str__(self) -> str:
        return f"{counted(self.games, 'game')} of moves, {self.won:,} of them end with one peg"


def count_move_games(board: str, start: str) -> MoveGameCount:
    """Number of games from a start, each move known by where its peg begins and ends and by the pegs that it takes.

    ``board`` is a shipped board or a board file, ``start`` the holes with pegs (``1 3-5``, ``all but 1``).
    BoardspaceError where the file or the start is wrong, or the board has more than 21 holes.

    >>> fifteen = count_move_games("triangle15", "all but 4")
    >>> fifteen.games, fifteen.won
    (1123910, 83410)
    """
    built = open_board(text("board", board, "triangle15"))
    position = parse_position(built, text("start", start, "all but 1"))
    if built.holes > MOST_HOLES:
        raise BoardspaceError(f"{board}: {built.holes} holes; games of moves are counted on up to {MOST_HOLES}")
    jumps = Play(built).jumps
    levels: list[dict[int, dict[int, int]]] = [defaultdict(dict) for _ in range(position.bit_count() + 1)]
    levels[-1][position][NOWHERE] = 1
    games = won = 0
    while levels:
        for here, ways in levels.pop().items():
            total = sum(ways.values())
            moves = list(_moves(jumps, here))
            if not moves:
                games += total
                won += total * (here.bit_count() == 1)
            for begin, moved in moves:
                number = total - ways.get(begin, 0)
                for end, after in moved if number else ():
                    there = levels[after.bit_count()][after]
                    there[end] = there.get(end, 0) + number
    return MoveGameCount(built.name, tuple(built.pegs(position)), games, won)


def _moves(jumps: list[list[tuple[int, int, int]]], position: int) -> Iterator[tuple[int, Moved]]:
    """The hole of each peg that can move, and what its moves lead to: the hole that it ends in, and the position."""
    for begin, leaving in enumerate(jumps):
        if not position >> begin & 1 or not leaving:
            continue
        found: Moved = set()
        fresh = [(begin, position)]
        while fresh:
            hole, here = fresh.pop()
            for end, holes, pegs in jumps[hole]:
                after = (end, here ^ holes)
                if here & holes == pegs and after not in found:
                    found.add(after)
                    fresh.append(after)
        if found:
            yield begin, found


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
        return aligned(rows)

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
