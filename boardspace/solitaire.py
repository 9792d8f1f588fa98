"""Peg solitaire on any board: replay games, find the fewest moves with all solutions, or prove that there are none.

>>> from boardspace import solitaire
>>> corner = solitaire.problem("triangle15", "corner")
>>> solved = solitaire.solve(corner)
>>> solved.moves
10
>>> solitaire.replay(corner, solved.games[0].text).reaches_goal
True
"""

from boardspace.pipeline.spaces.solitaire.answers import (
    Game,
    Impossible,
    Solved,
    boards,
    problem,
    replay,
    solve,
)

__all__ = ["Game", "Impossible", "Solved", "boards", "problem", "replay", "solve"]
