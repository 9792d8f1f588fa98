"""Sets of up to 512 sources as rows of 512 bits, which compiled code keeps in vector registers; and balls of layouts.

A search from many sources at once keeps for every vertex the set of sources that have reached it. The sets live in one
flat uint64 array, ``WORDS`` words a vertex; loaded, a set is a value of the numba type :class:`Row`, one LLVM vector of
eight 64-bit lanes. numba would treat the eight words one by one (it compiles without LLVM's pass that packs straight
code into vectors), which takes three times as long. LLVM splits a row into whatever registers the processor has: two of
256 bits, four of 128 or one of 512.

The functions here are for compiled code only.

*Balls* are those of layouts around searched ones: orbits in balls, margins that spread, nets of spaced layouts. They
are what :mod:`.farthest_steps` has to know of a group's graph and its reflections besides the searches themselves.
``images`` int32 (reflections, vertices) holds the image of each vertex under each reflection, first of all itself.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, models, register_model

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.step_graph import Graph

WORDS = 8
SOURCES = 64 * WORDS
_ROW_SHIFT = 3
_CACHE_LINE = 64

SETTLED = 1
"""The least margin that settles a vertex."""


class Row(types.Type):
    """The numba type of a set of sources."""

    def __init__(self) -> None:
        super().__init__(name="Row")


_ROW = Row()
_LANES = ir.VectorType(ir.IntType(64), WORDS)


@register_model(Row)
class _RowModel(models.PrimitiveModel):
    def __init__(self, manager: Any, row: Row) -> None:
        super().__init__(manager, row, _LANES)


def empty_rows(count: int) -> npt.NDArray[np.uint64]:
    """``count`` rows of no source, uint64 (WORDS * count), each in one cache line."""
    size = 8 * WORDS * count
    memory = np.zeros(size + _CACHE_LINE, dtype=np.uint8)
    # As many bytes as are left to the next line: whoever reads a row across two lines fetches both.
    start = -memory.ctypes.data % _CACHE_LINE
    return memory[start : start + size].view(np.uint64)


def _address(context: Any, builder: Any, array_type: Any, array: Any, row: Any) -> Any:
    data = context.make_array(array_type)(context, builder, array).data
    # The array's items are words, of which a row has eight, and the address counts in them.
    word = builder.shl(row, ir.Constant(row.type, _ROW_SHIFT))
    return builder.bitcast(builder.gep(data, [word]), _LANES.as_pointer())


@intrinsic
def load(typing_context: Any, rows: Any, index: Any) -> Any:
    """Row number ``index`` (uint64) of the array ``rows``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Build the code for it, by numba's interface of intrinsics."""
        row = builder.load(_address(context, builder, signature.args[0], *arguments))
        # By itself LLVM takes a vector to lie at a multiple of its size, which not every array of words does.
        row.align = 8
        return row

    return _ROW(rows, types.uint64), generate


@intrinsic
def store(typing_context: Any, rows: Any, index: Any, row: Any) -> Any:
    """Make ``row`` row number ``index`` (uint64) of the array ``rows``."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Build the code for it, by numba's interface of intrinsics."""
        address = _address(context, builder, signature.args[0], *arguments[:2])
        builder.store(arguments[2], address).align = 8
        return context.get_dummy_value()

    return types.void(rows, types.uint64, _ROW), generate


@intrinsic
def prefetch(typing_context: Any, rows: Any, index: Any) -> Any:
    """Bring row number ``index`` (uint64) of the array ``rows`` near the core, and don't wait for it."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        """Build the code for it, by numba's interface of intrinsics."""
        address = builder.bitcast(_address(context, builder, signature.args[0], *arguments), ir.IntType(8).as_pointer())
        flag = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [address.type, flag, flag, flag])
        call = builder.module.declare_intrinsic("llvm.prefetch", (address.type,), kind)
        # to read, to be kept in all caches, data
        builder.call(call, [address, *(ir.Constant(flag, value) for value in (0, 3, 1))])
        return context.get_dummy_value()

    return types.void(rows, types.uint64), generate


@intrinsic
def union(typing_context: Any, row: Any, other: Any) -> Any:
    """Sources in either row."""
    return _ROW(_ROW, _ROW), lambda context, builder, signature, rows: builder.or_(*rows)


@intrinsic
def common(typing_context: Any, row: Any, other: Any) -> Any:
    """Sources in both rows."""
    return _ROW(_ROW, _ROW), lambda context, builder, signature, rows: builder.and_(*rows)


@intrinsic
def minus(typing_context: Any, row: Any, other: Any) -> Any:
    """Sources in ``row`` but not in ``other``."""
    return _ROW(_ROW, _ROW), lambda context, builder, signature, rows: builder.and_(rows[0], builder.not_(rows[1]))


@intrinsic
def equal(typing_context: Any, row: Any, other: Any) -> Any:
    """Return whether two rows hold the same sources."""

    def generate(context: Any, builder: Any, signature: Any, rows: Any) -> Any:
        """Build the code for it, by numba's interface of intrinsics."""
        # A bit for each lane, so that all lanes are compared with 0 as one number.
        differs = builder.bitcast(builder.icmp_unsigned("!=", *rows), ir.IntType(WORDS))
        return builder.icmp_unsigned("==", differs, ir.Constant(differs.type, 0))

    return types.boolean(_ROW, _ROW), generate


@intrinsic
def size(typing_context: Any, row: Any) -> Any:
    """Number of sources of a row, uint64."""

    def generate(context: Any, builder: Any, signature: Any, rows: Any) -> Any:
        """Build the code for it, by numba's interface of intrinsics."""
        count_type = ir.FunctionType(_LANES, [_LANES])
        count = cgutils.get_or_insert_function(builder.module, count_type, f"llvm.ctpop.v{WORDS}i64")
        add_type = ir.FunctionType(ir.IntType(64), [_LANES])
        add = cgutils.get_or_insert_function(builder.module, add_type, f"llvm.vector.reduce.add.v{WORDS}i64")
        return builder.call(add, [builder.call(count, rows)])

    return types.uint64(_ROW), generate


@kernel
def orbits_in_balls(graph: Graph, images: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint8]]:
    """One vertex of each orbit, int32 (orbits), ball by ball of SOURCES vertices; and the sizes of the orbits at these
    vertices, uint8 (vertices), 0 elsewhere."""
    vertices = images.shape[1]
    order = np.empty(vertices, dtype=np.int32)
    weight = np.zeros(vertices, dtype=np.uint8)
    taken = np.zeros(vertices, dtype=np.bool_)
    end = 0
    for seed in range(vertices):
        if taken[seed]:
            continue
        place = end
        limit = end + SOURCES
        end = _take_orbit(images, seed, taken, order, weight, end)
        # A ball that is full is left: what lies around it begins other balls.
        while place < end < limit:
            vertex = order[place]
            place += 1
            for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
                # Only this vertex is gone on from, not its images: those may be far away.
                if end < limit and not taken[graph.indices[i]]:
                    end = _take_orbit(images, graph.indices[i], taken, order, weight, end)
    return order[:end].copy(), weight


@kernel
def _take_orbit(
    images: npt.NDArray[np.int32],
    vertex: int,
    taken: npt.NDArray[np.bool_],
    order: npt.NDArray[np.int32],
    weight: npt.NDArray[np.uint8],
    end: int,
) -> int:
    """Append a vertex to ``order`` at place ``end``, and return the place after it.

    All its images become ``taken``; those that were not yet are counted in ``weight`` uint8 (vertices), at the vertex.
    """
    order[end] = vertex
    for g in range(len(images)):
        image = images[g, vertex]
        # An image that occurs under several reflections is counted once.
        weight[vertex] += not taken[image]
        taken[image] = True
    return end + 1


@kernel
def level_images(images: npt.NDArray[np.int32], steps: npt.NDArray[np.uint16], counts: npt.NDArray[np.uint32]) -> None:
    """Raise ``steps`` uint16 (vertices) to the largest among the images of a vertex.

    ``counts`` uint32 (vertices) starts from zero again where that is more: nothing was met at this distance yet.
    """
    for vertex in range(images.shape[1]):
        first, highest = vertex, steps[vertex]
        for g in range(1, len(images)):
            first = min(first, images[g, vertex])
        if first < vertex:
            continue  # levelled with that one
        for g in range(1, len(images)):
            highest = max(highest, steps[images[g, vertex]])
        for g in range(len(images)):
            image = images[g, vertex]
            # Counts stay where they were met at `highest`: whoever merges adds up those of all images.
            if steps[image] < highest:
                steps[image] = highest
                counts[image] = 0


@kernel
def spread_margins(
    graph: Graph,
    images: npt.NDArray[np.int32],
    sources: npt.NDArray[np.int32],
    margins: npt.NDArray[np.int16],
    margin: npt.NDArray[np.int16],
) -> None:
    """Raise ``margin`` int16 (vertices) to what the ``margins`` int16 of searched ``sources`` int32 prove: around each
    image of a source its margin less the distance; the sources themselves are settled.

    Vertices are met in order of their new margins, largest first, so that each is raised once.
    """
    queue = np.empty(images.shape[1], dtype=np.int32)
    begin = end = 0
    for level in range(margins.max(), 0, -1):
        for source in range(len(sources)):
            if margins[source] == level:
                for g in range(len(images)):
                    end = _raise(images[g, sources[source]], level, margin, queue, end)
        level_end = end
        # These have just this margin: sources of it, and neighbours of vertices with one more.
        while begin < level_end:
            vertex = queue[begin]
            begin += 1
            for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
                end = _raise(graph.indices[i], level - 1, margin, queue, end)
    for vertex in sources:
        for g in range(len(images)):
            margin[images[g, vertex]] = max(margin[images[g, vertex]], SETTLED)


@kernel
def _raise(vertex: int, level: int, margin: npt.NDArray[np.int16], queue: npt.NDArray[np.int32], end: int) -> int:
    """Raise the margin of a vertex to ``level`` and queue it, unless it is that large."""
    if margin[vertex] >= level:
        return end
    margin[vertex] = level
    queue[end] = vertex
    return end + 1


@kernel
def spaced_out(
    graph: Graph,
    images: npt.NDArray[np.int32],
    candidates: npt.NDArray[np.int32],
    radius: int,
) -> npt.NDArray[np.bool_]:
    """Mark which of ``candidates`` int32 are taken, bool (candidates), if one after the other those are that lie more
    than ``radius`` steps, 0 to 32,766, from all taken before them and from their images."""
    covered = np.zeros(images.shape[1], dtype=np.int16)
    queue = np.empty(images.shape[1], dtype=np.int32)
    taken = np.zeros(len(candidates), dtype=np.bool_)
    for candidate in range(len(candidates)):
        if covered[candidates[candidate]]:
            continue
        taken[candidate] = True
        begin = end = 0
        for g in range(len(images)):
            end = _raise(images[g, candidates[candidate]], radius + 1, covered, queue, end)
        # A vertex with 1 lies `radius` steps away, and its neighbours may be taken.
        while begin < end and covered[queue[begin]] > 1:
            vertex = queue[begin]
            begin += 1
            for i in range(graph.indptr[vertex], graph.indptr[vertex + 1]):
                end = _raise(graph.indices[i], covered[vertex] - 1, covered, queue, end)
    return taken
