"""Numbers of games from a start, counted now: of jumps, and of moves that are told apart by their effect.

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
from typing import Any

from boardspace.spaces.solitaire.boards import open_board, parse_position
from boardspace.spaces.solitaire.parts.games.compute import orbit_ends, survivors
from boardspace.spec.arguments import text
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.games import first_ways, jump
from boardspace_kernels.solitaire.tables import forward_tables

MOST_POSITIONS = 30_000_000
"""Positions of one level that are held at once, up to symmetry: 24 bytes each, and as much again while it is made."""


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
        if pegs == 1:
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
    jumps = _jumps(built)
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


def _jumps(board: Board) -> list[list[tuple[int, int, int]]]:
    """For each hole the jumps from it: hole reached, the three holes, those of them that have pegs."""
    found: list[list[tuple[int, int, int]]] = [[] for _ in range(board.holes)]
    for a, b, c in board.jumps.tolist():
        found[a].append((c, 1 << a | 1 << b | 1 << c, 1 << a | 1 << b))
    return found


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
