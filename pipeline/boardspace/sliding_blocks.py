"""Sliding blocks of any pieces: packings counted, boards shown and solved, the hardest puzzles.

>>> from boardspace import sliding_blocks
>>> sliding_blocks.count(4, 4).packings
55807716
>>> sliding_blocks.solve("AAB/.CB", "C", to=(2, 1))
Solution(1 step)
"""

from boardspace.spaces.sliding_blocks.answers import Count, Group, count, group, hardness, moves, solve
from boardspace.spaces.sliding_blocks.boards import Board, parse
from boardspace.spaces.sliding_blocks.puzzles import Puzzle, hardest, random
from boardspace.spec.slides import Moves, Solution

__all__ = [
    "Board",
    "Count",
    "Group",
    "Moves",
    "Puzzle",
    "Solution",
    "count",
    "group",
    "hardest",
    "hardness",
    "moves",
    "parse",
    "random",
    "solve",
]
