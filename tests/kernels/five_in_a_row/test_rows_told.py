"""A sweep tells at ends of rows how far it is, and finds the same whether anybody listens or not."""

from itertools import groupby

import pytest

from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.minimum import few_stones, solve, solve_part
from boardspace_kernels.five_in_a_row.search import Part, RowDone, Sweep, limits, prepare, sweep


def by_sweep(told: list[RowDone]) -> list[list[RowDone]]:
    return [list(rows) for _, rows in groupby(told, key=lambda row: row.stones)]


def agree(told: list[RowDone], sweeps: tuple[Sweep, ...], rows: int) -> None:
    """What was told of some sweeps, each with another budget, is what they found."""
    found = by_sweep(told)
    assert [of_one[0].stones for of_one in found] == [one.stones for one in sweeps]
    for of_one, one in zip(found, sweeps, strict=True):
        numbers = [row.row for row in of_one]
        assert numbers == sorted(set(numbers))
        assert numbers[-1] == rows == of_one[-1].rows
        made = [row.made for row in of_one]
        assert made == sorted(made)
        assert made[-1] == one.states
        assert max(row.states for row in of_one) <= one.peak
        assert of_one[-1].states == (1 if one.count else 0)


@pytest.mark.parametrize(("shape", "k", "rows"), [((11, 10), 3, 11), ((9, 9), 4, 9), ((4, 3, 3), 3, 12), ((7,), 3, 1)])
def test_rows_ascend_and_the_last_is_that_of_the_board(shape: tuple[int, ...], k: int, rows: int) -> None:
    told: list[RowDone] = []
    solution = solve(Board(shape, k), on_row=told.append)
    agree(told, solution.sweeps, rows)
    alone = solve(Board(shape, k))
    assert (alone.minimum, alone.count, alone.states, alone.peak) == (
        *(solution.minimum, solution.count, solution.states, solution.peak),
    )


def test_every_row_with_many_states_is_told() -> None:
    told: list[RowDone] = []
    prepared = prepare(Board((9, 9), 3))
    found = sweep(prepared, 31, limits(prepared, 1 << 30, total=1 << 40), on_row=told.append)
    agree(told, (found,), 9)
    large = [row.row for row in told if row.states > 1_000]
    assert large == list(range(large[0], large[-1] + 1))
    assert len(large) > 2


def test_parts_and_beams_tell_of_their_rows() -> None:
    prepared = prepare(Board((9, 8), 3))
    told: list[RowDone] = []
    sweeps = solve_part(prepared, Part(0, 2, 16), most=40, on_row=told.append)
    agree(told, sweeps, 9)
    assert len(sweeps) > 1
    told.clear()
    found = few_stones(prepared, 50, on_row=told.append)
    agree([row for row in told if row.stones == found.stones], (found,), 9)
