"""Boards and positions of peg solitaire as people draw them, and as this program prints them.

``o`` is a peg, ``x`` or ``.`` a hole without one, ``#`` no hole (so are blanks before and between the holes). Rows are
lines, or have ``/`` or blanks between them. Signs may have a blank between one another, and rows of a triangular board
are then shifted by half a place each.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from boardspace.spec.errors import BoardspaceError
from boardspace.spec.texts import counted

PEGS, HOLES, OUTSIDE = "oO●◉", "xX.·○", "#"
SIGNS = "o is a peg, x or . a hole without one, # no hole"

Cell = tuple[int, int]


class DrawingError(BoardspaceError):
    """A drawing of another board."""


@dataclass(frozen=True)
class Drawing:
    """Holes by (row, column) from 0, in reading order, each with whether it has a peg.

    grid: ``square`` or ``triangular``, as board files name grids.
    exact: columns are told, so that the drawing fits boards of its own shape alone.
    """

    grid: str
    pegs: Mapping[Cell, bool]
    exact: bool

    @property
    def picture(self) -> str:
        """The holes with numbers, row by row, as board files have them."""
        labels = {cell: str(number) for number, cell in enumerate(self.pegs, 1)}
        rows, columns = (max(cell[axis] for cell in labels) + 1 for axis in (0, 1))
        lines = (" ".join(labels.get((row, column), ".") for column in range(columns)) for row in range(rows))
        return "\n".join(lines)

    @property
    def is_start(self) -> bool:
        """Return whether it shows a position: pegs, and holes without one."""
        return len(set(self.pegs.values())) == 2

    def on(self, cells: Collection[Cell], name: str) -> set[Cell]:
        """The cells of a board, in reading order, that have pegs; DrawingError where the board is of another shape."""
        own = _from_zero(cells)
        if set(own) == set(self.pegs):
            return {cell for cell, place in zip(cells, own, strict=True) if self.pegs[place]}
        drawn, wanted = (_row_lengths(found) for found in (self.pegs, own))
        if self.exact or drawn != wanted:
            raise DrawingError(
                f"the drawing has {counted(len(self.pegs), 'hole')}, in rows of {drawn}; board {name} has {len(own)}, "
                f"in rows of {wanted}; {SIGNS}"
            )
        return {cell for cell, peg in zip(sorted(cells), self.pegs.values(), strict=True) if peg}


def is_drawing(text: str) -> bool:
    """Return whether a text can be meant as a drawing: it has pegs, and no other signs than drawings have."""
    return bool(re.search(f"[{PEGS}]", text)) and not re.search(rf"[^{PEGS}{HOLES}{OUTSIDE}/\s]", text)


def read_drawing(text: str) -> Drawing:
    """The holes and pegs of a drawing, a text for which :func:`is_drawing` holds."""
    lines = [line.expandtabs() for line in text.replace("/", "\n").splitlines() if line.strip()]
    words = text.split()
    if len(lines) == 1 and len(words) > 1 and {len(word) for word in words} == {len(words[0])} != {1}:
        lines = words
    signs = {(row, x): sign for row, line in enumerate(lines) for x, sign in enumerate(line) if not sign.isspace()}
    bottom = len(lines) - 1
    spaced = any(re.search(r"\S \S", line) for line in lines)
    grid = "square"
    if spaced and all(x % 2 == 0 for _, x in signs):
        signs = {(row, x // 2): sign for (row, x), sign in signs.items()}
    elif spaced and all((x - bottom + row) % 2 == 0 for row, x in signs):
        grid, signs = "triangular", {(row, (x - bottom + row) // 2): sign for (row, x), sign in signs.items()}
    holes = {cell: sign in PEGS for cell, sign in signs.items() if sign != OUTSIDE}
    return Drawing(grid, dict(zip(_from_zero(holes), holes.values(), strict=True)), OUTSIDE in text)


def _from_zero(cells: Collection[Cell]) -> list[Cell]:
    """Cells moved so that the first row and the first column are 0."""
    top, left = (min(cell[axis] for cell in cells) for axis in (0, 1))
    return [(row - top, column - left) for row, column in cells]


def _row_lengths(cells: Collection[Cell]) -> list[int]:
    rows = [row for row, _ in cells]
    return [rows.count(row) for row in sorted(set(rows))]
