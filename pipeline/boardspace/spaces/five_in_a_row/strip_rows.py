"""Strips gone through cell by cell in NumPy, sharing nothing with the kernels; ``verify`` re-derives with them.

A state before a cell is one integer: runs of free cells in base k, those down the columns, those along the diagonals
from the upper left and from the upper right, each filed under the column in which they ended last, and the run along
the row so far. A diagonal's or a row's run that leaves the strip before it could come to k counts as 0.
``k ** (3 width + 1)`` is below 2**63 for all strips that a config may have.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace.spec.check import distinct

Numbers = npt.NDArray[np.int64]

FORBIDDEN = -1
NEVER = np.int64(1) << 60
"""A price above all others."""
SOME_STATES = 1_000
LONGEST_PERIOD = 120
"""Rows of the longest period that is looked for."""


class Layers(NamedTuple):
    """The states of a strip before each cell of a row, and where a free cell and a stone lead.

    k, width: of the strip.
    states: by cell, the states before it (n,), ascending; the last list is those after the row, the first list again.
    free: by cell, the number of the state after a free cell (n,); FORBIDDEN where k cells in a row would be free.
    stone: by cell, the number of the state after a stone (n,).
    """

    k: int
    width: int
    states: list[Numbers]
    free: list[Numbers]
    stone: list[Numbers]


@cache
def layers(k: int, width: int) -> Layers:
    """All states that come after no rows, found row by row until a row adds none."""
    known: Numbers = np.zeros(1, np.int64)
    while True:
        before, reached = [known], known
        for cell in range(width):
            free, stone = _after(reached, cell, k, width)
            reached = distinct(np.concatenate([free[free >= 0], stone]))
            before.append(reached)
        both = distinct(np.concatenate([known, reached]))
        if len(both) == len(known):
            before[-1] = known
            break
        known = both
    links = [_after(states, cell, k, width) for cell, states in enumerate(before[:-1])]
    freed = [np.where(to < 0, FORBIDDEN, np.searchsorted(before[cell + 1], to)) for cell, (to, _) in enumerate(links)]
    blocked = [np.searchsorted(before[cell + 1], to) for cell, (_, to) in enumerate(links)]
    return Layers(k, width, before, freed, blocked)


def one_row_more(strip: Layers, values: Numbers, prices: Numbers | None = None) -> Numbers:
    """The least price of a row and of what follows it, by state before the row.

    values: the least price of what follows, by state after the row.
    prices: of a stone on each cell of the row; 1 each where not given.
    """
    for cell in reversed(range(strip.width)):
        price = 1 if prices is None else prices[cell]
        without = np.append(values, NEVER)[strip.free[cell]]  # FORBIDDEN, -1, finds the last
        values = np.minimum(without, values[strip.stone[cell]] + price)
    return values


def until_periodic(strip: Layers, prices: Numbers | None = None) -> tuple[list[Numbers], int]:
    """The least prices of 0, 1, 2, ... rows by state before them, until those of the last row exceed those of so many
    rows before by one number for all states; and that number of rows, the period.

    prices: of a stone in each column; 1 each where not given.
    """
    values = [np.zeros(len(strip.states[0]), np.int64)]
    while True:
        values.append(one_row_more(strip, values[-1], prices))
        longest = min(LONGEST_PERIOD, len(values) - 1)
        period = next((p for p in range(1, longest + 1) if _apart_by_one_number(values[-1], values[-1 - p])), 0)
        if period:
            return values, period


def _apart_by_one_number(values: Numbers, before: Numbers) -> bool:
    """Return whether all values exceed those before by one number; a few of them mostly tell that they do not."""
    return all(np.ptp(values[:most] - before[:most]) == 0 for most in (SOME_STATES, len(values)))


def potential(strip: Layers, values: list[Numbers], period: int) -> dict[str, int]:
    """The sum of the prices over one period by state, which is named by its runs, a digit each."""
    names = ("".join(map(str, state)) for state in runs(strip).tolist())
    return dict(zip(names, np.sum(values[-1 - period : -1], axis=0).tolist(), strict=True))


def least_price(k: int, width: int, prices: Numbers) -> int:
    """The least price of the stones of a placement that blocks a board; ``prices`` (rows, width) of each cell."""
    strip = layers(k, width)
    values = np.zeros(len(strip.states[-1]), np.int64)
    for row in reversed(range(len(prices))):
        values = one_row_more(strip, values, prices[row])
    return int(values[0])


def runs(strip: Layers) -> npt.NDArray[np.uint8]:
    """(n, 3 width): the runs of each state between rows, down the columns, then from the upper left, then from the
    upper right."""
    places = strip.k ** np.arange(1, 3 * strip.width + 1, dtype=np.int64)
    return (strip.states[0][:, None] // places % strip.k).astype(np.uint8)


def _after(states: Numbers, cell: int, k: int, width: int) -> tuple[Numbers, Numbers]:
    """The states after a free cell, FORBIDDEN where none may be, and after a stone."""
    if cell == 0:
        states = _next_row(states, k, width)
    places = [0, 1 + cell, 1 + width + cell, 1 + 2 * width + cell]
    ahead = [width - 1 - cell, k, width - 1 - cell, cell]
    rest, free = states.copy(), np.zeros_like(states)
    allowed = np.ones(len(states), bool)
    for place, cells in zip(places, ahead, strict=True):
        unit = np.int64(k) ** place
        run = states // unit % k
        rest -= run * unit
        grown = run + 1
        allowed &= grown < k
        free += np.where(grown + cells >= k, grown, 0) * unit
    return np.where(allowed, rest + free, FORBIDDEN), rest


def _next_row(states: Numbers, k: int, width: int) -> Numbers:
    """Diagonals filed under the column in which they meet the next row; those that leave the strip are dropped."""
    side = k**width
    down, right, left = states // k % side, states // k // side % side, states // k // side // side
    moved: Numbers = k * (down + side * (right * k % side + side * (left // k)))
    return moved
