"""Instances of peg solitaire: positions of small boards that can be reduced to one peg in a given hole.

The least moves from all positions of a class to one peg are one sweep backwards. A position is taken once of its images
under the symmetries that keep the goal, and a goal once of its images under those of the board.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from numpy.typing import NDArray

from boardspace.instances.jumps import minizinc, pddl
from boardspace.instances.source import Batch, Instance, Request, Source
from boardspace.spaces.solitaire.board_files import BoardText, board_name, load_board
from boardspace.spaces.solitaire.boards import build_board
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.fold import fold_by
from boardspace_kernels.solitaire.classes.moves_left import NO_WAY, moves_left
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass
from boardspace_kernels.solitaire.play import Play

MOST_HOLES = 21
"""Boards with more have classes that are too large to be listed on demand."""


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
        found = np.flatnonzero((self.left != NO_WAY) & (self.left > 0)).tolist()
        positions = np.array([self.positions.position(number) for number in found], dtype=np.uint64)
        least = positions.copy()
        for symmetry in self.board.stabiliser(self.goal):
            np.minimum(least, _images(symmetry, positions), out=least)
        return np.sort(positions[least == positions])

    def moves(self, positions: NDArray[np.uint64]) -> NDArray[np.int64]:
        """int64 (positions): their least moves."""
        return self.left[self.positions.numbers(positions)].astype(np.int64)

    def instance(self, position: int) -> Instance:
        """The instance that begins at a position."""
        play, here, answer = Play(self.board), position, []
        least = int(self.left[self.positions.number(position)])
        for more in range(least - 1, -1, -1):
            ways = [(play.format(move), after) for move, after in play.moves(here)]
            text, here = min(way for way in ways if self.left[self.positions.number(way[1])] == more)
            answer.append(text)
        puzzle = {
            "kind": "jump",
            "grid": self.text.grid,
            "board": self.text.picture.strip("\n").split("\n"),
            "pegs": list(self.board.pegs(position)),
            "goal": [self.hole],
        }
        return Instance(puzzle=puzzle, least=least, solutions=None, answer=tuple(answer), difficulty=least)


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
                    group=np.full(len(positions), _group(ending), dtype=np.uint64),
                    difficulty=ending.moves(positions),
                    make=_Maker(ending),
                )


@dataclass(frozen=True)
class _Maker:
    ending: Ending

    def __call__(self, positions: NDArray[np.uint64]) -> Sequence[Instance]:
        return [self.ending.instance(position) for position in positions.tolist()]


def _group(ending: Ending) -> int:
    """The least hole whose single peg is in the class, or in an image of it: jumps never leave a class."""
    found, waiting = set[int](), [orbit for orbit in ending.board.orbits if ending.board.hole(ending.hole) in orbit]
    while waiting:
        orbit = waiting.pop()
        found.update(orbit)
        for hole in orbit:
            joined = _same_class(ending.board, hole)
            waiting += [other for other in ending.board.orbits if joined & set(other) and not found & set(other)]
    return ending.board.labels[min(found)]


@lru_cache(maxsize=64)
def _same_class(board: Board, hole: int) -> frozenset[int]:
    """The holes whose single pegs are in the class of this one's."""
    positions = PositionClass(board, 1 << hole)
    return frozenset(other for other in range(board.holes) if positions.contains(1 << other))


def _images(symmetry: NDArray[np.int64], positions: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """uint64 (positions): the images under a symmetry, which sends hole i to ``symmetry[i]``."""
    found = np.zeros(len(positions), dtype=np.uint64)
    for hole, image in enumerate(symmetry.tolist()):
        found |= (positions >> np.uint64(hole) & np.uint64(1)) << np.uint64(image)
    return found


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
)
