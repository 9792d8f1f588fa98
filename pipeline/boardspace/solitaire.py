"""Peg solitaire on any board: replay games, find the fewest moves with all solutions, or prove that there are none.

>>> from boardspace import solitaire
>>> corner = solitaire.problem("triangle15", "corner")
>>> solved = solitaire.solve(corner)
>>> solved.moves
10
>>> solitaire.replay(corner, solved.games[0].text).reaches_goal
True
>>> known = solitaire.answers_now("triangle15", 1)
>>> [(jump.begin, jump.end, jump.can_win) for jump in known.ask(known.vacancy.start).jumps]
[(4, 1, True), (6, 1, True)]
"""

from boardspace.spaces.solitaire.answers import (
    Game,
    Impossible,
    Solved,
    boards,
    problem,
    replay,
    solve,
)
from boardspace.spaces.solitaire.parts.classes.queries import (
    Answer,
    ClassAnswers,
    NextJump,
    NextMove,
    answers_from,
    answers_now,
)

__all__ = [
    "Answer",
    "ClassAnswers",
    "Game",
    "Impossible",
    "NextJump",
    "NextMove",
    "Solved",
    "answers_from",
    "answers_now",
    "boards",
    "problem",
    "replay",
    "solve",
]
