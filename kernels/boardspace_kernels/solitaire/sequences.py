"""Numbers of games of a given length, and of the ways to go on from positions.

A game of k moves is a *sequence* of k moves. The ways to the positions of a frontier add up to their number. Without
telling apart the games that a symmetry of start and goal maps to each other there are, by the lemma of Cauchy and
Frobenius, as many as a symmetry fixes on the average. It fixes a game where it fixes every move of it: all pegs that
move do so between holes that stay in place. There are few such games, and they are listed.

The sequences of k moves are counted exactly as long as their positions can be held. Beyond that they are estimated from
random games (Knuth, Estimating the efficiency of backtrack programs, Math. Comp. 29, 1975): a sequence of k moves is
drawn, that is, a position after k moves with a chance in proportion to its ways, and a game played on from it with
every move equally likely. If it has c(1), c(2), ... moves to choose from, then the number of sequences of k moves
times c(1) c(2) ... c(d) has as its mean the number of sequences of k + d moves. Symmetry does no harm: isomorphic
positions have equally many continuations.

The draws are a function of the seed alone.

*Continuations.* The sequences of k moves from a start are the sum, over the positions after k - 2 moves, of the ways to
the position times its sequences of two moves. So the last two layers, by far the largest, are never joined: their
positions are made one by one and forgotten. The nodes of the tree of chains are the moves (``moves``). Images are not
needed, as isomorphic positions have equally many continuations, so the tables may be those of the identity alone.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import mixed
from boardspace_kernels.jit import inlined, kernel
from boardspace_kernels.runs import Positions, Run, total_ways
from boardspace_kernels.solitaire.moves import (
    MoveStack,
    new_move_stack,
    push_first_jumps,
    push_next_jumps,
    write_children,
)
from boardspace_kernels.solitaire.play import Play, Problem
from boardspace_kernels.solitaire.tables import MoveTables

MOST_CHILDREN = 256

DIGIT_BITS = 16
ROWS_AT_ONCE = 1 << 20
MOST_CONTINUATIONS = 1 << 27


def essential_sequences(problem: Problem, totals: Sequence[int]) -> list[int]:
    """For k = 0, 1, ...: games of k moves up to symmetry; ``totals[k]`` are all games of k moves from the start."""
    fixed = [fixed_sequences(problem, symmetry, len(totals)) for symmetry in problem.group.tolist()[1:]]
    # The identity, the first of the group, keeps all games, so ``totals`` are its numbers.
    return [exact_quotient(sum(counts), len(problem.group)) for counts in zip(totals, *fixed, strict=True)]


def fixed_sequences(problem: Problem, symmetry: Sequence[int], count: int) -> list[int]:
    """For k = 0, ..., count - 1: the games of k moves each of which the symmetry maps to itself."""
    play, level = Play(problem.board), Counter({problem.start: 1})
    numbers = [1]
    while len(numbers) < count:
        following: Counter[int] = Counter()
        for position, ways in level.items():
            for move, child in play.moves(position):
                following[child] += ways * (move.image(symmetry) == move)
        # A counter's plus leaves out what has no ways, so the next round does not look at it.
        level = +following
        numbers.append(level.total())
    return numbers


def exact_quotient(total: int, parts: int) -> int:
    """``total / parts``; ArithmeticError where that leaves a remainder, so that the one or the other is wrong."""
    quotient, remainder = divmod(total, parts)
    if remainder:
        raise ArithmeticError(f"{total:,} fixed by {parts} symmetries: no number of orbits, {remainder} are left over")
    return quotient


class Estimate(NamedTuple):
    """Estimated number of sequences of moves, and its standard error."""

    sequences: float
    standard_error: float


def estimate_sequences(tables: MoveTables, run: Run, further: int, games: int, seed: int) -> list[Estimate]:
    """Estimates for 1, 2, ..., ``further`` moves more than the run's ways were counted for.

    run: a whole frontier with its ways, fewer than 2**63 in all (OverflowError). games: how many are drawn. seed: of
    the draws.
    """
    assert run.ways is not None
    total = total_ways(run.ways)
    if total >> 63:
        raise OverflowError(f"{total:,} sequences of moves are too many to draw from; start from an earlier frontier")
    if not total:
        return [Estimate(0.0, 0.0)] * further  # every game has ended before
    reached = np.cumsum(run.ways)
    # The product may round up to the total, which would be beyond the last position.
    drawn = np.minimum((draws(games, seed) * total).astype(np.uint64), np.uint64(total - 1))
    # Position i has the draws from ``reached[i - 1]`` on that are below ``reached[i]``.
    positions = run.positions[np.searchsorted(reached, drawn, side="right")]
    product = np.ones(games)
    estimates = []
    for move in range(1, further + 1):
        children = np.zeros(games * MOST_CHILDREN, dtype=np.uint64)
        choices = np.empty(games, dtype=np.int64)
        done, _, _ = write_children(tables, positions, children, choices)
        assert done == games, "positions of a game have fewer moves than that on average"
        product *= choices
        estimates.append(Estimate(total * product.mean(), total * product.std(ddof=1) / games**0.5))
        # A game that is stuck takes a child of the next one, or the empty board behind the last. Its product stays 0.
        chosen = np.cumsum(choices) - choices + (draws(games, seed + move) * choices).astype(np.int64)
        positions = children[np.minimum(chosen, len(children) - 1)]
    return estimates


def draws(count: int, seed: int) -> NDArray[np.float64]:
    """float64 (count): numbers in [0, 1), a function of the seed."""
    words = np.arange(count, dtype=np.uint64)
    words += mixed(np.array([seed + 1], np.uint64))
    # 53 bits, as many as a float64 holds: so none is rounded up to 1.
    return np.ldexp(mixed(words) >> np.uint64(11), -53)


class Continuations(NamedTuple):
    """Sequences of moves that begin in each of p positions.

    one: int64 (p), moves.
    two: int64 (p), sequences of two moves.
    """

    one: NDArray[np.int64]
    two: NDArray[np.int64]


@kernel
def count_continuations(tables: MoveTables, positions: Positions) -> Continuations:
    """The moves, and the sequences of two moves, from each of the positions, uint64 (p), canonical or not; quickest by
    tables of the identity alone."""
    one, two = np.zeros(positions.size, np.int64), np.zeros(positions.size, np.int64)
    first, second = new_move_stack(tables), new_move_stack(tables)
    for i in range(positions.size):
        top = push_first_jumps(tables, positions[i], first)
        while top > 0:
            top -= 1
            jump, depth = first.pending[top], first.depths[top]
            # Every stop may end the first move. The second one begins there afresh, by any peg.
            one[i] += 1
            two[i] += _count_moves(tables, first.images[depth, 0] ^ tables.test[jump], second)
            top = push_next_jumps(tables, jump, depth, first, top)
    return Continuations(one, two)


@inlined
def _count_moves(tables: MoveTables, position: np.uint64, stack: MoveStack) -> int:
    """The moves from a position; uses the whole stack."""
    moves, top = 0, push_first_jumps(tables, position, stack)
    while top > 0:
        top -= 1
        moves += 1
        top = push_next_jumps(tables, stack.pending[top], stack.depths[top], stack, top)
    return moves


def weighted_total(ways: NDArray[np.uint64], times: NDArray[np.int64]) -> int:
    """The sum of ``ways``, uint64 (p), each ``times`` as often, int64 (p); exact, however large it is.

    OverflowError where a number of times is not below 2^27, which no position's two moves are.
    """
    if times.max(initial=0) >= MOST_CONTINUATIONS:
        raise OverflowError("a position has 2**27 continuations or more")
    total = 0
    for begin in range(0, len(ways), ROWS_AT_ONCE):  # digit * times < 2^43, and 2^20 of them fit a word
        rows = slice(begin, begin + ROWS_AT_ONCE)
        for shift in range(0, 64, DIGIT_BITS):
            digits = ways[rows] >> np.uint64(shift) & np.uint64((1 << DIGIT_BITS) - 1)
            total += int((digits * times[rows].astype(np.uint64)).sum()) << shift
    return total
