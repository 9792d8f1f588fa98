"""Proofs of a SAT solver (Glucose 4, through python-sat 1.9) that fewer stones do not suffice, and forged ones."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.formulas import clauses
from boardspace_kernels.five_in_a_row.minimum import solve
from boardspace_kernels.five_in_a_row.refutation import check_refutation
from tests.naive import refutation as naive

PROOFS = Path(__file__).parents[2] / "golden"
BOARDS = [(5, 3), (7, 5), (8, 6)]

literals = st.integers(1, 4).flatmap(lambda variable: st.sampled_from([variable, -variable]))
formulas = st.lists(st.lists(literals, max_size=4), max_size=14)


def proof_of(side: int, k: int) -> list[str]:
    return (PROOFS / f"five_in_a_row_{side}x{side}_{k}.drup").read_text(encoding="ascii").splitlines()


def as_lines(proof: list[list[int]]) -> list[str]:
    return [" ".join(map(str, [*clause, 0])) for clause in proof]


@pytest.mark.parametrize(("side", "k"), BOARDS)
def test_a_solver_proves_that_one_stone_less_does_not_suffice(side: int, k: int) -> None:
    board = Board((side, side), k)
    proof = proof_of(side, k)
    added = [line for line in proof if not line.startswith("d ")]
    assert check_refutation(clauses(board, solve(board).minimum - 1), proof) == len(added) < len(proof)


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
        (["1 99999999999 0"], "has the variable 99999999999"),
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


def test_a_proof_is_followed_as_far_as_plain_propagation_follows_it() -> None:
    formula = list(clauses(Board((5, 5), 3), 8))
    proof = [list(map(int, line.split()))[:-1] for line in proof_of(5, 3) if not line.startswith("d ")]
    assert naive.follows(formula, proof) == len(proof)
    forged = [*proof[:60], [-literal for literal in proof[60]], *proof[61:]]
    number = naive.follows(formula, forged)
    with pytest.raises(CertificateError, match=f"line {number + 1} of the proof does not follow"):
        check_refutation(formula, as_lines(forged))


@given(formulas, st.lists(st.lists(literals, max_size=3), max_size=6))
def test_any_proof_is_judged_as_by_plain_propagation(formula: list[list[int]], proof: list[list[int]]) -> None:
    end = proof.index([]) + 1 if [] in proof else len(proof)
    followed = naive.follows(formula, proof[:end])
    if followed < end:
        expected = f"line {followed + 1} of the proof does not follow"
    elif not naive.contradictory([*formula, *proof[:end]]):
        expected = f"ends after {end} clauses without"
    else:
        assert check_refutation(formula, as_lines(proof)) == end
        return
    with pytest.raises(CertificateError, match=re.escape(expected)):
        check_refutation(formula, as_lines(proof))


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
