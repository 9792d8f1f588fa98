"""Section 2 of the source: best cells, their definition, their operations; and the construction made of them."""

from itertools import combinations, permutations
from math import comb, gcd

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.cells.division import division_claims
from boardspace.spec.space import Facts, Inputs, Json, Measurement, measured_together

QUEENS = range(4, 9)
"""Sides of the boards on which the cited statement about kn queens is tried."""

Cell = list[int]


def measure(config: FiveInARowConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Sections 2 and 3.1 to 3.3, as far as they speak of cells and of their windows."""
    return measured_together(lambda: _cell_claims(inputs), lambda: division_claims(inputs))


def _cell_claims(inputs: Inputs) -> dict[str, Measurement]:
    """Statements of the source on best cells; of order 5 only where the run lists that order."""
    by_order = {facts["n"]: facts for facts in inputs.facts("cells")}
    orders = sorted(by_order)
    existing = all((by_order[n]["cells"] > 0) == (gcd(n, 6) == 1) for n in orders)
    listed = ", ".join(f"{n}: {by_order[n]['cells']}" for n in orders)
    measured = {
        "cell-existence": Measurement(
            existing,
            f"a sample of {len(orders)} orders, each searched completely; cells by order: {listed}",
            None,
            "sample",
        ),
        "cell-conditions": Measurement(
            _as_printed(5),
            "all 120 permutations; sums and differences must not be equal either: with that there are ten",
            "corrected",
        ),
        "cited-kn-queens": _kn_queens(),
    }
    published = (1, 5, 7, 11, 13)
    if all(n in by_order for n in published):
        counts: Json = {str(n): by_order[n]["cells"] for n in published}
        measured["oeis-a007705"] = Measurement(counts, "complete search by backtracking")
    if 5 in by_order:
        cells = [row["columns"] for row in inputs.table("cells").to_pylist() if row["n"] == 5]
        measured |= _of_order_five(cells, by_order[5]) | _operations(cells)
    return measured


def _of_order_five(cells: list[Cell], facts: Facts) -> dict[str, Measurement]:
    """Measurements of the claims on cells of order five. It is long because each claim takes a few lines: the list is
    read claim by claim, and nothing in it depends on another entry."""
    lines = [_torus_lines(cell) for cell in cells]
    plane = [_repeated(cell, 15) for cell in cells]
    fives = {int(count) for board in plane for count in _in_windows(board)}
    blocking = _blocking_patterns(5)
    found = {tuple(sorted((y, x) for y, x in enumerate(cell))) for cell in cells}
    return {
        "cell-one-in-five": Measurement(
            fives == {1}, "every five cells in a row, in all four directions, of 15 x 15 cells of each of the ten"
        ),
        "cell-fewest-by-rows": Measurement(
            5, "the five rows share no cell: each needs a stone of its own", None, "proof"
        ),
        "cell-blocks-the-plane": Measurement(
            0 not in fives, "15 x 15 cells of each of the ten; five in a row of the plane lie on such a board"
        ),
        "cell-cyclic": Measurement(
            {tuple(np.roll(cell, y)) for cell in cells for y in range(5)} <= set(map(tuple, cells))
            and {tuple((x + s) % 5 for x in cell) for cell in cells for s in range(5)} <= set(map(tuple, cells)),
            "all shifts by rows and by columns of all ten",
        ),
        "cell-twenty-conditions": Measurement(
            [lines[0].size, len(lines[0])],
            "wrapped rows, columns, diagonals and antidiagonals of a 5 x 5 cell, counted",
        ),
        "cell-each-once": Measurement(
            all(stones == 1 for directions in lines for stones in directions.ravel()),
            "the stones on all 20 wrapped lines of all ten cells",
        ),
        "cell-equivalence": Measurement(
            blocking == found,
            "n in a row of the plane are a whole wrapped line of the cell. There are n of each of the four directions, "
            "and a stone lies on one of each: n stones meet all of them if and only if one lies on each, which are "
            f"queens that do not attack on the torus. Also for n = 5, of all {comb(25, 5):,} patterns of five stones: "
            f"those that leave none of the 20 lines free are the {len(found)} best cells",
            None,
            "proof",
        ),
        "cell-ten": Measurement(facts["cells"], "complete search"),
        "cell-one-class": Measurement(
            facts["orbits"], f"orbits of the ten under H_1 and S_1; {facts['classes']} class under all of the torus"
        ),
    }


def _operations(cells: list[Cell]) -> dict[str, Measurement]:
    number = {tuple(cell): i + 1 for i, cell in enumerate(cells)}
    h = {k: [number[tuple((x + k) % 5 for x in cell)] for cell in cells] for k in range(1, 6)}
    upside_down = [number[tuple(reversed(cell))] for cell in cells]
    power, powers = list(range(1, 11)), {}
    for k in range(1, 6):
        power = [h[1][i - 1] for i in power]
        powers[k] = power
    first_to_end = [number[tuple((x - 1) % 5 for x in cell)] for cell in cells]
    from_one = {y: (9 - y) % 5 or 5 for y in range(1, 6)}
    rows_from_one = [number[tuple(cell[from_one[y] - 1] for y in range(1, 6))] for cell in cells]
    return {
        "cell-figure-4": Measurement(
            set(h[1][:5]) == {1, 2, 3, 4, 5} and upside_down[:5] == [6, 7, 8, 9, 10],
            "images of the cells as the dataset numbers them; the figure itself is lost",
        ),
        "shift-first-column": Measurement(
            [f"H_{k}" for k in h if h[k] == first_to_end],
            "the first column put behind the last takes x to x - 1 modulo 5; the printed formula and table 1 take x to "
            "x + 1, the last column put before the first",
            "corrected",
        ),
        "shift-powers": Measurement(all(h[k] == powers[k] for k in h), "images of all ten cells under H_1, k times"),
        "operation-indices": Measurement(
            sum(a != b for a, b in zip(upside_down, rows_from_one, strict=True)),
            "cells for which (x, (9 - y) mod 5) is not the cell upside down when rows are numbered from 1, as the "
            "definition in 2.1.2 does; with rows from 0 it is for all ten",
            "corrected",
        ),
        "cell-table-1": Measurement(
            {f"H_{k}": images for k, images in h.items()} | {"S_1": upside_down},
            "with the cells numbered orbit by orbit, computed from the published cells",
        ),
    }


def _as_printed(n: int) -> int:
    """Patterns whose sums and differences of coordinates never differ by n, as the definition is printed."""
    lines = (([x + y for y, x in enumerate(p)], [x - y for y, x in enumerate(p)]) for p in permutations(range(n)))
    return sum(all(abs(a - b) != n for line in pair for a, b in combinations(line, 2)) for pair in lines)


def _torus_lines(columns: Cell) -> np.ndarray:
    """(4, n): stones on every wrapped row, column, diagonal and antidiagonal."""
    n, y, x = len(columns), np.arange(len(columns)), np.array(columns)
    return np.array([np.bincount(line % n, minlength=n) for line in (y, x, x - y, x + y)])


def _repeated(columns: Cell, side: int) -> np.ndarray:
    """(side, side) of 0 and 1: the cell repeated over a board."""
    n = len(columns)
    y, x = np.indices((side, side))
    return (np.array(columns)[y % n] == x % n).astype(int)


def _in_windows(board: np.ndarray, k: int = 5) -> set[int]:
    """The numbers of stones that occur in k cells in a row of a board, in any of the four directions."""
    views = np.lib.stride_tricks.sliding_window_view(board, (k, k))
    i = np.arange(k)
    lines = (views[..., 0, :], views[..., :, 0], views[..., i, i], views[..., i, k - 1 - i])
    return {int(count) for line in lines for count in np.unique(line.sum(axis=-1))}


def _blocking_patterns(n: int) -> set[tuple[tuple[int, int], ...]]:
    """The choices of n of the n x n cells that meet every wrapped row, column, diagonal and antidiagonal."""
    places = [(y, x) for y in range(n) for x in range(n)]
    mask = {(y, x): 1 << y | 1 << n + x | 1 << 2 * n + (x - y) % n | 1 << 3 * n + (x + y) % n for y, x in places}
    full = (1 << 4 * n) - 1
    blocking = set()
    for chosen in combinations(places, n):
        met = 0
        for place in chosen:
            met |= mask[place]
        if met == full:
            blocking.add(chosen)
    return blocking


def _kn_queens() -> Measurement:
    """Try by 0-1 programming, for some boards, whether kn queens can be placed as in the cited problem."""
    tried = [(n, k) for n in QUEENS for k in range(1, n + 1)]
    placed = [_queens_fit(n, k) for n, k in tried]
    evidence = (
        f"a sample of {len(tried)} boards, n = {QUEENS[0]} to {QUEENS[-1]} and all k: 0-1 programming places the "
        f"queens on {sum(placed)} of them"
    )
    return Measurement(all(placed), evidence, None, "sample")


def _queens_fit(n: int, k: int) -> bool:
    y, x = (side.ravel() for side in np.indices((n, n)))
    both_ways = np.stack([line == i for line in (y, x) for i in range(n)])
    slanted = np.stack([line == i for line in (x - y + n, x + y) for i in range(2 * n)])
    rows = np.concatenate([both_ways, slanted]).astype(float)
    least = np.concatenate([np.full(2 * n, k), np.zeros(4 * n)])
    found = milp(np.zeros(n * n), constraints=LinearConstraint(rows, least, k), integrality=1, bounds=Bounds(0, 1))
    return bool(found.success)
