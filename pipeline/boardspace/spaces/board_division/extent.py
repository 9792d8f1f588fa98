"""Scopes of the divisions of chessboards: how much of them a config covers.

There is no end of boards; the whole is that of version 2 of the dataset, as the config ``laptop`` has it.
"""

from collections.abc import Callable, Collection, Hashable
from functools import cache

from boardspace.spaces.board_division.config import BoardDivisionConfig, LargeBoard
from boardspace.spec.space import Scope

BOARDS, SQUARES = "boards with covers", "squares with counted covers"
LARGE, VALUES, JUMPS = "large boards", "sides of rectangles", "sides of rectangles with jumps"
PEGS, LINES, STRIPS = "sizes of searched rectangles", "lengths of lines", "rows of strips"


@cache
def published() -> BoardDivisionConfig:
    """The config of version 2."""
    return BoardDivisionConfig(
        special_boards=6,
        large_boards=(LargeBoard(10, 77, 1000), LargeBoard(13, 5001, 78)),
        cover_counts=16,
        values=1000,
        sequences=24,
        search_pegs=18,
        lines=150,
        strips=9,
    )


def _scope(name: str, covers: Callable[[BoardDivisionConfig], Collection[Hashable]], extra: bool = False) -> Scope:
    return Scope(name, covers, lambda: covers(published()), extra)


SCOPES = (
    _scope(BOARDS, lambda config: [f"{1 << k} x {1 << k}" for k in range(config.special_boards + 1)]),
    _scope(LARGE, lambda config: [f"k = {k}, cell ({row}, {column})" for k, row, column in config.large_boards], True),
    _scope(SQUARES, lambda config: range(1, config.cover_counts + 1)),
    _scope(VALUES, lambda config: range(1, config.values + 1)),
    _scope(JUMPS, lambda config: range(1, config.sequences + 1)),
    _scope(PEGS, lambda config: range(1, config.search_pegs + 1)),
    _scope(LINES, lambda config: range(1, config.lines + 1)),
    _scope(STRIPS, lambda config: range(2, config.strips + 1)),
)
