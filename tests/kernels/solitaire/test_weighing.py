"""Weighings: what they say is never more than is true, wrong ones are refused, and those of the docs prove 15 moves."""

import ast
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from boardspace_kernels.solitaire.certificate import Claim
from boardspace_kernels.solitaire.play import Problem
from tests.kernels.solitaire import weighing
from tests.kernels.solitaire.boards import LAST_SUPPER, as_set, cells, rectangle
from tests.kernels.solitaire.weighing import Bound, Branching, Weighing, WeighingError
from tests.naive import solitaire as naive

PROOF = json.loads((Path(__file__).parents[3] / "docs" / "last_supper_weighings.json").read_text(encoding="utf-8"))
FRENCH = LAST_SUPPER.board
REGIONS = [[FRENCH.hole(number) for number in region] for region in PROOF["regions"]]
WEIGHINGS = [Weighing(*weights) for weights in PROOF["weighings"]]


def claim_of(problem: Problem) -> Claim:
    board = problem.board
    return Claim(board.grid, board.cells, problem.start, problem.goal, problem.group.tolist(), [])


def bound(weighings: list[Weighing], regions: list[list[int]] = REGIONS) -> Bound:
    return Bound(claim_of(LAST_SUPPER), regions, weighings, PROOF["unit"])


def first_weighing() -> Weighing:
    """The one of the docs' first page: 24 regions of weight 1/2."""
    return Weighing([6 * (len(region) < 4 or _is_edge(region)) for region in REGIONS], [0] * 37, [0] * 4)


def _is_edge(region: list[int]) -> bool:
    """Whether it is an image of 5, 6, 11, 12."""
    image = {FRENCH.position([5, 6, 11, 12])}
    words = {sum(1 << row[hole] for hole in region) for row in FRENCH.symmetries.tolist()}
    return bool(image & words)


def test_24_regions_none_of_whose_holes_is_in_more_than_two_of_them_ask_for_12_moves() -> None:
    regions = [set(region) for region, weight in zip(REGIONS, first_weighing().regions, strict=True) if weight]
    assert len(regions) == 24
    assert max(sum(hole in region for region in regions) for hole in range(37)) == 2
    assert bound([first_weighing()]).least(np.array([LAST_SUPPER.start], np.uint64)).tolist() == [12]


def test_every_position_of_the_printed_solution_has_as_many_moves_left_as_the_weighings_ask_for() -> None:
    from boardspace_kernels.solitaire.play import Play, parse_solution
    from tests.kernels.solitaire.golden import GOLDEN

    play = Play(FRENCH)
    positions = play.replay(LAST_SUPPER.start, parse_solution(play, GOLDEN["last_supper"]["solution"]))
    asked = bound(WEIGHINGS).least(np.array(positions, np.uint64)).tolist()
    assert all(number <= 15 - made for made, number in enumerate(asked))
    assert asked[0] == 12
    assert asked[-1] == 0


def test_no_weighing_asks_for_more_moves_than_are_needed() -> None:
    """On a small board, for every position from which the goal can be reached, by the oracle's own search."""
    board = rectangle(4, 4)
    problem = Problem(board, board.full ^ board.position([2]), board.position([3]))
    regions = [[0, 1], [2, 3], [12, 13], [0, 1, 4, 5], [10, 11, 14, 15], [4, 5, 8, 9]]
    jumps = naive.jumps(cells(board), board.grid)
    regions = [r for r in regions if _is_region({board.cells[hole] for hole in r}, jumps)]
    assert len(regions) > 2
    weighings = [
        Weighing([12 * (number == chosen) for number in range(len(regions))], [0] * 16, [0] * 4)
        for chosen in range(len(regions))
    ]
    weighings.append(Weighing([0] * len(regions), [12] * 16, [12] * 4))
    found = Bound(claim_of(problem), regions, weighings, 12)
    left = _moves_left(problem)
    words = np.array(sorted(left), np.uint64)
    asked = found.least(words).tolist()
    assert all(number <= left[word] for word, number in zip(words.tolist(), asked, strict=True))
    assert max(asked) >= 1


def _is_region(region: set[naive.Cell], jumps: list[tuple[naive.Cell, naive.Cell, naive.Cell]]) -> bool:
    return all(a in region or c in region for a, over, c in jumps if over in region)


def _moves_left(problem: Problem) -> dict[int, int]:
    """Fewest moves to the goal from every position that it can be reached from, by taking moves back."""
    board = problem.board
    goal = as_set(board, problem.goal)
    found, frontier = {goal: 0}, [goal]
    while frontier:
        parents = {p: here for here in frontier for p in naive.parents(cells(board), board.grid, here)}
        frontier = [p for p in parents if p not in found]
        found |= {p: found[parents[p]] + 1 for p in frontier}
    return {sum(1 << i for i, c in enumerate(board.cells) if c in position): moves for position, moves in found.items()}


def _changed(**changes: Any) -> Weighing:
    return Weighing([0] * len(REGIONS), [0] * 37, [0] * 4)._replace(**changes)


@pytest.mark.parametrize(
    ("wrong", "fault"),
    [
        (_changed(regions=[-1] + [0] * (len(REGIONS) - 1)), "a region has a negative weight"),
        (_changed(regions=[12] * len(REGIONS)), "counts for too much"),
        (_changed(regions=[0]), "not one weight for each"),
        (_changed(holes=[0] * 18 + [-1] + [0] * 18), "hole 18, which a jump passes over, has a negative weight"),
        (_changed(holes=[1] + [0] * 36), "begins or ends in hole 0 counts for too much"),
        (_changed(classes=[13, 0, 0, 0]), "counts for too much"),
        (_changed(classes=[0, 0, 0]), "not one weight for each"),
    ],
)
def test_weights_that_break_a_condition_are_refused(wrong: Weighing, fault: str) -> None:
    with pytest.raises(WeighingError, match=fault):
        bound([wrong])


@pytest.mark.parametrize(
    ("region", "fault"),
    [([5, 6], "is no region"), ([12], "is no region"), ([1, 4], "is full at the goal"), ([], "is full at the goal")],
)
def test_what_is_no_region_is_refused(region: list[int], fault: str) -> None:
    with pytest.raises(WeighingError, match=fault):
        bound([], [[FRENCH.hole(number) for number in region]])


def test_corners_may_have_negative_weights_as_no_jump_passes_over_them() -> None:
    bound([_changed(holes=[-1] + [0] * 36)])


def test_a_proof_that_reaches_the_goal_is_refused() -> None:
    board = rectangle(1, 5)
    problem = Problem(board, board.position([1, 2, 4]), board.position([5]))
    empty = Bound(claim_of(problem), [], [], 12)
    assert empty.prove(1) == Branching((1,), (0,))
    with pytest.raises(WeighingError, match="the goal is reached in 1 moves, not in 2"):
        empty.prove(2)


def test_the_weighings_of_the_docs_exclude_all_but_few_positions_of_the_first_moves() -> None:
    found = bound(WEIGHINGS)
    here = np.array([LAST_SUPPER.start], np.uint64)
    assert len(WEIGHINGS) < 200
    assert found.least(here).tolist() == [12]
    text = (Path(__file__).parents[3] / "docs" / "last_supper.md").read_text(encoding="utf-8")
    assert f"{len(WEIGHINGS)} weighings" in text
    assert f"{sum(BRANCHED):,}" in text


BRANCHED = (1, 1, 3, 17, 99, 587, 2235, 4523, 4917, 3312, 1426, 385, 98, 13, 0)


@pytest.mark.slow
def test_the_weighings_of_the_docs_prove_that_14_moves_do_not_suffice() -> None:
    proof = bound(WEIGHINGS).prove(15)
    assert proof.branched == BRANCHED


def test_the_checker_shares_no_code_with_the_search() -> None:
    tree = ast.parse(Path(weighing.__file__).read_text(encoding="utf-8"))
    names = {str(node.module) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert {name for name in names if name.startswith("boardspace")} == {"boardspace_kernels.solitaire.certificate"}
