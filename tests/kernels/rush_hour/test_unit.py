"""Boards with cars of one cell: the search against the definition, and against what others published."""

from collections import defaultdict
from itertools import product
from math import comb

import numpy as np
import pytest

from boardspace_kernels.rush_hour.figures import BOARDS, CLASSES, GROUPS, SOLVABLE, SOLVABLE_GROUPS, STEPS, UNITS
from boardspace_kernels.rush_hour.unit import search_labels
from tests.naive import unit_rush_hour as naive

SQUARES = [(n, voids) for n in (2, 3) for voids in range(1, n * n)] + [(4, 13), (4, 14), (4, 15)]


@pytest.mark.parametrize(("n", "voids"), SQUARES)
def test_small_squares_have_the_groups_and_the_longest_escapes_of_the_definition(n: int, voids: int) -> None:
    found = search_labels(n, voids, np.arange((n + 1) ** n))
    boards = naive.boards(n, voids)
    groups = naive.groups(n, boards)
    for exit_row in range((n + 1) // 2):
        own = found.figures[:, exit_row]
        goals = [one for one in boards if naive.is_out(n, one, exit_row)]
        assert own[:, BOARDS].sum() == len(boards) == comb(n * n, voids) << n * n - voids
        assert own[:, CLASSES].sum() == len({naive.class_of(n, one) for one in boards})
        assert own[:, GROUPS].sum() == len(groups)
        assert own[:, SOLVABLE_GROUPS].sum() == sum(not group.isdisjoint(goals) for group in groups)
        for metric, (moves, farthest) in enumerate(((STEPS, n), (UNITS, 1))):
            distances = naive.distances(n, goals, farthest)
            most = max(distances.values())
            starts = [one for one in boards if distances.get(one) == most]
            assert own[:, SOLVABLE].sum() == len(distances)
            assert own[:, moves].max() == most + 1
            assert own[own[:, moves] == most + 1, moves + 1].sum() == len(starts)
            assert found.codes[exit_row, metric] == min(int("".join(map(str, one)), 4) for one in starts)


def test_a_label_has_the_classes_whose_first_image_it_names() -> None:
    n, voids = 3, 4
    found = search_labels(n, voids, np.arange(4**3)).figures[:, 0]
    expected = defaultdict[int, list[tuple[int, ...]]](list)
    for board in naive.boards(n, voids):
        rows, columns = naive.class_of(n, board)
        turned = product((rows, rows[::-1]), (columns, columns[::-1]))
        first = min(min(pair, pair[::-1]) for pair in turned)[0]
        expected[sum(number * 4 ** (2 - row) for row, number in enumerate(first))].append(board)
    assert {label: len(boards) for label, boards in expected.items()} == {
        int(label): int(found[label, BOARDS]) for label in np.flatnonzero(found[:, CLASSES])
    }
    for label, boards in expected.items():
        goals = [one for one in boards if naive.is_out(n, one, 0)]
        distances = naive.distances(n, goals, 1)
        assert found[label, SOLVABLE] == len(distances)
        assert found[label, UNITS] == max(distances.values(), default=-1) + 1
        assert found[label, GROUPS] == len(naive.groups(n, boards))


def test_4_x_4_with_one_void_takes_the_40_moves_that_were_published() -> None:
    found = search_labels(4, 1, np.arange(5**4))
    assert (found.figures[..., UNITS].max(0) - 1).tolist() == [34, 40]
    assert (found.figures[..., STEPS].max(0) - 1).tolist() == [34, 40]


def test_labels_searched_one_by_one_have_the_figures_of_all_together() -> None:
    every = np.arange(4**3)
    whole = search_labels(3, 2, every)
    single = [search_labels(3, 2, every[label : label + 1]) for label in every]
    assert np.array_equal(np.concatenate([one.figures for one in single]), whole.figures)
