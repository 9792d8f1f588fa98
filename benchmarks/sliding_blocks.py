"""Sliding blocks: positions enumerated, positions joined by unit moves, marked positions searched, per core second."""

import numpy as np
from numpy.typing import NDArray

from benchmarks.harness import Job, benchmark
from boardspace_kernels.sliding_blocks.corner import (
    Shift,
    choose_ways,
    fill_shift,
    marks,
    place_marks,
    search_backwards,
)
from boardspace_kernels.sliding_blocks.enumeration import enumerate_classes
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes
from boardspace_kernels.sliding_blocks.step_graph import join_positions, workspace
from boardspace_kernels.sliding_blocks.tray import Tray, tray

SIZES = (1, 1, 1, 1, 2, 2, 2, 3)
"""Piece sizes on the 4 x 4 tray."""
FIELDS = 4


@benchmark(unit="packings")
def packings_enumerated_and_brought_together() -> Job:
    """Every packing of 4 x 4 with some piece sizes, sorted into classes."""
    tables, packings = tray(4, 4), count_by_sizes(4, 4)[SIZES]

    def job() -> int:
        enumerate_classes(tables, SIZES, packings)
        return packings

    return job


@benchmark(unit="positions")
def positions_joined_by_unit_moves() -> Job:
    """The groups and slides of the largest class with these sizes."""
    tables, code, slots = _largest_class()
    work = workspace(len(code), len(SIZES))

    def job() -> int:
        join_positions(tables, code, slots, work)
        return len(code)

    return job


@benchmark(unit="marked positions")
def marked_positions_searched() -> Job:
    """All longest corner puzzles of this class, every shape and way at once."""
    tables, code, slots = _largest_class()
    work, scratch = workspace(len(code), len(SIZES)), marks(len(code), len(SIZES))
    graph = join_positions(tables, code, slots, work)
    active = np.empty((FIELDS, len(SIZES)), np.bool_)
    shift = Shift(*(np.empty(len(SIZES), np.uint64) for _ in range(3)))
    choose_ways(tables, slots, active)
    fill_shift(tables.shape, slots, FIELDS, shift)

    def job() -> int:
        place_marks(tables, slots, active, 0, FIELDS, scratch)
        return int(search_backwards(work, scratch, shift, graph, FIELDS).met)

    return job


def _largest_class() -> tuple[Tray, NDArray[np.uint64], NDArray[np.int32]]:
    """The tables, and codes and slots of the largest class."""
    tables = tray(4, 4)
    found = enumerate_classes(tables, SIZES, count_by_sizes(4, 4)[SIZES])
    largest = int(np.diff(found.start).argmax())
    some = slice(found.start[largest], found.start[largest + 1])
    return tables, found.code[some], found.slots[some]
