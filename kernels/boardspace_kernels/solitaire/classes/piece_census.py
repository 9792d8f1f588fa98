"""Counting the positions of a piece while it is at hand: by pegs, up to symmetry, those without a jump.

The blocks of a piece lie in order of tiles, and their numbers are written down beside them; all else is as in
:mod:`.census`. What is counted on all pieces of a sweep adds up to what is counted on its bitmap.

Of a folded sweep (see :mod:`.fold`) a tile stands for all its images, and counts as many times. The positions that
symmetries keep then add up over all symmetries of the fold, not for each: up to symmetry, the positions in the images
of a tile are the orbits of its own under the symmetries that keep its high part.
"""

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.solitaire.classes.census import (
    Counts,
    count_blocks,
    fixed_masks,
    fixed_words,
    peg_masks,
    without_jumps,
)
from boardspace_kernels.solitaire.classes.fold import Fold, made_image
from boardspace_kernels.solitaire.classes.gather import Piece
from boardspace_kernels.solitaire.classes.order import Order


def count_piece(order: Order, fold: Fold, piece: Piece) -> Counts:
    """int64 (holes + 1): the positions with so many pegs, images included."""
    return count_blocks(order, piece.blocks, order.numbers_of(piece), peg_masks(order.positions), fold.orbit)


def count_piece_fixed(order: Order, fold: Fold, symmetry: NDArray[np.int64], piece: Piece) -> Counts:
    """int64 (holes + 1): those that a symmetry, int64 (holes), leaves as they are, in tiles that are made, times their
    images."""
    numbers, places = order.places_in(piece, fixed_words(order.positions.core, symmetry))
    masks = peg_masks(order.positions) & fixed_masks(order.positions, symmetry)[:, None]
    return count_blocks(order, piece.blocks[places], numbers, masks, fold.orbit)


def stuck_in(order: Order, piece: Piece) -> Piece:
    """Return the positions from which no jump is possible."""
    return piece._replace(blocks=without_jumps(order, piece.blocks, order.numbers_of(piece)))


def is_in(order: Order, fold: Fold, piece: Piece, position: int) -> bool:
    """Return whether a position of the class, or its image in a tile that is made, is in the piece."""
    weight, high, rank, word, bit = order.find(made_image(order, fold, position))
    if weight != piece.weight or not piece.begin <= high < piece.end:
        return False
    block = piece.starts[high] - piece.starts[piece.begin] + rank
    return bool(int(piece.blocks[block, word]) >> bit & 1)
