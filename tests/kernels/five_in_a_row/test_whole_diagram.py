"""Whole diagrams of boards so long that rows repeat, against plain sums over all rows."""

import itertools

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row.board import Board, BoardTooLargeError
from boardspace_kernels.five_in_a_row.diagram import cheapest_path, cost_to_go, paths_to_go, whole_diagram
from tests.naive import five_in_a_row as naive

PLENTY = 1 << 40
LONG = [((9, 3), 3), ((8, 4), 3), ((12, 2), 2), ((7, 4), 2), ((10, 3), 4), ((8, 2), 3), ((9, 4), 3)]


def sums_over_rows(shape: tuple[int, int], k: int, costs: np.ndarray) -> tuple[int, int]:
    """How many placements block the board, and the least cost of one: row by row, by the last k - 1 rows."""
    rows, columns = shape
    lines = [[r * columns + c for r, c in line] for line in naive.lines((k, columns), k)]
    within = [line for line in lines if max(line) < columns]
    across = [line for line in lines if max(line) >= columns * (k - 1)]
    fields = list(itertools.product((0, 1), repeat=columns))
    allowed = [field for field in fields if all(any(field[cell] for cell in line) for line in within)]
    found: dict[tuple[tuple[int, ...], ...], tuple[int, int]] = {(): (1, 0)}
    for row in range(rows):
        longer: dict[tuple[tuple[int, ...], ...], tuple[int, int]] = {}
        for last, (count, cost) in found.items():
            for field in allowed:
                window = (*last, field)
                cells = [stone for each in window for stone in each]
                if len(window) == k and not all(any(cells[cell] for cell in line) for line in across):
                    continue
                more = cost + sum(int(costs[row * columns + c]) for c in range(columns) if field[c])
                state = window[-(k - 1) :]
                before = longer.get(state, (0, more))
                longer[state] = (before[0] + count, min(before[1], more))
        found = longer
    return sum(count for count, _ in found.values()), min(cost for _, cost in found.values())


@pytest.mark.parametrize(("shape", "k"), LONG, ids=str)
def test_a_long_diagram_has_the_placements_and_the_least_costs_of_the_board(shape: tuple[int, int], k: int) -> None:
    diagram = whole_diagram(Board(shape, k), PLENTY)
    costs = np.random.default_rng(0).integers(1, 1000, shape[0] * shape[1])
    count, least = sums_over_rows(shape, k, costs)
    cheapest = cost_to_go(diagram, costs)
    assert (paths_to_go(diagram)[0], cheapest[0]) == (count, least)
    path = cheapest_path(diagram, cheapest).reshape(shape)
    assert path.ravel() @ costs == least
    assert all(any(path[cell] for cell in line) for line in naive.lines(shape, k))


@pytest.mark.parametrize(("shape", "k"), [((9, 3), 3), ((12, 4), 3), ((9, 5), 4)], ids=str)
def test_rows_repeat_between_the_first_and_the_last_k_less_1(shape: tuple[int, int], k: int) -> None:
    rows, columns = shape
    diagram = whole_diagram(Board(shape, k), PLENTY)
    links = np.split(diagram.stone, diagram.first[1:-1])
    relative = [layer - following for layer, following in zip(links, diagram.first[1:], strict=False)]
    for row in range(k + 1, rows - k + 1):
        for column in range(columns):
            assert np.array_equal(relative[row * columns + column], relative[k * columns + column])
    ends = np.diff(diagram.first)[::columns]
    assert ends[k - 1] > ends[k - 2]


def test_copied_rows_count_as_nodes() -> None:
    nodes = len(whole_diagram(Board((40, 3), 3), PLENTY).free)
    assert len(whole_diagram(Board((40, 3), 3), nodes).free) == nodes
    with pytest.raises(BoardTooLargeError, match="40 x 3"):
        whole_diagram(Board((40, 3), 3), nodes // 2)
