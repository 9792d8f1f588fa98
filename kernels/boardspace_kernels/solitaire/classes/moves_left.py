"""Least moves of positions: to a goal from every position of a game, a byte each, which a player may ask at each step;
and counted, by pegs and moves, layer by layer.

The sweep is that of :mod:`.layers`, backwards. Of its blocks those positions alone may be kept that the start leads to,
and from which the goal may be reached; these are few. Nothing is lost by that: what follows such a position is reached
from the start, too.

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

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import lowest_bit, popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.runs import Positions, Run
from boardspace_kernels.solitaire.board import images
from boardspace_kernels.solitaire.classes.census import Counts, fixed_masks, fixed_places, peg_masks
from boardspace_kernels.solitaire.classes.fold import Fold, place_maps, tile_of
from boardspace_kernels.solitaire.classes.gather import Blocks
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


def moves_left(order: Order, fold: Fold, goals: Iterable[int]) -> MovesLeft:
    """uint8 (2^p * blocks): by the positions' numbers the least moves to the nearest of the goals, 255 where there are
    none. The symmetries of the fold keep the goals."""
    found = no_moves(order, 0, order.highs)
    write_moves_left(order, fold, sweep_moves(order, backward_steps(order), goals, fold), 0, order.highs, found)
    return found


def no_moves(order: Order, begin: int, end: int) -> MovesLeft:
    """uint8: for the numbers with high parts from ``begin`` to ``end``, that there is no way."""
    return np.full(end - begin << order.low_bits + order.positions.place_bits, NO_WAY, np.uint8)


def write_moves_left(order: Order, fold: Fold, layers: Iterable[Layer], begin: int, end: int, found: MovesLeft) -> None:
    """Write the moves of layers, and of the images of their blocks, where they belong by number; ``found``: of high
    parts from ``begin`` to ``end``."""
    # ``argsort`` inverts a permutation: by the place that an image has, the place that it is the image of.
    maps = place_maps(order, fold.hole.astype(np.int64)).argsort(axis=2)
    by_block = found.reshape(len(found) >> order.positions.place_bits, -1)
    for layer in layers:
        _write(order.tiles, fold, maps, read_only(layer), begin, by_block)


@kernel
def _write(tiles: Tiles, fold: Fold, places: NDArray[np.int64], layer: Layer, begin: int, found: MovesLeft) -> None:
    """Write the moves of a layer; places: int64 (G, signs, 2^free), the place whose image a place is; found: uint8
    (blocks, 2^p), those of high parts from ``begin`` on."""
    for high in range(begin, begin + found.shape[0] // tiles.lows.size):
        symmetry = fold.symmetry[high]
        first, last, start = tile_of(tiles, fold, layer, high)
        for i in range(first, last):
            low = tiles.lows[i]
            row = np.int64(layer.index[start + np.int64(fold.rank[symmetry, low]), 0])
            if row:
                sign = tiles.high_sign[high] ^ tiles.low_sign[low]
                _write_block(layer.rows, row, places[symmetry, sign], found[(high - begin) * tiles.lows.size + low])


@kernel
def _write_block(rows: Blocks, first: int, places: NDArray[np.int64], found: MovesLeft) -> None:
    """Write the moves of one block."""
    one = np.uint64(1)
    # A narrow word is widened with zeros, which would pass for 0 moves, so only places of the block are looked at. A
    # shift by 64 is not defined, so whole words have a case of their own.
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


def count_moves(order: Order, fold: Fold, group: Counts, layer: Layer) -> Counts:
    """int64 (2, holes + 1, 31): the positions of a layer with so many pegs and least moves, images included; and the
    sum, over the symmetries of a group, int64 (G, holes), the identity first, of those that each leaves as they are.
    Over all symmetries of the fold that is the number of orbits times that of the symmetries."""
    positions, masks, cores = order.positions, peg_masks(order.positions), order.numbers_of(layer)
    counts = np.zeros((2, positions.board.holes + 1, MOST_MOVES + 1), np.int64)
    first, rows = layer.index[:, 0].astype(np.int64), read_only(layer).rows
    _add_moves(order.tiles, fold, masks, rows, first, cores, counts[0])
    counts[1] = counts[0]
    for symmetry in group[1:]:
        fixed, places = masks & fixed_masks(positions, symmetry)[:, None], fixed_places(positions, symmetry, cores)
        _add_moves(order.tiles, fold, fixed, rows, first[places], cores[places], counts[1])
    return counts


def with_moves(order: Order, layer: Layer, moves: int) -> Iterator[int]:
    """The positions of a layer with so many least moves; of those in images of a tile, one of each orbit or more."""
    cores = order.numbers_of(layer)
    for begin in range(0, len(cores), BLOCKS_AT_ONCE):
        first = layer.index[begin : begin + BLOCKS_AT_ONCE, 0].astype(np.int64)
        used = np.flatnonzero(first)
        found = np.full((len(used), order.positions.words), np.iinfo(layer.rows.dtype).max, layer.rows.dtype)
        for plane in range(PLANES):
            row = layer.rows[first[used] + plane]
            found &= row if moves >> plane & 1 else ~row
        # Places that pad a block have all planes set, so they match no number of moves.
        yield from order.positions.members(found, cores[begin + used]).tolist()


@kernel
def _add_moves(
    tiles: Tiles,
    fold: Fold,
    masks: Blocks,
    rows: Blocks,
    firsts: NDArray[np.int64],
    cores: NDArray[np.int64],
    counts: Counts,
) -> None:
    """Add the positions of blocks to their numbers by pegs and moves; masks: word (signs, ends + 1, words); firsts,
    cores: int64 (blocks), the first row of each, or 0, and its number."""
    # Only places in a mask count. Of a narrow word the complement would have more, for it is computed in a wider one.
    every = np.zeros((masks.shape[0], masks.shape[2]), masks.dtype)
    for ends in range(masks.shape[1]):
        every |= masks[:, ends]
    for i in range(cores.size):
        first, core = firsts[i], cores[i]
        if first == 0:
            continue
        high, low = core // tiles.lows.size, core % tiles.lows.size
        pegs = popcount(np.uint64(core))
        sign = tiles.high_sign[high] ^ tiles.low_sign[low]
        for word in range(masks.shape[2]):
            left = rows[first, word]
            for plane in range(1, PLANES):
                left &= rows[first + plane, word]
            left = every[sign, word] & ~left
            while left:
                moves, fewest = 0, left
                # If some of those left have 0 in the plane, only they can be the least. If none has, all have 1 there.
                for plane in range(PLANES - 1, -1, -1):
                    less = fewest & ~rows[first + plane, word]
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
        # A block without a position has no rows, and 0 stands for its first one.
        here, first = here[first > 0], first[first > 0]
        word, bit = places[here] >> 6, (places[here] & 63).astype(np.uint64)
        planes = (layer.rows[first + plane, word].astype(np.uint64) >> bit & np.uint64(1) for plane in range(PLANES))
        moves = sum((plane.astype(np.int64) << i for i, plane in enumerate(planes)), np.zeros(len(here), np.int64))
        found[here] = np.where(moves <= MOST_MOVES, moves, NOT_REACHED)
    return found


def _made_images(order: Order, fold: Fold, positions: Positions) -> Positions:
    """Of each position the image in a tile that is made."""
    shift = order.positions.place_bits + order.low_bits
    # What is above the bits of the place and of the low part is the high part.
    turns = fold.symmetry[(order.positions.numbers(positions) >> np.uint64(shift)).astype(np.int64)]
    found = positions.copy()
    for turn in np.unique(turns[turns > 0]).tolist():
        here = turns == turn
        found[here] = images(fold.hole[turn], positions[here])
    return found
