"""Strips of any length: against published rectangles, the search of long boards, and a checker of its own."""

import ast
import copy
import dataclasses
import json
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row import strip_checker
from boardspace_kernels.five_in_a_row.board import Board, BoardError, unblocked
from boardspace_kernels.five_in_a_row.minimum import solve
from boardspace_kernels.five_in_a_row.periodic import best_linear_pattern
from boardspace_kernels.five_in_a_row.strip_checker import StripError, check_plane_bound, check_strip
from boardspace_kernels.five_in_a_row.strip_density import (
    density,
    plane_certificate,
    strip_certificate,
)
from boardspace_kernels.five_in_a_row.strip_states import strip
from tests.kernels.five_in_a_row.golden import GOLDEN

NARROW = [(2, 2), (2, 3), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5), (3, 6), (4, 4), (4, 5)]


@pytest.mark.parametrize(("k", "width"), NARROW)
def test_every_state_of_a_strip_is_there_once(k: int, width: int) -> None:
    states = strip(k, width)
    assert len({one.tobytes() for one in states.runs}) == states.states


@pytest.mark.parametrize("width", range(3, 8))
def test_lengths_to_21_have_the_published_numbers(width: int) -> None:
    found = density(strip(3, width))
    row = GOLDEN["no_three_rectangles"]["rows"][width - 1]
    assert [width * n - found.stones_of(n) for n in range(1, 22)] == row


@pytest.mark.parametrize(("k", "width"), NARROW)
def test_any_length_has_the_stones_that_a_search_finds(k: int, width: int) -> None:
    found = density(strip(k, width))
    for rows in [*range(k, 12), 23, 40]:
        assert found.stones_of(rows) == solve(Board((rows, width), k)).minimum, rows


@pytest.mark.parametrize(
    ("k", "width", "rows"),
    [
        *[(2, 6, 60), (2, 8, 61), (3, 4, 150), (3, 7, 46), (3, 8, 37), (4, 6, 36), (4, 7, 25), (5, 5, 200), (5, 6, 83)],
        *[pytest.param(*long, marks=pytest.mark.slow) for long in ((3, 9, 37), (3, 9, 38), (5, 7, 61))],
    ],
)
def test_long_boards_have_the_density_of_their_strip(k: int, width: int, rows: int) -> None:
    found = density(strip(k, width))
    assert rows >= found.start_rows + found.period, "the board is not longer than what was computed"
    stones, fewer = (solve(Board((n, width), k)).minimum for n in (rows, rows - found.period))
    assert (stones, stones - fewer) == (found.stones_of(rows), found.stones)


@pytest.mark.parametrize(("k", "width"), NARROW)
def test_the_certificate_is_accepted_by_the_checker(k: int, width: int) -> None:
    check_strip(json.loads(json.dumps(strip_certificate(density(strip(k, width))))))


@pytest.mark.parametrize(("k", "width"), [(3, 3), (3, 4), (4, 5)])
def test_a_pattern_is_found_beyond_the_values_that_16_bits_hold(k: int, width: int) -> None:
    found = density(strip(k, width), [108 // width] * width)
    more = np.uint16((1 << 16) - 1 - found.values[-1].max())
    heavier = dataclasses.replace(found, values=[value + more for value in found.values])
    assert np.array_equal(heavier.pattern, found.pattern)


def test_the_potential_bounds_every_length_from_below() -> None:
    found = density(strip(3, 5))
    start, most = int(found.potential[0]), int(found.potential.max())
    for rows in range(1, 60):
        bound = rows * found.stones + start - most
        assert found.period * found.stones_of(rows) >= bound
    assert found.pattern.sum() * found.period == found.stones * len(found.pattern)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda c: c | {"stones": c["stones"] - 1}, "not .* stones in"),
        (lambda c: c | {"stones": float(c["stones"])}, "no whole number"),
        (lambda c: c | {"period": 0}, "the period at least 1"),
        (lambda c: {name: value for name, value in c.items() if name != "k"}, "k: None is no whole number"),
        (lambda c: c | {"pattern": []}, "rows that are not"),
        (lambda c: c | {"pattern": [5]}, "rows that are not"),
        (lambda c: c | {"pattern": None}, "the pattern is a list of rows"),
        (lambda c: c | {"potential": [0]}, "the potential a number for every state"),
        (lambda c: c | {"potential": c["potential"] | {"12": 0}}, "a state is 15 runs of fewer than 3"),
        (lambda c: c | {"potential": c["potential"] | {"3" * 15: 0}}, "a state is 15 runs of fewer than 3"),
        (lambda c: c | {"pattern": c["pattern"] + ["....."]}, "not .* stones in"),
        (lambda c: c | {"pattern": [row[1:] + row[:1] for row in c["pattern"]]}, "leaves 3 cells free"),
        (lambda c: c | {"potential": {"1" * 15: 0}}, "no state of no rows"),
        (lambda c: c | {"potential": {"0" * 15: 0}}, "has no potential"),
        (lambda c: c | {"potential": c["potential"] | {"0" * 15: 10**6}}, "costs less than the potentials allow"),
        (lambda c: c | {"potential": c["potential"] | {"0" * 15: float("nan")}}, "no whole number"),
    ],
)
def test_a_forged_certificate_is_refused(damage: Callable[[dict[str, Any]], dict[str, Any]], message: str) -> None:
    given = dict(strip_certificate(density(strip(3, 5))))
    with pytest.raises(StripError, match=message):
        check_strip(damage(copy.deepcopy(given)))


def test_a_pattern_of_more_stones_than_the_potential_proves_is_refused() -> None:
    """Full rows block, and potentials of 0 name every state; but rows of fewer stones are allowed."""
    given = dict(strip_certificate(density(strip(3, 4))))
    full = given | {
        "stones": 4 * given["period"],
        "pattern": ["####"],
        "potential": dict.fromkeys(given["potential"], 0),
    }
    with pytest.raises(StripError, match="costs less than the potentials allow"):
        check_strip(full)


@pytest.mark.parametrize(
    "pattern",
    [["##.", "#.#", ".##", "###"], [".##", "#.#", "##.", "###"], ["...", "###"], [".##", ".##", ".##", "###"]],
)
def test_a_pattern_that_leaves_one_line_free_in_any_direction_is_refused(pattern: list[str]) -> None:
    given = dict(strip_certificate(density(strip(3, 3))))
    stones = sum(row.count("#") for row in pattern)
    with pytest.raises(StripError, match="leaves 3 cells free"):
        check_strip(given | {"pattern": pattern, "period": len(pattern), "stones": stones})


@pytest.mark.parametrize(
    ("k", "width", "density_of_the_plane", "stone"),
    [
        (2, 2, (3, 4), lambda x, y: x % 2 or y % 2),
        (3, 8, (1, 2), lambda x, y: (x + 2 * y) % 4 < 2),
        (5, 5, (1, 5), lambda x, y: (x + 2 * y) % 5 == 0),
    ],
)
def test_the_density_of_the_plane_is_that_of_a_strip_and_of_a_pattern(
    k: int, width: int, density_of_the_plane: tuple[int, int], stone: Callable[[int, int], bool]
) -> None:
    found, (some, of) = density(strip(k, width)), density_of_the_plane
    assert found.stones * of == some * found.period * width
    cells = np.array([[bool(stone(x, y)) for x in range(20)] for y in range(20)])
    assert cells.sum() * of == some * 400
    assert len(unblocked(Board((20, 20), k), cells)) == 0


def test_the_checker_shares_no_code() -> None:
    tree = ast.parse(Path(strip_checker.__file__).read_text(encoding="utf-8"))
    assert {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)} == {
        "collections.abc",
        "functools",
        "itertools",
        "typing",
    }


@pytest.mark.parametrize(("k", "width"), [(3, 2), (3, 17), (5, 11), (1, 3)])
def test_strips_that_are_too_narrow_or_too_wide_are_refused(k: int, width: int) -> None:
    with pytest.raises(BoardError, match=r"strips (for|are for)"):
        strip(k, width)


@pytest.mark.parametrize(("k", "width"), [(2, 4), (3, 5), (4, 4)])
def test_equal_weights_bound_the_plane_by_the_density_of_the_strip(k: int, width: int) -> None:
    found = density(strip(k, width))
    assert density(strip(k, width), [1] * width).of_the_plane == Fraction(found.stones, found.period * width)


@pytest.mark.parametrize(("k", "weights"), [(2, [3, 1, 2]), (3, [2, 0, 1, 5])])
def test_least_weights_are_those_of_all_placements_tried(k: int, weights: list[int]) -> None:
    width, rows = len(weights), 4
    board = Board((rows, width), k)
    blocking = (
        cells for cells in product((0, 1), repeat=rows * width) if not unblocked(board, np.array(cells, bool)).size
    )
    least = min(int(np.dot(cells, np.tile(weights, rows))) for cells in blocking)
    bound = density(strip(k, width), weights)
    potential = dict(plane_certificate(bound))["potential"]
    assert bound.period * least >= rows * bound.stones + potential["0" * 3 * width] - max(potential.values())


@pytest.mark.parametrize(
    ("k", "weights"), [(2, [3, 1, 2]), (3, [2, 0, 1, 5]), (3, [1, 2, 3, 2, 1]), (4, [1, 0, 0, 7]), (5, [1, 2, 3, 4, 5])]
)
def test_a_pattern_shows_that_weights_prove_no_more(k: int, weights: list[int]) -> None:
    columns = strip(k, len(weights))
    pattern = density(columns, weights).pattern
    mean = Fraction(int((pattern @ np.array(weights)).sum()), len(pattern))
    assert mean == density(columns, weights).of_the_plane * sum(weights)
    rows = np.tile(pattern, (k + 1, 1))
    assert not unblocked(Board(rows.shape, k), rows.ravel()).size


@pytest.mark.parametrize(
    ("k", "weights", "least"),
    [
        (2, [1, 1], Fraction(3, 4)),
        (3, [1, 1, 2, 1, 1], Fraction(1, 2)),
        (4, [1, 4, 2, 4, 1], Fraction(1, 3)),
        (5, [1, 1, 1, 1, 1], Fraction(1, 5)),
        pytest.param(6, [12, 19, 10, 10, 19, 12], Fraction(8, 41), marks=pytest.mark.slow),
    ],
)
def test_no_pattern_of_the_plane_has_fewer_stones_than_weighted_columns_say(
    k: int, weights: list[int], least: Fraction
) -> None:
    assert density(strip(k, len(weights)), weights).of_the_plane == least
    assert best_linear_pattern(k).density >= least
    assert k == 6 or best_linear_pattern(k).density == least


def test_the_bound_of_the_plane_is_accepted_by_the_checker() -> None:
    for k, weights in ((3, [1, 1, 2, 1, 1]), (4, [1, 3, 3, 1])):
        check_plane_bound(json.loads(json.dumps(plane_certificate(density(strip(k, len(weights)), weights)))))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"weight": 1000}, "costs less"),
        ({"weights": [1, 1, 1, 1]}, "costs less"),
        ({"weights": [0, 0, 0, 0]}, "not all 0"),
        ({"weights": [1, -1, 2, 1]}, "whole numbers"),
        ({"weights": [1, 1]}, "at least k weights"),
        ({"period": 0}, "period is at least 1"),
        ({"potential": []}, "a number for every state"),
    ],
)
def test_a_damaged_bound_of_the_plane_is_refused(change: dict[str, Any], message: str) -> None:
    given = dict(plane_certificate(density(strip(3, 4), [1, 2, 2, 1])))
    with pytest.raises(StripError, match=message):
        check_plane_bound(given | change)


@pytest.mark.parametrize("weights", [[1, 1, 1], [0, 0, 0, 0], [1, 1, 1, -1], [100, 1, 1, 100]])
def test_weights_that_are_none_are_refused(weights: list[int]) -> None:
    with pytest.raises(BoardError, match="a weight for each"):
        density(strip(3, 4), weights)
