"""Solve one problem: a shortest solution, or why there is none."""

from typing import NamedTuple

import numpy as np

from boardspace_kernels.solitaire.moves import canonical
from boardspace_kernels.solitaire.play import Move, Play
from boardspace_kernels.solitaire.problem import Problem
from boardspace_kernels.solitaire.search import Meeting, Unsolvable, meet


class Solved(NamedTuple):
    """A shortest solution and, up to symmetry, the positions that were looked at to prove that none is shorter."""

    moves: tuple[Move, ...]
    positions: int


def solve(problem: Problem, most_positions: int) -> Solved | Unsolvable:
    """The first shortest solution in order of its moves, or the proof that there is none.

    Raises SearchTooLargeError where more than ``most_positions`` positions would be held (see ``search.meet``).
    """
    meeting = meet(problem, most_positions)
    if isinstance(meeting, Unsolvable):
        return meeting
    held = sum(map(len, meeting.forward)) + sum(map(len, meeting.backward))
    return Solved(first_game(meeting), held)


def first_game(meeting: Meeting) -> tuple[Move, ...]:
    """The shortest solution whose moves come first."""
    play, position = Play(meeting.problem.board), meeting.problem.start
    game = []
    for layer in meeting.shortest_layers()[1:]:
        inside = set(layer.tolist())
        steps = list(play.moves(position))
        children = canonical(meeting.problem.forward, np.array([child for _, child in steps], dtype=np.uint64))
        move, position = next(step for step, child in zip(steps, children.tolist(), strict=True) if child in inside)
        game.append(move)
    return tuple(game)
