"""Estimates of the number of games agree with the exact numbers within their errors, and depend on the seed alone."""

from itertools import islice

import numpy as np
import pytest

from boardspace_kernels.runs import Run
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.search import Layer, frontiers
from boardspace_kernels.solitaire.sequences import (
    draws,
    essential_sequences,
    estimate_sequences,
    exact_quotient,
    fixed_sequences,
)
from tests.kernels.solitaire.boards import LAST_SUPPER, as_set, cells, hexagon, rectangle, stabiliser, triangle
from tests.naive import solitaire as naive


def layers(problem: Problem, count: int) -> list[Layer]:
    return list(islice(frontiers(problem.forward, problem.root(problem.start, counted=True)), count + 1))


def sequences(layer: Layer) -> int:
    assert layer.run.ways is not None
    return int(layer.run.ways.sum())


@pytest.mark.parametrize("begin", [0, 3, 5])
def test_estimates_are_within_their_errors(begin: int) -> None:
    board = triangle(5)
    problem = Problem(board, board.full ^ board.position([5]), board.position([5]))
    exact = layers(problem, begin + 4)
    found = estimate_sequences(problem.forward, exact[begin].run, 4, games=20_000, seed=7)
    for layer, estimate in zip(exact[begin + 1 :], found, strict=True):
        assert abs(estimate.sequences - sequences(layer)) <= 5 * estimate.standard_error + 1e-9 * estimate.sequences
        assert estimate.standard_error < 0.05 * estimate.sequences


def test_games_of_the_last_supper_are_estimated_from_any_layer() -> None:
    exact = layers(LAST_SUPPER, 8)
    for begin in (4, 6, 7):
        found = estimate_sequences(LAST_SUPPER.forward, exact[begin].run, 8 - begin, games=50_000, seed=begin)[-1]
        assert abs(found.sequences - sequences(exact[8])) < 5 * found.standard_error


def test_no_game_goes_on_where_all_have_ended() -> None:
    """From the last position there is, and where none is."""
    problem = Problem(rectangle(1, 3), 0b011, 0b100)
    for layer in layers(problem, 2)[1:]:
        assert estimate_sequences(problem.forward, layer.run, 2, games=10, seed=0) == [(0, 0), (0, 0)]


def test_the_same_seed_draws_the_same_games() -> None:
    run = layers(LAST_SUPPER, 3)[3].run
    again = [estimate_sequences(LAST_SUPPER.forward, run, 3, games=1000, seed=seed) for seed in (1, 1, 2)]
    assert again[0] == again[1] != again[2]


def test_a_number_of_orbits_with_a_remainder_is_refused() -> None:
    assert exact_quotient(102080 * 8, 8) == 102080
    with pytest.raises(ArithmeticError, match="13 fixed by 4 symmetries: no number of orbits, 1 are left over"):
        exact_quotient(13, 4)


@pytest.mark.parametrize(
    ("board", "empty", "moves"),
    [(triangle(5), 5, 3), (triangle(5), 1, 4), (rectangle(1, 7), 4, 3), (rectangle(3, 5), 8, 3), (hexagon(3), 10, 2)],
    ids=lambda value: getattr(value, "name", str(value)),
)
def test_games_up_to_symmetry_are_the_orbits_of_a_full_listing(board: Board, empty: int, moves: int) -> None:
    problem = Problem(board, board.full ^ board.position([empty]), board.position([empty]))
    group = stabiliser(board, problem.start, problem.goal)
    games: list[tuple[list[naive.Path], naive.Position]] = [([], as_set(board, problem.start))]
    totals, orbits = [1], [1]
    for _ in range(moves):
        made = [(game, naive.moves(cells(board), board.grid, position)) for game, position in games]
        games = [([*game, path], after) for game, some in made for path, after in some]
        totals.append(len(games))
        images = [{str([[image[c] for c in path] for path in game]) for image in group} for game, _ in games]
        orbits.append(len({min(some) for some in images}))
    assert essential_sequences(problem, totals) == orbits
    assert len(group) > 1


def test_a_loop_and_the_same_loop_the_other_way_round_are_two_games_that_a_mirror_exchanges() -> None:
    board = rectangle(3, 3)
    problem = Problem(board, board.position([1, 2, 4, 6, 8]), board.position([1]))
    assert len(problem.group) == 2
    assert fixed_sequences(problem, problem.group[1].tolist(), 2) == [1, 0]
    assert essential_sequences(problem, [1, 8]) == [1, 4]


def test_more_sequences_than_can_be_drawn_from_are_refused() -> None:
    run = layers(LAST_SUPPER, 1)[1].run
    assert run.ways is not None
    for ways in ([1 << 63], [(1 << 64) - 1]):
        with pytest.raises(OverflowError, match="too many to draw from"):
            estimate_sequences(LAST_SUPPER.forward, Run(run.positions, np.array(ways, np.uint64)), 1, games=10, seed=0)
    whole = Run(run.positions, np.array([(1 << 63) - 1], np.uint64))
    assert estimate_sequences(LAST_SUPPER.forward, whole, 1, games=10, seed=0)[0].sequences > 1e18


def test_draws_are_spread_evenly() -> None:
    found = draws(100_000, 5)
    assert 0 <= found.min() < found.max() < 1
    assert np.bincount((found * 10).astype(int), minlength=10).tolist() == pytest.approx([10_000] * 10, rel=0.05)
