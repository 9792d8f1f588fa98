"""Positions that shortest games pass, found backwards from the goal by the least moves of a whole class.

If a game leads to a goal in its least number of moves, no position of the game can be reached in fewer moves than the
game takes to it. So the positions after k - 1 moves of such games are those from which a move leads to one after k, and
whose least moves are k - 1: from the goal back to the start, each step looks only at the neighbours of a few positions.

The layers of a sweep may be files that are mapped into memory, together larger than it. So they are asked for weight by
weight, looked at one by one, and not held.
"""

from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.runs import Positions, Run
from boardspace_kernels.solitaire.classes.fold import Fold
from boardspace_kernels.solitaire.classes.layer_blocks import Layer
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.relax import MOST_MOVES, PLANES
from boardspace_kernels.solitaire.moves import expand
from boardspace_kernels.solitaire.problem import Problem

NOT_REACHED = -1
LayersOf = Callable[[int], Iterable[Layer]]
"""By weight, the layers of a sweep, which together have all tiles."""


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
