"""Layers of positions with the sequences of moves that lead to each, on arrays: no code is the kernels'.

The checks of searches and of games by length share it: exact sums, the joining of equal positions, the step from a
layer to the next, and numbers of games estimated from drawn ones.

In a step all moves of a layer are made, and the results have to be the rows of the layer after, each with the sum of
the ways by all its parents: so a row that is missing is seen as well as one that is there. Of very large layers a part
is drawn that symmetries keep. For that every orbit of holes has a drawn weight of 64 bits. The sum of the weights of a
position's pegs, modulo 2^64, says by its highest bits in which part it is; a symmetry moves no hole out of its orbit,
so the images of a position are in the same part. Who does not know the draw cannot know which positions that will be.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.rules import (
    AT_ONCE,
    TABLE_HOLES,
    GameByArrays,
    Words,
    are_in,
    begins_of,
)
from boardspace.spec.space import Draw

BITS = 64
ROWS = 1 << 24
"""Rows of a layer that are made again: all of a layer that has no more, nor has the one before it."""


class Counted(NamedTuple):
    """Positions, uint64 (p), canonical and ascending, and the sequences to each, uint64 (p)."""

    positions: Words
    ways: NDArray[np.uint64]


class Estimate(NamedTuple):
    """Number of sequences as drawn games tell it: the mean, and the deviation of one game."""

    mean: float
    deviation: float


def total(ways: NDArray[np.uint64], times: NDArray[np.int64] | None = None) -> int:
    """The sum of ways, each so many times (below 2^32), exactly."""
    most = int(ways.max(initial=0)) * (1 if times is None else int(times.max(initial=0))) * len(ways)
    factor = np.uint64(1) if times is None else times.astype(np.uint64)
    if most < 1 << 64:
        return int((ways * factor).sum())
    high, low = _halves(ways)
    return (_sum(high * factor) << 32) + _sum(low * factor)


def _sum(words: NDArray[np.uint64]) -> int:
    high, low = _halves(words)
    return (int(high.sum()) << 32) + int(low.sum())


def _halves(words: NDArray[np.uint64]) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The high and the low 32 bits of each."""
    return words >> np.uint64(32), words & np.uint64(0xFFFFFFFF)


def joined_ways(words: Words, ways: NDArray[np.uint64]) -> Counted:
    """The distinct positions among ``words``, in any order; equal ones add their ways."""
    positions, (sums,) = summed(words, [ways])
    return Counted(positions, sums)


def summed(words: Words, columns: Sequence[Words]) -> tuple[Words, list[Words]]:
    """The different words, ascending, and for each column the sums over equal words."""
    order = np.argsort(words, kind="stable")  # files, and results of one jump, are ascending: these are merged
    ascending = words.take(order)
    first = begins_of(ascending)
    return ascending.take(first), [np.add.reduceat(column.take(order), first) for column in columns]


def estimates(game: GameByArrays, layer: Counted, random: np.random.Generator, games: int) -> Iterator[Estimate]:
    """Estimates of the sequences of one move more than the layer's, of two moves more, and so on."""
    sequences = total(layer.ways)
    chances = layer.ways.astype(np.float64) / sequences
    words = layer.positions[random.choice(len(chances), games, p=chances / chances.sum())]
    product = np.full(games, float(sequences))
    while True:
        made = list(game.moves_from(words))
        origin = np.concatenate([part.origin for part in made] or [np.empty(0, np.int64)])
        result = np.concatenate([part.result for part in made] or [np.empty(0, np.uint64)])
        result = result[np.argsort(origin, kind="stable")]
        counts = np.bincount(origin, minlength=len(words))
        product *= counts
        yield Estimate(float(product.mean()), float(product.std()))
        chosen = np.cumsum(counts) - counts + (random.random(len(words)) * counts).astype(np.int64)
        if len(result):
            words = np.where(counts > 0, result[np.minimum(chosen, len(result) - 1)], np.uint64(0))


class Parts:
    """All positions in 2^bits parts, of about the same size where the board has many orbits of holes."""

    def __init__(self, game: GameByArrays, bits: int, random: np.random.Generator) -> None:
        weights = random.integers(0, (1 << BITS) - 1, len(game.index), np.uint64, endpoint=True)
        orbits = [min(row[hole] for row in game.permutations) for hole in range(len(weights))]
        self.bits = bits
        self._tables = _sums_of_pegs(weights[orbits])

    def numbers(self, words: Words) -> Words:
        """Return the part of each position: 0 to 2^bits - 1, uint64."""
        if not self.bits:
            return np.zeros_like(words)
        sums, mask = np.zeros_like(words), np.uint64((1 << TABLE_HOLES) - 1)
        for place, table in enumerate(self._tables):
            sums += table.take((words >> np.uint64(place * TABLE_HOLES) & mask).view(np.int64))
        return sums >> np.uint64(BITS - self.bits)

    def chosen(self, draw: Draw, random: np.random.Generator) -> Iterator[np.uint64]:
        """The parts to try: one that is drawn, or, one after another, all of them."""
        for number in draw.choose(1 << self.bits, 1, random):
            yield np.uint64(number)


def _sums_of_pegs(weights: Words) -> Sequence[Words]:
    """For each part of so many holes of a word, uint64 (2^11): the sum of the weights of its pegs."""
    tables = []
    for low in range(0, len(weights), TABLE_HOLES):
        table = np.zeros(1, np.uint64)
        for weight in weights[low : low + TABLE_HOLES]:
            table = np.concatenate([table, table + weight])
        tables.append(table)
    return tables


class Step(NamedTuple):
    """The moves of a layer: counts int64 (p), of each position; most jumps of any.

    tried: rows of the layer after that were made again. fault: their first fault, or ''.
    """

    counts: NDArray[np.int64]
    longest: int
    tried: int
    fault: str


def make_step(
    game: GameByArrays, layers: Sequence[Counted], back: bool, draw: Draw, random: np.random.Generator
) -> Step:
    """Make the moves of the first of two layers; the results in a drawn part are compared with the second."""
    before, after = layers
    rows = max(len(before.positions), len(after.positions))
    parts = Parts(game, max(0, (rows - 1) // ROWS).bit_length(), random)
    numbers = parts.numbers(after.positions)
    tried = 0
    for part in parts.chosen(draw, random):
        counts, longest, made = _made(game, before, back, parts, part)
        here = numbers == part
        tried += int(here.sum())
        fault = _fault(made, Counted(after.positions[here], after.ways[here]))
        if fault:
            break
    return Step(counts, longest, tried, fault)


def _made(
    game: GameByArrays, layer: Counted, back: bool, parts: Parts, part: np.uint64
) -> tuple[NDArray[np.int64], int, Counted]:
    """The numbers of moves of each position, the most jumps of any; the least images of results that are in a part."""
    counts, longest = np.zeros(len(layer.positions), np.int64), 0
    words, ways = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
    for begin in range(0, len(counts), AT_ONCE):
        own, number = (column[begin : begin + AT_ONCE] for column in layer)
        for made in game.moves_from(own, back):
            counts[begin : begin + len(own)] += np.bincount(made.origin, minlength=len(own))
            longest = max(longest, made.jumps)
            here = parts.numbers(made.result) == part
            words.append(game.canonical(made.result[here]))
            ways.append(number.take(made.origin[here]))
    return counts, longest, joined_ways(np.concatenate(words), np.concatenate(ways))


def _fault(made: Counted, found: Counted) -> str:
    """The first fault of rows by the results of moves, or ''."""
    missing = np.flatnonzero(~are_in(made.positions, found.positions))
    if len(missing):
        return f"position {made.positions[missing[0]]} is not there, to which the layer before it leads"
    if len(made.positions) < len(found.positions):
        extra = found.positions[~are_in(found.positions, made.positions)]
        return f"position {extra[0]} is there, to which no move of the layer before it leads"
    wrong = np.flatnonzero(made.ways != found.ways)
    if len(wrong):
        position, ways, other = made.positions[wrong[0]], made.ways[wrong[0]], found.ways[wrong[0]]
        return f"position {position}: {ways:,} sequences of moves lead here, the table says {other:,}"
    return ""
