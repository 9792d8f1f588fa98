"""An explicit sequence of jumps from any m x n rectangle of pegs to s(m, n) pegs, by dividing the rectangle.

A line is cut in pairs: the pegs 2, 4, 6, ... jump back over the pegs 1, 3, 5, ....

Any other rectangle loses its three left columns while it has five or more (the fourth holds the helpers): from the
top, one module 2 where the rows leave 2 by three, two of them where they leave 1, none where they leave 0, and the
rows that remain, a multiple of three, by module 1 in each column. Then it loses its three upper rows in the same way,
seen along the diagonal, while it has five or more. What remains has 2, 3 or 4 rows and columns, as many as m and n
modulo 3, and an ending reduces it (:mod:`boardspace_kernels.board_division.rectangle.modules`).

The sequence has m * n - s(m, n) jumps and takes that many steps to write. Source: the second example of the source
text; the order of the modules is the source's, their jumps are this project's.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.board_division.jumps import LEFT, Jumps, RectangleError, empty_jumps, require_rectangle
from boardspace_kernels.board_division.rectangle.modules import ENDINGS, MODULE_1, MODULE_2
from boardspace_kernels.board_division.rectangle.value import fewest_left
from boardspace_kernels.jit import kernel

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


@kernel
def _write(template: NDArray[np.int16], row: int, column: int, transposed: bool, jumps: Jumps, count: int) -> int:
    """Append ``template`` moved to (row, column), both mirrored in the diagonal if asked; return the new count."""
    for j in range(template.shape[0]):
        r, c, direction = row + template[j, 0], column + template[j, 1], template[j, 2]
        jumps.rows[count + j] = c if transposed else r
        jumps.columns[count + j] = r if transposed else c
        jumps.directions[count + j] = 3 - direction if transposed else direction
    return count + template.shape[0]


@kernel
def _peel(module_1: NDArray[np.int16], module_2: NDArray[np.int16], band: Band, jumps: Jumps, count: int) -> int:
    """Append the removal of three columns at a time from a band; return the new count."""
    top, height, width, transposed = band
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
    count = _peel(MODULE_1, MODULE_2, Band(n - q, q, m, True), jumps, count)
    if p <= q:
        _write(ENDINGS[p, q], m - p, n - q, False, jumps, count)
    else:
        _write(ENDINGS[q, p], n - q, m - p, True, jumps, count)
    return jumps
