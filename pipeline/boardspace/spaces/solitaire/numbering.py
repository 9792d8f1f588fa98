"""Numbers of the positions of a class, read by the table of holes alone; the parities that jumps keep, by hand."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.rules import GameByArrays, ProblemByHand, Words, looked_up, tables_of
from boardspace.spec.equations import Flip

Numbers = NDArray[np.int64]
NONE = 255
"""No moves lead there."""


class Numbering:
    """Numbering of positions: which bit of a number is which hole, and how the other holes follow.

    Positions and numbers are looked up in tables, as each is a sum of bits of the other modulo 2.

    bits: the bit of each hole that has one. member: a position of the class.
    following: for each other hole the bits of a number whose parity tells its peg, and the peg where these are even.
    """

    def __init__(self, game: GameByArrays, bits: Mapping[int, int], member: int) -> None:
        self.bits = dict(bits)
        self.mask = sum(1 << bit for bit in self.bits.values())
        self.kept = parities_kept(game)
        self.member, self.holes = member, len(game.index)
        others = [hole for hole in range(self.holes) if hole not in self.bits]
        sets = followed(self.kept, others)
        if unknown := [hole for hole in others if hole not in sets]:
            raise ValueError(f"hole {unknown[0]}, which no bit is of, does not follow from the others")
        self.following = {
            hole: (
                sum(1 << bit for one, bit in self.bits.items() if sets[hole] >> one & 1),
                (sets[hole] & member).bit_count() & 1,
            )
            for hole in others
        }
        images = {bit: 1 << hole for hole, bit in self.bits.items()}
        for hole, (bits_of_hole, _) in self.following.items():
            images |= {bit: image | 1 << hole for bit, image in images.items() if bits_of_hole >> bit & 1}
        self._words = tables_of([images.get(bit, 0) for bit in range(self.mask.bit_length())])
        self._numbers = tables_of([1 << self.bits[hole] if hole in self.bits else 0 for hole in range(self.holes)])
        self._at_0 = np.uint64(sum(even << hole for hole, (_, even) in self.following.items()))

    def flips(self, game: GameByArrays, back: bool) -> list[Flip]:
        """The jumps, made or taken back, as moves of numbers."""
        holes, found = self.following | {hole: (1 << bit, 0) for hole, bit in self.bits.items()}, []
        for jump in game.jumps:
            flips = sum(1 << self.bits[hole] for hole in jump if hole in self.bits)
            wanted = zip(jump, (not back, not back, back), strict=True)
            found.append(Flip(flips, tuple((holes[hole][0], int(peg) ^ holes[hole][1]) for hole, peg in wanted)))
        return found

    def contains(self, words: Words) -> NDArray[np.bool_]:
        """Return whether positions have the parities of the class."""
        differing = words[:, None] ^ np.uint64(self.member)
        return ~(np.bitwise_count(differing & np.array(self.kept, np.uint64)) & 1).any(axis=1)

    def numbers(self, words: Words) -> Words:
        """The numbers of positions."""
        return looked_up(words, self._numbers)

    def words(self, numbers: Words) -> Words:
        """The positions of numbers."""
        return looked_up(numbers, self._words) ^ self._at_0


def parities_kept(game: GameByArrays) -> list[int]:
    """A basis of the sets of holes whose number of pegs every jump leaves even, or odd: those that meet each jump in
    an even number of holes, found hole by hole."""
    sets = [1 << hole for hole in set(game.index.values())]
    for a, b, c in game.jumps:
        jump = 1 << a | 1 << b | 1 << c
        odd = [one for one in sets if (one & jump).bit_count() & 1]
        sets = [one for one in sets if not (one & jump).bit_count() & 1] + [one ^ odd[0] for one in odd[1:]]
    return sets


def followed(kept: Sequence[int], holes: Iterable[int]) -> dict[int, int]:
    """Holes, the first of some, that follow from all others by parities that are kept: each with a set of these that
    no other such hole is in."""
    left, found = list(kept), dict[int, int]()
    for hole in holes:
        row = next((row for row in left if row >> hole & 1), 0)
        if row:
            left = [other ^ row if other >> hole & 1 else other for other in left if other != row]
            found = {one: other ^ row if other >> hole & 1 else other for one, other in found.items()} | {hole: row}
    return found


def about_positions(game: GameByArrays) -> float:
    """About how many positions a start can lead to: those with its parities, up to symmetry."""
    return 2.0 ** (len(game.index) - len(parities_kept(game))) / len(game.permutations)


def numbers_of(bitmap: NDArray[np.uint64], begin: int) -> Words:
    """The numbers of the positions in some words of a bitmap, the first of which is word ``begin``."""
    bits = np.unpackbits(bitmap.view(np.uint8), bitorder="little")
    return np.flatnonzero(bits.view(np.bool_)).view(np.uint64) + np.uint64(64 * begin)


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
        following = followed(parities_kept(self._game), holes)
        free = [hole for hole in holes if hole not in following]
        self._numbering = Numbering(self._game, {hole: bit for bit, hole in enumerate(free)}, self.start)
        self.numbers_below = 1 << len(free)

    def rank(self, states: Words) -> NDArray[np.uint8]:
        """The pegs of each."""
        return np.bitwise_count(states)

    def images(self, states: Words) -> Iterator[Words]:
        """The images, symmetry by symmetry."""
        return self._game.images(states)

    def numbers(self, states: Words) -> Numbers:
        """The number of each."""
        return self._numbering.numbers(states).view(np.int64)

    def ends(self, states: Words, back: bool) -> Iterator[tuple[Numbers, Words]]:
        """All whole moves, made or taken back: the places of the positions that they begin at, and their ends."""
        return ((made.origin, made.result) for made in self._game.moves_from(states, back))

    def least(self, states: Words, back: bool, values: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """The least of the values, by numbers, of the ends of all whole moves, 255 where there are none.

        A peg goes on only from stops whose value is no more than the least that is found by then. For a stop is a state
        whose own moves include the rest of this one. So its value, where it is right, is at most one more than that of
        any end which the peg comes to from there. And where it is wrong, that is found at the stop itself: the values
        of a rank need those of the ranks before it alone.
        """
        least = np.full(len(states), NONE, np.uint8)
        for standing in self._game.landed(states, back):
            found = {hole: values.take(self.numbers(words)) for hole, (_, words) in standing.items()}
            for hole, (origin, _) in standing.items():
                np.minimum.at(least, origin, found[hole])
            for hole, (origin, words) in standing.items():
                on = np.flatnonzero(found[hole] <= np.minimum(least, NONE - 1).take(origin))
                standing[hole] = origin.take(on), words.take(on)
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
