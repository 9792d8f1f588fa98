"""Games from a start to a goal: numbers, paths, sets of jumps and luck are those of games played one by one."""

from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from boardspace_kernels.residues import is_prime
from boardspace_kernels.solitaire.board import Board, image_of
from boardspace_kernels.solitaire.classes import between
from tests.kernels.solitaire.boards import ENGLISH, as_set, as_word, rectangle, triangle
from tests.naive import solitaire as naive

Jump = tuple[naive.Cell, naive.Cell, naive.Cell]
PAIRS = [
    (rectangle(1, 4), [(1, 2), (2, 3)], 1),
    (rectangle(3, 4), [(0, 0), (0, 3), (1, 1)], 1),
    (triangle(4), [(1, 1), (0, 0)], 0),
    (triangle(5), [(0, 0), (0, 12), (4, 12)], 3),
]


class Played:
    """All games of a board to one goal, by recursion over sets of cells."""

    def __init__(self, board: Board, start: int, goal: int) -> None:
        self.board, self.goal = board, as_set(board, goal)
        self.kept = board.stabiliser(start, goal)
        self.lines = naive.jumps(frozenset(board.cells), board.grid)
        self.sets, self.luck, self.paths = cache(self.sets_from), cache(self.luck_from), cache(self.paths_from)

    def after(self, position: naive.Position) -> list[tuple[Jump, naive.Position]]:
        found = []
        for a, b, c in self.lines:
            if {a, b} <= position and c not in position:
                found.append(((a, b, c), position - {a, b} | {c}))
        return found

    def sets_from(self, position: naive.Position) -> Counter[frozenset[tuple[Jump, int]]]:
        """Multisets of jumps to the goal, each with its number of orders."""
        if position == self.goal:
            return Counter([frozenset()])
        found: Counter[frozenset[tuple[Jump, int]]] = Counter()
        for jump, after in self.after(position):
            for jumps, orders in self.sets(after).items():
                found[frozenset((Counter(dict(jumps)) + Counter([jump])).items())] += orders
        return found

    def luck_from(self, position: naive.Position) -> Fraction:
        after = [self.luck(after) for _, after in self.after(position)]
        return sum(after, Fraction()) / len(after) if after else Fraction(position == self.goal)

    def canonical(self, position: naive.Position) -> int:
        return min(image_of(row, as_word(self.board, position)) for row in self.kept)

    def paths_from(self, position: naive.Position) -> int:
        if position == self.goal:
            return 1
        after = {self.canonical(after): after for _, after in self.after(position)}
        return sum(self.paths(one) for one in after.values())


@pytest.mark.parametrize(("board", "pairs", "least"), PAIRS, ids=["1x4", "3x4", "triangle10", "triangle15"])
def test_small_problems_have_the_numbers_of_games_played_one_by_one(
    board: Board, pairs: list[tuple[int, int]], least: int
) -> None:
    solved = 0
    for vacancy, survivor in pairs:
        start, goal = board.full ^ 1 << vacancy, 1 << survivor
        played, first = Played(board, start, goal), as_set(board, start)
        positions = between.positions_between(board, start, goal)
        sets = played.sets(first)
        assert bool(len(positions)) == bool(sets)
        if sets:
            solved += 1
            found = between.count_between(board, start, goal, positions)
            assert (found.games, found.paths) == (sum(sets.values()), played.paths(first))
            assert found.luck == played.luck(first)
            assert between.count_jump_sets(board, positions) == len(sets)
    assert solved >= least


@pytest.mark.slow
def test_positions_between_are_those_of_the_published_central_game() -> None:
    positions = between.positions_between(ENGLISH, ENGLISH.full ^ ENGLISH.position([19]), ENGLISH.position([19]))
    assert len(positions) == 13_428_122
    assert np.all(positions[1:] > positions[:-1])
    # Playing backwards with pegs and holes exchanged is the same game.
    assert np.array_equal(positions, np.sort(np.uint64(ENGLISH.full) ^ positions))


def test_a_goal_of_another_class_has_no_positions() -> None:
    assert not len(between.positions_between(ENGLISH, ENGLISH.full ^ 1, 2))


def test_residues_do_not_wrap() -> None:
    largest = np.array([(1 << 31) - 2], np.uint32)
    assert is_prime((1 << 31) - 1)
    between.add(largest, largest, np.array([(1 << 31) - 1], np.uint64))
    assert largest[0] == (1 << 31) - 3
