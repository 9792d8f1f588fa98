"""The fewest stones of one board, proved: by a rule, from a smaller board, or by search within a time."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row.config import SizedBoard
from boardspace.spaces.five_in_a_row.drawings import explained, picture
from boardspace.spaces.five_in_a_row.drawings import progress as progress_text
from boardspace.spaces.five_in_a_row.parts.boards.part import board_seconds
from boardspace.spec.arguments import Progress, listener, shown, whole
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace_kernels.five_in_a_row import best_cells as cells_of_order
from boardspace_kernels.five_in_a_row.board import WITHOUT_GAP, Board, refuse_out_of_reach
from boardspace_kernels.five_in_a_row.minimum import is_thin, solve, thin_placements, thin_rule, thin_witness
from boardspace_kernels.five_in_a_row.periodic import (
    Computed,
    base_of,
    completeness_from,
    lattice_placements,
    lattice_stones,
)
from boardspace_kernels.five_in_a_row.search import OnRow, RowDone

SECONDS = 600.0
"""CPU seconds that a search may take, unless more are allowed."""
FOREVER = 1e9
LONGER = "allow more (--seconds, in Python seconds=), or search it in parts, by a run with five_in_a_row.split"
CARRIED_K = (5, 7)
DRAWN = 100_000
"""Placements that are listed at most."""


class OutOfTimeError(BoardspaceError):
    """A search that would take, or has taken, more time than it may."""


@dataclass(frozen=True)
class Patience:
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
        estimate = board_seconds(SizedBoard(board.k, rows, columns)) * rows / columns
        if estimate > self.seconds:
            raise OutOfTimeError(
                f"{board}: the search is estimated at {estimate:,.0f} s on one core, and {self.seconds:,.0f} s are "
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


def patience(seconds: float, progress: Progress | None) -> Patience:
    """Patience as a user gives it.

    BoardspaceError where ``seconds`` is no number above 0, or ``progress`` cannot be called.
    """
    if not isinstance(seconds, int | float) or isinstance(seconds, bool) or not seconds > 0:
        raise BoardspaceError(f"seconds: a number above 0 is wanted, not {shown(seconds)}")
    return Patience(min(seconds, FOREVER), listener(progress))


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
    allowed = patience(seconds, progress)
    with explained():
        return fewest_of(board_of(rows, columns, k), allowed)


def board_of(rows: int, columns: int, k: int) -> Board:
    """The board with these sides; BoardspaceError where one is no whole number, BoardError where there is no such
    board."""
    return Board((whole("rows", rows), whole("columns", columns)), whole("k", k))


def fewest_of(board: Board, allowed: Patience) -> Fewest:
    """The fewest stones of a board: by a rule, from a smaller board, or by search."""
    return _by_rule(board) or _carried(board) or _by_search(board, allowed)


def _by_rule(board: Board) -> Fewest | None:
    if not is_thin(board):
        return None
    (rows, columns), rule = board.shape, thin_rule(board)
    one_way = f"lines of {board.k} fit in one direction only, and every {board.k} cells of it need a stone"
    reason = one_way if rule.minimum else f"no line of {board.k} fits on the board"
    one, every = lambda: thin_witness(board), lambda: thin_placements(board, DRAWN)
    return Fewest(rows, columns, board.k, rule.minimum, "rule", reason, rule.count, one, every)


def _carried(board: Board) -> Fewest | None:
    """From the small board of its class modulo k, if all placements of that are lattice windows."""
    if board.k not in CARRIED_K:
        return None
    rows, columns = board.shape
    base = base_of(board.k, (rows, columns))
    if base == board.shape:
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
    stones, every = lattice_stones(cells, rows, columns), lambda: windows
    return Fewest(rows, columns, board.k, stones, "carried", reason, len(windows), lambda: windows[0], every)


def _by_search(board: Board, allowed: Patience) -> Fewest:
    refuse_out_of_reach(board)
    rows, columns = board.shape
    allowed.refuse_if_longer(board)
    solution = solve(board, on_row=allowed.watching(board))
    reason = {
        "bound": "dual weights of the lines prove that fewer do not suffice; a search met every placement",
        "search": "searches with fewer stones found nothing; a search met every placement",
    }[solution.proof]
    found, every = (solution.minimum, solution.proof, reason, solution.count), lambda: solution.placements(DRAWN)
    return Fewest(rows, columns, board.k, *found, solution.witness, every)
