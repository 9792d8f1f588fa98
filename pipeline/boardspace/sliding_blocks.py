"""Sliding blocks of any pieces: packings counted, boards shown and solved, the hardest puzzles.

>>> from boardspace import sliding_blocks
>>> sliding_blocks.count(4, 4).packings
55807716
>>> sliding_blocks.solve("AAB/.CB", "C", to=(2, 1))
Solution(1 step)
"""

from boardspace.spaces.sliding_blocks.answers import (
    Board,
    Count,
    Group,
    Puzzle,
    Solution,
    count,
    group,
    hardest,
    parse,
    random,
    solve,
)

__all__ = [
    "Board",
    "Count",
    "Group",
    "Puzzle",
    "Solution",
    "count",
    "group",
    "hardest",
    "parse",
    "random",
    "solve",
]
