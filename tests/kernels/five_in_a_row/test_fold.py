"""Mirror images folded at the ends of rows: states and their images, and that nothing is lost by it."""

import numpy as np
import pytest

from boardspace_kernels.five_in_a_row import search
from boardspace_kernels.five_in_a_row.board import Board, count_classes, unblocked
from boardspace_kernels.five_in_a_row.cells import NO_STRIPS, cells_of, decide, root_state
from boardspace_kernels.five_in_a_row.certificate import certificate
from boardspace_kernels.five_in_a_row.frontier import folded, frontier, mirror_after
from boardspace_kernels.five_in_a_row.layers import Budget, States
from boardspace_kernels.five_in_a_row.minimum import solve
from boardspace_kernels.five_in_a_row.recount import check_certificate
from tests.naive import five_in_a_row as naive

LIMIT = 100_000
NEVER = 1 << 60


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fold layers of any size."""
    monkeypatch.setattr(search, "FOLD_FROM", 1)


def as_sets(placements: np.ndarray) -> set[frozenset[tuple[int, ...]]]:
    return {frozenset(map(tuple, np.argwhere(placement).tolist())) for placement in placements}


def layer_after(board: Board, stones: np.ndarray) -> States:
    """The one state that the first cells' stones (cells,) lead to, without any bound."""
    front = frontier(board)
    cells = cells_of(front, [])
    states = root_state(front.words, np.empty(0, dtype=np.int64), 0, count=1)
    for t, stone in enumerate(stones):
        after, free, link = decide(states, cells, (t, t + 1), NO_STRIPS, Budget(1, 0, 0), most=1)
        child = int((link if stone else free)[0][0])
        states = States._make(column[[child]] for column in after)
    return states


@pytest.mark.parametrize(
    ("shape", "k"), [((6, 5), 3), ((7, 6), 4), ((9, 7), 5), ((5, 4), 2), ((8, 3), 3), ((30, 22), 3)]
)
def test_the_image_of_a_state_is_the_state_of_the_mirrored_rows(shape: tuple[int, int], k: int) -> None:
    board = Board(shape, k)
    for rows in (1, 2, 3):
        stones = np.ones((rows, shape[1]), dtype=bool)
        stones[-1, 0] = stones[:-1, 2] = False
        if k == 2:
            stones[:-2] = True
        one, other = layer_after(board, stones.ravel()), layer_after(board, stones[:, ::-1].ravel())
        mirror = mirror_after(frontier(board), rows * shape[1])
        assert mirror is not None
        both = States._make(np.concatenate([a, b]) for a, b in zip(one, other, strict=True))
        left, number, turned = folded(both, mirror)
        assert not np.array_equal(one.keys, other.keys)
        assert (number.tolist(), turned.tolist(), left.counts.tolist()) == ([0, 0], [False, True], [[2, 0]])


def test_a_state_that_is_its_own_image_is_left_alone() -> None:
    board = Board((6, 5), 3)
    alone = layer_after(board, np.array([1, 0, 1, 0, 1]))
    mirror = mirror_after(frontier(board), 5)
    assert mirror is not None
    left, number, turned = folded(alone, mirror)
    assert (len(left.stones), number.tolist(), turned.tolist(), left.counts.tolist()) == (1, [0], [False], [[1, 0]])


def test_only_whole_rows_of_a_rectangle_have_an_image() -> None:
    assert mirror_after(frontier(Board((6, 5), 3)), 7) is None
    assert mirror_after(frontier(Board((6, 5), 3)), 30) is None
    assert mirror_after(frontier(Board((4, 3, 3), 3)), 9) is None


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize(
    ("shape", "k"),
    [((5, 4), 5), ((5, 4), 4), ((4, 5), 4), ((4, 4), 3), ((4, 4), 2), ((3, 4), 2), ((6, 4), 6), ((3, 6), 3)],
)
def test_folded_searches_find_all_that_trying_everything_finds(shape: tuple[int, int], k: int) -> None:
    solution = solve(Board(shape, k))
    expected = naive.optimal_placements(shape, k)
    found = solution.placements(LIMIT)
    assert (solution.minimum, solution.count, len(found)) == (len(expected[0]), len(expected), len(expected))
    assert as_sets(found) == set(expected)
    assert count_classes(solution.board, found) == naive.classes(shape, expected)
    assert frozenset(map(tuple, np.argwhere(solution.witness()).tolist())) in set(expected)


@pytest.mark.parametrize(("shape", "k"), [((9, 8), 3), ((10, 9), 3), ((8, 8), 4), ((8, 8), 2), ((9, 9), 6)])
def test_folding_changes_no_placement_and_saves_states(
    shape: tuple[int, int], k: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    for least in (1, NEVER):
        monkeypatch.setattr(search, "FOLD_FROM", least)
        solution = solve(Board(shape, k))
        placements = solution.placements(LIMIT) if solution.count <= LIMIT else solution.witness()[None]
        found.append((solution, placements))
        assert all(len(unblocked(solution.board, one)) == 0 for one in placements)
    (few, ours), (many, theirs) = found
    assert (few.minimum, few.count) == (many.minimum, many.count)
    assert few.count > LIMIT or np.array_equal(ours, theirs)
    assert few.states < 0.75 * many.states


@pytest.mark.usefixtures("always")
def test_the_certificate_of_a_folded_search_is_right() -> None:
    check_certificate(certificate(solve(Board((7, 6), 3))))
