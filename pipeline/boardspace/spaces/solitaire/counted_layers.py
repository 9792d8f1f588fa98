"""Layers of positions with the sequences of moves that lead to each, on arrays: no code is the kernels'.

Searches and games by length are made again with it: exact sums, the joining of equal positions, the step from a layer
to the next, and numbers of games estimated from drawn ones.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.rules import AT_ONCE, GameByArrays, Words, begins_of


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


def step_from(game: GameByArrays, layer: Counted, back: bool = False) -> tuple[NDArray[np.int64], int, Counted]:
    """The moves of each position of a layer, their number, int64 (p), and the most jumps of any; the layer after it."""
    counts, longest = np.zeros(len(layer.positions), np.int64), 0
    words, ways = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
    for begin in range(0, len(counts), AT_ONCE):
        own, number = (column[begin : begin + AT_ONCE] for column in layer)
        for made in game.moves_from(own, back):
            counts[begin : begin + len(own)] += np.bincount(made.origin, minlength=len(own))
            longest = max(longest, made.jumps)
            words.append(game.canonical(made.result))
            ways.append(number.take(made.origin))
    return counts, longest, joined_ways(np.concatenate(words), np.concatenate(ways))
