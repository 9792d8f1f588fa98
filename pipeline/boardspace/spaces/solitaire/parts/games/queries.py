"""Numbers of games from a start, counted now."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from boardspace.spaces.solitaire.boards import open_board, parse_position
from boardspace.spaces.solitaire.parts.games.compute import orbit_ends, survivors
from boardspace.spec.arguments import text
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
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
