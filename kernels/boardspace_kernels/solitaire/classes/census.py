"""Counting the positions of a bitmap: by pegs, up to symmetry, dead ends, and those that can win.

Functions take blocks of a class with their numbers: pieces of a sweep as they are made, or a part of its bitmap.

* By pegs: those of a position are the bits of the block's number and of the pegs on the ends, which the sign and the
  place decide; so a block is counted with a few masks.
* Up to symmetry: where a group G of symmetries maps a set of positions to itself, the number of its orbits is the mean,
  over G, of the number of positions that a symmetry leaves as they are (Cauchy, Frobenius). These are few, and can be
  looked up one by one: the core is made of whole cycles.
* Dead ends: no step leads back from them.
* Winning: take the complement, and a jump becomes the same jump taken back. So a position can be reduced to one peg in
  a hole if and only if its complement can be reached from all holes full but this one: what can win is a complement of
  what can be reached, in another bitmap.

Of a folded sweep (see :mod:`.fold`) a tile stands for all its images, and counts as many times. The positions that
symmetries keep then add up over all symmetries of the fold, not for each: up to symmetry, the positions in the images
of a tile are the orbits of its own under the symmetries that keep its high part.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.solitaire.board import images
from boardspace_kernels.solitaire.classes.fold import Fold, made_image
from boardspace_kernels.solitaire.classes.gather import Blocks, Piece, has_position
from boardspace_kernels.solitaire.classes.order import Order, Tiles
from boardspace_kernels.solitaire.classes.position_class import PositionClass
from boardspace_kernels.solitaire.classes.steps import packed, place_masks

Counts = NDArray[np.int64]


def count(order: Order, fold: Fold, group: Counts, blocks: Blocks, cores: NDArray[np.int64]) -> Counts:
    """int64 (2, holes + 1): the positions with so many pegs, images included, of blocks whose numbers are int64
    (blocks), ascending; and the sum, over the symmetries of a group, int64 (G, holes), the identity first, of those
    that each leaves as they are."""
    positions, masks = order.positions, peg_masks(order.positions)
    counts = np.zeros((2, positions.board.holes + 1), np.int64)
    add_counts(order.tiles, fold.orbit, masks, blocks, cores, counts[0])
    counts[1] = counts[0]
    for symmetry in group[1:]:
        # A position is kept where its core and its ends are: ``places`` are blocks of such cores, ``fixed`` asks for
        # such ends.
        fixed, places = masks & fixed_masks(positions, symmetry)[:, None], fixed_places(positions, symmetry, cores)
        add_counts(order.tiles, fold.orbit, fixed, blocks[places], cores[places], counts[1])
    return counts


def count_pieces(order: Order, fold: Fold, group: Counts, pieces: Iterable[Piece]) -> Counts:
    """Numbers as of :func:`count`, of all blocks of pieces."""
    none = np.zeros((2, order.positions.board.holes + 1), np.int64)
    return sum((count(order, fold, group, piece.blocks, order.numbers_of(piece)) for piece in pieces), none)


def complemented(positions: PositionClass, blocks: Blocks) -> Blocks:
    """The complements of a bitmap's positions, as the bitmap of the range of complements; ``positions``: either
    class."""
    # The complement's number counts from the other end. A block of fewer than 8 places has the lowest bits of a byte.
    bits = 1 << min(len(positions.free), 3)
    reverse = np.array([int(f"{byte:08b}"[8 - bits :][::-1], 2) for byte in range(256)], np.uint8)
    return reverse[blocks.reshape(-1).view(np.uint8)[::-1]].view(blocks.dtype).reshape(blocks.shape)


class Jumps(NamedTuple):
    """J jumps: possible in cores where ``core & test == need``, at the places of ``masks[jump, sign]``; those that are
    possible at most places come first."""

    test: NDArray[np.int64]
    need: NDArray[np.int64]
    masks: Blocks


def jumps_of(positions: PositionClass) -> Jumps:
    """The jumps of the board."""
    bit = {hole: 1 << i for i, hole in enumerate(positions.core)}
    # The fewer ends a jump concerns, the more places it is possible at, as a rule.
    triples: list[list[int]] = sorted(positions.board.jumps.tolist(), key=lambda triple: len(set(triple) - bit.keys()))
    signs = list(range(1 << len(positions.dependents)))
    return Jumps(
        np.array([sum(bit.get(hole, 0) for hole in triple) for triple in triples]),
        np.array([sum(bit.get(hole, 0) for hole in triple[:2]) for triple in triples]),
        np.array([place_masks(positions, {a: 1, b: 1, c: 0}, signs) for a, b, c in triples]),
    )


@kernel
def strike_out(tiles: Tiles, jumps: Jumps, blocks: Blocks, cores: NDArray[np.int64]) -> None:
    """Take the positions from which a jump is possible out of blocks; cores: int64 (blocks), their numbers."""
    for block in range(blocks.shape[0]):
        if not has_position(blocks, block):
            continue
        core = cores[block]
        sign = tiles.high_sign[core // tiles.lows.size] ^ tiles.low_sign[core % tiles.lows.size]
        for jump in range(jumps.test.size):
            if core & jumps.test[jump] == jumps.need[jump]:
                left = np.uint64(0)
                for word in range(blocks.shape[1]):
                    blocks[block, word] &= ~jumps.masks[jump, sign, word]
                    left |= blocks[block, word]
                # Nothing is left that another jump could strike out.
                if left == 0:
                    break


@kernel
def add_counts(
    tiles: Tiles,
    times: NDArray[np.int64],
    masks: Blocks,
    blocks: Blocks,
    cores: NDArray[np.int64],
    counts: Counts,
) -> None:
    """Add the positions of the blocks to their numbers by pegs; times: int64 (highs); masks: word (signs, ends + 1,
    words); cores: int64 (blocks), the blocks' numbers."""
    for block in range(blocks.shape[0]):
        if not has_position(blocks, block):
            continue
        high, low = cores[block] // tiles.lows.size, cores[block] % tiles.lows.size
        pegs = popcount(np.uint64(cores[block]))
        sign = tiles.high_sign[high] ^ tiles.low_sign[low]
        for word in range(blocks.shape[1]):
            bits = blocks[block, word]
            if bits:
                for ends in range(masks.shape[1]):
                    # Cast to one sign: numba makes a float of a mixed sum, and a float is no index.
                    counts[pegs + np.uint64(ends)] += times[high] * np.int64(
                        popcount(np.uint64(bits & masks[sign, ends, word]))
                    )


def peg_masks(positions: PositionClass) -> Blocks:
    """word (signs, ends + 1, words): the places with so many pegs on the ends."""
    pegs = np.bitwise_count(positions.end_masks)
    most = len(positions.weights.ends)
    return packed(positions, pegs[:, None, :] == np.arange(most + 1)[:, None])


def fixed_masks(positions: PositionClass, symmetry: NDArray[np.int64]) -> Blocks:
    """word (signs, words): the places whose ends a symmetry leaves as they are."""
    return packed(positions, images(symmetry, positions.end_masks) == positions.end_masks)


def fixed_words(holes: Sequence[int], symmetry: NDArray[np.int64]) -> NDArray[np.int64]:
    """The words, bit i for ``holes[i]``, that a symmetry maps to themselves: all unions of its cycles."""
    bit = {hole: i for i, hole in enumerate(holes)}
    words, left = np.zeros(1, np.int64), set(holes)
    while left:
        cycle = [min(left)]
        while int(symmetry[cycle[-1]]) != cycle[0]:
            cycle.append(int(symmetry[cycle[-1]]))
        left -= set(cycle)
        words = np.concatenate([words, words | sum(1 << bit[hole] for hole in cycle)])
    return words


def fixed_places(positions: PositionClass, symmetry: NDArray[np.int64], cores: NDArray[np.int64]) -> NDArray[np.int64]:
    """int64: the places, among ascending numbers of blocks, of those that a symmetry maps to themselves."""
    fixed = fixed_words(positions.core, symmetry)
    places = np.searchsorted(cores, fixed)
    # What is above all cores gets the place after the last, where -1 is equal to no word.
    return places[np.append(cores, -1)[places] == fixed]


def stuck_in(order: Order, piece: Piece) -> Piece:
    """Return the positions from which no jump is possible."""
    found = piece.blocks.copy()
    strike_out(order.tiles, jumps_of(order.positions), found, order.numbers_of(piece))
    return piece._replace(blocks=found)


def is_in(order: Order, fold: Fold, piece: Piece, position: int) -> bool:
    """Return whether a position of the class, or its image in a tile that is made, is in the piece."""
    weight, high, rank, word, bit = order.find(made_image(order, fold, position))
    if weight != piece.weight or not piece.begin <= high < piece.end:
        return False
    block = piece.starts[high] - piece.starts[piece.begin] + rank
    return bool(int(piece.blocks[block, word]) >> bit & 1)
