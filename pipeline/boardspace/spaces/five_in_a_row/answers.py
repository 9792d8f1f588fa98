"""Questions about one board beside its fewest stones: is a placement right, which cells are best, is a proof right."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row.errors import explained
from boardspace.spaces.five_in_a_row.fewest import board_of, fewest_of
from boardspace.spaces.five_in_a_row.patience import SECONDS, OutOfTimeError, patience
from boardspace.spec.arguments import shown, whole
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.wording import counted
from boardspace_kernels.five_in_a_row import best_cells as cells_of_order
from boardspace_kernels.five_in_a_row.board import BoardTooLargeError, unblocked
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.cnf import clauses, dimacs
from boardspace_kernels.five_in_a_row.refutation import check_refutation


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
    """A placement as bool (rows, columns)."""
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
