"""All pairs of layouts by distance: against plain searches, and the same however the orbits are cut."""

from collections import Counter

import numpy as np
import numpy.typing as npt
import pytest
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import shortest_path

from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.farthest_steps import OrbitGraph, farthest, merge, orbit_graph, search_counted
from boardspace_kernels.klotski.group_graphs import group_codes, group_graphs
from boardspace_kernels.klotski.step_graph import Graph
from tests.kernels.klotski.test_farthest import assert_same, orbits_of
from tests.naive import klotski as naive


def counted(orbits: OrbitGraph, parts: int) -> npt.NDArray[np.int64]:
    """The pairs of a group whose orbits are searched in parts, which find its farthest steps too."""
    found = [search_counted(orbits, sources) for sources in np.array_split(orbits.order, parts)]
    assert_same(merge(orbits.images, [progress for progress, _ in found]), farthest(orbits))
    return np.sum([pairs for _, pairs in found], axis=0)


def by_plain_searches(graph: Graph) -> npt.NDArray[np.int64]:
    vertices = len(graph.indptr) - 1
    matrix = csr_matrix((np.ones(len(graph.indices)), graph.indices, graph.indptr), shape=(vertices, vertices))
    distance = shortest_path(matrix, unweighted=True).astype(int)
    return np.bincount(distance.ravel(), minlength=vertices)


@pytest.mark.parametrize("name", [(6, 0, 0), (6, 0, 6), (7, 0, 3)], ids=str)
def test_pairs_of_a_class_are_those_of_the_definition(name: tuple[int, int, int]) -> None:
    layouts = enumerate_layouts(ClassName(*name))
    graphs = group_graphs(layouts)
    expected = Counter(step for start in naive.all_layouts(*name) for step in naive.distances(start).values())
    found: Counter[int] = Counter()
    for group in range(len(group_codes(layouts))):
        pairs = counted(orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group)), 1)
        found.update({step: int(pairs[step]) for step in np.flatnonzero(pairs).tolist()})
    assert found == expected


LARGER = pytest.param((6, 0, 2), marks=pytest.mark.thorough)


@pytest.mark.parametrize("parts", [1, 3])
@pytest.mark.parametrize("name", [(0, 0, 0), (0, 2, 0), (6, 0, 3), (5, 0, 0), LARGER], ids=str)
def test_pairs_of_a_group_are_those_of_plain_searches(name: tuple[int, int, int], parts: int) -> None:
    orbits = orbits_of(name)
    assert np.array_equal(counted(orbits, parts), by_plain_searches(orbits.graph))


@pytest.mark.parametrize("name", [(0, 2, 0), (6, 0, 2)], ids=str)
def test_pairs_do_not_depend_on_reflections(name: tuple[int, int, int]) -> None:
    orbits = orbits_of(name)
    expected = counted(orbits, 1)
    for images in (orbits.images[:1], orbits.images[:2], orbits.images[::2]):
        assert np.array_equal(counted(orbit_graph(orbits.graph, images), 2), expected)


@pytest.mark.parametrize("name", [(1, 1, 1), (6, 1, 1)], ids=str)
def test_pairs_add_up_to_the_square_of_the_group(name: tuple[int, int, int]) -> None:
    orbits = orbits_of(name)
    layouts, pairs, found = len(orbits.weight), counted(orbits, 2), farthest(orbits)
    assert pairs.sum() == layouts**2
    assert pairs[0] == layouts
    assert pairs[1] == len(orbits.graph.indices)
    assert int(np.flatnonzero(pairs)[-1]) == found.steps.max()
    assert pairs[found.steps.max()] == found.counts[found.steps == found.steps.max()].sum()
