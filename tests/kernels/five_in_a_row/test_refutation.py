"""Proofs of a SAT solver (Glucose 4, through python-sat 1.9) that fewer stones do not suffice, and forged ones."""

from pathlib import Path

import pytest

from boardspace.kernels.five_in_a_row.board import Board
from boardspace.kernels.five_in_a_row.checker import CertificateError
from boardspace.kernels.five_in_a_row.cnf import clauses
from boardspace.kernels.five_in_a_row.minimum import solve
from boardspace.kernels.five_in_a_row.refutation import check_refutation

PROOFS = Path(__file__).parents[2] / "golden"
BOARDS = [(5, 3), (7, 5), (8, 6)]


def proof_of(side: int, k: int) -> list[str]:
    return (PROOFS / f"five_in_a_row_{side}x{side}_{k}.drup").read_text(encoding="ascii").splitlines()


@pytest.mark.parametrize(("side", "k"), BOARDS)
def test_a_solver_proves_that_one_stone_less_does_not_suffice(side: int, k: int) -> None:
    board = Board((side, side), k)
    proof = proof_of(side, k)
    assert check_refutation(clauses(board, solve(board).minimum - 1), proof) == len(proof)


@pytest.mark.parametrize(("side", "k"), BOARDS)
def test_the_same_proof_does_not_prove_that_the_minimum_does_not_suffice(side: int, k: int) -> None:
    board = Board((side, side), k)
    with pytest.raises(CertificateError, match="does not follow"):
        check_refutation(clauses(board, solve(board).minimum), proof_of(side, k))


@pytest.mark.parametrize(
    ("proof", "message"),
    [
        ([], "without a contradiction"),
        (["0"], "line 1 of the proof does not follow"),
        (["1 0", "0"], "line 1 of the proof does not follow"),
        (["1 2"], "does not end with its only 0"),
        (["1 0 2 0"], "does not end with its only 0"),
        (["one 0"], "is no clause"),
        (["d 1 2 0"], "without a contradiction"),
    ],
)
def test_proofs_that_prove_nothing_are_refused(proof: list[str], message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        check_refutation(clauses(Board((5, 5), 3), 8), proof)


def test_a_clause_that_was_dropped_from_a_proof_is_missed() -> None:
    board, proof = Board((5, 5), 3), proof_of(5, 3)
    refused = 0
    for left_out in range(0, len(proof) - 1, 7):
        try:
            check_refutation(clauses(board, 8), proof[:left_out] + proof[left_out + 20 :])
        except CertificateError:
            refused += 1
    assert refused > 10


@pytest.mark.parametrize(
    ("formula", "proof"),
    [
        ([(1,), (-1,)], ["0"]),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["1 0", "0"]),
        ([(1, 2), (1, -2), (-1, 2), (-1, -2)], ["d 1 2 0", "2 0", "0"]),
        ([(1, 2, 3), (-1,), (-2,), (-3,)], []),
        ([()], ["0"]),
    ],
)
def test_small_formulas_are_refuted(formula: list[tuple[int, ...]], proof: list[str]) -> None:
    check_refutation(formula, proof)
