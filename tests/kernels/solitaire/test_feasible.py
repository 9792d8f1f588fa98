"""The source's bound: feasible positions are those of its definition, and no game that reaches the goal leaves them."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from boardspace_kernels.solitaire.feasible import feasible_step
from boardspace_kernels.solitaire.play import Play, Problem, parse_solution
from tests.kernels.solitaire.boards import LAST_SUPPER, as_set, cells, orbits, rectangle, stabiliser, triangle
from tests.kernels.solitaire.golden import GOLDEN
from tests.naive import solitaire as naive

BOARD = triangle(5)
CORNERS = Problem(BOARD, BOARD.full ^ BOARD.position([5]), BOARD.position([1, 11, 15]))


def feasible(position: naive.Position, goal: naive.Position, number: int, total: int, slack: int) -> bool:
    enough = len(position) > len(goal) or position == goal
    return enough and len(position & goal) >= len(goal) - (total - number) - slack


@pytest.mark.parametrize("total", [3, 5, 7])
@pytest.mark.parametrize("capacity", [1, 1 << 16])
def test_feasible_positions_are_those_of_the_definition(total: int, capacity: int) -> None:
    board, goal = cells(BOARD), as_set(BOARD, CORNERS.goal)
    group = stabiliser(BOARD, CORNERS.start, CORNERS.goal)
    words, positions = np.array([CORNERS.start], np.uint64), {as_set(BOARD, CORNERS.start)}
    for number in range(1, total + 1):
        found = feasible_step(CORNERS, words, number, total, capacity)
        variants, following, gains = {}, set(), [0]
        for position in positions:
            made = list(naive.moves(board, BOARD.grid, position))
            filled = {path: len(after & goal) for path, after in made}
            for path in filled:
                stops = [len(position & goal), *(filled[path[:end]] for end in range(2, len(path) + 1))]
                gains += [later - earlier for earlier, later in combinations(stops, 2)]
            paths = {path: after for path, after in made if feasible(after, goal, number, total, slack=1)}
            whole = [path for path in paths if all(path[: end + 1] in paths for end in range(1, len(path)))]
            variants[naive.orbit(group, position)] = len(whole)
            following |= {paths[path] for path in whole if feasible(paths[path], goal, number, total, slack=0)}
        assert found.variants == sum(variants.values())
        assert found.most_variants == max(variants.values())
        assert found.most_gain == max(gains)
        assert orbits(BOARD, group, found.children) == {naive.orbit(group, position) for position in following}
        words, positions = found.children, following


def test_what_a_move_fills_is_compared_with_all_its_stops_before() -> None:
    board = rectangle(1, 5)
    problem = Problem(board, board.position([1, 2, 4]), board.position([1, 5]))
    assert feasible_step(problem, np.array([problem.start], np.uint64), 1, 5).most_gain == 1


def test_the_printed_solution_is_feasible_all_the_way() -> None:
    play = Play(LAST_SUPPER.board)
    moves = parse_solution(play, GOLDEN["last_supper"]["solution"])
    positions = play.replay(LAST_SUPPER.start, moves)
    for number, (before, after) in enumerate(pairwise(positions), 1):
        children = feasible_step(LAST_SUPPER, np.array([before], np.uint64), number, len(moves)).children
        images = [sum(1 << row[hole] for hole in range(37) if after >> hole & 1) for row in LAST_SUPPER.group.tolist()]
        assert min(images) in children


def test_no_feasible_game_of_few_moves_leaves_the_source_s_limits() -> None:
    words = np.array([LAST_SUPPER.start], np.uint64)
    for number in range(1, 10):
        found = feasible_step(LAST_SUPPER, words, number, 14)
        assert found.most_variants <= GOLDEN["last_supper"]["most_variants"]
        assert found.longest_chain <= GOLDEN["last_supper"]["longest_chain"]
        assert found.most_gain <= 1
        words = found.children
    assert len(words) == 959372


@pytest.mark.slow
def test_the_source_s_search_has_138_variants_9_jumps_and_no_goal_in_14_moves() -> None:
    words, steps = np.array([LAST_SUPPER.start], np.uint64), []
    for number in range(1, 15):
        steps.append(feasible_step(LAST_SUPPER, words, number, 14))
        words = steps[-1].children
        assert LAST_SUPPER.goal not in words
    assert max(found.most_variants for found in steps) == GOLDEN["last_supper"]["most_variants"]
    assert max(found.longest_chain for found in steps) == GOLDEN["last_supper"]["longest_chain"]
