"""How long a search may take: refused where it is estimated to take longer, given up where it does."""

import time
from dataclasses import dataclass

from boardspace.spaces.five_in_a_row.config import SizedBoard
from boardspace.spaces.five_in_a_row.parts.boards import costs
from boardspace.spaces.five_in_a_row.texts import progress as progress_text
from boardspace.spec.arguments import Progress, listener, shown
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.reach import WITHOUT_GAP
from boardspace_kernels.five_in_a_row.search import OnRow, RowDone

SECONDS = 600.0
"""CPU seconds that a search may take, unless more are allowed."""
FOREVER = 1e9
LONGER = "allow more (--seconds, in Python seconds=), or search it in parts, by a run with five_in_a_row.split"


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
        estimate = costs.seconds(SizedBoard(board.k, rows, columns)) * rows / columns
        if estimate > self.seconds:
            raise OutOfTimeError(
                f"{board}: the search is estimated at {estimate:,.0f} s on one core, and {self.seconds:,.0f} s are "
                f"allowed; {LONGER}"
            )

    def watching(self, board: Board) -> OnRow:
        """A function for the ends of rows; OutOfTimeError once the time is over."""
        start = time.process_time()

        def watch(row: RowDone) -> None:
            """Report a row; OutOfTimeError where the search has taken too long."""
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
