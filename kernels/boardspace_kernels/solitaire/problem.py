"""A problem: a board, a start and a goal, and which positions its search may identify.

A symmetry of the board maps games to games. Where it also fixes the start and the goal, it maps solutions to
solutions, and a search may keep one position of each orbit. Symmetries that move the start or the goal may not
identify anything; the group of a problem is the stabiliser of both.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.runs import Run
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.tables import MoveTables, backward_tables, forward_tables


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
