"""Boards: jumps and symmetries follow from the cells; what cannot be a board is refused with the reason."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.solitaire.board import Board, BoardError, are_same_class, board_invariants
from boardspace_kernels.solitaire.play import Problem
from tests.kernels.solitaire.boards import (
    ENGLISH,
    FRENCH,
    SMALL,
    as_set,
    as_word,
    cells,
    group,
    hexagon,
    rectangle,
    triangle,
)
from tests.naive import solitaire as naive

small_boards = st.sampled_from(SMALL)


@pytest.mark.parametrize("board", [*SMALL, ENGLISH, FRENCH], ids=lambda b: b.name)
def test_jumps_are_the_lines_of_three_holes(board: Board) -> None:
    found = {tuple(board.cells[hole] for hole in jump) for jump in board.jumps.tolist()}
    assert found == set(naive.jumps(cells(board), board.grid))


@pytest.mark.parametrize("board", SMALL, ids=lambda b: b.name)
def test_symmetries_are_those_found_by_trying_every_map(board: Board) -> None:
    found = {tuple(board.cells[hole] for hole in row) for row in board.symmetries.tolist()}
    assert found == {tuple(image[cell] for cell in board.cells) for image in group(board)}


@pytest.mark.parametrize(
    ("board", "order"),
    [
        (FRENCH, 8),
        (ENGLISH, 8),
        (rectangle(4, 4), 8),
        (rectangle(3, 5), 4),
        (triangle(5), 6),
        (hexagon(3), 12),
        (SMALL[-1], 2),
    ],
    ids=lambda value: value.name if isinstance(value, Board) else str(value),
)
def test_symmetry_groups_are_d4_d2_d3_d6_d1(board: Board, order: int) -> None:
    assert len(board.symmetries) == order
    assert board.symmetries[0].tolist() == list(range(board.holes))


@given(small_boards)
def test_symmetries_form_a_group_that_maps_jumps_to_jumps(board: Board) -> None:
    rows = set(map(tuple, board.symmetries.tolist()))
    assert {tuple(a[hole] for hole in b) for a in rows for b in rows} == rows
    jumps = set(map(tuple, board.jumps.tolist()))
    assert all({tuple(row[hole] for hole in jump) for jump in jumps} == jumps for row in rows)


@given(small_boards, st.data())
def test_positions_and_peg_labels_are_inverse(board: Board, data: st.DataObject) -> None:
    word = data.draw(st.integers(0, board.full))
    assert board.position(board.pegs(word)) == word
    assert as_word(board, as_set(board, word)) == word


def test_a_problem_is_searched_by_the_symmetries_of_start_and_goal_only() -> None:
    board = triangle(5)
    corner = board.full ^ board.position([1])
    assert len(Problem(board, corner, board.position([1])).group) == 2
    assert len(Problem(board, corner, board.position([11])).group) == 1
    assert len(Problem(board, board.full, board.full).group) == 6


@given(st.sampled_from([*SMALL, ENGLISH, FRENCH]), st.data())
def test_no_jump_changes_the_position_class(board: Board, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, board.full))
    jump = data.draw(st.sampled_from(board.jumps.tolist()))
    after = position ^ sum(1 << hole for hole in jump)
    assert are_same_class(board, position, after)
    assert not all(are_same_class(board, position, position ^ 1 << hole) for hole in range(board.holes))


@pytest.mark.parametrize(("board", "count"), [(ENGLISH, 16), (FRENCH, 16), (triangle(5), 4), (rectangle(4, 4), 16)])
def test_square_boards_have_16_classes_and_triangles_4(board: Board, count: int) -> None:
    assert 2 ** len(board_invariants(board)) == count


def test_classes_of_a_small_board_are_the_cosets_of_the_jumps() -> None:
    board = triangle(4)
    masks = [sum(1 << hole for hole in jump) for jump in board.jumps.tolist()]
    reached, open_ends = {0}, [0]
    while open_ends:
        position = open_ends.pop()
        new = {position ^ mask for mask in masks} - reached
        reached |= new
        open_ends += new
    assert {word for word in range(board.full + 1) if are_same_class(board, word, 0)} == reached


@pytest.mark.parametrize(
    ("picture", "fault"),
    [
        ("1 2 x", "row 1 holds 'x'"),
        ("1 2\n3 4", "no three holes are in line"),
        ("", "0 holes"),
        ("1 2 1", "hole number 1 is used more than once"),
        ("\n".join(" ".join(str(9 * r + c) for c in range(9)) for r in range(9)), "81 holes"),
    ],
)
def test_bad_pictures_are_refused_with_the_reason(picture: str, fault: str) -> None:
    with pytest.raises(BoardError, match=fault):
        Board.from_picture("bad", "square", picture)


def test_unknown_grids_cells_out_of_order_and_missing_labels_are_refused() -> None:
    with pytest.raises(BoardError, match="grid 'round' is unknown; use one of square, triangular"):
        Board("bad", "round", ((0, 0), (0, 1), (0, 2)), (1, 2, 3))
    with pytest.raises(BoardError, match="in the order of their numbers"):
        Board("bad", "square", ((0, 0), (0, 1), (0, 2)), (1, 3, 2))
    with pytest.raises(BoardError, match="cells must be distinct"):
        Board("bad", "square", ((0, 0), (0, 1), (0, 0)), (1, 2, 3))
    with pytest.raises(BoardError, match="3 holes but 2 labels"):
        Board("bad", "square", ((0, 0), (0, 1), (0, 2)), (1, 2))


def test_positions_off_the_board_are_refused_with_the_holes_there_are() -> None:
    with pytest.raises(BoardError, match=r"has no hole 4; its holes are 1-3, 5-7, 9-29, 31-33, 35-37"):
        ENGLISH.position([19, 4])
    with pytest.raises(BoardError, match="hole 19 is listed twice"):
        ENGLISH.position([19, 19])
    with pytest.raises(BoardError, match="outside its 33 holes"):
        Problem(ENGLISH, 1 << 33, 1)


def test_bits_follow_the_numbers_of_the_holes_whatever_their_places() -> None:
    board = Board.from_picture("any", "square", "7 3 5\n. . 1\n. . 2")
    assert board.cells == ((1, 2), (2, 2), (0, 1), (0, 2), (0, 0))
    assert [board.position([label]) for label in (1, 2, 3, 5, 7)] == [1, 2, 4, 8, 16]
    assert board.pegs(0b10101) == (1, 3, 7)
    assert all(FRENCH.position([label]) == 1 << label - 1 for label in range(1, 38))


def test_the_french_board_is_numbered_as_the_group_of_the_source_demands() -> None:
    """T turns counter-clockwise by 90 degrees, S flips about the line through 2 and 36; first come T^k of P0."""
    number = dict(zip(FRENCH.cells, FRENCH.labels, strict=True))
    turned = {number[row, column]: number[6 - column, row] for row, column in FRENCH.cells}
    flipped = {number[row, column]: number[6 - row, column] for row, column in FRENCH.cells}
    assert (flipped[2], flipped[36], turned[19]) == (2, 36, 19)
    p0 = frozenset({6, 10, 11})
    images = [p0]
    for _ in range(4):
        images.append(frozenset(turned[hole] for hole in images[-1]))
    assert [sorted(image) for image in images[1:]] == [[7, 13, 21], [27, 28, 32], [17, 25, 31], [6, 10, 11]]
    mirrored = [sorted(flipped[hole] for hole in image) for image in images[:4]]
    assert mirrored == [[6, 13, 14], [5, 11, 17], [24, 25, 32], [21, 27, 33]]


def test_the_largest_board_uses_all_64_bits() -> None:
    board = rectangle(8, 8)
    assert board.full == (1 << 64) - 1
    assert len(board.symmetries) == 8
    assert np.all(board.jumps < 64)
