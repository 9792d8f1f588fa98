"""Placements, and rows of tables, as pictures and as text: drawn, read, and what is wrong."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.cli.drawing import Picture
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


CELL = 22
MOST_CELLS = 196
"""Cells of a board that is drawn: the atlas shows no longer picture."""


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


def draw_placement(row: Mapping[str, Any]) -> str:
    """The placement of a row, lines between slashes, as the text of an SVG."""
    return _drawn(row["picture"].replace("/", ""), row["rows"], row["columns"])


def draw_witness(row: Mapping[str, Any]) -> str:
    """The placement in a board's certificate as the text of an SVG; '' of a large board."""
    return _drawn(json.loads(row["certificate"])["witness"], row["rows"], row["columns"])


def draw_cell(row: Mapping[str, Any]) -> str:
    """A best cell as the text of an SVG."""
    return picture(np.eye(row["n"], dtype=bool)[row["columns"]]).svg()


def draw_pattern(row: Mapping[str, Any]) -> str:
    """The pattern of least density of the plane, one period of it, as the text of an SVG."""
    y, x = np.indices((row["modulus"], row["modulus"]))
    pattern = np.isin((x + row["slope"] * y) % row["modulus"], row["residues"])
    return picture(pattern).svg() if pattern.size <= MOST_CELLS else ""


def _drawn(signs: str, rows: int, columns: int) -> str:
    """Signs of cells, # a stone, as a board; '' of a large one."""
    if rows * columns > MOST_CELLS:
        return ""
    return picture(np.array([sign == "#" for sign in signs]).reshape(rows, columns)).svg()
