"""Questions about one board: the fewest stones, why no fewer do, in how many ways; what the commands print.

Answered at once: by a rule, from a smaller board, or by search.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.cli.drawing import Picture
from boardspace.spaces.five_in_a_row.config import SizedBoard
from boardspace.spaces.five_in_a_row.errors import explained
from boardspace.spaces.five_in_a_row.parts.boards import costs
from boardspace.spaces.five_in_a_row.texts import board_lines, counted
from boardspace.spaces.five_in_a_row.texts import progress as progress_text
from boardspace.spec.arguments import shown, whole
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.five_in_a_row import best_cells as cells_of_order
from boardspace_kernels.five_in_a_row.board import Board, BoardTooLargeError, unblocked
from boardspace_kernels.five_in_a_row.checker import CertificateError
from boardspace_kernels.five_in_a_row.cnf import clauses, dimacs
from boardspace_kernels.five_in_a_row.lattice import lattice_placements, lattice_stones
from boardspace_kernels.five_in_a_row.minimum import solve
from boardspace_kernels.five_in_a_row.periodic import Computed, base_of, completeness_from
from boardspace_kernels.five_in_a_row.reach import WITHOUT_GAP, refuse_out_of_reach
from boardspace_kernels.five_in_a_row.refutation import check_refutation
from boardspace_kernels.five_in_a_row.search import OnRow, RowDone
from boardspace_kernels.five_in_a_row.structure import defects, orbit_sizes, windows
from boardspace_kernels.five_in_a_row.thin import is_thin, thin_placements, thin_rule, thin_witness

CARRIED_K = (5, 7)
SECONDS = 600.0
"""CPU seconds that a search may take, unless more are allowed."""
FOREVER = 1e9
LONGER = "allow more (--seconds, in Python seconds=), or search it in parts, by a run with five_in_a_row.split"
DRAWN = 100_000
"""Placements that are listed at most."""
CELL = 22
Progress = Callable[[str], None]


@dataclass(frozen=True)
class Fewest:
    """The fewest stones of a board of ``rows`` x ``columns`` that leave no ``k`` cells in a row free.

    proof: why no fewer do, in a word: rule, carried, bound or search.
    reason: the same in a sentence.
    count: in how many ways they can be placed.
    """

    rows: int
    columns: int
    k: int
    stones: int
    proof: str
    reason: str
    count: int
    _one: Callable[[], npt.NDArray[np.bool_]] = field(repr=False, compare=False)
    _all: Callable[[], npt.NDArray[np.bool_]] = field(repr=False, compare=False)

    @property
    def formula(self) -> int | None:
        """floor(rows columns / k), the source's formula, for boards with no side below k."""
        return self.rows * self.columns // self.k if min(self.rows, self.columns) >= self.k else None

    def placement(self) -> npt.NDArray[np.bool_]:
        """One placement, bool (rows, columns)."""
        with explained():
            return self._one()

    def placements(self) -> npt.NDArray[np.bool_]:
        """All placements, bool (count, rows, columns); BoardspaceError where they are more than 100,000."""
        with explained():
            return self._all()

    def document(self) -> dict[str, Any]:
        """All of it as JSON values, the count as text: it may be beyond what readers of JSON keep."""
        names = ("k", "rows", "columns", "stones", "proof")
        return {name: getattr(self, name) for name in names} | {"placements": str(self.count), "formula": self.formula}

    def __str__(self) -> str:
        fewest = f"X({self.rows}, {self.columns}, {self.k}) = {self.stones}, {counted(self.count, 'placement')}"
        formula = [] if self.formula is None else [f"floor(N M / k) = {self.formula}"]
        return "\n".join([fewest, f"proof: {self.reason}", *formula])

    def _repr_svg_(self) -> str:
        return picture(self.placement()).svg()


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


class OutOfTimeError(BoardspaceError):
    """A search that would take, or has taken, more time than it may."""


@dataclass(frozen=True)
class _Patience:
    """Time that a search may take, in CPU seconds, and what is called with a line on how far it is."""

    seconds: float
    progress: Progress | None

    def refuse_if_longer(self, board: Board) -> None:
        """OutOfTimeError where the search of a board is estimated to take longer.

        For k of 5 and 7 nothing is estimated: the bound has hardly a gap, and time grows with the cells alone.
        """
        if board.k in WITHOUT_GAP:
            return
        rows, columns = max(board.shape), min(board.shape)
        estimate = costs.seconds(SizedBoard(board.k, rows, columns)) * rows / columns
        if estimate > self.seconds:
            raise OutOfTimeError(
                f"{board}: the search is estimated at {estimate:,.0f} s of one core, and {self.seconds:,.0f} s are "
                f"allowed; {LONGER}"
            )

    def watching(self, board: Board) -> OnRow:
        """A function for the ends of rows; OutOfTimeError once the time is over."""
        start = time.process_time()

        def watch(row: RowDone) -> None:
            if time.process_time() - start > self.seconds:
                raise OutOfTimeError(f"{board}: no answer after {self.seconds:,.0f} s, {progress_text(row)}; {LONGER}")
            if self.progress is not None:
                self.progress(progress_text(row))

        return watch


def fewest(
    rows: int, columns: int, k: int = 5, *, seconds: float = SECONDS, progress: Progress | None = None
) -> Fewest:
    """The fewest stones that block every k in a row of a board, proved.

    A search may take ``seconds`` of one core. ``progress`` is called with a line of text now and then. BoardspaceError
    for a board that does not exist, that is too large to be searched, or whose search is estimated to take longer, or
    does.

    >>> fewest(6, 7)
    Fewest(rows=6, columns=7, k=5, stones=8, proof='bound', reason='...', count=6)
    >>> fewest(6, 7).placements().shape
    (6, 6, 7)
    """
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds > 0:
        raise BoardspaceError(f"seconds: a number above 0 is wanted, not {shown(seconds)}")
    if progress is not None and not callable(progress):
        raise BoardspaceError(f"progress: a function that takes a line of text is wanted, not {shown(progress)}")
    with explained():
        return _found(board_of(rows, columns, k), _Patience(min(seconds, FOREVER), progress))


def board_of(rows: int, columns: int, k: int) -> Board:
    """The board with these sides; BoardspaceError where one is no whole number, BoardError where there is no such
    board."""
    return Board((whole("rows", rows), whole("columns", columns)), whole("k", k))


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
        return Check(rows, columns, k, stones, 0, (), _found(board, _Patience(SECONDS, None)).stones)
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


def picture(placement: npt.NDArray[np.bool_]) -> Picture:
    """A placement, bool (rows, columns), as a picture."""
    rows, columns = placement.shape
    drawn = Picture(CELL * columns + 2, CELL * rows + 2)
    for row in range(rows):
        for column in range(columns):
            x, y = CELL * column + 1, CELL * row + 1
            drawn.rect(x, y, CELL, CELL, "#f4ecd8", stroke="#6e4b1f", stroke_width=0.5)
            if placement[row, column]:
                drawn.circle(x + CELL / 2, y + CELL / 2, 0.4 * CELL, "#222")
    return drawn


def drawing(placement: npt.NDArray[np.bool_]) -> Iterator[str]:
    """A placement in lines of text: # a stone, . a free cell."""
    return board_lines(placement)


def _found(board: Board, patience: _Patience) -> Fewest:
    return _by_rule(board) or _carried(board) or _by_search(board, patience)


def _by_rule(board: Board) -> Fewest | None:
    if not is_thin(board):
        return None
    rule = thin_rule(board)
    one_way = f"lines of {board.k} fit in one direction only, and every {board.k} cells of it need a stone"
    reason = one_way if rule.minimum else f"no line of {board.k} fits on the board"
    return Fewest(
        rows=board.shape[0],
        columns=board.shape[1],
        k=board.k,
        stones=rule.minimum,
        proof="rule",
        reason=reason,
        count=rule.count,
        _one=lambda: thin_witness(board),
        _all=lambda: thin_placements(board, DRAWN),
    )


def _carried(board: Board) -> Fewest | None:
    """From the small board of its class modulo k, if all placements of that are lattice windows."""
    rows, columns = board.shape
    base = base_of(board.k, (rows, columns))
    if board.k not in CARRIED_K or base == board.shape:
        return None
    cells = cells_of_order.best_cells(board.k)
    small = solve(Board(base, board.k))
    optimal = small.minimum == lattice_stones(cells, *base)
    complete = optimal and small.count == len(lattice_placements(cells, *base))
    if completeness_from(board.k, (rows, columns), {base: Computed(optimal, complete)}) is None:
        return None
    windows = lattice_placements(cells, rows, columns)
    reason = (
        f"a search of {base[0]} x {base[1]} found lattice windows only; {board.k} rows or columns more cost a stone "
        "for each line they lengthen, and so the windows are all"
    )
    return Fewest(
        rows=board.shape[0],
        columns=board.shape[1],
        k=board.k,
        stones=lattice_stones(cells, rows, columns),
        proof="carried",
        reason=reason,
        count=len(windows),
        _one=lambda: windows[0],
        _all=lambda: windows,
    )


def _by_search(board: Board, patience: _Patience) -> Fewest:
    refuse_out_of_reach(board)
    patience.refuse_if_longer(board)
    found = solve(board, on_row=patience.watching(board))
    reason = {
        "bound": "dual weights of the lines prove that fewer do not suffice; a search met every placement",
        "search": "searches with fewer stones found nothing; a search met every placement",
    }[found.proof]
    return Fewest(
        rows=board.shape[0],
        columns=board.shape[1],
        k=board.k,
        stones=found.minimum,
        proof=found.proof,
        reason=reason,
        count=found.count,
        _one=found.witness,
        _all=lambda: found.placements(DRAWN),
    )
