"""The net of a class: what its step graph is like, group by group, and how its rows are put into the order of ids.

*Dead ends* are layouts with one neighbour. A *cut layout* is one without which its group would fall apart, a *bridge* a
pair of neighbours that nothing else joins. Both come out of one depth-first walk (Hopcroft and Tarjan 1973): number the
layouts as they are met, and let low(v) be the smallest number among v, the neighbours of v (but for the layout it was
met from) and all low(w) of the layouts w met from v. Nothing below w has a way round v exactly if low(w) >= number(v);
then v is a cut layout, unless the walk began there and w is all it met. The step from v to w is a bridge exactly if
low(w) > number(v). The walk keeps its own stack: paths are as long as a group is large.

*Shortest paths* from a layout to its nearest solutions descend: each step lowers ``least``, the steps that are left, by
one. So their number is the sum of those of the neighbours one nearer, and 1 at the exit. It is exact in 64 bits or an
error.

Cost: the walk about 10 ns for each step, the rest less.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import CELLS
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.group_graphs import GroupGraphs
from boardspace_kernels.klotski.moves import MOST_NEIGHBOURS, UNIT, neighbours_of
from boardspace_kernels.klotski.patterns import Fillings, Patterns
from boardspace_kernels.klotski.step_graph import Graph

NO_VERTEX = -1
_MOST = np.uint64(0xFFFFFFFFFFFFFFFF)


class GroupNets(NamedTuple):
    """Figures of the net of each group of a class, int64 (groups) all.

    step_pairs: pairs of neighbours in steps.
    unit_pairs: pairs of neighbours in unit moves.
    least_degree: fewest neighbours of a layout.
    most_degree: most neighbours of a layout.
    dead_ends: layouts with one neighbour.
    cut_layouts: layouts without which the group falls apart.
    bridges: pairs of neighbours that nothing else joins.
    """

    step_pairs: npt.NDArray[np.int64]
    unit_pairs: npt.NDArray[np.int64]
    least_degree: npt.NDArray[np.int64]
    most_degree: npt.NDArray[np.int64]
    dead_ends: npt.NDArray[np.int64]
    cut_layouts: npt.NDArray[np.int64]
    bridges: npt.NDArray[np.int64]


def group_nets(layouts: ClassLayouts, graphs: GroupGraphs) -> GroupNets:
    """Return what the net of each group of a class is like."""
    first = graphs.starts[:-1]
    degrees = np.diff(graphs.graph.indptr).astype(np.int64)
    units = _unit_degrees(layouts.tables.patterns, layouts.tables.fillings, graphs.addresses)
    is_cut, bridges = cuts_and_bridges(graphs.graph, graphs.starts)
    # No group is empty: of an empty run reduceat would return the next item.
    return GroupNets(
        step_pairs=_half(np.add.reduceat(degrees, first)),
        unit_pairs=_half(np.add.reduceat(units, first)),
        least_degree=np.minimum.reduceat(degrees, first),
        most_degree=np.maximum.reduceat(degrees, first),
        dead_ends=np.add.reduceat((degrees == 1).astype(np.int64), first),
        cut_layouts=np.add.reduceat(is_cut.astype(np.int64), first),
        bridges=bridges,
    )


def _half(ends: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    if (ends & 1).any():
        raise ArithmeticError(
            f"group {np.flatnonzero(ends & 1)[0]}: {ends[ends & 1 == 1][0]} ends of moves, an odd number"
        )
    return ends >> 1


@kernel
def _unit_degrees(patterns: Patterns, fillings: Fillings, addresses: npt.NDArray[np.uint32]) -> npt.NDArray[np.int64]:
    """Number of unit moves from each layout, int64 (layouts)."""
    degrees = np.empty(len(addresses), dtype=np.int64)
    places = np.empty((CELLS, 2), dtype=np.int64)
    found = np.empty(MOST_NEIGHBOURS, dtype=np.uint32)
    for i in range(len(addresses)):
        degrees[i] = neighbours_of(patterns, fillings, UNIT, np.int64(addresses[i]), places, found)
    return degrees


@kernel
def cuts_and_bridges(
    graph: Graph, starts: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.int64]]:
    """Cut layouts, bool (vertices), and the number of bridges of each group, int64 (groups); group ``g``
    is the connected part ``starts[g]`` .. ``starts[g + 1] - 1``.

    It is one loop because the depth-first walk keeps its own stack, in ``parent``: calls would go as deep as a group is
    large. With a function for each group it took 1.07 times as long.
    """
    vertices = len(graph.indptr) - 1
    is_cut = np.zeros(vertices, dtype=np.bool_)
    bridges = np.zeros(len(starts) - 1, dtype=np.int64)
    number = np.full(vertices, NO_VERTEX, dtype=np.int32)
    low = np.empty(vertices, dtype=np.int32)
    parent = np.empty(vertices, dtype=np.int32)
    pointer = graph.indptr[:-1].copy()
    for group in range(len(starts) - 1):
        root = vertex = starts[group]
        number[root] = low[root] = 0
        parent[root] = NO_VERTEX
        met, branches = 1, 0
        while vertex != NO_VERTEX:
            # `pointer` is how far each row has been gone through; a vertex is come back to from each branch below it.
            if pointer[vertex] < graph.indptr[vertex + 1]:
                other = graph.indices[pointer[vertex]]
                pointer[vertex] += 1
                if number[other] == NO_VERTEX:
                    number[other] = low[other] = met
                    parent[other] = vertex
                    met += 1
                    vertex = np.int64(other)
                # No pair of layouts is joined twice, so the edge to the parent is the one that the walk came by.
                elif other != parent[vertex]:
                    # Its number and not its low: with this one edge the way round ends at `other`.
                    low[vertex] = min(low[vertex], number[other])
                continue
            # The row is at its end: all below this vertex is known, and the one above learns of it.
            above = np.int64(parent[vertex])
            if above != NO_VERTEX:
                low[above] = min(low[above], low[vertex])
                # A bridge if no other edge leads from the vertex, or from below it, to `above` or beyond.
                bridges[group] += low[vertex] > number[above]
                if above == root:
                    branches += 1
                elif low[vertex] >= number[above]:
                    is_cut[above] = True
            vertex = above
        # Two branches below the root are joined by nothing else, or the walk would have gone from one into the other.
        is_cut[root] = branches > 1
    return is_cut, bridges


def shortest_path_counts(graph: Graph, least: npt.NDArray[np.int16]) -> npt.NDArray[np.uint64]:
    """Number of shortest paths from each vertex to its nearest solutions, uint64 (vertices), 0 where it has none;
    ``least`` int16 (vertices) as :func:`.distances.distances` returns it. OverflowError where a number does
    not fit."""
    paths, fits = _count_shortest(graph, least, np.argsort(least, kind="stable"))
    if not fits:
        raise OverflowError("a layout has more than 2^64 - 1 shortest paths to its nearest solutions")
    return paths


@kernel
def _count_shortest(
    graph: Graph, least: npt.NDArray[np.int16], order: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.uint64], bool]:
    """The numbers, and whether all of them fit; ``order`` are the vertices, nearest first."""
    paths = np.zeros(len(least), dtype=np.uint64)
    fits = True
    for vertex in order:
        paths[vertex] = least[vertex] == 0
        # Nobody is nearer than a solution; where a vertex has none, all that it is joined to have none.
        for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
            if least[graph.indices[i]] == least[vertex] - 1:
                # Asked before the sum is made, as unsigned numbers go round without a word.
                fits = fits and paths[graph.indices[i]] <= _MOST - paths[vertex]
                paths[vertex] += paths[graph.indices[i]]
    return paths, fits


class IdRows(NamedTuple):
    """The net of a class in order of ids: the neighbours of layout ``ids[i]`` uint32 (layouts) have the ids
    ``ids[i] + offsets[starts[i]:starts[i + 1]]``, ascending; ``starts`` int64 (layouts + 1), ``offsets`` int32."""

    ids: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int32]


def rows_by_id(layouts: ClassLayouts, graphs: GroupGraphs, ids: npt.NDArray[np.uint32]) -> IdRows:
    """The step graph of a class in order of codes; ``ids`` uint32 (layouts) are those of the layouts, ascending."""
    order = graphs.order
    vertex_of = graphs.by_code(np.arange(len(order)))
    starts = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(np.diff(graphs.graph.indptr)[vertex_of], out=starts[1:])
    return IdRows(ids, starts, _offsets(graphs.graph, order, vertex_of, ids, starts))


@kernel
def _offsets(
    graph: Graph,
    order: npt.NDArray[np.int64],
    vertex_of: npt.NDArray[np.int64],
    ids: npt.NDArray[np.uint32],
    starts: npt.NDArray[np.int64],
) -> npt.NDArray[np.int32]:
    """Inside a group, name order is the order of ids, so that rows go on ascending."""
    offsets = np.empty(len(graph.indices), dtype=np.int32)
    for i in range(len(ids)):
        first = graph.indptr[vertex_of[i]]
        for k in range(starts[i + 1] - starts[i]):
            offsets[starts[i] + k] = np.int64(ids[order[graph.indices[first + k]]]) - np.int64(ids[i])
    return offsets


@kernel
def copy_rows(
    rows: IdRows, low: int, high: int, first_id: int, places: npt.NDArray[np.int64], out: npt.NDArray[np.int32]
) -> None:
    """Copy the rows ``low`` .. ``high - 1`` of a class to ``out``, the row of id ``first_id + i`` from ``places[i]``
    on."""
    for row in range(low, high):
        place = places[np.int64(rows.ids[row]) - first_id]
        for k in range(rows.starts[row], rows.starts[row + 1]):
            out[place] = rows.offsets[k]
            place += 1
