"""Position classes: what no jump can change.

A jump flips its three holes, so as words over GF(2) all positions that a start can lead to differ from it by sums of
jumps' masks: they lie in one coset of the space spanned by the masks. On boards like the English one its codimension
is 4, which gives the 16 classes of Reiss (Beitraege zur Theorie des Solitaer-Spiels, J. reine angew. Math. 54, 1857);
over GF(4) they are the values of two sums of powers of a cube root of one along the two diagonals. Nothing of
that has to be known here: elimination finds the classes of any board, whatever its lattice.

Equal class is necessary for a solution, not sufficient.
"""

from dataclasses import dataclass
from functools import cached_property

from boardspace_kernels.solitaire.board import Board


@dataclass(frozen=True, eq=False)
class PositionClasses:
    """The classes of one board's positions."""

    board: Board

    @cached_property
    def basis(self) -> tuple[int, ...]:
        """A reduced basis of the span of the jumps' masks: each leading (highest) bit is in one vector only."""
        basis: list[int] = []
        for jump in self.board.jumps.tolist():
            vector = self._reduced(sum(1 << hole for hole in jump), basis)
            if vector:
                lead = 1 << vector.bit_length() - 1
                basis = [other ^ vector if other & lead else other for other in basis]
                basis.append(vector)
        return tuple(sorted(basis, reverse=True))

    @property
    def count(self) -> int:
        """Number of classes: 2 to the power of the span's codimension."""
        return 1 << self.board.holes - len(self.basis)

    def representative(self, position: int) -> int:
        """The least position of the same class."""
        return self._reduced(self.board.check(position), self.basis)

    @staticmethod
    def _reduced(vector: int, basis: tuple[int, ...] | list[int]) -> int:
        for other in basis:
            if vector >> other.bit_length() - 1 & 1:
                vector ^= other
        return vector
