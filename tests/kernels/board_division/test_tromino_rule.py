"""The direct rule gives the recursion's numbers, cell by cell."""

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.board_division.covers import (
    BoardError,
    descend,
    number_dtype,
    numbers_at,
    require_board,
    trominoes,
)
from tests.kernels.board_division.golden import GOLDEN
from tests.naive import board_division as naive

SAMPLE = GOLDEN["sample_tromino"]


def test_the_sample_of_the_source_is_reproduced() -> None:
    cells = np.arange(4)
    assert numbers_at(2, 0, 1, cells[:, None], cells).tolist() == SAMPLE["board"]


def test_only_one_order_of_the_recursion_gives_the_sample() -> None:
    orders = permutations(("NW", "NE", "centre", "SW", "SE"))
    matching = [order for order in orders if naive.cover(2, (0, 1), order) == SAMPLE["board"]]
    assert matching == [("NW", "NE", "centre", "SW", "SE")]


def test_the_order_in_the_sources_text_lays_the_same_trominoes_under_other_numbers() -> None:
    text_order = naive.cover(2, (0, 1), ("centre", "NW", "NE", "SW", "SE"))
    assert text_order != SAMPLE["board"]
    pairs = {pair for rows in zip(text_order, SAMPLE["board"], strict=True) for pair in zip(*rows, strict=True)}
    assert sorted(pairs) == [(0, 0), (1, 3), (2, 1), (3, 2), (4, 4), (5, 5)]


@pytest.mark.parametrize("k", range(5))
def test_every_cell_of_every_special_board_has_the_recursions_number(k: int) -> None:
    cells = np.arange(2**k)
    for row, column in np.ndindex(2**k, 2**k):
        assert numbers_at(k, row, column, cells[:, None], cells).tolist() == naive.cover(k, (row, column))


@given(st.integers(0, 31), st.data())
def test_a_blocks_special_cell_has_the_number_the_rule_gives_it(k: int, data: st.DataObject) -> None:
    coordinate = st.integers(0, 2**k - 1)
    row, column = data.draw(coordinate), data.draw(coordinate)
    level = data.draw(st.integers(0, k))
    block = st.integers(0, 2 ** (k - level) - 1)
    block_row, block_column = data.draw(block), data.draw(block)
    found = descend(k, row, column, level, block_row, block_column)
    before, at_row, at_column, number = (int(one) for one in found)
    assert (at_row >> level, at_column >> level) == (block_row, block_column)
    assert numbers_at(k, row, column, at_row, at_column) == number
    assert (number == 0) == ((at_row, at_column) == (row, column))
    assert 0 <= before <= before + trominoes(level) <= trominoes(k)


def test_so_many_trominoes_cover_a_board() -> None:
    assert [trominoes(k) for k in range(5)] == [0, 1, 5, 21, 85]


@pytest.mark.parametrize(
    ("k", "dtype"), [(0, np.uint16), (8, np.uint16), (9, np.uint32), (16, np.uint32), (17, np.uint64)]
)
def test_the_dtype_is_the_smallest_that_holds_the_numbers(k: int, dtype: type) -> None:
    assert number_dtype(k) == dtype
    assert trominoes(k) <= np.iinfo(dtype).max


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((-1, 0, 0), "k = -1"),
        ((32, 0, 0), "k = 32"),
        ((2, 4, 0), "special row 5 is off the board: k = 2 has rows 1 to 4"),
        ((2, 0, -1), "special column 0 is off the board"),
    ],
)
def test_boards_that_do_not_exist_are_refused(arguments: tuple[int, int, int], said: str) -> None:
    with pytest.raises(BoardError, match=said):
        require_board(*arguments)
