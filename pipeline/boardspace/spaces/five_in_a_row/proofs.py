"""Proofs behind a number: the search, its certificate, a second count, and a SAT solver's refutation.

Where only a search proved a minimum, the solver is asked for one stone less, by
:mod:`boardspace_kernels.five_in_a_row.formulas`'s question, and gives up after so many conflicts; with the same version
it takes the same steps everywhere. Its proof is checked here before it is written.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.formulas import clauses
from boardspace_kernels.five_in_a_row.minimum import Solution
from boardspace_kernels.five_in_a_row.recount import recount
from boardspace_kernels.five_in_a_row.recount_layers import TooManyStatesError
from boardspace_kernels.five_in_a_row.refutation import check_refutation

STATES_A_STATE = 8
"""A second count may meet so many times the states that are allowed, strips included, before it is given up."""

BY_WEIGHTS, BY_SEARCH = "weights", "search"
SOLVER = "glucose4"
DELETED = "d "


def by_search(solution: Solution) -> dict[str, Any]:
    """Values of a row that the search of a board knows: all but classes, certificate and second count."""
    return {
        "stones": solution.minimum,
        "proof": solution.proof,
        "placements": str(solution.count),
        "classes": None,
        "bound": solution.prepared.floor,
        "searches": len(solution.sweeps),
        "states": solution.states,
        "peak": solution.peak,
    }


def certified_by(certificate: Mapping[str, Any] | None) -> str | None:
    """Means by which a certificate proves the minimum: by its weights alone, or by a search that has to be repeated."""
    if certificate is None:
        return None
    return BY_WEIGHTS if certificate["proof"] == "bound" else BY_SEARCH


def as_json(certificate: Mapping[str, Any]) -> str:
    """A certificate on one line."""
    return json.dumps(certificate, separators=(",", ":"))


def counted_twice(config: FiveInARowConfig, certificate: Mapping[str, Any]) -> bool:
    """Count a board's placements by the second method; False where the search was too long to be repeated.

    Raises:
        ArithmeticError: the two methods differ.
    """
    if certificate["states"] > config.recounted:
        return False
    stones, count = certificate["minimum"], int(certificate["count"])
    try:
        found = recount(certificate, stones, STATES_A_STATE * config.recounted)
    except TooManyStatesError:
        return False
    if found.fewer or not found.agrees(count):
        raise ArithmeticError(
            f"board {certificate['shape']}, k = {certificate['k']}: the search found {count} placements with {stones} "
            f"stones, the second count {found.count} (modulo {found.modulus}) and {found.fewer} with fewer"
        )
    return True


def with_proofs(
    config: FiveInARowConfig,
    board: Board,
    found: Mapping[str, Any],
    certificate: Mapping[str, Any] | None,
    report: Callable[[str], None],
) -> dict[str, Any]:
    """``found``, the values of a row that a search knows, and what proves them: the certificate, a second count, and a
    solver's refutation of one stone less.

    Raises:
        ArithmeticError: the second count differs, or the solver found a placement of fewer stones.
        CertificateError: the solver's proof is wrong.
    """
    recounted = certificate is not None and counted_twice(config, certificate)
    clauses = refuted(config, board, found, report)
    return {
        **found,
        "certificate": None if certificate is None else as_json(certificate),
        "certified": certified_by(certificate),
        "recounted": recounted,
        "refutation": None if clauses is None else "\n".join(clauses),
        "refuted": None if clauses is None else len(clauses),
    }


def libraries(config: FiveInARowConfig) -> Mapping[str, str]:
    """Libraries that a run of the config needs: the solver's distribution where it is asked, and how to install it."""
    return {"python-sat": "pip install 'boardspace[sat]'"} if config.refuted_conflicts else {}


def refuted(
    config: FiveInARowConfig, board: Board, found: Mapping[str, Any], report: Callable[[str], None]
) -> list[str] | None:
    """Have a solver prove that a board needs the stones of ``found``, its row: the clauses, each a line of DRUP. None
    where its minimum is proved without a search, or where the solver gave up.

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
    return proof[: check_refutation(formula, proof)]


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
