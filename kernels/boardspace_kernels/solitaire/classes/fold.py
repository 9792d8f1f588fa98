"""Making only one block of every few that symmetries map to one another.

Let a group of symmetries keep the roots of a sweep. Then it maps what is found to itself, and a block is known from any
of its images. A symmetry permutes the low bits of a block's number among themselves, and the high bits (see
:mod:`.position_class`), so it maps tiles to tiles. Of the tiles that are images of one another that with the least high
part is made, and stands for all; from the centres of the boards of 33 and of 37 holes that is one in 7.2.

A step that comes from a tile which is not made reads its image instead. Which symmetry leads there depends on the high
part alone, so it is looked up once a tile; what it does to low parts and holes are tables. Within a block it maps the
place p to A p + b over GF(2), where b depends on the sign of the core. This map is written as a product of a few
*swaps*, which exchange bits or add one to another; each exchanges two sets of places at one distance, with four
operations a word. A block of a single word is looked up instead, byte by byte.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import inlined
from boardspace_kernels.solitaire.board import image_of
from boardspace_kernels.solitaire.classes.order import Order, Tiles
from boardspace_kernels.solitaire.classes.position_class import linear_table

WORD_BITS = 6
SIGN_BITS = 8


class Fold(NamedTuple):
    """G symmetries that keep the roots of a sweep, the identity first.

    high: int64 (H), the least image of a high part.
    symmetry: int64 (H), the symmetry that leads to it.
    orbit: int64 (H), the number of high parts that it is the least image of, 0 where there is a lesser one.
    rank: uint32 (G, L), the place in its list of the image of a low part.
    hole: uint64 (G, holes), the images of holes.
    swaps: int64 (G, signs), how many swaps turn a block.
    flip: int64 (G, signs, s), each swap exchanges bits of the words w and ``w ^ flip``.
    shift: uint64 (G, signs, s), bit b of the one with bit b + shift of the other.
    mask: uint64 (G, signs, s, words), for the bits b of the mask of word w.
    turned: word (G, signs, bytes, 256), the bits that each byte of a block of one word gives; of larger blocks there
        are no bytes.
    source_rank: uint32 (G, L), for the low parts of all lists, one list after the other: the rank of the image, and in
        the lowest SIGN_BITS bits the low part's sign. One look-up then tells a step which block it comes from, and how
        that lies.
    """

    high: NDArray[np.int64]
    symmetry: NDArray[np.int64]
    orbit: NDArray[np.int64]
    rank: NDArray[np.uint32]
    hole: NDArray[np.uint64]
    swaps: NDArray[np.int64]
    flip: NDArray[np.int64]
    shift: NDArray[np.uint64]
    mask: NDArray[np.uint64]
    turned: NDArray[np.unsignedinteger]
    source_rank: NDArray[np.uint32]


class Swap(NamedTuple):
    """One exchange: words w and ``w ^ flip``, by ``shift``, under the masks, uint64 (words)."""

    flip: int
    shift: int
    mask: NDArray[np.uint64]


def fold_by(order: Order, group: NDArray[np.int64]) -> Fold:
    """Fold by a group of symmetries that keep the class, int64 (G, holes), whose first row is the identity."""
    positions, low_bits = order.positions, order.low_bits
    low = _images(group, positions.core[:low_bits])
    high = _images(group, positions.core[low_bits:])
    # Of equal images the first counts, so a tile that is made has symmetry 0, the identity.
    symmetry = high.argmin(axis=0)
    least = high[symmetry, np.arange(order.highs)]
    maps, rank = place_maps(order, group), order.tiles.rank[low]
    programs = [[swaps_of(row) for row in signs] for signs in maps]
    most = max(len(program) for signs in programs for program in signs)
    shape = len(group), len(programs[0]), most
    fold = Fold(
        high=least,
        symmetry=symmetry,
        orbit=np.bincount(least, minlength=order.highs),
        rank=rank.astype(np.uint32),
        hole=group.astype(np.uint64),
        swaps=np.array([[len(program) for program in signs] for signs in programs]),
        flip=np.zeros(shape, np.int64),
        shift=np.zeros(shape, np.uint64),
        mask=np.zeros((*shape, positions.words), np.uint64),
        turned=_turned_bytes(maps, np.dtype(positions.word_type), positions.words),
        # A rank has 20 bits at most and a sign 8, so both fit 32.
        source_rank=np.ascontiguousarray((rank << SIGN_BITS | order.tiles.low_sign)[:, order.tiles.lows], np.uint32),
    )
    for g, signs in enumerate(programs):
        for sign, program in enumerate(signs):
            for i, swap in enumerate(program):
                fold.flip[g, sign, i], fold.shift[g, sign, i], fold.mask[g, sign, i] = swap
    return fold


def unfolded(order: Order) -> Fold:
    """All blocks are made."""
    return fold_by(order, np.arange(order.positions.board.holes)[None, :])


def starts(order: Order, fold: Fold, weight: int) -> NDArray[np.int64]:
    """int64 (highs + 1): the first block of each tile among the blocks of one weight that are made."""
    sizes = np.diff(order.starts(weight)) * (fold.orbit > 0)
    return np.concatenate([[0], np.cumsum(sizes)])


@inlined
def tile_of(tiles: Tiles, fold: Fold, part: Any, high: int) -> tuple[int, int, int]:
    """Begin and end, in the list of all low parts, of the blocks with a high part that those of a part stand for; and
    where the tile begins there that is made of these."""
    there, low_weight = fold.high[high], part.weight - tiles.high_weight[high]
    if not part.begin <= there < part.end or not 0 <= low_weight < tiles.low_weights:
        return 0, 0, 0
    # Images have equal weights, so both tiles have equally many blocks, but each has its own list of low parts.
    lists = tiles.high_list[high] * tiles.low_weights + low_weight
    return tiles.first[lists], tiles.first[lists + 1], part.starts[there] - part.starts[part.begin]


def made_image(order: Order, fold: Fold, position: int) -> int:
    """The image of a position of the class that is in a tile which is made."""
    return image_of(fold.hole[fold.symmetry[order.find(position)[1]]], position)


def _images(group: NDArray[np.int64], holes: tuple[int, ...]) -> NDArray[np.int64]:
    """int64 (G, 2^n): the images of all words whose bit i is ``holes[i]``."""
    bit = {hole: i for i, hole in enumerate(holes)}
    return np.array([linear_table([1 << bit[row[hole]] for hole in holes]) for row in group.tolist()])


def place_maps(order: Order, group: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64 (G, signs, 2^free): the place that the image of a place has, by the sign of the block it is in."""
    positions = order.positions
    ends = positions.end_masks
    maps = np.zeros((len(group), *ends.shape), np.int64)
    for row, places in zip(group.tolist(), maps, strict=True):
        for hole in positions.weights.ends:
            # Dependent ends may become free ones, so an image depends on the sign as well as on the place.
            if row[hole] in positions.free:
                has = ends >> np.uint64(hole) & np.uint64(1)
                places |= has.astype(np.int64) << positions.free.index(row[hole])
    return maps


def _turned_bytes(maps: NDArray[np.int64], word: np.dtype[Any], words: int) -> NDArray[np.unsignedinteger]:
    """word (G, signs, bytes, 256): by maps of places, int64 (G, signs, 2^free), the bits that each value of each byte
    of a block gives: bit p of the result is bit ``places[p]``. No bytes where a block has more words than one."""
    group, signs, places = maps.shape
    table = np.zeros((group, signs, word.itemsize if words == 1 else 0, 256), word)
    # ``argsort`` inverts a permutation: from the places that bits come from to those that they go to.
    gives = maps.argsort(axis=2).astype(word)
    values = np.arange(256).astype(word)
    for place in range(min(places, 8 * table.shape[2])):
        has = values >> word.type(place % 8) & word.type(1)
        table[:, :, place // 8] |= has << gives[:, :, place, None]
    return table


def swaps_of(places: NDArray[np.int64]) -> list[Swap]:
    """The swaps that make of bits x, one after the other, those with bit p of the result bit ``places[p]`` of x.

    places: int64 (2^n), p to A p + b with A invertible. The result of two is x at the first of the second; so what is
    left to do is found by undoing each step on the images.
    """
    bits, left, found = len(places).bit_length() - 1, places.copy(), list[Swap]()
    every = np.arange(len(places))

    def undo(step: NDArray[np.int64]) -> None:
        """Take a step, int64 (2^n), out of what is left, and note its swap."""
        nonlocal left
        left = step[left]
        found.append(_swap(step))

    for bit in range(bits):  # first b, so that 0 goes to 0
        if left[0] >> bit & 1:
            undo(every ^ 1 << bit)
    for bit in range(bits):  # then A, column by column, as Gauss and Jordan do: exchange rows, add one to another
        pivot = next(row for row in range(bit, bits) if left[1 << bit] >> row & 1)
        if pivot != bit:
            differs = (every >> bit ^ every >> pivot) & 1
            undo(every ^ differs << bit ^ differs << pivot)
        for row in range(bits):
            if row != bit and left[1 << bit] >> row & 1:
                undo(every ^ (every >> bit & 1) << row)
    return found


def _swap(step: NDArray[np.int64]) -> Swap:
    """The exchange of all places with their images, which are at one distance."""
    inside = (1 << WORD_BITS) - 1
    here = np.arange(len(step))
    ahead = (here & inside) - (step & inside)
    # Of every two places that are exchanged the one with the greater bit number, or in the lesser word: it moves down.
    upper = here[(ahead > 0) | (ahead == 0) & (here < step)]
    word = upper >> WORD_BITS
    # To take the sets apart fails unless all places are exchanged at one distance.
    (flip,), (shift,) = set((word ^ step[upper] >> WORD_BITS).tolist()), set(ahead[upper].tolist())
    mask = np.zeros(max(1, len(step) >> WORD_BITS), np.uint64)
    # Several places may be in one word, and ``mask[word] |= ...`` would keep the last of them.
    np.bitwise_or.at(mask, word, np.uint64(1) << (step[upper] & inside).astype(np.uint64))
    return Swap(flip, shift, mask)
