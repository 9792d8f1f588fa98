"""The proved margin, and the exhaustive search within it."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.board_division import rectangle_search
from boardspace_kernels.board_division.fewest_pegs import (
    fewest_left,
    line_weight,
    not_negative,
    power,
    reachable_cells,
    times,
)
from boardspace_kernels.board_division.jumps import MARGIN, RectangleError
from boardspace_kernels.board_division.rectangle_search import make_board, next_level, search_rectangle
from tests.kernels.board_division.golden import GOLDEN
from tests.naive import board_division as naive

SMALL = [(1, 1), (1, 2), (1, 5), (1, 8), (2, 2), (2, 3), (2, 4), (3, 2), (2, 5), (3, 3), (2, 6), (3, 4)]
GOLDEN_RATIO = (Decimal(5).sqrt() - 1) / 2

integers = st.integers(-(10**6), 10**6)


@given(integers, integers)
def test_the_sign_of_a_golden_number_is_exact(x: int, y: int) -> None:
    assert not_negative((x, y)) == (x + y * GOLDEN_RATIO >= 0)


@given(st.integers(0, 12), st.integers(0, 12))
def test_powers_multiply(a: int, b: int) -> None:
    assert times(power(a), power(b)) == power(a + b)


@given(st.integers(1, 9), st.integers(1, 9), st.integers(-4, 12), st.integers(-4, 12))
def test_the_weight_of_a_rectangle_is_the_sum_over_its_pegs(m: int, n: int, row: int, column: int) -> None:
    x, y = times(line_weight(m, row), line_weight(n, column))
    assert abs(x + y * GOLDEN_RATIO - naive.weight(m, n, (row, column))) < Decimal("1e-20")


@given(st.integers(1, 5), st.integers(1, 5), st.data())
def test_no_jump_adds_weight(m: int, n: int, data: st.DataObject) -> None:
    target = data.draw(st.tuples(st.integers(-4, 8), st.integers(-4, 8)))

    def weight(pegs: naive.Position) -> tuple[int, int]:
        powers = [power(abs(r - target[0]) + abs(c - target[1])) for r, c in pegs]
        return sum(x for x, _ in powers), sum(y for _, y in powers)

    pegs = naive.rectangle(m, n)
    while choices := list(naive.jumps(pegs)):
        _, _, after = data.draw(st.sampled_from(choices))
        (x, y), (u, v) = weight(pegs), weight(after)
        assert not_negative((x - u, y - v))
        pegs = after


def test_the_fifth_row_outside_weighs_less_than_one_peg_for_any_rectangle() -> None:
    assert GOLDEN["soldiers"]["rows"] == MARGIN
    for side in (1, 2, 5, 50, 400):
        x, y = times(line_weight(side, -MARGIN - 1), line_weight(side, side // 2))
        assert not not_negative((x - 1, y))


def test_the_cells_pegs_may_come_to_grow_with_the_rectangle() -> None:
    for m, n in ((1, 4), (2, 3), (3, 3), (4, 6)):
        cells = {tuple(cell) for cell in reachable_cells(m, n).tolist()}
        assert naive.rectangle(m, n) <= cells <= {tuple(cell) for cell in reachable_cells(m, n + 1).tolist()}


@pytest.mark.parametrize(("m", "n"), SMALL)
def test_the_search_reaches_what_trying_everything_reaches(m: int, n: int) -> None:
    expected = naive.levels(m, n)
    reached = search_rectangle(m, n)
    stuck = [sum(not list(naive.jumps(pegs)) for pegs in level) for level in expected]
    assert [level.positions for level in reached.levels] == [len(level) for level in expected]
    assert [level.stuck_positions for level in reached.levels] == stuck
    assert {tuple(cell) for cell in reached.cells.tolist()} == set().union(*[p for level in expected for p in level])
    assert reached.escapes == 0


@pytest.mark.parametrize(("m", "n"), [*SMALL, (1, 21), (2, 7), (2, 8), (3, 5), (4, 4), (5, 3)])
def test_the_fewest_pegs_found_are_the_formulas(m: int, n: int) -> None:
    reached = search_rectangle(m, n)
    assert reached.levels[-1].pegs == fewest_left(m, n)
    assert [level.pegs for level in reached.levels] == list(range(m * n, fewest_left(m, n) - 1, -1))
    assert reached.escapes == 0


def test_pegs_of_a_4_x_4_square_come_to_every_cell_that_the_weights_allow() -> None:
    assert np.array_equal(search_rectangle(4, 4).cells, reachable_cells(4, 4))


def test_symmetries_that_are_no_group_are_noticed() -> None:
    board, _ = make_board(2, 3)
    three = board._replace(images=board.images[:3], flips=board.flips[:3])
    on_the_axis = np.flatnonzero(board.images[0] == board.images[1])[:1]
    with pytest.raises(ArithmeticError, match="no subgroup"):
        next_level(board.bits[on_the_axis], three, np.zeros(2, np.uint64))


def test_jumps_off_cells_that_are_too_few_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Allowed its own cells only, a 1 x 3 line loses its two jumps outwards; each counts once in its orbit."""
    monkeypatch.setattr(rectangle_search, "reachable_cells", lambda m, n: np.argwhere(np.ones((m, n), dtype=bool)))
    reached = search_rectangle(1, 3)
    assert reached.escapes == 2
    assert [level.pegs for level in reached.levels] == [3]


def test_orbits_are_classes_of_positions() -> None:
    for level in search_rectangle(3, 3).levels:
        assert level.orbits <= level.positions <= 8 * level.orbits


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n"), [(2, 9), (3, 6), (4, 5), (2, 10), (3, 7)])
def test_the_fewest_pegs_found_are_the_formulas_for_18_to_21_pegs(m: int, n: int) -> None:
    reached = search_rectangle(m, n)
    assert reached.levels[-1].pegs == fewest_left(m, n)
    assert reached.escapes == 0


def test_jumps_of_the_board_are_those_of_its_cells() -> None:
    board, cells = make_board(3, 4)
    places = [tuple(cell) for cell in cells.tolist()]
    for cell, (row, column) in enumerate(places):
        for direction, (down, right) in enumerate(naive.STEPS.values()):
            for table, steps in ((board.over, 1), (board.landing, 2)):
                index = table[cell, direction]
                target = (row + steps * down, column + steps * right)
                assert (places[index] if index >= 0 else None) == (target if target in places else None)


def test_rectangles_with_too_many_cells_are_refused() -> None:
    with pytest.raises(RectangleError, match="128 can be searched"):
        search_rectangle(6, 6)
