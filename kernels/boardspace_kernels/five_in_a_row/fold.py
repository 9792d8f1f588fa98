"""States that are mirror images of one another, folded into one at the ends of rows.

Left and right are alike on a rectangle. At the end of a row a state's mirror image is a state too: the run of a column
goes to the column as far from the other edge, that of a diagonal to the antidiagonal through the mirrored cell, and
the run along the row has ended. What completes the one completes the other when it is mirrored, with as many stones.
So of two such states one is dropped and its count added to the other's; the layers after it are nearly half as large
(a state that is its own image stays alone). No bound is asked for the other: of the state that stays all bounds hold
as before.

A path of the diagram that goes into the state that was dropped now goes into the other and is *turned*: from there on
it says where the stones lie on the mirrored board, until a turned link mirrors it back.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.frontier import Frontier
from boardspace_kernels.five_in_a_row.layers import States, Words, add_count, hash_state, same_state
from boardspace_kernels.jit import kernel

Ints = npt.NDArray[np.int64]


class Mirror(NamedTuple):
    """The runs that a state holds at the end of a row, and where each goes in the mirror image; P of them.

    word: int64 (P), the key's word with the run.
    shift: uint64 (P), where in that word.
    image_word: int64 (P), the word that it goes to.
    image_shift: uint64 (P), where in that word.
    field: the bits of a run, all set.
    """

    word: Ints
    shift: Words
    image_word: Ints
    image_shift: Words
    field: np.uint64


def mirror_after(frontier: Frontier, cells: int) -> Mirror | None:
    """The mirror image of the states after so many cells; None where these are no whole rows of a rectangle."""
    shape = frontier.board.shape
    if len(shape) != 2 or cells % shape[1] or not 0 < cells < frontier.board.cells:
        return None
    row = np.arange(cells - shape[1], cells)
    going_on = (frontier.slot[row] >= 0) & (frontier.board.after[row] > 0) & (frontier.board.directions[:, 0] > 0)
    column, direction = np.nonzero(going_on)
    turned = frontier.board.directions * (1, -1)
    partner = np.array([np.flatnonzero((frontier.board.directions == one).all(axis=1))[0] for one in turned[1:]])
    slot = frontier.slot[row[column], direction]
    image = frontier.slot[row[shape[1] - 1 - column], partner[direction - 1]]
    word, shift = frontier.slot_word, frontier.slot_shift
    return Mirror(word[slot], shift[slot], word[image], shift[image], np.uint64((1 << frontier.bits) - 1))


def folded(states: States, mirror: Mirror) -> tuple[States, npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """The layer without mirror images, and (n,) for each state before: its number now, and whether it is turned.

    The states are moved in the arrays they stand in, in their order.
    """
    n = len(states.stones)
    number, turned = np.empty(n, dtype=np.int32), np.empty(n, dtype=np.bool_)
    index = np.full(1 << (2 * n).bit_length(), -1, dtype=np.int32)
    size = fold(states, mirror, index, number, turned)
    return States(*(column[:size] for column in states)), number, turned


@kernel
def fold(
    states: States, mirror: Mirror, index: npt.NDArray[np.int32], number: npt.NDArray[np.int32],
    turned: npt.NDArray[np.bool_],
) -> int:  # fmt: skip
    """Fold a layer in place; how many states are left. ``index`` is a hash table of -1's, its length a power of two
    above their number; ``number`` and ``turned`` (n,) are what :func:`folded` returns."""
    words = states.keys.shape[1]
    image = np.empty(words, dtype=np.uint64)
    mask = np.uint64(len(index) - 1)
    size = np.int64(0)  # of the literal 0 numba would compile what is called with it once more
    for i in range(len(states.stones)):
        image[:] = 0
        for p in range(len(mirror.word)):
            run = (states.keys[i, mirror.word[p]] >> mirror.shift[p]) & mirror.field
            image[mirror.image_word[p]] |= run << mirror.image_shift[p]
        stones = states.stones[i]
        place = (hash_state(states.keys[i], stones) + hash_state(image, stones)) & mask
        while index[place] >= 0 and not same_state(states, index[place], image, stones):
            place = (place + np.uint64(1)) & mask
        turned[i] = index[place] >= 0
        if turned[i]:
            add_count(states.counts, index[place], states.counts[i, 0], states.counts[i, 1])
        else:
            index[place] = size
            move(states, i, size)
            size += 1
        number[i] = index[place]
    return size


@kernel
def move(states: States, source: int, to: int) -> None:
    """Copy a state to another place of its layer."""
    states.stones[to] = states.stones[source]
    for w in range(states.keys.shape[1]):
        states.keys[to, w] = states.keys[source, w]
    for w in range(2):
        states.counts[to, w] = states.counts[source, w]
    for g in range(states.values.shape[1]):
        states.values[to, g] = states.values[source, g]
    for b in range(states.nodes.shape[1]):
        states.nodes[to, b] = states.nodes[source, b]
