"""Numbers of games of a given length.

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
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import mix
from boardspace_kernels.jit import kernel
from boardspace_kernels.runs import Run, total_ways
from boardspace_kernels.solitaire.moves import write_children
from boardspace_kernels.solitaire.play import Play
from boardspace_kernels.solitaire.problem import Problem
from boardspace_kernels.solitaire.tables import MoveTables

MOST_CHILDREN = 256


def essential_sequences(problem: Problem, totals: Sequence[int]) -> list[int]:
    """For k = 0, 1, ...: games of k moves up to symmetry; ``totals[k]`` are all games of k moves from the start."""
    fixed = [fixed_sequences(problem, symmetry, len(totals)) for symmetry in problem.group.tolist()[1:]]
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
    reached = np.cumsum(run.ways)
    drawn = np.minimum((draws(games, seed) * total).astype(np.uint64), np.uint64(total - 1))
    positions = run.positions[np.searchsorted(reached, drawn, side="right")]
    product = np.ones(games)
    estimates = []
    for move in range(1, further + 1):
        children = np.empty(games * MOST_CHILDREN, dtype=np.uint64)
        choices = np.empty(games, dtype=np.int64)
        done, _, _ = write_children(tables, positions, children, choices)
        assert done == games, "positions of a game have fewer moves than that on average"
        product *= choices
        estimates.append(Estimate(total * product.mean(), total * product.std(ddof=1) / games**0.5))
        chosen = np.cumsum(choices) - choices + (draws(games, seed + move) * choices).astype(np.int64)
        positions = children[np.minimum(chosen, len(children) - 1)]
    return estimates


@kernel
def draws(count: int, seed: int) -> NDArray[np.float64]:
    """float64 (count): numbers in [0, 1), a function of the seed."""
    out = np.empty(count, np.float64)
    start = mix(np.uint64(seed) + np.uint64(1))
    for i in range(count):
        out[i] = (mix(start + np.uint64(i)) >> np.uint64(11)) * 2.0**-53
    return out
