"""One class: all positions with given shapes, laid piece after piece, equal ones in order of place, and its graph."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.jit import kernel
from boardspace_kernels.sliding_blocks.step_graph import Workspace, join_positions, workspace
from boardspace_kernels.sliding_blocks.tray import Slots, Tray


class Class(NamedTuple):
    """The positions of one class: code uint64 (positions), slots int32 (positions, pieces), placements ascending."""

    code: npt.NDArray[np.uint64]
    slots: Slots


class Graph(NamedTuple):
    """A class with its graph: how many groups and slides the workspace holds."""

    own: Class
    work: Workspace
    groups: int
    slides: int


def class_of(tray: Tray, placements: Sequence[int], most: int) -> Class | None:
    """All positions with the shapes of these placements, ascending; None where there are more than ``most``."""
    shapes = tray.shape[np.array(placements, np.int64)]
    first, end = (np.searchsorted(tray.shape, shapes, side).astype(np.int64) for side in ("left", "right"))
    capacity = min(most, 1 << 12)
    while True:
        code, slots = np.empty(capacity, np.uint64), np.empty((capacity, len(placements)), np.int32)
        found = lay_pieces(tray.mask, tray.word, first, end, code, slots)
        if found <= capacity:
            return Class(code[:found].copy(), slots[:found].copy())
        if capacity >= most:
            return None
        capacity = min(most, 8 * capacity)


@kernel
def lay_pieces(
    mask: npt.NDArray[np.uint32],
    word: npt.NDArray[np.uint64],
    first: npt.NDArray[np.int64],
    end: npt.NDArray[np.int64],
    code: npt.NDArray[np.uint64],
    slots: Slots,
) -> int:
    """Lay pieces whose placements are ``first`` up to ``end``; how many positions there are, or one more than the
    arrays hold."""
    pieces = len(first)
    place = np.zeros(pieces + 1, np.int64)
    covered = np.zeros(pieces + 1, np.int64)
    sums = np.zeros(pieces + 1, np.uint64)
    found = np.int64(0)
    depth = np.int64(0)
    place[0] = first[0]
    while depth >= 0:
        placement = place[depth]
        while placement < end[depth] and np.int64(mask[placement]) & covered[depth]:
            placement += 1
        if placement >= end[depth]:
            depth -= 1
            continue
        place[depth] = placement + 1
        if depth == pieces - 1:
            if found == len(code):
                return found + 1
            code[found] = sums[depth] + word[placement]
            for p in range(pieces):
                slots[found, p] = place[p] - 1
            found += 1
            continue
        covered[depth + 1] = covered[depth] | np.int64(mask[placement])
        sums[depth + 1] = sums[depth] + word[placement]
        depth += 1
        place[depth] = placement + 1 if first[depth] == first[depth - 1] else first[depth]
    return found


def graph_of(tray: Tray, own: Class) -> Graph:
    """The class with its groups and slides."""
    work = workspace(len(own.code), own.slots.shape[1])
    size = join_positions(tray, own.code, own.slots, work)
    return Graph(own, work, int(size.groups), int(size.slides))
