"""Questions about boards without end: strips of a few columns and any length, and the whole plane."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row.drawings import board_lines, explained, picture
from boardspace.spec.arguments import shown, whole, within
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.five_in_a_row import strip_states
from boardspace_kernels.five_in_a_row.periodic import best_linear_pattern
from boardspace_kernels.five_in_a_row.strip_density import Density, density, strip_certificate

LONGEST_PERIOD = 20
LONGEST_PATTERN = 1000
"""The longest k of a pattern of the plane: a search of seconds."""
MOST_CELLS = 100_000_000
"""Cells of a window of a pattern."""


@dataclass(frozen=True)
class Strip:
    """The fewest stones X(n) of strips of ``width`` columns that leave no ``k`` cells in a row free, for every number n
    of rows.

    period, stones: X(n + period) = X(n) + stones for n of ``start_rows`` or more.
    fewest: X(0), X(1), ..., X(start_rows + period - 1).
    """

    width: int
    k: int
    period: int
    stones: int
    start_rows: int
    fewest: tuple[int, ...] = field(repr=False)
    _proved: Density = field(repr=False, compare=False)

    @property
    def density(self) -> Fraction:
        """Stones a cell in the long run; no pattern of the plane has fewer."""
        return Fraction(self.stones, self.period * self.width)

    @property
    def pattern(self) -> npt.NDArray[np.bool_]:
        """Rows that can be repeated for ever with so few stones, bool (rows, width)."""
        return self._proved.pattern

    def stones_of(self, rows: int) -> int:
        """X(rows), for any number of rows.

        >>> strip(5, k=3).stones_of(1000)
        2332
        """
        if whole("rows", rows) < 0:
            raise BoardspaceError(f"a strip has 0 rows or more; got {rows}")
        return self._proved.stones_of(rows)

    def certificate(self) -> dict[str, Any]:
        """The proof of the density, as JSON values: the pattern, and a potential of every state; the kernels'
        ``strip_checker`` checks it in plain Python."""
        return dict(strip_certificate(self._proved))

    def document(self) -> dict[str, Any]:
        """All of it as JSON values, with the certificate."""
        return self.certificate() | {"start_rows": self.start_rows, "fewest": list(self.fewest)}

    def __str__(self) -> str:
        continues = f"X(n + {self.period}) = X(n) + {self.stones} for n >= {self.start_rows}"
        return "\n".join([
            f"{self.width} columns, k = {self.k}: {continues}",
            f"X(0), X(1), ... = {', '.join(map(str, self.fewest))}",
            f"in the long run {self.density} of the cells, as in these rows for ever:",
            *board_lines(self.pattern),
        ])  # fmt: skip

    def _repr_svg_(self) -> str:
        return picture(self.pattern).svg()


@dataclass(frozen=True)
class Plane:
    """A pattern that leaves no ``k`` cells in a row of the plane free: stones where (x + ``slope`` y) modulo
    ``modulus`` is one of ``residues``."""

    k: int
    modulus: int
    slope: int
    residues: tuple[int, ...]

    @property
    def density(self) -> Fraction:
        """Stones a cell."""
        return Fraction(len(self.residues), self.modulus)

    def window(self, rows: int, columns: int) -> npt.NDArray[np.bool_]:
        """A part of it, bool (rows, columns), from x = y = 0; BoardspaceError beyond 100,000,000 cells."""
        rows, columns = within("rows", rows, 0, MOST_CELLS), within("columns", columns, 0, MOST_CELLS)
        if rows * columns > MOST_CELLS:
            raise BoardspaceError(f"a window of {rows:,} x {columns:,}: up to {MOST_CELLS:,} cells are made")
        y, x = np.indices((rows, columns), sparse=True)
        return np.isin((x + self.slope * y) % self.modulus, self.residues)

    def document(self) -> dict[str, Any]:
        """All of it as JSON values."""
        return {"k": self.k, "modulus": self.modulus, "slope": self.slope, "residues": list(self.residues)}

    def __str__(self) -> str:
        left = f"{', '.join(map(str, self.residues))} modulo {self.modulus}"
        return "\n".join([
            f"k = {self.k}: {self.density} of the cells, where x + {self.slope} y leaves {left}",
            *board_lines(self.window(self.modulus, self.modulus)),
        ])  # fmt: skip

    def _repr_svg_(self) -> str:
        return picture(self.window(self.modulus, self.modulus)).svg()


def strip(width: int, k: int = 5) -> Strip:
    """The fewest stones that block every k in a row of strips of ``width`` columns, for every length, proved.

    BoardspaceError for a width below k, and for one with too many states: each column more takes four times as long.

    >>> strip(5, k=3).density
    Fraction(7, 15)
    """
    with explained():
        found = density(strip_states.strip(whole("k", k), whole("width", width)))
    return Strip(width, k, found.period, found.stones, found.start_rows, found.fewest, found)


def least_of_the_plane(weights: Sequence[int], k: int = 5) -> Fraction:
    """A density that no pattern of the plane which leaves no ``k`` cells in a row free falls below, proved by a strip
    with a column for each of the ``weights`` of a stone: whole numbers, together up to 109.

    BoardspaceError for fewer weights than ``k``, for other weights, and for a strip with too many states.

    >>> least_of_the_plane([1, 4, 2, 4, 1], k=4)
    Fraction(1, 3)
    """
    if not isinstance(weights, list | tuple):
        raise BoardspaceError(f"weights: a list of whole numbers, such as [1, 2, 1], is wanted, not {shown(weights)}")
    weights = [whole("weight", weight) for weight in weights]
    with explained():
        return density(strip_states.strip(whole("k", k), len(weights)), weights).of_the_plane


def plane(k: int = 5, modulus: int = 16) -> Plane:
    """The pattern of least density that repeats along every row within ``modulus`` cells, each row the one above moved.

    Other patterns may have fewer stones; no fewer than strips have. BoardspaceError where k is not 2 to 1,000, or
    modulus not 1 to 20: a search of seconds.

    >>> print(plane(5))
    k = 5: 1/5 of the cells, where x + 2 y leaves 0 modulo 5
    #....
    ...#.
    .#...
    ....#
    ..#..
    """
    with explained():
        found = best_linear_pattern(within("k", k, 2, LONGEST_PATTERN), within("modulus", modulus, 1, LONGEST_PERIOD))
    return Plane(k, found.modulus, found.slope, found.residues)
