"""Strips of one width and any length: the fewest stones on w x n for every n, and the least density of endless strips.

Rows are decided one after the other. Of the rows above only the runs of free cells matter that end in the last row: one
down each column, one along each diagonal of either direction; a diagonal's run that can no longer grow to k before
it leaves the strip counts as 0. These are the states; a row is a set of stones that leaves no k cells of it free, and
leads from a state to one state, or is forbidden where a run would come to k. So there are finitely many states, and

    v_0(s) = 0,      v_{n+1}(s) = min over the rows m of  stones(m) + v_n(s after m)

is the fewest stones of n more rows after s; X(n, w) = v_n(no rows yet). Adding a constant to v_n adds it to v_{n+1}. So
if for some n and p all states agree in v_{n+p}(s) = v_n(s) + q, they do for every larger n too:

    X(n + p, w) = X(n, w) + q  for all n from there on:  X for every length, and q / p stones a row in the long run.

A *potential* shows it without the recursion: H(s) = v_n(s) + ... + v_{n+p-1}(s) satisfies, for every row m from s to
s',

    p * stones(m) - q  >=  H(s) - H(s'),      hence   p * X(n, w)  >=  n q + H(no rows) - max H  for every n

(add up v_{i+1}(s) <= stones(m) + v_i(s') over i). A *pattern* of rows that can be repeated for ever with q / p stones a
row attains it. Both are the strip's certificate; :mod:`.strip_checker` checks it in plain Python.

Strips side by side: a board of M columns holds floor(M / w) of them, so its stones are at least so many times X(N, w),
and in the plane no pattern has a density below q / (p w).

*Weights of columns* say more of the plane. Let a stone in column c of the strip weigh a_c, and let q / p be the least
weight a row of an endless strip. In the plane the strip may begin at any column; as it moves over all of them, each
stone takes each weight once. So no pattern has a density below q / (p (a_1 + ... + a_w)). With equal weights a strip
can save at its borders, where few lines run; weights that make stones dear where such strips have them prevent that.
For k = 6 and six columns equal weights prove 7/36, and 12, 19, 10, 10, 19, 12 prove 8/41, the most that six columns
can: a cheapest pattern of the strip shows what its weights cannot exceed, and few patterns bound all weights.

A row is gone through cell by cell (:mod:`.strip_states`), so a row of length costs two operations for each state and
column. Values are kept for every length, 2 bytes a state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace_kernels.five_in_a_row.board import BoardError
from boardspace_kernels.five_in_a_row.strip_states import NONE, Links, Strip
from boardspace_kernels.jit import kernel

Values = npt.NDArray[np.uint16]

LONGEST = 600
"""Rows after which a period must have shown."""

LONGEST_PERIOD = 120
TOO_MANY = (1 << 16) - 1
"""More stones than LONGEST rows have cells."""

HEAVIEST = TOO_MANY // LONGEST
"""Weight of all columns together: LONGEST rows of it fit the values."""


@dataclass(frozen=True, eq=False)
class Density:
    """Proof about a strip whose stones have weights: X(n + period) = X(n) + stones for all n >= ``start_rows``, where X
    is the least weight of n rows.

    strip: the strip.
    weights: uint16 (w,), what a stone weighs in each column; where each weighs 1, X is the fewest stones.
    values: of 0, 1, 2, ... rows, up to start_rows + period, the least weight after each state, uint16 (states).
    period: rows after which the strip repeats itself.
    stones: weight that a period takes.
    """

    strip: Strip
    weights: npt.NDArray[np.uint16]
    values: list[Values]
    period: int
    stones: int

    @property
    def start_rows(self) -> int:
        """The strip repeats itself from so many rows on."""
        return len(self.values) - 1 - self.period

    @property
    def fewest(self) -> tuple[int, ...]:
        """X(n) for n = 0 .. start_rows + period - 1."""
        return tuple(int(value[0]) for value in self.values[:-1])

    @property
    def potential(self) -> npt.NDArray[np.int64]:
        """H = v_n + ... + v_{n+p-1}, int64 (states): the certificate that no less than stones / period a row do."""
        potential: npt.NDArray[np.int64] = np.sum(self.values[-1 - self.period : -1], axis=0, dtype=np.int64)
        return potential

    @property
    def of_the_plane(self) -> Fraction:
        """Stones a cell that a pattern of the plane which leaves no k cells in a row free has at least."""
        return Fraction(self.stones, self.period * int(self.weights.sum()))

    @cached_property
    def pattern(self) -> npt.NDArray[np.bool_]:
        """Rows, bool (rows, w), that can be repeated for ever and whose mean weight is the least: weights prove of the
        plane what their weight says, and no more."""
        return _pattern(self.strip, self.weights, self.values, Fraction(self.stones, self.period))

    def stones_of(self, rows: int) -> int:
        """X(rows), for any number of rows."""
        return continued(self.fewest, self.period, self.stones, rows)


def continued(fewest: Sequence[int], period: int, stones: int, rows: int) -> int:
    """X for any number of rows, where ``fewest`` is X for 0 rows and more, and from its last ``period`` values on
    ``period`` rows more always cost ``stones`` stones more."""
    beyond = max(0, rows - len(fewest) + period) // period
    return fewest[rows - beyond * period] + beyond * stones


def density(strip: Strip, weights: Sequence[int] | None = None) -> Density:
    """The fewest stones of a strip for every length, or the least weight of stones whose columns have weights, with the
    proof.

    Raises:
        BoardError: not one weight for each column, a negative one, none but zeros, or a sum above ``HEAVIEST``; no
            period up to ``LONGEST_PERIOD`` shows within ``LONGEST`` rows.
    """
    weights = [1] * strip.width if weights is None else weights
    if len(weights) != strip.width or min(weights) < 0 or not 1 <= sum(weights) <= HEAVIEST:
        raise BoardError(
            f"a strip of {strip.width} columns takes a weight for each, 0 or more, together 1 to {HEAVIEST}; got "
            f"{list(weights)}"
        )
    costs = np.array(weights, np.uint16)
    return Density(strip, costs, *_until_periodic(strip, costs))


def _until_periodic(strip: Strip, costs: npt.NDArray[np.uint16]) -> tuple[list[Values], int, int]:
    """The least costs v_0, v_1, ... of all states, until v_{n+p} = v_n + q; with p and q."""
    values = [np.zeros(strip.states, dtype=np.uint16)]
    while len(values) <= LONGEST:
        values.append(_round(strip.free, strip.stone, strip.sizes, costs, values[-1]))
        for period in range(1, min(LONGEST_PERIOD, len(values) - 1) + 1):
            gained = _gained(values[-1], values[-1 - period])
            if gained >= 0:
                return values, period, gained
    raise BoardError(f"a strip of {strip.width} columns, k = {strip.k}, shows no period within {LONGEST} rows")


@kernel
def _gained(values: Values, before: Values) -> int:
    """Difference by which all values exceed those before; -1 where they differ in it."""
    # Signed, since a difference of unsigned values wraps round where it is below 0.
    gained = np.int64(values[0]) - np.int64(before[0])
    for state in range(len(values)):
        if np.int64(values[state]) - np.int64(before[state]) != gained:
            return -1
    return int(gained)


@kernel
def _round(
    free: Links, stone: Links, sizes: npt.NDArray[np.int64], costs: npt.NDArray[np.uint16], values: Values
) -> Values:
    """The least cost of one row more after each state of layer 0, from the last cell of the row to the first; costs
    (w,) of a stone."""
    # The last cell leads back to layer 0, whose values are given: after each step ``values`` are those of ``cell``.
    for cell in range(len(sizes) - 1, -1, -1):
        here = np.empty(sizes[cell], np.uint16)
        for state in range(sizes[cell]):
            # A stone is always allowed, a free cell only where no run comes to k.
            here[state] = values[stone[cell, state]] + costs[cell]
            if free[cell, state] >= 0 and values[free[cell, state]] < here[state]:
                here[state] = values[free[cell, state]]
        values = here
    return values


def _pattern(
    strip: Strip, costs: npt.NDArray[np.uint16], values: list[Values], a_row: Fraction
) -> npt.NDArray[np.bool_]:
    """Rows of a cheapest long strip between two visits to a state, which cost ``a_row`` each in the mean."""
    long = list(values)
    while True:
        state, met, rows, spent = 0, dict[int, list[tuple[int, int]]](), list[int](), 0
        for remaining in range(len(long) - 1, 0, -1):
            # The rows between two visits to a state can be repeated; they are cheapest if their mean is the least
            # possible one.
            for at, then in met.get(state, []):
                if spent - then == (len(rows) - at) * a_row:
                    return np.array([[row >> column & 1 for column in range(strip.width)] for row in rows[at:]], bool)
            met.setdefault(state, []).append((len(rows), spent))
            cost, row, state = _cheapest_row(strip.free, strip.stone, costs, long[remaining - 1], state)
            rows.append(row)
            spent += cost
        # So many rows were too few for a state to be met again at the least mean: the next walk has twice as many.
        for _ in range(len(long)):
            # Of values only differences matter; less the smallest they fit 16 bits for any number of rows.
            long.append(_round(strip.free, strip.stone, strip.sizes, costs, long[-1] - long[-1].min()))


@kernel
def _cheapest_row(
    free: Links, stone: Links, costs: npt.NDArray[np.uint16], values: Values, start: int
) -> tuple[int, int, int]:
    """Of the rows after a state the one that costs least with what follows: its cost, its stones as bits, and the state
    that it leads to."""
    best, best_cost, best_row, best_state = TOO_MANY, 0, 0, 0
    for row in range(1 << len(free)):
        state, cost = start, 0
        for cell in range(len(free)):
            cost += (row >> cell & 1) * np.int64(costs[cell])
            state = stone[cell, state] if row >> cell & 1 else free[cell, state]
            # The row is forbidden, and -1 would read the links of the last state.
            if state == NONE:
                break
        if state != NONE and cost + values[state] < best:
            best, best_cost, best_row, best_state = cost + np.int64(values[state]), cost, row, state
    return best_cost, best_row, best_state


def strip_certificate(found: Density) -> Mapping[str, Any]:
    """The certificate, of JSON values only: the pattern's rows, and the potential of every state by its runs, the
    column's, the diagonal's and the antidiagonal's of each column in one word of digits."""
    return {
        "k": found.strip.k,
        "width": found.strip.width,
        "period": found.period,
        "stones": found.stones,
        "pattern": ["".join(".#"[stone] for stone in row) for row in found.pattern.astype(int).tolist()],
        "potential": _by_state(found.strip, found.potential),
    }


def plane_certificate(found: Density) -> Mapping[str, Any]:
    """The certificate of a bound, of JSON values only, with states named as those of :func:`strip_certificate`."""
    return {
        "k": found.strip.k,
        "weights": found.weights.tolist(),
        "period": found.period,
        "weight": found.stones,
        "potential": _by_state(found.strip, found.potential),
    }


def _by_state(strip: Strip, potential: npt.NDArray[np.int64]) -> dict[str, int]:
    digits = strip.runs.reshape(strip.states, -1) + np.uint8(ord("0"))  # runs are below k, which is below 10
    names = np.ascontiguousarray(digits).view(f"S{digits.shape[1]}").ravel().astype(str).tolist()
    return dict(zip(names, potential.tolist(), strict=True))
