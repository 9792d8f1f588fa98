"""The graphs of the groups of a class, and what the reflections of the board make of them.

A group's graph has its layouts in order of codes as vertices, so vertex = group_index. Vertices of a class are its
layouts in name order, that is sorted by (group_num, group_index); so a group is a run of vertices.

Both reflections of the board map layouts to layouts and keep the pieces, steps and unit moves: they map each group of a
class to a group of the same class, its *twin*, or to itself. The left-right one also keeps the exit. An anchor is an
upper left cell; of a reflected piece the anchor is the image of another of its cells, hence the shift by its extent
less one.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import (
    BLOCK_SHIFT,
    COLUMNS,
    ROWS,
    decode_code,
    encode_layout,
    flip_cells,
    mirror_cells,
)
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.moves import STEP
from boardspace_kernels.klotski.patterns import Fillings, Patterns, address_of, scatter
from boardspace_kernels.klotski.scan import rank_code
from boardspace_kernels.klotski.step_graph import Graph, move_graph


@kernel
def mirror_code(code: np.uint64) -> np.uint64:
    """Code of the left-right mirror image of a layout."""
    block, lying, standing, singles = decode_code(code)
    row, column = divmod(block, COLUMNS)
    # The block's right column becomes the left one of its image, hence 2 and not 1.
    mirrored = row * COLUMNS + (COLUMNS - 2 - column)
    return encode_layout(mirrored, mirror_cells(lying) >> 1, mirror_cells(standing), mirror_cells(singles))


@kernel
def flip_code(code: np.uint64) -> np.uint64:
    """Code of the up-down mirror image of a layout."""
    block, lying, standing, singles = decode_code(code)
    row, column = divmod(block, COLUMNS)
    flipped = (ROWS - 2 - row) * COLUMNS + column
    return encode_layout(flipped, flip_cells(lying), flip_cells(standing) >> COLUMNS, flip_cells(singles))


@kernel
def mirror(codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The left-right mirror images of layouts, codes uint64 (n)."""
    images = np.empty(len(codes), dtype=np.uint64)
    for i in range(len(codes)):
        images[i] = mirror_code(codes[i])
    return images


def is_mirror(codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Return whether each layout is its own left-right mirror image, bool (n)."""
    own = codes >> np.uint64(BLOCK_SHIFT) & np.uint64(COLUMNS - 1) == 1  # else the block is not in the middle
    own[own] = mirror(codes[own]) == codes[own]
    return own


class Reflections(NamedTuple):
    """Reflected layouts of a class; those of group ``g`` begin at vertex ``starts[g]``, int64 (groups + 1).

    ``images`` int32 (4, vertices): each vertex itself, its image left-right, up-down, and under both.
    """

    starts: npt.NDArray[np.int64]
    images: npt.NDArray[np.int32]

    @property
    def mirrored(self) -> npt.NDArray[np.int32]:
        """The left-right mirror image of each vertex, int32 (vertices); it is in the same group if that has an exit."""
        mirrored: npt.NDArray[np.int32] = self.images[1]
        return mirrored

    def of_group(self, group: int) -> npt.NDArray[np.int32]:
        """Images of the layouts of a group under the reflections that map it to itself, by group_index: int32
        (1, 2 or 4, layouts), the identity first."""
        start, end = self.starts[group], self.starts[group + 1]
        # Groups go to whole groups, so the image of the first layout tells for all.
        own = (start <= self.images[:, start]) & (self.images[:, start] < end)
        return self.images[own, start:end] - np.int32(start)

    def first_twins(self) -> npt.NDArray[np.int64]:
        """For each group the smallest group_num among its twins and itself, int64 (groups)."""
        # Groups are runs of vertices in order of group_num, so the least image lies in the twin of least number.
        least = self.images[:, self.starts[:-1]].min(axis=0)
        return np.searchsorted(self.starts, least, side="right") - 1

    def places_in_twin(self, group: int, twin: int) -> npt.NDArray[np.int32]:
        """The group_index in its twin of the image of each layout of a group, int32 (layouts), under the first
        reflection that maps the one group to the other."""
        start, first, end = self.starts[group], self.starts[twin], self.starts[twin + 1]
        leads = (first <= self.images[:, start]) & (self.images[:, start] < end)
        return self.images[np.argmax(leads), start : self.starts[group + 1]] - np.int32(first)


def reflections(layouts: ClassLayouts) -> Reflections:
    """The images of the layouts of a class."""
    return _reflections(layouts, _vertex_at(layouts, layouts.addresses[layouts.name_order()]))


def _vertex_at(layouts: ClassLayouts, addresses: npt.NDArray[np.uint32]) -> npt.NDArray[np.int32]:
    """The vertex of each address of a class, int32 (layouts); ``addresses`` uint32 (vertices) are the vertices'."""
    vertex_at = np.empty(len(layouts.addresses), dtype=np.int32)
    vertex_at[addresses] = np.arange(len(addresses), dtype=np.int32)
    return vertex_at


def _reflections(layouts: ClassLayouts, vertex_at: npt.NDArray[np.int32]) -> Reflections:
    starts = np.concatenate([[0], np.cumsum(layouts.groups.sizes)])
    return Reflections(starts, _images(layouts.tables.patterns, layouts.tables.fillings, vertex_at))


@kernel
def _images(patterns: Patterns, fillings: Fillings, vertex_at: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """``images`` of :class:`Reflections`."""
    size = len(fillings.cells)
    images = np.empty((4, len(vertex_at)), dtype=np.int32)
    for pattern in range(len(patterns.free)):
        free = np.int64(patterns.free[pattern])
        block, lying = np.int64(patterns.block[pattern]), np.int64(patterns.lying[pattern])
        code = encode_layout(block, lying, np.int64(patterns.standing[pattern]), 0)
        # The pattern's image is looked up once for all its fillings, so each of these has only its singles to reflect.
        mirrored = np.int64(rank_code(patterns.scan, mirror_code(code)))
        flipped = np.int64(rank_code(patterns.scan, flip_code(code)))
        for filling in range(size):
            singles = scatter(free, np.int64(fillings.cells[filling]))
            vertex = vertex_at[pattern * size + filling]
            images[0, vertex] = vertex
            images[1, vertex] = vertex_at[address_of(patterns, fillings, mirrored, mirror_cells(singles))]
            images[2, vertex] = vertex_at[address_of(patterns, fillings, flipped, flip_cells(singles))]
    # `images[2, vertex]` may belong to a later pattern, so all of images[1] has to be there before.
    for vertex in range(len(vertex_at)):
        images[3, vertex] = images[1, images[2, vertex]]
    return images


class GroupGraphs(NamedTuple):
    """The graphs of all groups of a class: ``graph`` has the layouts in name order as vertices, those of group ``g``
    from ``starts[g]``, int64 (groups + 1). ``order`` int64 (vertices) is the number of each in order of codes, and
    ``addresses`` uint32 (vertices) its address; ``reflections`` are those of these vertices."""

    order: npt.NDArray[np.int64]
    addresses: npt.NDArray[np.uint32]
    starts: npt.NDArray[np.int64]
    graph: Graph
    reflections: Reflections

    def by_code(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Values of the vertices, in order of codes."""
        ordered = np.empty_like(values)
        ordered[self.order] = values
        return ordered

    def graph_of(self, group: int) -> Graph:
        """The graph of a group."""
        start, end = self.starts[group], self.starts[group + 1]
        indptr = self.graph.indptr[start : end + 1]
        indices = self.graph.indices[indptr[0] : indptr[-1]]
        return Graph(indptr - indptr[0], indices - np.int32(start))


def group_graphs(layouts: ClassLayouts, metric: int = STEP) -> GroupGraphs:
    """The graphs of the groups of a class, whose edges are the moves of a metric (:mod:`.moves`).

    The groups are the same in all metrics: a step is made of unit moves of its piece.
    """
    order, tables = layouts.name_order(), layouts.tables
    addresses = layouts.addresses[order]
    vertex_at = _vertex_at(layouts, addresses)
    reflected = _reflections(layouts, vertex_at)
    graph = move_graph(tables.patterns, tables.fillings, metric, addresses, vertex_at, reflected.images)
    return GroupGraphs(order, addresses, reflected.starts, graph, reflected)


def group_graph(layouts: ClassLayouts, group: int) -> Graph:
    """The step graph of one group alone, which takes less than those of all where it is small."""
    addresses, tables = layouts.addresses[layouts.groups.group_num == group], layouts.tables
    return move_graph(tables.patterns, tables.fillings, STEP, addresses, _vertex_at(layouts, addresses))


def group_codes(layouts: ClassLayouts) -> list[npt.NDArray[np.uint64]]:
    """The codes of each group, uint64 (group's layouts), ascending."""
    return np.split(layouts.codes[layouts.name_order()], np.cumsum(layouts.groups.sizes)[:-1])
