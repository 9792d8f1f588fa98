"""Positions of a bitmap by pegs, up to symmetry, dead ends and winning ones, as the definition has them."""

import numpy as np
import pytest
from numpy.typing import NDArray

from boardspace_kernels.solitaire.board import Board, BoardError
from boardspace_kernels.solitaire.classes.census import (
    complemented,
    count_by_pegs,
    count_fixed,
    count_piece,
    count_piece_fixed,
    dead_ends,
    is_in,
    stuck_in,
)
from boardspace_kernels.solitaire.classes.fold import fold_by, unfolded
from boardspace_kernels.solitaire.classes.gather import Blocks, Piece, bitmap, reachable, sweep, winning
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.steps import forward_steps
from tests.kernels.solitaire.boards import ENGLISH, as_set, stabiliser
from tests.kernels.solitaire.classes.classes import BOARDS, board_cells, filled, order, pegs, starts, words
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive

Counts = NDArray[np.int64]

each_board = pytest.mark.parametrize("board", BOARDS, ids=lambda board: board.name)


def count_orbits(order: Order, group: Counts, blocks: Blocks) -> Counts:
    """By pegs, as the mean number of positions that the group's symmetries, the identity first, leave as they are."""
    fixed = sum((count_fixed(order, symmetry, blocks) for symmetry in group[1:]), count_by_pegs(order, blocks))
    return fixed // len(group)


@each_board
def test_positions_are_counted_by_their_pegs(board: Board) -> None:
    here = order(board, starts(board)[1])
    found = bitmap(here, reachable(here, [starts(board)[1]]).values())
    assert count_by_pegs(here, found).tolist() == pegs(board, words(here.positions, found)).tolist()
    middle = here.highs // 2
    parts = [found[: middle << here.low_bits], found[middle << here.low_bits :]]
    counts = [count_by_pegs(here, part, begin) for part, begin in zip(parts, (0, middle), strict=True)]
    assert np.array_equal(sum(counts), count_by_pegs(here, found))


@each_board
def test_orbits_are_counted_by_fixed_positions(board: Board) -> None:
    for start in starts(board):
        here = order(board, start)
        found = bitmap(here, reachable(here, [start]).values())
        group = stabiliser(board, start)
        orbits = {naive.orbit(group, as_set(board, position)) for position in words(here.positions, found)}
        expected = np.bincount([len(next(iter(orbit))) for orbit in orbits], minlength=board.holes + 1)
        assert count_orbits(here, board.stabiliser(start), found).tolist() == expected.tolist()


@each_board
def test_fixed_positions_of_parts_add_up(board: Board) -> None:
    here = order(board, board.full ^ 1, 4)
    everything = filled(here.positions, set())
    everything[:] = ~everything
    for symmetry in board.symmetries:
        whole = count_fixed(here, symmetry, everything)
        middle = here.highs // 3
        parts = [(everything[: middle << here.low_bits], 0), (everything[middle << here.low_bits :], middle)]
        assert np.array_equal(sum(count_fixed(here, symmetry, part, begin) for part, begin in parts), whole)


def halves(piece: Piece, middle: int) -> list[Piece]:
    """The piece in two, by tiles."""
    cut = piece.starts[middle]
    return [
        piece._replace(blocks=piece.blocks[:cut], end=middle),
        piece._replace(blocks=piece.blocks[cut:], begin=middle),
    ]


@each_board
def test_what_is_counted_on_the_pieces_of_a_sweep_adds_up_to_what_is_counted_on_its_bitmap(board: Board) -> None:
    for start in starts(board):
        here = order(board, start)
        swept = list(reachable(here, [start]).values())
        whole, fold = bitmap(here, swept), unfolded(here)
        parts = [part for piece in swept for part in halves(piece, here.highs // 3)]
        assert np.array_equal(sum(count_piece(here, fold, part) for part in parts), count_by_pegs(here, whole))
        stuck = sum(count_piece(here, fold, stuck_in(here, part)) for part in parts)
        assert np.array_equal(stuck, count_by_pegs(here, dead_ends(here, whole)))
        for symmetry in board.symmetries:
            fixed = sum(count_piece_fixed(here, fold, symmetry, part) for part in parts)
            assert np.array_equal(fixed, count_fixed(here, symmetry, whole))
        reached = words(here.positions, whole)
        for number in range(0, 8 * here.positions.bytes, 101):
            try:
                position = here.positions.position(number)
            except BoardError:
                continue
            assert sum(is_in(here, fold, part, position) for part in parts) == (position in reached)


@each_board
def test_what_is_counted_on_one_tile_of_each_orbit_is_what_is_counted_on_all(board: Board) -> None:
    """By pegs; and the orbits, for which the positions that each symmetry keeps are added up."""
    for start in starts(board):
        here, group = order(board, start), board.stabiliser(start)
        fold = fold_by(here, group)
        folded = list(sweep(here, forward_steps(here), [start], fold).values())
        whole = bitmap(here, reachable(here, [start]).values())
        assert np.array_equal(sum(count_piece(here, fold, part) for part in folded), count_by_pegs(here, whole))
        stuck = sum(count_piece(here, fold, stuck_in(here, part)) for part in folded)
        assert np.array_equal(stuck, count_by_pegs(here, dead_ends(here, whole)))
        fixed = sum(count_piece_fixed(here, fold, symmetry, part) for symmetry in group for part in folded)
        assert np.array_equal(fixed, len(group) * count_orbits(here, group, whole))
        reached = words(here.positions, whole)
        for position in sorted(reached)[::7]:
            assert sum(is_in(here, fold, part, position) for part in folded) == 1


@each_board
def test_dead_ends_have_no_jump(board: Board) -> None:
    here = order(board, starts(board)[1])
    found = bitmap(here, reachable(here, [starts(board)[1]]).values())
    expected = {
        position
        for position in words(here.positions, found)
        if not naive.after_jumps(board_cells(board), board.grid, as_set(board, position))
    }
    assert words(here.positions, dead_ends(here, found)) == expected


@each_board
def test_what_can_win_is_the_complement_of_what_can_be_reached(board: Board) -> None:
    for hole in range(board.holes):
        goal = order(board, 1 << hole)
        start = order(board, board.full ^ 1 << hole)
        reached = bitmap(start, reachable(start, [board.full ^ 1 << hole]).values())
        wins = bitmap(goal, winning(goal, [1 << hole]).values())
        assert np.array_equal(complemented(start.positions, reached), wins)


def test_the_english_board_from_its_centre() -> None:
    """Counts of sorted runs, and of OEIS A112737 and A112738."""
    start = ENGLISH.full ^ ENGLISH.position([19])
    here = order(ENGLISH, start, 12)
    found = bitmap(here, reachable(here, [start]).values())
    group = ENGLISH.stabiliser(start)
    assert count_by_pegs(here, found).sum() == 187_636_299
    assert count_orbits(here, group, found)[:0:-1].tolist()[1:] == GOLDEN["english_levels"]["positions"]
    wins = found & complemented(here.positions, found)
    assert count_orbits(here, group, wins)[:0:-1].tolist()[1:] == GOLDEN["english_levels"]["winning"]
