"""Boards and starts for the tests of position classes, and the way between bitmaps and words."""

from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np
import pytest
from numpy.typing import NDArray

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.gather import Blocks, Piece, sweep
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass
from boardspace_kernels.solitaire.classes.steps import backward_steps, forward_steps
from tests.kernels.solitaire.boards import SMALL, as_set, as_word, rectangle
from tests.naive import solitaire as naive

CROSS = Board.from_cells(
    "cross",
    "square",
    {c: n for n, c in enumerate([(r, c) for r in range(5) for c in range(5) if 1 <= r <= 3 or 1 <= c <= 3], 1)},
)
PLUS = Board.from_cells(
    "plus", "square", {c: n for n, c in enumerate([(r, c) for r in range(5) for c in range(5) if r == 2 or c == 2], 1)}
)
BOARDS = (*(board for board in SMALL if board.holes < 19), rectangle(3, 5), PLUS)


def each(boards: Sequence[Board]) -> pytest.MarkDecorator:
    """A test of each board. Triangle 5 and 3 x 5, which take as long as all others together, do not run every day."""
    cases = [pytest.param(one, marks=[pytest.mark.thorough] if one.holes == 15 else [], id=one.name) for one in boards]
    return pytest.mark.parametrize("board", cases)


def starts(board: Board) -> list[int]:
    """A vacancy in a corner, one near the middle, and two neighbouring vacancies, which no symmetry may keep."""
    return [board.full ^ 1, board.full ^ 1 << board.holes // 2, board.full ^ 0b11]


def order(board: Board, member: int, low_bits: int = 5) -> Order:
    """The order of a class, with small tiles."""
    return Order(PositionClass(board, member), low_bits)


def reachable(order: Order, starts: Iterable[int]) -> dict[int, Piece]:
    """Positions by weight that jumps lead to from one of the starts, these included; all are of the class."""
    return sweep(order, forward_steps(order), starts)


def winning(order: Order, goals: Iterable[int]) -> dict[int, Piece]:
    """Positions by weight from which jumps lead to one of the goals, these included."""
    return sweep(order, backward_steps(order), goals)


def words(positions: PositionClass, bitmap: Blocks) -> set[int]:
    """The positions of a whole bitmap."""
    bits = np.unpackbits(bitmap.reshape(-1).view(np.uint8), bitorder="little")
    return set(positions.positions(np.flatnonzero(bits)).tolist())


def filled(positions: PositionClass, members: set[int]) -> Blocks:
    """The bitmap of some positions, bit by bit."""
    bits = np.zeros(positions.bytes * 8, np.uint8)
    bits[[positions.number(position) for position in members]] = 1
    blocks: Blocks = np.packbits(bits, bitorder="little").view(positions.word_type).reshape(-1, positions.words)
    return blocks


def pegs(board: Board, members: set[int]) -> NDArray[np.int64]:
    """How many of the positions have so many pegs."""
    return np.bincount([member.bit_count() for member in members], minlength=board.holes + 1)


@cache
def least_moves(board: Board, start: int) -> dict[int, int]:
    """The least number of moves to every position that the start leads to, by the definition."""
    found = naive.reachable(board_cells(board), board.grid, as_set(board, start))
    return {as_word(board, position): moves for position, moves in found.items()}


def board_cells(board: Board) -> naive.Position:
    """The board as the oracle sees it."""
    return frozenset(board.cells)
