"""Boards and messages as text: drawn, read, and what is wrong."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import numpy.typing as npt

from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted
from boardspace_kernels.five_in_a_row.board import BoardError
from boardspace_kernels.five_in_a_row.search import RowDone

STONES = "#1xX*"
FREE = ".0oO-_"


class TextError(BoardspaceError):
    """A text that is no board."""


def board_lines(placement: npt.NDArray[np.bool_]) -> Iterator[str]:
    """A placement, one line for each row: # a stone, . a free cell."""
    return ("".join(".#"[stone] for stone in row) for row in placement.astype(int).tolist())


def progress(row: RowDone) -> str:
    """A line on how far a sweep is."""
    states = f"{counted(row.states, 'state')} at once"
    return f"with {counted(row.stones, 'stone')}: row {row.row} of {row.rows}, {states}"


def parse_board(text: str, name: str) -> npt.NDArray[np.bool_]:
    """A placement from lines of one character a cell (blanks between them are skipped)."""
    rows = ["".join(line.split()) for line in text.splitlines() if line.strip()]
    if not rows:
        raise TextError(f"{name}: no board in it")
    for number, row in enumerate(rows, 1):
        if len(row) != len(rows[0]):
            raise TextError(f"{name}, row {number}: {len(row)} cells; row 1 has {len(rows[0])}")
        for column, mark in enumerate(row, 1):
            if mark not in STONES + FREE:
                raise TextError(
                    f"{name}, row {number}, column {column}: {mark!r} is neither a stone ({STONES}) nor free ({FREE})"
                )
    return np.array([[mark in STONES for mark in row] for row in rows])


@contextmanager
def explained() -> Iterator[None]:
    """Turn what the kernels refuse into a BoardspaceError, which is printed without a traceback."""
    try:
        yield
    except BoardError as error:
        raise BoardspaceError(str(error)) from error
