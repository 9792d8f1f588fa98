"""s(m, n), the fewest pegs that can be left of an m x n rectangle on an unbounded board, and the bound from colours.

    s(m, n) = ceil(n / 2)   if m = 1   (and ceil(m / 2) if n = 1),
              2             if m, n >= 2 and 3 divides m or n,
              1             if m, n >= 2 and 3 divides neither.

From above: :mod:`.jumps` leaves that many. From below, a line by its own argument
(:mod:`.line`), and any other rectangle by colours: give cell (r, c) the colour (r + c) mod 3.
Every jump meets three cells in a row, one of each colour, takes the pegs from two and puts one on the third, so it
changes the parity of the pegs on every colour. Where 3 divides m or n the colours have equally many pegs, so the
three parities agree at the start and for ever; one single peg would make them differ. One peg must always stay.

Source: the second example of the source text (URAL 1051).
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardspace_kernels.board_division.jumps import require_rectangle


def fewest_left(m: int, n: int) -> int:
    """s(m, n) by the formula. Raises :class:`RectangleError`."""
    require_rectangle(m, n)
    if min(m, n) == 1:
        return (max(m, n) + 1) // 2
    return 2 if m % 3 == 0 or n % 3 == 0 else 1


def fewest_left_table(rows: int, columns: int) -> NDArray[np.uint16]:
    """s(m, n) [rows, columns] for m = 1..rows and n = 1..columns."""
    require_rectangle(rows, columns)
    m, n = np.ogrid[1 : rows + 1, 1 : columns + 1]
    value = np.where((m % 3 == 0) | (n % 3 == 0), 2, 1)
    return np.where((m == 1) | (n == 1), (np.maximum(m, n) + 1) // 2, value).astype(np.uint16)


def colour_counts(m: ArrayLike, n: ArrayLike) -> NDArray[np.int64]:
    """Pegs [..., 3] on the cells of each colour (row + column) mod 3, of one rectangle or of arrays of them.

    Rows and columns are counted from 0. A side of length l has (l - i + 2) // 3 cells that leave i modulo 3.
    """
    remainders = np.arange(3)
    rows, columns = ((np.asarray(side)[..., None] - remainders + 2) // 3 for side in (m, n))
    counts = [sum(rows[..., i] * columns[..., (colour - i) % 3] for i in range(3)) for colour in range(3)]
    return np.stack(counts, axis=-1)


def colour_bound(m: ArrayLike, n: ArrayLike) -> NDArray[np.uint8]:
    """The lower bound on the pegs left: 2 where the three colours start with equal parities, else 1."""
    odd = colour_counts(m, n) % 2
    return np.where((odd == odd[..., :1]).all(axis=-1), 2, 1).astype(np.uint8)
