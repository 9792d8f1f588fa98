"""A whole class in memory: what can be reached from a start, and from where a goal can be reached."""

from collections.abc import Iterable

import numpy as np

from boardspace_kernels.jit import kernel
from boardspace_kernels.solitaire.classes.fold import Fold, unfolded
from boardspace_kernels.solitaire.classes.fold import starts as starts_of
from boardspace_kernels.solitaire.classes.gather import Blocks, Piece, gather, read_only
from boardspace_kernels.solitaire.classes.order import Order, Tiles
from boardspace_kernels.solitaire.classes.steps import Steps, backward_steps, forward_steps


def reachable(order: Order, starts: Iterable[int]) -> dict[int, Piece]:
    """Positions by weight that jumps lead to from one of the starts, these included; all are of the class."""
    return sweep(order, forward_steps(order), starts)


def winning(order: Order, goals: Iterable[int]) -> dict[int, Piece]:
    """Positions by weight from which jumps lead to one of the goals, these included."""
    return sweep(order, backward_steps(order), goals)


def sweep(order: Order, steps: Steps, roots: Iterable[int], fold: Fold | None = None) -> dict[int, Piece]:
    """Positions by weight that steps lead to from the roots. The symmetries of the fold map the roots to one
    another; where none is given, all blocks are made."""
    planted, fold = list(roots), fold or unfolded(order)
    weights = range(order.heaviest + 1)
    made: dict[int, Piece] = {}
    gaps = sorted(set(steps.gap.tolist()))
    for weight in weights if gaps[0] < 0 else reversed(weights):
        made[weight] = empty_piece(order, fold, weight)
        plant(order, made[weight], planted)
        gather(order.tiles, steps, fold, made[weight], [made[weight + gap] for gap in gaps if weight + gap in made])
    return made


def empty_piece(order: Order, fold: Fold, weight: int, begin: int = 0, end: int | None = None) -> Piece:
    """Tiles of one weight without a position; all of them where no end is given."""
    end = order.highs if end is None else end
    starts = starts_of(order, fold, weight)
    blocks = np.zeros((starts[end] - starts[begin], order.positions.words), order.positions.word_type)
    return Piece(blocks, weight, starts, begin, end)


def plant(order: Order, piece: Piece, roots: Iterable[int]) -> None:
    """Add those of some positions that belong to the piece and are in tiles that are made; of others an image is to be
    among them."""
    for root in roots:
        weight, high, rank, word, bit = order.find(root)
        if weight == piece.weight and piece.begin <= high < piece.end and piece.starts[high] < piece.starts[high + 1]:
            block = piece.starts[high] - piece.starts[piece.begin] + rank
            piece.blocks[block, word] |= piece.blocks.dtype.type(1 << bit)


def bitmap(order: Order, pieces: Iterable[Piece], begin: int = 0, end: int | None = None) -> Blocks:
    """word (blocks, words): the blocks with high parts from ``begin`` to ``end`` (all where none is given) in order of
    their numbers, from pieces of all weights."""
    end = order.highs if end is None else end
    blocks = np.zeros(((end - begin) << order.low_bits, order.positions.words), order.positions.word_type)
    for piece in pieces:
        write_tiles(order.tiles, read_only(piece), blocks, begin, end)
    return blocks


@kernel
def write_tiles(tiles: Tiles, piece: Piece, blocks: Blocks, begin: int, end: int) -> None:
    """Write the tiles of a piece with high parts from ``begin`` to ``end`` where their blocks belong by number."""
    for high in range(max(begin, piece.begin), min(end, piece.end)):
        start = piece.starts[high] - piece.starts[piece.begin]
        low_weight = piece.weight - tiles.high_weight[high]
        for rank in range(piece.starts[high + 1] - piece.starts[high]):
            low = tiles.lows[tiles.first[tiles.high_list[high] * tiles.low_weights + low_weight] + rank]
            block = (high - begin) * tiles.lows.size + low
            for word in range(blocks.shape[1]):
                blocks[block, word] = piece.blocks[start + rank, word]
