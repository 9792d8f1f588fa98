"""Covers written band by band and block by block are the recursion's."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardspace_kernels.board_division.cover_check import check_cover
from boardspace_kernels.board_division.covers import Block, BoardError, cover, cover_block, covers, numbers_at
from tests.daily import daily
from tests.naive import board_division as naive


@pytest.mark.parametrize("k", range(5))
def test_the_covers_of_all_special_cells_are_the_recursions(k: int) -> None:
    side = 2**k
    expected = [naive.cover(k, special) for special in np.ndindex(side, side)]
    assert covers(k, 0, side * side).tolist() == expected


@pytest.mark.parametrize("k", range(7))
def test_every_special_cell_of_every_board_up_to_64_x_64_is_covered(k: int) -> None:
    side = 2**k
    for special, board in enumerate(covers(k, 0, side * side)):
        check_cover(board, *divmod(special, side))


@settings(max_examples=40, deadline=None)
@given(st.integers(5, 10), st.data())
def test_a_cover_is_made_of_its_blocks_whatever_their_size(k: int, data: st.DataObject) -> None:
    coordinate = st.integers(0, 2**k - 1)
    row, column = data.draw(coordinate), data.draw(coordinate)
    level = data.draw(st.integers(max(0, k - 4), k))
    grid = range(2 ** (k - level))
    blocks = [[cover_block(k, row, column, Block(level, r, c)) for c in grid] for r in grid]
    assert np.array_equal(np.block(blocks), cover(k, row, column))


@settings(max_examples=20, deadline=None)
@given(st.integers(11, 31), st.data())
def test_a_block_of_a_board_too_large_for_memory_agrees_with_the_direct_rule(k: int, data: st.DataObject) -> None:
    coordinate = st.integers(0, 2**k - 1)
    row, column = data.draw(coordinate), data.draw(coordinate)
    level = 9
    blocks = st.integers(0, 2 ** (k - level) - 1)
    block_row = data.draw(st.one_of(blocks, st.just(row >> level)))
    block_column = data.draw(st.one_of(blocks, st.just(column >> level)))
    block = cover_block(k, row, column, Block(level, block_row, block_column))
    cells = np.arange(2**level)
    at_row, at_column = block_row * 2**level + cells[:, None], block_column * 2**level + cells
    assert np.array_equal(block, numbers_at(k, row, column, at_row, at_column))


def test_a_block_can_be_written_to_an_array_that_is_there() -> None:
    for out in (np.empty((256, 256), np.uint64), np.empty((300, 600), np.uint64).T[80:592:2, 7:263]):
        assert cover_block(8, 3, 5, Block(8, 0, 0), out) is out
        assert np.array_equal(out, cover(8, 3, 5))


@pytest.mark.parametrize(("shape", "dtype"), [((32, 16), np.uint16), ((16, 32), np.uint16), ((32, 32), np.uint8)])
def test_an_array_that_cannot_hold_a_block_is_refused(shape: tuple[int, int], dtype: type) -> None:
    with pytest.raises(BoardError, match=r"no array \(32, 32\) of integers up to 341"):
        cover_block(5, 0, 0, Block(5, 0, 0), np.zeros(shape, dtype))


@pytest.mark.parametrize("special", daily([(4095, 1234), (0, 0), (2047, 2048)], 3))
def test_a_board_of_16_million_cells_is_covered(special: tuple[int, int]) -> None:
    check_cover(cover(12, *special), *special)


@pytest.mark.slow
def test_a_board_of_67_million_cells_and_all_special_cells_of_128_x_128_are_covered() -> None:
    check_cover(cover(13, 5000, 77), 5000, 77)
    for special, board in enumerate(covers(7, 0, 128 * 128)):
        check_cover(board, *divmod(special, 128))


@pytest.mark.parametrize("place", [(5, 0, 0), (-1, 0, 0), (3, 2, 0), (3, 0, -1)])
def test_blocks_that_do_not_exist_are_refused(place: tuple[int, int, int]) -> None:
    with pytest.raises(BoardError, match="no block"):
        cover_block(4, 0, 0, Block(*place))


def test_special_cells_that_do_not_exist_are_refused() -> None:
    with pytest.raises(BoardError, match="k = 1 has cells 0 to 3"):
        covers(1, 2, 5)
