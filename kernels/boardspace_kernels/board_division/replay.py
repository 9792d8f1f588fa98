"""A referee for peg solitaire on an unbounded board: replays jumps and trusts none of them.

It knows the rules and one theorem, Conway's: pegs that start in a half-plane never get beyond its fourth row outside
(:mod:`.rectangle.bounds` proves it). So an m x n rectangle with a margin of four cells all round
holds every position, and a jump that starts or lands outside it cannot be a legal one.

Cost: a handful of steps per jump.
"""

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.board_division.jumps import COLUMN_STEP, LETTERS, ROW_STEP, Jumps, require_rectangle
from boardspace_kernels.board_division.rectangle.bounds import MARGIN
from boardspace_kernels.jit import kernel


class JumpError(ValueError):
    """A jump that the rules do not allow."""


class Fault(IntEnum):
    """Faults of a jump."""

    NONE = 0
    NO_DIRECTION = 1
    NO_PEG = 2
    NOTHING_TO_JUMP = 3
    NO_ROOM = 4


_SAID = {
    Fault.NO_DIRECTION: "has no direction U, R, D or L",
    Fault.NO_PEG: "starts from a cell without a peg",
    Fault.NOTHING_TO_JUMP: "has no peg to jump over",
    Fault.NO_ROOM: "does not land on an empty cell",
}


@kernel
def _replay(
    pegs: NDArray[np.uint8],
    rows: NDArray[np.int16],
    columns: NDArray[np.int16],
    directions: NDArray[np.uint8],
) -> tuple[int, int]:
    """Play on ``pegs`` [rows, columns], its margin included; return the first jump at fault and the fault, or 0."""
    height, width = pegs.shape
    for j in range(rows.size):
        if directions[j] > 3:
            return j, 1
        row, column = rows[j] + MARGIN, columns[j] + MARGIN
        if not (0 <= row < height and 0 <= column < width and pegs[row, column]):
            return j, 2
        down, right = ROW_STEP[directions[j]], COLUMN_STEP[directions[j]]
        if not (0 <= row + down < height and 0 <= column + right < width and pegs[row + down, column + right]):
            return j, 3
        to_row, to_column = row + 2 * down, column + 2 * right
        if not (0 <= to_row < height and 0 <= to_column < width) or pegs[to_row, to_column]:
            return j, 4
        pegs[row, column] = pegs[row + down, column + right] = 0
        pegs[to_row, to_column] = 1
    return 0, 0


def replay(m: int, n: int, jumps: Jumps) -> NDArray[np.int64]:
    """The cells [p, 2] with a peg after ``jumps`` are played from the m x n rectangle, in reading order.

    Raises :class:`RectangleError` for the rectangle and :class:`JumpError` for the first jump against the rules;
    it counts jumps, rows and columns from 1.
    """
    require_rectangle(m, n)
    pegs = np.zeros((m + 2 * MARGIN, n + 2 * MARGIN), np.uint8)
    pegs[MARGIN : MARGIN + m, MARGIN : MARGIN + n] = 1
    at, fault = _replay(pegs, *jumps)
    if fault:
        row, column, direction = (int(values[at]) for values in jumps)
        letter = LETTERS[direction] if direction < 4 else str(direction)
        raise JumpError(f"jump {at + 1}, from ({row + 1}, {column + 1}) {letter}, {_SAID[Fault(fault)]}")
    return np.argwhere(pegs) - MARGIN
