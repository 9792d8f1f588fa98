"""Least moves that are left, from positions of a game to its goals, are those of the definition."""

import numpy as np
import pytest

from boardspace_kernels.solitaire.board import Board, image_of
from boardspace_kernels.solitaire.classes.fold import fold_by, unfolded
from boardspace_kernels.solitaire.classes.gather import Piece, empty_piece, joined
from boardspace_kernels.solitaire.classes.moves_left import NO_WAY, moves_left
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.play import Play
from tests.kernels.solitaire.boards import as_set, as_word, rectangle
from tests.kernels.solitaire.classes.classes import (
    BOARDS,
    CROSS,
    board_cells,
    each,
    least_moves,
    order,
    reachable,
    starts,
)
from tests.naive import solitaire as naive


def halves(here: Order, pieces: dict[int, Piece]) -> list[Piece]:
    """Each piece in two parts."""
    found, cut = [], here.highs // 3
    for piece in pieces.values():
        border = int(piece.starts[cut])
        found.append(piece._replace(blocks=piece.blocks[:border], end=cut))
        found.append(piece._replace(blocks=piece.blocks[border:], begin=cut))
    return found


def least_moves_left(board: Board, start: int, goals: set[int]) -> dict[int, int]:
    """By whole moves, from each position that they lead to from the start to the nearest of the goals."""
    cells = board_cells(board)
    ends = {as_set(board, goal) for goal in goals}
    known: dict[naive.Position, int] = {}
    for position in (as_set(board, word) for word in sorted(least_moves(board, start), key=int.bit_count)):
        after = [known[p] for _, p in naive.moves(cells, board.grid, position) if p in known]
        if position in ends:
            known[position] = 0
        elif after:
            known[position] = 1 + min(after)
    return {as_word(board, position): moves for position, moves in known.items()}


@each([board for board in BOARDS if board.holes < 16])
def test_moves_left_to_any_single_peg_and_to_the_position_with_the_fewest_pegs(board: Board) -> None:
    """Two kinds of goals, which the symmetries of the start keep: by folded blocks, and by all."""
    for start in starts(board):
        here, group = order(board, start), board.stabiliser(start)
        singles = {1 << hole for hole in range(board.holes) if here.positions.contains(1 << hole)}
        reached = np.array(list(least_moves(board, start)), np.uint64)
        fewest = min(least_moves(board, start), key=int.bit_count)
        images = {image_of(symmetry, fewest) for symmetry in group}
        for goals in (singles, images):
            expected = least_moves_left(board, start, goals)
            for fold in (unfolded(here), fold_by(here, group)):
                found = moves_left(here, fold, goals)[here.positions.numbers(reached)]
                assert {p: m for p, m in zip(reached.tolist(), found.tolist(), strict=True) if m != NO_WAY} == expected


@pytest.mark.parametrize(
    ("board", "vacancies"),
    [(rectangle(4, 4), [1, 4, 13, 16]), pytest.param(CROSS, [11], marks=pytest.mark.slow)],  # words of 8 and 16 bits
    ids=["4x4", "cross"],
)
def test_blocks_folded_by_rotations_give_what_all_blocks_give(board: Board, vacancies: list[int]) -> None:
    """A turn by a quarter is not its own inverse."""
    start = board.full ^ board.position(vacancies)
    here, group = order(board, start), board.stabiliser(start)
    assert len(group) == 8
    play, late = Play(board), start
    for _ in range(12):
        late = max((after for _, after in play.moves(late)), key=lambda p: (p.bit_count(), p), default=late)
    goals = {image_of(symmetry, late) for symmetry in group}
    assert len(goals) > 1
    every, folded = (moves_left(here, fold, goals) for fold in (unfolded(here), fold_by(here, group)))
    assert np.array_equal(every, folded)
    assert len(np.unique(every)) > 5


def test_what_parts_have_is_joined_tile_by_tile() -> None:
    board = BOARDS[1]
    start = board.full ^ 1
    here = order(board, start)
    fold = fold_by(here, board.symmetries[:1])
    whole = reachable(here, [start])
    parts = halves(here, whole)
    for weight, piece in whole.items():
        assert np.array_equal(joined(empty_piece(here, fold, weight), parts), piece.blocks)
        cut = here.highs // 2
        some = [joined(empty_piece(here, fold, weight, *ends), parts) for ends in ((0, cut), (cut, here.highs))]
        assert np.array_equal(np.concatenate(some), piece.blocks)
