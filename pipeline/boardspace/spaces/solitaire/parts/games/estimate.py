"""Time and bytes of counting games before a position is known, for ``boardspace plan``.

From a single vacancy about a third of the positions with the parities of the start can be reached: 35 and 39 of a
hundred from the centre and a corner of 33 holes, 35 and 36 of 37 holes, rarely less. With six directions they are more:
57 and 62 of a hundred of the triangles of 21 and 28 holes. Up to symmetry they are fewer by the number of symmetries
that keep the start. What takes time and room is rows: each shard writes a row for each position that it reaches, so a
position that several shards of the level above reach has as many. These are more where a level has more shards.
"""

import math
from typing import NamedTuple

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.vacancy import vacancies
from boardspace_kernels.solitaire.classes.parity import board_invariants

REACHED = {"square": 0.36, "triangular": 0.6}
SECONDS_PER_ROW = 4.8e-7
"""Of one core, for each row; fitted to runs from all starts of 33 holes and the centre of 37, and of triangles."""
BYTES_PER_ROW = 6
SECONDS_PER_POSITION = 1.1e-6
ROWS_OF_A_FULL_SHARD = 2
"""Of a shard of a large level: rows that it reads for each position that it has; and what such a position takes."""
MOST_ROWS = 10
"""Rows of a position: one from each shard in which jumps lead to it, so no more than there are such jumps."""
SHARDS_FULL = {"square": 11, "triangular": 3.4}
"""Positions that have one row each, in shards; fitted, too, for six directions to a run from one start of 28 holes."""


class Cost(NamedTuple):
    """Seconds of one core, seconds of the longest shards of all levels together, and bytes written."""

    seconds: float
    longest: float
    bytes: int


def cost(config: SolitaireConfig) -> Cost:
    """About what the games of all starts of a config take."""
    rows, longest = 0.0, 0.0
    for start in (start for section in config.games for start in vacancies(section, config.boards)):
        board = start.board
        free = board.holes - len(board_invariants(board))
        found = REACHED[board.grid] * 2**free / len(board.stabiliser(start.start))
        rows += found * rows_of_a_position(found / config.rows_per_shard, board.grid)
        levels = (found * math.comb(board.holes, pegs) / 2**board.holes for pegs in range(1, board.holes))
        shards = (min(level, config.rows_per_shard / ROWS_OF_A_FULL_SHARD) for level in levels)
        longest = max(longest, sum(shards) * SECONDS_PER_POSITION)
    return Cost(rows * SECONDS_PER_ROW, longest, int(rows * BYTES_PER_ROW))


def rows_of_a_position(shards: float, grid: str) -> float:
    """Number of rows of each position, where all positions would fill so many shards: by the square root of these.

    80 million positions of 33 holes in shards of two million had 1.9 rows each, 374 million of 37 holes 4.0, and 20
    million of a triangle 1.7.
    """
    return min(MOST_ROWS, max(1.0, math.sqrt(shards / SHARDS_FULL[grid])))
