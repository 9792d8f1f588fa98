"""The mirror images of layouts.

Both reflections of the board map layouts to layouts and keep steps and unit moves, so they map groups to groups. The
left-right one also keeps the exit. An anchor is an upper left cell; of a reflected piece the anchor is the image of
another of its cells, hence the shift by its extent less one.
"""

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.klotski.board import COLUMNS, ROWS, flip_cells, mirror_cells
from boardspace_kernels.klotski.codes import decode_code, encode_layout


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
