"""The net of a class: neighbours by id, dead ends, cut layouts, bridges and shortest paths, against the definitions."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from boardspace_kernels.klotski.classes import ClassName, enumerate_layouts
from boardspace_kernels.klotski.distances import distances
from boardspace_kernels.klotski.group_graphs import group_codes, group_graphs
from boardspace_kernels.klotski.net import (
    IdRows,
    copy_rows,
    cuts_and_bridges,
    group_nets,
    rows_by_id,
    shortest_path_counts,
)
from boardspace_kernels.klotski.scan import rank, space_scan, unrank
from boardspace_kernels.klotski.step_graph import Graph
from tests.naive import klotski as naive

SMALL = [ClassName(1, 0, 0), ClassName(6, 0, 6), ClassName(7, 0, 3), ClassName(0, 0, 0)]


@pytest.mark.parametrize("name", SMALL, ids=str)
def test_the_row_of_an_id_holds_the_ids_of_its_neighbours(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    rows = rows_by_id(layouts, group_graphs(layouts), rank(space_scan(), layouts.codes))
    by_code = {naive.code(layout): layout for layout in naive.all_layouts(*name)}
    for i, code in enumerate(layouts.codes.tolist()):
        ids = rows.ids[i] + rows.offsets[rows.starts[i] : rows.starts[i + 1]].astype(np.int64)
        assert unrank(space_scan(), ids.astype(np.uint32)).tolist() == sorted(
            map(naive.code, naive.steps(by_code[code]))
        )


@pytest.mark.parametrize("name", [pytest.param(SMALL[0], marks=pytest.mark.slow), *SMALL[1:]], ids=str)
def test_groups_have_the_pairs_and_degrees_of_the_definition(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    found = group_nets(layouts, group_graphs(layouts))
    by_code = {naive.code(layout): layout for layout in naive.all_layouts(*name)}
    for group, codes in enumerate(naive.groups(by_code.values())):
        degrees = [len(naive.steps(by_code[code])) for code in codes]
        assert found.step_pairs[group] == sum(degrees) / 2
        assert found.unit_pairs[group] == sum(len(set(naive.unit_moves(by_code[code]))) for code in codes) / 2
        assert (found.least_degree[group], found.most_degree[group]) == (min(degrees), max(degrees))
        assert found.dead_ends[group] == degrees.count(1)


@pytest.mark.parametrize("name", [ClassName(7, 0, 3), ClassName(6, 0, 6), ClassName(1, 0, 0)], ids=str)
def test_cut_layouts_and_bridges_of_a_class_are_those_without_which_a_group_falls_apart(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    graphs = group_graphs(layouts)
    found = group_nets(layouts, graphs)
    for group in range(min(12, len(layouts.groups.sizes))):
        assert (int(found.cut_layouts[group]), int(found.bridges[group])) == by_removal(graphs.graph_of(group))


@settings(max_examples=60)
@given(st.integers(1, 10), st.integers(0, 8), st.integers(0, 2**32 - 1))
def test_cut_vertices_and_bridges_of_any_connected_graph(vertices: int, chords: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    edges = {(int(chance.integers(0, v)), v) for v in range(1, vertices)}
    ends = chance.integers(0, vertices, (chords, 2))
    edges |= {(int(min(pair)), int(max(pair))) for pair in ends if pair[0] != pair[1]}
    graph = graph_of(vertices, edges)
    is_cut, bridges = cuts_and_bridges(graph, np.array([0, vertices]))
    assert (int(np.count_nonzero(is_cut)), int(bridges[0])) == by_removal(graph)


def test_what_hangs_on_a_circle_does_not_come_round_by_it() -> None:
    """Two triangles that share vertex 1, met when it is known already that 1 reaches the first vertex another way."""
    graph = graph_of(5, {(0, 1), (0, 2), (1, 2), (1, 3), (1, 4), (3, 4)})
    is_cut, bridges = cuts_and_bridges(graph, np.array([0, 5]))
    assert np.flatnonzero(is_cut).tolist() == [1]
    assert bridges.tolist() == [0]


def graph_of(vertices: int, edges: set[tuple[int, int]]) -> Graph:
    one, other = (np.array([edge[end] for edge in edges], dtype=int) for end in (0, 1))
    both = np.concatenate([one, other]), np.concatenate([other, one])
    matrix = csr_matrix((np.ones(len(both[0])), both), shape=(vertices, vertices))
    matrix.sort_indices()
    return Graph(matrix.indptr.astype(np.int32), matrix.indices.astype(np.int32))


def by_removal(graph: Graph) -> tuple[int, int]:
    """Cut vertices and bridges of a connected graph: each vertex and each edge is taken away in turn."""
    vertices = len(graph.indptr) - 1
    start = np.repeat(np.arange(vertices), np.diff(graph.indptr))
    cut = bridges = 0
    for vertex in range(vertices):
        kept = (start != vertex) & (graph.indices != vertex)
        cut += parts(vertices, start[kept], graph.indices[kept]) > 2  # the vertex itself is one
    for one, other in zip(start.tolist(), graph.indices.tolist(), strict=True):
        if one < other:
            kept = (start + graph.indices != one + other) | ((start != one) & (start != other))
            bridges += parts(vertices, start[kept], graph.indices[kept]) > 1
    return cut, bridges


def parts(vertices: int, start: np.ndarray, end: np.ndarray) -> int:
    return connected_components(csr_matrix((np.ones(len(start)), (start, end)), shape=(vertices, vertices)))[0]


@pytest.mark.parametrize("name", [ClassName(1, 0, 0), ClassName(7, 0, 3), ClassName(6, 0, 6)], ids=str)
def test_the_number_of_shortest_paths_to_nearest_solutions_is_that_of_all_such_paths(name: ClassName) -> None:
    layouts = enumerate_layouts(name)
    graphs = group_graphs(layouts)
    codes = np.concatenate(group_codes(layouts))
    found = shortest_path_counts(graphs.graph, distances(graphs.graph, codes >> np.uint64(32) == 13))
    by_code = {naive.code(layout): layout for layout in naive.all_layouts(*name)}
    for i in range(0, len(codes), 1 + len(codes) // 100):
        assert found[i] == naive.shortest_solutions(by_code[int(codes[i])])


def test_a_number_of_paths_that_does_not_fit_is_refused() -> None:
    """A chain of diamonds, each of which doubles the number of paths."""
    for diamonds in (63, 64):
        edges = {(3 * d, 3 * d + k) for d in range(diamonds) for k in (1, 2)}
        edges |= {(3 * d + k, 3 * d + 3) for d in range(diamonds) for k in (1, 2)}
        graph = graph_of(3 * diamonds + 1, edges)
        at_exit = np.arange(3 * diamonds + 1) == 0
        if diamonds == 63:
            assert shortest_path_counts(graph, distances(graph, at_exit))[-1] == 2**63
        else:
            with pytest.raises(OverflowError, match="shortest paths"):
                shortest_path_counts(graph, distances(graph, at_exit))


def test_the_largest_number_of_paths_that_fits_is_not_refused() -> None:
    """64 chains of 63 links to one end; the first k links of the k-th are diamonds: 1 + 2 + ... = 2^64 - 1 paths."""
    edges = set()
    end = 1
    for doubled in range(64):
        at = 0
        for link in range(63):
            ways = (end + 1, end + 2) if link < doubled else (end + 1,)
            edges |= {(at, way) for way in ways} | {(way, end + 3) for way in ways}
            at, end = end + 3, end + 3
        edges.add((1, at))
    graph = graph_of(end + 1, edges)
    least = distances(graph, np.arange(end + 1) == 0)
    assert shortest_path_counts(graph, least)[1] == 2**64 - 1


def test_rows_are_copied_to_the_places_of_their_ids() -> None:
    rows = IdRows(np.array([5, 7, 9], dtype=np.uint32), np.array([0, 2, 2, 3]), np.array([1, 2, -4], dtype=np.int32))
    out = np.zeros(6, dtype=np.int32)
    copy_rows(rows, 0, 3, 5, np.array([3, 5, 5, 5, 0, 1]), out)
    assert out.tolist() == [-4, 0, 0, 1, 2, 0]
