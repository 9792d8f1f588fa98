"""Positions of a bitmap without a jump, word by word.

For each word and each hole a mask says at which of its 64 places the hole has a peg: all or none if the hole's bit is
one of the word's own number, else a mask of the place, which a dependent hole exchanges where the word's parity is odd.
So three masks tell the positions that can make a jump. Most words are done after few jumps, those first whose holes are
all in the word's number, and only the others are looked at further.
"""

import numpy as np

from boardspace.spaces.solitaire.by_arrays import GameByArrays, Words
from boardspace.spaces.solitaire.parts.classes.checks.numbering import AT_ONCE, Numbering, numbers_of

PLACE_BITS = 6
ALL = np.uint64((1 << 64) - 1)


class DeadEnds:
    """Finds them in the bitmaps of a class."""

    def __init__(self, game: GameByArrays, numbering: Numbering) -> None:
        bits = numbering.bits_of_holes()
        self._holes = [(np.uint64(of_hole), np.uint64(_places(of_hole, even))) for of_hole, even in bits]
        mixed = [bool(of_hole % (1 << PLACE_BITS)) for of_hole, _ in bits]
        self._jumps = sorted(game.jumps, key=lambda jump: sum(mixed[hole] for hole in jump))

    def numbers(self, bitmap: Words) -> Words:
        """The numbers of all positions of a whole bitmap that have no jump, ascending."""
        found = [np.empty(0, np.uint64)]
        for begin in range(0, len(bitmap), AT_ONCE):
            words = np.zeros(len(bitmap[begin : begin + AT_ONCE]), np.uint64)
            places, left = self._left(bitmap[begin : begin + AT_ONCE], begin)
            words[places] = left
            if len(places):
                found.append(numbers_of(words, begin))
        return np.concatenate(found)

    def _left(self, words: Words, begin: int) -> tuple[np.ndarray, Words]:
        """Words, by their places among some, without the positions that have a jump; those that are not empty then."""
        places = np.flatnonzero(words)
        left = words[places]
        for a, b, c in self._jumps:
            if not len(places):
                break
            numbers = (places + begin).astype(np.uint64) << np.uint64(PLACE_BITS)
            left &= ~(self._pegs(a, numbers) & self._pegs(b, numbers) & ~self._pegs(c, numbers))
            some = np.flatnonzero(left)
            places, left = places[some], left[some]
        return places, left

    def _pegs(self, hole: int, numbers: Words) -> Words:
        """The places at which words, by the numbers of their first places, have a peg in a hole."""
        bits, mask = self._holes[hole]
        odd = (np.bitwise_count(numbers & bits) & np.uint8(1)).astype(np.uint64)
        return mask ^ (odd * ALL)


def _places(bits: int, even: int) -> int:
    """The places of a word at which some bits of the place have a parity, or, where ``even`` is 1, the other."""
    return sum(1 << place for place in range(64) if (place & bits).bit_count() & 1 ^ even)
