"""Calling each kernel of board division that runs use, once: numba compiles them and keeps their code."""

from boardspace_kernels.board_division.cover_counts import count_all_covers, count_covers
from boardspace_kernels.board_division.jumps import replay
from boardspace_kernels.board_division.rectangle_jumps import reducing_jumps
from boardspace_kernels.board_division.rectangle_search import search_rectangle


def warm_up() -> None:
    """Compile the kernels that runs use, on the smallest boards.

    Those that count all covers of a board are compiled by the first who asks for these.
    """
    count_covers(2)
    replay(1, 2, reducing_jumps(1, 2))
    search_rectangle(1, 2)


def warm_up_squares() -> None:
    """Compile the kernels that count covers with a single cell anywhere: sides that 3 divides have none."""
    for side in (4, 6):
        count_all_covers(side)
