"""Calling each kernel of board division that runs use, once: numba compiles them and keeps their code."""

import numpy as np

from boardspace_kernels.board_division.cover_check import owned_runs
from boardspace_kernels.board_division.cover_counts import count_all_covers, count_covers
from boardspace_kernels.board_division.covers import Block, cover_block, covers
from boardspace_kernels.board_division.jumps import replay
from boardspace_kernels.board_division.rectangle_jumps import reducing_jumps
from boardspace_kernels.board_division.rectangle_search import search_rectangle


def warm_up() -> None:
    """Compile the kernels that runs use, for their dtypes, on the smallest boards.

    Those that count all covers of a board are compiled by the first who asks for these.
    """
    for k in (4, 9):
        owned_runs(cover_block(k, 0, 0, Block(4, 0, 0)), 16, 16)
    owned_runs(np.zeros((2, 2), np.int64), 2, 2)
    covers(1, 0, 1)
    count_covers(2)
    replay(5, 5, reducing_jumps(5, 5))
    replay(1, 2, reducing_jumps(1, 2))
    search_rectangle(1, 2)


def warm_up_squares() -> None:
    """Compile the kernels that count covers with a single cell anywhere: sides that 3 divides have none."""
    for side in (4, 6):
        count_all_covers(side)
