"""Certificates: true ones pass, and whatever is altered in one is found."""

import ast
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardspace_kernels.solitaire import certificate
from boardspace_kernels.solitaire.certificate import CertificateError, Claim, Proof, check_certificate
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.search import Meeting, first_game, frontiers, meet
from tests.kernels.solitaire.boards import LAST_SUPPER, hexagon, rectangle, triangle

Certificate = tuple[Claim, list[Any], list[Any]]


def certificate_of(problem: Problem, forward: int) -> Certificate:
    found = meet(problem, 10**7)
    assert isinstance(found, Meeting)
    board = problem.board
    game = [list(move.stops) for move in first_game(found)]
    claim = Claim(board.grid, board.cells, problem.start, problem.goal, problem.group.tolist(), game)
    layers = [
        [layer.run.positions for layer in islice(frontiers(tables, problem.root(root)), count + 1)]
        for tables, root, count in (
            (problem.forward, problem.start, forward),
            (problem.backward, problem.goal, len(game) - 1 - forward),
        )
    ]
    return claim, layers[0], layers[1]


PROBLEMS = [
    (Problem(triangle(5), triangle(5).full ^ 1, 1), 4),
    (Problem(rectangle(4, 4), rectangle(4, 4).full ^ 2, 4), 5),
    (Problem(hexagon(3), hexagon(3).full ^ 1 << 9, hexagon(3).position([3, 8, 12, 17])), 2),
]


@pytest.mark.parametrize(("problem", "forward"), PROBLEMS, ids=lambda value: getattr(value, "board", value))
def test_a_true_certificate_passes_for_every_split(problem: Problem, forward: int) -> None:
    claim, *_ = certificate_of(problem, forward)
    for split in range(len(claim.game)):
        assert check_certificate(*certificate_of(problem, split)).moves == len(claim.game)


def test_the_last_supper_is_proved_to_need_15_moves() -> None:
    assert check_certificate(*certificate_of(LAST_SUPPER, 8)) == Proof(15, 214044, 3240484)


def test_layers_that_hold_too_much_still_prove_it() -> None:
    claim, forward, backward = certificate_of(*PROBLEMS[0])
    forward[-1] = np.append(forward[-1], np.uint64(0b111))
    assert check_certificate(claim, forward, backward).moves == len(claim.game)


def _drop_a_position(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim, [*forward[:2], forward[2][1:], *forward[3:]], backward


def _drop_a_backward_position(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim, forward, [backward[0], backward[1][:-1], *backward[2:]]


def _lose_the_start(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim, [forward[0] + np.uint64(1), *forward[1:]], backward


def _let_layers_meet(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim, [*forward[:-1], np.append(forward[-1], backward[-1][0])], backward


def _claim_a_longer_game(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim, forward[:-1], backward


def _play_an_impossible_move(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim._replace(game=[claim.game[-1], *claim.game[1:]]), forward, backward


def _play_a_move_without_a_jump(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim._replace(game=[[3], *claim.game]), forward, backward


def _stop_short(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim._replace(game=claim.game[:-1]), forward, backward


def _use_a_symmetry_that_is_none(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    rest = list(range(2, len(claim.cells)))
    return claim._replace(symmetries=[*claim.symmetries, [1, 0, *rest]]), forward, backward


def _use_a_symmetry_that_moves_the_start(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    turned = [claim.cells.index((r, r - c)) for r, c in claim.cells]
    further = [claim.cells.index((4 - c, r - c)) for r, c in claim.cells]
    return claim._replace(symmetries=[list(range(len(claim.cells))), turned, further]), forward, backward


def _use_no_permutation(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim._replace(symmetries=[*claim.symmetries, [0] * len(claim.cells)]), forward, backward


def _forget_the_identity(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim._replace(symmetries=claim.symmetries[1:]), forward, backward


def _repeat_a_cell(claim: Claim, forward: list[Any], backward: list[Any]) -> Certificate:
    return claim._replace(cells=[claim.cells[0], *claim.cells[:-1]]), forward, backward


@pytest.mark.parametrize(
    ("tamper", "fault"),
    [
        (_drop_a_position, "a move forward leads to 0x"),
        (_drop_a_backward_position, "a move backward leads to 0x"),
        (_lose_the_start, "forward layer 0 does not hold"),
        (_let_layers_meet, "is in a forward and a backward layer"),
        (_claim_a_longer_game, "layers up to 3 and 5 moves prove 9 moves, the game has 10"),
        (_play_an_impossible_move, "move 1 of the game: no jump from hole"),
        (_play_a_move_without_a_jump, "move 1 of the game has no jump"),
        (_stop_short, "the game ends at 0x"),
        (_use_a_symmetry_that_is_none, "does not map jumps to jumps"),
        (_use_a_symmetry_that_moves_the_start, "does not keep start and goal"),
        (_use_no_permutation, "is not a permutation"),
        (_forget_the_identity, "lack the identity"),
        (_repeat_a_cell, "not a set of 1 to 64 cells"),
    ],
)
def test_a_false_certificate_is_refused(tamper: Callable[..., Certificate], fault: str) -> None:
    with pytest.raises(CertificateError, match=fault):
        check_certificate(*tamper(*certificate_of(*PROBLEMS[0])))


def test_symmetries_that_do_not_form_a_group_are_refused() -> None:
    claim, forward, backward = certificate_of(*PROBLEMS[2])
    with pytest.raises(CertificateError, match="do not form a group"):
        check_certificate(claim._replace(symmetries=claim.symmetries[:3]), forward, backward)


def test_the_checker_shares_no_code_with_the_search() -> None:
    tree = ast.parse(Path(certificate.__file__).read_text(encoding="utf-8"))
    names = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    names |= {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert names == {"collections.abc", "itertools", "typing", "numpy", "numpy.typing"}
