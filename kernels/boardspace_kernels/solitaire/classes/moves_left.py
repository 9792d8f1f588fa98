"""Least moves of positions: to a goal from every position of a game, a byte each, which a player may ask at each step;
and counted, by pegs and moves, layer by layer.

The sweep is that of :mod:`.layers`, backwards. Of its blocks only those positions are kept that the start leads to, and
from which the goal may be reached; these are few. Nothing is lost by that: what follows such a position is reached from
the start, too.

Of blocks that symmetries map to one another one is made. They are taken apart into bytes, in order of the positions'
numbers, when all are made.

For counts, the positions of one number of moves are taken out of the planes of a word by a search from the highest
plane down; a block has only a few different numbers, so that is quicker than asking for each.

Of a folded layer a tile counts as many times as it has images, as in :mod:`.census`.

*Shortest games* are found backwards from the goal by the least moves of a whole class. If a game leads to a goal in its
least number of moves, no position of the game can be reached in fewer moves than the game takes to it. So the positions
after k - 1 moves of such games are those from which a move leads to one after k, and whose least moves are k - 1: from
the goal back to the start, each step looks only at the neighbours of a few positions. The layers of a sweep may be
files that are mapped into memory, together larger than it. So they are asked for weight by weight, looked at one by
one, and not held.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.runs import Positions, Run
from boardspace_kernels.solitaire.classes.census import Counts, fixed_masks, fixed_words, peg_masks
from boardspace_kernels.solitaire.classes.fold import Fold, made_image, place_maps, starts
from boardspace_kernels.solitaire.classes.gather import Blocks, Piece
from boardspace_kernels.solitaire.classes.layer_blocks import Layer, read_only
from boardspace_kernels.solitaire.classes.layers import sweep_moves
from boardspace_kernels.solitaire.classes.order import Order, Tiles
from boardspace_kernels.solitaire.classes.relax import MOST_MOVES, PLANES
from boardspace_kernels.solitaire.classes.steps import backward_steps
from boardspace_kernels.solitaire.moves import expand
from boardspace_kernels.solitaire.play import Problem

NO_WAY = 255
"""Where no moves lead to the goal, or none from the start to the position."""

MovesLeft = NDArray[np.uint8]

NOT_REACHED = -1
LayersOf = Callable[[int], Iterable[Layer]]
"""By weight, the layers of a sweep, which together have all tiles."""


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


def layers_to(problem: Problem, length: int, order: Order, fold: Fold, layers: LayersOf) -> list[Positions]:
    """For k = 0, 1, ..., ``length``, the least moves to the goal: the positions, up to the symmetries of the problem,
    that shortest solutions have after k moves. layers: of the sweep from the problem's start, folded so."""
    found = [np.array([problem.goal], np.uint64)]
    for moves in range(length - 1, -1, -1):
        before = expand(problem.backward, Run(found[-1])).run.positions
        found.append(before[moves_to_each(order, fold, layers, before) == moves])
    return found[::-1]


def moves_to_each(order: Order, fold: Fold, layers: LayersOf, positions: Positions) -> NDArray[np.int64]:
    """int64 (p): the least moves to positions of the class, uint64 (p); -1 where one is not reached."""
    made = _made_images(order, fold, positions)
    numbers = order.positions.numbers(made).astype(np.int64)
    blocks, places = numbers >> order.positions.place_bits, numbers & (1 << order.positions.place_bits) - 1
    high, low = blocks >> order.low_bits, blocks & (1 << order.low_bits) - 1
    weights = order.high_weight[high] + order.low_weight[low]
    found = np.full(len(positions), NOT_REACHED, np.int64)
    for layer in (layer for weight in np.unique(weights).tolist() for layer in layers(weight)):
        here = np.flatnonzero((weights == layer.weight) & (layer.begin <= high) & (high < layer.end))
        block = layer.starts[high[here]] - layer.starts[layer.begin] + order.tiles.rank[low[here]]
        first = layer.index[block, 0].astype(np.int64)
        here, first = here[first > 0], first[first > 0]
        word, bit = places[here] >> 6, (places[here] & 63).astype(np.uint64)
        planes = (layer.rows[first + plane, word].astype(np.uint64) >> bit & np.uint64(1) for plane in range(PLANES))
        moves = sum((plane.astype(np.int64) << i for i, plane in enumerate(planes)), np.zeros(len(here), np.int64))
        found[here] = np.where(moves <= MOST_MOVES, moves, NOT_REACHED)
    return found


def _made_images(order: Order, fold: Fold, positions: Positions) -> Positions:
    """Of each position the image in a tile that is made."""
    shift = order.positions.place_bits + order.low_bits
    turns = fold.symmetry[(order.positions.numbers(positions) >> np.uint64(shift)).astype(np.int64)]
    images = positions.copy()
    for turn in np.unique(turns[turns > 0]).tolist():
        here = turns == turn
        images[here] = 0
        for hole, image in enumerate(fold.hole[turn]):
            images[here] |= (positions[here] >> np.uint64(hole) & np.uint64(1)) << image
    return images
