"""Jumps of peg solitaire on an unbounded board, as three short arrays.

A peg at (row, column) jumps in a direction over the peg next to it onto the empty cell beyond, and the peg jumped over
is removed. Rows go down and columns to the right, from 0 at the upper left peg of the rectangle; cells outside the
rectangle have negative or larger ones. A sequence of J jumps is five bytes a jump: the cell it starts from in 16 bits
per coordinate, and the direction in 8.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

UP, RIGHT, DOWN, LEFT = range(4)
LETTERS = "URDL"
ROW_STEP = np.array([-1, 0, 1, 0], np.int64)
COLUMN_STEP = np.array([0, 1, 0, -1], np.int64)
ROW_STEP.flags.writeable = COLUMN_STEP.flags.writeable = False

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


def empty_jumps(count: int) -> Jumps:
    """Room for ``count`` jumps."""
    return Jumps(np.empty(count, np.int16), np.empty(count, np.int16), np.empty(count, np.uint8))
