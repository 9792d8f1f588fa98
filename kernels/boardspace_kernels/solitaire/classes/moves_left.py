"""Least moves to a goal from every position of a game: what a player may ask at each step, a byte a position.

The sweep is that of :mod:`.moves`, backwards. Of its blocks only those positions are kept that the start leads to, and
from which the goal may be reached; these are few. Nothing is lost by that: what follows such a position is reached from
the start, too.

Of blocks that symmetries map to one another one is made. They are taken apart into bytes, in order of the positions'
numbers, when all are made.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit
from boardspace_kernels.jit import kernel
from boardspace_kernels.solitaire.classes.fold import Fold, place_maps, starts
from boardspace_kernels.solitaire.classes.gather import Blocks, Piece
from boardspace_kernels.solitaire.classes.layer_blocks import Layer, read_only
from boardspace_kernels.solitaire.classes.moves import sweep_moves
from boardspace_kernels.solitaire.classes.order import Order, Tiles
from boardspace_kernels.solitaire.classes.relax import PLANES
from boardspace_kernels.solitaire.classes.steps import backward_steps

NO_WAY = 255
"""Where no moves lead to the goal, or none from the start to the position."""

MovesLeft = NDArray[np.uint8]


def moves_left(
    order: Order, fold: Fold, goals: Iterable[int], sets: Sequence[Sequence[Piece]] | None = None
) -> MovesLeft:
    """uint8 (2^p * blocks): by the positions' numbers the least moves to the nearest of the goals, 255 where there are
    none. The symmetries of the fold keep the goals, and the sets.

    sets: of all weights and tiles, what the start leads to, and from where the goals, or more, can be reached: other
    positions are left out. Where no sets are given, none is.
    """

    def within(weight: int) -> Blocks | None:
        """The positions of a weight that may be met, as blocks; None where all may."""
        return None if sets is None else common_blocks(order, fold, weight, sets)

    layers = sweep_moves(order, backward_steps(order), goals, fold, within)
    found = no_moves(order, 0, order.highs)
    write_moves_left(order, fold, layers, 0, order.highs, found)
    return found


def common_blocks(
    order: Order,
    fold: Fold,
    weight: int,
    sets: Sequence[Iterable[Piece]],
    begin: int = 0,
    end: int | None = None,
) -> Blocks:
    """word (blocks, words): of the blocks of a weight that the fold makes, in a range of high parts, what sets have in
    common; each is pieces in which all blocks are made, which together have the range."""
    end = order.highs if end is None else end
    full = order.starts(weight)
    found = None
    for pieces in sets:
        joined = np.zeros((full[end] - full[begin], order.positions.words), order.positions.word_type)
        for piece in (piece for piece in pieces if piece.weight == weight):
            first, last = max(begin, piece.begin), min(end, piece.end)
            if first < last:
                here = slice(full[first] - full[begin], full[last] - full[begin])
                joined[here] = piece.blocks[full[first] - full[piece.begin] : full[last] - full[piece.begin]]
        found = joined if found is None else found & joined
    assert found is not None, "of no sets nothing is in common"
    made = np.diff(starts(order, fold, weight))[begin:end] > 0
    common: Blocks = found[np.repeat(made, np.diff(full[begin : end + 1]))]
    return common


def no_moves(order: Order, begin: int, end: int) -> MovesLeft:
    """uint8: for the numbers with high parts from ``begin`` to ``end``, that there is no way."""
    return np.full(end - begin << order.low_bits + order.positions.place_bits, NO_WAY, np.uint8)


def write_moves_left(order: Order, fold: Fold, layers: Iterable[Layer], begin: int, end: int, found: MovesLeft) -> None:
    """Write the moves of layers, and of the images of their blocks, where they belong by number; ``found``: of high
    parts from ``begin`` to ``end``."""
    maps = place_maps(order, fold.hole.astype(np.int64)).argsort(axis=2)
    by_block = found.reshape(end - begin, 1 << order.low_bits, -1)
    for layer in layers:
        _write(order.tiles, fold, maps, read_only(layer), begin, by_block)


@kernel
def _write(tiles: Tiles, fold: Fold, places: NDArray[np.int64], layer: Layer, begin: int, found: MovesLeft) -> None:
    """Write the moves of a layer; places: int64 (G, signs, 2^free), the place whose image a place is; found: uint8
    (highs, L, 2^p), those of high parts from ``begin`` on."""
    for high in range(begin, begin + found.shape[0]):
        there, symmetry = fold.high[high], fold.symmetry[high]
        low_weight = layer.weight - tiles.high_weight[high]
        if not layer.begin <= there < layer.end or not 0 <= low_weight < tiles.low_weights:
            continue
        lists = tiles.high_list[high] * tiles.low_weights + low_weight
        start = layer.starts[there] - layer.starts[layer.begin]
        for i in range(tiles.first[lists], tiles.first[lists + 1]):
            low = tiles.lows[i]
            first = np.int64(layer.index[start + np.int64(fold.rank[symmetry, low]), 0])
            if first:
                sign = tiles.high_sign[high] ^ tiles.low_sign[low]
                _write_block(layer.rows, first, places[symmetry, sign], found[high - begin, low])


@kernel
def _write_block(rows: Blocks, first: int, places: NDArray[np.int64], found: MovesLeft) -> None:
    """Write the moves of one block."""
    one = np.uint64(1)
    every = ~np.uint64(0) if places.size > 63 else (one << np.uint64(places.size)) - one
    for word in range(rows.shape[1]):
        unreached = every
        for plane in range(PLANES):
            unreached &= np.uint64(rows[first + plane, word])
        left = every & ~unreached
        while left:
            bit = lowest_bit(left)
            left &= left - one
            moves = 0
            for plane in range(PLANES):
                moves |= np.int64(np.uint64(rows[first + plane, word]) >> bit & one) << plane
            found[places[word << 6 | np.int64(bit)]] = moves
