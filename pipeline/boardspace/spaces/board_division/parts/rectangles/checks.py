"""Checks of rectangles: by formulas, by modules put together, by other searches."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.checking import SAMPLE, SEARCHED_PEGS, Faults, difference, unless
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spaces.board_division.parts.rectangles import reached, reduction
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

PLAYED_PEGS = 150
WHOLE_PEGS = 18
"""Rectangles of more pegs have their positions searched again with ``verify --all`` alone."""

Side = tuple[int, int]


def check_values(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every row by the formulas, and the rectangles of a few pegs by search."""
    return outcome(_values(config, inputs), of=config.values**2)


def check_modules(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every module and ending, searched and played."""
    return outcome(_modules(inputs))


def check_jumps(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every sequence put together from modules; some played."""
    return outcome(_jumps(config, inputs, draw))


def check_positions(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All positions of all rectangles up to 18 pegs."""
    return outcome(_positions(config, inputs, draw), of=len(_searched(config)))


def _values(config: BoardDivisionConfig, inputs: Inputs) -> Faults:
    rows = inputs.table("rectangles")
    m, n = (side.ravel() for side in np.indices((config.values, config.values)) + 1)
    threes, line = (m % 3 == 0) | (n % 3 == 0), np.minimum(m, n) == 1
    fewest = np.select([line, threes], [(m * n + 1) // 2, 2], 1)
    fault = difference(
        rows, {"m": m, "n": n, "fewest": fewest, "jumps": m * n - fewest, "colour_bound": _bounds()[m % 6, n % 6]}
    )
    if fault:
        yield fault
        return
    yield from ("" for _ in range(rows.num_rows))
    sides = range(1, min(SEARCHED_PEGS, config.values) + 1)
    for height, width in ((height, width) for height in sides for width in sides if height * width <= SEARCHED_PEGS):
        expected, found = _fewest_found(height, width), int(fewest[(height - 1) * config.values + width - 1])
        if found != expected:
            yield f"{height} x {width}: {expected} pegs can be left, not {found}"


def _fewest_found(m: int, n: int) -> int:
    return min(len(pegs) for level in rules.positions(m, n) for pegs in level)


def _bounds() -> NDArray[np.int64]:
    """The bound from colours [m mod 6, n mod 6]: pegs of each colour counted, which are even or odd by these alone."""

    def bound(m: int, n: int) -> int:
        """The bound of one rectangle."""
        colours = Counter((row + column) % 3 for row, column in rules.rectangle(m, n))
        return 2 if len({colours[colour] % 2 for colour in range(3)}) == 1 else 1

    return np.array([[bound(m, n) for n in range(6, 12)] for m in range(6, 12)])


def _modules(inputs: Inputs) -> Faults:
    found = [tuple(row.values()) for row in inputs.table("modules").to_pylist()]
    expected = [
        (name, number, *jump)
        for name, jumps in sorted(reduction.sequences().items())
        for number, jump in enumerate(jumps, 1)
    ]
    yield unless(len(found) == len(expected), f"{len(expected)} jumps are found by search, the table has {len(found)}")
    yield from (
        unless(f == e, f"{e} is found by search, the table has {f}") for f, e in zip(found, expected, strict=True)
    )
    for name, rows in groupby(found, key=lambda row: row[0]):
        sequence = [row[2:] for row in rows]
        if name in rules.HELPERS:
            helpers = rules.HELPERS[name]
            yield _end_fault(name, rules.MODULES[name] | helpers, sequence, helpers)
        else:
            p, q = (int(side) for side in name.removeprefix("ending ").split(" x "))
            yield _end_fault(name, rules.rectangle(p, q), sequence, rules.fewest(p, q))


def _listed(config: BoardDivisionConfig) -> list[Side]:
    """The rectangles whose jumps are published, in order."""
    small = range(1, config.sequences + 1)
    large = {(m, n) for m, n in config.large_rectangles if max(m, n) > config.sequences}
    return sorted({(m, n) for m in small for n in small} | large)


def _jumps(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    listed = _listed(config)
    rows = inputs.table("jumps", columns=["m"]).num_rows
    expected = sum(m * n - rules.fewest(m, n) for m, n in listed)
    if rows != expected:
        yield f"the sequences have {expected:,} jumps, the table has {rows:,}"
        return
    small = [(m, n) for m, n in listed if m * n <= PLAYED_PEGS]
    played = {small[number] for number in draw.choose(len(small), SAMPLE)}
    for m, sides in groupby(listed, key=lambda side: side[0]):
        yield from _jumps_of(m, [n for _, n in sides], inputs, played)


def _jumps_of(m: int, widths: list[int], inputs: Inputs, played: set[Side]) -> Iterator[str]:
    found = inputs.table("jumps", between=(m, m + 1))
    start = 0
    for n in widths:
        jumps = reduction.reducing_jumps(m, n)
        count = len(jumps)
        row, column, direction = jumps.T
        expected = {"m": [m] * count, "n": [n] * count, "jump": np.arange(1, count + 1)}
        expected |= {"row_num": row, "column_num": column, "direction": direction}
        fault = difference(found.slice(start, count), expected)
        yield f"{m} x {n}: {fault}" if fault else ""
        start += count
        if (m, n) in played:
            sequence = [(r, c, reduction.DIRECTIONS[d]) for r, c, d in jumps.tolist()]
            yield _end_fault(f"{m} x {n}", rules.rectangle(m, n), sequence, rules.fewest(m, n))
    if start != found.num_rows:
        yield f"rectangles of {m} rows: {start:,} jumps are right, the table has {found.num_rows:,}"


def _end_fault(name: str, start: rules.Pegs, sequence: list[rules.Jump], end: rules.Pegs | int) -> str:
    """Play a sequence; '' where it is legal and ends at this position, or with that many pegs."""
    try:
        left = rules.play(start, sequence)
    except ValueError as error:
        return f"{name}: {error}"
    return unless((len(left) if isinstance(end, int) else left) == end, f"{name}: ends at {sorted(left)}")


def _searched(config: BoardDivisionConfig) -> list[Side]:
    """The rectangles whose positions are published, in order."""
    pegs = config.search_pegs
    return [(m, n) for m in range(1, pegs + 1) for n in range(m, pegs // m + 1)]


def _positions(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Faults:
    searched = _searched(config)
    levels = {side: list(rows) for side, rows in groupby(inputs.table("positions").to_pylist(), _side)}
    cells = {side: list(rows) for side, rows in groupby(inputs.table("reach").to_pylist(), _side)}
    for name, found in (("positions", levels), ("reach", cells)):
        if list(found) != searched:
            yield f"{name} is of the rectangles {list(found)}, and {searched} are searched"
            return
    for m, n in searched:
        pegs = [row["pegs"] for row in levels[m, n]]
        if pegs != list(range(rules.fewest(m, n), m * n + 1)):
            yield f"{m} x {n}: positions of {pegs} pegs, and there are such from {rules.fewest(m, n)} pegs on"
        places = [(row["row_num"], row["column_num"]) for row in cells[m, n]]
        if places != reached.allowed_cells(m, n):
            yield f"{m} x {n}: reach has {len(places)} cells, the weights allow {len(reached.allowed_cells(m, n))}"
        if m * n <= WHOLE_PEGS or draw.everything:
            came = {(row["row_num"], row["column_num"]) for row in cells[m, n] if row["reached"]}
            yield _search_fault(m, n, levels[m, n], came)


def _search_fault(m: int, n: int, rows: list[dict[str, int]], came: set[rules.Cell]) -> str:
    """Search a rectangle again, the smallest by the plain rules as well; '' where all counts and cells are the same."""
    again = reached.search(m, n)
    if again.escaped:
        return f"{m} x {n}: a peg leaves the cells that the weights allow"
    if m * n <= SEARCHED_PEGS:
        plain = rules.positions(m, n)
        if [len(level) for level in reversed(plain)] != [level.positions for level in again.levels]:
            return f"{m} x {n}: two searches disagree"
        if frozenset[rules.Cell]().union(*(pegs for level in plain for pegs in level)) != again.cells:
            return f"{m} x {n}: two searches disagree on the cells"
    for row, level in zip(rows, again.levels, strict=True):
        for name, value in asdict(level).items():
            if row[name] != value:
                return f"{m} x {n}, {row['pegs']} pegs: {value} {name}, the table has {row[name]}"
    wrong = sorted(came ^ again.cells)
    return unless(not wrong, f"{m} x {n}: pegs come to {wrong[:1]} or they do not, the table has the other")


def _side(row: dict[str, int]) -> Side:
    return row["m"], row["n"]
