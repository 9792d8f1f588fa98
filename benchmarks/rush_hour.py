"""Rush Hour: boards searched by labels, per core second."""

import numpy as np

from benchmarks.harness import Job, benchmark
from boardspace_kernels.rush_hour.figures import BOARDS
from boardspace_kernels.rush_hour.lines import lines
from boardspace_kernels.rush_hour.search import labels_of, search_labels


@benchmark(unit="boards")
def boards_searched_in_steps_and_unit_moves() -> Job:
    """Groups, least steps and unit moves, and the hardest starts of 5 x 5, classes listed by their rows."""
    tables = lines(5, 2)
    labels = np.arange(0, labels_of(tables, 0), 7)

    def job() -> int:
        return int(search_labels(tables, 0, labels, 15).labels[:, BOARDS].sum())

    return job
