"""The plain rules with which verify re-derives boards: each is what trying everything finds."""

import json
from math import prod

import numpy as np
import pytest

from boardspace.spaces.five_in_a_row import proved, rules, strip_rows
from boardspace.spaces.five_in_a_row.parts.boxes.checks import kept_by
from boardspace.spaces.five_in_a_row.verified import search_again
from boardspace.spec.second_rules import symmetries
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.certificate import certificate
from boardspace_kernels.five_in_a_row.checker import CertificateError, all_lines
from boardspace_kernels.five_in_a_row.minimum import solve
from tests.naive import five_in_a_row as naive


@pytest.mark.parametrize(("shape", "k"), [((4, 5), 3), ((6, 3), 4), ((3, 3, 2), 3), ((7,), 2)])
def test_lines_are_all_sets_of_k_cells_in_a_row(shape: tuple[int, ...], k: int) -> None:
    cells = list(np.ndindex(*shape))
    found = [frozenset(cells[number] for number in line) for line in all_lines(shape, k)]
    assert set(found) == naive.lines(shape, k)
    assert len(found) == len(set(found))


@pytest.mark.parametrize(("rows", "columns", "k"), [(5, 3, 4), (7, 2, 3), (6, 1, 3), (4, 4, 5), (5, 2, 5), (9, 2, 4)])
def test_a_thin_board_has_the_stones_the_ways_and_the_classes_of_trying_everything(
    rows: int, columns: int, k: int
) -> None:
    expected = naive.optimal_placements((rows, columns), k)
    classes = naive.classes((rows, columns), expected)
    assert rules.thin_board(rows, columns, k) == (len(expected[0]), len(expected), classes)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 6, 7])
def test_best_cells_are_those_of_all_permutations(n: int) -> None:
    assert set(rules.best_cells(n)) == naive.best_cells(n)


@pytest.mark.parametrize(("rows", "columns"), [(5, 5), (6, 7), (11, 13)])
def test_the_best_windows_are_the_poorest_anywhere(rows: int, columns: int) -> None:
    stones, _ = rules.best_windows(rows, columns, 5) or (0, 0)
    assert stones == naive.poorest_window(naive.best_cells(5), rows, columns)


@pytest.mark.parametrize(("rows", "width", "k"), [(1, 3, 3), (4, 3, 3), (4, 4, 3), (5, 3, 2), (5, 4, 4)])
def test_a_strip_has_the_fewest_stones_of_trying_everything(rows: int, width: int, k: int) -> None:
    fewest, _ = naive.fewest((rows, width), k)
    assert strip_rows.least_price(k, width, np.ones((rows, width), np.int64)) == fewest


def test_the_least_price_on_a_strip_is_that_of_all_placements() -> None:
    prices = np.random.default_rng(0).integers(0, 50, (4, 3))
    lines, cells = all_lines((4, 3), 3), 12
    masks = [sum(1 << cell for cell in line) for line in lines]
    flat = prices.ravel().tolist()
    blocking = (chosen for chosen in range(1 << cells) if all(chosen & mask for mask in masks))
    expected = min(sum(flat[cell] for cell in range(cells) if chosen >> cell & 1) for chosen in blocking)
    assert strip_rows.least_price(3, 3, prices) == expected


@pytest.mark.parametrize(("shape", "k"), [((3, 2, 2), 2), ((3, 3, 2), 3), ((3, 3, 3), 3)])
def test_placements_that_symmetries_keep_make_the_classes(shape: tuple[int, ...], k: int) -> None:
    solution = solve(Board(shape, k))
    placements = {frozenset(np.flatnonzero(one.ravel()).tolist()) for one in solution.placements(10_000)}
    every = symmetries(shape)
    assert sorted(every) == sorted(tuple(image) for image in Board(shape, k).symmetries.tolist())
    document = certificate(solution)
    for symmetry in every:
        kept = sum(frozenset(symmetry[cell] for cell in one) == one for one in placements)
        assert kept_by(symmetry, document) == kept


@pytest.mark.parametrize(("shape", "k"), [((6, 6), 5), ((5, 4), 3), ((7, 7), 2), ((3, 3, 3), 2)])
def test_a_certificate_has_the_weight_and_the_states_that_it_names(shape: tuple[int, ...], k: int) -> None:
    solution = solve(Board(shape, k))
    document = json.loads(json.dumps(certificate(solution)))
    assert proved.weigh(document) == solution.prepared.floor
    assert search_again(document, solution.states) == (solution.states, solution.peak)
    assert search_again(document, solution.peak - 1) is None


@pytest.mark.parametrize(
    ("field", "fault"),
    [
        ({"lines": [[0, 8, 5]]}, "no line runs"),
        ({"lines": [[0, 4, 1 << 31]]}, "charged more than the scale"),
        ({"witness": "." * 36}, "the witness has 0 stones"),
        ({"floor": 1}, "the bound is"),
        ({"strips": [{"start": 4, "costs": [0] * 18}]}, "make no strip"),
        ({"scale": 2}, "another scale"),
    ],
)
def test_a_certificate_that_proves_nothing_is_unsound(field: dict[str, object], fault: str) -> None:
    document = json.loads(json.dumps(certificate(solve(Board((6, 6), 5)))))
    assert prod(document["shape"]) == 36
    with pytest.raises(CertificateError, match=fault):
        proved.weigh(document | field)
