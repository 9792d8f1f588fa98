"""Counting the positions of a layer by pegs and least moves, and finding those with so many moves.

The positions of one number of moves are taken out of the planes of a word by a search from the highest plane down; a
block has only a few different numbers, so that is quicker than asking for each.

Of a folded layer a tile counts as many times as it has images, as in :mod:`.piece_census`.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.solitaire.classes.census import Counts, fixed_masks, fixed_words, peg_masks
from boardspace_kernels.solitaire.classes.fold import Fold, made_image
from boardspace_kernels.solitaire.classes.gather import Blocks
from boardspace_kernels.solitaire.classes.layer_blocks import Layer, read_only
from boardspace_kernels.solitaire.classes.order import Order, Tiles
from boardspace_kernels.solitaire.classes.relax import MOST_MOVES, PLANES

BLOCKS_AT_ONCE = 1 << 16


class Chosen(NamedTuple):
    """Some blocks of a layer: the place of each there, and its number; int64 (b) each."""

    blocks: NDArray[np.int64]
    cores: NDArray[np.int64]


def count_moves(order: Order, layer: Layer, fold: Fold) -> Counts:
    """int64 (holes + 1, 31): the positions of a layer with so many pegs and least moves, images included."""
    counts = np.zeros((order.positions.board.holes + 1, MOST_MOVES + 1), np.int64)
    cores = order.numbers_of(layer)
    chosen = Chosen(np.arange(len(cores)), cores)
    _add_moves(order.tiles, fold, peg_masks(order.positions), read_only(layer), chosen, counts)
    return counts


def count_fixed_moves(order: Order, symmetry: NDArray[np.int64], layer: Layer, fold: Fold) -> Counts:
    """int64 (holes + 1, 31): the same of the positions that a symmetry, int64 (holes), leaves as they are, in tiles
    that are made, times their images. Over all symmetries of the fold, the identity included, these sums are the number
    of orbits times that of the symmetries."""
    positions, tiles = order.positions, order.tiles
    cores, blocks = order.places_in(layer, fixed_words(positions.core, symmetry))
    masks = peg_masks(positions) & fixed_masks(positions, symmetry)[:, None]
    counts = np.zeros((positions.board.holes + 1, MOST_MOVES + 1), np.int64)
    _add_moves(tiles, fold, masks, read_only(layer), Chosen(blocks, cores), counts)
    return counts


def with_moves(order: Order, layer: Layer, moves: int) -> Iterator[int]:
    """The positions of a layer with so many least moves; of those in images of a tile, one of each orbit or more."""
    positions, cores = order.positions, order.numbers_of(layer)
    bits = 8 * np.dtype(positions.word_type).itemsize
    for begin in range(0, len(cores), BLOCKS_AT_ONCE):
        first = layer.index[begin : begin + BLOCKS_AT_ONCE, 0].astype(np.int64)
        used = np.flatnonzero(first)
        found = np.full((len(used), positions.words), np.iinfo(layer.rows.dtype).max, layer.rows.dtype)
        for plane in range(PLANES):
            row = layer.rows[first[used] + plane]
            found &= row if moves >> plane & 1 else ~row
        for block, word in np.argwhere(found).tolist():
            for bit in range(bits):
                if int(found[block, word]) >> bit & 1:
                    core = int(cores[begin + used[block]])
                    yield positions.position(core << positions.place_bits | word * bits + bit)


def moves_of(order: Order, layer: Layer, fold: Fold, position: int) -> int | None:
    """The least moves of a position of the class; None where it is not reached, or not of this layer."""
    weight, high, rank, word, bit = order.find(made_image(order, fold, position))
    if weight != layer.weight or not layer.begin <= high < layer.end:
        return None
    first = int(layer.index[layer.starts[high] - layer.starts[layer.begin] + rank, 0])
    moves = sum((int(layer.rows[first + plane, word]) >> bit & 1) << plane for plane in range(PLANES)) if first else -1
    return moves if 0 <= moves <= MOST_MOVES else None


@kernel
def _add_moves(tiles: Tiles, fold: Fold, masks: Blocks, layer: Layer, chosen: Chosen, counts: Counts) -> None:
    """Add the positions of some blocks to their numbers by pegs and moves; masks: word (signs, ends + 1, words)."""
    for i in range(chosen.blocks.size):
        first, core = np.int64(layer.index[chosen.blocks[i], 0]), chosen.cores[i]
        if first == 0:
            continue
        high, low = core // tiles.lows.size, core % tiles.lows.size
        pegs = popcount(np.uint64(core))
        sign = tiles.high_sign[high] ^ tiles.low_sign[low]
        for word in range(masks.shape[2]):
            left = layer.rows[first, word]
            for plane in range(1, PLANES):
                left &= layer.rows[first + plane, word]
            left = ~left
            while left:
                moves, fewest = 0, left
                for plane in range(PLANES - 1, -1, -1):
                    less = fewest & ~layer.rows[first + plane, word]
                    if less:
                        fewest = less
                    else:
                        moves |= 1 << plane
                left &= ~fewest
                for ends in range(masks.shape[1]):
                    found = np.uint64(fewest & masks[sign, ends, word])
                    if found:
                        counts[pegs + np.uint64(ends), moves] += np.int64(popcount(found)) * fold.orbit[high]
