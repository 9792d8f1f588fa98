"""Calling each kernel of five in a row once: numba compiles them and keeps their code.

The steps are done side by side: what a step does not compile itself, it has by the Python that kernels are written in.
"""

from itertools import starmap

import numpy as np

from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.certificate import certificate
from boardspace_kernels.five_in_a_row.minimum import solve, solve_part
from boardspace_kernels.five_in_a_row.recount import recount
from boardspace_kernels.five_in_a_row.refutation import check_refutation
from boardspace_kernels.five_in_a_row.search import Part, prepare
from boardspace_kernels.five_in_a_row.strip_density import density
from boardspace_kernels.five_in_a_row.strip_states import strip
from boardspace_kernels.jit import interpreted

SMALL = (((9, 9), 5), ((5, 7), 3))


def warm_up_search() -> None:
    """Compile the kernels of the search, by solving a few small boards with strips, without, and in parts."""
    for board in (*SMALL, ((11, 11), 7)):
        solve(Board(*board)).witness()
    solve_part(prepare(Board((5, 5), 3)), Part(index=0, of=2, cells=10), most=11)


def warm_up_checks() -> None:
    """Compile the kernels that count again, of a strip of any length, and of a proof of a solver."""
    for board in starmap(Board, SMALL):
        with interpreted(small=True), np.errstate(over="ignore"):  # hashes multiply modulo 2 ** 64
            solution = solve(board)
            proof = certificate(solution)
        aimed = {"cells": len(board.shape), "lines": proof["lines"]}  # as larger boards have
        recount({**proof, "aimed": [aimed]}, solution.minimum)
    density(strip(3, 3))
    check_refutation([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["1 0", "0"])
