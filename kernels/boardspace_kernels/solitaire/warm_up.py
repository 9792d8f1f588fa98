"""Calling each kernel of peg solitaire once: numba compiles them and keeps their code."""

import numpy as np

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.continuations import count_continuations
from boardspace_kernels.solitaire.feasible import feasible_step
from boardspace_kernels.solitaire.frontier import count_layer, frontiers
from boardspace_kernels.solitaire.games import first_ways, jump, merge_ways
from boardspace_kernels.solitaire.levels import first_level, merge_levels, step
from boardspace_kernels.solitaire.problem import Problem
from boardspace_kernels.solitaire.search import solve
from boardspace_kernels.solitaire.sequences import estimate_sequences


def warm_up() -> None:
    """Compile every kernel of this space, by solving and counting on a board of seven holes."""
    board = Board.from_cells("line", "square", {(0, column): column + 1 for column in range(7)})
    problem = Problem(board, board.position([1, 2, 4, 6]), board.position([7]))
    solve(problem, 1000)
    for tables, root in ((problem.forward, problem.start), (problem.backward, problem.goal)):
        for counted in (False, True):
            layers = list(frontiers(tables, problem.root(root, counted), capacity=1))
            count_layer(tables, layers[0].run.positions, layers[1])
    estimate_sequences(problem.forward, problem.root(problem.start, counted=True), further=1, games=2, seed=0)
    count_continuations(problem.forward, np.array([problem.start], np.uint64))
    level = first_level(problem.start)
    merge_levels([level, step(problem, level).level])
    feasible_step(problem, np.array([problem.start], np.uint64), 1, 3)
    merge_ways([jump(problem.forward, first_ways(problem.start)).ways] * 2)
