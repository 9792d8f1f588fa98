"""A second proof of the minima that only a search proved: a SAT solver refutes one stone less, and its proof is checked
here before it is written.

The solver is asked :mod:`boardspace_kernels.five_in_a_row.cnf`'s question and gives up after so many conflicts; with
the same version it takes the same steps everywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.cnf import clauses
from boardspace_kernels.five_in_a_row.refutation import check_refutation

SOLVER = "glucose4"
DELETED = "d "


class Refutation(NamedTuple):
    """So many ``stones`` do not suffice: the proof's ``clauses``, each a line of DRUP."""

    stones: int
    clauses: list[str]

    @property
    def text(self) -> str:
        """The proof as it is published."""
        return "\n".join(self.clauses)


def libraries(config: FiveInARowConfig) -> Mapping[str, str]:
    """Libraries that a run of the config needs: the solver's distribution where it is asked, and how to install it."""
    return {"python-sat": "pip install 'boardspace[sat]'"} if config.refuted_conflicts else {}


def refuted(
    config: FiveInARowConfig, board: Board, found: Mapping[str, Any], report: Callable[[str], None]
) -> Refutation | None:
    """Have a solver prove that a board needs the stones of ``found``, its row; None where its minimum is proved without
    a search, or where the solver gave up.

    Raises:
        ArithmeticError: the solver found a placement of fewer stones.
        CertificateError: its proof is wrong.
    """
    if not config.refuted_conflicts or found["proof"] != "search":
        return None
    stones = found["stones"] - 1
    formula = clauses(board, stones)
    report(f"a SAT solver is asked for {stones} stones")
    proof = _proof(formula, config.refuted_conflicts, f"{board}: a solver blocks it with {stones} stones")
    if proof is None:
        return None
    report(f"the solver's proof of {len(proof)} clauses is checked")
    return Refutation(stones, proof[: check_refutation(formula, proof)])


def _proof(formula: Sequence[tuple[int, ...]], conflicts: int, satisfied: str) -> list[str] | None:
    """The clauses that the solver added until it met a contradiction; None where it gave up."""
    from pysat.solvers import Solver  # an optional library: boardspace[sat]

    with Solver(SOLVER, bootstrap_with=formula, with_proof=True) as solver:
        solver.conf_budget(conflicts)
        answer = solver.solve_limited()
        if answer is None:
            return None
        if answer:
            raise ArithmeticError(satisfied)
        return [line for line in solver.get_proof() if not line.startswith(DELETED)]
