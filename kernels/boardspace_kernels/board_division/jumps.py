"""Jumps of peg solitaire on an unbounded board, as three short arrays, and a referee who replays them.

A peg at (row, column) jumps in a direction over the peg next to it onto the empty cell beyond, and the peg jumped over
is removed. Rows go down and columns to the right, from 0 at the upper left peg of the rectangle; cells outside the
rectangle have negative or larger ones. A sequence of J jumps is five bytes a jump: the cell it starts from in 16 bits
per coordinate, and the direction in 8.

The referee trusts no jump. It knows the rules and one theorem, Conway's: pegs that start in a half-plane never get
beyond its fourth row outside (:mod:`.fewest_pegs` proves it). So an m x n rectangle with a margin of four cells all
round holds every position, and a jump that starts or lands outside it cannot be a legal one.

Cost: a handful of steps per jump.
"""

from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import kernel

UP, RIGHT, DOWN, LEFT = range(4)
LETTERS = "URDL"
DIRECTIONS = len(LETTERS)
ROW_STEP = np.array([-1, 0, 1, 0], np.int64)
COLUMN_STEP = np.array([0, 1, 0, -1], np.int64)
ROW_STEP.flags.writeable = COLUMN_STEP.flags.writeable = False

MARGIN = 4
"""No peg leaves a rectangle by more cells than this."""
LARGEST_SIDE = 32_000
"""The longest side of a rectangle: its cells and the few around it have 16-bit coordinates."""


class RectangleError(ValueError):
    """A rectangle of pegs that is empty or too large."""


class Jumps(NamedTuple):
    """Jumps in order: the cells they start from, ``rows`` and ``columns`` int16 [j], and ``directions`` uint8 [j]."""

    rows: NDArray[np.int16]
    columns: NDArray[np.int16]
    directions: NDArray[np.uint8]


def require_rectangle(m: int, n: int) -> None:
    """Raise :class:`RectangleError` unless there is an m x n rectangle whose jumps :class:`Jumps` can hold."""
    for name, value in (("m", m), ("n", n)):
        if not 1 <= value <= LARGEST_SIDE:
            raise RectangleError(f"{name} = {value}: a rectangle of pegs has sides 1 to {LARGEST_SIDE}")


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
    """Play on ``pegs`` [rows, columns], its margin included; return the first jump at fault and its :class:`Fault`."""
    height, width = pegs.shape
    for j in range(rows.size):
        if directions[j] >= DIRECTIONS:
            return j, Fault.NO_DIRECTION.value
        row, column = rows[j] + MARGIN, columns[j] + MARGIN
        # Bounds are asked first, as a negative index would count from the other end in silence.
        if not (0 <= row < height and 0 <= column < width and pegs[row, column]):
            return j, Fault.NO_PEG.value
        down, right = ROW_STEP[directions[j]], COLUMN_STEP[directions[j]]
        if not (0 <= row + down < height and 0 <= column + right < width and pegs[row + down, column + right]):
            return j, Fault.NOTHING_TO_JUMP.value
        to_row, to_column = row + 2 * down, column + 2 * right
        if not (0 <= to_row < height and 0 <= to_column < width) or pegs[to_row, to_column]:
            return j, Fault.NO_ROOM.value
        pegs[row, column] = pegs[row + down, column + right] = 0
        pegs[to_row, to_column] = 1
    return 0, Fault.NONE.value


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
        letter = LETTERS[direction] if direction < DIRECTIONS else str(direction)
        raise JumpError(f"jump {at + 1}, from ({row + 1}, {column + 1}) {letter}, {_SAID[Fault(fault)]}")
    return np.argwhere(pegs) - MARGIN
