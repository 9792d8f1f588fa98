"""Jumps of every rectangle put together from the modules, as arrays: ``verify`` compares the published ones with them.

A line is cut into pairs. From any other rectangle the left three columns are taken while there are five or more: by
modules 2 from the top, none, two or one where the rows leave 0, 1 or 2 by three, and modules 1 for the others, three
rows of three columns at a time. Then the rows in the same way, mirrored in the diagonal. An ending does the rest.

The modules are searched here by the plain rules (:func:`.rules.first_jumps`). This shares no code with the kernels.
"""

import functools

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.board_division import rules

MARGIN = 4
"""Rows and columns outside a rectangle that pegs may come to."""
DIRECTIONS = "URDL"

Jumps = NDArray[np.int64]
"""[j, 3]: row and column of the peg that jumps, from 1, and the number of its direction."""


@functools.cache
def sequences() -> dict[str, list[rules.Jump]]:
    """The modules and endings by name, each found by search."""
    found = {}
    for p in (2, 3, 4):
        for q in range(p, 5):
            start, cells = rules.rectangle(p, q), _around(p, q)
            found[f"ending {p} x {q}"] = rules.first_jumps(start, cells, rules.fewest(p, q))
    for name, empty in (("module 1", {(1, 0)}), ("module 2", {(0, 1), (0, 2), (0, 3)})):
        helpers = rules.HELPERS[name]
        start = rules.MODULES[name] | helpers
        found[name] = rules.first_jumps(start, start | empty, helpers)
    return found


def reducing_jumps(m: int, n: int) -> Jumps:
    """The jumps that leave the fewest pegs of an m x n rectangle."""
    if m == 1 or n == 1:
        pegs = np.arange(2, max(m, n) + 1, 2)
        line = np.stack((np.ones_like(pegs), pegs, np.full_like(pegs, DIRECTIONS.index("L"))), axis=1)
        return line if m == 1 else _mirrored(line)
    height, width = _remains(m), _remains(n)
    columns = _strips(m, (n - width) // 3)
    rows = _mirrored(_moved(_strips(width, (m - height) // 3), n - width, 0))
    low, high = sorted((height, width))
    ending = _array(sequences()[f"ending {low} x {high}"])
    if height > width:
        ending = _mirrored(ending)
    return np.concatenate((columns, rows, _moved(ending, m - height, n - width)))


def _around(m: int, n: int) -> rules.Pegs:
    rows, columns = range(1 - MARGIN, m + MARGIN + 1), range(1 - MARGIN, n + MARGIN + 1)
    return frozenset((row, column) for row in rows for column in columns)


def _remains(side: int) -> int:
    """The side that is left when threes are taken while it is five or more."""
    while side >= 5:
        side -= 3
    return side


def _array(jumps: list[rules.Jump]) -> Jumps:
    return np.array([(row, column, DIRECTIONS.index(letter)) for row, column, letter in jumps], np.int64)


def _strips(height: int, count: int) -> Jumps:
    """The jumps that take so many strips of three columns, of this height, from the left."""
    one, two = (_array(sequences()[name]) for name in ("module 1", "module 2"))
    twos = -height % 3
    strip = [_moved(two, 2 * number, 0) for number in range(twos)]
    strip += [_moved(one, row, column) for row in range(2 * twos, height, 3) for column in range(3)]
    whole = np.concatenate(strip) if strip else np.empty((0, 3), np.int64)
    moved = whole + np.arange(count)[:, None, None] * (0, 3, 0)
    return np.asarray(moved.reshape(-1, 3), np.int64)


def _moved(jumps: Jumps, rows: int, columns: int) -> Jumps:
    """The jumps so many rows and columns further on."""
    return np.asarray(jumps + np.array((rows, columns, 0)), np.int64)


def _mirrored(jumps: Jumps) -> Jumps:
    """The jumps mirrored in the diagonal: rows are columns, U is L, R is D."""
    return np.stack((jumps[:, 1], jumps[:, 0], 3 - jumps[:, 2]), axis=1)
