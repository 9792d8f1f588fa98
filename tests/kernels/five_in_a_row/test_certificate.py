"""Certificates, and the checker that shares no code with what made them."""

import ast
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from boardspace.kernels.five_in_a_row import checker
from boardspace.kernels.five_in_a_row.board import Board
from boardspace.kernels.five_in_a_row.certificate import certificate
from boardspace.kernels.five_in_a_row.checker import CertificateError, check_certificate
from boardspace.kernels.five_in_a_row.minimum import solve
from tests.naive import five_in_a_row as naive

BOARDS = [
    *[((5, 5), 5), ((8, 7), 5), ((13, 12), 5), ((4, 9), 5)],
    *[((6, 6), 2), ((7, 7), 3), ((8, 7), 4), ((6, 6), 6), ((8, 6), 6), ((9, 9), 7)],
    *[((3, 3, 3), 3)],
]


@pytest.mark.parametrize(("shape", "k"), BOARDS)
def test_the_checker_accepts_what_the_search_found(shape: tuple[int, ...], k: int) -> None:
    check_certificate(json.loads(json.dumps(certificate(solve(Board(shape, k))))))


def test_the_checker_knows_the_lines_of_the_rules() -> None:
    for shape, k in [((5, 7), 5), ((3, 3, 4), 3), ((6,), 2), ((2, 2), 3)]:
        cells = {frozenset(line) for line in naive.lines(shape, k)}
        assert len(checker.all_lines(shape, k)) == len(cells)


def test_the_checker_shares_no_code_with_the_search() -> None:
    tree = ast.parse(Path(checker.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert modules == {"collections.abc", "fractions", "itertools", "math", "typing"}
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
