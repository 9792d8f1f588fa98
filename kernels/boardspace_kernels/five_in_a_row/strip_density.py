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

A row is gone through cell by cell (:mod:`.strip_states`), so a row of length costs two operations for each state and
column. Values are kept for every length, 2 bytes a state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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


@dataclass(frozen=True)
class Density:
    """Proof about a strip: X(n + period) = X(n) + stones for all n >= ``start_rows``.

    strip: the strip.
    period: rows after which it repeats itself.
    stones: that a period takes.
    start_rows: from so many rows on.
    fewest: X(n) for n = 0 .. start_rows + period - 1.
    potential: int64 (states), the certificate that no fewer than stones / period stones a row suffice.
    pattern: bool (rows, w), rows that take no more.
    """

    strip: Strip
    period: int
    stones: int
    start_rows: int
    fewest: tuple[int, ...]
    potential: npt.NDArray[np.int64]
    pattern: npt.NDArray[np.bool_]

    def stones_of(self, rows: int) -> int:
        """X(rows, width), for any number of rows."""
        return continued(self.fewest, self.period, self.stones, rows)


def continued(fewest: Sequence[int], period: int, stones: int, rows: int) -> int:
    """X for any number of rows, where ``fewest`` is X for 0 rows and more, and from its last ``period`` values on
    ``period`` rows more always cost ``stones`` stones more."""
    beyond = max(0, rows - len(fewest) + period) // period
    return fewest[rows - beyond * period] + beyond * stones


def density(strip: Strip) -> Density:
    """The fewest stones of a strip for every length, with the proof.

    Raises:
        BoardError: no period up to ``LONGEST_PERIOD`` shows within ``LONGEST`` rows.
    """
    values = [np.zeros(strip.states, dtype=np.uint16)]
    while len(values) <= LONGEST:
        values.append(_one_row_more(strip, values[-1]))
        for period in range(1, min(LONGEST_PERIOD, len(values) - 1) + 1):
            gained = _gained(values[-1], values[-1 - period])
            if gained >= 0:
                return _proved(strip, values, period, gained)
    raise BoardError(f"a strip of {strip.width} columns, k = {strip.k}, shows no period within {LONGEST} rows")


@kernel
def _gained(values: Values, before: Values) -> int:
    """By how much all values exceed those before; -1 where not all by as much."""
    gained = np.int64(values[0]) - np.int64(before[0])
    for state in range(len(values)):
        if np.int64(values[state]) - np.int64(before[state]) != gained:
            return -1
    return int(gained)


def _one_row_more(strip: Strip, values: Values) -> Values:
    return _round(strip.free, strip.stone, strip.sizes, values)


@kernel
def _round(free: Links, stone: Links, sizes: npt.NDArray[np.int64], values: Values) -> Values:
    """The fewest stones of one row more after each state of layer 0, from the last cell of the row to the first."""
    for cell in range(len(sizes) - 1, -1, -1):
        here = np.empty(sizes[cell], np.uint16)
        for state in range(sizes[cell]):
            here[state] = values[stone[cell, state]] + np.uint16(1)
            if free[cell, state] >= 0 and values[free[cell, state]] < here[state]:
                here[state] = values[free[cell, state]]
        values = here
    return values


def _proved(strip: Strip, values: list[Values], period: int, stones: int) -> Density:
    start_rows = len(values) - 1 - period
    fewest = tuple(int(value[0]) for value in values[:-1])
    potential = np.sum(values[start_rows : start_rows + period], axis=0, dtype=np.int64)
    return Density(strip, period, stones, start_rows, fewest, potential, _pattern(strip, values, period, stones))


def _pattern(strip: Strip, values: list[Values], period: int, stones: int) -> npt.NDArray[np.bool_]:
    """Rows of a cheapest long strip between two visits to a state, stones / period stones a row."""
    long = list(values)
    while True:
        state, met, rows, spent = 0, dict[int, list[tuple[int, int]]](), list[int](), 0
        for remaining in range(len(long) - 1, 0, -1):
            for at, then in met.get(state, []):
                if (spent - then) * period == (len(rows) - at) * stones:
                    return np.array([[row >> column & 1 for column in range(strip.width)] for row in rows[at:]], bool)
            met.setdefault(state, []).append((len(rows), spent))
            row, state = _cheapest_row(strip.free, strip.stone, long[remaining - 1], state)
            rows.append(row)
            spent += row.bit_count()
        for _ in range(len(long)):
            long.append(_one_row_more(strip, long[-1]))


@kernel
def _cheapest_row(free: Links, stone: Links, values: Values, start: int) -> tuple[int, int]:
    """Of the rows after a state the one, bits its stones, with the fewest of them and what follows, and where it
    leads."""
    best, best_row, best_state = TOO_MANY, 0, 0
    for row in range(1 << len(free)):
        state, stones = start, 0
        for cell in range(len(free)):
            stones += row >> cell & 1
            state = stone[cell, state] if row >> cell & 1 else free[cell, state]
            if state == NONE:
                break
        if state != NONE and stones + values[state] < best:
            best, best_row, best_state = stones + np.int64(values[state]), row, state
    return best_row, best_state


def strip_certificate(found: Density) -> Mapping[str, Any]:
    """The certificate, of JSON values only: the pattern's rows, and the potential of every state by its runs, the
    column's, the diagonal's and the antidiagonal's of each column in one word of digits."""
    digits = found.strip.runs.reshape(found.strip.states, -1) + np.uint8(
        ord("0")
    )  # runs are below k, which is below 10
    names = np.ascontiguousarray(digits).view(f"S{digits.shape[1]}").ravel().astype(str).tolist()
    return {
        "k": found.strip.k,
        "width": found.strip.width,
        "period": found.period,
        "stones": found.stones,
        "pattern": ["".join(".#"[stone] for stone in row) for row in found.pattern.astype(int).tolist()],
        "potential": dict(zip(names, found.potential.tolist(), strict=True)),
    }
