"""Numbers of solutions of all layouts, by searches from up to 512 layouts with the feature S at once.

T is a solution of A if T has S, A and T are in one group, and no shortest path from A to T holds another layout with
S, A included. Steps can be taken back, so the search runs from T. Breadth first, it *lights* or *shadows* each vertex:
T is lit; a vertex reached is shadowed if it has S itself or if one of its neighbours one layer nearer to T is shadowed.
T is a solution exactly of the layouts that it lights. A layout with S is its own only solution.

All sources of a pass walk in step (see :mod:`.balls` for rows of 512 bits). A vertex has two
rows: the sources that shadow it and those that light it. What arrives at a vertex in layer ``t`` comes from neighbours
that were reached in layer ``t - 1``, since by earlier ones it would have been reached before. Hence in layer ``t``

    shadowed(v) = shadowed(v) or (shadowed(u) of any neighbour u, but not lit(v)),
    arrived(v)  = lit(u) of any neighbour u, but neither shadowed(v) nor lit(v),

and what arrived is lit, or shadowed where v has S. A vertex is *active* from the layer after its first neighbour is
reached until it knows all sources that are still *alive*: those that lit something in the last layer. Rows are read
from one array and written to another, which change places after each layer; so a vertex that needs no more work is
copied once in the layer after its last.

Only *gates* are searched from: layouts with S that have a neighbour without; others light nothing but themselves. The
left-right mirror image keeps steps and the exit, so of each gate and its image one is searched, with weight 2 (weight
1 where they are the same): then the sum of what was counted at v and at its image is twice the number for v. Sources
whose codes are close share a pass: they are mostly near each other, and a vertex is active from the first to the last
of them. (Balls grown around sources take as long.)

The rows of a large group are in no cache near a core. Active vertices are mostly next to one another, and so are their
neighbours in ``Graph.indices``: the rows of what stands a little ahead there are asked for before they are needed,
which takes a fifth to a third off a search. (It takes nothing off the passes of :mod:`.passes`, which read half of
that.)

Cost: each active vertex and layer reads two rows for each neighbour, about 80 ns in a group of 10^6 layouts, and a
vertex is active in 6 to 10 layers. So a group of n layouts takes about 3e-11 n^2 seconds. Fewer sources in a pass make
fewer layers but cost more for each source; other orders of the vertices than by code cost more, too. Shadows are nearly
everything: 3 to 13 percent of all pairs of a gate and a layout are lit in large groups.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.balls import (
    SOURCES,
    WORDS,
    common,
    empty_rows,
    equal,
    load,
    minus,
    prefetch,
    size,
    store,
    union,
)
from boardspace_kernels.klotski.step_graph import Graph, mark_neighbours

_AHEAD = np.uint64(64)
"""Places of ``Graph.indices``: two to ten vertices."""
_BITS = np.uint64(6)
_BIT_MASK = np.uint64(63)
_WORDS = np.uint64(WORDS)
_ONE = np.uint64(1)
_ZERO = np.uint64(0)


class Workspace(NamedTuple):
    """Arrays that a pass works in.

    now: two rows a vertex, 2 v shadowed, 2 v + 1 lit.
    later: two rows a vertex, of the next layer.
    sources: two rows, all sources of the pass and those of weight 2.
    active: uint64 (vertices / 64), bits of the vertices that are looked at.
    known: uint64 (vertices / 64), of those that have been active.
    beside: uint64 (vertices / 64), of those beside vertices reached so far.
    finished: uint64 (vertices / 64), of those finished in this layer.
    """

    now: npt.NDArray[np.uint64]
    later: npt.NDArray[np.uint64]
    sources: npt.NDArray[np.uint64]
    active: npt.NDArray[np.uint64]
    known: npt.NDArray[np.uint64]
    beside: npt.NDArray[np.uint64]
    finished: npt.NDArray[np.uint64]


def make_workspace(vertices: int) -> Workspace:
    """Make the workspace of passes over a graph with so many vertices: 256 bytes and 4 bits a vertex, taken as it is
    used."""
    bits = (np.zeros((vertices + 63) // 64, dtype=np.uint64) for _ in range(4))
    return Workspace(empty_rows(2 * vertices), empty_rows(2 * vertices), empty_rows(2), *bits)


def count_solutions(
    graph: Graph, starts: npt.NDArray[np.int64], at_exit: npt.NDArray[np.bool_], images: npt.NDArray[np.int32]
) -> npt.NDArray[np.uint32]:
    """Number of solutions of each vertex of some groups, uint32 (vertices), 0 for vertices of other groups.

    The groups are ``starts[g]`` .. ``starts[g + 1] - 1`` int64 (groups + 1); ``at_exit`` bool (vertices) tells the
    layouts with S. ``images`` int32 (vertices) is the left-right mirror image of each vertex, inside these groups.
    ArithmeticError where the counts at a vertex and at its image do not add up to an even number, as they must.
    """
    searched = _gates(graph, starts, at_exit) & (np.arange(len(images)) <= images)
    sources = np.flatnonzero(searched).astype(np.int32)
    counts = _search_groups(graph, starts, at_exit, images, sources, make_workspace(len(at_exit)))
    first, end = starts[0], starts[-1]
    twice = counts[first:end] + counts[images[first:end]]
    if (twice & 1).any():
        raise ArithmeticError(
            f"vertex {first + np.flatnonzero(twice & 1)[0]}: half of {twice[twice & 1 == 1][0]} lights"
        )
    counts[first:end] = twice >> 1
    counts[first:end][at_exit[first:end]] = 1
    return counts


@kernel
def _gates(graph: Graph, starts: npt.NDArray[np.int64], at_exit: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    """The layouts with S of these groups from which a step leads to one without, bool (vertices)."""
    gates = np.zeros(len(at_exit), dtype=np.bool_)
    for vertex in range(starts[0], starts[-1]):
        if at_exit[vertex]:
            for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
                gates[vertex] |= not at_exit[graph.indices[i]]
    return gates


@kernel
def _search_groups(
    graph: Graph,
    starts: npt.NDArray[np.int64],
    at_exit: npt.NDArray[np.bool_],
    images: npt.NDArray[np.int32],
    sources: npt.NDArray[np.int32],
    work: Workspace,
) -> npt.NDArray[np.uint32]:
    """Weights of the sources that light each vertex, uint32 (vertices), from searches that begin in ``sources`` int32,
    which are in order of groups; a pass stays in one group."""
    counts = np.zeros(len(at_exit), dtype=np.uint32)
    low = 0
    for group in range(len(starts) - 1):
        while low < len(sources) and sources[low] < starts[group + 1]:
            high = low
            while high < min(low + SOURCES, len(sources)) and sources[high] < starts[group + 1]:
                high += 1
            _start(graph, starts[group], starts[group + 1], sources[low:high], images, work)
            _search(graph, starts[group], starts[group + 1], at_exit, counts, work)
            low = high
    return counts


@kernel
def _start(
    graph: Graph, first: int, end: int, sources: npt.NDArray[np.int32], images: npt.NDArray[np.int32], work: Workspace
) -> None:
    """Clear the workspace of the group ``first`` .. ``end - 1``; light the sources and make their neighbours active."""
    for rows in (work.now, work.later):
        rows[2 * WORDS * first : 2 * WORDS * end] = _ZERO
    for bits in (work.active, work.known, work.beside, work.finished):
        # The words at both ends have bits of other groups, of which none is set in a pass of this one.
        bits[first >> 6 : (end + 63) >> 6] = _ZERO
    work.sources[:] = _ZERO
    for i in range(len(sources)):
        vertex = np.uint64(sources[i])
        word, bit = np.uint64(i >> 6), _ONE << np.uint64(i & 63)
        work.sources[word] |= bit
        # A gate that is not its own image stands for two, so it has weight 2.
        if images[vertex] != sources[i]:
            work.sources[_WORDS + word] |= bit
        # In ``now`` alone: a source is active, so the first layer writes its rows to ``later``.
        work.now[(vertex << _ONE | _ONE) * _WORDS + word] |= bit
        work.active[vertex >> _BITS] |= _ONE << (vertex & _BIT_MASK)
        mark_neighbours(graph, vertex, work.active)
    for place in range(first >> 6, (end + 63) >> 6):
        work.known[place] = work.active[place]


@kernel
def _search(
    graph: Graph, first: int, end: int, at_exit: npt.NDArray[np.bool_], counts: npt.NDArray[np.uint32], work: Workspace
) -> None:
    """Run a pass to its end: ``counts`` of each vertex grows by the weights of the sources that light it.

    It is one loop because every step of it needs the rows of a vertex, which stay in registers.
    """
    everyone, double = load(work.sources, _ZERO), load(work.sources, _ONE)
    nobody = minus(everyone, everyone)
    now, later = work.now, work.later
    last = np.uint64(len(graph.indices) - 1)
    words = range(np.uint64(first >> 6), np.uint64((end + 63) >> 6))
    alive = everyone
    while not equal(alive, nobody):
        alive = nobody
        for word in words:
            # Before this layer sets bits of its own in `finished`, as those are copied in the next layer.
            _copy_finished(word, work.finished, now, later)
            bits = work.active[word]
            while bits:
                lowest = bits & (~bits + _ONE)
                bits ^= lowest
                vertex = (word << _BITS) + lowest_bit(lowest)
                row = vertex << _ONE
                # All reads are from `now` and all writes to `later`, so neighbours are seen as they were in the layer
                # before.
                shadowed_before, lit_before = load(now, row), load(now, row | _ONE)
                shadowed, lit = shadowed_before, lit_before
                for i in range(np.uint64(graph.indptr[vertex]), np.uint64(graph.indptr[vertex + _ONE])):
                    # Where nothing is so far ahead, the last place of the array is asked for again.
                    ahead = np.uint64(graph.indices[min(i + _AHEAD, last)]) << _ONE
                    prefetch(now, ahead)
                    prefetch(now, ahead | _ONE)
                    other = np.uint64(graph.indices[i]) << _ONE
                    shadowed = union(shadowed, load(now, other))
                    lit = union(lit, load(now, other | _ONE))
                # Lit is for good: the path of a shadow that comes later is longer. What comes in the same layer
                # shadows.
                shadowed = minus(shadowed, lit_before)
                arrived = minus(minus(lit, shadowed), lit_before)
                lit = lit_before
                if at_exit[vertex]:
                    # A path that goes on from here holds another layout with S.
                    shadowed = union(shadowed, arrived)
                else:
                    alive = union(alive, arrived)
                    lit = union(lit, arrived)
                store(later, row, shadowed)
                store(later, row | _ONE, lit)
                # It knows all sources that are alive, so it is looked at no more. Its rows are copied once in the next
                # layer.
                if equal(minus(everyone, union(shadowed, lit)), nobody):
                    work.active[word] ^= lowest
                    work.finished[word] |= lowest
                # It is reached for the first time, so its neighbours have something to read from the next layer on.
                if equal(union(shadowed_before, lit_before), nobody):
                    mark_neighbours(graph, vertex, work.beside)
        for word in words:
            work.active[word] |= work.beside[word] & ~work.known[word]
            work.known[word] |= work.beside[word]
        # A source that lit nothing in this layer cannot light anything later: what it lights comes from what it lit one
        # layer before.
        everyone = alive
        now, later = later, now
    for vertex in range(np.uint64(first), np.uint64(end)):
        lit = load(now, vertex << _ONE | _ONE)
        # Bits are counted here and not where they arrive, which is mostly in two or three layers of a vertex. A source
        # of weight 2 counts once among all and once among `double`.
        counts[vertex] += np.uint32(size(lit) + size(common(lit, double)))


@kernel
def _copy_finished(
    word: np.uint64, finished: npt.NDArray[np.uint64], now: npt.NDArray[np.uint64], later: npt.NDArray[np.uint64]
) -> None:
    """Copy the rows of the vertices of a word that needed no work any more after the last layer."""
    bits = finished[word]
    finished[word] = _ZERO
    while bits:
        row = ((word << _BITS) + lowest_bit(bits)) << _ONE
        bits &= bits - _ONE
        store(later, row, load(now, row))
        store(later, row | _ONE, load(now, row | _ONE))
