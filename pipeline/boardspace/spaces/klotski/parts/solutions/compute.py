"""Computes distances to the exit and numbers of solutions of the layouts of a class, and measures the claim on
shortest paths where the run has no net."""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski import answers
from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.texts import EXAMPLES
from boardspace.spec.space import Inputs, Measurement
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.distances import moves_to_exit
from boardspace_kernels.klotski.group_graphs import GroupGraphs
from boardspace_kernels.klotski.moves import STRAIGHT, UNIT
from boardspace_kernels.klotski.nearest_solutions import class_solutions


def solution_columns(layouts: ClassLayouts, graphs: GroupGraphs, counted_group: int) -> dict[str, NDArray[Any]]:
    """Compute the columns of ``solution`` for a class, by name, in order of codes."""
    found = class_solutions(layouts, graphs, counted_group)
    number = found.number.astype(np.int32)
    number[: found.counted] = -1
    columns: dict[str, NDArray[Any]] = {
        "min_solution_step": found.least,
        "min_solution_num": found.nearest,
        "solution_num": number,
        "min_straight_step": moves_to_exit(layouts, graphs, STRAIGHT),
        "min_unit_move": moves_to_exit(layouts, graphs, UNIT),
    }
    return {name: graphs.by_code(values) for name, values in columns.items()}


def measure_claims(config: KlotskiConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Count the shortest paths from the first example of the text to a farthest layout; a net counts all."""
    return {} if config.net else {"many-paths": _paths_of_an_example()}


@cache
def _paths_of_an_example() -> Measurement:
    farthest = answers.farthest(EXAMPLES[0])[0]
    paths = answers.path(EXAMPLES[0], farthest)
    assert paths is not None
    evidence = f"one pair is enough: {paths.count:,} shortest paths lead from {EXAMPLES[0]} to {farthest.text}"
    return Measurement(paths.count > 1, evidence, basis="proof")
