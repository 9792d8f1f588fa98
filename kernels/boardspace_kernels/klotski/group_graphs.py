"""The graphs of the groups of a class, and what the reflections of the board make of them.

A group's graph has its layouts in order of codes as vertices, so vertex = group_index. Vertices of a class are its
layouts in name order, that is sorted by (group_num, group_index); so a group is a run of vertices.

Both reflections of the board map layouts to layouts and keep the pieces, steps and unit moves: they map each group of a
class to a group of the same class, its *twin*, or to itself. The left-right one also keeps the exit. An anchor is an
upper left cell; of a reflected piece the anchor is the image of another of its cells, hence the shift by its extent
less one.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import COLUMNS, ROWS, flip_cells, mirror_cells
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.codes import decode_code, encode_layout
from boardspace_kernels.klotski.moves import STEP
from boardspace_kernels.klotski.patterns import Fillings, Patterns, address_of, scatter
from boardspace_kernels.klotski.scan import rank_code
from boardspace_kernels.klotski.step_graph import Graph, move_graph


@kernel
def mirror_code(code: np.uint64) -> np.uint64:
    """Code of the left-right mirror image of a layout."""
    block, lying, standing, singles = decode_code(code)
    row, column = divmod(block, COLUMNS)
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


@kernel
def flip(codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The up-down mirror images of layouts, codes uint64 (n)."""
    images = np.empty(len(codes), dtype=np.uint64)
    for i in range(len(codes)):
        images[i] = flip_code(codes[i])
    return images


@kernel
def is_mirror(codes: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
    """Return whether each layout is its own left-right mirror image, bool (n).

    Its block then stands in the middle columns, which few codes pass, and so most need no look at the rest.
    """
    own = np.zeros(len(codes), dtype=np.bool_)
    for i in range(len(codes)):
        block = np.int64(codes[i] >> np.uint64(32))
        own[i] = block % COLUMNS == 1 and mirror_code(codes[i]) == codes[i]
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
        own = (start <= self.images[:, start]) & (self.images[:, start] < end)
        return self.images[own, start:end] - np.int32(start)

    def first_twins(self) -> npt.NDArray[np.int64]:
        """For each group the smallest group_num among its twins and itself, int64 (groups)."""
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
    named = layouts.addresses[layouts.name_order()]
    vertex_at = np.empty(len(named), dtype=np.int32)
    vertices = vertex_at[named] = np.arange(len(named), dtype=np.int32)
    mirrored, flipped = (vertex_at[image[named]] for image in _images(layouts.tables.patterns, layouts.tables.fillings))
    starts = np.concatenate([[0], np.cumsum(layouts.groups.sizes)])
    return Reflections(starts, np.stack([vertices, mirrored, flipped, mirrored[flipped]]))


@kernel
def _images(patterns: Patterns, fillings: Fillings) -> npt.NDArray[np.uint32]:
    """The addresses of the images of each address, uint32 (2, layouts): left-right, up-down."""
    size = len(fillings.cells)
    images = np.empty((2, len(patterns.free) * size), dtype=np.uint32)
    for pattern in range(len(patterns.free)):
        free = np.int64(patterns.free[pattern])
        block, lying = np.int64(patterns.block[pattern]), np.int64(patterns.lying[pattern])
        code = encode_layout(block, lying, np.int64(patterns.standing[pattern]), 0)
        mirrored = np.int64(rank_code(patterns.scan, mirror_code(code)))
        flipped = np.int64(rank_code(patterns.scan, flip_code(code)))
        for filling in range(size):
            singles = scatter(free, np.int64(fillings.cells[filling]))
            address = pattern * size + filling
            images[0, address] = address_of(patterns, fillings, mirrored, mirror_cells(singles))
            images[1, address] = address_of(patterns, fillings, flipped, flip_cells(singles))
    return images


class GroupGraphs(NamedTuple):
    """The graphs of all groups of a class: ``graph`` has the layouts in name order as vertices, those of group ``g``
    from ``starts[g]``, int64 (groups + 1); ``reflections`` are those of these vertices."""

    starts: npt.NDArray[np.int64]
    graph: Graph
    reflections: Reflections

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
    addresses = layouts.addresses[layouts.name_order()]
    vertex_at = np.empty(len(addresses), dtype=np.int32)
    vertex_at[addresses] = np.arange(len(addresses), dtype=np.int32)
    tables = layouts.tables
    reflected = reflections(layouts)
    graph = move_graph(tables.patterns, tables.fillings, metric, addresses, vertex_at, reflected.images)
    return GroupGraphs(reflected.starts, graph, reflected)


def group_codes(layouts: ClassLayouts) -> list[npt.NDArray[np.uint64]]:
    """The codes of each group, uint64 (group's layouts), ascending."""
    return np.split(layouts.codes[layouts.name_order()], np.cumsum(layouts.groups.sizes)[:-1])
