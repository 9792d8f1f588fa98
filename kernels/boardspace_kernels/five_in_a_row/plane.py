"""The whole plane: patterns that leave no k cells in a row free, with few stones a cell.

A *linear pattern* has a stone on (x, y) where (x + slope * y) mod modulus is one of its residues. Along a row the
residue grows by 1 from cell to cell, along a column by the slope, along the diagonals by slope + 1 and slope - 1; so a
line is k residues in arithmetic progression, and the pattern blocks the plane if its residues hit all of them: a
hitting set of at most 4 * modulus sets. Its density is residues / modulus. Best cells that are linear are the patterns
with modulus k and one residue.

From below: a plane is cut into boards, and into strips, so no pattern has fewer stones a cell than N x M boards or
strips of any width have at least (:mod:`.minimum`, :mod:`.strip_density`), and none fewer than 1 in k.
"""

from dataclasses import dataclass
from fractions import Fraction

from boardspace_kernels.five_in_a_row.board import MIN_K, BoardError

LARGEST_MODULUS = 16


@dataclass(frozen=True)
class LinearPattern:
    """Stones where (x + ``slope`` * y) mod ``modulus`` is one of ``residues``."""

    modulus: int
    slope: int
    residues: tuple[int, ...]

    @property
    def density(self) -> Fraction:
        """Stones a cell."""
        return Fraction(len(self.residues), self.modulus)

    def blocks(self, k: int) -> bool:
        """Return whether no k cells in a row are free anywhere."""
        stones = _word(self.residues)
        return all(line & stones for line in _lines(k, self.modulus, self.slope))


def best_linear_pattern(k: int, largest: int = LARGEST_MODULUS) -> LinearPattern:
    """The linear pattern of least density with a modulus up to ``largest``, of these the first.

    Raises:
        BoardError: k below 2, or no pattern since ``largest`` is below 1.
    """
    if k < MIN_K or largest < 1:
        raise BoardError(f"patterns are for k of {MIN_K} or more and a modulus of 1 or more, not {k} and {largest}")
    best = LinearPattern(1, 0, (0,))
    for modulus in range(2, largest + 1):
        for slope in range(modulus):
            lines = _lines(k, modulus, slope)
            fewer = _stones_below(best.density, modulus)
            while fewer * k >= modulus and (found := _hitting(lines, fewer)) is not None:
                best = LinearPattern(modulus, slope, found)
                fewer = len(found) - 1
    return best


def _stones_below(density: Fraction, modulus: int) -> int:
    """The most stones among ``modulus`` cells that are fewer than ``density`` has."""
    return -(-density.numerator * modulus // density.denominator) - 1


def _word(residues: tuple[int, ...]) -> int:
    return sum(1 << residue for residue in residues)


def _lines(k: int, modulus: int, slope: int) -> list[int]:
    """The sets of residues of all lines, as words of bits, without those that contain another."""
    steps = {1 % modulus, slope % modulus, (slope + 1) % modulus, (slope - 1) % modulus}
    sets = {_word(tuple({(a + i * step) % modulus for i in range(k)})) for step in steps for a in range(modulus)}
    return [one for one in sorted(sets) if not any(other & one == other for other in sets - {one})]


def _hitting(lines: list[int], most: int) -> tuple[int, ...] | None:
    """At most so many residues, 0 among them, that hit all lines; None where there are none. Any hitting set can be
    moved to one with 0."""
    found = _completed(1, 0, most - 1, [line for line in lines if not line & 1]) if most else None
    return None if found is None else tuple(i for i in range(found.bit_length()) if found >> i & 1)


def _completed(chosen: int, banned: int, most: int, lines: list[int]) -> int | None:
    """``chosen`` with at most ``most`` residues more, none of them banned, so that all ``lines`` are hit."""
    if not lines:
        return chosen
    if _disjoint(lines, banned) > most:
        return None
    open_line = min((line & ~banned for line in lines), key=lambda line: (line.bit_count(), line))
    while open_line:
        residue = open_line & -open_line
        open_line ^= residue
        found = _completed(chosen | residue, banned, most - 1, [line for line in lines if not line & residue])
        if found is not None:
            return found
        banned |= residue
    return None


def _disjoint(lines: list[int], banned: int) -> int:
    """Number of lines found that share no residue that is allowed: each needs one of its own."""
    used = number = 0
    for line in lines:
        if not line & ~banned & used:
            used |= line & ~banned
            number += 1
    return number
