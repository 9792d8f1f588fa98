"""Calling each kernel of five in a row once: numba compiles them and keeps their code."""

from boardspace_kernels.five_in_a_row.best_cells import INTERPRETED, best_cells
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.certificate import certificate
from boardspace_kernels.five_in_a_row.minimum import solve, solve_part
from boardspace_kernels.five_in_a_row.recount import recount
from boardspace_kernels.five_in_a_row.refutation import check_refutation
from boardspace_kernels.five_in_a_row.search import Part, prepare
from boardspace_kernels.five_in_a_row.strip_density import density
from boardspace_kernels.five_in_a_row.strip_states import strip


def warm_up() -> None:
    """Compile every kernel, by solving a few small boards with strips, without, and in parts, counting again, a strip
    of any length, and a proof of a solver."""
    best_cells(INTERPRETED + 1)
    for board in (Board((9, 9), 5), Board((5, 7), 3), Board((11, 11), 7)):
        solution = solve(board)
        solution.witness()
        recount(certificate(solution), solution.minimum)
    density(strip(3, 3))
    solve_part(prepare(Board((5, 5), 3)), Part(index=0, of=2, cells=10), most=11)
    check_refutation([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["1 0", "0"])
