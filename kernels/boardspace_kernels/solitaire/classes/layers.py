"""Making blocks that hold least moves, of one weight, from blocks of the weights that steps come from.

A block has a bit-sliced counter of moves (see :mod:`.relax`), and a plane for each hole with a live peg (see
:mod:`.moves`). How it is made tells :mod:`.layer_blocks`; of blocks that symmetries map to one another one is made (see
:mod:`.fold`).

Only blocks with a position are kept, and of their live pegs those from whose hole the core allows a jump to go on: from
the centre of the boards of 33 and of 37 holes four and six planes a block, of 33 and 37.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.solitaire.classes.fold import Fold
from boardspace_kernels.solitaire.classes.fold import starts as starts_of
from boardspace_kernels.solitaire.classes.gather import Blocks
from boardspace_kernels.solitaire.classes.layer_blocks import (
    SOURCES,
    Layer,
    Paths,
    Roots,
    Workspace,
    make_tiles,
    read_only,
)
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.relax import PLANES
from boardspace_kernels.solitaire.classes.steps import Steps

ROWS_AT_ONCE = 1 << 18
RUN_WORDS = 128


class TooManyMovesError(ValueError):
    """Some position may need more moves than the planes can count."""


def paths_of(order: Order, steps: Steps) -> Paths:
    """Return the tables in which the kernel looks up each low part and step."""
    tiles = order.tiles
    lows = np.arange(len(tiles.lows))
    possible = np.array([lows & test == need for test, need in zip(steps.low_test, steps.low_need, strict=True)])
    words = -(-len(possible) // 64)
    padded = np.zeros((len(lows), 64 * words), bool)
    padded[:, : len(possible)] = possible.T
    by_low = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    goes_on, lands = (steps.begin, steps.end) if steps.gap[0] > 0 else (steps.end, steps.begin)
    by_hole = np.argsort(goes_on, kind="stable")
    first = np.searchsorted(goes_on[by_hole], np.arange(order.positions.board.holes + 1))
    test = steps.low_test | steps.high_test << order.low_bits
    need = steps.low_need | steps.high_need << order.low_bits
    return Paths(
        by_low,
        goes_on.astype(np.uint64),
        lands.astype(np.uint64),
        first,
        test[by_hole],
        (test ^ need)[by_hole],
    )


def make_layer(
    order: Order,
    steps: Steps,
    paths: Paths,
    fold: Fold,
    sources: Sequence[Layer],
    roots: Sequence[int],
    weight: int,
    begin: int = 0,
    end: int | None = None,
    within: Blocks | None = None,
    rows_at_once: int = ROWS_AT_ONCE,
) -> Layer:
    """Tiles of one weight, all where no end is given, from the layers that steps come from, at most 16. The symmetries
    of the fold keep the roots. within: word (blocks, words), the positions that are kept of each of their blocks; all
    where none is given. rows_at_once: words of rows that one call of the kernel may make, if a tile needs no more.

    TooManyMovesError where a position has 30 moves: others may have more.
    """
    end = order.highs if end is None else end
    starts = starts_of(order, fold, weight)
    gaps = set(steps.gap.tolist())
    near = [source for source in sources if source.weight - weight in gaps and len(source.index)]
    if len(near) > SOURCES:
        raise ValueError(f"blocks of weight {weight} would be made from {len(near)} layers; at most {SOURCES} can be")
    blocks, words, word = int(starts[end] - starts[begin]), order.positions.words, np.dtype(order.positions.word_type)
    empty = Layer(np.zeros((0, 2), np.uint64), np.zeros((1, words), word), 0, starts, 0, 0)
    held = tuple(read_only(source) for source in [*near, *[empty] * (SOURCES - len(near))])
    index = np.zeros((blocks, 2), np.uint64)
    largest = int(np.diff(starts).max(initial=0)) * (PLANES + order.positions.board.holes)
    arena = np.empty((max(rows_at_once // words, largest), words), word)
    work = _workspace(order, steps)
    parts, rows, high = [np.zeros((1, words), word)], 1, begin
    kept = np.zeros((0, words), word) if within is None else within
    planted = _roots(order, roots, weight, starts, begin, end)
    while high < end:
        some = empty._replace(index=index, rows=arena, weight=weight, begin=begin, end=end)
        high, used, too_many = make_tiles(order.tiles, steps, paths, fold, held, planted, some, kept, work, high, rows)
        if too_many:
            raise TooManyMovesError(f"board {order.positions.board.name!r}: some positions may need over 30 moves")
        parts.append(arena[:used].copy())
        rows += used
    return Layer(index, np.concatenate(parts), weight, starts, begin, end)


def _roots(order: Order, roots: Sequence[int], weight: int, starts: NDArray[np.int64], begin: int, end: int) -> Roots:
    """Return the roots that are in tiles of the layer which are made; of others an image is to be among them."""
    places = [
        (int(starts[h] - starts[begin]) + rank, word, bit)
        for root in roots
        for w, h, rank, word, bit in [order.find(root)]
        if w == weight and begin <= h < end and starts[h] < starts[h + 1]
    ]
    return Roots(*np.array(sorted(places), np.int64).reshape(-1, 3).T.copy())


def _workspace(order: Order, steps: Steps) -> Workspace:
    jumps, words, holes = len(steps.gap), order.positions.words, order.positions.board.holes
    run = max(RUN_WORDS // words, 1)
    by_arrival = (np.empty(run * jumps, np.uint64) for _ in range(5))
    return Workspace(
        np.empty(-(-jumps // 64), np.uint64),
        np.empty(jumps, np.uint64),
        np.empty(jumps, np.uint64),
        np.empty(jumps, np.int64),
        *by_arrival,
        np.empty(run, np.int64),
        np.empty((run, jumps, words, PLANES), np.uint64),
        np.empty((run, jumps), np.uint64),
        np.empty((words, PLANES), np.uint64),
        np.empty((words, PLANES), np.uint64),
        np.empty((holes, words), np.uint64),
        np.zeros(1, np.uint64),
    )
