"""A lower bound for moves that can be read: regions that have to be left, and weights that count them.

**Regions.** Take a set R of holes such that every jump over a hole of R begins or ends in R. While R is full nothing
can jump into it or over any hole of it from outside, so the first change in R is a jump that begins in R, and as no peg
can have come into R before, it begins a move: some move begins in a hole of R. This holds for every R that is full in a
position and is not full at the goal. (R. Merson 1962; J. D. Beasley, The Ins and Outs of Peg Solitaire, 1985.)

**Balance.** In a game from a position to the goal let b(h) moves begin and e(h) moves end in the hole h. The pegs that
are jumped over in h are e(h) - b(h) plus the peg there now, less the peg there at the goal: this is not negative, and
zero in a hole that no jump passes over. A jump goes two holes along an axis, so a move ends in the class of holes, by
row and column modulo 2, in which it begins: b and e have equal sums over each class.

**Weights.** Give each region R a weight u(R) >= 0, each hole a weight v(h), not negative where a jump passes over h,
and each class c a weight w(c), such that for every hole h of class c

    u(regions that hold h) - v(h) + w(c) <= 1   and   v(h) <= w(c).

Add b(h) times the first and e(h) times the second of these over all holes: the number of moves is at least

    u(full regions) + sum of v(h) * (peg of the goal in h - peg in h).

This is the duality of linear programming, and is checked by adding. Weights are integers here, in parts of ``unit``.

For the Last Supper, 24 regions of weight 1/2 say in two lines that 12 moves are needed. For 15, play is branched: every
move is made from every position that no weighing excludes, where n moves are left and a weighing says that more than n
are needed. What is published is the list of weighings; this module checks it, and makes the moves by the checker of
certificates (``certificate``), sharing no code with the search.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.solitaire.certificate import Claim, Layer, check_symmetries, images_of, jumps_of, results_of


class WeighingError(ValueError):
    """The weighings do not prove what they are said to; the text says where they fail."""


class Weighing(NamedTuple):
    """Weights in parts of a unit: ``regions`` one for each region, ``holes`` for each hole, ``classes`` four.

    The class of a hole in row r and column c is 2 (r modulo 2) + (c modulo 2).
    """

    regions: Sequence[int]
    holes: Sequence[int]
    classes: Sequence[int]


class Branching(NamedTuple):
    """Positions that were gone through: for k = 0, 1, ... those after k moves up to symmetry, and of these those not
    excluded."""

    found: tuple[int, ...]
    branched: tuple[int, ...]


class Bound:
    """Weighings of one claim's board and goal, checked when they are put together.

    regions: each the holes of one. unit: what the weights are parts of. WeighingError for a set that is no region, a
    region that the goal fills, or weights that break a condition.
    """

    def __init__(
        self, claim: Claim, regions: Sequence[Sequence[int]], weighings: Sequence[Weighing], unit: int
    ) -> None:
        jumps = jumps_of(claim)
        check_symmetries(claim, jumps)
        self.claim, self.unit = claim, unit
        for region in regions:
            _check_region(region, jumps, claim.goal)
        self._regions = np.array([sum(1 << hole for hole in region) for region in regions], dtype=np.uint64)
        inside = np.array([[hole in region for region in regions] for hole in range(len(claim.cells))])
        passed = {over for _, over, _ in jumps}
        for number, weighing in enumerate(weighings):
            self._check(number, weighing, inside, passed)
        # Small integers, so that products of floats are exact.
        rows = [[*w.regions, *w.holes] for w in weighings]
        self._weights = np.array(rows, dtype=np.float64).reshape(len(rows), len(regions) + len(claim.cells)).T
        self._goal = _bits(np.array([claim.goal], np.uint64), len(claim.cells))

    def least(self, positions: Layer) -> NDArray[np.int64]:
        """int64 (p): for each position the moves to the goal that the best of all weighings, and images, asks for."""
        best = np.zeros(len(positions))
        for seen in images_of(positions, self.claim.symmetries):
            full = (seen[:, None] & self._regions) == self._regions
            facts = np.hstack([full, self._goal - _bits(seen, len(self.claim.cells))])
            # Symmetries keep the goal, so what an image needs to get there the position needs, too.
            best = np.maximum(best, (facts @ self._weights).max(axis=1, initial=0))
        return np.ceil(best / self.unit).astype(np.int64)

    def prove(self, moves: int) -> Branching:
        """Branch over all games of fewer than ``moves`` moves; WeighingError where one reaches the goal."""
        steps = [(a, b, c, True) for a, b, c in jumps_of(self.claim)]
        here = np.array([self.claim.start], np.uint64)
        found, branched = [], []
        for left in range(moves - 1, -1, -1):
            found.append(len(here))
            if np.any(here == np.uint64(self.claim.goal)):
                raise WeighingError(f"the goal is reached in {moves - 1 - left} moves, not in {moves}")
            # With no move left nothing is branched: the goal, which needs none, was looked for before.
            here = here[self.least(here) <= left] if left else here[:0]
            branched.append(len(here))
            results = results_of(here, len(self.claim.cells), steps)
            parts = [images_of(part, self.claim.symmetries).min(axis=0) for part in results]
            # Sorted and not by `np.unique`, which hashes, and takes a hundred times as long for millions of words.
            here = np.sort(np.concatenate([np.empty(0, np.uint64), *parts]))
            here = here[np.append(True, here[1:] != here[:-1])[: len(here)]]
        return Branching(tuple(found), tuple(branched))

    def _check(self, number: int, weighing: Weighing, inside: NDArray[np.bool_], passed: set[int]) -> None:
        regions, holes, classes = (np.array(weights, dtype=np.int64) for weights in weighing)
        of = np.array([2 * (row % 2) + column % 2 for row, column in self.claim.cells])
        if (len(regions), len(holes), len(classes)) != (inside.shape[1], len(of), 4):
            raise WeighingError(f"weighing {number} has not one weight for each region, hole and class")
        if np.any(regions < 0):
            raise WeighingError(f"weighing {number}: a region has a negative weight")
        for hole in range(len(of)):
            if hole in passed and holes[hole] < 0:
                raise WeighingError(f"weighing {number}: hole {hole}, which a jump passes over, has a negative weight")
            begun = inside[hole] @ regions - holes[hole] + classes[of[hole]]
            if begun > self.unit or holes[hole] > classes[of[hole]]:
                raise WeighingError(f"weighing {number}: a move that begins or ends in hole {hole} counts for too much")


def _check_region(region: Sequence[int], jumps: list[tuple[int, int, int]], goal: int) -> None:
    inside = set(region)
    if any(over in inside and a not in inside and c not in inside for a, over, c in jumps):
        raise WeighingError(f"{sorted(inside)} is no region: a jump over one of its holes begins and ends outside")
    if all(goal >> hole & 1 for hole in inside):
        raise WeighingError(f"{sorted(inside)} is full at the goal, so that nothing has to leave it")


def _bits(positions: Layer, holes: int) -> NDArray[np.float64]:
    """float64 (p, holes): 1 for a peg."""
    return (positions[:, None] >> np.arange(holes, dtype=np.uint64) & np.uint64(1)).astype(np.float64)
