"""Breadth-first searches of a graph: from up to 512 vertices at once, and from one, which notes the same.

Every vertex has a row of bits (:mod:`.balls`), one bit a source: has it reached the vertex yet?
After layer ``t`` the row of ``v`` holds the sources at most ``t`` steps away, and

    row_t(v) = row_{t-1}(v)  or  row_{t-1} of all its neighbours.

Only *active* vertices are worked on: those with a neighbour that was reached before, until they hold every source. With
sources close together that is few layers a vertex. A layer first *pulls*: it writes the new row of each active vertex
to a list; then it *settles*: it copies them back and looks at what arrived. Active vertices are bits of an array, so
they are met in ascending order. Neighbours in numbers being neighbours in the graph (order of codes is fine), a row is
mostly in a cache when it is asked for.

Distances are symmetric, so what the search learns it keeps at the vertices reached and not at the sources: ``steps[v]``
is the distance of the farthest source met so far, in this pass or an earlier one, and ``counts[v]`` the sources there,
each with its weight. ``steps[v]`` is then a lower bound of the farthest step of ``v``, and a source at distance ``t``
from ``v`` falls short of it by ``steps[v] - t``. The least such difference over all ``v`` is the source's *margin*;
:mod:`.farthest_steps` tells what it is good for. It is found for all 512 at once: what arrives at ``v`` goes
into one row per difference.

Where ``pairs`` is asked for, the pass counts instead of margins how many sources arrive in each layer, at all vertices
together: the pairs of a source and a vertex that are so many steps apart (:mod:`.farthest_steps`).

Cost: each active vertex and layer reads one row for every neighbour, 64 bytes of which the cache holds most, and
writes two; 4 to 8 layers a vertex with the sources in a ball, 15 or more with scattered ones.

A search from a single vertex costs 10 to 100 times as much as a vertex's share of a pass, the more the more neighbours
vertices have. But what it learns is known before the next vertex is chosen.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import kernel, shared
from boardspace_kernels.klotski.balls import WORDS, common, empty_rows, equal, load, minus, size, store, union
from boardspace_kernels.klotski.step_graph import Graph, mark_neighbours

MOST_MARGIN = 64
"""Margins are not told apart from here on."""

MOST_STEPS = (1 << 16) - 1
"""Searches refuse a distance of so many: uint16 holds those below, and this one stands for none yet."""

WEIGHT_BITS = 3
"""A source weighs 1, 2 or 4, the size of its orbit."""

_BITS = np.uint64(6)
_BIT_MASK = np.uint64(63)
_WORDS = np.uint64(WORDS)
_ONE = np.uint64(1)
_UNREACHED = np.uint16(MOST_STEPS)
_ZERO = np.uint64(0)
_MOST_MARGIN = np.uint64(MOST_MARGIN)


class Workspace(NamedTuple):
    """Arrays that a pass works in.

    reached: a row for each vertex, the sources that reached it.
    pulled: a row for each vertex, the same one layer later.
    by_margin: MOST_MARGIN rows, the sources by their margins.
    weights: WEIGHT_BITS rows, the sources by the bits of their weights.
    everyone: a row, all sources of the pass.
    last: a row for each vertex, or none where nobody asks: the sources at distance ``steps``.
    active: uint64 (vertices / 64), bits of the vertices that are looked at in this layer.
    known: uint64 (vertices / 64), of those that have been active.
    beside: uint64 (vertices / 64), of those beside vertices reached so far, sources left out.
    pairs: int64 (steps), pairs of a source and a vertex by their distance, or none where nobody asks.
    """

    reached: npt.NDArray[np.uint64]
    pulled: npt.NDArray[np.uint64]
    by_margin: npt.NDArray[np.uint64]
    weights: npt.NDArray[np.uint64]
    everyone: npt.NDArray[np.uint64]
    last: npt.NDArray[np.uint64]
    active: npt.NDArray[np.uint64]
    known: npt.NDArray[np.uint64]
    beside: npt.NDArray[np.uint64]
    pairs: npt.NDArray[np.int64]


def make_workspace(vertices: int, last: bool = False, pairs: bool = False) -> Workspace:
    """Make the workspace of passes over so many vertices: 128 bytes and 3 bits a vertex, with ``last`` 64 bytes
    more; with ``pairs`` they count pairs, and their margins mean nothing."""
    rows = (vertices, vertices, MOST_MARGIN, WEIGHT_BITS, 1, vertices if last else 0)
    reached, pulled, by_margin, weights, everyone, last_rows = (empty_rows(count) for count in rows)
    active, known, beside = (np.zeros((vertices + 63) // 64, dtype=np.uint64) for _ in range(3))
    by_distance = np.zeros(min(vertices, MOST_STEPS) if pairs else 0, dtype=np.int64)
    return Workspace(reached, pulled, by_margin, weights, everyone, last_rows, active, known, beside, by_distance)


@kernel
def search_pass(
    graph: Graph,
    sources: npt.NDArray[np.int32],
    weights: npt.NDArray[np.uint8],
    steps: npt.NDArray[np.uint16],
    counts: npt.NDArray[np.uint32],
    work: Workspace,
) -> npt.NDArray[np.int16]:
    """Search from distinct ``sources`` int32 (at most 512) with ``weights`` uint8 (sources), below 1 << WEIGHT_BITS,
    raising ``steps`` uint16 (vertices) and keeping ``counts`` uint32 (vertices) in step. Returns the margins, int16
    (sources).

    The graph is connected: vertices that no source can reach would be passed over.

    Raises:
        OverflowError: a source is MOST_STEPS steps or more from a vertex, or cannot reach one that another reaches.
    """
    start_pass(graph, sources, weights, work)
    layer = 0
    while pull(graph, work):
        layer += 1
        if layer == MOST_STEPS:
            raise OverflowError("a source is 65,535 steps or more from a vertex, or not joined to it")
        settle(graph, layer, steps, counts, work)
    return _margins(len(sources), work)


@shared
def start_pass(graph: Graph, sources: npt.NDArray[np.int32], weights: npt.NDArray[np.uint8], work: Workspace) -> None:
    """Clear the workspace; each source reaches itself, and its neighbours become active."""
    for rows in (work.reached, work.by_margin, work.weights, work.everyone, work.last):
        rows[:] = _ZERO
    work.pairs[:] = 0
    for bits in (work.active, work.known, work.beside):
        bits[:] = _ZERO
    for source in range(len(sources)):
        word, bit = source >> 6, _ONE << np.uint64(source & 63)
        work.everyone[word] |= bit
        for plane in range(WEIGHT_BITS):
            if (weights[source] >> plane) & 1:
                work.weights[plane * WORDS + word] |= bit
        vertex = np.uint64(sources[source])
        work.reached[vertex * _WORDS + np.uint64(word)] |= bit
        # The source is looked at itself, too: it waits for all others.
        work.active[vertex >> _BITS] |= _ONE << (vertex & _BIT_MASK)
        mark_neighbours(graph, vertex, work.active)
    for place in range(len(work.known)):
        work.known[place] = work.active[place]


@shared
def pull(graph: Graph, work: Workspace) -> np.uint64:
    """Write the new rows of the active vertices, in their order, to ``pulled``; returns how many these are."""
    done = _ZERO
    for word in range(np.uint64(len(work.active))):
        bits = work.active[word]
        while bits:
            # All of this is uint64: mixed with int64, numba would make floats of the sums.
            vertex = (word << _BITS) + lowest_bit(bits)
            bits &= bits - _ONE
            # Read from one array, written to another: all reads see the layer before.
            row = load(work.reached, vertex)
            for i in range(np.uint64(graph.indptr[vertex]), np.uint64(graph.indptr[vertex + _ONE])):
                row = union(row, load(work.reached, np.uint64(graph.indices[i])))
            store(work.pulled, done, row)
            done += _ONE
    return done


@shared
def settle(
    graph: Graph, layer: int, steps: npt.NDArray[np.uint16], counts: npt.NDArray[np.uint32], work: Workspace
) -> None:
    """Take the pulled rows over and note what arrived in them; then find who is active in the next layer.

    It is one loop because each step of it needs both rows of a vertex, which are loaded once.
    """
    everyone = load(work.everyone, _ZERO)
    # There are no constants of this type, so the empty row is made from one that is there.
    nobody = minus(everyone, everyone)
    done = _ZERO
    counting, pairs = len(work.pairs) > 0, _ZERO
    for word in range(np.uint64(len(work.active))):
        bits = work.active[word]
        while bits:
            # -bits, for unsigned numbers.
            lowest = bits & (~bits + _ONE)
            bits ^= lowest
            vertex = (word << _BITS) + lowest_bit(lowest)
            # Vertices come in the order in which they were pulled, so a number is enough to find the new row.
            before, row = load(work.reached, vertex), load(work.pulled, done)
            done += _ONE
            arrived = minus(row, before)
            if counting:
                pairs += size(arrived)
            else:
                # Whoever arrives no nearer than the farthest so far has margin 0, wherever others come from later.
                margin = np.uint64(max(np.int64(steps[vertex]) - layer, 0))
                if margin < _MOST_MARGIN:
                    store(work.by_margin, margin, union(load(work.by_margin, margin), arrived))
            store(work.reached, vertex, row)
            if equal(row, everyone):
                # All sources have arrived, so those of this layer are the farthest; nothing is left to wait for. The
                # vertices still to come are those in `bits`, which this leaves alone.
                work.active[word] ^= lowest
                if layer >= steps[vertex]:
                    _note_farthest(arrived, layer, vertex, steps, counts, work)
            # Reached for the first time, so its neighbours have something to pull from the next layer on.
            if equal(before, nobody):
                mark_neighbours(graph, vertex, work.beside)
    if pairs:
        work.pairs[layer] = pairs
    for word in range(len(work.active)):
        # `known` keeps a vertex that holds every source from being woken again.
        work.active[word] |= work.beside[word] & ~work.known[word]
        work.known[word] |= work.beside[word]


@kernel
def _note_farthest(
    arrived: npt.NDArray[np.uint64],
    layer: int,
    vertex: np.uint64,
    steps: npt.NDArray[np.uint16],
    counts: npt.NDArray[np.uint32],
    work: Workspace,
) -> None:
    """Count the sources that ``arrived`` (a row) at a vertex no other has reached in fewer steps than this layer."""
    weight = _ZERO
    for plane in range(np.uint64(WEIGHT_BITS)):
        # Weights lie in planes of bits, so a sum of weights is a few counts of bits.
        weight += size(common(arrived, load(work.weights, plane))) << plane
    if not weight:
        return
    if layer > steps[vertex]:
        steps[vertex] = layer
        counts[vertex] = 0
    counts[vertex] += weight
    if len(work.last):
        store(work.last, vertex, arrived)


@kernel
def _margins(sources: int, work: Workspace) -> npt.NDArray[np.int16]:
    """The first of the rows ``by_margin`` that holds each source; MOST_MARGIN where none does."""
    margins = np.full(sources, MOST_MARGIN, dtype=np.int16)
    # Downwards, so that the smallest margin of a source is written last.
    for margin in range(MOST_MARGIN - 1, -1, -1):
        for source in range(sources):
            if (work.by_margin[margin * WORDS + (source >> 6)] >> np.uint64(source & 63)) & _ONE:
                margins[source] = margin
    return margins


class Single(NamedTuple):
    """Findings of a search from a single vertex.

    margin: of the source, 32,767 where it is more.
    bound: the vertex, of those nearest to the source, because of which the margin is no larger.
    end: one of the vertices farthest from the source.
    steps: how far that is.
    """

    margin: int
    bound: int
    end: int
    steps: int


@kernel
def search_single(
    graph: Graph,
    source: int,
    weight: int,
    steps: npt.NDArray[np.uint16],
    counts: npt.NDArray[np.uint32],
) -> Single:
    """Search a connected graph from ``source``, raising ``steps`` uint16 (vertices) and keeping ``counts`` uint32
    (vertices) in step.

    Raises:
        OverflowError: a vertex is MOST_STEPS steps away.
    """
    distance = np.full(len(steps), _UNREACHED, dtype=np.uint16)
    queue = np.empty(len(steps), dtype=np.int32)
    distance[source] = 0
    queue[0] = source
    end = _ONE
    margin, bound = np.int64(np.iinfo(np.int16).max), np.int64(source)
    # The graph is connected, so all vertices come into the queue, and one that is read has been written.
    for begin in range(np.uint64(len(distance))):
        vertex = np.uint64(queue[begin])
        step = np.int64(distance[vertex])
        for i in range(np.uint64(graph.indptr[vertex]), np.uint64(graph.indptr[vertex + _ONE])):
            other = np.uint64(graph.indices[i])
            if distance[other] == _UNREACHED:
                if step + 1 == MOST_STEPS:
                    raise OverflowError("a vertex is 65,535 steps from the source")
                distance[other] = step + 1
                queue[end] = other
                end += _ONE
        if step > steps[vertex]:
            steps[vertex] = step
            counts[vertex] = 0
        if step == steps[vertex]:
            counts[vertex] += np.uint32(weight)
        # Never negative, since `steps` was raised just before.
        if np.int64(steps[vertex]) - step < margin:
            margin, bound = np.int64(steps[vertex]) - step, np.int64(vertex)
    last = np.int64(queue[len(queue) - 1])
    return Single(margin, bound, last, np.int64(distance[last]))
