"""Classes of Rush Hour as a GPU searches them: by numba's simulator, and on a device behind a marker."""

import importlib
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from boardspace_kernels.rush_hour import search
from boardspace_kernels.rush_hour.lines import Lines, lines


@pytest.fixture
def simulated(simulated_gpu: None) -> Any:
    """The kernels as plain Python."""
    return importlib.import_module("boardspace_kernels.rush_hour.cuda")


def assert_finds_the_same(
    cuda: Any,
    tables: Lines,
    side: int,
    labels: npt.NDArray[np.int64],
    listed_from: int,
    part: tuple[int, int] = (0, 1),
    **cut: int,
) -> None:
    found = cuda.search_labels(tables, side, labels, listed_from, part=part, **cut)
    expected = search.search_labels(tables, side, labels, listed_from, part=part)
    for name, one, other in zip(expected._fields, found, expected, strict=True):
        assert one.dtype == other.dtype, name
        assert np.array_equal(one, other), name


def test_all_boards_of_3_x_3_are_those_of_the_core(simulated: Any) -> None:
    """Groups are listed from one step on, so the core searches most classes once more."""
    tables = lines(3, 1)
    for side in range(2):
        assert_finds_the_same(simulated, tables, side, np.arange(search.labels_of(tables, side)), 1, threads=1)


def test_drawn_labels_of_4_x_4_are_those_of_the_core(simulated: Any) -> None:
    tables = lines(4, 1, ((0, 3),))
    for side in range(2):
        labels = np.random.default_rng(side).permutation(search.labels_of(tables, side))[:6]
        assert_finds_the_same(simulated, tables, side, labels, 4, (1, 2), threads=2)


@pytest.mark.gpu
def test_a_device_finds_the_same() -> None:
    cuda = importlib.import_module("boardspace_kernels.rush_hour.cuda")
    for n, walls, every in ((4, (), 1), (5, (), 7), (5, ((0, 4), (3, 1)), 7), (6, (), 10_090)):
        tables = lines(n, (n - 1) // 2, walls)
        for side in range(2):
            labels = np.arange(0, search.labels_of(tables, side), every)
            assert_finds_the_same(cuda, tables, side, labels, {4: 5, 5: 15, 6: 25}[n])
