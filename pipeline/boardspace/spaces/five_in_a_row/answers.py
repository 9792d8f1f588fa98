"""Questions about one board beside its fewest stones: is a placement or a proof right, which cells are best, how do the
optimal placements look, and how does one grow back from a part of a best cell."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row.drawings import explained
from boardspace.spaces.five_in_a_row.fewest import SECONDS, OutOfTimeError, board_of, fewest, fewest_of, patience
from boardspace.spec.arguments import shown, whole
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace_kernels.five_in_a_row import best_cells as cells_of_order
from boardspace_kernels.five_in_a_row.board import Board, BoardTooLargeError, defects, orbit_sizes, unblocked, windows
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.formulas import clauses, dimacs
from boardspace_kernels.five_in_a_row.periodic import variable_matrix
from boardspace_kernels.five_in_a_row.refutation import check_refutation

NAMED = 12
"""Starts that an error names at most."""


@dataclass(frozen=True)
class Check:
    """A placement of stones, checked: does it block every line of ``k``, and could fewer stones do?

    free_lines: how many lines of ``k`` cells hold no stone.
    free_line: the cells of the first, (row, column) from 1; none where the placement blocks.
    fewest: the fewest stones there can be; None where a line is free, or where that is beyond a search.
    """

    rows: int
    columns: int
    k: int
    stones: int
    free_lines: int
    free_line: Sequence[tuple[int, int]]
    fewest: int | None

    @property
    def blocks(self) -> bool:
        """True where no line is free."""
        return not self.free_lines

    @property
    def optimal(self) -> bool | None:
        """True where no fewer stones would do; None where that is not known."""
        return None if self.fewest is None else self.stones == self.fewest

    def document(self) -> dict[str, Any]:
        """All of it as JSON values."""
        found = {name: getattr(self, name) for name in ("k", "rows", "columns", "stones", "blocks")}
        if not self.blocks:
            return found | {"free_lines": self.free_lines, "free_line": [list(cell) for cell in self.free_line]}
        return found | {"fewest": self.fewest, "optimal": self.optimal}

    def __str__(self) -> str:
        board = f"{self.rows} x {self.columns}, {counted(self.stones, 'stone')}"
        if not self.blocks:
            line = " ".join(f"({row}, {column})" for row, column in self.free_line)
            free = counted(self.free_lines, "free line")
            return f"{board}: {free} of {self.k} cells, such as (row, column) {line}"
        few = "the fewest there can be" if self.optimal else f"the fewest is {self.fewest}"
        if self.fewest is None:
            few = "whether fewer would do is beyond a search"
        return f"{board}: every line of {self.k} is blocked; {few}"


def formula(rows: int, columns: int, k: int, stones: int) -> Iterator[str]:
    """The formula, in the format of DIMACS, that only placements of at most so many stones satisfy; line by line."""
    with explained():
        yield from dimacs(board_of(rows, columns, k), stones)


def refuted(rows: int, columns: int, k: int, stones: int, proof: Iterable[str]) -> int:
    """Check a solver's proof (DRUP) that so few stones do not suffice; returns how many clauses it has, BoardspaceError
    where it is none."""
    with explained():
        wanted = clauses(board_of(rows, columns, k), stones)
    try:
        return check_refutation(wanted, proof)
    except CertificateError as error:
        raise BoardspaceError(str(error)) from error


def check(placement: npt.NDArray[np.bool_], k: int = 5) -> Check:
    """Check whether the stones of a placement, bool (rows, columns), block every k in a row, and are the fewest.

    Lists of rows will do, and numbers 0 and 1. BoardspaceError where the placement is no table of them.

    >>> import numpy
    >>> print(check(numpy.eye(5, dtype=bool)))
    5 x 5, 5 stones: every line of 5 is blocked; the fewest there can be
    """
    placement = _table_of(placement)
    rows, columns = placement.shape
    with explained():
        board = board_of(rows, columns, k)
    free, stones = unblocked(board, placement), int(placement.sum())
    if len(free):
        line = tuple((cell // columns + 1, cell % columns + 1) for cell in board.lines[free[0]].tolist())
        return Check(rows, columns, k, stones, len(free), line, None)
    try:
        return Check(rows, columns, k, stones, 0, (), fewest_of(board, patience(SECONDS, None)).stones)
    except (BoardTooLargeError, OutOfTimeError):
        return Check(rows, columns, k, stones, 0, (), None)


def _table_of(placement: Any) -> npt.NDArray[np.bool_]:
    wanted = "placement: a table of True and False, rows of equal length, is wanted"
    try:
        table = np.asarray(placement)
    except ValueError as error:
        raise BoardspaceError(f"{wanted} ({error})") from None
    if table.ndim != 2 or table.dtype.kind not in "biu" or not np.isin(table, (0, 1)).all():
        raise BoardspaceError(f"{wanted}, not {shown(placement)}")
    return table.astype(np.bool_)


def best_cells(n: int) -> npt.NDArray[np.int64]:
    """The best cells of order n, int (cells, n): the columns of the stones, row by row, from 0.

    BoardspaceError where there are none, or n is too large.

    >>> len(best_cells(5))
    10
    """
    with explained():
        found = cells_of_order.best_cells(whole("n", n))
    if not len(found):
        raise BoardspaceError(f"there are no best cells of order {n}: they exist when neither 2 nor 3 divides it")
    return found


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


def grown(rows: int, columns: int, k: int, start: tuple[int, int], cell: int = 1) -> npt.NDArray[np.bool_]:
    """The placement, bool (rows, columns), whose growing area is the part of best cell number ``cell`` that begins at
    ``start``, row and column from 1.

    BoardspaceError where there is no such cell or start, a side is below k, or the part holds more stones than another.

    >>> grown(13, 17, 5, (3, 1)).sum()
    44
    """
    with explained():
        Board((rows, columns), k)
    if min(rows, columns) < k:
        raise BoardspaceError(f"{rows} x {columns}: growth from a best cell of order {k} takes sides of {k} or more")
    cells = best_cells(k)
    if not 1 <= cell <= len(cells):
        raise BoardspaceError(f"--cell {cell}: there are best cells 1 to {len(cells)} of order {k}")
    if not 1 <= min(start) <= max(start) <= k:
        raise BoardspaceError(f"--start {start[0]},{start[1]}: rows and columns of a cell of order {k} are 1 to {k}")
    stones = _part_stones(cells[cell - 1], rows % k, columns % k)
    fewest = int(variable_matrix(cells)[rows % k, columns % k])
    here = int(stones[start[0] - 1, start[1] - 1])
    if here > fewest:
        raise BoardspaceError(
            f"--start {start[0]},{start[1]}: the {rows % k} x {columns % k} part of cell {cell} that begins there "
            f"holds {here} stones; the fewest, {fewest}, are in {_listed(stones == fewest)}"
        )
    row = (np.arange(rows) + start[0] - 1) % k
    column = (np.arange(columns) + start[1] - 1) % k
    return np.asarray(cells[cell - 1][row][:, None] == column[None, :])


def _part_stones(cell: npt.NDArray[np.int64], rows: int, columns: int) -> npt.NDArray[np.int64]:
    """(k, k): stones of the wrapped part of so many rows and columns that begins in each cell."""
    k = len(cell)
    board = np.tile(cell[:, None] == np.arange(k), (2, 2))
    parts = [board[y : y + rows, x : x + columns].sum() for y, x in product(range(k), range(k))]
    return np.array(parts).reshape(k, k)


def _listed(poorest: npt.NDArray[np.bool_]) -> str:
    """Words on where the parts with the fewest stones begin."""
    starts = [f"{y + 1},{x + 1}" for y, x in np.argwhere(poorest).tolist()]
    if not starts:
        return "parts of other cells only"
    more = len(starts) - NAMED
    return f"those that begin at {' '.join(starts[:NAMED])}{f' and {more} more' if more > 0 else ''}"
