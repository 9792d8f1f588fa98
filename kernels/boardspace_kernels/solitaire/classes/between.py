"""Games that lead from a start to a goal: how many, by which positions, by which jumps, and how likely by chance.

Only the positions *between* start and goal count: those that the start leads to and that lead to the goal. They are the
common bits of two sweeps of the class (:func:`.gather.sweep`), 13 million of 187 million for the central game of 33
holes. Jumps take a peg off, so all numbers follow from level to level, from the goal up:

* ``games(P)``, the sequences of jumps to the goal: the sum of games(Q) over all jumps from P to a position Q.
* ``paths(P)``, the sequences of positions up to symmetry: the sum of paths(Q) over the *different* Q. (Without symmetry
  every jump leads to another position, so there are as many paths as games.)
* ``luck(P)``, the chance that a player who takes each time any of the possible jumps, all equally likely, comes to the
  goal: the sum of luck(Q) over the jumps, divided by the number of jumps that P has, those that lose included. With D
  the least common multiple of these numbers on a level, D luck(P) is a whole number after all levels are multiplied. It
  is found modulo primes below 2^31 whose product exceeds the product of the D, and joined by the Chinese remainder
  theorem. So the chance is an exact fraction. Games and paths are found modulo the first of these primes, as many as
  exceed the product of the most jumps of each level.
* ``jump_sets(P)``: two games are one if they make the same jumps, each as often, in any order. A multiset of jumps is
  known by the sum, modulo 2^64, of a random word for each jump; a position's sums are those of the positions below with
  the word of the jump added, sorted, each once. Two multisets of one position that have the same sum would count as
  one, which has a probability of about 10^-9 for 33 holes; other random words would not repeat it.

Images of a position under the symmetries that keep start and goal have equal numbers, so one of each orbit is kept. For
multisets all positions are, since a symmetry changes the jumps.

Cost for the central game of 33 holes: 1 s for the sweeps, 5 s for numbers, 20 s for multisets.
"""

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.residues import combined, primes_beyond
from boardspace_kernels.runs import sorted_run
from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes.gather import common, sweep
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass
from boardspace_kernels.solitaire.classes.steps import backward_steps, forward_steps
from boardspace_kernels.solitaire.moves import canonical, least_after
from boardspace_kernels.solitaire.tables import MoveTables, forward_tables, write_images

Words = NDArray[np.uint64]
Residues = NDArray[np.uint32]
SEED = 33


class Numbers(NamedTuple):
    """Numbers of the n positions of a level, with k primes, modulo each prime, and the first c of these.

    positions: uint64 (n), ascending.
    games, paths: uint32 (n, c).
    luck: uint32 (n, k), the chance times the denominators of the levels down to the goal.
    """

    positions: Words
    games: Residues
    paths: Residues
    luck: Residues


class Between(NamedTuple):
    """The games from a start to a goal.

    positions: number of positions between them, with both.
    orbits: the same up to the symmetries that keep start and goal.
    games: sequences of jumps.
    paths: sequences of positions up to these symmetries.
    luck: chance of random play.
    """

    positions: int
    orbits: int
    games: int
    paths: int
    luck: Fraction


def positions_between(board: Board, start: int, goal: int) -> Words:
    """uint64 (p): the positions that ``start`` leads to and that lead to ``goal``, ascending; none if the goal is
    out of reach."""
    order = Order(PositionClass(board, start))
    if not order.positions.contains(goal):
        return np.empty(0, np.uint64)
    both = common(sweep(order, forward_steps(order), [start]), sweep(order, backward_steps(order), [goal]))
    found = [order.positions.members(piece.blocks, order.numbers_of(piece)) for piece in both.values()]
    return np.sort(np.concatenate(found))


def count_between(board: Board, start: int, goal: int, between: Words) -> Between:
    """Numbers of the games from start to goal; ``between`` as :func:`positions_between` found it, not empty."""
    tables = forward_tables(board, board.stabiliser(start, goal))
    levels = by_pegs(sorted_run(canonical(tables, between)).positions)
    jumps = [jump_counts(tables, level) for level in levels[1:]]
    denominators = [1, *(math.lcm(*np.unique(numbers).tolist()) for numbers in jumps)]
    most_games = math.prod(int(numbers.max()) for numbers in jumps)
    primes, few = primes_beyond(max(math.prod(denominators), most_games)), primes_beyond(most_games)
    one = np.ones((1, len(few)), np.uint32)
    numbers = Numbers(levels[0], one, one, np.ones((1, len(primes)), np.uint32))
    for level, own, denominator in zip(levels[1:], jumps, denominators[1:], strict=True):
        times = np.array([[_shares(denominator, n) % p for p in primes] for n in range(own.max() + 1)], np.uint64)
        numbers = level_above(tables, level, numbers, times, np.array(primes, np.uint64))
    games, paths = (combined(residues[0].tolist(), few) for residues in (numbers.games, numbers.paths))
    luck = Fraction(combined(numbers.luck[0].tolist(), primes), math.prod(denominators))
    return Between(len(between), sum(map(len, levels)), games, paths, luck)


def count_jump_sets(board: Board, between: Words, seed: int = SEED) -> int:
    """Number of different multisets of jumps in the games; ``seed`` chooses the random words of the jumps."""
    tables = forward_tables(board, board.symmetries[:1])
    words = np.random.default_rng(seed).integers(0, 1 << 64, len(tables.test), np.uint64)
    levels = by_pegs(between)
    first, sums = np.array([0, 1]), np.zeros(1, np.uint64)
    for below, level in pairwise(levels):
        first, sums = sums_above(tables, words, level, below, first, sums)
    return len(sums)


def by_pegs(positions: Words) -> Sequence[Words]:
    """The positions of each number of pegs, least first, in the order that they have."""
    pegs = np.bitwise_count(positions)
    return [positions[pegs == number] for number in range(pegs.min(), pegs.max() + 1)]


def _shares(denominator: int, jumps: int) -> int:
    return denominator // jumps if jumps else 0


@kernel
def jump_counts(tables: MoveTables, positions: Words) -> NDArray[np.int64]:
    """int64 (p): how many jumps each position has."""
    counts = np.zeros(positions.size, np.int64)
    for i in range(positions.size):
        for jump in range(tables.test.size):
            counts[i] += (positions[i] & tables.test[jump]) == tables.need[jump]
    return counts


@kernel
def level_above(tables: MoveTables, level: Words, below: Numbers, times: Words, primes: Words) -> Numbers:
    """The numbers of a level by those of the level below; ``times`` uint64 (jumps, k): the level's denominator over the
    number of jumps, modulo each prime."""
    few = below.games.shape[1]
    games, paths = np.zeros((level.size, few), np.uint32), np.zeros((level.size, few), np.uint32)
    luck, sums = np.zeros((level.size, primes.size), np.uint32), np.zeros(primes.size, np.uint64)
    images, reached = np.empty(tables.flips.shape[1], np.uint64), np.empty(tables.test.size, np.int64)
    for i in range(level.size):
        write_images(tables.images, level[i], images)
        jumps = different = 0
        sums[:] = 0
        for jump in range(tables.test.size):
            if level[i] & tables.test[jump] != tables.need[jump]:
                continue
            # Jumps that lose count as well, since a player may take them.
            jumps += 1
            at = place_of(below.positions, least_after(tables.flips, jump, images))
            if at < 0:
                continue
            add(games[i], below.games[at], primes)
            for k in range(primes.size):
                # Residues are below 2^31 and jumps few, so the sum fits a word without a division each time.
                sums[k] += below.luck[at, k]
            # Put down before it is looked for, so that the search always ends, at this entry if it is new.
            reached[different] = at
            again = 0
            while reached[again] != at:
                again += 1
            if again == different:
                add(paths[i], below.paths[at], primes)
                different += 1
        for k in range(primes.size):
            # Both factors are below 2^31, so the product fits a word.
            luck[i, k] = sums[k] % primes[k] * times[jumps, k] % primes[k]
    return Numbers(level, games, paths, luck)


@kernel
def sums_above(
    tables: MoveTables, words: Words, level: Words, below: Words, first: NDArray[np.int64], sums: Words
) -> tuple[NDArray[np.int64], Words]:
    """The sums of each position of a level by those of the level below: those of position i are
    ``sums[first[i] : first[i + 1]]``, ascending and distinct. ``words``: uint64 (jumps), the random ones."""
    begins, made = np.zeros(level.size + 1, np.int64), np.empty(max(4 * sums.size, 1024), np.uint64)
    written = 0
    for i in range(level.size):
        begin = written
        for jump in range(tables.test.size):
            if level[i] & tables.test[jump] != tables.need[jump]:
                continue
            at = place_of(below, level[i] ^ tables.flips[jump, 0])
            if at < 0:
                continue
            while written + first[at + 1] - first[at] > made.size:
                made = np.concatenate((made, np.empty_like(made)))
            for k in range(first[at], first[at + 1]):
                # The sum wraps round 2^64, as it is meant to.
                made[written] = sums[k] + words[jump]
                written += 1
        # Sums of one child are distinct, those of several may be equal: the copy is sorted, and each written back once.
        ascending = np.sort(made[begin:written])
        written = begin
        for k in range(ascending.size):
            if k == 0 or ascending[k] != ascending[k - 1]:
                made[written] = ascending[k]
                written += 1
        begins[i + 1] = written
    return begins, made[:written].copy()


def count_problem(
    board: Board, start: int, goal: int, most_for_jump_sets: int | None = None
) -> tuple[Between, int | None] | None:
    """Games from a start to a goal, and how many differ by more than the order of their jumps, which is None where more
    positions than ``most_for_jump_sets`` occur; None where no game leads to the goal."""
    between = positions_between(board, start, goal)
    if not len(between):
        return None
    counted = most_for_jump_sets is None or len(between) <= most_for_jump_sets
    return count_between(board, start, goal, between), count_jump_sets(board, between) if counted else None


@inlined
def add(residues: Residues, others: Residues, primes: Words) -> None:
    """Add to the residues of a position, in place."""
    for k in range(residues.size):
        residues[k] = (np.uint64(residues[k]) + np.uint64(others[k])) % primes[k]


@inlined
def place_of(ascending: Words, position: np.uint64) -> int:
    """Where a position stands; -1 where it is not there."""
    at = np.searchsorted(ascending, position)
    return int(at) if at < ascending.size and ascending[at] == position else -1
