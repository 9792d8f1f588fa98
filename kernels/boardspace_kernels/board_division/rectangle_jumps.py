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
from functools import lru_cache

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
    require_rectangle,
)

Cell = tuple[int, int]
Pegs = frozenset[Cell]
Sequence = tuple[tuple[int, int, int], ...]
Table = NDArray[np.int16]
"""A sequence of j jumps [j, 3]: rows, columns and directions."""


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


def _table(sequence: Sequence) -> Table:
    """A sequence as a frozen array."""
    table = np.array(sequence, np.int16)
    table.flags.writeable = False
    return table


def _find_module(removed: Pegs, empty: Pegs, helpers: Pegs) -> Table:
    """The sequence that takes ``removed`` away and gives ``helpers`` back, on these cells alone."""
    return _table(find_jumps(removed | helpers, removed | helpers | empty, lambda pegs: pegs == helpers))


def _find_ending(m: int, n: int) -> Table:
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


DOWN, ACROSS = np.eye(3, dtype=np.int16)[:2]


@lru_cache(maxsize=16)
def _strip(height: int) -> Table:
    """The jumps [j, 3] that take the three left columns of so many rows: modules 2 from the top, then modules 1."""
    twos = _MODULES_2[height % 3]
    above = _along(0, 2 * twos, 2)[:, None] * DOWN + MODULE_2
    below = _along(2 * twos, height, 3)[:, None, None] * DOWN + _along(0, 3, 1)[:, None] * ACROSS + MODULE_1
    return np.concatenate([above.reshape(-1, 3), below.reshape(-1, 3)])


def _strips(height: int, count: int) -> Table:
    """The jumps that take so many times three columns from the left."""
    return (_along(0, 3 * count, 3)[:, None] * ACROSS + _strip(height)).reshape(-1, 3)


def _along(first: int, end: int, step: int) -> Table:
    """Numbers of rows or columns, int16 [c, 1]."""
    return np.arange(first, end, step, dtype=np.int16)[:, None]


def _mirrored(sequence: Table) -> Table:
    """A sequence mirrored in the diagonal: rows and columns change places, up and left, and right and down."""
    # Each of these pairs of directions has the sum 3.
    return np.stack((sequence[:, 1], sequence[:, 0], 3 - sequence[:, 2]), axis=1)


def _jumps(sequence: Table) -> Jumps:
    rows, columns, directions = sequence.T
    return Jumps(rows.copy(), columns.copy(), directions.astype(np.uint8))


def strip_jumps(m: int) -> Jumps:
    """The jumps that take the three left columns from a rectangle of ``m`` >= 2 rows and five or more columns.

    They touch the columns -1 to 3 and the rows -1 to m - 1 only and leave column 3 as it was, so a replay on m x 4
    pegs shows that they work for any number of columns. Raises :class:`RectangleError`.
    """
    require_rectangle(m, 5)
    if m < 2:
        raise RectangleError("a line has no module: m must be 2 or more")
    return _jumps(_strip(m))


def _remainder(side: int) -> int:
    """The side that remains when threes are taken from a side of five or more: 2, 3 or 4."""
    return side if side < 5 else 2 + (side - 2) % 3


def reducing_jumps(m: int, n: int) -> Jumps:
    """Jumps that leave s(m, n) pegs of the m x n rectangle. Raises :class:`RectangleError`."""
    require_rectangle(m, n)
    if min(m, n) == 1:
        line = _along(1, max(m, n), 2) * ACROSS + np.array((0, 0, LEFT), np.int16)
        return _jumps(line if m == 1 else _mirrored(line))
    p, q = _remainder(m), _remainder(n)
    # The columns that are left are the rows of the second part, seen along the diagonal.
    rows = _mirrored(_strips(q, (m - p) // 3))
    ending = ENDINGS[p, q] if p <= q else _mirrored(ENDINGS[q, p])
    below, right = (m - p) * DOWN, (n - q) * ACROSS
    return _jumps(np.concatenate([_strips(m, (n - q) // 3), rows + right, ending + below + right]))
