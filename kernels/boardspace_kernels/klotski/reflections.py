"""The images of a class's layouts under the reflections of the board, as vertices.

Reflections keep the pieces and the steps: they map each group of a class to a group of the same class, its *twin*, or
to itself. Vertices are the layouts in name order, that is sorted by (group_num, group_index); so a group is a run of
vertices.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import flip_cells, mirror_cells
from boardspace_kernels.klotski.classes import ClassLayouts
from boardspace_kernels.klotski.codes import encode_layout
from boardspace_kernels.klotski.patterns import Fillings, Patterns, address_of, scatter
from boardspace_kernels.klotski.scan import rank_code
from boardspace_kernels.klotski.symmetry import flip_code, mirror_code


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
