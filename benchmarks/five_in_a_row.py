"""Five in a row: all optimal placements beside CP-SAT, the table of k = 5, and the largest boards of each k.

CP-SAT is used in its two ways to find all optimal solutions: its own enumeration (one thread, slow to prove that
there are no more), and solving again and again with all threads, each time forbidding what it found (8 workers).
Ganak, a counter of the models of a formula (#SAT), is run where ``pip install pyganak`` was done, which has wheels for
Linux only. It is told the minimum, which the search finds and proves.
"""

from collections.abc import Callable
from importlib.util import find_spec

from ortools.sat.python import cp_model

from benchmarks.harness import Job, benchmark
from boardspace_kernels.five_in_a_row.best_cells import best_cells
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.formulas import clauses
from boardspace_kernels.five_in_a_row.minimum import solve
from boardspace_kernels.five_in_a_row.periodic import lattice_placements
from boardspace_kernels.five_in_a_row.search import Part, limits, prepare, sweep

SMALL = [Board((n, n), 5) for n in (6, 7)]
SQUARES = [Board((n, n), 5) for n in range(6, 14)]
COUNTED = {Board((7, 7), 3): 23, Board((9, 9), 5): 16, Board((8, 8), 4): 20}
"""Boards that a counter of models takes seconds for, with their fewest stones."""

PROVED = [Board((n, m), k) for n, m, k in ((8, 8, 3), (9, 9, 3), (8, 8, 4), (9, 8, 4), (9, 9, 5), (8, 8, 6))]


def _model(board: Board) -> tuple[cp_model.CpModel, list[cp_model.IntVar]]:
    model = cp_model.CpModel()
    stones = [model.new_bool_var(str(cell)) for cell in range(board.cells)]
    for line in board.lines.tolist():
        model.add_bool_or([stones[cell] for cell in line])
    return model, stones


def _solver(workers: int) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    return solver


class _Counting(cp_model.CpSolverSolutionCallback):
    def __init__(self) -> None:
        super().__init__()
        self.found = 0

    def on_solution_callback(self) -> None:
        self.found += 1


def _minimum(board: Board) -> int:
    model, stones = _model(board)
    model.minimize(sum(stones))
    solver = _solver(8)
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


def _enumerated(board: Board) -> int:
    """Number of optimal placements that CP-SAT's own enumeration finds."""
    model, stones = _model(board)
    model.add(sum(stones) == _minimum(board))
    solver, counting = _solver(1), _Counting()
    solver.parameters.enumerate_all_solutions = True
    assert solver.solve(model, counting) == cp_model.OPTIMAL
    return counting.found


def _forbidden_one_by_one(board: Board) -> int:
    """Number of optimal placements that CP-SAT finds when each is forbidden in turn."""
    model, stones = _model(board)
    model.add(sum(stones) == _minimum(board))
    solver, found = _solver(8), 0
    while solver.solve(model) in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        found += 1
        model.add_bool_or([stone.negated() for stone in stones if solver.value(stone)])
    return found


def _all(count: Callable[[Board], int], boards: list[Board]) -> Job:
    return lambda: sum(map(count, boards))


@benchmark(unit="placements", runs=3)
def cp_sat_enumerating_6_and_7() -> Job:
    """All optimal placements of 6 x 6 and 7 x 7 by CP-SAT's enumeration; 8 x 8 takes it more than a minute."""
    return _all(_enumerated, SMALL)


@benchmark(unit="placements", baseline="cp_sat_enumerating_6_and_7", runs=3)
def search_6_and_7() -> Job:
    """The same, listed by the search."""
    return _all(lambda board: len(solve(board).placements(1000)), SMALL)


@benchmark(unit="placements", runs=3)
def cp_sat_forbidding_6_to_13() -> Job:
    """All optimal placements of the squares 6 x 6 to 13 x 13 by CP-SAT, forbidding what was found."""
    return _all(_forbidden_one_by_one, SQUARES)


@benchmark(unit="placements", baseline="cp_sat_forbidding_6_to_13", runs=3)
def search_6_to_13() -> Job:
    """The same, listed by the search."""
    return _all(lambda board: len(solve(board).placements(1000)), SQUARES)


if find_spec("pyganak"):

    @benchmark(unit="placements", runs=1)
    def ganak_counting_three_boards() -> Job:
        """Placements with the fewest stones of 7 x 7 (k = 3), 9 x 9 (k = 5) and 8 x 8 (k = 4), counted by Ganak."""
        return lambda: sum(_models(board, stones) for board, stones in COUNTED.items())

    @benchmark(unit="placements", baseline="ganak_counting_three_boards", runs=1)
    def search_counting_three_boards() -> Job:
        """Placements of these boards counted by the search, which proves the minima, too."""
        return lambda: sum(solve(board).count for board in COUNTED)


def _models(board: Board, stones: int) -> int:
    import pyganak

    counter = pyganak.Counter()
    counter.add_clauses(clauses(board, stones))
    counter.set_sampling_set(range(1, board.cells + 1))
    return int(counter.count())


@benchmark(unit="stones", runs=1)
def cp_sat_fewest_stones_of_six_boards() -> Job:
    """The fewest stones, proved by CP-SAT with 8 workers: 8 x 8 and 9 x 9 (k = 3), 8 x 8 and 9 x 8 (k = 4), 9 x 9
    (k = 5) and 8 x 8 (k = 6)."""
    return _all(_minimum, PROVED)


@benchmark(unit="stones", baseline="cp_sat_fewest_stones_of_six_boards", runs=1)
def search_fewest_stones_of_six_boards() -> Job:
    """Minima of these boards by the search, which counts the placements, too."""
    return _all(lambda board: solve(board).minimum, PROVED)


@benchmark(unit="boards", runs=3)
def table_of_five_in_a_row_to_25_x_25() -> Job:
    """All 325 boards 1 <= M <= N <= 25, minimum proved and placements counted, on one core."""
    boards = [Board((n, m), 5) for n in range(1, 26) for m in range(1, n + 1)]
    return lambda: len([solve(board).count for board in boards])


@benchmark(unit="placements")
def lattice_windows_of_192_x_193() -> Job:
    """The largest board of the source's Table 2 by its construction."""
    return lambda: len(lattice_placements(best_cells(5), 192, 193))


def _states(board: Board) -> Job:
    return lambda: solve(board).states


@benchmark(unit="states", runs=1)
def two_in_a_row_on_24_x_24() -> Job:
    """The largest square of k = 2 within a minute on one core."""
    return _states(Board((24, 24), 2))


@benchmark(unit="states", runs=1)
def three_in_a_row_from_13_to_16() -> Job:
    """The squares 13 x 13 to 16 x 16, root bounds included."""
    boards = [Board((n, n), 3) for n in range(13, 17)]
    return lambda: sum(solve(board).states for board in boards)


@benchmark(unit="states", runs=1)
def three_in_a_row_on_17_x_17() -> Job:
    """The largest square of k = 3 within a minute, one beyond the published terms of OEIS A181018."""
    return _states(Board((17, 17), 3))


@benchmark(unit="states", runs=1)
def four_in_a_row_on_12_x_12() -> Job:
    """The largest square of k = 4 within a minute."""
    return _states(Board((12, 12), 4))


@benchmark(unit="states", runs=1)
def five_in_a_row_on_100_x_100() -> Job:
    """By search alone; the source's larger boards are carried from small ones."""
    return _states(Board((100, 100), 5))


@benchmark(unit="states", runs=1)
def six_in_a_row_on_12_x_12() -> Job:
    """The largest square of k = 6 within a minute."""
    return _states(Board((12, 12), 6))


@benchmark(unit="states", runs=1)
def seven_in_a_row_on_40_x_40() -> Job:
    """The bound is all but exact, so no square of k = 7 is hard."""
    return _states(Board((40, 40), 7))


@benchmark(unit="states", runs=1)
def eight_in_a_row_on_14_x_14() -> Job:
    """The largest square of k = 8 within a minute."""
    return _states(Board((14, 14), 8))


@benchmark(unit="states", runs=3)
def one_sweep_with_strips() -> Job:
    """States per second of the bare search: 13 x 13, k = 3, 83 stones, strips of width 8."""
    prepared = prepare(Board((13, 13), 3), 8)
    allowed = limits(prepared, 4 << 30, total=1 << 40)
    return lambda: sweep(prepared, 83, allowed).states


@benchmark(unit="states", baseline="one_sweep_with_strips", runs=3)
def the_same_sweep_in_four_parts() -> Job:
    """Cost, in states made twice, of cutting a sweep at 26 cells: the ratio is per state, the states are the sum."""
    prepared = prepare(Board((13, 13), 3), 8)
    allowed = limits(prepared, 4 << 30, total=1 << 40)
    return lambda: sum(sweep(prepared, 83, allowed, Part(index, 4, 26)).states for index in range(4))
