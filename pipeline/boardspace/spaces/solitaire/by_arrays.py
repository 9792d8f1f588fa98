"""The rules on arrays of positions, from the board's picture alone: no code is the kernels'.

A position is a word, hole i as bit i. Moves are made by NumPy, hole by hole: of all positions the pegs that are in the
course of their move are kept by the hole that they stand in.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.by_hand import Cell, GameByHand

Words = NDArray[np.uint64]
AT_ONCE = 1 << 17


class Made(NamedTuple):
    """Moves of so many jumps: ``origin`` int64 (m), the index of the position each is made from; ``result`` uint64."""

    jumps: int
    origin: NDArray[np.int64]
    result: Words


class GameByArrays:
    """The jumps of a board, and the symmetries that identify positions: permutations of holes, the identity first."""

    def __init__(self, game: GameByHand, symmetries: Sequence[Mapping[Cell, Cell]]) -> None:
        self.index = {cell: hole for hole, cell in enumerate(game.cells)}
        found = {tuple(self.index[image[cell]] for cell in game.cells) for image in symmetries}
        self.permutations = sorted(map(list, found))
        self.jumps = [
            (self.index[r, c], self.index[r + dr, c + dc], self.index[r + 2 * dr, c + 2 * dc])
            for r, c in game.cells
            for dr, dc in sorted(game.directions)
            if (r + dr, c + dc) in self.index and (r + 2 * dr, c + 2 * dc) in self.index
        ]
        self._bytes = [_byte_images(permutation) for permutation in self.permutations]

    def images(self, words: Words) -> Iterator[Words]:
        """The images of positions, symmetry by symmetry."""
        for tables in self._bytes:
            image = np.zeros_like(words)
            for place, table in enumerate(tables):
                image |= table[(words >> np.uint64(8 * place) & np.uint64(255)).astype(np.intp)]
            yield image

    def canonical(self, words: Words) -> Words:
        """The least image of each."""
        least = words
        for image in self.images(words):
            least = np.minimum(least, image)
        return least

    def orbit_sizes(self, words: Words) -> NDArray[np.int64]:
        """How many different images each has."""
        keeping = np.zeros(len(words), np.int64)
        for image in self.images(words):
            keeping += image == words
        sizes: NDArray[np.int64] = len(self._bytes) // keeping
        return sizes

    def jumps_from(self, words: Words, back: bool = False) -> Made:
        """All single jumps, made or taken back."""
        return next(self.moves_from(words, back), Made(1, np.empty(0, np.int64), np.empty(0, np.uint64)))

    def moves_from(self, words: Words, back: bool = False) -> Iterator[Made]:
        """All whole moves, each way to make one by itself: those of one jump first, then of two, and so on."""
        every = np.arange(len(words))
        standing = {hole: [(every, words)] for hole in set(self.index.values())}
        jumps = 0
        while standing:
            jumps += 1
            landed: dict[int, list[tuple[NDArray[np.int64], Words]]] = {}
            for a, b, c in self.jumps:
                three = np.uint64(1 << a | 1 << b | 1 << c)
                wanted = np.uint64(1 << a | (0 if back else 1 << b))
                for origin, before in standing.get(a, ()):
                    possible = np.flatnonzero(before & three == wanted)
                    if len(possible):
                        landed.setdefault(c, []).append((origin[possible], before[possible] ^ three))
            if landed:
                parts = [part for some in landed.values() for part in some]
                yield Made(jumps, np.concatenate([o for o, _ in parts]), np.concatenate([w for _, w in parts]))
            standing = landed

    def move_counts(self, words: Words, back: bool = False) -> tuple[NDArray[np.int64], int]:
        """How many whole moves each position has, and the most jumps of any."""
        counts, longest = np.zeros(len(words), np.int64), 0
        for begin in range(0, len(words), AT_ONCE):
            part = words[begin : begin + AT_ONCE]
            for made in self.moves_from(part, back):
                counts[begin : begin + len(part)] += np.bincount(made.origin, minlength=len(part))
                longest = max(longest, made.jumps)
        return counts, longest

    def jump_counts(self, words: Words) -> NDArray[np.int64]:
        """How many single jumps each position has."""
        counts = np.zeros(len(words), np.int64)
        for a, b, c in self.jumps:
            counts += words & np.uint64(1 << a | 1 << b | 1 << c) == np.uint64(1 << a | 1 << b)
        return counts


def distinct(words: Words) -> Words:
    """The words in ascending order, without repeats; of large arrays quicker than ``numpy.unique``."""
    ascending = np.sort(words)
    new = np.ones(len(ascending), bool)
    new[1:] = ascending[1:] != ascending[:-1]
    return ascending[new]


def rows_of(words: Words, ascending: Words) -> NDArray[np.int64]:
    """int64: the row of each word among ascending ones, -1 where it is not there."""
    if not len(ascending):
        return np.full(len(words), -1)
    rows = np.minimum(np.searchsorted(ascending, words), len(ascending) - 1)
    return np.where(ascending[rows] == words, rows, -1)


def are_in(words: Words, ascending: Words) -> NDArray[np.bool_]:
    """bool: which words are among ascending ones."""
    return rows_of(words, ascending) >= 0


def _byte_images(permutation: Sequence[int]) -> list[Words]:
    """For each byte of a word, uint64 (256): the images of the pegs that it stands for."""
    tables = []
    for low in range(0, len(permutation), 8):
        table = np.zeros(256, np.uint64)
        for bit, hole in enumerate(permutation[low : low + 8]):
            table |= (np.arange(256, dtype=np.uint64) >> np.uint64(bit) & np.uint64(1)) << np.uint64(hole)
        tables.append(table)
    return tables
