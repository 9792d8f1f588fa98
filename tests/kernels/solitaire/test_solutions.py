"""Every way to count solutions, against a listing of all of them; the printed ones among them."""

from collections.abc import Sequence
from itertools import pairwise, product

import pytest

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.play import Move, Play, Problem, parse_solution
from boardspace_kernels.solitaire.search import Meeting, meet
from boardspace_kernels.solitaire.solutions import Solutions, TooManySolutionsError
from tests.kernels.solitaire.boards import CENTRAL, LAST_SUPPER, as_set, cells, hexagon, rectangle, stabiliser, triangle
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive


def solutions(problem: Problem, most: int = 10**6) -> Solutions:
    meeting = meet(problem, 10**7)
    assert isinstance(meeting, Meeting)
    return Solutions(problem, meeting.shortest_layers(), most)


def sweep(path: naive.Path) -> tuple[naive.Cell, naive.Cell, frozenset[naive.Cell]]:
    taken = [((a[0] + b[0]) // 2, (a[1] + b[1]) // 2) for a, b in pairwise(path)]
    return path[0], path[-1], frozenset(taken)


@pytest.mark.parametrize(
    ("board", "start", "goal"),
    [
        (triangle(4), [2], [3]),
        (triangle(5), [1], [1]),
        pytest.param(triangle(5), [4], [4], marks=pytest.mark.thorough),
        (rectangle(3, 4), [1], [4]),
        (rectangle(4, 4), [2], [3]),
        (hexagon(3), [10], [1, 2, 3, 8, 12, 13, 16, 17, 19]),
        pytest.param(hexagon(3), [10], [2, 3, 4, 7, 8, 12, 13, 16, 17, 18], marks=pytest.mark.thorough),
    ],
    ids=lambda value: value.name if isinstance(value, Board) else str(value),
)
def test_all_eight_counts_are_those_of_a_full_listing(board: Board, start: list[int], goal: list[int]) -> None:
    problem = Problem(board, board.full ^ board.position(start), board.position(goal))
    found = solutions(problem)
    whole, end = as_set(board, problem.start), as_set(board, problem.goal)
    listed = naive.shortest_solutions(cells(board), board.grid, whole, end, len(found.graph))
    group = stabiliser(board, problem.start, problem.goal)
    for order, mirror, loop in product((True, False), repeat=3):
        kinds = set()
        for game in listed:
            images = []
            for image in group[:0] if mirror else group:
                images.append([tuple(image[cell] for cell in path) for path in game])
            named = [[path if loop else sweep(path) for path in one] for one in images or [game]]
            kinds.add(min((tuple(one) if order else tuple(sorted(one, key=repr)) for one in named), key=repr))
        counted = {(c.ordered, c.mirror, c.loop): c.solutions for c in found.counts()}
        assert counted[order, mirror, loop] == len(kinds), (order, mirror, loop)


@pytest.fixture(scope="module")
def last_supper() -> Solutions:
    return solutions(LAST_SUPPER)


@pytest.fixture(scope="module")
def central() -> Solutions:
    return solutions(CENTRAL)


@pytest.mark.parametrize("name", ["last_supper", "central"])
def test_listed_solutions_can_be_played_and_account_for_all_sequences(
    name: str, request: pytest.FixtureRequest
) -> None:
    found: Solutions = request.getfixturevalue(name)
    for one in found.essential:
        assert found.play.replay(found.problem.start, one.moves)[-1] == found.problem.goal
    sequences = next(c.solutions for c in found.counts() if c.ordered and c.mirror and c.loop)
    assert sum(one.orders * one.images for one in found.essential) == sequences
    assert len({one.sweeps for one in found.essential}) == found.counts()[-1].solutions


def test_the_central_game_has_two_solutions_where_loop_directions_are_not_told_apart(
    central: Solutions,
) -> None:
    counts = {(c.ordered, c.mirror, c.loop): c.solutions for c in central.counts()}
    assert counts[False, False, False] == GOLDEN["english_central"]["essential_solutions"]
    assert counts[False, False, True] == 4


def test_bergholt_and_wan_are_the_two(central: Solutions) -> None:
    bergholt, wan = (_located(central, GOLDEN["english_central"][name]) for name in ("bergholt", "wan"))
    assert {bergholt, wan} == {one.sweeps for one in central.essential}


def test_the_last_supper_has_27_solutions_and_54_with_loop_directions(last_supper: Solutions) -> None:
    counts = {(c.ordered, c.mirror, c.loop): c.solutions for c in last_supper.counts()}
    assert counts[True, True, True] == 102080
    assert counts[False, False, True] == 54
    assert counts[False, False, False] == 27
    assert _located(last_supper, GOLDEN["last_supper"]["solution"]) in range(1, 28)


def test_more_solutions_than_wanted_are_an_error() -> None:
    with pytest.raises(TooManySolutionsError, match="more than 3 solutions"):
        _ = solutions(LAST_SUPPER, most=3).essential


def _located(found: Solutions, text: str) -> int:
    moves: Sequence[Move] = parse_solution(Play(found.problem.board), text)
    assert found.play.replay(found.problem.start, moves)[-1] == found.problem.goal
    images = [sorted(move.image(row) for move in moves) for row in found.problem.group.tolist()]
    (one,) = (one for one in found.essential if sorted(one.moves) in images)
    return one.sweeps
