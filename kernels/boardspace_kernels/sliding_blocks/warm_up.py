"""Compiles the kernels of this space by calling each once, on small trays. The steps are done side by side:
what a step does not compile itself, it has by the Python that the kernels are written in."""

import numpy as np

from boardspace_kernels.jit import interpreted
from boardspace_kernels.sliding_blocks.enumeration import Classes, enumerate_classes
from boardspace_kernels.sliding_blocks.survey import survey_classes
from boardspace_kernels.sliding_blocks.tray import Tray, tray

PIECES, POSITIONS = (1, 1), 6


def warm_up_survey() -> None:
    """Compile the kernels that survey classes."""
    survey_classes(*_interpreted(), 1, list_groups=True)


def warm_up_enumeration() -> None:
    """Compile the kernels that enumerate classes."""
    enumerate_classes(tray(2, 3), PIECES, 15)


def _interpreted() -> tuple[Tray, Classes]:
    with interpreted(small=True), np.errstate(over="ignore"):  # keys and hashes are sums modulo 2 ** 64
        tables = tray(2, 2)
        return tables, enumerate_classes(tables, PIECES, POSITIONS)
