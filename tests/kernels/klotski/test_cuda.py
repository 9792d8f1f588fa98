"""All pairs of a group as a GPU finds them: by numba's simulator on small graphs, and on a device behind a marker."""

import importlib
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.farthest_steps import OrbitGraph, orbit_graph, search_counted
from boardspace_kernels.klotski.group_graphs import group_graphs
from boardspace_kernels.klotski.step_graph import Graph
from tests.kernels.klotski.test_farthest import orbits_of


@pytest.fixture
def simulated(simulated_gpu: None) -> Any:
    """The kernels as plain Python."""
    return importlib.import_module("boardspace_kernels.klotski.cuda")


def assert_finds_the_same(cuda: Any, orbits: OrbitGraph, sources: npt.NDArray[np.int32], **cut: int) -> None:
    found, pairs = cuda.search_counted(orbits, sources, **cut)
    expected, expected_pairs = search_counted(orbits, sources)
    pairs_of_arrays: list[tuple[Any, Any]] = [*zip(found, expected, strict=True), (pairs, expected_pairs)]
    for one, other in pairs_of_arrays:
        assert one.dtype == other.dtype
        assert np.array_equal(one, other)


def graph_of(vertices: int, edges: list[tuple[int, int]]) -> OrbitGraph:
    """A graph without reflections."""
    beside = [sorted({b for a, b in edges if a == v} | {a for a, b in edges if b == v}) for v in range(vertices)]
    indptr = np.cumsum([0, *map(len, beside)], dtype=np.int32)
    graph = Graph(indptr, np.array([v for some in beside for v in some], dtype=np.int32))
    return orbit_graph(graph, np.arange(vertices, dtype=np.int32)[None])


def test_pairs_and_farthest_steps_are_those_of_the_cpu(simulated: Any) -> None:
    """Of groups with orbits of one, of two and of four layouts, however the work is cut."""
    twelve = orbits_of((0, 0, 0))
    assert set(twelve.weight[twelve.order].tolist()) == {2, 4}
    assert_finds_the_same(simulated, twelve, twelve.order, words=1, blocks=3)
    assert_finds_the_same(simulated, twelve, twelve.order[::2], words=2, passes=1, blocks=5)
    deeper = orbits_of((7, 0, 3), 36)
    assert_finds_the_same(simulated, deeper, deeper.order, words=1, blocks=1)


def test_passes_side_by_side_and_one_after_another_find_the_same(simulated: Any) -> None:
    """67 sources of a star are two passes of 64 bits; the second one raises what the first one found, or adds to it."""
    star = graph_of(67, [(0, leaf) for leaf in range(1, 67)])
    assert_finds_the_same(simulated, star, star.order, words=1, blocks=1)
    assert_finds_the_same(simulated, star, star.order, words=1, passes=1, blocks=1)


def test_layers_go_on_as_far_as_there_are_vertices(simulated: Any) -> None:
    for vertices in (1, 2, 5, 6, 10):  # rounds of LAYERS that end with the last layer, before it and after it
        path = graph_of(vertices, list(pairwise(range(vertices))))
        assert_finds_the_same(simulated, path, path.order, words=1, blocks=1)
        assert_finds_the_same(simulated, path, path.order[:1], words=1, blocks=1)


def test_pairs_that_were_not_reached_are_refused(simulated: Any) -> None:
    apart = graph_of(4, [(0, 1), (2, 3)])
    with pytest.raises(ArithmeticError, match="8 pairs of 4 orbits and 4 layouts were reached"):
        simulated.search_counted(apart, apart.order, words=1)


@pytest.mark.gpu
def test_a_device_finds_the_same() -> None:
    cuda = importlib.import_module("boardspace_kernels.klotski.cuda")
    for name in [(0, 0, 0), (0, 14, 0), (1, 1, 1), (6, 1, 1), (5, 0, 0), (5, 4, 1)]:
        graphs = group_graphs(enumerate_layouts(ClassName(*name)))
        for group in range(min(8, len(graphs.starts) - 1)):
            orbits = orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group))
            assert_finds_the_same(cuda, orbits, orbits.order)
            assert_finds_the_same(cuda, orbits, orbits.order[::3], words=2, passes=3, blocks=64)
