"""Farthest steps: against the definition, against plain searches, and the same however the work is cut."""

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import shortest_path

from boardspace_kernels.klotski.balls import spaced_out
from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.distances import distances
from boardspace_kernels.klotski.farthest_steps import (
    Farthest,
    OrbitGraph,
    Progress,
    farthest,
    merge,
    orbit_graph,
    search_orbits,
    unsettled,
)
from boardspace_kernels.klotski.group_graphs import group_codes, group_graph, group_graphs
from boardspace_kernels.klotski.passes import MOST_STEPS, make_workspace, search_pass, search_single
from boardspace_kernels.klotski.step_graph import Graph
from tests.daily import daily
from tests.naive import klotski as naive

QUICK = [(1, 0, 1), (6, 0, 0), (6, 0, 6), (7, 0, 3), (7, 0, 7), (2, 0, 2)]
LARGER = [(0, 14, 0), (5, 0, 0), (1, 1, 1), (4, 0, 4), (5, 0, 5), (6, 0, 4), (6, 0, 5), (6, 1, 1)]


def orbits_of(name: tuple[int, int, int], group: int = 0) -> OrbitGraph:
    graphs = group_graphs(enumerate_layouts(ClassName(*name)))
    return orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group))


def by_plain_search(graph: Graph) -> Farthest:
    vertices = len(graph.indptr) - 1
    matrix = csr_matrix((np.ones(len(graph.indices)), graph.indices, graph.indptr), shape=(vertices, vertices))
    distance = shortest_path(matrix, unweighted=True).astype(int)
    steps = distance.max(axis=1)
    return Farthest(steps, (distance == steps[:, None]).sum(axis=1))


def assert_same(found: Farthest, expected: Farthest) -> None:
    assert np.array_equal(found.steps, expected.steps)
    assert np.array_equal(found.counts, expected.counts)


@pytest.mark.parametrize("name", QUICK + [pytest.param(name, marks=pytest.mark.slow) for name in LARGER], ids=str)
def test_every_layout_of_a_class_has_the_farthest_step_of_the_definition(name: tuple[int, int, int]) -> None:
    layouts = enumerate_layouts(ClassName(*name))
    graphs = group_graphs(layouts)
    expected = naive.farthest(naive.all_layouts(*name))
    for group, codes in enumerate(group_codes(layouts)):
        found = farthest(orbit_graph(graphs.graph_of(group), graphs.reflections.of_group(group)))
        for i in range(len(codes)):
            step, last = expected[int(codes[i])]
            assert (found.steps[i], found.counts[i]) == (step, len(last))


@pytest.mark.parametrize("name", daily([(0, 2, 0), (5, 1, 0), (1, 1, 0), (6, 0, 2), (6, 0, 3), (6, 2, 1)], 2), ids=str)
def test_groups_of_several_passes_agree_with_plain_searches(name: tuple[int, int, int]) -> None:
    orbits = orbits_of(name)
    assert_same(farthest(orbits), by_plain_search(orbits.graph))


@pytest.mark.parametrize("name", [(0, 2, 0), (6, 0, 3), (6, 0, 2)], ids=str)
def test_single_searches_note_the_farthest_source_how_often_and_the_bound_of_its_margin(
    name: tuple[int, int, int],
) -> None:
    graph = orbits_of(name).graph
    vertices = len(graph.indptr) - 1
    matrix = csr_matrix((np.ones(len(graph.indices)), graph.indices, graph.indptr), shape=(vertices, vertices))
    sources, weights = np.random.default_rng(1).permutation(vertices)[:12], np.array([1, 2, 4] * 4, dtype=np.uint8)
    distance = shortest_path(matrix, unweighted=True, indices=sources).astype(int)
    steps, counts = np.zeros(vertices, dtype=np.uint16), np.zeros(vertices, dtype=np.uint32)
    for i, source in enumerate(sources.astype(np.int32)):
        found = search_single(graph, source, weights[i], steps, counts)
        met = distance[: i + 1]
        assert np.array_equal(steps, met.max(axis=0))
        at_most = np.where(met == steps, weights[: i + 1, None], 0).sum(axis=0)
        assert np.array_equal(counts, at_most)
        short = steps - distance[i]
        assert found.margin == short.min() == short[found.bound]
        assert distance[i][found.bound] == distance[i][short == found.margin].min()
        assert found.steps == distance[i].max() == distance[i][found.end]


@pytest.mark.parametrize("name", [(0, 2, 0), (5, 1, 0), (6, 0, 2), (3, 0, 2)], ids=str)
def test_the_result_does_not_depend_on_reflections(name: tuple[int, int, int]) -> None:
    orbits = orbits_of(name)
    expected = farthest(orbits)
    for images in (orbits.images[:1], orbits.images[:2], orbits.images[::2], orbits.images[::3]):
        assert_same(farthest(orbit_graph(orbits.graph, images)), expected)


@settings(max_examples=20)
@given(st.integers(0, 7), st.data())
def test_the_result_does_not_depend_on_how_the_rest_is_cut(
    shallow: OrbitGraph, first: Progress, expected: Farthest, cuts: int, data: st.DataObject
) -> None:
    left = unsettled(shallow, first)
    assert len(left) == len(shallow.order)
    places = sorted(data.draw(st.lists(st.integers(0, len(left)), min_size=cuts, max_size=cuts)))
    parts = [search_orbits(shallow, first, sources) for sources in np.split(left, places)]
    assert_same(merge(shallow.images, [first, *parts]), expected)
    assert_same(merge(shallow.images, [first, *map(met_only, parts)]), expected)


def met_only(part: Progress) -> Progress:
    """A part without what it knows of vertices that met none of its sources at their farthest step."""
    return Progress(np.where(part.counts > 0, part.steps, 0).astype(np.uint16), part.counts, part.margin)


def test_parts_that_are_not_all_are_refused(shallow: OrbitGraph, first: Progress) -> None:
    with pytest.raises(ArithmeticError, match="do not cover what the outline left"):
        merge(shallow.images, [first])
    halves = [search_orbits(shallow, first, sources) for sources in np.array_split(unsettled(shallow, first), 2)]
    with pytest.raises(ArithmeticError, match="do not cover what the outline left"):
        merge(shallow.images, [first, halves[0]._replace(counts=np.zeros_like(halves[0].counts))])
    uneven = halves[1]._replace(counts=halves[1].counts + (np.arange(len(shallow.weight)) == 0).astype(np.uint32))
    with pytest.raises(ArithmeticError, match=r"remainder \d of 4 reflections"):
        merge(shallow.images, [first, halves[0], uneven])


@given(st.permutations(range(4)))
def test_the_result_does_not_depend_on_the_order_of_the_searches(
    shallow: OrbitGraph, first: Progress, expected: Farthest, order: list[int]
) -> None:
    quarters = np.array_split(unsettled(shallow, first), 4)
    part = search_orbits(shallow, first, np.concatenate([quarters[i][::-1] for i in order]))
    assert_same(merge(shallow.images, [part, first]), expected)


@settings(max_examples=20)
@given(st.integers(1, 1600), st.integers(0, 40), st.integers(0, 2**32 - 1))
def test_any_connected_graph_agrees_with_plain_searches(vertices: int, chords: int, seed: int) -> None:
    graph = caterpillar(vertices, chords, np.random.default_rng(seed))
    images = np.arange(vertices, dtype=np.int32)[np.newaxis]
    assert_same(farthest(orbit_graph(graph, images)), by_plain_search(graph))


@pytest.mark.parametrize("vertices", [700, 1300, 3001])
def test_a_ring_with_its_four_reflections(vertices: int) -> None:
    v = np.arange(vertices)
    graph = from_edges(vertices, v, (v + 1) % vertices)
    half = vertices // 2 if vertices % 2 == 0 else 0
    images = np.array([v, -v % vertices, (v + half) % vertices, (half - v) % vertices], dtype=np.int32)
    images = images if half else images[:2]
    found = farthest(orbit_graph(graph, images))
    assert (found.steps == vertices // 2).all()
    assert (found.counts == (2 if vertices % 2 else 1)).all()


def test_distances_of_all_lengths_that_are_not_refused_are_right() -> None:
    """Of paths from one end: as long as they may be, where signed numbers of 16 bits would not do, and one longer."""
    for vertices in (33_000, MOST_STEPS, MOST_STEPS + 1):
        v, one = np.arange(vertices), np.ones(1, dtype=np.uint8)
        graph = from_edges(vertices, v[1:], v[:-1])
        expected = Farthest(v.astype(np.uint16), (v > 0).astype(np.uint32))
        single, together = (Farthest(np.zeros(vertices, np.uint16), np.zeros(vertices, np.uint32)) for _ in range(2))
        sources, work = np.zeros(1, dtype=np.int32), make_workspace(vertices, pairs=True)
        if vertices > MOST_STEPS:
            with pytest.raises(OverflowError, match="65,535 steps"):
                search_single(graph, 0, one[0], *single)
            with pytest.raises(OverflowError, match="65,535 steps"):
                search_pass(graph, sources, one, *together, work)
            continue
        assert search_single(graph, 0, one[0], *single) == (0, 0, vertices - 1, vertices - 1)
        assert single.counts[0] == 1  # a single search meets its source, too
        single.counts[0] = 0
        assert_same(single, expected)
        search_pass(graph, sources, one, *together, work)
        assert_same(together, expected)
        assert np.array_equal(work.pairs, expected.counts)


def test_farthest_steps_are_right_in_a_group_deeper_than_signed_numbers_of_16_bits_tell() -> None:
    v = np.arange(40_000)
    path = from_edges(len(v), v[1:], v[:-1])
    found = farthest(orbit_graph(path, np.array([v, v[::-1]], dtype=np.int32)))
    assert np.array_equal(found.steps, np.maximum(v, v[::-1]))
    assert (found.counts == 1).all()


def test_a_pass_does_not_wait_for_what_it_cannot_reach() -> None:
    apart = from_edges(4, np.array([0, 2]), np.array([1, 3]))
    steps, counts = np.zeros(4, dtype=np.uint16), np.zeros(4, dtype=np.uint32)
    sources, weights = np.array([0, 2], dtype=np.int32), np.ones(2, dtype=np.uint8)
    with pytest.raises(OverflowError, match="not joined to it"):
        search_pass(apart, sources, weights, steps, counts, make_workspace(4))


@pytest.mark.parametrize("name", [(5, 4, 1), (4, 7, 1), pytest.param((3, 8, 1), marks=pytest.mark.slow)], ids=str)
def test_layouts_of_large_groups_agree_with_single_searches(name: tuple[int, int, int]) -> None:
    layouts = enumerate_layouts(ClassName(*name))
    found = farthest(orbits_of(name))
    graph = group_graph(layouts, 0)
    for i in np.random.default_rng(0).choice(layouts.groups.sizes[0], 40, replace=False):
        distance = distances(graph, np.arange(layouts.groups.sizes[0]) == i)
        assert (found.steps[i], found.counts[i]) == (distance.max(), (distance == distance.max()).sum())


@pytest.mark.parametrize("name", [(7, 0, 3), (6, 1, 1), (5, 4, 1), (1, 12, 1)], ids=str)
def test_twins_have_the_same_farthest_steps_at_reflected_layouts(name: tuple[int, int, int]) -> None:
    graphs = group_graphs(enumerate_layouts(ClassName(*name)))
    reflected = graphs.reflections
    first = reflected.first_twins()
    assert (first <= np.arange(len(first))).all()
    twins = np.flatnonzero(first < np.arange(len(first)))
    for group in twins[:: max(1, len(twins) // 20)]:
        found, source = (
            farthest(orbit_graph(graphs.graph_of(g), reflected.of_group(g))) for g in (group, first[group])
        )
        place = reflected.places_in_twin(group, first[group])
        assert_same(found, Farthest(source.steps[place], source.counts[place]))


@pytest.mark.parametrize("radius", [1, 2, 5, 29, 30, 40])
def test_a_net_keeps_its_distance_and_leaves_no_candidate_out_for_nothing(radius: int) -> None:
    """A ring of 60, in which none is more than 30 steps from another; the images are opposite."""
    v = np.arange(60)
    images = np.array([v, (v + 30) % 60], dtype=np.int32)
    candidates = np.random.default_rng(radius).permutation(images[0])
    taken = spaced_out(from_edges(60, v, (v + 1) % 60), images, candidates, radius)
    met: list[int] = []
    for candidate, is_taken in zip(candidates.tolist(), taken.tolist(), strict=True):
        apart = min((abs((candidate - other + 15) % 30 - 15) for other in met), default=60)
        assert is_taken == (apart > radius)
        met += [candidate] if is_taken else []


def caterpillar(vertices: int, chords: int, chance: np.random.Generator) -> Graph:
    """A long path with short legs and some chords: margins of all sizes, far more layers than legs."""
    v = np.arange(1, vertices)
    parents = np.maximum(v - chance.integers(1, 4, len(v)), 0)
    ends = chance.integers(0, vertices, (2, chords))
    return from_edges(vertices, np.concatenate([v, ends[0]]), np.concatenate([parents, ends[1]]))


def from_edges(vertices: int, one: npt.NDArray[np.int64], other: npt.NDArray[np.int64]) -> Graph:
    proper = one != other
    both = np.concatenate([one[proper], other[proper]]), np.concatenate([other[proper], one[proper]])
    matrix = csr_matrix((np.ones(len(both[0])), both), shape=(vertices, vertices))
    return Graph(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32))


@pytest.fixture(scope="module")
def shallow() -> OrbitGraph:
    """A group of 3,180 layouts in 795 orbits."""
    return orbits_of((3, 0, 2))


@pytest.fixture(scope="module")
def first(shallow: OrbitGraph) -> Progress:
    """No outline at all: that of so small a group would leave nothing to cut."""
    return Progress._make(np.zeros(len(shallow.weight), dtype) for dtype in (np.uint16, np.uint32, np.int16))


@pytest.fixture(scope="module")
def expected(shallow: OrbitGraph) -> Farthest:
    """What plain searches find of that group."""
    return by_plain_search(shallow.graph)
