"""Solitaire: proofs of the least number of moves, all solutions, the checker, and a whole space by jumps.

One unit is one labelled position (images count) of the layers of both sides, or of the levels. Everything runs on one
core but where a name says two. A search writes its children and sorts them; ``sort_as_many_keys`` sorts as many keys as
the search for the Last Supper has children, and does nothing else.
"""

from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import Job, benchmark
from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace_kernels.runs import Positions, Run
from boardspace_kernels.solitaire.certificate import Claim, check_certificate
from boardspace_kernels.solitaire.games import first_ways, jump
from boardspace_kernels.solitaire.levels import Level, first_level, merge_levels, step
from boardspace_kernels.solitaire.moves import expand
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.search import Meeting, first_game, labelled, meet
from boardspace_kernels.solitaire.solutions import Solutions
from boardspace_kernels.solitaire.tables import forward_tables

LAST_SUPPER = "french/last_supper"
ENGLISH = "english/central"
MOST_POSITIONS = 1 << 28


class _WithoutSymmetry(Problem):
    """A problem that is searched without identifying images."""

    @cached_property
    def group(self) -> NDArray[np.int64]:
        return self.board.stabiliser(self.start, self.goal)[:1]


def _problem(name: str) -> Problem:
    return problem_of(problem_params(name))


def _met(problem: Problem) -> Meeting:
    meeting = meet(problem, MOST_POSITIONS)
    assert isinstance(meeting, Meeting)
    return meeting


def _size(meeting: Meeting) -> int:
    return sum(labelled(meeting.problem.forward, layer) for layer in [*meeting.forward, *meeting.backward])


def _proof(problem: Problem) -> Job:
    return lambda: _size(_met(problem))


def _proof_and_solutions(problem: Problem) -> Job:
    def job() -> int:
        meeting = _met(problem)
        solutions = Solutions(problem, meeting.shortest_layers())
        assert solutions.counts()[0].solutions >= len(solutions.essential)
        return _size(meeting)

    return job


@benchmark(unit="labelled positions")
def last_supper_without_symmetry() -> Job:
    problem = _problem(LAST_SUPPER)
    return _proof(_WithoutSymmetry(problem.board, problem.start, problem.goal))


@benchmark(unit="labelled positions", baseline="last_supper_without_symmetry")
def last_supper_needs_15_moves() -> Job:
    return _proof(_problem(LAST_SUPPER))


@benchmark(unit="labelled positions", baseline="last_supper_needs_15_moves")
def last_supper_and_all_solutions() -> Job:
    return _proof_and_solutions(_problem(LAST_SUPPER))


@benchmark(unit="keys")
def sort_as_many_keys() -> Job:
    problem = _problem(LAST_SUPPER)
    meeting = _met(problem)
    sides = ((problem.forward, meeting.forward), (problem.backward, meeting.backward))
    children = sum(int(expand(tables, Run(layer)).choices.sum()) for tables, side in sides for layer in side[:-1])
    keys = np.random.default_rng(1).integers(0, 1 << problem.board.holes, children).astype(np.uint64)

    def job() -> int:
        keys.copy().sort()
        return children

    return job


@benchmark(unit="labelled positions", runs=3)
def english_needs_18_moves_and_all_solutions() -> Job:
    return _proof_and_solutions(_problem(ENGLISH))


@benchmark(unit="labelled positions", runs=2)
def english_levels() -> Job:
    problem = _problem(ENGLISH)

    def job() -> int:
        level, positions = first_level(problem.start), 0
        while len(level.positions):
            below = step(problem, level)
            positions += int(below.orbits.sum(dtype=np.int64))
            level = below.level
        return positions

    return job


@benchmark(unit="labelled positions", baseline="english_levels", runs=2)
def english_levels_on_two_cores() -> Job:
    """Both halves of each level at a time; the kernels hold no lock."""
    problem = _problem(ENGLISH)

    def job() -> int:
        level, positions = first_level(problem.start), 0
        with ThreadPoolExecutor(2) as pool:
            while len(level.positions):
                middle = len(level.positions) // 2
                halves = [Level._make(c[:middle] for c in level), Level._make(c[middle:] for c in level)]
                below = list(pool.map(partial(step, problem), halves))
                positions += sum(int(half.orbits.sum(dtype=np.int64)) for half in below)
                level = merge_levels([half.level for half in below])
        return positions

    return job


@benchmark(unit="positions", runs=3)
def games_of_the_english_board_to_20_pegs() -> Job:
    problem = _problem(ENGLISH)
    tables = forward_tables(problem.board, problem.board.stabiliser(problem.start))

    def job() -> int:
        ways, positions = first_ways(problem.start), 0
        while int(ways.positions[0]).bit_count() > 20:
            ways = jump(tables, ways).ways
            positions += len(ways.positions)
        return positions

    return job


@benchmark(unit="positions expanded", runs=2)
def check_the_proof_of_the_last_supper() -> Job:
    problem = _problem(LAST_SUPPER)
    meeting = _met(problem)
    board = problem.board
    forward, backward = _exact_layers(problem, meeting)
    game = [move.stops for move in first_game(meeting)]
    claim = Claim(board.grid, board.cells, problem.start, problem.goal, problem.group.tolist(), game)
    return lambda: check_certificate(claim, forward, backward).positions


def _exact_layers(problem: Problem, meeting: Meeting) -> tuple[list[Positions], list[Positions]]:
    """Exactly k moves, not first reached: what a certificate holds."""
    sides = []
    for tables, first, depth in (
        (problem.forward, problem.start, len(meeting.forward) - 1),
        (problem.backward, problem.goal, len(meeting.backward) - 2),
    ):
        layers = [problem.root(first)]
        for _ in range(depth):
            layers.append(expand(tables, layers[-1]).run)
        sides.append([layer.positions for layer in layers])
    return sides[0], sides[1]
