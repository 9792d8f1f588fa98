"""Sets of numbered states as bitmaps: a bit is there exactly where the base is or a move leads, tried at every bit;
and least moves from the states of a set, which follow from those of the states that a move leads to.

A move flips some bits of a state's number, and is possible where some parities of the number hold. So all states of a
range of 2^n words are moved at once: the words that a move leads to come from the words of another such range, in an
order that is the exclusive or with a constant; within a word the 64 places are exchanged by swapping halves.

**Why it proves.** Every move lowers a rank, such as the number of pegs. Suppose that two sets obey the equation, and
take a state of the highest rank that is in one alone. It is not in the base, so a move leads to it from a state of a
higher rank in that set; this one is in both, and so is the first.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spec.check import Draw, Outcome, begins_of
from boardspace.spec.equations import BitSet, Flip, MovesLeft, Reached
from boardspace.spec.stage import Inputs
from boardspace.verify.arrays import cells_of

Words = NDArray[np.uint64]
PLACES = 6
"""Bits of a number that are a place in a word."""
RANGE = 14
"""Bits of the number of a word in its range: that many fit a core's cache."""
WHOLE_BITS = 24 << 30
"""Sets of no more bits are tried whole: that many take a minute."""
HELD_WORDS = 1 << 27
"""Sets of no more words are read at once."""
FEW = 2
"""Ranges with so few ones in their numbers, or zeros, are always tried: they hold what a game begins and ends with."""
SWAPS = tuple(np.uint64(sum(1 << place for place in range(64) if not place >> bit & 1)) for bit in range(PLACES))
"""The places with a zero for each bit of the place."""

NONE = 255
"""No moves lead to a goal."""
HELD_BYTES, CHUNK = 1 << 28, 1 << 13
"""Bytes of an array that is read at once, and words of one of its chunks."""
WHOLE_NUMBERS, DRAWN_WORDS, RUN = 1 << 24, 1 << 13, 64
"""Numbers whose least moves are all tried; of more, words of their bitmap that are drawn, in runs of so many."""
NUMBERS = 1 << 16
"""Numbers whose moves are made together."""


def outcome(equation: Reached, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """The outcome of the sets of an equation: bits that were tried, of all."""
    sets = list(equation.sets(config, inputs))
    lengths = [int(inputs.array(one.path).shape[0]) for one in sets]
    tried, bits, random = 0, 64 * sum(lengths), draw.generator()
    for one, words in zip(sets, lengths, strict=True):
        numbers = 1 << max((flip.flips.bit_length() for flip in one.moves), default=0)
        if one.moves and words != -(-numbers // 64):
            return Outcome(tried, bits, f"{one.path}: {words:,} words, and moves flip bits of {numbers:,} numbers")
        moved = Moved(one, _reader(inputs.array(one.path), words), words)
        for number in _chosen(moved.ranges, max(1, WHOLE_BITS * moved.ranges // bits), draw, random):
            fault = moved.fault(number)
            tried += 64 * min(words, 1 << moved.inner)
            if fault:
                return Outcome(tried, bits, f"{one.path}: {fault}")
    return Outcome(tried, bits)


def _chosen(ranges: int, most: int, draw: Draw, random: np.random.Generator) -> Iterator[int]:
    if draw.everything or ranges <= most:
        yield from range(ranges)
        return
    length = (ranges - 1).bit_length()
    few = [number for number in range(ranges) if not FEW < number.bit_count() < length - FEW]
    yield from sorted({*few, *draw.choose(ranges, most, random)})


def _reader(array: Any, words: int) -> Callable[[int, int], Words]:
    if words <= HELD_WORDS:
        held = cells_of(array)
        return lambda low, high: held[low:high]
    return lru_cache(maxsize=128)(lambda low, high: array[low:high])


class Moved:
    """The ranges of a set, each as it follows from the others by moves; of a set within another, as far as that goes.

    read: function of the first word and the one behind the last to those.
    """

    def __init__(self, one: BitSet, read: Callable[[int, int], Words], words: int, within: Words | None = None) -> None:
        self.inner = min(RANGE, (words - 1).bit_length())
        self.ranges = -(-words >> self.inner)
        self.moves = [_Move(flip, self.inner) for flip in one.moves]
        self._read, self._one, self._within = read, one, within

    def fault(self, number: int) -> str:
        """The first fault of a range, or ''."""
        low = number << self.inner
        words = self._words(number)
        made = np.zeros_like(words)
        for move in self.moves:
            move.lead(number, self._words(number ^ move.outer), made)
        base = self._one.base[self._one.base >> np.uint64(PLACES + self.inner) == np.uint64(number)]
        np.bitwise_or.at(
            made, (base >> np.uint64(PLACES)).astype(np.int64) - low, np.uint64(1) << (base & np.uint64(63))
        )
        if self._within is not None:
            made &= self._within[low : low + len(made)]
        wrong = np.flatnonzero(made != words)
        if not len(wrong):
            return ""
        differ = int(made[wrong[0]] ^ words[wrong[0]])
        place = (differ & -differ).bit_length() - 1
        state = (low + int(wrong[0])) << PLACES | place
        there = int(words[wrong[0]]) >> place & 1
        why = "no move leads to it, and it is no base" if there else "a move leads to it, or it is a base"
        return f"{self._one.text(state)} is {'' if there else 'not '}in it, and {why}"

    def _words(self, number: int) -> Words:
        low = number << self.inner
        return self._read(low, low + (1 << self.inner))


@dataclass(frozen=True)
class _Part:
    """One parity of a number: of bits of the number of its range, of its word in that, and of its place."""

    outer: int
    odd: NDArray[np.uint8]
    places: np.uint64
    parity: int


class _Move:
    """A move as it leads from one range into another."""

    def __init__(self, flip: Flip, inner: int) -> None:
        self.outer = flip.flips >> PLACES + inner
        self._word = flip.flips >> PLACES & (1 << inner) - 1
        self._place = flip.flips & 63
        self._numbers = np.arange(1 << inner, dtype=np.int64)
        self._parts = [
            _Part(
                mask >> PLACES + inner,
                np.bitwise_count(self._numbers & (mask >> PLACES & (1 << inner) - 1)) & np.uint8(1),
                np.uint64(sum(1 << place for place in range(64) if (place & mask).bit_count() & 1)),
                parity,
            )
            for mask, parity in flip.where
        ]
        self._known: dict[tuple[int, ...], tuple[NDArray[np.int64], NDArray[np.int64], Any]] = {}

    def lead(self, number: int, words: Words, made: Words) -> None:
        """Add to a range what the move leads to from the words of another."""
        sources, targets, places = self._of_range(number ^ self.outer)
        if not len(sources):
            return
        moved = words.take(sources)
        moved &= places
        for bit in range(PLACES):
            if self._place >> bit & 1:
                shift = np.uint64(1 << bit)
                moved = (moved & SWAPS[bit]) << shift | moved >> shift & SWAPS[bit]
        made[targets] |= moved

    def _of_range(self, number: int) -> tuple[NDArray[np.int64], NDArray[np.int64], Any]:
        """Words of a range where the move may be possible, those that they lead to, and the places of each."""
        key = tuple((number & part.outer).bit_count() & 1 for part in self._parts)
        if key not in self._known:
            self._known[key] = self._found(key)
        return self._known[key]

    def _found(self, outer: tuple[int, ...]) -> tuple[NDArray[np.int64], NDArray[np.int64], Any]:
        able, every = np.ones(len(self._numbers), np.bool_), np.uint64((1 << 64) - 1)
        places = np.full(len(self._numbers), every)
        for part, odd in zip(self._parts, outer, strict=True):
            wanted = part.odd ^ np.uint8(odd ^ part.parity)  # the parity that the place has to have
            if part.places:
                places &= np.where(wanted == 1, part.places, ~part.places)
            else:
                able &= wanted == 0
        sources = np.flatnonzero(able)
        some = places.take(sources)
        same = len(some) > 0 and (some == some[0]).all()
        return sources, sources ^ self._word, some[0] if same else some


def moves_outcome(equation: MovesLeft, config: Any, inputs: Inputs, draw: Draw) -> Outcome:
    """The outcome of the arrays of an equation: numbers that were tried, of all."""
    tried = of = 0
    for one in equation.arrays(config, inputs):
        moves, states = ByNumber(inputs.array(one.path), 8), ByNumber(inputs.array(one.within), 1)
        numbers = _numbers_to_try(states.words, draw)
        tried, of = tried + len(numbers), of + 64 * states.words
        for begin in range(0, len(numbers), NUMBERS):
            some = numbers[begin : begin + NUMBERS]
            here, found, expected = np.flatnonzero(states.of(some)), moves.of(some), np.full(len(some), NONE, np.int64)
            least = np.full(len(here), NONE - 1, np.int64)
            for origins, ends in one.ends(some[here]):
                np.minimum.at(least, origins, moves.of(ends))
            least[np.isin(some[here], one.goals)] = -1
            expected[here] = np.minimum(least, NONE - 1) + 1
            if (wrong := np.flatnonzero(found != expected)).size:
                both = f"{found[wrong[0]]}, and {expected[wrong[0]]} by its equation: {equation.says}"
                return Outcome(tried, of, f"{one.path}, number {some[wrong[0]]}: {both}")
    return Outcome(tried, of)


def _numbers_to_try(words: int, draw: Draw) -> Words:
    """All numbers of a bitmap of so many words, or those of drawn words."""
    if draw.everything or 64 * words <= WHOLE_NUMBERS:
        return np.arange(64 * words, dtype=np.uint64)
    runs = draw.choose(words // RUN, DRAWN_WORDS // RUN)
    places = np.arange(64 * RUN, dtype=np.uint64)
    return (np.array(runs, np.uint64)[:, None] * np.uint64(64 * RUN) | places).ravel()


class ByNumber:
    """An array that holds some bits for each number, 1 or 8; read at once where it is small, else chunk by chunk."""

    def __init__(self, array: NDArray[np.uint64], bits: int) -> None:
        self._bits, self._mask, self._each = np.uint64(bits), np.uint64((1 << bits) - 1), np.uint64(64 // bits)
        self._array, self.words = array, int(array.shape[0])
        self._held: Words | None = cells_of(array) if 8 * self.words <= HELD_BYTES else None

    def of(self, numbers: Words) -> NDArray[np.uint8]:
        """Values that it holds, one for each number."""
        words, places = numbers // self._each, numbers % self._each * self._bits
        if self._held is not None:
            held = self._held.take(words.view(np.int64))
        else:
            held = np.empty_like(words)
            order = np.argsort(words, kind="stable")
            for some in np.split(order, begins_of(words[order] // np.uint64(CHUNK))[1:]) if len(order) else ():
                begin = int(words[some[0]]) // CHUNK * CHUNK
                held[some] = self._array[begin : begin + CHUNK][words[some].view(np.int64) - begin]
        return (held >> places & self._mask).astype(np.uint8)
