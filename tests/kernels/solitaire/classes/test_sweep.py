"""What a sweep finds, position by position, is what the definition says."""

from functools import cache

import numpy as np
import pytest

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.census import count_pieces, is_in
from boardspace_kernels.solitaire.classes.fold import fold_by, unfolded
from boardspace_kernels.solitaire.classes.gather import (
    Piece,
    bitmap,
    empty_piece,
    gather,
    plant,
    sweep,
)
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass
from boardspace_kernels.solitaire.classes.steps import backward_steps, forward_steps
from boardspace_kernels.solitaire.levels import first_level, step
from boardspace_kernels.solitaire.play import Problem
from tests.daily import daily
from tests.kernels.solitaire.boards import ENGLISH, as_set, as_word, hexagon, rectangle, triangle
from tests.kernels.solitaire.classes.classes import BOARDS, board_cells, each, order, reachable, starts, winning, words
from tests.naive import solitaire as naive

MANY_ENDS = Board.from_cells(
    "diamond",
    "square",
    {c: n for n, c in enumerate([(r, c) for r in range(7) for c in range(7) if abs(r - 3) + abs(c - 3) <= 3], 1)},
)


def reached(board: Board, roots: list[int]) -> set[int]:
    found = naive.reached_by_jumps(board_cells(board), board.grid, {as_set(board, root) for root in roots})
    return {as_word(board, position) for position in found}


@each(BOARDS)
def test_reachable_positions_are_those_of_the_definition(board: Board) -> None:
    for start in starts(board):
        here = order(board, start)
        found = bitmap(here, reachable(here, [start]).values())
        assert words(here.positions, found) == reached(board, [start])


@each(BOARDS)
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
    one, same = (bitmap(o, reachable(o, [board.full ^ 1]).values()) for o in (here, other))
    assert np.array_equal(one, same)


def test_pieces_of_any_size_give_the_same_bitmap() -> None:
    """Each weight in pieces of 200 tiles, each made from all pieces before it."""
    board = rectangle(4, 5)
    start = board.full ^ 0b10
    here, steps = order(board, start, 12), forward_steps(order(board, start, 12))
    pieces: list[Piece] = []
    for weight in reversed(range(here.heaviest + 1)):
        before = list(pieces)
        for begin in range(0, here.highs, 200):
            piece = empty_piece(here, unfolded(here), weight, begin, min(begin + 200, here.highs))
            plant(here, piece, [start])
            gather(here.tiles, steps, unfolded(here), piece, before)
            pieces.append(piece)
    whole = bitmap(here, reachable(here, [start]).values())
    assert np.array_equal(bitmap(here, pieces), whole)
    halves = [bitmap(here, pieces, *ends) for ends in ((0, 9), (9, here.highs))]
    assert np.array_equal(np.concatenate(halves), whole)


def equal_where_made(here: Order, folded: dict[int, Piece], whole: dict[int, Piece]) -> None:
    """The tiles that a folded sweep makes are those of the whole one."""
    for weight, piece in folded.items():
        made, all_tiles = np.diff(piece.starts), np.diff(whole[weight].starts)
        assert set(np.flatnonzero(made)) <= set(np.flatnonzero(made == all_tiles))
        assert np.array_equal(piece.blocks, whole[weight].blocks[np.repeat(made > 0, all_tiles)])


@pytest.mark.parametrize("low_bits", [2, 12])
@each(BOARDS)
def test_tiles_of_which_only_one_of_each_orbit_is_made_are_those_of_all(board: Board, low_bits: int) -> None:
    """From a start, and from all single pegs of its class, which symmetries map to one another."""
    for start in starts(board):
        here = order(board, start, low_bits)
        fold = fold_by(here, board.stabiliser(start))
        pegs = [1 << hole for hole in range(board.holes) if here.positions.contains(1 << hole)]
        for steps, roots in ((forward_steps(here), [start]), (backward_steps(here), pegs)):
            equal_where_made(here, sweep(here, steps, roots, fold), sweep(here, steps, roots))


@pytest.mark.parametrize(
    ("board", "vacancies", "low_bits"),
    [
        (rectangle(4, 4), [1, 4, 13, 16], 4),
        pytest.param(ENGLISH, [19], 12, marks=pytest.mark.slow),  # words of 32 bits, for which all is compiled
        (MANY_ENDS, [13], 12),
    ],
    ids=["4x4", "english", "diamond"],
)
def test_blocks_of_one_word_and_of_several_are_turned(board: Board, vacancies: list[int], low_bits: int) -> None:
    """From a start that eight symmetries keep."""
    start = board.full ^ board.position(vacancies)
    here, group = order(board, start, low_bits), board.stabiliser(start)
    assert len(group) == 8
    fold = fold_by(here, group)
    folded, whole = (sweep(here, forward_steps(here), [start], some) for some in (fold, unfolded(here)))
    equal_where_made(here, folded, whole)
    assert np.array_equal(bitmap(here, folded.values(), fold=fold), bitmap(here, whole.values()))
    assert sum(len(piece.blocks) for piece in folded.values()) < 0.5 * sum(len(p.blocks) for p in whole.values())


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


@cache
def heaviest() -> tuple[Order, set[int], int, int]:
    """The order of a class of Wiegleb's board, of 256 GiB, and its heaviest positions, one by one; the start, and
    the least weight of these."""
    cells = {c: n for n, c in enumerate([(r, c) for r in range(9) for c in range(9) if 3 <= r <= 5 or 3 <= c <= 5], 1)}
    board = Board.from_cells("wiegleb", "square", cells)
    start = board.full ^ 1 << 22
    here = Order(PositionClass(board, start))
    lightest = here.weight(start) - 10
    known, fresh = {start}, {start}
    while fresh:
        after = (
            p for position in fresh for p in naive.after_jumps(board_cells(board), board.grid, as_set(board, position))
        )
        fresh = {w for p in after if here.weight(w := as_word(board, p)) >= lightest} - known
        known |= fresh
    return here, known, start, lightest


@pytest.mark.parametrize("folded", daily([True, False], 2))
def test_a_class_of_a_core_of_37_holes_is_swept_the_same_way(folded: bool) -> None:
    """The heaviest weights alone, position by position."""
    here, known, start, lightest = heaviest()
    board = here.positions.board
    assert len(here.positions.core) == 37
    assert here.positions.bytes == 256 << 30
    fold = fold_by(here, board.stabiliser(start)) if folded else unfolded(here)
    steps, made = forward_steps(here), dict[int, Piece]()
    for weight in range(here.weight(start), lightest - 1, -1):
        piece = empty_piece(here, fold, weight)
        plant(here, piece, [start])
        gather(here.tiles, steps, fold, piece, list(made.values()))
        made[weight] = piece
    assert len(known) > 1000
    assert count_pieces(here, fold, board.symmetries[:1], made.values())[0].sum() == len(known)
    assert all(is_in(here, fold, made[here.weight(position)], position) for position in known)
