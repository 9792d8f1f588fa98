"""Ends, core and weights: in which order blocks of positions can be made.

A hole that no jump passes over is an *end*; the others are the *core*. The pegs of the core are the number of a block
of positions, and a jump that has an end at one side or at both changes the core in its other holes. Blocks can be made
one after the other if every jump leads to a core that is lighter, for some weight of each hole of the core (an end
weighs nothing). A jump from a over b to c lowers the weight by w(a) + w(b) - w(c), which has to be positive:

* where a and b are in the core, it is so if no hole weighs as much as two others;
* where a is an end and c is not, b has to weigh more than c;
* where both are ends, w(b) > 0 does.

Draw an arrow from b to c for the second kind. Let x(b) be the longest path of arrows from b, and the weight
K + x(b), with K larger than every x: all conditions hold. If the arrows have a cycle, no weights can meet them; so the
ends whose arrows lie on a cycle are counted as core, which has fewer conditions, until there is none. On the English
board and its relatives x is 1 on the holes over which an end jumps into the core, and the weights are 3 there, else 2.
"""

from typing import NamedTuple

from boardspace_kernels.solitaire.board import Board

Arrow = tuple[int, int]


class Weights(NamedTuple):
    """ends: the holes that are bits inside a block. core: the others. weight: of each hole, 0 of an end."""

    ends: tuple[int, ...]
    core: tuple[int, ...]
    weight: tuple[int, ...]


def find_weights(board: Board) -> Weights:
    """Weights with as many ends as the longest-path weights allow."""
    jumps: list[list[int]] = board.jumps.tolist()
    ends = set(range(board.holes)) - {over for _, over, _ in jumps}
    while spoilt := _on_cycles(jumps, ends):
        ends -= spoilt
    extra = _longest_paths(board.holes, {arrow for _, arrow in _arrows(jumps, ends)})
    weight = [0 if hole in ends else max(extra) + 1 + extra[hole] for hole in range(board.holes)]
    core = tuple(hole for hole in range(board.holes) if hole not in ends)
    return Weights(tuple(sorted(ends)), core, tuple(weight))


def _arrows(jumps: list[list[int]], ends: set[int]) -> list[tuple[int, Arrow]]:
    """Each jump of an end into the core: the end, and (hole passed over, hole reached)."""
    return [(a, (b, c)) for a, b, c in jumps if a in ends and c not in ends]


def _on_cycles(jumps: list[list[int]], ends: set[int]) -> set[int]:
    """The ends with an arrow on a cycle."""
    arrows = _arrows(jumps, ends)
    return {end for end, (b, c) in arrows if b in _reachable(c, {arrow for _, arrow in arrows})}


def _reachable(hole: int, arrows: set[Arrow]) -> set[int]:
    found, fresh = {hole}, {hole}
    while fresh:
        fresh = {c for b, c in arrows if b in fresh} - found
        found |= fresh
    return found


def _longest_paths(holes: int, arrows: set[Arrow]) -> list[int]:
    """For each hole the number of arrows on the longest path from it; the arrows have no cycle."""
    longest = [0] * holes
    for _ in range(holes):
        longest = [max((1 + longest[c] for b, c in arrows if b == hole), default=0) for hole in range(holes)]
    return longest
