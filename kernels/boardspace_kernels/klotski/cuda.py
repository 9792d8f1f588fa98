"""All pairs of layouts of a group by their distance, and their farthest steps, on an NVIDIA GPU.

:func:`search_counted` returns, item for item, what the one of :mod:`.farthest_steps` does. The search is that of
:mod:`.passes`, in other proportions: a row has WORDS words for 2,048 sources, and a block of the device has
one thread a word, so that it treats a row at a time: its threads first find the neighbours that changed, each of them
looking at others, and then read these together. Blocks share the rows of a layer among them in any order. After layer
``t``, with ``fresh_0(v)`` the sources at ``v`` and ``seen_0(v)`` the same,

    fresh_t(v) = (fresh_{t-1} of all its neighbours) without seen_{t-1}(v),     seen_t(v) = seen_{t-1}(v) or fresh_t(v),

so only neighbours are read that were reached by some source in the layer before, and these only by the threads whose
word lacks a source. Of ``fresh`` and of ``when``, the layers in which rows changed, there are two each, for even and
odd layers: a block reads those of the layer before, and writes those of its own. Hence no two threads write the same
item, and nobody reads what another one writes meanwhile. What is found are maxima, and sums of integers, which depend
on no order and on no width of rows.

A launch costs the host 62 microseconds, so passes, each of sources with orbits of one size, are searched side by side,
and the host looks every LAYERS layers whether anything was reached. Memory of the device: 776 bytes a vertex and pass.
One H100 searched 1.2e11 pairs a second in the class 2-5-1 of 826,848 layouts, where a core searches 8.5e8, and 7.8e9 in
groups of 26,000 layouts that are 145 steps deep.

Calling it needs a GPU and the extra ``cuda``, or NUMBA_ENABLE_CUDASIM=1, by which numba runs these sources as plain
Python: that checks neither types nor races.
"""

from contextlib import AbstractContextManager, nullcontext

import numpy as np
import numpy.typing as npt
from numba import cuda, int32

from boardspace_kernels.klotski.balls import level_images
from boardspace_kernels.klotski.farthest_steps import ORBIT_SIZES, OrbitGraph, Progress, nothing_searched
from boardspace_kernels.klotski.passes import MOST_STEPS

WORDS = 32
"""Words of a row, and threads of a block."""
PASSES = 16
"""Most passes side by side: more of them are no quicker."""
LAYERS = 4
"""Layers between two looks of the host."""
BLOCKS = 1 << 13
"""Blocks of a launch, for each pass: enough for 132 multiprocessors. A block goes on with the row so many further."""
MEMORY_SHARE = 0.8
"""Share of the free memory of the device that a search takes at most."""
NEVER = -1
"""In ``when``: not reached yet."""
_ONE, _ZERO = np.uint64(1), np.uint64(0)


@cuda.jit(cache=True)
def place_sources(first, place, seen, fresh, when):  # type: ignore[no-untyped-def]
    """Forget the searches before, and let each source of the passes from ``first`` on reach itself, in layer 0.

    place: int32 (vertices), bit of a source among those of all passes, as many a pass as a row has; -1 of others.
    seen, fresh, when: uint64 (passes, vertices, words), uint64 (2, ... the same), int32 (2, passes, vertices)."""
    number, word, vertex = cuda.blockIdx.y, cuda.threadIdx.x, cuda.blockIdx.x
    while vertex < seen.shape[1]:
        source, bit = place[vertex] - 64 * cuda.blockDim.x * (first + number), _ZERO
        # Sources of other passes, and vertices that are none, come out below 0 or beyond the last word.
        if source >> 6 == word:
            bit = _ONE << np.uint64(source & 63)
        is_source = 0 <= source < 64 * cuda.blockDim.x
        seen[number, vertex, word] = bit
        # The other rows keep what an earlier search left in them: `when` lets nobody read those.
        if is_source:
            fresh[0, number, vertex, word] = bit
        if word == 0:
            when[0, number, vertex] = 0 if is_source else NEVER
            when[1, number, vertex] = NEVER
        vertex += cuda.gridDim.x


@cuda.jit(cache=True)
def search_layer(indptr, indices, everyone, layer, seen, fresh, when, reached):  # type: ignore[no-untyped-def]
    """Search one layer of each pass, and add to ``reached`` int64 (passes) the pairs of a source and a vertex that are
    so many steps apart. ``everyone`` uint64 (passes, words): all sources of a pass.

    All threads of a block take part in each vote, whether there is anything to do for them or not."""
    active = cuda.shared.array(WORDS, int32)  # neighbours that changed in the layer before
    many = cuda.shared.array(2, int32)  # of these, and of sources that arrived
    number, word, vertex = cuda.blockIdx.y, cuda.threadIdx.x, cuda.blockIdx.x
    now, before, arrivals = layer & 1, (layer - 1) & 1, 0
    if word == 0:
        # Each block has a row at least, so its votes lie between this and the first addition.
        many[1] = 0
    while vertex < seen.shape[1]:
        missing, arrived = everyone[number, word] & ~seen[number, vertex, word], _ZERO
        # A row that lacks no source needs no neighbours. The vote makes all threads of the block skip it together.
        first, end = indptr[vertex], indptr[vertex + 1] if cuda.syncthreads_or(np.int32(missing != _ZERO)) else 0
        while first < end:
            if word == 0:
                many[0] = 0
            # One wait each: until `many[0]` is 0, until the list is complete, and until all threads have read it.
            cuda.syncthreads()
            if first + word < end and when[before, number, indices[first + word]] == layer - 1:
                active[cuda.atomic.add(many, 0, 1)] = indices[first + word]
            cuda.syncthreads()
            if missing != _ZERO:
                for i in range(many[0]):
                    arrived |= fresh[before, number, active[i], word]
            cuda.syncthreads()
            first += cuda.blockDim.x
        arrived &= missing
        if cuda.syncthreads_or(np.int32(arrived != _ZERO)):  # else the row keeps the sources that arrived last
            fresh[now, number, vertex, word] = arrived
            seen[number, vertex, word] |= arrived
            if word == 0:
                when[now, number, vertex] = layer
            arrivals += cuda.popc(arrived)
        vertex += cuda.gridDim.x
    cuda.atomic.add(many, 1, arrivals)
    cuda.syncthreads()
    if word == 0 and many[1]:
        cuda.atomic.add(reached, number, many[1])


@cuda.jit(cache=True)
def note_farthest(sizes, fresh, when, steps, counts):  # type: ignore[no-untyped-def]
    """Raise ``steps`` uint16 (vertices) to the last layers in which the passes reached each vertex, and keep ``counts``
    uint32 (vertices) in step: the sources that arrived then, as often as ``sizes`` int32 (passes) says.

    One thread a vertex. Distances only grow, so its last row ``fresh`` holds its farthest sources of the pass."""
    vertex = cuda.grid(1)
    if vertex >= len(steps):
        return
    farthest, count = np.int32(steps[vertex]), np.int64(counts[vertex])
    for number in range(len(sizes)):
        # The last layer that changed the row is in the one of the two that is later.
        now = np.int32(when[1, number, vertex] > when[0, number, vertex])
        layer = when[now, number, vertex]
        if layer > farthest:
            farthest, count = layer, np.int64(0)
        if layer == farthest and layer > 0:  # 0: it is met by itself alone
            for word in range(fresh.shape[3]):
                count += sizes[number] * np.int64(cuda.popc(fresh[now, number, vertex, word]))
    steps[vertex], counts[vertex] = farthest, count


def search_counted(
    orbits: OrbitGraph,
    sources: npt.NDArray[np.int32],
    gpu: AbstractContextManager[None] | None = None,
    words: int = WORDS,
    passes: int = PASSES,
    blocks: int = BLOCKS,
) -> tuple[Progress, npt.NDArray[np.int64]]:
    """Search from the orbits ``sources`` int32, some of ``orbits.order``, as :func:`.farthest_steps.search_counted`.

    ``gpu`` is entered for what runs on the device. ``words`` (at most WORDS) of a row, at most ``passes`` side by side
    and ``blocks`` of a launch decide how long it takes and not what is found.

    Raises:
        ArithmeticError: some pairs were not reached; the device is at fault, or the graph is not connected.
    """
    vertices, weight, progress = len(orbits.weight), orbits.weight[sources], nothing_searched(orbits)
    alike = [sources[weight == size] for size in ORBIT_SIZES]
    cut = [some[i : i + 64 * words] for some in alike for i in range(0, len(some), 64 * words)]
    with gpu or nullcontext():
        pairs = _search(orbits, cut, words, passes, blocks, progress)  # its arrays are free before the GPU is left
    level_images(orbits.images, progress.steps, progress.counts)
    pairs[0] = weight.sum(dtype=np.int64)
    if pairs.sum() != vertices * pairs[0]:
        raise ArithmeticError(
            f"{pairs.sum()} pairs of {len(sources)} orbits and {vertices} layouts were reached, and not all of them: "
            "the GPU is at fault, or the graph is not connected"
        )
    return progress, pairs


def _search(
    orbits: OrbitGraph, cut: list[npt.NDArray[np.int32]], words: int, passes: int, blocks: int, progress: Progress
) -> npt.NDArray[np.int64]:
    """Search on the device from the sources of each pass; the pairs of layouts by their distance, from 1 on."""
    vertices, width = len(orbits.weight), 64 * words
    places, sizes = np.full(vertices, -1, np.int32), np.array([orbits.weight[some[0]] for some in cut], np.int32)
    for number, some in enumerate(cut):
        places[some] = np.arange(number * width, number * width + len(some))
    many = np.array([len(some) for some in cut]).reshape(-1, 1)
    # Bits of the sources of each pass, the first one lowest: the last pass of each size is mostly not full.
    members = np.packbits(np.arange(width) < many, axis=1, bitorder="little").view("<u8")
    free, _ = cuda.current_context().get_memory_info()
    # A word of a row takes 8 bytes in `seen` and 16 in `fresh`, and a row 8 in `when`.
    passes = max(1, int(min(len(cut), passes, MEMORY_SHARE * free / (vertices * (24 * words + 8)))))
    graph, place = [cuda.to_device(array) for array in orbits.graph], cuda.to_device(places)
    seen = cuda.device_array((passes, vertices, words), np.uint64)
    fresh = cuda.device_array((2, passes, vertices, words), np.uint64)
    when = cuda.device_array((2, passes, vertices), np.int32)
    steps, counts = cuda.to_device(progress.steps), cuda.to_device(progress.counts)
    most = min(vertices, MOST_STEPS)
    pairs = np.zeros(most + LAYERS, np.int64)
    for begin in range(0, len(cut), passes):
        size, everyone = sizes[begin : begin + passes], cuda.to_device(members[begin : begin + passes])
        grid = min(blocks, vertices), len(size)
        place_sources[grid, words](begin, place, seen, fresh, when)
        for first in range(1, most, LAYERS):
            reached = cuda.to_device(np.zeros((LAYERS, len(size)), np.int64))
            for i in range(LAYERS):
                search_layer[grid, words](*graph, everyone, first + i, seen, fresh, when, reached[i])
            found = reached.copy_to_host() @ size
            pairs[first : first + LAYERS] += found
            # Nothing arrived in the last of these layers, so nothing can arrive after it.
            if not found[-1]:
                break
        note_farthest[-(-vertices // 128), 128](cuda.to_device(size), fresh, when, steps, counts)
    steps.copy_to_host(progress.steps)
    counts.copy_to_host(progress.counts)
    return pairs[:most]
