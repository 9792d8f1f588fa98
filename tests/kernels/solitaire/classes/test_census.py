"""Positions of a bitmap by pegs, up to symmetry, dead ends and winning ones, as the definition has them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.census import complemented, count, count_pieces, is_in, stuck_in
from boardspace_kernels.solitaire.classes.fold import fold_by, unfolded
from boardspace_kernels.solitaire.classes.gather import Blocks, Piece, bitmap, sweep
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.steps import forward_steps
from tests.kernels.solitaire.boards import ENGLISH, as_set, stabiliser
from tests.kernels.solitaire.classes.classes import (
    BOARDS,
    board_cells,
    each,
    filled,
    order,
    pegs,
    reachable,
    starts,
    winning,
    words,
)
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive

Counts = NDArray[np.int64]


def counted(order: Order, group: Counts, blocks: Blocks, begin: int = 0) -> Counts:
    """Numbers of a part of a bitmap, from a high part on."""
    return count(order, unfolded(order), group, blocks, np.arange(len(blocks)) + (begin << order.low_bits))


def count_orbits(order: Order, group: Counts, blocks: Blocks) -> Counts:
    """By pegs, as the mean number of positions that the group's symmetries, the identity first, leave as they are."""
    return counted(order, group, blocks)[1] // len(group)


@each(BOARDS)
def test_positions_are_counted_by_their_pegs(board: Board) -> None:
    here = order(board, starts(board)[1])
    found = bitmap(here, reachable(here, [starts(board)[1]]).values())
    assert counted(here, board.symmetries, found)[0].tolist() == pegs(board, words(here.positions, found)).tolist()


@each(BOARDS)
def test_orbits_are_counted_by_fixed_positions(board: Board) -> None:
    for start in starts(board):
        here = order(board, start)
        found = bitmap(here, reachable(here, [start]).values())
        group = stabiliser(board, start)
        orbits = {naive.orbit(group, as_set(board, position)) for position in words(here.positions, found)}
        expected = np.bincount([len(next(iter(orbit))) for orbit in orbits], minlength=board.holes + 1)
        assert count_orbits(here, board.stabiliser(start), found).tolist() == expected.tolist()


@each(BOARDS)
def test_numbers_of_parts_add_up(board: Board) -> None:
    here = order(board, board.full ^ 1, 4)
    everything = filled(here.positions, set())
    everything[:] = ~everything
    middle = here.highs // 3
    parts = [(everything[: middle << here.low_bits], 0), (everything[middle << here.low_bits :], middle)]
    added = sum(counted(here, board.symmetries, part, begin) for part, begin in parts)
    assert np.array_equal(added, counted(here, board.symmetries, everything))


def halves(piece: Piece, middle: int) -> list[Piece]:
    """The piece in two, by tiles."""
    cut = piece.starts[middle]
    return [
        piece._replace(blocks=piece.blocks[:cut], end=middle),
        piece._replace(blocks=piece.blocks[cut:], begin=middle),
    ]


@each(BOARDS)
def test_what_is_counted_on_the_pieces_of_a_sweep_adds_up_to_what_is_counted_on_its_bitmap(board: Board) -> None:
    for start in starts(board):
        here, group = order(board, start), board.symmetries
        swept = list(reachable(here, [start]).values())
        whole, fold = bitmap(here, swept), unfolded(here)
        parts = [part for piece in swept for part in halves(piece, here.highs // 3)]
        assert np.array_equal(count_pieces(here, fold, group, parts), counted(here, group, whole))
        reached = words(here.positions, whole)
        for position in range(0, board.full + 1, 101):
            if here.positions.contains(position):
                assert sum(is_in(here, fold, part, position) for part in parts) == (position in reached)


@each(BOARDS)
def test_what_is_counted_on_one_tile_of_each_orbit_is_what_is_counted_on_all(board: Board) -> None:
    """By pegs; and the orbits, for which the positions that each symmetry keeps are added up."""
    for start in starts(board):
        here, group = order(board, start), board.stabiliser(start)
        fold = fold_by(here, group)
        folded = list(sweep(here, forward_steps(here), [start], fold).values())
        every = list(reachable(here, [start]).values())
        whole = bitmap(here, every)
        assert np.array_equal(bitmap(here, folded, fold=fold), whole)
        assert np.array_equal(count_pieces(here, fold, group, folded), counted(here, group, whole))
        stuck, all_stuck = ([stuck_in(here, part) for part in some] for some in (folded, every))
        assert np.array_equal(count_pieces(here, fold, group, stuck), counted(here, group, bitmap(here, all_stuck)))
        reached = words(here.positions, whole)
        for position in sorted(reached)[::7]:
            assert sum(is_in(here, fold, part, position) for part in folded) == 1


@each(BOARDS)
def test_dead_ends_have_no_jump(board: Board) -> None:
    here = order(board, starts(board)[1])
    found = reachable(here, [starts(board)[1]])
    expected = {
        position
        for position in words(here.positions, bitmap(here, found.values()))
        if not naive.after_jumps(board_cells(board), board.grid, as_set(board, position))
    }
    assert words(here.positions, bitmap(here, (stuck_in(here, piece) for piece in found.values()))) == expected


@each(BOARDS)
def test_what_can_win_is_the_complement_of_what_can_be_reached(board: Board) -> None:
    for hole in range(board.holes):
        goal = order(board, 1 << hole)
        start = order(board, board.full ^ 1 << hole)
        reached = bitmap(start, reachable(start, [board.full ^ 1 << hole]).values())
        wins = bitmap(goal, winning(goal, [1 << hole]).values())
        assert np.array_equal(complemented(start.positions, reached), wins)


@pytest.mark.thorough
def test_the_english_board_from_its_centre() -> None:
    """Counts of sorted runs, and of OEIS A112737 and A112738."""
    start = ENGLISH.full ^ ENGLISH.position([19])
    here = order(ENGLISH, start, 12)
    found = bitmap(here, reachable(here, [start]).values())
    group = ENGLISH.stabiliser(start)
    assert counted(here, group, found)[0].sum() == 187_636_299
    assert count_orbits(here, group, found)[:0:-1].tolist()[1:] == GOLDEN["english_levels"]["positions"]
    wins = found & complemented(here.positions, found)
    assert count_orbits(here, group, wins)[:0:-1].tolist()[1:] == GOLDEN["english_levels"]["winning"]
