"""Feasible positions: a bound by counting pegs on goal holes.

A move ends in one hole, so it fills at most one goal hole that was empty. A game that reaches the goal, of G pegs, in
``total`` moves therefore has after j moves at least G - (total - j) of the goal holes filled; and since only one peg
moves, while it makes move j at every stop at least one less than it will have after that move. It also has more than G
pegs until the goal is reached. A position that meets these conditions is called feasible (after move j, or in
the course of it). Play that leaves them cannot come to the goal in time.

For the Last Supper, G = 13 and total = 14, these are the conditions n > 12, with n = 13 only at the goal, and
j - m < 2 after a move and j - m < 3 in its course, m being the filled goal holes.

A variant of a move is counted here if every stop of it is feasible in the course of the move.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.runs import Positions, Run, merge, sorted_run
from boardspace_kernels.solitaire.moves import (
    CHILDREN_AT_ONCE,
    LONGEST_CHAIN,
    least_after,
    new_move_stack,
    push_first_jumps,
    push_next_jumps,
)
from boardspace_kernels.solitaire.play import Problem
from boardspace_kernels.solitaire.tables import MoveTables


class FeasibleStep(NamedTuple):
    """Result of one move more from feasible positions after j - 1 moves.

    children: the feasible positions after move j, canonical, ascending, distinct.
    variants: moves with feasible stops.
    most_variants: such moves of one position at most.
    most_moves: moves of one position at most, with any stops.
    longest_chain: jumps of the longest variant.
    most_gain: filled goal holes that a move, with any stops, has at one of its stops more than at an earlier one, where
        its peg began included.
    """

    children: Positions
    variants: int
    most_variants: int
    most_moves: int
    longest_chain: int
    most_gain: int


def feasible_step(
    problem: Problem, parents: Positions, number: int, total: int, capacity: int = CHILDREN_AT_ONCE
) -> FeasibleStep:
    """Make move ``number`` (from 1) of a game of ``total`` moves from each of the parents, which are feasible."""
    needed = problem.goal.bit_count() - (total - number)
    runs: list[Run] = []
    begin, maxima, variants = 0, np.zeros(4, np.int64), 0
    while begin < len(parents):
        children = np.empty(capacity, dtype=np.uint64)
        done, written, made, most = write_feasible(
            problem.forward, parents[begin:], np.uint64(problem.goal), needed, children
        )
        if done == 0:
            capacity *= 2
            continue
        runs.append(sorted_run(children[:written]))
        begin, variants, maxima = begin + done, variants + made, np.maximum(maxima, most)
    return FeasibleStep(merge(runs).positions, variants, *map(int, maxima))


@kernel
def write_feasible(
    tables: MoveTables, positions: Positions, goal: np.uint64, needed: int, children: Positions
) -> tuple[int, int, int, NDArray[np.int64]]:
    """Write the canonical child of every variant that ends in a feasible position.

    needed: filled goal holes that a position must have after the move. children: uint64 (capacity).
    Returns (parents done, children written, variants, int64 (4): most variants and most moves of a parent, jumps of the
    longest variant, and the most gain); of a parent whose children do not fit nothing is counted.
    """
    stack = new_move_stack(tables)
    # What is kept for a depth holds for all jumps that wait there: the walk below one of them writes deeper only.
    feasible = np.ones(LONGEST_CHAIN + 1, np.bool_)
    fewest = np.empty(LONGEST_CHAIN + 1, np.int64)  # filled goal holes at the stops so far
    most, goal_pegs = np.zeros(4, np.int64), popcount(goal)
    written = total = 0
    for parent in range(positions.size):
        before, variants, moves, longest, gain = written, 0, 0, 0, 0
        fewest[0] = np.int64(popcount(positions[parent] & goal))
        top = push_first_jumps(tables, positions[parent], stack)
        while top > 0:
            top -= 1
            jump, depth = stack.pending[top], stack.depths[top]
            if written == children.size:
                return parent, before, total, most
            position = stack.images[depth, 0] ^ tables.test[jump]
            filled = np.int64(popcount(position & goal))
            alive = popcount(position) > goal_pegs or position == goal
            feasible[depth + 1] = feasible[depth] and alive and filled >= needed - 1
            # An infeasible stop is gone on from, too, since these two are of moves with any stops.
            moves, gain = moves + 1, max(gain, filled - fewest[depth])
            fewest[depth + 1] = min(filled, fewest[depth])
            if feasible[depth + 1]:
                variants += 1
                longest = max(longest, depth + 1)
                if filled >= needed:
                    children[written] = least_after(tables.flips, jump, stack.images[depth])
                    written += 1
            top = push_next_jumps(tables, jump, depth, stack, top)
        total += variants
        most[0], most[1] = max(most[0], variants), max(most[1], moves)
        most[2], most[3] = max(most[2], longest), max(most[3], gain)
    return positions.size, written, total, most
