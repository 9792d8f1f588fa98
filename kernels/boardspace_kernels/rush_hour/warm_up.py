"""Compiles the kernels of this space by calling each once."""

import numpy as np

from boardspace_kernels.rush_hour.lines import lines
from boardspace_kernels.rush_hour.search import search_labels


def warm_up() -> None:
    """Compile all kernels that runs use, on the board of 3 x 3 cells."""
    search_labels(lines(3, 1), 0, np.arange(1), 1)
