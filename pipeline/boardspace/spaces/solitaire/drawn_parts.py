"""All positions in parts that symmetries keep, so that a layer can be made again in one drawn part alone.

Every orbit of holes has a drawn weight of 64 bits. The sum of the weights of a position's pegs, modulo 2^64, says by
its highest bits in which part the position is. A symmetry moves no hole out of its orbit, so the images of a position
are in the same part. Who does not know the draw cannot know which positions that will be.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from boardspace.spaces.solitaire.by_arrays import TABLE_HOLES, GameByArrays, Words
from boardspace.spec.space import Draw

BITS = 64


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
