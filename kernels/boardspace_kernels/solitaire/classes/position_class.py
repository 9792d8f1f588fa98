"""A class of positions, numbered: which position is which bit of a bitmap, and in which order they can be made.

In a class the parities of :mod:`boardspace_kernels.solitaire.board` are given. Solved for as many ends as can be, they
say of these, the *dependent* ends, whether they have a peg once the others are known; what is left of them are
conditions on the core alone. So a position of the class is known by its *block*, the word of the core's pegs, and its
*place*, the word of the pegs on the free ends; its number is

    number = block * 2^p + place,        p = max(3, free ends),

and a class is a bitmap of 2^p times 2^(holes of the core) bits, each block a whole number of bytes: 1 GiB for 37 holes.
Where conditions on the core are left (one on the English board), blocks that break them hold no position.

The bits of a block's number go by orbits of holes under the symmetries of the board, small orbits first where they fill
the lowest bits up to twelve, or eighteen of a large core: so a symmetry permutes the bits below such a border, and
those above it, among themselves. The dependents are taken from small orbits first, so that where a few whole orbits
suffice (the inner corners of the board of 37 holes) a symmetry permutes the bits of a place as well.

Within a block a dependent end has the value (of the core's *sign*, the values it has at place 0) XOR (a parity of
the place). The sign is linear in the core, up to a constant of the class.

A class and its *complement*, the positions with pegs and empty holes exchanged, are numbered from opposite ends: the
number of the complement of a position is the complement of its number.

A hole that no jump passes over is an *end*; the others are the *core*. The pegs of the core are the number of a block
of positions, and a jump that has an end at one side or at both changes the core in its other holes. Blocks can be made
one after the other if every jump leads to a core that is lighter, for some weight of each hole of the core (an end
weighs nothing). A jump from a over b to c lowers the weight by w(a) + w(b) - w(c), which has to be positive:

* where a and b are in the core, it is so if no hole weighs as much as two others;
* where a is an end and c is not, b has to weigh more than c;
* where both are ends, w(b) > 0 does.

Draw an arrow from b to c for the second kind. Let x(b) be the longest path of arrows from b, and the weight
K + x(b), with K larger than every x: all conditions hold. If the arrows have a cycle, no weights can meet them; so the
ends whose arrows lie on a cycle are counted as core, which has fewer conditions, until there is none. On the English
board and its relatives x is 1 on the holes over which an end jumps into the core, and the weights are 3 there, else 2.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from boardspace_kernels.solitaire.board import Board, BoardError, board_invariants, parity, solve_for

Arrow = tuple[int, int]


class Weights(NamedTuple):
    """ends: the holes that are bits inside a block. core: the others. weight: of each hole, 0 of an end."""

    ends: tuple[int, ...]
    core: tuple[int, ...]
    weight: tuple[int, ...]


def find_weights(board: Board) -> Weights:
    """Weights with as many ends as the longest-path weights allow."""
    jumps: list[list[int]] = board.jumps.tolist()
    ends = set(range(board.holes)) - {over for _, over, _ in jumps}
    # An end that becomes core makes arrows of the jumps of ends into it, so cycles are looked for again.
    while spoilt := _on_cycles(jumps, ends):
        ends -= spoilt
    extra = _longest_paths(board.holes, {arrow for _, arrow in _arrows(jumps, ends)})
    weight = [0 if hole in ends else max(extra) + 1 + extra[hole] for hole in range(board.holes)]
    core = tuple(hole for hole in range(board.holes) if hole not in ends)
    return Weights(tuple(sorted(ends)), core, tuple(weight))


def _arrows(jumps: list[list[int]], ends: set[int]) -> list[tuple[int, Arrow]]:
    """Each jump of an end into the core: the end, and (hole passed over, hole reached)."""
    return [(a, (b, c)) for a, b, c in jumps if a in ends and c not in ends]


def _on_cycles(jumps: list[list[int]], ends: set[int]) -> set[int]:
    """The ends with an arrow on a cycle."""
    arrows = _arrows(jumps, ends)
    return {end for end, (b, c) in arrows if b in _reachable(c, {arrow for _, arrow in arrows})}


def _reachable(hole: int, arrows: set[Arrow]) -> set[int]:
    found, fresh = {hole}, {hole}
    while fresh:
        fresh = {c for b, c in arrows if b in fresh} - found
        found |= fresh
    return found


def _longest_paths(holes: int, arrows: set[Arrow]) -> list[int]:
    """For each hole the number of arrows on the longest path from it; the arrows have no cycle."""
    longest = [0] * holes
    # A path without cycles has fewer arrows than there are holes, so after these rounds nothing changes.
    for _ in range(holes):
        longest = [max((1 + longest[c] for b, c in arrows if b == hole), default=0) for hole in range(holes)]
    return longest


LOW_BITS = 12
LOW_BITS_OF_LARGE = 18
LARGE_CORE = 31
MOST_DEPENDENTS = 8
MOST_CONDITIONS = 8
MOST_FREE_ENDS = 20
MOST_CORE = 40
BITS_OF_A_BYTE = 3
BITS_OF_A_WORD = 6


class ClassTooLargeError(ValueError):
    """The board's classes cannot be held as bitmaps; the text says what there is too much of."""


@dataclass(frozen=True, eq=False)
class PositionClass:
    """The class of a board that ``member`` is in; ClassTooLargeError where the board's classes are too large."""

    board: Board
    member: int

    def __post_init__(self) -> None:
        self.board.check(self.member)
        for count, most, what in (
            (len(self.dependents), MOST_DEPENDENTS, "ends that follow from the others"),
            (len(self.conditions), MOST_CONDITIONS, "conditions on the core"),
            (len(self.free), MOST_FREE_ENDS, "free ends"),
            (len(self.core), MOST_CORE, "holes in the core"),
        ):
            if count > most:
                raise ClassTooLargeError(
                    f"board {self.board.name!r}: {count} {what}; position classes are made of boards with up to {most}"
                )

    @cached_property
    def weights(self) -> Weights:
        """Ends, core and weights of the board."""
        return find_weights(self.board)

    @cached_property
    def core(self) -> tuple[int, ...]:
        """The holes of the core; that of bit i of a block's number at index i."""
        return tuple(hole for orbit in self._core_orbits for hole in orbit)

    @cached_property
    def borders(self) -> tuple[int, ...]:
        """The numbers of lowest bits of a block's number that symmetries of the board permute among themselves."""
        return tuple(accumulate(map(len, self._core_orbits), initial=0))

    @property
    def most_low_bits(self) -> int:
        """The most bits of the low part of a block's number, and at most half of all: twelve, whose lists stay in the
        first level of cache; of a large core more, so that high parts are few enough for tables."""
        core = len(self.weights.core)
        return min(LOW_BITS if core < LARGE_CORE else LOW_BITS_OF_LARGE, core // 2)

    @cached_property
    def _core_orbits(self) -> list[tuple[int, ...]]:
        """First those whose holes together fill the low bits best."""
        orbits = _orbits(self.board, self.weights.core)
        sums: dict[int, list[tuple[int, ...]]] = {0: []}
        for orbit in orbits:
            # By number of holes the first choice of orbits that has so many, of small ones where these suffice.
            for size in list(sums):
                sums.setdefault(size + len(orbit), [*sums[size], orbit])
        first = sums[max(size for size in sums if size <= self.most_low_bits)]
        return [*first, *(orbit for orbit in orbits if orbit not in first)]

    @cached_property
    def _solved(self) -> tuple[dict[int, int], list[int]]:
        ends = [hole for orbit in _orbits(self.board, self.weights.ends) for hole in orbit]
        return solve_for(board_invariants(self.board), ends)

    @cached_property
    def dependents(self) -> tuple[int, ...]:
        """The ends that follow from the others; that of bit i of a sign at index i."""
        return tuple(self._solved[0])

    @property
    def conditions(self) -> list[int]:
        """The sets of core holes whose parity is given in the class, each as a word of holes."""
        return self._solved[1]

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The other ends; that of bit i of a place at index i."""
        return tuple(hole for hole in self.weights.ends if hole not in self.dependents)

    @property
    def place_bits(self) -> int:
        """p: the bits of a block are 2^p."""
        return max(BITS_OF_A_BYTE, len(self.free))

    @property
    def blocks(self) -> int:
        """Number of blocks, those that hold no position included."""
        return 1 << len(self.core)

    @property
    def word_type(self) -> DTypeLike:
        """The type of a block's words: as wide as the block, 64 bits at most."""
        # 2^b bits are 2^(b - 3) bytes.
        return np.dtype(f"u{1 << min(self.place_bits, BITS_OF_A_WORD) - BITS_OF_A_BYTE}")

    @property
    def words(self) -> int:
        """Words of a block."""
        return 1 << max(0, self.place_bits - BITS_OF_A_WORD)

    @property
    def bytes(self) -> int:
        """Size of the bitmap."""
        return self.blocks << self.place_bits - BITS_OF_A_BYTE

    @cached_property
    def _rows(self) -> list[int]:
        """The equations: of the dependents, then the conditions."""
        return [*self._solved[0].values(), *self.conditions]

    def signs_of(self, holes: Sequence[int]) -> list[int]:
        """For each hole the bits of the sign, and above them of the conditions, that a peg on it flips."""
        return [sum((row >> hole & 1) << i for i, row in enumerate(self._rows)) for hole in holes]

    @cached_property
    def constant(self) -> int:
        """The sign and the conditions of the class where all core holes and free ends are empty."""
        return sum(parity(row & self.member) << i for i, row in enumerate(self._rows))

    @cached_property
    def place_signs(self) -> NDArray[np.int64]:
        """int64 (2^free): what a place flips of the sign."""
        return linear_table(self.signs_of(self.free))

    @cached_property
    def end_masks(self) -> NDArray[np.uint64]:
        """uint64 (2^dependents, 2^free): the pegs on the ends, as words of holes, by sign and place."""
        dependents = linear_table([1 << hole for hole in self.dependents]).astype(np.uint64)
        places = linear_table([1 << hole for hole in self.free]).astype(np.uint64)
        # Conditions have no ends, so a place flips bits of the sign alone, and the result is a sign.
        signs = np.arange(1 << len(self.dependents))[:, None] ^ self.place_signs
        return dependents[signs] | places

    def contains(self, position: int) -> bool:
        """Return whether the position is in the class, that is, has the parities of the member."""
        return all(parity(row & (self.board.check(position) ^ self.member)) == 0 for row in self._rows)

    def number(self, position: int) -> int:
        """The number of a position; BoardError, with the parity that differs, where it is not in the class."""
        for row in self._rows:
            if parity(row & (self.board.check(position) ^ self.member)):
                holes = ", ".join(map(str, self.board.pegs(row)))
                raise BoardError(
                    f"board {self.board.name!r}: not in the class of this start: no jump changes whether the pegs on "
                    f"{holes} are even or odd in number, and this position has it the other way"
                )
        return _gather(position, self.core) << self.place_bits | _gather(position, self.free)

    def positions(self, numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
        """uint64 (p): the positions of numbers, int64 (p), each of one of the class."""
        block, place = numbers >> self.place_bits, numbers & (1 << self.place_bits) - 1
        sign, found = np.full(len(numbers), self.constant), np.zeros(len(numbers), np.uint64)
        for bit, (hole, flipped) in enumerate(zip(self.core, self.signs_of(self.core), strict=True)):
            pegs = block >> bit & 1
            sign ^= flipped * pegs
            found |= pegs.astype(np.uint64) << np.uint64(hole)
        # The bits of the conditions, above those of the sign, are cut off: in blocks with positions they are 0.
        return found | self.end_masks[sign & (1 << len(self.dependents)) - 1, place]

    def members(self, blocks: NDArray[np.unsignedinteger], cores: NDArray[np.int64]) -> NDArray[np.uint64]:
        """uint64 (p): the positions that blocks, word (b, words), have bits for; cores: int64 (b), their numbers."""
        some = blocks.any(axis=1)
        as_bytes = np.ascontiguousarray(blocks[some]).view(np.uint8)
        # Bits are numbered from the lowest of the first byte on, so the number of a bit in its block is its place.
        at, place = np.nonzero(np.unpackbits(as_bytes, axis=1, bitorder="little"))
        return self.positions(cores[some][at] << self.place_bits | place)

    def numbers(self, positions: NDArray[np.uint64]) -> NDArray[np.uint64]:
        """uint64 (p): the numbers of positions of the class, uint64 (p)."""
        found = np.zeros(len(positions), np.uint64)
        for holes, shift in ((self.core, self.place_bits), (self.free, 0)):
            for bit, hole in enumerate(holes):
                found |= (positions >> np.uint64(hole) & np.uint64(1)) << np.uint64(bit + shift)
        return found

    @property
    def complement(self) -> "PositionClass":
        """The class of the complements."""
        return PositionClass(self.board, self.board.full ^ self.member)


def linear_table(images: Sequence[int]) -> NDArray[np.int64]:
    """int64 (2^n): the XOR of ``images[i]`` over the bits i of the index."""
    table = np.zeros(1, np.int64)
    for image in images:
        # In the second half the index has one bit more, that of this image.
        table = np.concatenate([table, table ^ image])
    return table


def _orbits(board: Board, holes: Sequence[int]) -> list[tuple[int, ...]]:
    """The orbits of some holes, which symmetries of the board permute, under these: smaller ones first."""
    found = (orbit for orbit in board.orbits if not set(orbit).isdisjoint(holes))
    return sorted(found, key=lambda orbit: (len(orbit), orbit))


def _gather(position: int, holes: Sequence[int]) -> int:
    return sum((position >> hole & 1) << bit for bit, hole in enumerate(holes))
