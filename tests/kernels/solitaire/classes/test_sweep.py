"""What a sweep finds, position by position, is what the definition says."""

import numpy as np
import pytest

from boardspace.kernels.solitaire.board import Board
from boardspace.kernels.solitaire.classes.gather import Piece, gather
from boardspace.kernels.solitaire.classes.order import Order
from boardspace.kernels.solitaire.classes.piece_census import count_piece, is_in
from boardspace.kernels.solitaire.classes.position_class import PositionClass
from boardspace.kernels.solitaire.classes.steps import forward_steps
from boardspace.kernels.solitaire.classes.sweep import bitmap, empty_piece, plant, reachable, winning
from boardspace.kernels.solitaire.levels import first_level, step
from boardspace.kernels.solitaire.problem import Problem
from tests.kernels.solitaire.boards import as_set, as_word, hexagon, rectangle, triangle
from tests.kernels.solitaire.classes.classes import BOARDS, board_cells, order, starts, words
from tests.naive import solitaire as naive


def reached(board: Board, roots: list[int]) -> set[int]:
    found = naive.reached_by_jumps(board_cells(board), board.grid, {as_set(board, root) for root in roots})
    return {as_word(board, position) for position in found}


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_reachable_positions_are_those_of_the_definition(board: Board) -> None:
    for start in starts(board):
        here = order(board, start)
        found = bitmap(here, reachable(here, [start]).values())
        assert words(here.positions, found) == reached(board, [start])


@pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)
def test_winning_positions_are_those_of_the_definition(board: Board) -> None:
    """To one goal, and to one peg anywhere."""
    here = order(board, starts(board)[1])
    pegs = [1 << hole for hole in range(board.holes) if here.positions.contains(1 << hole)]
    some = min(reached(board, [starts(board)[1]]), key=lambda member: (member.bit_count() != 3, member))
    for goals in ([some], pegs):
        found = words(here.positions, bitmap(here, winning(here, goals).values()))
        known: list[dict[naive.Position, bool]] = [{} for _ in goals]
        for position in reached(board, [starts(board)[1]]):
            wins = any(
                naive.can_reach(board_cells(board), board.grid, as_set(board, position), as_set(board, goal), table)
                for goal, table in zip(goals, known, strict=True)
            )
            assert (position in found) == wins
        assert set(goals) <= found


def test_several_roots_are_the_union_of_one_each() -> None:
    board = rectangle(4, 4)
    here = order(board, starts(board)[0])
    roots = [starts(board)[0], starts(board)[0] ^ 0b111 << 5]
    found = words(here.positions, bitmap(here, reachable(here, roots).values()))
    assert found == reached(board, roots[:1]) | reached(board, roots[1:])


@pytest.mark.parametrize("low_bits", [0, 3, 12])
def test_tiles_of_any_size_give_the_same_bitmap(low_bits: int) -> None:
    board = triangle(5)
    here, other = order(board, board.full ^ 1), order(board, board.full ^ 1, low_bits)
    assert np.array_equal(*(bitmap(o, reachable(o, [board.full ^ 1]).values()) for o in (here, other)))


def test_pieces_of_any_size_give_the_same_bitmap() -> None:
    """Each weight in pieces of 200 tiles, each made from all pieces before it."""
    board = rectangle(4, 5)
    start = board.full ^ 0b10
    here, steps = order(board, start, 12), forward_steps(order(board, start, 12))
    pieces: list[Piece] = []
    for weight in reversed(range(here.heaviest + 1)):
        before = list(pieces)
        for begin in range(0, here.highs, 200):
            piece = empty_piece(here, weight, begin, min(begin + 200, here.highs))
            plant(here, piece, [start])
            gather(here.tiles, steps, piece, before)
            pieces.append(piece)
    whole = bitmap(here, reachable(here, [start]).values())
    assert np.array_equal(bitmap(here, pieces), whole)
    halves = [bitmap(here, pieces, *ends) for ends in ((0, 9), (9, here.highs))]
    assert np.array_equal(np.concatenate(halves), whole)


@pytest.mark.parametrize("board", [rectangle(5, 5), hexagon(3), triangle(6)], ids=lambda board: board.name)
def test_a_sweep_finds_as_many_as_sorted_runs_do(board: Board) -> None:
    start = board.full ^ 1 << board.holes // 2
    level, found = first_level(start), 1
    problem = Problem(board, start, 1)
    while len(level.positions):
        after = step(problem, level)
        level = after.level
        found += int(step(problem, level).orbits.sum(dtype=np.int64))
    here = order(board, start, 12)
    assert int(np.bitwise_count(bitmap(here, reachable(here, [start]).values())).sum()) == found


def test_a_class_of_a_core_of_37_holes_is_swept_the_same_way() -> None:
    """Wiegleb's board, 256 GiB a class: the heaviest weights alone, position by position."""
    cells = {c: n for n, c in enumerate([(r, c) for r in range(9) for c in range(9) if 3 <= r <= 5 or 3 <= c <= 5], 1)}
    board = Board.from_cells("wiegleb", "square", cells)
    start = board.full ^ 1 << 22
    here = Order(PositionClass(board, start))
    assert len(here.positions.core) == 37
    assert here.positions.bytes == 256 << 30
    steps, lightest = forward_steps(here), here.weight(start) - 11
    made: list[Piece] = []
    for weight in range(here.weight(start), lightest - 1, -1):
        piece = empty_piece(here, weight)
        plant(here, piece, [start])
        gather(here.tiles, steps, piece, made)
        made.append(piece)
    known, fresh = {start}, {start}
    while fresh:
        after = (
            p for position in fresh for p in naive.after_jumps(board_cells(board), board.grid, as_set(board, position))
        )
        fresh = {w for p in after if here.weight(w := as_word(board, p)) >= lightest} - known
        known |= fresh
    assert len(known) > 1000
    assert sum(int(count_piece(here, piece).sum()) for piece in made) == len(known)
    assert all(any(is_in(here, piece, position) for piece in made) for position in known)
