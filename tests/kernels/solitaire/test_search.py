"""The least number of moves: against breadth-first search from one side, for every goal of small boards."""

import pytest

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.play import Play, Problem
from boardspace_kernels.solitaire.search import Meeting, SearchTooLargeError, Unsolvable, first_game, meet
from tests.kernels.solitaire.boards import (
    CENTRAL,
    FRENCH,
    LAST_SUPPER,
    SMALL,
    as_set,
    as_word,
    cells,
    hexagon,
    rectangle,
    triangle,
)
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive


@pytest.mark.parametrize(
    ("board", "empty"),
    [(rectangle(3, 4), 2), (triangle(4), 2), (hexagon(2), 4), (SMALL[-1], 5)],
    ids=lambda value: value.name if isinstance(value, Board) else str(value),
)
def test_every_reachable_goal_takes_as_many_moves_as_the_oracle_says(board: Board, empty: int) -> None:
    start = board.full ^ board.position([empty])
    for goal, moves in naive.reachable(cells(board), board.grid, as_set(board, start)).items():
        found = meet(Problem(board, start, as_word(board, goal)), 10**6)
        assert isinstance(found, Meeting)
        game = first_game(found)
        assert len(game) == found.length == moves
        assert Play(board).replay(start, game)[-1] == as_word(board, goal)


@pytest.mark.parametrize("board", [rectangle(3, 4), triangle(4)], ids=lambda b: b.name)
def test_goals_that_cannot_be_reached_are_proved_so(board: Board) -> None:
    start = board.full ^ board.position([2])
    reachable = naive.reachable(cells(board), board.grid, as_set(board, start))
    goals = [1 << hole for hole in range(board.holes)]
    unreachable = [goal for goal in goals if as_set(board, goal) not in reachable]
    reasons = [meet(Problem(board, start, goal), 10**6) for goal in unreachable]
    assert unreachable
    assert all(isinstance(reason, Unsolvable) for reason in reasons)


def test_a_goal_in_another_class_is_refused_at_once() -> None:
    centre = FRENCH.position([19])
    found = meet(Problem(FRENCH, FRENCH.full ^ centre, centre), most_positions=1)
    assert isinstance(found, Unsolvable)
    assert "different position classes" in found.reason


def test_a_goal_in_the_same_class_is_refused_when_one_side_is_exhausted() -> None:
    board = rectangle(1, 7)
    found = meet(Problem(board, board.position([1, 2, 3, 5]), board.position([2])), 10**6)
    assert found == Unsolvable("every position that can be played from the start was looked at", 4)


def test_no_move_is_needed_where_start_is_goal() -> None:
    board = triangle(4)
    found = meet(Problem(board, board.full, board.full), 10)
    assert isinstance(found, Meeting)
    assert (found.length, found.positions, first_game(found)) == (0, 2, ())


def test_a_search_that_outgrows_its_room_says_how_far_it_came() -> None:
    with pytest.raises(SearchTooLargeError, match=r"positions held \(\d+ moves played from the start and \d+ moves"):
        meet(CENTRAL, most_positions=1000)


def test_the_next_layer_is_held_to_grow_as_the_last_one_did() -> None:
    """That of the smaller side: of 1 position, of 1 and 2, of 1 and 5, of 1, 2 and 6."""
    board = triangle(5)
    told: list[str] = []
    meet(Problem(board, board.full ^ board.position([2]), board.position([2])), 10**6, told.append)
    assert told[0] == (
        "1 moves played from the start, 0 moves taken back from the goal: 4 positions; about 1 in the next layer"
    )
    assert [text.split("about ")[1].split(" ")[0] for text in told[:4]] == ["1", "4", "25", "18"]


@pytest.mark.parametrize(
    ("side", "fewest"), list(zip(GOLDEN["triangles"]["sides"], GOLDEN["triangles"]["fewest_moves"], strict=True))
)
def test_triangles_need_as_many_moves_as_published(side: int, fewest: int) -> None:
    board = triangle(side)
    first = {min(row[hole] for row in board.symmetries.tolist()) for hole in range(board.holes)}
    if side == 6:  # 252 problems; those from one hole to itself include one that attains the least
        problems = [Problem(board, board.full ^ 1 << hole, 1 << hole) for hole in sorted(first)]
    else:
        problems = [Problem(board, board.full ^ 1 << a, 1 << b) for a in sorted(first) for b in range(board.holes)]
    found = [meet(problem, 10**7) for problem in problems]
    assert min(meeting.length for meeting in found if isinstance(meeting, Meeting)) == fewest


def test_the_last_supper_needs_15_moves() -> None:
    meeting = meet(LAST_SUPPER, 10**7)
    assert isinstance(meeting, Meeting)
    assert meeting.length == GOLDEN["last_supper"]["fewest_moves"]
