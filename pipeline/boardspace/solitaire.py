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
>>> solitaire.count_games("triangle15", "all but 1").won
29760
"""

from boardspace.spaces.solitaire.answers import Game, Impossible, Solved, boards, problem, replay, solve
from boardspace.spaces.solitaire.parts.classes.class_counts import ClassCount, ClassLevel, count_class
from boardspace.spaces.solitaire.parts.classes.queries import (
    Answer,
    ClassAnswers,
    NextJump,
    NextMove,
    answers_from,
    answers_now,
)
from boardspace.spaces.solitaire.parts.games.all_starts import BoardGames, VacancyGames, count_games_of_board
from boardspace.spaces.solitaire.parts.games.queries import (
    BoardProblems,
    GameCount,
    MoveGameCount,
    ProblemGames,
    count_games,
    count_move_games,
    count_problems,
)

__all__ = [
    "Answer",
    "BoardGames",
    "BoardProblems",
    "ClassAnswers",
    "ClassCount",
    "ClassLevel",
    "Game",
    "GameCount",
    "Impossible",
    "MoveGameCount",
    "NextJump",
    "NextMove",
    "ProblemGames",
    "Solved",
    "VacancyGames",
    "answers_from",
    "answers_now",
    "boards",
    "count_class",
    "count_games",
    "count_games_of_board",
    "count_move_games",
    "count_problems",
    "problem",
    "replay",
    "solve",
]
