"""Problems, a start and a goal on a board, and play by hand, move by move.

A problem says which positions its search may identify.

A symmetry of the board maps games to games. Where it also fixes the start and the goal, it maps solutions to
solutions, and a search may keep one position of each orbit. Symmetries that move the start or the goal may not
identify anything; the group of a problem is the stabiliser of both.

Play by hand: single positions, moves as a reader writes them, and the referee's objections.

A move is written by the holes of its peg, ``9==>23==>25``: from 9 over the peg between into 23, and on into 25. This is
the slow, exact side, for replaying, listing and printing; the searches use ``moves``.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.runs import Run
from boardspace_kernels.solitaire.board import Board, BoardError
from boardspace_kernels.solitaire.tables import MoveTables, backward_tables, forward_tables

ARROW = "==>"


@dataclass(frozen=True, eq=False)
class Problem:
    """From ``start`` to ``goal``, both positions of ``board``; BoardError where one has pegs outside it."""

    board: Board
    start: int
    goal: int

    def __post_init__(self) -> None:
        self.board.check(self.start)
        self.board.check(self.goal)

    @cached_property
    def group(self) -> NDArray[np.int64]:
        """int64 (g, holes): the symmetries that keep start and goal, the identity first."""
        return self.board.stabiliser(self.start, self.goal)

    @cached_property
    def forward(self) -> MoveTables:
        """Tables for playing from the start."""
        return forward_tables(self.board, self.group)

    @cached_property
    def backward(self) -> MoveTables:
        """Tables for taking back from the goal."""
        return backward_tables(self.board, self.group)

    def root(self, position: int, counted: bool = False) -> Run:
        """The run of one position that the group fixes (start or goal), reached in one way where ``counted``."""
        one = np.ones(1, np.uint64) if counted else None
        return Run(np.array([position], np.uint64), one)


class MoveError(ValueError):
    """A move that cannot be read or made; the text says which and why."""


class Sweep(NamedTuple):
    """Effect of a move, whatever way it went round its loops: holes where its peg began and ended, and pegs taken."""

    begin: int
    end: int
    taken: tuple[int, ...]


class Move(NamedTuple):
    """A move as the holes its peg stood in, first to last (indices, not labels)."""

    stops: tuple[int, ...]

    def image(self, permutation: Sequence[int]) -> "Move":
        """The move after a symmetry."""
        return Move(tuple(permutation[hole] for hole in self.stops))


@dataclass(frozen=True, eq=False)
class Play:
    """Moves on one board."""

    board: Board

    @cached_property
    def over(self) -> dict[tuple[int, int], int]:
        """The hole that a jump from the one to the other goes over."""
        return {(a, c): b for a, b, c in self.board.jumps.tolist()}

    @cached_property
    def jumps(self) -> list[list[tuple[int, int, int]]]:
        """For each hole the jumps of a peg on it: (landing, the three holes, those of them that must hold pegs)."""
        jumps: list[list[tuple[int, int, int]]] = [[] for _ in self.board.cells]
        for a, b, c in self.board.jumps.tolist():
            jumps[a].append((c, 1 << a | 1 << b | 1 << c, 1 << a | 1 << b))
        return jumps

    def parse(self, text: str) -> Move:
        """The move that ``1==>11==>25`` writes; MoveError where it is not one, BoardError for an unknown hole."""
        labels = re.split(r"\s*=*-*>\s*", text.strip())
        if len(labels) < 2 or not all(label.isdecimal() for label in labels):
            raise MoveError(f"{text.strip()!r} is not a move; write the holes of its peg, such as 1{ARROW}11{ARROW}25")
        return Move(tuple(self.board.hole(int(label)) for label in labels))

    def format(self, move: Move) -> str:
        """The move in the notation that ``parse`` reads."""
        return ARROW.join(str(self.board.labels[hole]) for hole in move.stops)

    def sweep(self, move: Move) -> Sweep:
        """Effect of the move apart from the way it goes."""
        taken = sorted(self.over[jump] for jump in pairwise(move.stops))
        return Sweep(move.stops[0], move.stops[-1], tuple(taken))

    def make(self, position: int, move: Move) -> int:
        """The position after the move; MoveError says which of its jumps is impossible and why."""
        for begin, end in pairwise(move.stops):
            fault = self._fault(position, begin, end)
            if fault:
                raise MoveError(f"{self.format(move)}: {fault}")
            position ^= 1 << begin | 1 << self.over[begin, end] | 1 << end
        return position

    def moves(self, position: int) -> Iterator[tuple[Move, int]]:
        """Every move from the position with the position it leads to: by the hole where its peg begins, then by the
        directions of its jumps, and a move before those that go on from it."""
        for hole in range(self.board.holes):
            if position >> hole & 1:
                yield from self._chains(position, (hole,))

    def replay(self, position: int, moves: Sequence[Move]) -> list[int]:
        """The positions before the first move and after each; MoveError names the number of an impossible one."""
        positions = [position]
        for number, move in enumerate(moves, 1):
            try:
                positions.append(self.make(positions[-1], move))
            except MoveError as error:
                raise MoveError(f"move {number}, {error}") from error
        return positions

    def _chains(self, position: int, stops: tuple[int, ...]) -> Iterator[tuple[Move, int]]:
        for landing, holes, pegs in self.jumps[stops[-1]]:
            if position & holes == pegs:
                # Every stop is a possible end, so a chain is a move itself and the begin of longer ones.
                chain = (*stops, landing)
                yield Move(chain), position ^ holes
                yield from self._chains(position ^ holes, chain)

    def _fault(self, position: int, begin: int, end: int) -> str:
        """Why a peg on ``begin`` cannot jump to ``end``, or ''."""
        label = self.board.labels
        if (begin, end) not in self.over:
            return f"no jump leads from hole {label[begin]} to hole {label[end]}"
        over = self.over[begin, end]
        if not position >> begin & 1:
            return f"hole {label[begin]} is empty"
        if not position >> over & 1:
            return f"there is no peg on {label[over]} to jump over from {label[begin]} to {label[end]}"
        if position >> end & 1:
            return f"hole {label[end]} is occupied"
        return ""


def parse_solution(play: Play, text: str) -> list[Move]:
    """Moves written one a line or separated by commas, each perhaps numbered ``(7)``; MoveError or BoardError."""
    moves = []
    for number, part in enumerate((p for p in re.split(r"[,;\n]", text) if p.strip()), 1):
        try:
            moves.append(play.parse(re.sub(r"^\s*(\(\d+\)|\d+[.)])\s*", "", part)))
        except (MoveError, BoardError) as error:
            raise type(error)(f"move {number}: {error}") from error
    return moves
