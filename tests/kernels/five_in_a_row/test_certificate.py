"""Certificates, and the checker that shares no code with what made them."""

import ast
import json
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from boardspace_kernels.five_in_a_row import checker
from boardspace_kernels.five_in_a_row.best_cells import best_cells
from boardspace_kernels.five_in_a_row.board import Board, BoardError
from boardspace_kernels.five_in_a_row.certificate import carried_certificate, certificate, thin_certificate
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.minimum import solve, thin_rule
from boardspace_kernels.five_in_a_row.periodic import lattice_placements
from boardspace_kernels.five_in_a_row.recount import check_certificate
from tests.naive import five_in_a_row as naive

BOARDS = [
    *[((5, 5), 5), ((8, 7), 5), ((13, 12), 5), ((4, 9), 5)],
    *[((6, 6), 2), ((7, 7), 3), ((8, 7), 4), ((6, 6), 6), ((8, 6), 6), ((9, 9), 7)],
    *[((3, 3, 3), 3)],
]


@pytest.mark.parametrize(("shape", "k"), BOARDS)
def test_the_checker_accepts_what_the_search_found(shape: tuple[int, ...], k: int) -> None:
    check_certificate(json.loads(json.dumps(certificate(solve(Board(shape, k))))))


@pytest.mark.parametrize(("shape", "k"), [((25, 4), 5), ((4, 25), 5), ((12, 2), 3), ((3, 3), 4), ((11, 6), 7)])
def test_a_thin_board_is_certified_by_weights_alone(shape: tuple[int, int], k: int) -> None:
    given = json.loads(json.dumps(thin_certificate(Board(shape, k))))
    check_certificate(given)
    assert (given["minimum"], given["proof"]) == (thin_rule(Board(shape, k)).minimum, "bound")


@pytest.mark.parametrize(
    ("sides", "small"),
    [((17, 13), (7, 8)), ((13, 12), (8, 7)), ((11, 7), (6, 7)), ((12, 8), (7, 8)), ((30, 28), (10, 8))],
)
def test_a_carried_board_is_certified_by_the_small_ones_weights_and_pieces(
    sides: tuple[int, int], small: tuple[int, int]
) -> None:
    base, board = certificate(solve(Board(small, 5))), Board(sides, 5)
    witness = lattice_placements(best_cells(5), *sides)[0]
    given = json.loads(json.dumps(carried_certificate(base, board, small, witness)))
    check_certificate(given)
    assert given["minimum"] == sides[0] * sides[1] // 5
    with pytest.raises(CertificateError, match="charged more than the scale"):
        check_certificate(given | {"lines": [*given["lines"][:-1], [*given["lines"][-1][:2], given["scale"] + 1]]})


def test_a_large_carried_board_is_certified() -> None:
    small, sides = (8, 7), (58, 57)
    base = certificate(solve(Board(small, 5)))
    check_certificate(carried_certificate(base, Board(sides, 5), small, lattice_placements(best_cells(5), *sides)[0]))


def test_a_board_is_not_carried_from_another_certificate_or_one_that_needs_a_search() -> None:
    board, witness = Board((13, 12), 5), lattice_placements(best_cells(5), 13, 12)[0]
    with pytest.raises(BoardError, match="not carried from"):
        carried_certificate(certificate(solve(Board((9, 7), 5))), board, (8, 7), witness)
    with pytest.raises(BoardError, match="does not prove its minimum by weights"):
        carried_certificate(dict(certificate(solve(Board((8, 7), 5)))) | {"proof": "search"}, board, (8, 7), witness)


def test_the_checker_knows_the_lines_of_the_rules() -> None:
    for shape, k in [((5, 7), 5), ((3, 3, 4), 3), ((6,), 2), ((2, 2), 3), ((4, 3), 2), ((3, 4, 5), 3)]:
        number = {cell: i for i, cell in enumerate(product(*map(range, shape)))}
        lines = {tuple(sorted(number[cell] for cell in line)) for line in naive.lines(shape, k)}
        assert checker.all_lines(shape, k) == sorted(lines)


def test_the_checker_shares_no_code_with_the_search() -> None:
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules == {"collections.abc", "itertools", "math", "typing"}
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))


def spoil(key: str, change: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def apply(given: dict[str, Any]) -> None:
        given[key] = change(given[key])

    return apply


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (spoil("count", lambda count: str(int(count) + 1)), "there are 8 placements"),
        (spoil("witness", lambda marks: marks.replace("#", ".", 1)), "the witness has 10 stones"),
        (spoil("witness", lambda marks: "".join(sorted(marks))), "free"),
        (spoil("minimum", lambda minimum: minimum + 1), "stones"),
        (spoil("floor", lambda floor: floor + 1), "the bound is"),
        (spoil("scale", lambda scale: scale - 1000), "more than the scale"),
        (spoil("lines", lambda lines: [[0, 1, 5], *lines]), "no line runs"),
        (spoil("lines", lambda lines: [[*lines[0][:2], -1], *lines[1:]]), "negative"),
    ],
)
def test_the_checker_refuses_a_damaged_certificate(damage: Callable[[dict[str, Any]], None], message: str) -> None:
    given = dict(certificate(solve(Board((8, 7), 5))))
    damage(given)
    with pytest.raises(CertificateError, match=message):
        check_certificate(given)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (spoil("lines", lambda lines: [[*lines[0][:2], float(lines[0][2])], *lines[1:]]), "lines: .* is no whole"),
        (spoil("lines", lambda lines: [[*lines[0][:2], float("nan")], *lines[1:]]), "lines: nan is no whole number"),
        (spoil("floor", float), "floor: .* is no whole number"),
        (spoil("scale", lambda scale: scale + 0.5), "scale: .* is no whole number"),
        (spoil("scale", lambda scale: -scale), "the scale and the sides are at least 1"),
        (spoil("minimum", float), "minimum: 11.0 is no whole number"),
        (spoil("k", lambda k: True), "k: True is no whole number"),
        (spoil("k", lambda k: 1), "k at least 2"),
        (spoil("shape", lambda shape: [shape[0], float(shape[1])]), "shape: 7.0 is no whole number"),
        (spoil("shape", lambda shape: [0, 7]), "sides are at least 1"),
        (spoil("count", lambda count: "-8"), "count: '-8' is no number"),
        (spoil("proof", lambda proof: "sure"), "proof: 'sure' is neither"),
        (spoil("strips", lambda strips: [{"start": 0.0, "costs": []}]), "strips: 0.0 is no whole number"),
        (spoil("strips", lambda strips: [{"start": 0, "costs": [0.5] * 40}]), "strips: 0.5 is no whole number"),
        (spoil("strips", lambda strips: [{"start": 0, "costs": [0] * 41}]), "make no strip"),
        (spoil("strips", lambda strips: [{"start": 4, "costs": [0] * 40}]), "make no strip"),
        (spoil("strips", lambda strips: [{"start": -1, "costs": [0] * 40}]), "make no strip"),
    ],
)
def test_the_checker_refuses_what_is_no_certificate(damage: Callable[[dict[str, Any]], None], message: str) -> None:
    given = dict(certificate(solve(Board((8, 7), 5))))
    damage(given)
    with pytest.raises(CertificateError, match=message):
        check_certificate(given)


def test_the_checker_refuses_a_minimum_that_is_too_large() -> None:
    given = dict(certificate(solve(Board((7, 7), 4))))
    witness = given["witness"]
    given |= {"minimum": given["minimum"] + 1, "proof": "search", "witness": witness.replace(".", "#", 1)}
    with pytest.raises(CertificateError, match="stones suffice"):
        check_certificate(given)
