"""From small boards to all boards: what a computed board proves of every larger one in its class modulo k; the plane.

Let L(N, M) be the stones of the best lattice window (see below), so X <= L and L(N + k, M) = L(N, M) + M.

Stones. The lowest k rows of an (N + k) x M board hold a stone in each of the M columns, and the N rows above need
X(N, M), so X(N + k, M) >= X(N, M) + M. Hence X = L on N x M implies X = L on (N + k) x M, and so on; and the same for
columns.

Placements. Let d be the number of rows that tell a best cell: no two of them agree in d rows one after the other,
around the edge. Suppose that X = L, that all optimal placements of N x M are lattice windows, and that N >= k + d and
M >= k. Take an optimal placement of (N + k) x M. Its lowest k rows hold at least M stones and its upper N rows at
least X(N, M), and there are exactly that many in all, so the upper N rows are an optimal placement, a window of a
lattice. By the same token so are the lowest N rows. The two windows share N - k >= d rows of M >= k cells; each such
row tells the column of its stone modulo k, and d of them tell the best cell, so they are windows of one lattice, and
the whole placement is a window of it. It has L stones, so it is one that the construction finds. Hence the
construction is complete for (N + k) x M too. Columns are the same: a best cell turned over its diagonal is one.

d is computed from the list of all best cells (:func:`.best_cells.rows_that_tell`), not taken for granted. It is 2 for
k = 5, 7 and 11, where every best cell is linear (row y has its stone at column s y + t modulo k), and 8 for k = 13,
where most are not.

All boards. Let all boards with sides k to S be computed. If every board with sides to S + k is one of these or
follows from one, every board follows: of a larger one take k rows off, again and again, until N is in S + 1 .. S + k,
and columns likewise; the board that is left follows, and so do the rows and columns put back. The same for
completeness, where sides above S are long enough to carry it (S >= k + d - 1), and the boards that do not follow are
computed ones that have more placements: then these are all the exceptions there are.

For k = 5 the boards up to 11 x 11 prove the source's formula and its method complete for all boards but 5 x 5 and 5 x
6; the source states it for all and does not prove it, its argument takes for granted that every 5 x 5 block of an
optimal placement is a best cell. For k = 7 the boards up to 20 x 20 do the same: X = L everywhere, which is one less
than floor(N M / 7) where the sides leave 2 and 4, or 3 and 5, and 14 boards, up to 13 x 13, have more placements.

Lattice windows are the source's construction: windows of best cells repeated over the plane. An N x M window of a
pattern of period k holds, with a = N div k, b = M div k, i = N mod k, j = M mod k,

    k a b + a j + b i + (stones in the i x j corner window)

stones, since every k cells of a row or a column hold one. So the best window is one whose i x j corner is poorest,
and

    A(i, j) = fewest stones of an i x j window of a best cell,      stones = k a b + a j + b i + A(i, j).

The source prints A for k = 5, and claims that A(i, j) = floor(i j / 5), that this many stones are the fewest, and
that these windows are all optimal placements. The set of best cells is closed under translation around the torus, so
the windows at the upper left corners of the best cells are all windows there are.

The whole plane. A *linear pattern* has a stone on (x, y) where (x + slope * y) mod modulus is one of its residues.
Along a row the residue grows by 1 from cell to cell, along a column by the slope, along the diagonals by slope + 1 and
slope - 1; so a line is k residues in arithmetic progression, and the pattern blocks the plane if its residues hit all
of them: a hitting set of at most 4 * modulus sets. Its density is residues / modulus. Best cells that are linear are
the patterns with modulus k and one residue. From below: a plane is cut into boards, and into strips, so no pattern has
fewer stones a cell than N x M boards or strips of any width have at least (:mod:`.minimum`, :mod:`.strip_density`), and
none fewer than 1 in k.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.best_cells import Cells, best_cells, rows_that_tell
from boardspace_kernels.five_in_a_row.board import MIN_K, BoardError

Sides = tuple[int, int]

LARGEST_MODULUS = 16


@dataclass(frozen=True)
class Computed:
    """Findings of an exhaustive search of a board: is the lattice window optimal, and are all optimal placements
    windows?"""

    lattice_is_optimal: bool
    complete: bool


@cache
def least_side(k: int) -> int:
    """The shortest side that carries completeness: k + d. Raises BoardError for k whose best cells are not listed."""
    return k + rows_that_tell(best_cells(k))


def base_of(k: int, sides: Sides) -> Sides:
    """The smallest board from which both stones and completeness may be carried to ``sides``: no side of 2k + d."""
    least = least_side(k)
    return tuple(side if side < least + k else least + (side - least) % k for side in sides)  # type: ignore[return-value]


def stones_from(k: int, sides: Sides, computed: Mapping[Sides, Computed]) -> Sides | None:
    """The smallest computed board that proves X = L for ``sides``, None where none does."""
    return min((base for base in bases(k, sides, computed) if computed[base].lattice_is_optimal), default=None)


def completeness_from(k: int, sides: Sides, computed: Mapping[Sides, Computed]) -> Sides | None:
    """The smallest computed board that proves the construction complete for ``sides``, None where none does."""
    return min((base for base in bases(k, sides, computed) if _carries(k, base, sides, computed[base])), default=None)


def bases(k: int, sides: Sides, computed: Container[Sides]) -> list[Sides]:
    """The computed boards from which ``sides`` is reached by adding k rows or k columns at a time."""
    rows, columns = (range(k + large % k, large + 1, k) for large in sides)
    return [(n, m) for n in rows for m in columns if (n, m) in computed]


def _carries(k: int, base: Sides, sides: Sides, found: Computed) -> bool:
    wide_enough = all(small == large or small >= least_side(k) for small, large in zip(base, sides, strict=True))
    return found.lattice_is_optimal and found.complete and wide_enough


@dataclass(frozen=True)
class Theorem:
    """Proof, by the boards with sides k to ``side``, for all boards with sides of k and more.

    ``stones``: X = L for all of them. ``incomplete``: all boards N >= M with placements beyond the construction's, in
    order; None where that is not proved of all boards.
    """

    side: int
    stones: bool
    incomplete: tuple[Sides, ...] | None


def theorem(k: int, computed: Mapping[Sides, Computed]) -> Theorem:
    """Return what the computed boards (given both ways round) prove of all boards."""
    side = k - 1
    while all((side + 1, other) in computed for other in range(k, side + 2)):
        side += 1
    within = {sides: one for sides, one in computed.items() if max(sides) <= side}
    beyond = [(n, m) for n in range(k, side + k + 1) for m in range(k, n + 1)] if within else []
    stones = bool(beyond) and all(stones_from(k, sides, within) for sides in beyond)
    incomplete = tuple(sides for sides in beyond if completeness_from(k, sides, within) is None)
    proved = stones and side >= least_side(k) - 1 and max((n for n, _ in incomplete), default=0) <= side
    return Theorem(side, stones, incomplete if proved else None)


MAX_BYTES = 1 << 30


def variable_matrix(cells: Cells) -> npt.NDArray[np.int64]:
    """(k, k): A(i, j), the fewest stones of an i x j window of a best cell, for ``cells`` (count, k)."""
    k = cells.shape[1]
    matrix = np.zeros((k, k), dtype=np.int64)
    for i in range(k):
        for j in range(k):
            matrix[i, j] = _corner_stones(cells, i, j).min(initial=k * k)
    return matrix


def lattice_stones(cells: Cells, rows: int, columns: int) -> int:
    """The fewest stones of a window of that size; ``cells`` (count, k) must not be empty."""
    k = cells.shape[1]
    (a, i), (b, j) = divmod(rows, k), divmod(columns, k)
    return k * a * b + a * j + b * i + int(_corner_stones(cells, i, j).min())


def lattice_placements(cells: Cells, rows: int, columns: int) -> npt.NDArray[np.bool_]:
    """(n, rows, columns): the different windows with the fewest stones, in lexicographic order.

    Raises:
        BoardError: they would take more than 1 GiB.
    """
    k = cells.shape[1]
    corner = _corner_stones(cells, rows % k, columns % k)
    poorest = cells[corner == corner.min()]
    if len(poorest) * rows * columns > MAX_BYTES:
        raise BoardError(f"{len(poorest)} windows of {rows} x {columns} cells take more than {MAX_BYTES >> 20} MiB")
    column_of = poorest[:, np.arange(rows) % k]
    windows = column_of[:, :, None] == np.arange(columns)[None, None, :] % k
    return np.unique(windows.reshape(len(windows), -1), axis=0).reshape(-1, rows, columns)


def _corner_stones(cells: Cells, rows: int, columns: int) -> npt.NDArray[np.int64]:
    """(count,): stones of every cell in its first ``rows`` rows and ``columns`` columns, both below k."""
    return (cells[:, :rows] < columns).sum(axis=1)


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
            # The most stones that are less dense; none is below the density 1 / k. Any pattern can be moved to one with
            # residue 0.
            fewer = -(-best.density.numerator * modulus // best.density.denominator) - 1
            while fewer * k >= modulus and (found := _hitting(1, 0, fewer - 1, [one for one in lines if not one & 1])):
                best = LinearPattern(modulus, slope, tuple(i for i in range(modulus) if found >> i & 1))
                fewer = len(best.residues) - 1
    return best


def _lines(k: int, modulus: int, slope: int) -> set[int]:
    """The residues of each line, as bits."""
    return {
        sum(1 << residue for residue in {(first + i * step) % modulus for i in range(min(k, modulus))})
        for step in {1, slope, slope + 1, slope - 1}
        for first in range(modulus)
    }


def _hitting(chosen: int, banned: int, most: int, lines: list[int]) -> int:
    """``chosen`` with at most ``most`` residues more, none of them banned, that hit all ``lines``; 0 for none."""
    if not lines or not most:
        return 0 if lines else chosen
    # The line with the fewest ways. One whose residues are all banned is taken first, and nothing is found.
    open_line = min((line & ~banned for line in lines), key=lambda line: (line.bit_count(), line))
    while open_line:
        residue = open_line & -open_line
        open_line ^= residue
        if found := _hitting(chosen | residue, banned, most - 1, [line for line in lines if not line & residue]):
            return found
        # All sets with this residue have been looked at, so it is left out from here on: none is tried twice.
        banned |= residue
    return 0
