"""Sliding blocks of any pieces: packings counted, boards shown and solved, the hardest puzzles.

>>> from boardspace import sliding_blocks
>>> sliding_blocks.count(4, 4).packings
55807716
>>> board = sliding_blocks.parse("AAB/.CB")
>>> len(sliding_blocks.solve(board, "C", to=(2, 1)).moved)
1
"""

from boardspace.spaces.sliding_blocks.answers import (
    Board,
    Count,
    Group,
    Hardest,
    Solution,
    count,
    group,
    hardest,
    parse,
    solve,
)

__all__ = ["Board", "Count", "Group", "Hardest", "Solution", "count", "group", "hardest", "parse", "solve"]
