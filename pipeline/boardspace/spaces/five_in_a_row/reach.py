"""Refuses boards of a config that no run can solve."""

from math import gcd
from typing import TYPE_CHECKING

from boardspace_kernels.five_in_a_row import reach
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.periodic import base_of, bases

if TYPE_CHECKING:
    from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard


def refuse_out_of_reach(config: "FiveInARowConfig") -> None:
    """Refuse a config with a board to be searched that is too large; the ValueError names it and the limit."""
    searched = [*config.boards, *(split.board for split in config.split)]
    for k, rows, columns in [*searched, *((k, side, side) for k, side in config.squares)]:
        reach.refuse_out_of_reach(Board((rows, columns), k))


def refuse_without_base(config: "FiveInARowConfig", large: "SizedBoard") -> None:
    """Refuse a carried board that no board of the config can prove; the ValueError names a board to add."""
    k, *sides = large
    if gcd(k, 6) != 1 or large.columns < k:
        raise ValueError(
            f"carried {tuple(large)}: a board is proved from a smaller one by best cells, for k = 5, 7, 11 and 13, "
            "where no side is below k; put it among the boards"
        )
    computed = {
        (n, m) for of, side in config.squares if of == k for n in range(1, side + 1) for m in range(1, side + 1)
    }
    for board in config.boards:
        if board.k == k:
            computed |= {(board.rows, board.columns), (board.columns, board.rows)}
    if not bases(k, (large.rows, large.columns), computed):
        nearest = sorted((k + side % k for side in sides), reverse=True)
        longer = sorted(base_of(k, (large.rows, large.columns)), reverse=True)
        counted = "" if nearest == longer else f", or {[k, *longer]}, from which the number of placements may follow"
        raise ValueError(
            f"carried {tuple(large)}: it follows from a searched board with sides smaller by multiples of {k}, "
            f"and none is here: add {[k, *nearest]} to the boards{counted}"
        )
