"""How many games there are from every position of a set, counted from their ends upwards, over the bitmaps of a class.

A game goes on until no jump is possible, so the number of games from a position P is

    games(P) = the sum of games(Q) over all jumps from P to a position Q,        games(dead end) = 1.

It does not depend on how P was reached. So one pass serves every start of a class, where :mod:`..games` counts from one
start after the other. If the positions are only those between a start and a goal, then the one position of them from
which no jump leads to another is the goal, and the same sum counts the games that end there.

Blocks are taken in order of rising weight; jumps lead to lighter blocks, whose numbers are then known. The numbers of a
weight lie in the order of its positions in the bitmap: the place of one is the number of positions before its word of
the block, which is written down, and of bits below its own. So nothing is sorted, and nothing is searched. Numbers of a
weight are dropped when no heavier block reads them.

All blocks are made: symmetries are not used. A number is two words.

Cost: about 4 ns for a position and each jump from it, and 16 bytes for each position of a few weights.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.solitaire.classes.gather import Piece
from boardspace_kernels.solitaire.classes.order import Order, Tiles
from boardspace_kernels.solitaire.classes.steps import KINDS, Steps, backward_steps, forward_steps
from boardspace_kernels.solitaire.classes.sweep import sweep


class Counted(NamedTuple):
    """The positions of one weight, n of them in b blocks, with their numbers of games.

    words: word (b * w), the blocks of a piece, word by word.
    first: int64 (b * w), how many positions are before each word.
    values: uint64 (n, 2), the number of games from each position modulo 2^64, and the rest of it over 2^64.
    weight: of all blocks.
    starts: int64 (highs + 1), the first block of each tile.
    """

    words: NDArray[np.unsignedinteger]
    first: NDArray[np.int64]
    values: NDArray[np.uint64]
    weight: int
    starts: NDArray[np.int64]


class Games(NamedTuple):
    """Numbers of games from some starts, by the start.

    all: until no jump is possible.
    ending: by the goal, those that end there.
    """

    all: dict[int, int]
    ending: dict[int, dict[int, int]]


class Shift(NamedTuple):
    """Change of places that a step makes in a word: bits of ``mask`` get what is ``left`` or ``right`` of them."""

    mask: np.uint64
    left: np.uint64
    right: np.uint64


def games_left(order: Order, pieces: Mapping[int, Piece], asked: Iterable[int]) -> dict[int, int]:
    """Numbers of games from the positions ``asked``, played within a set of positions; 0 for those not in it.

    pieces: the set, by weight, all tiles of each. OverflowError where a number does not fit 128 bits.
    """
    steps, wanted = backward_steps(order), list(asked)
    gaps = sorted(set(steps.gap.tolist()))
    known: dict[int, Counted] = {}
    found: dict[int, int] = {}
    for weight in sorted(pieces):
        made = _uncounted(pieces[weight])
        for gap in gaps:
            if weight + gap in known:
                add_games(order.tiles, steps, made, known[weight + gap])
        count_ends(made.values)
        known = {w: counted for w, counted in known.items() if w > weight + gaps[0]} | {weight: made}
        found |= {position: number_of(order, made, position) for position in wanted if order.weight(position) == weight}
    return {position: found.get(position, 0) for position in wanted}


def games_of_starts(order: Order, starts: Sequence[int], goals: Sequence[int]) -> Games:
    """The games from some starts of one class, all of them, and those that end in each of some goals.

    A goal is a position of the class from which no other goal can be reached. OverflowError where a number does not fit
    128 bits.
    """
    reached = sweep(order, forward_steps(order), starts)
    return Games(
        games_left(order, reached, starts),
        {goal: games_left(order, _between(order, reached, goal), starts) for goal in goals},
    )


def _between(order: Order, reached: Mapping[int, Piece], goal: int) -> dict[int, Piece]:
    """The positions of a set that lead to a goal."""
    leading = sweep(order, backward_steps(order), [goal])
    return {weight: piece._replace(blocks=piece.blocks & reached[weight].blocks) for weight, piece in leading.items()}


def _uncounted(piece: Piece) -> Counted:
    words = piece.blocks.reshape(-1)
    words.flags.writeable = False
    ends = np.cumsum(np.bitwise_count(words), dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    first = np.concatenate([np.zeros(1, np.int64), ends[:-1]])[: len(words)]
    return Counted(words, first, np.zeros((total, 2), np.uint64), piece.weight, piece.starts)


def number_of(order: Order, counted: Counted, position: int) -> int:
    """The number of games from a position of the weight, 0 where it is not in the set."""
    _, high, rank, word, bit = order.find(position)
    place = (int(counted.starts[high]) + rank) * order.positions.words + word
    here = int(counted.words[place])
    if not here >> bit & 1:
        return 0
    low, rest = counted.values[counted.first[place] + (here & (1 << bit) - 1).bit_count()].tolist()
    return int(low) + (int(rest) << 64)


@kernel
def count_ends(values: NDArray[np.uint64]) -> None:
    """A position from which no jump leads to another of the set ends a game: one."""
    for position in range(values.shape[0]):
        if values[position, 0] | values[position, 1] == 0:
            values[position, 0] = 1


@kernel
def add_games(tiles: Tiles, steps: Steps, made: Counted, source: Counted) -> None:
    """Add the numbers of the positions that jumps lead to, of one lighter weight; steps: of jumps taken back."""
    gap = source.weight - made.weight
    first, last = np.searchsorted(steps.gap, gap), np.searchsorted(steps.gap, gap + 1)
    for high in range(made.starts.size - 1):
        if made.starts[high] < made.starts[high + 1]:
            for step in range(first, last):
                if high & steps.high_test[step] == steps.high_need[step]:
                    _add_step(tiles, steps, step, high, made, source)


@kernel
def _add_step(tiles: Tiles, steps: Steps, step: int, high: int, made: Counted, source: Counted) -> None:
    """Add what one jump gives to all positions of a tile."""
    here, there = made.starts[high], source.starts[high ^ steps.high_flip[step]]
    pairs = (tiles.high_list[high] * tiles.low_weights + made.weight - tiles.high_weight[high]) * KINDS
    sign, words, flip = steps.kind[step, tiles.high_sign[high]], steps.masks.shape[2], steps.word_flip[step]
    left, right = np.uint64(steps.left[step]), np.uint64(steps.right[step])
    for kind in range(KINDS):
        for word in range(words):
            shift = Shift(np.uint64(steps.masks[step, kind ^ sign, word]), left, right)
            if shift.mask:
                for pair in range(steps.first[step, pairs + kind], steps.first[step, pairs + kind + 1]):
                    to, before = here + np.int64(steps.to[pair]), there + np.int64(steps.source[pair])
                    _add_word(made, to * words + word, source, before * words + (word ^ flip), shift)


@kernel
def _add_word(made: Counted, to: int, source: Counted, before: int, shift: Shift) -> None:
    """Add the numbers of the positions of one word to those from which the jump leads there."""
    one, here, there = np.uint64(1), np.uint64(made.words[to]), np.uint64(source.words[before])
    left = here & shift.mask & (there << shift.left >> shift.right)
    while left:
        bit = left & (~left + one)
        left ^= bit
        # As many positions of a word are before one as there are bits below its own.
        place = made.first[to] + np.int64(popcount(here & (bit - one)))
        reached = source.first[before] + np.int64(popcount(there & ((bit << shift.right >> shift.left) - one)))
        total = made.values[place, 0] + source.values[reached, 0]
        carry = np.uint64(total < source.values[reached, 0])
        rest = made.values[place, 1] + source.values[reached, 1]
        if rest < source.values[reached, 1] or rest + carry < rest:
            raise OverflowError("more than 2**128 games from one position")
        made.values[place, 0], made.values[place, 1] = total, rest + carry
