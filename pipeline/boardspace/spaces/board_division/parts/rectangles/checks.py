"""Checks of rectangles and lines: by formulas, by modules put together, by another search, and played as text."""

import functools
from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.rectangles import reached
from boardspace.spec.equations import Columns, Making, ReadColumns

PLAYED_LINE = 80
WHOLE_PEGS = 18
"""Rectangles of more pegs have their positions searched again with ``verify --all`` alone."""

DIRECTIONS = "URDL"
LINE_COLUMNS = ("positions", "fewest", "broken", "touched_jumps", "late_jumps")

Jumps = NDArray[np.int64]
"""[j, 3]: row and column of the peg that jumps, from 1, and the number of its direction."""


def make_values(config: BoardDivisionConfig, name: str, read: ReadColumns) -> Mapping[str, Columns]:
    """Every rectangle by the source's formula and by colours counted."""
    m, n = (side.ravel() for side in np.indices((config.values, config.values)) + 1)
    threes, line = (m % 3 == 0) | (n % 3 == 0), np.minimum(m, n) == 1
    fewest = np.select([line, threes], [(m * n + 1) // 2, 2], 1)
    bounds = _bounds()[m % 6, n % 6]
    return {"rectangles": {"m": m, "n": n, "fewest": fewest, "jumps": m * n - fewest, "colour_bound": bounds}}


def _bounds() -> NDArray[np.int64]:
    """The bound from colours [m mod 6, n mod 6]: pegs of each colour counted, which are even or odd by these alone."""

    def bound(m: int, n: int) -> int:
        colours = Counter((row + column) % 3 for row, column in rules.rectangle(m, n))
        return 2 if len({colours[colour] % 2 for colour in range(3)}) == 1 else 1

    return np.array([[bound(m, n) for n in range(6, 12)] for m in range(6, 12)])


def make_modules(config: BoardDivisionConfig, name: str, read: ReadColumns) -> Mapping[str, Mapping[str, Any]]:
    """Every module and ending, searched in the order of the plain rules."""
    rows = [
        (module, number, *jump) for module, jumps in sorted(sequences().items()) for number, jump in enumerate(jumps, 1)
    ]
    names = ("module", "jump", "row_num", "column_num", "direction")
    return {"modules": dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))}


def make_jumps(config: BoardDivisionConfig, name: str, read: ReadColumns) -> Mapping[str, Columns]:
    """Every sequence put together from modules."""
    small = range(1, config.sequences + 1)
    large = {(m, n) for m, n in config.large_rectangles if max(m, n) > config.sequences}
    listed = sorted({(m, n) for m in small for n in small} | large)
    sequences = [reducing_jumps(m, n) for m, n in listed]
    counts = [len(jumps) for jumps in sequences]
    height, width = (np.repeat(side, counts) for side in np.transpose(listed))
    row, column, direction = np.concatenate(sequences).T
    number = np.concatenate([np.arange(1, count + 1) for count in counts])
    columns = {"m": height, "n": width, "jump": number, "row_num": row, "column_num": column, "direction": direction}
    return {"jumps": columns}


def make_positions(config: BoardDivisionConfig, name: str, at: Making) -> dict[str, list[dict[str, Any]]]:
    """All positions of rectangles of up to 18 pegs, of larger ones with ``verify --all`` alone, and their keys."""
    levels, cells = list[dict[str, Any]](), list[dict[str, Any]]()
    most = config.search_pegs
    for m, n in ((height, width) for height in range(1, most + 1) for width in range(height, most // height + 1)):
        places = [{"row_num": row, "column_num": column} for row, column in reached.allowed_cells(m, n)]
        counts = [{"pegs": pegs} for pegs in range(rules.fewest(m, n), m * n + 1)]
        if m * n <= WHOLE_PEGS or at.draw.everything:
            counts, found = reached.search(m, n)
            places = [place | {"reached": tuple(place.values()) in found} for place in places]
        levels += [{"m": m, "n": n, **row} for row in counts]
        cells += [{"m": m, "n": n, **place} for place in places]
    return {"positions": levels, "reach": cells}


@functools.cache
def sequences() -> dict[str, list[rules.Jump]]:
    """The modules and endings by name, each found by search, by the plain rules."""
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
    """The jumps that leave the fewest pegs of an m x n rectangle, put together from the modules.

    A line is cut into pairs. From any other rectangle the left three columns are taken while there are five or more: by
    modules 2 from the top, none, two or one where the rows leave 0, 1 or 2 by three, and modules 1 for the others,
    three rows of three columns at a time. Then the rows in the same way, mirrored in the diagonal. An ending does the
    rest.
    """
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
    rows, columns = range(1 - rules.MARGIN, m + rules.MARGIN + 1), range(1 - rules.MARGIN, n + rules.MARGIN + 1)
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
    return np.asarray(jumps + np.array((rows, columns, 0)), np.int64)


def _mirrored(jumps: Jumps) -> Jumps:
    """The jumps mirrored in the diagonal: rows are columns, U is L, R is D."""
    return np.stack((jumps[:, 1], jumps[:, 0], 3 - jumps[:, 2]), axis=1)


def make_lines(config: BoardDivisionConfig, name: str, read: ReadColumns) -> Mapping[str, Columns]:
    """Every line by formulas; those of up to 80 pegs by all their positions."""
    lengths = np.arange(1, config.lines + 1)
    made: dict[str, Any] = {column: np.zeros(len(lengths), np.int64) for column in LINE_COLUMNS}
    pairs = lengths // 2
    made |= {"fewest": lengths - pairs, "positions": (pairs + 1) * (pairs + 2) // 2}
    for n in range(1, min(PLAYED_LINE, config.lines) + 1):
        for column, value in zip(LINE_COLUMNS, played(n), strict=True):
            made[column][n - 1] = value
    return {"lines": {"n": lengths} | made}


def played(n: int) -> tuple[int, int, int, int, int]:
    """The values of :data:`LINE_COLUMNS`, by all positions of a line as text."""
    level, positions, broken, touched_jumps, late_jumps = {"." * n + "u" * n + "." * n}, 0, 0, 0, 0
    fewest = n
    while level:
        following = set()
        for line in level:
            broken += "u" in line and not rules.meets_conditions(line)
            for jumper, over in rules.line_jumps(line):
                late_jumps += "u" not in line
                touched_jumps += "u" in line and "t" in (line[jumper], line[over])
                following.add(line[: over - 1] + ("..t" if jumper < over else "t..") + line[over + 2 :])
        positions += len(level)
        fewest = min(fewest, *(len(line) - line.count(".") for line in level))
        level = following
    return positions, fewest, broken, touched_jumps, late_jumps
