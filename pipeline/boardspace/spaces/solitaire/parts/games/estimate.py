"""Time and bytes of counting games before a position is known, for ``boardspace plan``.

From a single vacancy about a third of the positions with the parities of the start can be reached: 35 and 39 of a
hundred from the centre and a corner of 33 holes, 35 and 36 of 37 holes, rarely less. With six directions they are more:
57 and 62 of a hundred of the triangles of 21 and 28 holes. Up to symmetry they are fewer by the number of symmetries
that keep the start. A position takes the time of its jumps, which are more on a board that has more.
"""

from typing import NamedTuple

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.classes.vacancy import vacancies
from boardspace_kernels.solitaire.classes.parity import board_invariants

REACHED = {"square": 0.36, "triangular": 0.6}
SECONDS_PER_JUMP = 1.2e-8
"""Of one core, for each position and each jump of the board, possible there or not, with what is read and written."""
BYTES_PER_POSITION = 10


class Cost(NamedTuple):
    """Seconds of one core, and bytes written."""

    seconds: float
    bytes: int


def cost(config: SolitaireConfig) -> Cost:
    """About what the games of all starts of a config take."""
    seconds = positions = 0.0
    for start in (start for section in config.games for start in vacancies(section, config.boards)):
        board = start.board
        free = board.holes - len(board_invariants(board))
        found = REACHED[board.grid] * 2**free / len(board.stabiliser(start.start))
        positions += found
        seconds += found * len(board.jumps) * SECONDS_PER_JUMP
    return Cost(seconds, int(positions * BYTES_PER_POSITION))
