"""The few short sequences of jumps from which every rectangle is cleared, found by search.

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

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.board_division.jumps import COLUMN_STEP, ROW_STEP
from boardspace_kernels.board_division.rectangle.reach import MARGIN
from boardspace_kernels.board_division.rectangle.value import fewest_left

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
