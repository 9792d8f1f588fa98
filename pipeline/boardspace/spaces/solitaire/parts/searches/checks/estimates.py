"""Estimated numbers of games, drawn again: the draws follow from their seed, so they say the same to the last digits.

That the estimates are right is another check's (``layers.check_sequences``), by games of its own.
"""

from math import isclose

import numpy as np

from boardspace.spaces.solitaire.board_files import problem_params
from boardspace.spaces.solitaire.boards import problem_of
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.parts.searches.checks.layers import DRAWN_BY_THE_RUN, Frontiers
from boardspace.spaces.solitaire.problems import slug
from boardspace.spec.check import by_folders
from boardspace.spec.space import Inputs, Outcome
from boardspace_kernels.runs import Run
from boardspace_kernels.solitaire.sequences import estimate_sequences

PRECISION = 1e-12
"""Relative; sums of floats differ by this little from one processor to another."""


def check_drawn_again(frontiers: Frontiers, config: SolitaireConfig, inputs: Inputs, found_right: Outcome) -> Outcome:
    """The estimates of a search, by the same games as the run drew; ``found_right`` if nothing is wrong with them."""
    search = frontiers.search
    found = by_folders(inputs.table("sequences"), ("problem",)).get((slug(search.problem),))
    if found is None or search.games <= search.forward:
        return found_right
    rows = found.to_pylist()[search.forward + 1 :]
    layer = frontiers.layers["forward"][-1]
    problem = problem_of(problem_params(search.problem, config.boards))
    run = Run(np.array(layer.position), np.array(layer.ways))
    estimates = estimate_sequences(problem.forward, run, search.games - search.forward, DRAWN_BY_THE_RUN, seed=0)
    for row, estimate in zip(rows, estimates, strict=True):
        for name, value in estimate._asdict().items():
            if not isclose(row[name], value, rel_tol=PRECISION):
                return Outcome(len(rows), len(rows), f"{row['moves']} moves: its {name} is {value}, drawn again")
    return found_right
