"""Computes distances to the exit and numbers of solutions of the layouts of a class."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.klotski.board import EXIT
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.codes import BLOCK_SHIFT
from boardspace_kernels.klotski.group_graphs import GroupGraphs
from boardspace_kernels.klotski.moves import STRAIGHT, UNIT
from boardspace_kernels.klotski.search import distances
from boardspace_kernels.klotski.solutions import class_solutions


def solution_columns(layouts: ClassLayouts, graphs: GroupGraphs, counted_group: int) -> dict[str, NDArray[Any]]:
    """Compute the columns of ``solution`` for a class, by name, in order of codes."""
    found = class_solutions(layouts, graphs, counted_group)
    number = found.number.astype(np.int32)
    number[: found.counted] = -1
    order = layouts.name_order()
    columns = {}
    for name, values in (
        ("min_solution_step", found.least),
        ("min_solution_num", found.nearest),
        ("solution_num", number),
    ):
        columns[name] = np.empty_like(values)
        columns[name][order] = values
    tables = layouts.tables
    exits = layouts.addresses[layouts.codes >> np.uint64(BLOCK_SHIFT) == EXIT]
    images = np.empty_like(layouts.addresses)
    named = layouts.addresses[order]
    images[named] = named[graphs.reflections.mirrored]
    for name, metric in (("min_straight_step", STRAIGHT), ("min_unit_move", UNIT)):
        columns[name] = distances(tables.patterns, tables.fillings, metric, exits, images)[layouts.addresses]
    return columns
