"""Derivations that fewer stones do not suffice: accepted by checkers, and true step by step."""

import itertools
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.board import Board, BoardError, BoardTooLargeError
from boardspace_kernels.five_in_a_row.bound import SmallCosts, small_costs
from boardspace_kernels.five_in_a_row.certificate import certificate, thin_certificate
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.completions import Derivation, FewerSufficeError, derived
from boardspace_kernels.five_in_a_row.cutting_planes import check_proof, inequalities
from boardspace_kernels.five_in_a_row.formulas import FORMATS, opb, proof_lines
from boardspace_kernels.five_in_a_row.minimum import solve

PAGE = Path(__file__).resolve().parents[3] / "docs" / "open_questions.md"
SIDES = [((4, 4), 3), ((6, 5), 3), ((5, 4), 4), ((7, 6), 5), ((3, 3, 3), 3), ((3, 3, 2), 2), ((9, 3), 4), ((6,), 3)]


def derivation(sides: tuple[int, ...], k: int) -> Derivation:
    solution = solve(Board(sides, k))
    return derived(solution.board, solution.minimum - 1, small_costs(certificate(solution)))


@pytest.mark.parametrize(("sides", "k"), SIDES)
def test_the_checker_accepts_the_proof_of_any_board_in_every_version_of_the_format(
    sides: tuple[int, ...], k: int
) -> None:
    found = derivation(sides, k)
    formula = list(opb(found.board, found.stones))
    for version in FORMATS:
        assert check_proof(formula, proof_lines(found, version)) == len(found.steps)


@pytest.mark.parametrize(("sides", "k"), SIDES)
def test_the_proof_does_not_prove_that_the_fewest_stones_do_not_suffice(sides: tuple[int, ...], k: int) -> None:
    found = derivation(sides, k)
    with pytest.raises(CertificateError, match="is no contradiction"):
        check_proof(opb(found.board, found.stones + 1), proof_lines(found, "2.0"))


@pytest.mark.parametrize(("sides", "k"), [((4, 4), 3), ((4, 4), 2), ((5, 3), 3), ((4, 3), 2)])
def test_every_inequality_holds_for_every_placement_that_blocks(sides: tuple[int, ...], k: int) -> None:
    found = derivation(sides, k)
    boards = np.array(list(itertools.product((0, 1), repeat=found.board.cells)))
    blocking = boards[np.all(np.any(boards[:, found.board.lines], axis=2), axis=1)]
    lines = [line for line in proof_lines(found, "2.0") if line.startswith(("pseudo", "f ", "pol "))]
    known = inequalities(opb(found.board, found.stones), lines)
    assert len(known) == len(found.board.lines) + 1 + len(found.steps)
    for number, one in known.items():
        factors = np.array([one.terms.get(f"x{cell + 1}", 0) for cell in range(found.board.cells)])
        holds = bool(np.all(blocking @ factors >= one.least))
        assert holds == (number not in (len(found.board.lines) + 1, len(known)))  # at most so many; the contradiction


def test_the_proof_of_9_x_9_is_as_long_as_the_docs_say() -> None:
    """Weaker bounds, or states that the lines beyond a strip tell apart, prove the same in more inequalities."""
    assert f"| 9 x 9 | 38 | {len(derivation((9, 9), 3).steps):,} |" in PAGE.read_text()


def test_a_thin_board_is_one_sum_of_its_weights() -> None:
    board = Board((40, 3), 5)
    found = derived(board, 23, small_costs(thin_certificate(board)))
    assert (len(found.steps), found.states) == (2, 1)
    assert check_proof(opb(board, 23), proof_lines(found, "1.1")) == 2


def test_stones_that_suffice_are_not_refuted() -> None:
    solution = solve(Board((6, 5), 3))
    costs = small_costs(certificate(solution))
    with pytest.raises(FewerSufficeError, match="there is a placement"):
        derived(solution.board, solution.minimum, costs)
    with pytest.raises(BoardError, match="0 or more"):
        derived(solution.board, -1, costs)


def test_weak_costs_make_longer_proofs_and_no_wrong_ones() -> None:
    board = Board((5, 5), 3)
    nothing = SmallCosts(1, [0] * len(board.lines), ())
    found = derived(board, 8, nothing)
    assert check_proof(opb(board, 8), proof_lines(found, "2.0")) == len(found.steps)
    assert len(found.steps) > len(derivation((5, 5), 3).steps)
    with pytest.raises(FewerSufficeError):
        derived(board, 9, nothing)


def drawn_costs(board: Board, rng: np.random.Generator) -> SmallCosts:
    """Some weights of lines, and of what they leave of each stone as much as a strip of all cells is drawn to take."""
    unit = int(rng.integers(1, 5))
    left, weights = np.full(board.cells, unit), np.zeros(len(board.lines), int)
    for line in rng.permutation(len(board.lines)):
        weights[line] = rng.choice([0, 0, left[board.lines[line]].min()])
        left[board.lines[line]] -= weights[line]
    costs = np.where(rng.random(board.cells) < 0.5, left, rng.integers(0, left + 1))
    return SmallCosts(unit, weights.tolist(), ((range(board.cells), costs.tolist()),))


@pytest.mark.parametrize(("sides", "k"), [((3, 3), 3), ((3, 3), 2), ((4, 3), 3), ((4, 3), 2), ((5, 3), 3)])
def test_any_costs_that_charge_no_cell_too_much_make_a_proof(sides: tuple[int, ...], k: int) -> None:
    """In about a third the weights and strips after some cells prove whole stones more than are asked for; in some the
    lines ahead weigh as much, in units, as a bound has stones."""
    board, rng = Board(sides, k), np.random.default_rng(1)
    stones = solve(board).minimum - 1
    formula = list(opb(board, stones))
    for _ in range(30):
        found = derived(board, stones, drawn_costs(board, rng))
        assert check_proof(formula, proof_lines(found, "2.0")) == len(found.steps)


def test_a_large_board_that_weights_alone_do_not_prove_is_refused() -> None:
    board = Board((30, 30), 5)
    with pytest.raises(BoardTooLargeError, match="boards of at most 500 cells"):
        derived(board, 179, SmallCosts(1, [0] * len(board.lines), ()))


def test_small_costs_charge_no_cell_more_than_a_stone() -> None:
    for sides, k in (((7, 7), 3), ((7, 6), 4)):
        proof = certificate(solve(Board(sides, k)))
        for unit in (1, 2, 6, 12):
            costs = small_costs(proof, unit)
            charged = [0] * (sides[0] * sides[1])
            for line, weight in zip(Board(sides, k).lines.tolist(), costs.weights, strict=True):
                for cell in line:
                    charged[cell] += weight
            for cells, prices in costs.strips:
                assert min(prices) >= 0
                for cell, price in zip(cells, prices, strict=True):
                    charged[cell] += price
            assert max(charged) <= costs.unit == unit


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("veripb") is None, reason="veripb is not on the PATH")
@pytest.mark.parametrize(("sides", "k"), [*SIDES, ((9, 9), 3)])
def test_veripb_accepts_the_proof_and_not_that_of_another_board(sides: tuple[int, ...], k: int, tmp_path: Path) -> None:
    found = derivation(sides, k)
    accepted = []
    for version in FORMATS:
        (tmp_path / "board.pbp").write_text("\n".join(proof_lines(found, version)) + "\n")
        for stones in (found.stones, found.stones + 1):
            (tmp_path / "board.opb").write_text("\n".join(opb(found.board, stones)) + "\n")
            ran = subprocess.run(["veripb", "board.opb", "board.pbp"], cwd=tmp_path, capture_output=True, text=True)
            accepted.append((version, stones - found.stones, ran.returncode == 0))
    assert any(right for _, more, right in accepted if not more)
    assert not any(right for _, more, right in accepted if more)
