"""Fewest pegs of a rectangle or a line on an unbounded board, and the cells that they can come to, with the proofs.

*Fewest.* s(m, n) pegs at least are left of an m x n rectangle on an unbounded board:

    s(m, n) = ceil(n / 2)   if m = 1   (and ceil(m / 2) if n = 1),
              2             if m, n >= 2 and 3 divides m or n,
              1             if m, n >= 2 and 3 divides neither.

From above, :mod:`.rectangle_jumps` leaves that many. From below, a line by its own argument (see below), and any other
rectangle by colours: give cell (r, c) the colour (r + c) mod 3. Every jump meets three cells in a row, one of each
colour, takes the pegs from two and puts one on the third, so it changes the parity of the pegs on every colour. Where 3
divides m or n the colours have equally many pegs, so the three parities agree at the start and for ever; one single peg
would make them differ. One peg must always stay.

Source: the second example of the source text (URAL 1051).

*Reach.* Let s = (sqrt(5) - 1)/2, so that s + s^2 = 1. Give each cell the weight s^d, where d is its distance from a
target cell, counted in steps along rows and columns. A jump trades two pegs at distances d + 1 and d + 2 for one at d,
which keeps the sum of the weights, or it goes another way, which lowers it. So the sum never grows; and a peg on the
target alone weighs 1. Hence:

    a peg can only ever come to a cell for which the pegs of the rectangle together weigh at least 1.

The margin is finite. The rectangle lies in a half-plane; a target in its fifth row outside sees, in all the half-plane,

    s^5 * (1 + s + s^2 + ...) * (1 + 2s + 2s^2 + ...) = s^5 * 1/(1 - s) * (1 + s)/(1 - s) = s^5 / s^5 = 1,

since 1 - s = s^2 and 1 + s = 1/s. A rectangle is finite and weighs less. So no peg gets five cells outside (Conway),
and among the cells of the margin of four the weight itself decides, computed exactly: sums of powers of s are integers
x + y s, with s^(d+2) = s^d - s^(d+1), and x + y s >= 0 if and only if 2x - y + y sqrt(5) >= 0.

The weight is a product of one factor for the row and one for the column. Source: J. H. Conway; Berlekamp, Conway and
Guy, Winning Ways, chapter 23.

*Line.* Every position of 1 x n pegs is visited, and the argument that ceil(n/2) of them stay is tried at each. Pegs of
a line never leave it, for a jump across it would need two pegs side by side across it. Call a peg untouched
until it jumps or is jumped over. While any are left,

    (1) the untouched pegs are consecutive;
    (2) left of them no two pegs are adjacent, and the two cells next to the leftmost untouched peg are empty;
    (3) the same on the right;

hence both pegs of the next jump are untouched: a touched one has no neighbour. Such a jump takes the outermost two on
one side and leaves one peg, so (1) to (3) hold again. The untouched pegs thus go in pairs, n // 2 jumps at most; after
that no two pegs are adjacent, and ceil(n/2) stay. With that only the jumps made on either side tell positions apart, so
there are about n^2/8 of them, and a search that knows nothing of the argument can visit all and check each step of it.

Positions are integers with one bit per cell, so that all jumps of a kind are found by three shifts. The line starts
2n cells from the end of the word, and n - 1 jumps of two cells cannot leave it. Source: the proof for m = 1 of the
source text, with its conditions and lemmas.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from boardspace_kernels.board_division.jumps import MARGIN, require_rectangle


def fewest_left(m: int, n: int) -> int:
    """s(m, n) by the formula. Raises :class:`RectangleError`."""
    require_rectangle(m, n)
    if min(m, n) == 1:
        return (max(m, n) + 1) // 2
    return 2 if m % 3 == 0 or n % 3 == 0 else 1


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


Golden = tuple[int, int]
"""x + y s as the pair (x, y)."""


def power(exponent: int) -> Golden:
    """s^exponent."""
    x, y = 1, 0
    for _ in range(exponent):
        # s (x + y s) = y + (x - y) s, as s^2 = 1 - s.
        x, y = y, x - y
    return x, y


def times(a: Golden, b: Golden) -> Golden:
    """The product of two sums: s^2 = 1 - s."""
    return a[0] * b[0] + a[1] * b[1], a[0] * b[1] + a[1] * b[0] - a[1] * b[1]


def not_negative(a: Golden) -> bool:
    """Return whether x + y s >= 0, that is whether 2x - y >= -y sqrt(5)."""
    rational, root = 2 * a[0] - a[1], a[1]
    if rational >= 0:
        return root >= 0 or rational * rational >= 5 * root * root
    # With a negative rational part only a larger root makes the sum positive. Squares decide it without a root.
    return root > 0 and 5 * root * root >= rational * rational


def line_weight(length: int, position: int) -> Golden:
    """The weight of pegs 0..length - 1 of a line, seen from ``position`` on it."""
    weights = [power(abs(peg - position)) for peg in range(length)]
    return sum(x for x, _ in weights), sum(y for _, y in weights)


def reachable_cells(m: int, n: int) -> NDArray[np.int64]:
    """The cells [c, 2], in reading order, that the weights allow pegs of the m x n rectangle to come to."""
    require_rectangle(m, n)
    rows = [(row, line_weight(m, row)) for row in range(-MARGIN, m + MARGIN)]
    columns = [(column, line_weight(n, column)) for column in range(-MARGIN, n + MARGIN)]
    allowed = []
    for row, a in rows:
        for column, b in columns:
            x, y = times(a, b)
            if not_negative((x - 1, y)):
                allowed.append((row, column))
    return np.array(allowed, np.int64)


class LineReached(NamedTuple):
    """Findings of a search of all positions of a line.

    positions: how many there are, untouched pegs marked.
    fewest: the fewest pegs of any.
    broken: positions with untouched pegs that break (1), (2) or (3).
    touched_jumps: jumps by or over a touched peg while untouched ones are left.
    late_jumps: such jumps when none is left.
    """

    positions: int
    fewest: int
    broken: int
    touched_jumps: int
    late_jumps: int


def holds_conditions(pegs: int, untouched: int) -> bool:
    """Return whether conditions (1), (2) and (3) hold; ``untouched`` is not 0."""
    first = untouched & -untouched
    # The carry runs through the pegs that are consecutive, to the first cell behind them.
    beyond = untouched + first
    left, right = pegs & (first - 1), pegs & -beyond
    consecutive = untouched & beyond == 0
    apart = left & left << 1 == 0 and right & right << 1 == 0
    return consecutive and apart and not pegs & (first >> 1 | first >> 2 | beyond | beyond << 1)


def _jumps(pegs: int) -> list[tuple[int, int, int]]:
    """The cells (from, over, landing) of every jump along the line, as words with one bit each."""
    found = []
    # Bits of the pegs that can jump down, or up, the word: with a peg next to them and none two cells on.
    left, right = pegs & pegs << 1 & ~(pegs << 2), pegs & pegs >> 1 & ~(pegs >> 2)
    while left:
        peg = left & -left
        found.append((peg, peg >> 1, peg >> 2))
        left ^= peg
    while right:
        peg = right & -right
        found.append((peg, peg << 1, peg << 2))
        right ^= peg
    return found


def search_line(n: int) -> LineReached:
    """Visit every position of a line of ``n`` pegs. Raises :class:`RectangleError` for n out of range."""
    require_rectangle(1, n)
    full = ((1 << n) - 1) << 2 * n
    level, pegs_left = {(full, full)}, n
    positions = broken = touched_jumps = late_jumps = 0
    while level:
        following = set()
        positions += len(level)
        fewest = pegs_left
        for pegs, untouched in level:
            broken += bool(untouched) and not holds_conditions(pegs, untouched)
            for peg, over, landing in _jumps(pegs):
                late_jumps += not untouched
                touched_jumps += bool(untouched) and untouched & (peg | over) != peg | over
                following.add((pegs & ~(peg | over) | landing, untouched & ~(peg | over)))
        level, pegs_left = following, pegs_left - 1
    return LineReached(positions, fewest, broken, touched_jumps, late_jumps)
