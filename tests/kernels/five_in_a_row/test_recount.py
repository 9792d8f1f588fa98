"""The second count: against trying everything, the first search, and OEIS; and what it refuses."""

import ast
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row import recount as module
from boardspace_kernels.five_in_a_row import search
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.certificate import certificate
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.minimum import solve
from boardspace_kernels.five_in_a_row.recount import Recount, check_certificate, recount
from boardspace_kernels.five_in_a_row.recount_layers import PRIMES, TooManyStatesError, first_layer
from tests.kernels.five_in_a_row.golden import GOLDEN
from tests.naive import five_in_a_row as naive


def bare(shape: tuple[int, ...], k: int) -> dict[str, Any]:
    """A certificate without any weights, whose bound drops nothing but what has too many stones."""
    return {"shape": list(shape), "k": k, "scale": 1, "lines": [], "strips": []}


LARGER = [pytest.param(*case, marks=pytest.mark.thorough) for case in (((5, 5), 4), ((10, 9), 7))]


@pytest.mark.parametrize(
    ("shape", "k"),
    [((5, 4), 3), ((4, 4), 2), ((5, 5), 5), ((4, 3), 5), ((7,), 3), ((2, 3, 3), 2), ((3, 3, 2), 3), LARGER[0]],
)
def test_without_a_bound_it_counts_what_trying_everything_finds(shape: tuple[int, ...], k: int) -> None:
    expected = naive.optimal_placements(shape, k)
    found = recount(bare(shape, k), len(expected[0]))
    assert (found.count, found.fewer) == (len(expected), 0)
    assert recount(bare(shape, k), len(expected[0]) + 1).fewer == len(expected)
    if len(expected[0]):
        assert recount(bare(shape, k), len(expected[0]) - 1).count == 0


@pytest.mark.parametrize(
    ("shape", "k"),
    [((9, 9), 5), ((13, 12), 5), ((8, 7), 3), ((7, 7), 4), ((9, 8), 6), ((8, 8), 8), ((9, 6), 2), LARGER[1]],
)
def test_it_agrees_with_the_search(shape: tuple[int, int], k: int) -> None:
    solution = solve(Board(shape, k))
    given = certificate(solution)
    found, more = (recount(given, solution.minimum + extra) for extra in (0, 1))
    assert (found.count, found.fewer) == (solution.count, 0)
    assert more.fewer == solution.count
    assert recount(given, solution.minimum - 1).count == 0


@pytest.mark.slow
@pytest.mark.parametrize(("side", "stones", "count"), [(14, 96, 1581), (16, 126, 4760), (17, 143, 155_972)])
def test_large_squares_against_three_in_a_row_count_the_same_twice(side: int, stones: int, count: int) -> None:
    solution = solve(Board((side, side), 3))
    assert (solution.minimum, solution.count) == (stones, count)
    given = certificate(solution)
    assert recount(given, stones).count == count
    assert recount(given, stones - 1).count == 0


def test_a_count_beyond_64_bits_has_the_residues_of_the_published_one() -> None:
    kings = int(GOLDEN["kings"]["counts"][6])
    found = recount(certificate(solve(Board((14, 14), 2))), 3 * 7**2)
    assert found.count == kings
    assert Recount((1 << 200) % found.modulus, 0, found.modulus, 0).agrees(1 << 200)
    assert not found.agrees(kings + PRIMES[0])


def test_sums_of_ways_never_outgrow_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted from -1 instead of 1, so that all residues are just below the primes, and every sum is beyond one."""
    first = first_layer
    below = np.array([[prime - 1 for prime in PRIMES]], np.uint64)
    monkeypatch.setattr(module, "first_layer", lambda *sizes: first(*sizes)._replace(ways=below.copy()))
    expected = len(naive.optimal_placements((5, 4), 3))
    found = recount(bare((5, 4), 3), len(naive.optimal_placements((5, 4), 3)[0]))
    assert found.count == found.modulus - expected


def test_it_shares_no_code_with_the_search() -> None:
    here = "boardspace_kernels.five_in_a_row"
    parts = {f"{here}.recount_{part}" for part in ("tables", "layers")}
    for name in ("recount", *parts):
        path = Path(module.__file__).with_name(f"{name.removeprefix(here + '.')}.py")
        nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        names = {str(node.module) for node in nodes if isinstance(node, ast.ImportFrom)}
        assert {name for name in names if "kernels" in name} <= {
            f"{here}.checker",
            "boardspace_kernels.jit",
            *parts,
        }


def test_a_bound_that_does_not_hold_is_refused() -> None:
    given = dict(certificate(solve(Board((7, 7), 3))))
    for spoiled in (
        given | {"scale": 1 << 59, "lines": []},
        given | {"scale": -given["scale"]},
        given | {"scale": float(given["scale"])},
        given | {"strips": [strip | {"costs": [0.5, *strip["costs"][1:]]} for strip in given["strips"]]},
        given | {"scale": given["scale"] - 1000},
        given | {"lines": [[0, 1, 5], *given["lines"]]},
        given | {"strips": [{"start": 5, "costs": strip["costs"]} for strip in given["strips"]]},
    ):
        with pytest.raises(CertificateError):
            recount(spoiled, given["minimum"])
    for line in solve(Board((8, 7), 5)).board.lines[:1]:
        with pytest.raises(CertificateError, match="negative"):
            recount(bare((8, 7), 5) | {"lines": [[int(line[0]), int(line[-1]), -1]]}, 11)


@pytest.mark.slow
def test_weights_aimed_at_states_drop_most_of_them_and_no_placement() -> None:
    solution = solve(Board((11, 11), 8))
    given = dict(certificate(solution))
    assert len(given["aimed"]) > 10
    found = recount(given, solution.minimum)
    assert (found.count, found.fewer) == (solution.count, 0)
    assert found.states < 3 * solution.states
    with pytest.raises(TooManyStatesError):
        recount(given | {"aimed": []}, solution.minimum, most_states=10 * found.states)


@pytest.mark.parametrize(("shape", "k"), [((10, 9), 7), ((8, 7), 4), ((9, 8), 6), ((8, 8), 8)])
def test_both_checkers_accept_aimed_weights_of_every_kind(
    shape: tuple[int, int], k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "AIM_AT", 10)
    solution = solve(Board(shape, k))
    given = json.loads(json.dumps(certificate(solution)))
    assert given["aimed"]
    check_certificate(given)
    found = recount(given, solution.minimum)
    assert (found.count, found.fewer) == (solution.count, 0)
    assert found.states <= recount(given | {"aimed": []}, solution.minimum).states


def test_aimed_weights_keep_states_that_take_all_of_what_is_left() -> None:
    """Five rows, each worth a stone, prove 5 x 5: every placement of five stones has nothing to spare anywhere."""
    solution = solve(Board((5, 5), 5))
    given = bare((5, 5), 5) | {"lines": [[row, row + 4, 1] for row in range(0, 25, 5)]}
    aimed = given | {"aimed": [{"cells": cells, "lines": given["lines"]} for cells in (5, 10, 15)]}
    assert recount(aimed, 5).count == recount(given, 5).count == solution.count == 48


@pytest.mark.parametrize("forged", ["charge", "negative", "no line", "cells", "float"])
def test_aimed_weights_that_prove_nothing_are_refused(forged: str) -> None:
    given = json.loads(json.dumps(certificate(solve(Board((17, 17), 7)))))
    aim = given["aimed"][-1]
    heaviest = max(aim["lines"], key=lambda line: (line[1] >= aim["cells"], line[2]))
    if forged == "charge":
        heaviest[2] += given["scale"]
    elif forged == "negative":
        heaviest[2] = -1
    elif forged == "no line":
        heaviest[1] += 1
    elif forged == "cells":
        aim["cells"] = 17 * 17
    else:
        heaviest[2] = float(heaviest[2])
    with pytest.raises(CertificateError):
        recount(given, given["minimum"])
    with pytest.raises(CertificateError):
        check_certificate(given)


def test_a_version_of_the_future_is_refused() -> None:
    given = dict(certificate(solve(Board((7, 7), 4)))) | {"version": 3}
    with pytest.raises(CertificateError, match="version"):
        recount(given, given["minimum"])
    with pytest.raises(CertificateError, match="version"):
        check_certificate(given)


def test_more_states_than_allowed_are_refused() -> None:
    with pytest.raises(TooManyStatesError, match="more than 100 states"):
        recount(bare((6, 6), 3), 12, most_states=100)


@pytest.mark.parametrize("part", ["shape", "k", "scale", "lines", "strips", "aimed"])
def test_a_certificate_without_form_is_refused_and_not_stumbled_over(part: str) -> None:
    given = certificate(solve(Board((5, 4), 3)))
    without = {name: value for name, value in given.items() if name != part}
    for forged in (without, {**given, part: None}, {**given, part: [[]]}):
        if part == "aimed" and forged is without:
            continue  # certificates of version 1 have none
        with pytest.raises(CertificateError, match=r"missing or of another form|is no whole number"):
            recount(forged, given["minimum"])
