"""Compiles the kernels of this space by calling each once."""

from boardspace_kernels.sliding_blocks.enumeration import enumerate_classes
from boardspace_kernels.sliding_blocks.survey import survey_classes
from boardspace_kernels.sliding_blocks.tray import tray


def warm_up() -> None:
    """Compile all kernels that runs use, on the tray of 2 x 2 cells."""
    tables = tray(2, 2)
    survey_classes(tables, enumerate_classes(tables, (1, 1), 6), 1, list_groups=True)
