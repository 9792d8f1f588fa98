"""Compiles the kernels of this space by calling each once, on small trays. The steps are done side by side:
what a step does not compile itself, it has by the Python that the kernels are written in."""

import numpy as np

from boardspace_kernels.jit import interpreted
from boardspace_kernels.sliding_blocks.corner import (
    WAYS,
    Shift,
    choose_ways,
    fill_shift,
    marks,
    place_marks,
    search_backwards,
)
from boardspace_kernels.sliding_blocks.enumeration import Classes, enumerate_classes
from boardspace_kernels.sliding_blocks.step_graph import join_positions, workspace
from boardspace_kernels.sliding_blocks.survey import survey_classes
from boardspace_kernels.sliding_blocks.tray import Tray, tray

PIECES, POSITIONS = (1, 1), 6


def warm_up_survey() -> None:
    """Compile the kernels that survey classes."""
    survey_classes(*_interpreted(), 1, list_groups=True)


def warm_up_enumeration() -> None:
    """Compile the kernels that enumerate classes; and before, as they take less, the largest of those that a survey
    calls: by the time that the other step calls it, its code is there."""
    tables, classes = _interpreted()
    pieces = len(PIECES)
    work, placed = workspace(POSITIONS, pieces), marks(POSITIONS, pieces)
    shift = Shift(*(np.empty(pieces, np.uint64) for _ in range(3)))
    active = np.empty((WAYS, pieces), np.bool_)
    with interpreted(small=True), np.errstate(over="ignore"):  # keys and hashes are sums modulo 2 ** 64
        graph = join_positions(tables, classes.code, classes.slots, work)
        choose_ways(tables, classes.slots, active)
        fill_shift(tables.shape, classes.slots, 1, shift)
        place_marks(tables, classes.slots, active, 0, 1, placed)
    search_backwards(work, placed, shift, graph, 1)
    enumerate_classes(tray(2, 3), PIECES, 15)  # the smaller tray was made already


def _interpreted() -> tuple[Tray, Classes]:
    with interpreted(small=True), np.errstate(over="ignore"):  # keys and hashes are sums modulo 2 ** 64
        tables = tray(2, 2)
        return tables, enumerate_classes(tables, PIECES, POSITIONS)
