"""An explicit sequence of jumps from any m x n rectangle of pegs to s(m, n) pegs, by dividing the rectangle.

A line is cut in pairs: the pegs 2, 4, 6, ... jump back over the pegs 1, 3, 5, ....

Any other rectangle loses its three left columns while it has five or more (the fourth holds the helpers): from the
top, one module 2 where the rows leave 2 by three, two of them where they leave 1, none where they leave 0, and the
rows that remain, a multiple of three, by module 1 in each column. Then it loses its three upper rows in the same way,
seen along the diagonal, while it has five or more. What remains has 2, 3 or 4 rows and columns, as many as m and n
modulo 3, and an ending reduces it.

The sequence has m * n - s(m, n) jumps and takes that many steps to write. Source: the second example of the source
text; the order of the modules is the source's, their jumps are this project's.

Module 1 removes three pegs in a line. It needs an empty cell on one side of the first and a peg on its other side,
which it gives back:

    . x p      . is empty, x is removed, p is the helper; the two x below have no needs of their own.
      x
      x

Module 2 removes a block of 2 x 3 with a row of three empty cells above it and two helpers at one end:

    . . .
    x x x p
    x x x p

Endings reduce a rectangle of 2, 3 or 4 by 2, 3 or 4 pegs on an otherwise empty board to s(m, n) pegs.

The pictures that showed these sequences in the source are lost. Each is found here, when the module is imported, by
:func:`find_jumps`, a depth-first search that takes the first cell in reading order and the first direction that leads
to the goal; the longest of them (4 x 4) meets 457 dead positions, so all of them together take milliseconds.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.board_division.fewest_pegs import fewest_left
from boardspace_kernels.board_division.jumps import (
    COLUMN_STEP,
    LEFT,
    MARGIN,
    ROW_STEP,
    Jumps,
    RectangleError,
    empty_jumps,
    require_rectangle,
)
from boardspace_kernels.jit import kernel, shared

Cell = tuple[int, int]
Pegs = frozenset[Cell]
Sequence = tuple[tuple[int, int, int], ...]


def block(top: int, left: int, height: int, width: int) -> Pegs:
    """The cells of a block whose upper left cell is (top, left)."""
    return frozenset((r, c) for r in range(top, top + height) for c in range(left, left + width))


def find_jumps(pegs: Pegs, cells: Pegs, done: Callable[[Pegs], bool]) -> Sequence:
    """The first sequence (row, column, direction) from ``pegs`` to a ``done`` position that stays on ``cells``.

    Raises :class:`LookupError` where there is none.
    """
    dead: set[Pegs] = set()

    def after(pegs: Pegs) -> Sequence | None:
        """The rest of the sequence after a position, depth first; None from where it cannot be done."""
        if done(pegs):
            return ()
        if pegs in dead:
            return None
        for row, column in sorted(pegs):
            for direction, (down, right) in enumerate(zip(ROW_STEP.tolist(), COLUMN_STEP.tolist(), strict=True)):
                over, landing = (row + down, column + right), (row + 2 * down, column + 2 * right)
                if over in pegs and landing in cells and landing not in pegs:
                    rest = after(pegs - {(row, column), over} | {landing})
                    if rest is not None:
                        return ((row, column, direction), *rest)
        # Jumps cannot be taken back, so a position from which nothing leads on need not be tried again on another way.
        dead.add(pegs)
        return None

    found = after(pegs)
    if found is None:
        raise LookupError(f"no sequence of jumps leads from {sorted(pegs)} to the goal")
    return found


def _table(sequence: Sequence) -> NDArray[np.int16]:
    """A sequence as a frozen array [j, 3] of rows, columns and directions."""
    table = np.array(sequence, np.int16)
    table.flags.writeable = False
    return table


def _find_module(removed: Pegs, empty: Pegs, helpers: Pegs) -> NDArray[np.int16]:
    """The sequence that takes ``removed`` away and gives ``helpers`` back, on these cells alone."""
    return _table(find_jumps(removed | helpers, removed | helpers | empty, lambda pegs: pegs == helpers))


def _find_ending(m: int, n: int) -> NDArray[np.int16]:
    """The sequence that reduces the m x n rectangle to s(m, n) pegs."""
    cells = block(-MARGIN, -MARGIN, m + 2 * MARGIN, n + 2 * MARGIN)
    return _table(find_jumps(block(0, 0, m, n), cells, lambda pegs: len(pegs) == fewest_left(m, n)))


MODULE_1 = _find_module(removed=block(0, 0, 3, 1), empty=block(0, -1, 1, 1), helpers=block(0, 1, 1, 1))
"""Removes the 3 x 1 block at (0, 0): (0, -1) is empty, and the helper is (0, 1)."""

MODULE_2 = _find_module(removed=block(0, 0, 2, 3), empty=block(-1, 0, 1, 3), helpers=block(0, 3, 2, 1))
"""Removes the 2 x 3 block at (0, 0): the row above it is empty, and the helpers are (0, 3) and (1, 3)."""

ENDINGS = {(m, n): _find_ending(m, n) for m in (2, 3, 4) for n in range(m, 5)}
"""Reduces the m x n rectangle at (0, 0), 2 <= m <= n <= 4, to s(m, n) pegs."""


_MODULES_2 = (0, 2, 1)
"""How many modules 2 a column of blocks begins with, by its height modulo 3."""


class Band(NamedTuple):
    """Rows from which columns are removed, from the left, three at a time.

    top: the first row.
    height: how many rows.
    width: columns of the whole rectangle; two to four are left.
    transposed: rows and columns change places.
    """

    top: int
    height: int
    width: int
    transposed: bool


@shared
def _write(template: NDArray[np.int16], row: int, column: int, transposed: bool, jumps: Jumps, count: int) -> int:
    """Append ``template`` moved to (row, column), both mirrored in the diagonal if asked; return the new count."""
    for j in range(template.shape[0]):
        r, c, direction = row + template[j, 0], column + template[j, 1], template[j, 2]
        jumps.rows[count + j] = c if transposed else r
        jumps.columns[count + j] = r if transposed else c
        # In the diagonal up and left change places, and right and down: each pair has the sum 3.
        jumps.directions[count + j] = 3 - direction if transposed else direction
    return count + template.shape[0]


@kernel
def _peel(module_1: NDArray[np.int16], module_2: NDArray[np.int16], band: Band, jumps: Jumps, count: int) -> int:
    """Append the removal of three columns at a time from a band; return the new count."""
    top, height, width, transposed = band
    # Only while five columns or more are left.
    for column in range(0, width - 4, 3):
        row = 0
        for _ in range(_MODULES_2[height % 3]):
            count = _write(module_2, top + row, column, transposed, jumps, count)
            row += 2
        while row < height:
            for c in range(column, column + 3):
                count = _write(module_1, top + row, c, transposed, jumps, count)
            row += 3
    return count


@kernel
def _pair_line(jumps: Jumps, vertical: bool) -> None:
    """The jumps of a line: peg 2i over peg 2i - 1, counted from 1."""
    for j in range(jumps.rows.size):
        jumps.rows[j] = 2 * j + 1 if vertical else 0
        jumps.columns[j] = 0 if vertical else 2 * j + 1
        jumps.directions[j] = 3 - LEFT if vertical else LEFT


def strip_jumps(m: int) -> Jumps:
    """The jumps that take the three left columns from a rectangle of ``m`` >= 2 rows and five or more columns.

    They touch the columns -1 to 3 and the rows -1 to m - 1 only and leave column 3 as it was, so a replay on m x 4
    pegs shows that they work for any number of columns. Raises :class:`RectangleError`.
    """
    require_rectangle(m, 5)
    if m < 2:
        raise RectangleError("a line has no module: m must be 2 or more")
    jumps = empty_jumps(3 * m)
    _peel(MODULE_1, MODULE_2, Band(0, m, 5, False), jumps, 0)
    return jumps


def _remainder(side: int) -> int:
    """The side that remains when threes are taken from a side of five or more: 2, 3 or 4."""
    return side if side < 5 else 2 + (side - 2) % 3


def reducing_jumps(m: int, n: int) -> Jumps:
    """Jumps that leave s(m, n) pegs of the m x n rectangle. Raises :class:`RectangleError`."""
    require_rectangle(m, n)
    jumps = empty_jumps(m * n - fewest_left(m, n))
    if min(m, n) == 1:
        _pair_line(jumps, n == 1)
        return jumps
    p, q = _remainder(m), _remainder(n)
    count = _peel(MODULE_1, MODULE_2, Band(0, m, n, False), jumps, 0)
    # The columns that are left are the rows of the second band, seen along the diagonal.
    count = _peel(MODULE_1, MODULE_2, Band(n - q, q, m, True), jumps, count)
    if p <= q:
        _write(ENDINGS[p, q], m - p, n - q, False, jumps, count)
    else:
        _write(ENDINGS[q, p], n - q, m - p, True, jumps, count)
    return jumps
