"""Numbers of the positions of a class, read by the table of holes alone; the parities that jumps keep, by hand."""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.by_arrays import GameByArrays, Words
from boardspace.spaces.solitaire.by_hand import GameByHand

Numbers = NDArray[np.int64]
AT_ONCE = 1 << 15
"""Words of a bitmap that are looked at together."""


class OrderedWords(NamedTuple):
    """Words of a bitmap ordered by how many bits of their numbers are pegs.

    order: int64 (words), their places.
    starts: int64 (runs), where in this order those with another number of pegs start.
    pegs: int64 (runs), that number.
    parities: int64 (words), in this order: a bit for each hole that no bit is of, the parity of what it follows from.
    """

    order: Numbers
    starts: Numbers
    pegs: Numbers
    parities: Numbers


class Numbering:
    """Which bit of a number is which hole, and what follows of the holes that no bit is of.

    rows: those of the table ``class_holes`` for the board. member: a position of the class.
    """

    def __init__(self, hand: GameByHand, game: GameByArrays, rows: list[dict[str, Any]], member: int) -> None:
        self.bits = {game.index[hand.cell[row["hole"]]]: row["bit"] for row in rows}
        self.mask = sum(1 << bit for bit in self.bits.values())
        self.kept = parities_kept(game)
        self.member, self.holes = member, len(hand.cells)
        self._following = self._solved()

    def _solved(self) -> list[tuple[int, int]]:
        """For each other hole the bits of a number whose parity tells its peg, and the peg where these are even."""
        others = [hole for hole in range(self.holes) if hole not in self.bits]
        rows, found = list(self.kept), []
        for hole in others:
            row = next((row for row in rows if row >> hole & 1), None)
            if row is None:
                raise ValueError(f"hole {hole}, which no bit is of, does not follow from the others")
            rows = [other ^ row if other >> hole & 1 else other for other in rows if other != row] + [row]
        for hole in others:
            row = next(row for row in rows if row >> hole & 1 and not any(row >> o & 1 for o in others if o != hole))
            bits = sum(1 << bit for one, bit in self.bits.items() if row >> one & 1)
            found.append((bits, (row & self.member).bit_count() & 1))
        return found

    def bits_of_holes(self) -> list[tuple[int, int]]:
        """For each hole the bits of a number whose parity tells its peg, and the peg where these are even."""
        others = [hole for hole in range(self.holes) if hole not in self.bits]
        following = dict(zip(others, self._following, strict=True))
        return [following[hole] if hole in following else (1 << self.bits[hole], 0) for hole in range(self.holes)]

    def contains(self, words: Words) -> NDArray[np.bool_]:
        """Return whether positions have the parities of the class."""
        same = np.ones(len(words), bool)
        for row in self.kept:
            same &= np.bitwise_count((words ^ np.uint64(self.member)) & np.uint64(row)) & 1 == 0
        return same

    def numbers(self, words: Words) -> Words:
        """The numbers of positions."""
        found = np.zeros(len(words), np.uint64)
        for hole, bit in self.bits.items():
            found |= (words >> np.uint64(hole) & np.uint64(1)) << np.uint64(bit)
        return found

    def words(self, numbers: Words) -> Words:
        """The positions of numbers."""
        found = np.zeros(len(numbers), np.uint64)
        for hole, bit in self.bits.items():
            found |= (numbers >> np.uint64(bit) & np.uint64(1)) << np.uint64(hole)
        others = [hole for hole in range(self.holes) if hole not in self.bits]
        for hole, (bits, even) in zip(others, self._following, strict=True):
            peg = np.bitwise_count(numbers & np.uint64(bits)) & 1 ^ even
            found |= peg.astype(np.uint64) << np.uint64(hole)
        return found

    def pegs(self, numbers: Words) -> NDArray[np.uint8]:
        """How many pegs the positions of numbers have."""
        found = np.bitwise_count(numbers)
        for bits, even in self._following:
            found += (np.bitwise_count(numbers & np.uint64(bits)) & np.uint8(1)) ^ np.uint8(even)
        return found

    def pegs_of_bitmap(self, bitmap: Words, ordered: "OrderedWords") -> NDArray[np.int64]:
        """How many positions have 0, 1, ... pegs, of those in some words of a bitmap: int64 (holes + 1).

        The low six bits of a number are a place in its word, the others the word's. Words whose own bits have the same
        parities have the same bits for positions of so many pegs more than the word's bits are, so a word is counted
        by a mask for each such number.
        """
        words, counts = bitmap.take(ordered.order), np.zeros(128, np.int64)
        for more, masks in enumerate(self._masks):
            found = np.bitwise_count(words & masks.take(ordered.parities))
            counts[ordered.pegs + more] += np.add.reduceat(found, ordered.starts, dtype=np.int64)
        if counts[self.holes + 1 :].any():
            raise ValueError("a position of the bitmap has more pegs than there are holes")
        return counts[: self.holes + 1]

    def ordered(self, begin: int, length: int) -> "OrderedWords":
        """So many words of a bitmap, the first of which is word ``begin``, as :meth:`pegs_of_bitmap` goes over them."""
        high = np.arange(begin, begin + length, dtype=np.uint64) << np.uint64(6)
        pegs = np.bitwise_count(high)
        order = np.argsort(pegs, kind="stable")
        high, pegs = high[order], pegs[order]
        starts = np.flatnonzero(np.append(True, pegs[1:] != pegs[:-1]))
        parities = np.zeros(length, np.int64)
        for place, (bits, _) in enumerate(self._following):
            parities |= (np.bitwise_count(high & np.uint64(bits)) & 1).astype(np.int64) << place
        return OrderedWords(order, starts, pegs[starts].astype(np.int64), parities)

    @cached_property
    def _masks(self) -> list[Words]:
        """For 0, 1, ... pegs beside the word's, uint64 (parities): places in a word of numbers with so many."""
        masks = np.zeros((7 + len(self._following), 1 << len(self._following)), np.uint64)
        for parities in range(masks.shape[1]):
            for place in range(64):
                pegs = place.bit_count() + sum(
                    (parities >> n ^ (place & bits).bit_count() ^ even) & 1
                    for n, (bits, even) in enumerate(self._following)
                )
                masks[pegs, parities] |= np.uint64(1 << place)
        return list(masks)


def parities_kept(game: GameByArrays) -> list[int]:
    """A basis of the sets of holes whose number of pegs every jump leaves even, or odd: those that meet each jump in
    an even number of holes, found hole by hole."""
    sets = [1 << hole for hole in set(game.index.values())]
    for a, b, c in game.jumps:
        jump = 1 << a | 1 << b | 1 << c
        odd = [one for one in sets if (one & jump).bit_count() & 1]
        sets = [one for one in sets if not (one & jump).bit_count() & 1] + [one ^ odd[0] for one in odd[1:]]
    return sets


def numbers_of(bitmap: NDArray[np.uint64], begin: int) -> Words:
    """The numbers of the positions in some words of a bitmap, the first of which is word ``begin``."""
    bits = np.unpackbits(bitmap.view(np.uint8), bitorder="little")
    return np.flatnonzero(bits.view(np.bool_)).view(np.uint64) + np.uint64(64 * begin)


def has(bitmap: NDArray[np.uint64], numbers: Words) -> NDArray[np.bool_]:
    """Return whether the positions of numbers are in a whole bitmap."""
    places = (numbers >> np.uint64(6)).astype(np.int64)
    found: NDArray[np.bool_] = (bitmap[places] >> (numbers & np.uint64(63)) & np.uint64(1)).astype(bool)
    return found


def complements(bitmap: Words, begin: int, mask: int) -> Words:
    """Words of a bitmap, so many as are looked at together, of the complements of the positions in a whole bitmap.

    ``mask`` has the bits that are holes. A complement has all of these exchanged, so that its byte stands at the same
    place from the opposite end. In a byte some of the three lowest bits may be no holes.
    """
    if mask | 7 != 64 * len(bitmap) - 1:
        raise ValueError("the numbers of positions do not fill the bitmap")
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    exchanged = np.packbits(bits[:, np.arange(8) ^ (mask & 7)], axis=1, bitorder="little").ravel()
    end = len(bitmap) - begin
    return exchanged.take(bitmap[max(0, end - AT_ONCE) : end].view(np.uint8)[::-1]).view(np.uint64)


def fixed_words(permutation: list[int], most: int) -> Words | None:
    """All positions that a symmetry maps to themselves: unions of its cycles; None where there are over 2^most."""
    left, cycles = set(range(len(permutation))), []
    while left:
        cycle, hole = 0, min(left)
        while hole in left:
            left.remove(hole)
            cycle |= 1 << hole
            hole = permutation[hole]
        cycles.append(cycle)
    if len(cycles) > most:
        return None
    words = np.zeros(1, np.uint64)
    for cycle in cycles:
        words = np.concatenate([words, words | np.uint64(cycle)])
    return words
