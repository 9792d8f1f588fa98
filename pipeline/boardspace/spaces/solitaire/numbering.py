"""Numbers of the positions of a class, read by the table of holes alone; the parities that jumps keep, by hand."""

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand, Words, images_of_parts, looked_up
from boardspace.spec.equations import Columns, Flip

Numbers = NDArray[np.int64]
AT_ONCE = 1 << 15
"""Words of a bitmap that are looked at together."""


NONE = 255
"""No moves lead there."""


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
    """Numbering of positions: which bit of a number is which hole, and how the other holes follow.

    bits: the bit of each hole that has one. member: a position of the class.
    """

    def __init__(self, game: GameByArrays, bits: Mapping[int, int], member: int) -> None:
        self.bits = dict(bits)
        self.mask = sum(1 << bit for bit in self.bits.values())
        self.kept = parities_kept(game)
        self.member, self.holes = member, len(game.index)
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

    def flips(self, game: GameByArrays, back: bool) -> list[Flip]:
        """The jumps, made or taken back, as moves of numbers."""
        holes, found = self.bits_of_holes(), []
        for jump in game.jumps:
            flips = sum(1 << self.bits[hole] for hole in jump if hole in self.bits)
            wanted = zip(jump, (not back, not back, back), strict=True)
            found.append(Flip(flips, tuple((holes[hole][0], int(peg) ^ holes[hole][1]) for hole, peg in wanted)))
        return found

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
        """Numbers of pegs of the positions with some numbers."""
        found = np.bitwise_count(numbers)
        for bits, even in self._following:
            found += (np.bitwise_count(numbers & np.uint64(bits)) & np.uint8(1)) ^ np.uint8(even)
        return found

    def pegs_of_bitmap(self, bitmap: Words, ordered: "OrderedWords") -> NDArray[np.int64]:
        """Numbers of positions with 0, 1, ... pegs, of those in some words of a bitmap: int64 (holes + 1).

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


class Positions:
    """The positions of a problem, numbered in their class, as :class:`boardspace.spec.equations.RankedStates`.

    Bits of a number are holes from which the parities that jumps keep tell the others; those that no jump passes over
    come first, so that most jumps move whole words of a bitmap.
    """

    def __init__(self, problem: ProblemByHand) -> None:
        self._game = GameByArrays(problem, problem.symmetries)
        self.name = slug(problem.name)
        self.start, self.goal = problem.word(problem.start), problem.word(problem.goal)
        self.ranks = range(1, len(problem.start) + 1)
        passed = {over for _, over, _ in self._game.jumps}
        holes = sorted(self._game.index.values(), key=lambda hole: (hole in passed, hole))
        kept, found = parities_kept(self._game), set()
        for hole in holes:
            if row := next((row for row in kept if row >> hole & 1), 0):
                found.add(hole)
                kept = [other ^ row if other >> hole & 1 else other for other in kept if other != row]
        free = [hole for hole in holes if hole not in found]
        self._numbering = Numbering(self._game, {hole: bit for bit, hole in enumerate(free)}, self.start)
        self._tables = images_of_parts([self._numbering.bits.get(hole, -1) for hole in range(len(holes))])
        self._jumps = [
            (jump, sum(1 << self._numbering.bits[hole] for hole in jump if hole in self._numbering.bits))
            for jump in self._game.jumps
        ]
        self.numbers_below = 1 << len(free)

    def rank(self, states: Words) -> NDArray[np.uint8]:
        """The pegs of each."""
        return np.bitwise_count(states)

    def images(self, states: Words) -> Iterator[Words]:
        """The images, symmetry by symmetry."""
        return self._game.images(states)

    def numbers(self, states: Words) -> Numbers:
        """The number of each."""
        return looked_up(states, self._tables).view(np.int64)

    def ends(self, states: Words, back: bool) -> Iterator[tuple[Numbers, Words]]:
        """All whole moves, made or taken back: the places of the positions that they begin at, and their ends."""
        return ((made.origin, made.result) for made in self._game.moves_from(states, back))

    def least(self, states: Words, back: bool, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The least of the values, by numbers, of the ends of all whole moves, 255 where there are none.

        A peg goes on only from stops whose value is the least of all ends of one jump, and until a lower one is found.
        For a stop is a state whose own moves include the rest of this one. So its value, where it is right, is at most
        one more than that of any end which the peg comes to from there. And where it is wrong, that is found at the
        stop itself: the values of a rank need those of the ranks before it alone.
        """
        least, number = np.full(len(states), NONE, np.uint8), self.numbers(states)
        landed: list[tuple[int, np.uint64, Numbers, Numbers, NDArray[np.uint8]]] = []
        for (a, b, c), flips in self._jumps:
            three, wanted = np.uint64(1 << a | 1 << b | 1 << c), np.uint64(1 << a | (0 if back else 1 << b))
            (origin,) = (states & three == wanted).nonzero()
            ends = number.take(origin) ^ flips
            found = values.take(ends)
            least[origin] = np.minimum(least.take(origin), found)
            landed.append((c, three, origin, ends, found))
        most = np.where(least < NONE, least, 0)
        standing: dict[int, list[tuple[Any, ...]]] = {}
        for c, three, origin, ends, found in landed:
            (on,) = (found == most.take(origin)).nonzero()
            origin = origin.take(on)
            standing.setdefault(c, []).append((origin, states.take(origin) ^ three, ends.take(on)))
        while standing:
            following: dict[int, list[tuple[Any, ...]]] = {}
            for (a, b, c), flips in self._jumps:
                three, wanted = np.uint64(1 << a | 1 << b | 1 << c), np.uint64(1 << a | (0 if back else 1 << b))
                for origin, before, numbers in standing.get(a, ()):
                    (able,) = (before & three == wanted).nonzero()
                    if len(able):
                        origin, ends = origin.take(able), numbers.take(able) ^ flips
                        found = values.take(ends)
                        np.minimum.at(least, origin, found)
                        bound = most.take(origin)
                        (on,) = ((found <= bound) & (least.take(origin) >= bound)).nonzero()
                        step = (origin.take(on), before.take(able.take(on)) ^ three, ends.take(on))
                        following.setdefault(c, []).append(step)
            standing = {c: [tuple(map(np.concatenate, zip(*some, strict=True)))] for c, some in following.items()}
        return least

    def flips(self, back: bool) -> list[Flip]:
        """All jumps, made or taken back."""
        return self._numbering.flips(self._game, back)

    def choices(self, states: Words) -> Numbers:
        """The number of jumps that each has."""
        return self._game.jump_counts(states)

    def text(self, state: int) -> str:
        """The word of a position."""
        return f"position {state}"


def problems_by_levels(config: SolitaireConfig) -> list[Positions]:
    """The problems whose positions are published, level by level."""
    return [Positions(ProblemByHand(name, config.boards)) for name in config.levels]


def at_start(problem: Positions) -> int:
    """The start."""
    return problem.start


def at_goal(problem: Positions) -> int:
    """The goal."""
    return problem.goal


def pegs(problem: Positions) -> Callable[[Words], NDArray[np.uint8]]:
    """The number of pegs of each position."""
    return problem.rank


def choices(problem: Positions) -> Callable[[Words], Numbers]:
    """The number of jumps that each position has."""
    return problem.choices


def is_dead_end(rows: Columns) -> NDArray[np.bool_]:
    """True for rows without a jump."""
    dead: NDArray[np.bool_] = rows["choices"] == 0
    return dead


PLACE_BITS = 6
ALL = np.uint64((1 << 64) - 1)


class DeadEnds:
    """Finds the positions without a jump in the bitmaps of a class, word by word.

    For each word and each hole a mask says at which of its 64 places the hole has a peg: all or none if the hole's bit
    is one of the word's own number, else a mask of the place, which a dependent hole exchanges where the word's parity
    is odd. So three masks tell the positions that can make a jump. Most words are done after few jumps, those first
    whose holes are all in the word's number, and only the others are looked at further.
    """

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
