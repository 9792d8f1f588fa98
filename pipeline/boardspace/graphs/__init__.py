"""Rules in, complete space out: a puzzle of states and moves becomes a space from its rules alone.

An author writes the moves twice: as a kernel, which is quick, and in plain Python, which shares nothing with it. All
else is made here: the search, sharded and restartable, tables and arrays with their checks, claims, questions and play.
"""

from boardspace.graphs.claims import Count, DeadEnds, Greatest, LevelCounts, States, Takes, ToGoal
from boardspace.graphs.nets import Net, Pieces, cycled
from boardspace.graphs.puzzle import Case, Closed, Dense, OwnColumn, Puzzle, SecondRules, Size, Sparse
from boardspace.graphs.space import space_of

__all__ = [
    "Case",
    "Closed",
    "Count",
    "DeadEnds",
    "Dense",
    "Greatest",
    "LevelCounts",
    "Net",
    "OwnColumn",
    "Pieces",
    "Puzzle",
    "SecondRules",
    "Size",
    "Sparse",
    "States",
    "Takes",
    "ToGoal",
    "cycled",
    "space_of",
]
