"""The least number of moves to every position of a class from a start, or from every position to a goal.

A *move* is one jump or more in a row by one peg. Let m be the least number of moves to a position P, and call a peg
*live* if it can be the last to have moved in m moves. A jump from P by a live peg gives m moves, by another m + 1 (see
:mod:`boardspace_kernels.solitaire.levels`, whose recurrence this is). Backwards the same holds with the roles of time
exchanged: let m be the least number of moves from Q to a goal, and a peg live if it can be the first to move in so
many. A jump that leads to Q makes m moves with a live peg, which goes on, and m + 1 with another.

So a sweep in order of weight makes each block once, as it does where only positions are asked for, from blocks of the
weights that steps come from. What it needs of a block are its moves and its live pegs. Of the weights that no later one
reads nothing is held: from the centres of both boards the largest window is 36 % of all.

A block has a bit-sliced counter of moves (see :mod:`.relax`), and a plane for each hole with a live peg. How it is made
tells :mod:`.layer_blocks`; of blocks that symmetries map to one another one is made (see :mod:`.fold`).

Only blocks with a position are kept, and of their live pegs those from whose hole the core allows a jump to go on: from
the centre of the boards of 33 and of 37 holes four and six planes a block, of 33 and 37.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.solitaire.classes.fold import Fold, unfolded
from boardspace_kernels.solitaire.classes.fold import starts as starts_of
from boardspace_kernels.solitaire.classes.gather import Blocks
from boardspace_kernels.solitaire.classes.layer_blocks import (
    SOURCES,
    Layer,
    Made,
    Paths,
    Roots,
    Rules,
    Sources,
    Workspace,
    make_tiles,
    read_only,
)
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.relax import PLANES
from boardspace_kernels.solitaire.classes.steps import Steps

ROWS_AT_ONCE = 1 << 18
WORDS_AT_ONCE = 128


class TooManyMovesError(ValueError):
    """Some position may need more moves than the planes can count."""


@dataclass(frozen=True, eq=False)
class MoveSweep:
    """A sweep of a class for least moves: what is the same for all of its layers.

    order: of the class's blocks.
    steps: forward or backward.
    fold: the symmetries by which one block of each orbit is made.
    rows_at_once: words of rows that one call of the kernel may make, if a tile needs no more.
    words_at_once: words of the blocks that are made together.
    """

    order: Order
    steps: Steps
    fold: Fold
    rows_at_once: int = ROWS_AT_ONCE
    words_at_once: int = WORDS_AT_ONCE

    @cached_property
    def rules(self) -> Rules:
        """The tables that the kernel looks up."""
        return Rules(self.order.tiles, self.steps, paths_of(self.order, self.steps), self.fold)


def paths_of(order: Order, steps: Steps) -> Paths:
    """Return the tables in which the kernel looks up each low part and step."""
    tiles = order.tiles
    lows = np.arange(len(tiles.lows))
    possible = np.array([lows & test == need for test, need in zip(steps.low_test, steps.low_need, strict=True)])
    words = -(-len(possible) // 64)
    padded = np.zeros((len(lows), 64 * words), bool)
    padded[:, : len(possible)] = possible.T
    by_low = np.packbits(padded, axis=1, bitorder="little").view(np.uint64)
    # A step back comes from the position after the jump, where the peg stands at the jump's end.
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
        # A step's values are those after it. The block that it comes from has the opposite ones in these holes.
        (test ^ need)[by_hole],
    )


def make_layer(
    sweep: MoveSweep,
    sources: Sequence[Layer],
    roots: Sequence[int],
    weight: int,
    ends: tuple[int, int] | None = None,
    within: Blocks | None = None,
) -> Layer:
    """Tiles of one weight, with high parts between two ends, or all, from the layers that steps come from, at most 48.

    The symmetries of the sweep's fold keep the roots. within: word (blocks, words), the positions that are kept of each
    of their blocks; all where none is given. TooManyMovesError where a position has 30 moves: others may have more.
    """
    order, (begin, end) = sweep.order, ends or (0, sweep.order.highs)
    starts = starts_of(order, sweep.fold, weight)
    blocks, words, word = int(starts[end] - starts[begin]), order.positions.words, np.dtype(order.positions.word_type)
    index, held = np.zeros((blocks, 2), np.uint64), _held(sweep, sources, weight, starts)
    # The largest tile has room with every plane there can be, so each call finishes one tile at least.
    largest = int(np.diff(starts).max(initial=0)) * (PLANES + order.positions.board.holes)
    arena = np.empty((max(sweep.rows_at_once // words, largest), words), word)
    kept = np.zeros((0, words), word) if within is None else within
    layer = Layer(index, arena, weight, starts, begin, end)
    made = Made(layer, kept, _roots(order, roots, layer), 1)
    # Row 0 belongs to no block, so that 0 in the index can say that a block has no position.
    parts, high, work = [np.zeros((1, words), word)], begin, _workspace(sweep)
    while high < end:
        high, used, too_many = make_tiles(sweep.rules, held, made, work, high)
        if too_many:
            raise TooManyMovesError(f"board {order.positions.board.name!r}: some positions may need over 30 moves")
        # Copied, as the next call writes over the arena.
        parts.append(arena[:used].copy())
        made = made._replace(first_row=made.first_row + used)
    return layer._replace(rows=np.concatenate(parts))


def _held(sweep: MoveSweep, sources: Sequence[Layer], weight: int, starts: NDArray[np.int64]) -> Sources:
    """Layers from which steps lead to a weight, filled up with empty ones."""
    gaps, positions = set(sweep.steps.gap.tolist()), sweep.order.positions
    near = [source for source in sources if source.weight - weight in gaps and len(source.index)]
    if len(near) > SOURCES:
        raise ValueError(f"blocks of weight {weight} would be made from {len(near)} layers; at most {SOURCES} can be")
    nothing = np.zeros((0, 2), np.uint64), np.zeros((1, positions.words), np.dtype(positions.word_type))
    empty = Layer(*nothing, weight, starts, 0, 0)
    by_weight = {source.weight: source.starts for source in [*near, empty]}
    held = [read_only(source) for source in [*near, *[empty] * (SOURCES - len(near))]]
    places = list(by_weight)
    bounds = [(places.index(source.weight), source.weight, source.begin, source.end) for source in held]
    index, rows = zip(*(source[:2] for source in held), strict=True)
    return Sources(index, rows, np.array(list(by_weight.values())), np.array(bounds))


def _roots(order: Order, roots: Sequence[int], layer: Layer) -> Roots:
    """Return the roots that are in tiles of the layer which are made; of others an image is to be among them."""
    starts, begin, end = layer.starts, layer.begin, layer.end
    places = [
        (int(starts[h] - starts[begin]) + rank, word, bit)
        for root in roots
        for w, h, rank, word, bit in [order.find(root)]
        if w == layer.weight and begin <= h < end and starts[h] < starts[h + 1]
    ]
    # Sorted by block, since the kernel goes through roots and blocks side by side.
    return Roots(*np.array(sorted(places), np.int64).reshape(-1, 3).T.copy())


def _workspace(sweep: MoveSweep) -> Workspace:
    jumps, words, holes = len(sweep.steps.gap), sweep.order.positions.words, sweep.order.positions.board.holes
    run = max(sweep.words_at_once // words, 1)  # whatever it is, the layer is the same: it fits a cache
    by_arrival = (np.empty(run * jumps, np.uint64) for _ in range(5))
    return Workspace(
        np.empty(sweep.rules.paths.by_low.shape[1], np.uint64),
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


def sweep_moves(order: Order, steps: Steps, roots: Iterable[int], fold: Fold | None = None) -> Iterator[Layer]:
    """The blocks of each weight as they are made; those are held from which later ones are made. The symmetries of the
    fold keep the roots; where none is given, all blocks are made."""
    planted, sweep = list(roots), MoveSweep(order, steps, fold or unfolded(order))
    gaps = set(steps.gap.tolist())
    furthest = max(gaps, key=abs)
    held: dict[int, Layer] = {}
    weights = range(order.heaviest + 1)
    for weight in weights if furthest < 0 else reversed(weights):
        made = make_layer(sweep, list(held.values()), planted, weight)
        yield made
        held[weight] = made
        # Later weights lie further from that layer than any step reaches.
        held.pop(weight + furthest, None)
