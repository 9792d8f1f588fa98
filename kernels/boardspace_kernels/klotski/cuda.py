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
item, and nobody reads what another one writes meanwhile.

Distances only grow while a search goes on: the last row ``fresh`` of a vertex holds its farthest sources of the pass.
What all sources together find is a maximum, and sums of integers, which depend on no order and on no width of rows.

A launch costs the host 62 microseconds, so up to PASSES passes are searched side by side, and the host looks
every LAYERS layers whether anything was reached. The sources of a pass have orbits of one size.

Memory of the device: 776 bytes a vertex and pass. On one H100 it searches 1.2e11 pairs a second in the class 2-5-1 of
826,848 layouts, where a core searches 8.5e8, and 7.8e9 in groups of 26,000 layouts that are 145 steps deep.

Calling it needs a GPU and the extra ``cuda``, or NUMBA_ENABLE_CUDASIM=1, by which numba runs these sources as plain
Python: that checks neither types nor races.
"""

from contextlib import AbstractContextManager, nullcontext

import numpy as np
import numpy.typing as npt
from numba import cuda, int32, int64

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

_ONE = np.uint64(1)
_ZERO = np.uint64(0)


@cuda.jit(cache=True)
def clear(seen: npt.NDArray[np.uint64], when: npt.NDArray[np.int32]) -> None:
    """Forget the searches before; one block a row.

    ``seen`` uint64 (passes, vertices, words); ``when`` int32 (2, passes, vertices)."""
    number, word, vertex = cuda.blockIdx.y, cuda.threadIdx.x, cuda.blockIdx.x
    while vertex < seen.shape[1]:
        seen[number, vertex, word] = _ZERO
        if word == 0:
            when[0, number, vertex] = NEVER
            when[1, number, vertex] = NEVER
        vertex += cuda.gridDim.x


@cuda.jit(cache=True)
def place_sources(
    sources: npt.NDArray[np.int32],
    many: npt.NDArray[np.int32],
    seen: npt.NDArray[np.uint64],
    fresh: npt.NDArray[np.uint64],
    when: npt.NDArray[np.int32],
) -> None:
    """Let each source reach itself, in layer 0; one block a source.

    ``sources`` int32 (passes, sources), distinct in a pass, of which ``many`` int32 (passes) count; ``fresh`` uint64
    (2, passes, vertices, words)."""
    number, word, source = cuda.blockIdx.y, cuda.threadIdx.x, cuda.blockIdx.x
    if source >= many[number]:
        return
    vertex = sources[number, source]
    bit = _ZERO
    if source >> 6 == word:
        bit = _ONE << np.uint64(source & 63)
    seen[number, vertex, word] = bit
    fresh[0, number, vertex, word] = bit
    if word == 0:
        when[0, number, vertex] = 0


@cuda.jit(cache=True)
def search_layer(
    indptr: npt.NDArray[np.int32],
    indices: npt.NDArray[np.int32],
    everyone: npt.NDArray[np.uint64],
    layer: int,
    seen: npt.NDArray[np.uint64],
    fresh: npt.NDArray[np.uint64],
    when: npt.NDArray[np.int32],
    reached: npt.NDArray[np.int64],
) -> None:
    """Search one layer of each pass, and add to ``reached`` int64 (passes) the pairs of a source and a vertex that are
    so many steps apart. ``everyone`` uint64 (passes, words): all sources of a pass.

    All threads of a block take part in each vote, whether there is anything to do for them or not."""
    found = cuda.shared.array(WORDS, int64)
    active = cuda.shared.array(WORDS, int32)  # neighbours that changed in the layer before
    many = cuda.shared.array(1, int32)
    number, word, vertex = cuda.blockIdx.y, cuda.threadIdx.x, cuda.blockIdx.x
    now, before, arrivals = layer & 1, (layer - 1) & 1, 0
    while vertex < seen.shape[1]:
        missing, arrived = everyone[number, word] & ~seen[number, vertex, word], _ZERO
        end = indptr[vertex + 1] if cuda.syncthreads_or(np.int32(missing != _ZERO)) else 0
        for first in range(indptr[vertex], end, cuda.blockDim.x):
            if word == 0:
                many[0] = 0
            cuda.syncthreads()
            if first + word < end:
                neighbour = indices[first + word]
                if when[before, number, neighbour] == layer - 1:
                    active[cuda.atomic.add(many, 0, 1)] = neighbour
            cuda.syncthreads()
            if missing != _ZERO:
                for i in range(many[0]):
                    arrived |= fresh[before, number, active[i], word]
            cuda.syncthreads()
        arrived &= missing
        if cuda.syncthreads_or(np.int32(arrived != _ZERO)):  # else the row keeps the sources that arrived last
            fresh[now, number, vertex, word] = arrived
            seen[number, vertex, word] |= arrived
            if word == 0:
                when[now, number, vertex] = layer
            arrivals += cuda.popc(arrived)
        vertex += cuda.gridDim.x
    found[word] = arrivals
    cuda.syncthreads()
    if word == 0:
        total = 0
        for other in range(cuda.blockDim.x):
            total += found[other]
        if total:
            cuda.atomic.add(reached, number, total)


@cuda.jit(cache=True)
def note_farthest(
    sizes: npt.NDArray[np.int32],
    fresh: npt.NDArray[np.uint64],
    when: npt.NDArray[np.int32],
    steps: npt.NDArray[np.uint16],
    counts: npt.NDArray[np.uint32],
) -> None:
    """Raise ``steps`` uint16 (vertices) to the last layers in which the passes reached each vertex, and keep ``counts``
    uint32 (vertices) in step: the sources that arrived then, as often as ``sizes`` int32 (passes) says. One thread a
    vertex."""
    vertex = cuda.grid(1)
    if vertex >= len(steps):
        return
    farthest, count = np.int32(steps[vertex]), np.int64(counts[vertex])
    for number in range(len(sizes)):
        now = 0
        if when[1, number, vertex] > when[0, number, vertex]:
            now = 1
        layer = when[now, number, vertex]
        if layer <= 0 or layer < farthest:  # 0: it is met by itself alone
            continue
        if layer > farthest:
            farthest = layer
            count = np.int64(0)
        for word in range(fresh.shape[3]):
            count += sizes[number] * np.int64(cuda.popc(fresh[now, number, vertex, word]))
    steps[vertex] = farthest
    counts[vertex] = count


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
    vertices, width = len(orbits.weight), 64 * words
    sizes = orbits.weight[sources]
    alike = [(size, sources[sizes == size]) for size in ORBIT_SIZES]
    cut = [(size, some[i : i + width]) for size, some in alike for i in range(0, len(some), width)]
    pairs, progress = np.zeros(min(vertices, MOST_STEPS), dtype=np.int64), nothing_searched(orbits)
    with gpu or nullcontext():
        _search(orbits, cut, words, passes, blocks, pairs, progress)  # its arrays are free again before it is left
    level_images(orbits.images, progress.steps, progress.counts)
    if pairs.sum() != vertices * int(sizes.sum(dtype=np.int64)):
        raise ArithmeticError(
            f"{pairs.sum()} pairs of {len(sources)} orbits and {vertices} layouts were reached, and not all of them: "
            "the GPU is at fault, or the graph is not connected"
        )
    return progress, pairs


def _search(
    orbits: OrbitGraph,
    cut: list[tuple[int, npt.NDArray[np.int32]]],
    words: int,
    passes: int,
    blocks: int,
    pairs: npt.NDArray[np.int64],
    progress: Progress,
) -> None:
    """Search these passes on the device, the size of their orbits and the sources of each, and add to ``pairs``."""
    vertices, width = len(orbits.weight), 64 * words
    free, _ = cuda.current_context().get_memory_info()
    passes = max(1, int(min(len(cut), passes, MEMORY_SHARE * free / (vertices * (24 * words + 8)))))
    grid = min(blocks, vertices), passes
    graph = cuda.to_device(orbits.graph.indptr), cuda.to_device(orbits.graph.indices)
    seen = cuda.device_array((passes, vertices, words), np.uint64)
    fresh = cuda.device_array((2, passes, vertices, words), np.uint64)
    when = cuda.device_array((2, passes, vertices), np.int32)
    steps, counts = cuda.to_device(progress.steps), cuda.to_device(progress.counts)
    for begin in range(0, len(cut), passes):
        sources, sizes, many = np.zeros((passes, width), np.int32), *np.zeros((2, passes), np.int32)
        for number, (size, some) in enumerate(cut[begin : begin + passes]):
            sources[number, : len(some)] = some
            sizes[number], many[number] = size, len(some)
        members = np.packbits(np.arange(width) < many[:, None], axis=1, bitorder="little").view("<u8")
        everyone = cuda.to_device(members)
        clear[grid, words](seen, when)
        place_sources[(width, passes), words](cuda.to_device(sources), cuda.to_device(many), seen, fresh, when)
        pairs[0] += sizes @ many
        for first in range(1, len(pairs), LAYERS):
            layers = range(first, min(first + LAYERS, len(pairs)))
            reached = cuda.to_device(np.zeros((len(layers), passes), np.int64))
            for place, layer in enumerate(layers):
                search_layer[grid, words](*graph, everyone, layer, seen, fresh, when, reached[place])
            found = reached.copy_to_host() @ sizes.astype(np.int64)
            pairs[first : first + len(layers)] += found
            if not found[-1]:
                break
        note_farthest[-(-vertices // 128), 128](cuda.to_device(sizes), fresh, when, steps, counts)
    steps.copy_to_host(progress.steps)
    counts.copy_to_host(progress.counts)
