"""A second proof of the minima that only a search proved: a SAT solver refutes one stone less, and its proof is checked
here before it is written.

The solver is asked :mod:`boardspace_kernels.five_in_a_row.cnf`'s question and gives up after so many conflicts; with
the same version it takes the same steps everywhere.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.tables import REFUTATIONS

if TYPE_CHECKING:
    import pyarrow as pa

    from boardspace_kernels.five_in_a_row.board import Board

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
    """The solver's distribution where it is asked, and how to install it."""
    return {"python-sat": "pip install 'boardspace[sat]'"} if config.refuted_conflicts else {}


def refuted(
    config: FiveInARowConfig, board: "Board", found: Mapping[str, Any], report: Callable[[str], None]
) -> Refutation | None:
    """That a board needs the stones that ``found``, its row, says; None where its minimum is proved without a search,
    or where the solver gave up.

    Raises:
        ArithmeticError: the solver found a placement of fewer stones.
        CertificateError: its proof is wrong.
    """
    if not config.refuted_conflicts or found["proof"] != "search":
        return None
    from boardspace_kernels.five_in_a_row.cnf import clauses
    from boardspace_kernels.five_in_a_row.refutation import check_refutation

    stones = found["stones"] - 1
    formula = clauses(board, stones)
    report(f"a SAT solver is asked for {stones} stones")
    proof = _proof(formula, config.refuted_conflicts, f"{board}: a solver blocks it with {stones} stones")
    if proof is None:
        return None
    report(f"the solver's proof of {len(proof)} clauses is checked")
    return Refutation(stones, proof[: check_refutation(formula, proof)])


def refutations_table(refutations: Sequence[tuple[SizedBoard, Refutation]]) -> "pa.Table":
    """Boards and what refutes one stone less."""
    boards = [board for board, _ in refutations]
    return REFUTATIONS.from_columns(
        k=[board.k for board in boards],
        rows=[board.rows for board in boards],
        columns=[board.columns for board in boards],
        stones=[refutation.stones for _, refutation in refutations],
        clauses=[len(refutation.clauses) for _, refutation in refutations],
        refutation=[refutation.text for _, refutation in refutations],
    )


def _proof(formula: Sequence[tuple[int, ...]], conflicts: int, satisfied: str) -> list[str] | None:
    """The clauses that the solver added until it met a contradiction; None where it gave up."""
    from pysat.solvers import Solver

    with Solver(SOLVER, bootstrap_with=formula, with_proof=True) as solver:
        solver.conf_budget(conflicts)
        answer = solver.solve_limited()
        if answer is None:
            return None
        if answer:
            raise ArithmeticError(satisfied)
        return [line for line in solver.get_proof() if not line.startswith(DELETED)]
