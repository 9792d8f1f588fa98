"""Lists best cells, their operations, and the variable matrix."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.cells.part import CELLS, WINDOWS
from boardspace.spec.space import Inputs, Output, Shard
from boardspace_kernels.five_in_a_row.best_cells import are_linear, best_cells, operation_table, torus_classes
from boardspace_kernels.five_in_a_row.periodic import variable_matrix


def cut_cells(config: FiveInARowConfig, inputs: Inputs) -> list[Shard]:
    """One shard for each order."""
    return [Shard(f"{n:02}", {"n": n}, cost=0.01 + 0.4 * 2.5 ** (n - 13)) for n in sorted(set(config.cells))]


def list_cells(config: FiveInARowConfig, params: Mapping[str, Any], inputs: Inputs) -> Output:
    """The best cells of one order; empty where 2 or 3 divides it."""
    n = params["n"]
    cells = best_cells(n)
    if not len(cells):
        return Output(facts={"n": n, "cells": 0, "classes": 0, "orbits": 0})
    operations = operation_table(cells)
    rows = CELLS.from_columns(
        n=np.full(len(cells), n),
        cell=np.arange(1, len(cells) + 1),
        columns=cells.tolist(),
        linear=are_linear(cells),
        h_1=operations["H_1"],
        s_1=operations["S_1"],
    )
    i, j = (side.ravel() for side in np.indices((n, n)))
    windows = WINDOWS.from_columns(
        n=np.full(n * n, n), i=i, j=j, stones=variable_matrix(cells).ravel(), formula=i * j // n
    )
    facts = {
        "n": n,
        "cells": len(cells),
        "classes": torus_classes(cells),
        "orbits": _orbits(operations["H_1"], operations["S_1"]),
    }
    return Output({"cells": rows, "windows": windows}, facts=facts)


def _orbits(shift: Any, turn: Any) -> int:
    """Number of orbits of the cells under H_1 and S_1, from the numbers of their images."""
    orbit = np.arange(len(shift))
    while True:
        merged = np.minimum(orbit, np.minimum(orbit[shift - 1], orbit[turn - 1]))
        if (merged == orbit).all():
            return len(np.unique(orbit))
        orbit = merged
