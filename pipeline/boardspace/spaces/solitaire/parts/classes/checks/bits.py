"""The published bitmaps of a class, as checks read them: whole where they are not large, else chunk by chunk."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.by_arrays import Words, begins_of
from boardspace.spaces.solitaire.parts.classes.arrays import CHUNK_BYTES, WORD_BYTES, array_path
from boardspace.spaces.solitaire.parts.classes.checks.counts import LARGEST_BITMAP
from boardspace.spaces.solitaire.parts.classes.checks.numbering import has
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spec.space import Draw, Inputs
from boardspace.verify.arrays import cells_of

CHUNK = CHUNK_BYTES // WORD_BYTES


class Bits:
    """A bitmap.

    words: how many it has. held: uint64 (words), all of them; None where it is read chunk by chunk.
    """

    def __init__(self, array: Any, is_held: bool) -> None:
        self._array, self.words = array, int(array.shape[0])
        self.held: Words | None = cells_of(array) if is_held else None

    def has(self, numbers: Words) -> NDArray[np.bool_]:
        """Return which numbers are in the bitmap: bool, the shape of ``numbers``."""
        if self.held is not None:
            return has(self.held, numbers)
        places = (numbers >> np.uint64(6)).astype(np.int64)
        found = np.zeros(len(numbers), bool)
        order = np.argsort(places, kind="stable")
        starts = begins_of(places[order].view(np.uint64) // np.uint64(CHUNK))
        for some in np.split(order, starts[1:]) if len(order) else ():
            begin = int(places[some[0]]) // CHUNK * CHUNK
            found[some] = has(self._array[begin : begin + CHUNK], numbers[some] - np.uint64(64 * begin))
        return found


class Bitmaps(NamedTuple):
    """Both bitmaps of a class."""

    reachable: Bits
    winning: Bits


def read_bitmaps(vacancy: Vacancy, inputs: Inputs, draw: Draw) -> Bitmaps:
    """Both bitmaps of a vacancy; whole ones where they are small enough, or where everything is tried."""
    arrays = [inputs.array(array_path(vacancy, name)) for name in Bitmaps._fields]
    is_held = draw.everything or WORD_BYTES * arrays[0].shape[0] <= LARGEST_BITMAP
    return Bitmaps(*(Bits(array, is_held) for array in arrays))
