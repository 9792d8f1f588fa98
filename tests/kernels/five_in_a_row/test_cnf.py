"""The formula for SAT solvers: its solutions are the placements, and a solver without any bound finds X by it."""

import itertools

import pytest

from boardspace_kernels.five_in_a_row.board import Board, BoardError
from boardspace_kernels.five_in_a_row.formulas import clauses, dimacs, variables
from boardspace_kernels.five_in_a_row.minimum import solve
from tests.naive import five_in_a_row as naive


def satisfiable(formula: list[tuple[int, ...]], number: int) -> bool:
    from ortools.sat.python import cp_model  # loads pandas: in one process alone

    model = cp_model.CpModel()
    names = [model.new_bool_var(str(i)) for i in range(number + 1)]
    for clause in formula:
        model.add_bool_or([names[one] if one > 0 else names[-one].negated() for one in clause])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    found = solver.solve(model)
    assert found in (cp_model.OPTIMAL, cp_model.FEASIBLE, cp_model.INFEASIBLE)
    return found != cp_model.INFEASIBLE


@pytest.mark.parametrize(("shape", "k", "stones"), [((3, 3), 2, 4), ((2, 5), 3, 3), ((3, 3), 3, 0), ((2, 2), 3, 0)])
def test_a_placement_satisfies_it_exactly_if_it_blocks_with_so_few_stones(
    shape: tuple[int, int], k: int, stones: int
) -> None:
    board = Board(shape, k)
    cells = list(itertools.product(*map(range, shape)))
    wanted = naive.lines(shape, k)
    for marks in itertools.product((False, True), repeat=board.cells):
        placed = {cell for cell, mark in zip(cells, marks, strict=True) if mark}
        blocks = len(placed) <= stones and all(placed & line for line in wanted)
        units = [(i if mark else -i,) for i, mark in enumerate(marks, 1)]
        if sum(marks) <= stones + 1:
            assert satisfiable([*clauses(board, stones), *units], variables(board, stones)) == blocks


@pytest.mark.parametrize(("shape", "k"), [((6, 6), 3), ((7, 6), 4), ((8, 8), 5), ((3, 3, 3), 3), ((4, 2), 5)])
def test_a_solver_finds_the_minimum_by_it(shape: tuple[int, ...], k: int) -> None:
    board = Board(shape, k)
    least = solve(board).minimum
    assert satisfiable(clauses(board, least), variables(board, least))
    if least:
        assert not satisfiable(clauses(board, least - 1), variables(board, least - 1))


def test_the_text_says_what_it_is_and_has_as_many_clauses_and_variables_as_it_says() -> None:
    board = Board((4, 5), 3)
    lines = list(dimacs(board, 6))
    assert "board 4 x 5, k = 3" in lines[0]
    heads = [line for line in lines if line.startswith("p cnf ")]
    body = [line for line in lines if line[0] not in "pc"]
    assert heads == [f"p cnf {variables(board, 6)} {len(body)}"]
    literals = [int(word) for line in body for word in line.split()]
    assert max(map(abs, literals)) == variables(board, 6)
    assert all(line.endswith(" 0") for line in body)


def test_fewer_than_no_stones_are_refused() -> None:
    with pytest.raises(BoardError, match="0 stones or more"):
        clauses(Board((4, 4), 3), -1)
