"""Placements as pictures and as text."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from boardspace.cli.drawing import Picture
from boardspace.spaces.five_in_a_row.texts import board_lines

CELL = 22


def picture(placement: npt.NDArray[np.bool_]) -> Picture:
    """A placement, bool (rows, columns), as a picture."""
    rows, columns = placement.shape
    drawn = Picture(CELL * columns + 2, CELL * rows + 2)
    for row in range(rows):
        for column in range(columns):
            x, y = CELL * column + 1, CELL * row + 1
            drawn.rect(x, y, CELL, CELL, "#f4ecd8", stroke="#6e4b1f", stroke_width=0.5)
            if placement[row, column]:
                drawn.circle(x + CELL / 2, y + CELL / 2, 0.4 * CELL, "#222")
    return drawn


def drawing(placement: npt.NDArray[np.bool_]) -> Iterator[str]:
    """A placement in lines of text: # a stone, . a free cell."""
    return board_lines(placement)
