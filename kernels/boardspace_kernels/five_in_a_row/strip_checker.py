"""Checks the certificate of a strip from the rules alone, in plain Python; it shares no code with what made it.

A certificate says: an endless strip of ``width`` columns that leaves no k cells in a row free has at least ``stones`` /
``period`` stones a row in the long run, and the pattern, repeated for ever, has just so many.

Below: the potential names states by their runs of free cells that end in the last row (down the column, along the
diagonal from the left above, and from the right above, a digit each); it must name the state of no rows, and with every
state all that follow, and period * stones of a row - stones >= potential before - potential after for every row
allowed. Above: the pattern's rows are counted and every line of its repetition is looked at.

A bound of the plane says: no pattern that leaves no k cells in a row free has fewer than ``weight`` / (``period`` *
sum of weights) stones a cell. Its potential does the same with a weight for a stone of each column.
"""

from collections.abc import Mapping
from functools import lru_cache
from itertools import product
from typing import Any


class StripError(ValueError):
    """A certificate of a strip that does not prove what it says."""


def check_strip(certificate: Mapping[str, Any]) -> None:
    """Verify pattern and potential. Raises StripError: what is wrong, where."""
    k, width, period, stones = (_whole(certificate, name) for name in ("k", "width", "period", "stones"))
    if not 2 <= k <= width or period < 1:
        raise StripError("k is at least 2, the width at least k, the period at least 1")
    pattern, potential = certificate.get("pattern"), certificate.get("potential")
    if not isinstance(pattern, list) or not isinstance(potential, Mapping):
        raise StripError("the pattern is a list of rows, the potential a number for every state")
    check_pattern(k, width, period, stones, pattern)
    _check_potential(k, (1,) * width, period, stones, potential)


def check_plane_bound(certificate: Mapping[str, Any]) -> None:
    """Verify the bound of the plane. Raises StripError: what is wrong, where."""
    k, period, weight = (_whole(certificate, name) for name in ("k", "period", "weight"))
    weights, potential = certificate.get("weights"), certificate.get("potential")
    if not isinstance(weights, list) or any(type(one) is not int or one < 0 for one in weights) or not any(weights):
        raise StripError("the weights are whole numbers, 0 or more, not all 0")
    if not 2 <= k <= len(weights) or period < 1:
        raise StripError("k is at least 2, there are at least k weights, the period is at least 1")
    if not isinstance(potential, Mapping):
        raise StripError("the potential is a number for every state")
    _check_potential(k, tuple(weights), period, weight, potential)


def _whole(certificate: Mapping[str, Any], name: str) -> int:
    value = certificate.get(name)
    if type(value) is not int:
        raise StripError(f"{name}: {value!r} is no whole number")
    return value


def check_pattern(k: int, width: int, period: int, stones: int, pattern: list[str]) -> None:
    """Verify that rows of a strip have ``stones`` stones in ``period`` rows, and leave no k cells free for ever. Raises
    StripError: what is wrong, where."""
    if not pattern or any(type(row) is not str or len(row) != width or set(row) - set(".#") for row in pattern):
        raise StripError(f"the pattern has rows that are not {width} cells of # and .")
    if sum(row.count("#") for row in pattern) * period != stones * len(pattern):
        raise StripError(f"the pattern has not {stones} stones in {period} rows")
    for y, x in product(range(len(pattern)), range(width)):
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            if 0 <= x + (k - 1) * right < width:
                line = [pattern[(y + i * down) % len(pattern)][x + i * right] for i in range(k)]
                if "#" not in line:
                    raise StripError(f"the pattern leaves {k} cells free from row {y}, column {x}")


def _check_potential(k: int, weights: tuple[int, ...], period: int, stones: int, potential: Mapping[str, int]) -> None:
    """Verify the potential of a strip whose stones weigh ``weights``, by column."""
    width = len(weights)
    if "0" * 3 * width not in potential:
        raise StripError("the potential names no state of no rows")
    if any(type(value) is not int for value in potential.values()):
        raise StripError("a potential is no whole number")
    digits = set("0123456789"[:k])
    if any(len(state) != 3 * width or set(state) - digits for state in potential):
        raise StripError(f"a state is {3 * width} runs of fewer than {k} free cells, a digit each")
    rows = [row for row in product((0, 1), repeat=width) if "0" * k not in "".join(map(str, row))]
    for state, here in potential.items():
        for row in rows:
            after = _after(state, row, k, width)
            if after is None:
                continue
            if after not in potential:
                raise StripError(f"state {after}, which follows {state}, has no potential")
            if (
                period * sum(weight for weight, stone in zip(weights, row, strict=True) if stone) - stones
                < here - potential[after]
            ):
                raise StripError(f"the row {row} after state {state} costs less than the potentials allow")


def _after(state: str, row: tuple[int, ...], k: int, width: int) -> str | None:
    """The state after a row, 1 a stone; None where k cells in a row would be free."""
    down, right, left = (state[i * width : (i + 1) * width] for i in range(3))
    # A run that came to column x - 1 goes on at x along a diagonal to the right, and the other way to the left.
    # A column has no end, so it has k cells left at any time.
    parts = (
        _grown(down, row, k, (k,) * width),
        _grown("0" + right[:-1], row, k, tuple(range(width - 1, -1, -1))),
        _grown(left[1:] + "0", row, k, tuple(range(width))),
    )
    return None if None in parts else "".join(map(str, parts))


@lru_cache(maxsize=1 << 16)
def _grown(runs: str, row: tuple[int, ...], k: int, cells_left: tuple[int, ...]) -> str | None:
    """Runs after the row; one that can come to k no more, for so many cells are left at most, is 0. None where one has
    come to k. Most states share their runs in a direction with many others."""
    after = ""
    for run, stone, left in zip(runs, row, cells_left, strict=True):
        grown = 0 if stone else int(run) + 1
        if grown >= k:
            return None
        after += str(grown if grown + left >= k else 0)
    return after
