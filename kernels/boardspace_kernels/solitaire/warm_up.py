"""Calling each kernel of peg solitaire once: numba compiles them and keeps their code.

Blocks of position classes are words as wide as their board wants them. Which words a run needs follows from its boards;
here words of any width stand for those of a board of five holes, whose bits are fewer.
"""

import numpy as np

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes import census, gather
from boardspace_kernels.solitaire.classes.between import count_between, count_jump_sets, positions_between
from boardspace_kernels.solitaire.classes.fold import fold_by, unfolded
from boardspace_kernels.solitaire.classes.layers import sweep_moves
from boardspace_kernels.solitaire.classes.moves_left import count_moves, moves_left
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass
from boardspace_kernels.solitaire.classes.steps import forward_steps
from boardspace_kernels.solitaire.feasible import feasible_step
from boardspace_kernels.solitaire.games import first_ways, jump, merge_ways
from boardspace_kernels.solitaire.levels import first_level, merge_levels, step
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.search import Meeting, first_game, frontiers, labelled, meet
from boardspace_kernels.solitaire.sequences import count_continuations, estimate_sequences

BOARD = Board.from_cells("line", "square", {(0, column): column for column in range(5)})
START = BOARD.full ^ BOARD.position([2])


def warm_up() -> None:
    """Compile every kernel of this space, by solving and counting on a board of seven holes."""
    board = Board.from_cells("line", "square", {(0, column): column + 1 for column in range(7)})
    problem = Problem(board, board.position([1, 2, 4, 6]), board.position([7]))
    found = meet(problem, 1000)
    assert isinstance(found, Meeting)
    first_game(found)
    for tables, root in ((problem.forward, problem.start), (problem.backward, problem.goal)):
        for counted in (False, True):
            for layer in frontiers(tables, problem.root(root, counted), capacity=1):
                labelled(tables, layer.first)
    estimate_sequences(problem.forward, problem.root(problem.start, counted=True), further=1, games=2, seed=0)
    count_continuations(problem.forward, np.array([problem.start], np.uint64))
    level = first_level(problem.start)
    merge_levels([level, step(problem, level).level])
    feasible_step(problem, np.array([problem.start], np.uint64), 1, 3)
    merge_ways([jump(problem.forward, first_ways(problem.start)).ways] * 2)


class _ClassOfWords(PositionClass):
    """Position class whose blocks are words of a given type, most of their places without a position."""

    word = "uint8"

    @property
    def place_bits(self) -> int:
        """Bits that number the places of such a word."""
        return int(np.dtype(self.word).itemsize * 8).bit_length() - 1


def _order(word: str) -> Order:
    positions = _ClassOfWords(BOARD, START)
    positions.word = word
    return Order(positions)


def warm_up_sweeps(word: str) -> None:
    """Compile the kernels that make and count all positions of a class, folded and not, for words of a type."""
    order = _order(word)
    for fold in (unfolded(order), fold_by(order, BOARD.stabiliser(START))):
        pieces = gather.sweep(order, forward_steps(order), [START], fold)
        for piece in (one for one in pieces.values() if len(one.blocks)):
            jumps, core = census.jumps_of(order.positions), order.numbers_of(piece)
            census.strike_out(order.tiles, jumps, piece.blocks, core)
            masks = np.zeros((4, 1, 1), word)
            census.add_counts(order.tiles, fold.orbit, masks, piece.blocks, core, np.zeros(BOARD.holes + 1, np.int64))
        gather.bitmap(order, pieces.values(), fold=fold)


def warm_up_moves(word: str) -> None:
    """Compile the kernels that find and count least moves to all positions, and those that are left, for such words."""
    order = _order(word)
    fold = fold_by(order, BOARD.stabiliser(START))
    for layer in sweep_moves(order, forward_steps(order), [START], fold):
        count_moves(order, fold, BOARD.symmetries[:1], layer)
    moves_left(order, fold, [START])


def warm_up_between() -> None:
    """Compile the kernels that count the games of a problem, here one jump."""
    goal = BOARD.position([2, 3, 4])
    between = positions_between(BOARD, START, goal)
    count_between(BOARD, START, goal, between)
    count_jump_sets(BOARD, between)
