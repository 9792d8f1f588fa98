"""The plain rules that ``verify`` re-derives with, against the oracles of the tests."""

from itertools import product

import pytest

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.parts.rectangles import reached
from boardspace.spaces.board_division.parts.rectangles.checks import DIRECTIONS, reducing_jumps
from tests.naive import board_division as naive


@pytest.mark.parametrize("k", range(4))
def test_a_cover_put_together_from_quadrants_is_the_oracles(k: int) -> None:
    cells = [(row, column) for row in range(2**k) for column in range(2**k)]
    for special in cells:
        assert rules.assembled(k, special).tolist() == naive.cover(k, special)
        blocks = [rules.assembled_block(k, special, 0, cell).tolist() for cell in cells]
        assert blocks == [[[naive.cover(k, special)[row][column]]] for row, column in cells]


@pytest.mark.parametrize("k", range(4))
def test_the_recursion_gone_through_lays_the_oracles_cover_and_counts_its_boards(k: int) -> None:
    for special in ((row, column) for row in range(2**k) for column in range(2**k)):
        board, *counted = rules.cover(k, special)
        assert board == naive.cover(k, special)
        assert counted == [sum(4**level for level in range(k + 1)), k]


@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 6), (2, 3), (3, 2), (2, 4), (3, 3)])
def test_the_positions_are_the_oracles_with_cells_from_1(m: int, n: int) -> None:
    moved = [{frozenset((r + 1, c + 1) for r, c in pegs) for pegs in level} for level in naive.levels(m, n)]
    assert rules.positions_from(rules.rectangle(m, n)) == moved
    assert rules.fewest(m, n) == min(len(pegs) for level in moved for pegs in level)


def test_positions_by_words_and_hashes_are_those_of_the_oracle() -> None:
    for m, n in ((m, n) for m, n in product(range(1, 10), repeat=2) if m * n <= 9):
        rows, cells = reached.search(m, n)
        levels = naive.levels(m, n)[::-1]
        stuck = [sum(not any(naive.jumps(pegs)) for pegs in level) for level in levels]
        assert [row["positions"] for row in rows] == [len(level) for level in levels], (m, n)
        assert [row["stuck_positions"] for row in rows] == stuck, (m, n)
        assert cells == {(row + 1, column + 1) for level in levels for pegs in level for row, column in pegs}, (m, n)


def test_jumps_put_together_from_modules_leave_the_fewest_pegs() -> None:
    for m, n in ((m, n) for m, n in product(range(1, 14), repeat=2) if m * n <= 150):
        jumps = [(row, column, DIRECTIONS[way]) for row, column, way in reducing_jumps(m, n).tolist()]
        assert len(rules.play(rules.rectangle(m, n), jumps)) == rules.fewest(m, n), (m, n)


@pytest.mark.parametrize("jump", [(1, 1, "L"), (1, 1, "R"), (2, 1, "L"), (1, 3, "R")])
def test_what_is_no_jump_is_refused(jump: rules.Jump) -> None:
    with pytest.raises(ValueError, match="is no jump"):
        rules.play(rules.rectangle(1, 3), [jump])
