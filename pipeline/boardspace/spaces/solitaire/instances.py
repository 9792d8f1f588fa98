"""Instances of peg solitaire: positions of small boards that can be reduced to one peg in a given hole, or cannot.

The least moves from all positions of a class to one peg are one sweep backwards. A position is taken once of its images
under the symmetries that keep the goal, and a goal once of its images under those of the board.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import Bounds, LinearConstraint, milp

from boardspace.instances.checker import KINDS, reached
from boardspace.instances.jumps import minizinc, pddl
from boardspace.instances.source import Batch, Instance, Request, Source, labelled, one_by_one, without_answer
from boardspace.spaces.solitaire.board_files import BoardText, board_name, load_board
from boardspace.spaces.solitaire.boards import build_board
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.solitaire.board import Board, board_invariants, images
from boardspace_kernels.solitaire.classes.fold import fold_by
from boardspace_kernels.solitaire.classes.moves_left import NO_WAY, moves_left
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass
from boardspace_kernels.solitaire.play import Play

MOST_HOLES = 21
"""Boards with more have classes that are too large to be listed on demand."""
FEWEST_PEGS, MOST_PEGS = 2, 9
"""Pegs of positions without a way to the goal, so few that all positions that they lead to can be looked at."""
MOST_REACHED = 100_000
WEIGHT, SECONDS = 8, 2.0
"""Largest weight that is tried, and seconds that a search for weights takes at most."""


@dataclass(frozen=True)
class Ending:
    """A board and the hole that the last peg is to be in, with the least moves from all positions of that class."""

    text: BoardText
    board: Board
    hole: int

    @cached_property
    def goal(self) -> int:
        """The position with this one peg."""
        return self.board.position([self.hole])

    @cached_property
    def positions(self) -> PositionClass:
        """The class of the goal."""
        return PositionClass(self.board, self.goal)

    @cached_property
    def left(self) -> NDArray[np.uint8]:
        """uint8 (numbers): the least moves from each position of the class, by its number."""
        order = Order(self.positions)
        return moves_left(order, fold_by(order, self.board.stabiliser(self.goal)), [self.goal])

    def solvable(self) -> NDArray[np.uint64]:
        """uint64 (positions), ascending: the positions with a way to the goal, but for itself, one of each orbit."""
        positions = self.positions.positions(np.flatnonzero((self.left != NO_WAY) & (self.left > 0)))
        least = positions.copy()
        for symmetry in self.board.stabiliser(self.goal):
            np.minimum(least, images(symmetry, positions), out=least)
        return np.sort(positions[least == positions])

    def moves(self, positions: NDArray[np.uint64]) -> NDArray[np.int64]:
        """int64 (positions): their least moves."""
        return self.left[self.positions.numbers(positions)].astype(np.int64)

    def instance(self, position: int) -> Instance:
        """The instance that begins at a position."""
        here, answer = position, []
        least = int(self.left[self.positions.number(position)])
        for more in range(least - 1, -1, -1):
            ways = [(self._play.format(move), after) for move, after in self._play.moves(here)]
            text, here = min(way for way in ways if self.left[self.positions.number(way[1])] == more)
            answer.append(text)
        return Instance(
            puzzle=self.puzzle(position),
            least=least,
            solutions=self.solutions(position),
            answer=tuple(answer),
            difficulty=least,
            actions=labelled(KINDS["jump"], self.puzzle(position), self.moves_left),
            metrics={"moves": least, "jumps": position.bit_count() - 1},
        )

    def puzzle(self, position: int) -> dict[str, Any]:
        """The puzzle that leads from a position to the goal."""
        return {
            "kind": "jump",
            "grid": self.text.grid,
            "board": self.text.picture.strip("\n").split("\n"),
            "pegs": list(self.board.pegs(position)),
            "goal": [self.hole],
        }

    def moves_left(self, pegs: Iterable[int]) -> int | None:
        """The least moves from pegs in these holes; None where there is no way."""
        moves = int(self.left[self.positions.number(self.board.position(pegs))])
        return None if moves == NO_WAY else moves

    def solutions(self, position: int) -> int:
        """Number of sequences of moves, as they are written, that lead to the goal with the least moves."""
        if position == self.goal:
            return 1
        if position not in self._ways:
            more = self.left[self.positions.number(position)] - 1
            ways = [after for _, after in self._play.moves(position)]
            self._ways[position] = sum(
                self.solutions(after) for after in ways if self.left[self.positions.number(after)] == more
            )
        return self._ways[position]

    @cached_property
    def _ways(self) -> dict[int, int]:
        return {}

    @cached_property
    def _play(self) -> Play:
        return Play(self.board)

    def lost(self) -> NDArray[np.uint64]:
        """uint64 (positions), ascending: those of some pegs with no way to the goal, in its class or in another, one of
        each orbit."""
        everything = np.arange(1 << self.board.holes, dtype=np.uint64)
        pegs = np.bitwise_count(everything)
        some = everything[(pegs >= FEWEST_PEGS) & (pegs <= MOST_PEGS)]
        for symmetry in self.board.stabiliser(self.goal):
            some = some[images(symmetry, some) >= some]
        own = parities(self.board, some) == parities(self.board, np.array([self.goal], np.uint64))
        there = np.flatnonzero(own)
        way = self.left[self.positions.numbers(some[there])] != NO_WAY
        return np.delete(some, there[way])

    def lost_instance(self, position: int) -> Instance:
        """The instance without an answer that begins at a position, by the first of these proofs that there is: parity,
        weights, all positions that are reached."""
        puzzle, size = self.puzzle(position), position.bit_count()
        odd = [row for row in board_invariants(self.board) if (row & (position ^ self.goal)).bit_count() % 2]
        if odd:
            proof: dict[str, Any] = {"kind": "parity", "holes": list(self.board.pegs(odd[0]))}
        elif weights := separating_weights(self.board, position, self.goal):
            proof = {"kind": "weights", "weights": dict(zip(map(str, self.board.labels), weights, strict=True))}
        else:
            proof = {"kind": "group", "positions": len(reached(KINDS["jump"], puzzle, MOST_REACHED))}
        return without_answer(KINDS["jump"], puzzle, proof, size)


def batches(request: Request) -> Iterator[Batch]:
    """One batch for each board and hole of the last peg."""
    for name in request.parts:
        text = load_board(name)
        board = build_board(board_name(name), text)
        if board.holes > MOST_HOLES:
            raise BoardspaceError(
                f"--of {name}: {board.holes} holes; instances are made of boards of up to {MOST_HOLES}"
            )
        for orbit in board.orbits:
            ending = Ending(text, board, board.labels[orbit[0]])
            positions = ending.solvable()
            if len(positions):
                yield Batch(
                    name=f"{board.name}-{ending.hole}",
                    family=board.name,
                    key=positions,
                    group=_groups(board, positions),
                    difficulty=ending.moves(positions),
                    make=one_by_one(ending.instance),
                )
            if request.unsolvable:
                lost = ending.lost()
                yield Batch(
                    name=f"{board.name}-{ending.hole}-lost",
                    family=board.name,
                    key=lost,
                    group=_groups(board, lost),
                    difficulty=np.bitwise_count(lost).astype(np.int64),
                    make=one_by_one(ending.lost_instance),
                    solvable=False,
                )


def _groups(board: Board, positions: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """uint64 (positions): the number of the least hole whose single peg is in the class of each, or in an image of it:
    jumps never leave a class; of positions whose class has no single peg, in no image, numbers that no hole has."""

    def least(words: NDArray[np.uint64]) -> NDArray[np.int64]:
        """The least parities of the images of each."""
        return np.min([parities(board, images(symmetry, words)) for symmetry in board.symmetries], axis=0)

    of_singles = least(np.uint64(1) << np.arange(board.holes, dtype=np.uint64)).tolist()
    # Of several holes the first counts, which is written last.
    of_class = dict(zip(of_singles[::-1], board.labels[::-1], strict=True))
    kinds, place = np.unique(least(positions), return_inverse=True)
    return np.array([of_class.get(one, 1000 + one) for one in kinds.tolist()], np.uint64)[place]


def parities(board: Board, positions: NDArray[np.uint64]) -> NDArray[np.int64]:
    """int64 (positions): a bit for each set of holes that jumps meet evenly, set where it holds an odd number of pegs:
    positions of one class have the same."""
    found = np.zeros(len(positions), np.int64)
    for bit, row in enumerate(board_invariants(board)):
        found |= (np.bitwise_count(positions & np.uint64(row)) & 1).astype(np.int64) << bit
    return found


def separating_weights(board: Board, position: int, goal: int) -> list[int] | None:
    """Whole weights of the holes by which no jump makes the pegs heavier, and the goal is heavier than the position;
    None where there are none between -WEIGHT and WEIGHT. Such weights are called a pagoda function."""
    holes = np.arange(board.holes)
    rows = np.zeros((len(board.jumps) + 1, board.holes))
    for row, (begin, over, end) in enumerate(board.jumps.tolist()):
        rows[row, [begin, over, end]] = 1, 1, -1
    rows[-1] = (goal >> holes & 1) - (position >> holes & 1)
    least = [0] * len(board.jumps) + [1]
    found = milp(
        np.zeros(board.holes),
        constraints=LinearConstraint(rows, least, np.inf),
        bounds=Bounds(-WEIGHT, WEIGHT),
        integrality=np.ones(board.holes),
        options={"time_limit": SECONDS},
    )
    return None if found.x is None else np.rint(found.x).astype(int).tolist()


SOURCE = Source(
    title="Jump until one peg is left, in the hole of the goal, in the fewest moves. A move is all the jumps that one "
    "peg makes in a row.",
    part="board",
    usual=("triangle15", "rectangle3x5", "square4", "hexagon19"),
    strata=("moves",),
    grouped="A group is all positions of a board that have the parities of one class, or of its images: no jump leads "
    "from one group to another.",
    batches=batches,
    formats={"pddl": pddl, "minizinc": minizinc},
    kinds=("jump",),
    unsolvable=True,
)
