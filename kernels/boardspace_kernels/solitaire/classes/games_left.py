"""Numbers of games from every position of a set, counted from their ends upwards, over the bitmaps of a class.

A game goes on until no jump is possible, so the number of games from a position P is

    games(P) = the sum of games(Q) over all jumps from P to a position Q,        games(dead end) = 1.

It does not depend on how P was reached. So one pass serves every start of a class, where :mod:`..games` counts from one
start after the other. If the positions are only those between a start and a goal, then the one position of them from
which no jump leads to another is the goal, and the same sum counts the games that end there.

Blocks are taken in order of rising weight; jumps lead to lighter blocks, whose numbers are then known. The numbers of a
weight lie in the order of its positions in the bitmap: the place of one is the number of positions before its word of
the block, which is written down, and of bits below its own. So nothing is sorted, and nothing is searched. Numbers of a
weight are dropped when no heavier block reads them.

Whole numbers of 128 bits would take four times the memory. So a first pass adds up rounded numbers (float32), which
tell how many primes are needed, and further passes add up residues modulo these primes, as many at once as the memory
allows. The Chinese remainder theorem makes the exact numbers of the residues.

All blocks are made: symmetries are not used.

Cost: about 4 ns for a position and each jump from it in a pass; 4 bytes for each residue of the positions of a few
weights.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.bits import popcount
from boardspace_kernels.jit import kernel
from boardspace_kernels.residues import combined, primes_beyond
from boardspace_kernels.solitaire.classes.gather import Piece, common, sweep
from boardspace_kernels.solitaire.classes.order import Order, Tiles
from boardspace_kernels.solitaire.classes.steps import KINDS, Steps, backward_steps, forward_steps

LARGEST = 1 << 127
"""Larger numbers are refused: float32 ends at 2^128."""
ROUNDING = 2
"""A rounded number is less than this factor too small: a sum rounds by 2^-24 at most, and on the way from a dead end to
a position fewer than 2^20 sums follow one another, a few dozen for each peg."""
CHUNKS = 64
"""Parts of a weight, with about as many blocks each, that threads share."""
MEMORY = 2 << 30


class Counted(NamedTuple):
    """The positions of one weight, n of them in b blocks, with their numbers of games.

    words: word (b * w), the blocks of a piece, word by word.
    first: int64 (b * w), how many positions are before each word.
    values: (n, k) the numbers of games from each position: float32, rounded, with k = 1; or uint32, modulo k primes
        below 2^31, so that the sum of two is below 2^32. A residue is from 1 to its prime, which stands for 0; so 0 is
        a number to which nothing was added.
    moduli: (k) of the same type, the primes; infinity for rounded numbers.
    weight: of all blocks.
    starts: int64 (highs + 1), the first block of each tile.
    """

    words: NDArray[np.unsignedinteger]
    first: NDArray[np.int64]
    values: NDArray[Any]
    moduli: NDArray[Any]
    weight: int
    starts: NDArray[np.int64]


class Games(NamedTuple):
    """Numbers of games from some starts, by the start.

    all: until no jump is possible.
    ending: by the goal, those that end there.
    """

    all: dict[int, int]
    ending: dict[int, dict[int, int]]


@dataclass(frozen=True)
class CountingLimits:
    """Memory and threads for counting, and who hears of its progress.

    memory: bytes that numbers may take, and the places of words; bitmaps come on top.
    threads: how many threads count at once.
    progress: called with a line of text before each pass.
    """

    memory: int = MEMORY
    threads: int = 1
    progress: Callable[[str], None] = lambda line: None


class MemoryTooSmallError(ValueError):
    """One number of each position of a few weights takes more memory than counting may.

    needed: bytes.
    """

    def __init__(self, needed: int) -> None:
        super().__init__(f"the numbers of a few weights take {needed} bytes")
        self.needed = needed


class Shift(NamedTuple):
    """Change of places that a step makes in a word: bits of ``mask`` get what is ``left`` or ``right`` of them."""

    mask: np.uint64
    left: np.uint64
    right: np.uint64


def games_left(
    order: Order, pieces: Mapping[int, Piece], asked: Iterable[int], limits: CountingLimits | None = None
) -> dict[int, int]:
    """Numbers of games from the positions ``asked``, played within a set of positions; 0 for those not in it.

    pieces: the set, by weight, all tiles of each. OverflowError where a number may not fit 127 bits, and
    MemoryTooSmallError where ``limits`` do not suffice.
    """
    limits = limits or CountingLimits()
    counting = _Counting(order, backward_steps(order), pieces, list(asked), limits.threads)
    at_once = counting.residues_at_once(limits.memory)
    limits.progress("how large the numbers are")
    rounded = counting.count(np.array([np.inf], np.float32))
    largest = ROUNDING * max((size for (size,) in rounded.values()), default=0)
    if largest >= LARGEST:
        raise OverflowError("2**127 games or more from one position")
    primes = primes_beyond(int(largest))
    residues: dict[int, list[int]] = {position: [] for position in rounded}
    for begin in range(0, len(primes), at_once):
        some = primes[begin : begin + at_once]
        limits.progress(f"modulo {' and '.join(map(str, some))}, of {len(primes)} primes")
        for position, found in counting.count(np.array(some, np.uint32)).items():
            residues[position] += found
    return {position: combined(found, primes) for position, found in residues.items()}


def games_of_starts(
    order: Order, starts: Sequence[int], goals: Sequence[int], limits: CountingLimits | None = None
) -> Games:
    """The games from some starts of one class, all of them, and those that end in each of some goals.

    A goal is a position of the class from which no other goal can be reached. Errors are those of :func:`games_left`.
    """
    reached, back = sweep(order, forward_steps(order), starts), backward_steps(order)
    return Games(
        games_left(order, reached, starts, limits),
        {goal: games_left(order, common(reached, sweep(order, back, [goal])), starts, limits) for goal in goals},
    )


@dataclass(frozen=True)
class _Counting:
    """The positions of a set, by weight, whose numbers of games are counted.

    steps: of jumps taken back.
    asked: positions whose numbers are kept.
    """

    order: Order
    steps: Steps
    pieces: Mapping[int, Piece]
    asked: Sequence[int]
    threads: int

    @property
    def gaps(self) -> list[int]:
        """Differences of weight of a jump, negative, the largest first."""
        return sorted(set(self.steps.gap.tolist()))

    def residues_at_once(self, memory: int) -> int:
        """Number of residues of each position that memory allows, at the weight that needs most with those it reads."""
        counts = {weight: int(np.bitwise_count(piece.blocks).sum()) for weight, piece in self.pieces.items()}
        places = {weight: 8 * piece.blocks.size for weight, piece in self.pieces.items()}
        read = [range(weight + self.gaps[0], weight + 1) for weight in self.pieces]
        positions = max(sum(counts.get(weight, 0) for weight in some) for some in read)
        left = memory - max(sum(places.get(weight, 0) for weight in some) for some in read)
        if left < 4 * positions:
            raise MemoryTooSmallError(memory - left + 4 * positions)
        return left // (4 * max(positions, 1))

    def count(self, moduli: NDArray[Any]) -> dict[int, list[Any]]:
        """One pass: the numbers of games from the positions asked for, modulo each of ``moduli`` (float32 infinity:
        rounded)."""
        known: dict[int, Counted] = {}
        found: dict[int, list[Any]] = {}
        with ThreadPoolExecutor(min(self.threads, CHUNKS)) as pool:
            for weight in sorted(self.pieces):
                made = _uncounted(self.pieces[weight], moduli)
                self._add(pool, made, [known[weight + gap] for gap in self.gaps if weight + gap in known])
                # From no other does a jump lead on: no residue is 0, so a 0 says that nothing was added.
                made.values[made.values[:, 0] == 0] = 1
                # Later weights are greater, so they read none that is as light as the lightest one read here.
                known = {w: counted for w, counted in known.items() if w > weight + self.gaps[0]} | {weight: made}
                here = (position for position in self.asked if self.order.weight(position) == weight)
                found |= {position: numbers_of(self.order, made, position) for position in here}
        return {position: found.get(position, [0] * len(moduli)) for position in self.asked}

    def _add(self, pool: Executor, made: Counted, sources: Sequence[Counted]) -> None:
        """Add the numbers of all lighter positions that jumps lead to."""
        # Threads write to different tiles and read final ones, so none waits for another.
        parts = list(pairwise(chunks(made.starts)))

        def add(part: tuple[int, int]) -> None:
            for source in sources:
                add_games(self.order.tiles, self.steps, made, source, *part)

        list(pool.map(add, parts))


def _uncounted(piece: Piece, moduli: NDArray[Any]) -> Counted:
    words = piece.blocks.reshape(-1)
    # To numba a read-only array is another type, and kernels are compiled for one. The piece itself stays as it is.
    words.flags.writeable = False
    ends = np.cumsum(np.bitwise_count(words), dtype=np.int64)
    total = int(ends[-1]) if len(ends) else 0
    first = np.concatenate([np.zeros(1, np.int64), ends[:-1]])[: len(words)]
    return Counted(words, first, np.zeros((total, len(moduli)), moduli.dtype), moduli, piece.weight, piece.starts)


def chunks(starts: NDArray[np.int64]) -> list[int]:
    """High parts between which there are about as many blocks each, from the first to the last."""
    wanted = np.linspace(0, starts[-1], CHUNKS + 1)
    return [0, *sorted(set(np.searchsorted(starts, wanted[1:-1]).tolist()) - {0, len(starts) - 1}), len(starts) - 1]


def numbers_of(order: Order, counted: Counted, position: int) -> list[Any]:
    """The numbers of games from a position of the weight, as they are held; 0 where it is not in the set."""
    _, high, rank, word, bit = order.find(position)
    place = (int(counted.starts[high]) + rank) * order.positions.words + word
    here = int(counted.words[place])
    if not here >> bit & 1:
        return [0] * counted.values.shape[1]
    found: list[Any] = counted.values[counted.first[place] + (here & (1 << bit) - 1).bit_count()].tolist()
    return found


@kernel
def add_games(tiles: Tiles, steps: Steps, made: Counted, source: Counted, begin: int, end: int) -> None:
    """Add the numbers of the positions that jumps lead to, of one lighter weight, to the tiles with high parts from
    ``begin`` to ``end``; steps: of jumps taken back."""
    gap = source.weight - made.weight
    first, last = np.searchsorted(steps.gap, gap), np.searchsorted(steps.gap, gap + 1)
    for high in range(begin, end):
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
        # The lowest bit that is set: the negative in two's complement keeps it and flips all above it.
        bit = left & (~left + one)
        left ^= bit
        # As many positions of a word are before one as there are bits below its own.
        place = made.first[to] + np.int64(popcount(here & (bit - one)))
        # Shifted back, the bit is that of the position which the jump leads to.
        reached = source.first[before] + np.int64(popcount(there & ((bit << shift.right >> shift.left) - one)))
        for column in range(made.moduli.size):
            total = made.values[place, column] + source.values[reached, column]
            # Both are at most the prime, so to take it off once is enough. No rounded number is above infinity.
            if total > made.moduli[column]:
                total -= made.moduli[column]
            made.values[place, column] = total
