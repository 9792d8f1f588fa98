"""The least number of moves to every position of a class from a start, or from every position to a goal.

A *move* is one jump or more in a row by one peg. Let m be the least number of moves to a position P, and call a peg
*live* if it can be the last to have moved in m moves. A jump from P by a live peg gives m moves, by another m + 1 (see
:mod:`boardspace.kernels.solitaire.levels`, whose recurrence this is). Backwards the same holds with the roles of time
exchanged: let m be the least number of moves from Q to a goal, and a peg live if it can be the first to move in so
many. A jump that leads to Q makes m moves with a live peg, which goes on, and m + 1 with another.

A block holds m in binary, one bit of all its positions in a word: a *plane*. A position that is not reached has all
planes set, which no number of moves has. So the positions of a word are compared, and the lesser numbers kept, with a
few operations for each plane. Where m is known, a second pass over the same steps finds the live pegs, a plane for
each hole; they are needed only while blocks are made from them.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.kernels.jit import inlined, kernel
from boardspace.kernels.solitaire.classes.gather import Blocks, Piece, read_only
from boardspace.kernels.solitaire.classes.order import Order, Tiles
from boardspace.kernels.solitaire.classes.steps import KINDS, Steps, backward_steps, forward_steps
from boardspace.kernels.solitaire.classes.sweep import empty_piece, write_tiles


class Planes(NamedTuple):
    """All tiles of one weight.

    moves: word (blocks, planes, words), bit p of the numbers in plane p. live: word (blocks, holes, words). starts:
    int64 (highs + 1), the first block of each tile.
    """

    moves: Blocks
    live: Blocks
    starts: NDArray[np.int64]


def moves_from(order: Order, starts: Iterable[int]) -> Blocks:
    """word (planes, blocks, words): least moves from the nearest of the starts, in order of the positions' numbers."""
    return _bitmaps(order, forward_steps(order), starts)


def moves_to(order: Order, goals: Iterable[int]) -> Blocks:
    """word (planes, blocks, words): least moves to the nearest of the goals, in order of the positions' numbers."""
    return _bitmaps(order, backward_steps(order), goals)


def positions_at(planes: Blocks, moves: int) -> Blocks:
    """word (blocks, words): the positions with so many moves, from word (planes, blocks, words)."""
    found = ~(planes[0] ^ planes[0])
    for bit, plane in enumerate(planes):
        found &= plane if moves >> bit & 1 else ~plane
    return found


def planes_needed(order: Order) -> int:
    """As many that all of them set is more than the jumps of any game."""
    return int(order.positions.board.holes).bit_length()


def _bitmaps(order: Order, steps: Steps, roots: Iterable[int]) -> Blocks:
    positions = order.positions
    word_type = np.dtype(positions.word_type)
    planes = np.full((planes_needed(order), positions.blocks, positions.words), np.iinfo(word_type).max, word_type)
    for weight, made in sweep_moves(order, steps, roots):
        for number, plane in enumerate(planes):
            piece = Piece(np.ascontiguousarray(made.moves[:, number]), weight, made.starts, 0, order.highs)
            write_tiles(order.tiles, read_only(piece), plane, 0, order.highs)
    return planes


def sweep_moves(order: Order, steps: Steps, roots: Iterable[int]) -> Iterator[tuple[int, Planes]]:
    """The planes of each weight as it is made; those are held from which later ones are made."""
    planted = list(roots)
    gaps = sorted(set(steps.gap.tolist()))
    held: dict[int, Planes] = {}
    weights = range(order.heaviest + 1)
    for weight in weights if gaps[0] < 0 else reversed(weights):
        made = _nothing_reached(order, weight)
        _plant(order, weight, made, planted)
        known = {gap: held[weight + gap] for gap in gaps if weight + gap in held}
        for settle in (False, True):
            for gap, source in known.items():
                relax(order.tiles, steps, weight, gap, made, source, settle)
        yield weight, made
        held[weight] = made
        held.pop(weight + gaps[-1] if gaps[0] > 0 else weight + gaps[0], None)


def _nothing_reached(order: Order, weight: int) -> Planes:
    piece: Piece = empty_piece(order, weight)
    blocks, words = piece.blocks.shape
    moves = np.full((blocks, planes_needed(order), words), np.iinfo(piece.blocks.dtype).max, piece.blocks.dtype)
    live = np.zeros((blocks, order.positions.board.holes, words), piece.blocks.dtype)
    return Planes(moves, live, piece.starts)


def _plant(order: Order, weight: int, made: Planes, roots: list[int]) -> None:
    """Put the roots of one weight there, with no move and no live peg."""
    for root in roots:
        at, high, rank, word, bit = order.find(root)
        if at == weight:
            made.moves[made.starts[high] + rank, :, word] &= ~made.moves.dtype.type(1 << bit)


@kernel
def relax(tiles: Tiles, steps: Steps, weight: int, gap: int, made: Planes, source: Planes, settle: bool) -> None:
    """Lower the moves of one weight to what steps from another, of ``weight + gap``, give; or, where they are settled,
    add the live pegs."""
    cost = np.empty(made.moves.shape[1], np.uint64)
    for high in range(tiles.high_weight.size):
        here = made.starts[high]
        if here == made.starts[high + 1]:
            continue
        pairs = (tiles.high_list[high] * tiles.low_weights + weight - tiles.high_weight[high]) * KINDS
        for step in range(np.searchsorted(steps.gap, gap), np.searchsorted(steps.gap, gap + 1)):
            if high & steps.high_test[step] == steps.high_need[step]:
                there = source.starts[high ^ steps.high_flip[step]]
                sign = steps.kind[step, tiles.high_sign[high]]
                for kind in range(KINDS):
                    for pair in range(steps.first[step, pairs + kind], steps.first[step, pairs + kind + 1]):
                        to, come = here + steps.to[pair], there + steps.come[pair]
                        _relax_block(steps, step, kind ^ sign, made, to, source, come, cost, settle)


@inlined
def _relax_block(
    steps: Steps,
    step: int,
    kind: int,
    made: Planes,
    to: int,
    source: Planes,
    come: int,
    cost: NDArray[np.uint64],
    settle: bool,
) -> None:
    """One step between two blocks, word by word; cost: uint64 (planes), for the numbers of moves by this step."""
    left, right = np.uint64(steps.left[step]), np.uint64(steps.right[step])
    forward = steps.gap[step] > 0
    goes_on = steps.begin[step] if forward else steps.end[step]
    becomes_live = steps.end[step] if forward else steps.begin[step]
    for word in range(made.moves.shape[2]):
        other = word ^ steps.word_flip[step]
        unreached = np.uint64(source.moves[come, 0, other])
        for plane in range(1, cost.size):
            unreached &= source.moves[come, plane, other]
        reached = ~(unreached << left >> right) & np.uint64(steps.masks[step, kind, word])
        if reached == 0:
            continue
        carry = reached & ~(np.uint64(source.live[come, goes_on, other]) << left >> right)
        for plane in range(cost.size):
            bits = np.uint64(source.moves[come, plane, other]) << left >> right
            cost[plane] = bits ^ carry
            carry &= bits
        less, same = np.uint64(0), reached
        for plane in range(cost.size - 1, -1, -1):
            best = np.uint64(made.moves[to, plane, word])
            less |= same & best & ~cost[plane]
            same &= ~(best ^ cost[plane])
        if settle:
            made.live[to, becomes_live, word] |= same
        elif less:
            for plane in range(cost.size):
                made.moves[to, plane, word] = (made.moves[to, plane, word] & ~less) | (cost[plane] & less)
