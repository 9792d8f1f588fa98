"""How the optimal placements of one board look."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from boardspace.spaces.five_in_a_row.errors import explained
from boardspace.spaces.five_in_a_row.fewest import board_of, fewest
from boardspace.spec.wording import counted
from boardspace_kernels.five_in_a_row.structure import defects, orbit_sizes, windows


@dataclass(frozen=True)
class Structure:
    """The optimal placements of a board, as they look.

    orbits: by size, how many orbits they form under the symmetries of the board.
    defects: by number of cells, how many placements differ in so many from the nearest window of the pattern of least
        density.
    """

    rows: int
    columns: int
    k: int
    stones: int
    orbits: dict[int, int]
    defects: dict[int, int]

    def document(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return asdict(self)

    def __str__(self) -> str:
        number = sum(size * orbits for size, orbits in self.orbits.items())
        sizes = ", ".join(f"{orbits:,} of {size}" for size, orbits in self.orbits.items())
        return "\n".join([
            f"X({self.rows}, {self.columns}, {self.k}) = {self.stones}, {counted(number, 'placement')}",
            f"orbits under the symmetries of the board: {sum(self.orbits.values()):,} ({sizes})",
            "cells that differ from the pattern of least density, and placements:",
            *(f"{cells:>4}  {ways:,}" for cells, ways in self.defects.items()),
        ])  # fmt: skip


def structure(rows: int, columns: int, k: int = 5) -> Structure:
    """Describe how the optimal placements of a board look; BoardspaceError where they are more than 100,000, or there
    is no pattern for k.

    >>> structure(8, 8, k=3)
    Structure(rows=8, columns=8, k=3, stones=28, orbits={1: 1}, defects={32: 1})
    """
    with explained():
        board = board_of(rows, columns, k)
        windows(board)
        found = fewest(rows, columns, k)
        placements = found.placements()
        orbits = orbit_sizes(board, placements)
        apart, ways = (values.tolist() for values in np.unique(defects(board, placements), return_counts=True))
    return Structure(rows, columns, k, found.stones, orbits, dict(zip(apart, ways, strict=True)))
