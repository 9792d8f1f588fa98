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

Cost: states times rows for every row of length; k = 3 has 4,400 states for w = 7 and about 4 times as many for each
column more.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.kernels.five_in_a_row.board import BoardError, BoardTooLargeError

Bytes = npt.NDArray[np.uint8]
Ints = npt.NDArray[np.int64]

LONGEST = 600
"""Rows after which a period must have shown."""

LONGEST_PERIOD = 120
MOST_STATES = 400_000
FORBIDDEN = -1


@dataclass(frozen=True)
class Strip:
    """A strip of ``width`` columns: its states' runs (n, 3, w), its rows (R, w), and which state follows (n, R)."""

    k: int
    width: int
    runs: Bytes
    rows: npt.NDArray[np.bool_]
    following: npt.NDArray[np.int32]

    @property
    def start(self) -> int:
        """The state of no rows yet."""
        return int(np.flatnonzero(~self.runs.any(axis=(1, 2)))[0])


@dataclass(frozen=True)
class Density:
    """What is proved of a strip: X(n + period) = X(n) + stones for all n >= ``start_rows``.

    ``fewest`` is X(n) for n = 0 .. start_rows + period - 1; ``potential`` (states,) and ``pattern`` (rows, w) are the
    certificate of stones / period stones a row.
    """

    strip: Strip
    period: int
    stones: int
    start_rows: int
    fewest: tuple[int, ...]
    potential: Ints
    pattern: npt.NDArray[np.bool_]

    def stones_of(self, rows: int) -> int:
        """X(rows, width), for any number of rows."""
        beyond = max(0, rows - self.start_rows) // self.period
        return self.fewest[rows - beyond * self.period] + beyond * self.stones


def strip(k: int, width: int) -> Strip:
    """All states and rows of a strip.

    Raises:
        BoardError: a width below k, whose lines go one way only (:mod:`.thin`), or one whose runs do not fit 64 bits.
        BoardTooLargeError: more than ``MOST_STATES`` states.
    """
    bits = max(1, (k - 1).bit_length())
    if not 2 <= k <= width or 3 * width * bits > 64:
        raise BoardError(f"strips for k = {k} are {k} to {64 // (3 * bits)} columns wide; got {width}")
    free = ~np.array(list(product((False, True), repeat=width)))
    windows = np.lib.stride_tricks.sliding_window_view(free, k, axis=1)
    free = free[~windows.all(axis=2).any(axis=1)]
    place = np.arange(3 * width).reshape(3, width).astype(np.uint64) * np.uint64(bits)
    known = new = np.zeros(1, dtype=np.uint64)
    while len(new):
        reached = [_keys(_after(_runs(new, place, bits), row, k), place) for row in free]
        new = np.setdiff1d(np.concatenate(reached), known)
        known = np.union1d(known, new)
        if len(known) > MOST_STATES:
            raise BoardTooLargeError(f"a strip of {width} columns, k = {k}, has more than {MOST_STATES} states")
    runs = _runs(known, place, bits)
    following = np.full((len(known), len(free)), FORBIDDEN, dtype=np.int32)
    for number, row in enumerate(free):
        after, allowed = _after(runs, row, k)
        keys = (after.astype(np.uint64) << place).sum(axis=(1, 2), dtype=np.uint64)
        following[allowed, number] = np.searchsorted(known, keys[allowed])
    return Strip(k, width, runs, ~free, following)


def _runs(keys: npt.NDArray[np.uint64], place: npt.NDArray[np.uint64], bits: int) -> Bytes:
    mask = np.uint64((1 << bits) - 1)
    return ((keys[:, None, None] >> place) & mask).astype(np.uint8)


def _keys(after: tuple[Bytes, npt.NDArray[np.bool_]], place: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """The different keys of the allowed states."""
    runs, allowed = after
    return np.unique((runs[allowed].astype(np.uint64) << place).sum(axis=(1, 2), dtype=np.uint64))


def _after(runs: Bytes, free: npt.NDArray[np.bool_], k: int) -> tuple[Bytes, npt.NDArray[np.bool_]]:
    """The runs (n, 3, w) after a row whose cells ``free`` (w,) are free, and in which states (n,) it is allowed."""
    width = len(free)
    before = runs.copy()
    before[:, 1, 1:], before[:, 1, 0] = runs[:, 1, :-1], 0
    before[:, 2, :-1], before[:, 2, -1] = runs[:, 2, 1:], 0
    after = np.where(free, before + 1, 0).astype(np.uint8)
    allowed = (after < k).all(axis=(1, 2))
    column = np.arange(width)
    room = np.stack([np.full(width, k), width - 1 - column, column])
    return np.where(after + room >= k, after, 0).astype(np.uint8), allowed


def density(strip: Strip) -> Density:
    """The fewest stones of a strip for every length, with the proof.

    Raises:
        BoardError: no period up to ``LONGEST_PERIOD`` shows within ``LONGEST`` rows.
    """
    values = [np.zeros(len(strip.runs), dtype=np.int64)]
    while len(values) <= LONGEST:
        values.append(_one_row_more(strip, values[-1]))
        for period in range(1, min(LONGEST_PERIOD, len(values) - 1) + 1):
            gained = values[-1] - values[-1 - period]
            if gained[0] == gained[-1] and (gained == gained[0]).all():
                return _proved(strip, values, period, int(gained[0]))
    raise BoardError(f"a strip of {strip.width} columns, k = {strip.k}, shows no period within {LONGEST} rows")


def _one_row_more(strip: Strip, values: Ints) -> Ints:
    best = np.full(len(values), np.iinfo(np.int64).max)
    for number, row in enumerate(strip.rows):
        after = strip.following[:, number]
        np.minimum(best, np.where(after == FORBIDDEN, best, row.sum() + values[after]), out=best)
    return best


def _proved(strip: Strip, values: list[Ints], period: int, stones: int) -> Density:
    start_rows = len(values) - 1 - period
    fewest = tuple(int(value[strip.start]) for value in values[:-1])
    potential = np.sum(values[start_rows : start_rows + period], axis=0)
    return Density(strip, period, stones, start_rows, fewest, potential, _pattern(strip, values, period, stones))


def _pattern(strip: Strip, values: list[Ints], period: int, stones: int) -> npt.NDArray[np.bool_]:
    """Rows of a cheapest long strip between two visits to a state, stones / period stones a row."""
    long = list(values)
    while True:
        state, met, rows, spent = strip.start, dict[int, list[tuple[int, int]]](), list[int](), 0
        for remaining in range(len(long) - 1, 0, -1):
            for at, then in met.get(state, []):
                if (spent - then) * period == (len(rows) - at) * stones:
                    return strip.rows[rows[at:]]
            met.setdefault(state, []).append((len(rows), spent))
            after = strip.following[state]
            costs = strip.rows.sum(axis=1) + long[remaining - 1][after]
            row = int(np.where(after == FORBIDDEN, np.iinfo(np.int64).max, costs).argmin())
            rows.append(row)
            spent += int(strip.rows[row].sum())
            state = int(after[row])
        for _ in range(len(long)):
            long.append(_one_row_more(strip, long[-1]))


def strip_certificate(found: Density) -> Mapping[str, Any]:
    """The certificate, of JSON values only: the pattern's rows, and the potential of every state by its runs, the
    column's, the diagonal's and the antidiagonal's of each column in one word of digits."""
    names = ["".join(map(str, runs.ravel().tolist())) for runs in found.strip.runs]
    return {
        "k": found.strip.k,
        "width": found.strip.width,
        "period": found.period,
        "stones": found.stones,
        "pattern": ["".join(".#"[stone] for stone in row) for row in found.pattern.astype(int).tolist()],
        "potential": dict(zip(names, found.potential.tolist(), strict=True)),
    }
