"""Calling the kernels of position classes once, for small boards: numba compiles them and keeps their code."""

import numpy as np

from boardspace_kernels.solitaire.board import Board
from boardspace_kernels.solitaire.classes import census, gather, steps, sweep
from boardspace_kernels.solitaire.classes.fold import unfolded
from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass


def warm_up_classes() -> None:
    """Compile the kernels for the widths of words of small boards and of that of 33 holes, on a board of five holes.

    The others are compiled by the first who needs them, in runs that take minutes.
    """
    board = Board.from_cells("line", "square", {(0, column): column for column in range(5)})
    order = Order(PositionClass(board, board.full ^ 1))
    narrow, jumps = steps.forward_steps(order), census.jumps_of(order.positions)
    fold = unfolded(order)
    empty = sweep.empty_piece(order, fold, 0)
    core = order.numbers_of(empty)
    for word in (np.uint8, np.uint32):
        piece = empty._replace(blocks=np.zeros((1, 1), word))
        some = narrow._replace(masks=narrow.masks.astype(word))
        gather.gather(order.tiles, some, fold._replace(turned=fold.turned.astype(word)), piece, [])
        sweep.write_tiles(order.tiles, gather.read_only(piece), piece.blocks, 0, 0)
        census.strike_out(order.tiles, jumps._replace(masks=jumps.masks.astype(word)), piece.blocks, core)
        counts = np.zeros(board.holes + 1, np.int64)
        census.add_counts(order.tiles, fold.orbit, np.zeros((4, 1, 1), word), piece.blocks, core, counts)
