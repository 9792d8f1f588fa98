"""Parts of the 4 x 5 tray against published figures."""

from itertools import product

import numpy as np
import pytest

from boardspace_kernels.sliding_blocks.enumeration import enumerate_classes
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes
from boardspace_kernels.sliding_blocks.step_graph import class_of, graph_of
from boardspace_kernels.sliding_blocks.survey import NO_PUZZLE, survey_classes
from boardspace_kernels.sliding_blocks.tray import tray

SINGLE, LYING, STANDING, BLOCK = 0b1, 0b11, 0b100001, 0b1100011
"""Cells of Klotski's pieces in the upper left corner."""


@pytest.mark.slow
def test_the_record_with_11_pieces_has_235_steps() -> None:
    tables, sizes = tray(4, 5), (1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3)
    steps = survey_classes(
        tables, enumerate_classes(tables, sizes, count_by_sizes(4, 5)[sizes]), 1000, list_groups=False
    ).classes.steps
    assert steps[steps != NO_PUZZLE].max() == 235


@pytest.mark.slow
def test_klotski_is_inside_with_its_classes_groups_and_layouts() -> None:
    tables, found = tray(4, 5), np.zeros(3, np.int64)
    number = {int(mask): placement for placement, mask in enumerate(tables.mask)}
    for standing, lying, singles in product(range(8), range(8), range(15)):
        if 4 + 2 * standing + 2 * lying + singles > 18:
            continue
        pieces = [SINGLE] * singles + [LYING] * lying + [STANDING] * standing + [BLOCK]
        placements = sorted(number[piece] for piece in pieces)
        own = class_of(tables, placements, most=1_000_000)
        assert own is not None
        if len(own.code):
            found += (1, graph_of(tables, own).groups, len(own.code))
    assert found.tolist() == [203, 25_422, 29_334_498]
