"""Compiles the kernels of this space by calling each once."""

import numpy as np

from boardspace_kernels.rush_hour.lines import lines
from boardspace_kernels.rush_hour.search import search_labels
from boardspace_kernels.rush_hour.unit import search_labels as search_unit_labels


def warm_up() -> None:
    """Compile all kernels that runs use, on the board of 3 x 3 cells."""
    search_labels(lines(3, 1), 0, np.arange(1), 1)


def warm_up_unit() -> None:
    """Compile the kernels of boards with cars of one cell, on the square of 2 x 2 cells."""
    search_unit_labels(2, 3, np.arange(9))
