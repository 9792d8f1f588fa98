"""Section 2 of the source: best cells, their definition, their operations; and the construction made of them."""

from functools import cache
from itertools import combinations, permutations, product
from math import comb, gcd

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spec.space import Facts, Inputs, Json, Measurement, Verdict, by_proof, by_sample, measured_together

QUEENS = range(4, 9)
"""Sides of the boards on which the cited statement about kn queens is tried."""

Cell = list[int]
SIDES = range(5, 20)
"""Sides of the boards on which the division is counted: every remainder, with one to three cells along it."""


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
        "cell-existence": by_sample(
            existing, f"a sample of {len(orders)} orders, each searched completely; cells by order: {listed}"
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
        cells = _cells_of_order_five(inputs)
        measured |= _of_order_five(cells, by_order[5]) | _operations(cells)
    return measured


def _cells_of_order_five(inputs: Inputs) -> list[Cell]:
    cells: list[Cell] = inputs.table("cells", columns=["columns"], between=(5, 6)).column("columns").to_pylist()
    return cells


def _of_order_five(cells: list[Cell], facts: Facts) -> dict[str, Measurement]:
    """Measurements of the claims on cells of order five. It is long because each claim takes a few lines: the list is
    read claim by claim, and nothing in it depends on another entry."""
    lines = [_torus_lines(cell) for cell in cells]
    plane = [_window(cell, 15) for cell in cells]
    fives = {int(count) for board in plane for count in _in_windows(board)}
    blocking = _blocking_patterns(5)
    found = {tuple(sorted((y, x) for y, x in enumerate(cell))) for cell in cells}
    return {
        "cell-one-in-five": Measurement(
            fives == {1}, "every five cells in a row, in all four directions, of 15 x 15 cells of each of the ten"
        ),
        "cell-fewest-by-rows": by_proof(5, "the five rows share no cell: each needs a stone of its own"),
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
        "cell-equivalence": by_proof(
            blocking == found,
            "n in a row of the plane are a whole wrapped line of the cell. There are n of each of the four directions, "
            "and a stone lies on one of each: n stones meet all of them if and only if one lies on each, which are "
            f"queens that do not attack on the torus. Also for n = 5, of all {comb(25, 5):,} patterns of five stones: "
            f"those that leave none of the 20 lines free are the {len(found)} best cells",
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


def _window(cell: Cell, side: int) -> np.ndarray:
    """(side, side) bool: the cell repeated over a board."""
    n = len(cell)
    y, x = np.indices((side, side))
    return np.asarray(np.array(cell)[y % n] == x % n)


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


@cache
def _kn_queens() -> Measurement:
    """Try by 0-1 programming, for some boards, whether kn queens can be placed as in the cited problem."""
    tried = [(n, k) for n in QUEENS for k in range(1, n + 1)]
    placed = [_queens_fit(n, k) for n, k in tried]
    evidence = (
        f"a sample of {len(tried)} boards, n = {QUEENS[0]} to {QUEENS[-1]} and all k: 0-1 programming places the "
        f"queens on {sum(placed)} of them"
    )
    return by_sample(all(placed), evidence)


def _queens_fit(n: int, k: int) -> bool:
    y, x = (side.ravel() for side in np.indices((n, n)))
    both_ways = np.stack([line == i for line in (y, x) for i in range(n)])
    slanted = np.stack([line == i for line in (x - y + n, x + y) for i in range(2 * n)])
    rows = np.concatenate([both_ways, slanted]).astype(float)
    least = np.concatenate([np.full(2 * n, k), np.zeros(4 * n)])
    found = milp(np.zeros(n * n), constraints=LinearConstraint(rows, least, k), integrality=1, bounds=Bounds(0, 1))
    return bool(found.success)


def division_claims(inputs: Inputs) -> dict[str, Measurement]:
    """Counts on windows of the ten best cells, and the arithmetic of the formula and of its proof."""
    cells = _cells_of_order_five(inputs)
    measured = _proof_claims()
    if not cells:
        return measured
    windows = np.array([_window(cell, SIDES[-1]) for cell in cells])
    matrix = [[int(windows[:, :i, :j].sum(axis=(1, 2)).min()) for j in range(5)] for i in range(5)]
    sizes = list(product(SIDES, SIDES))
    tried = f"a sample of {len(sizes)} boards, N and M from {SIDES[0]} to {SIDES[-1]}, with all ten cells"
    poorest = [int(windows[:, :n, :m].sum(axis=(1, 2)).min()) for n, m in sizes]
    wanted = [_printed(n, m, matrix) for n, m in sizes]
    differ = sum(matrix[i][j] != i * j // 5 for i, j in product(range(5), range(5)))
    six_seven = sorted(set(windows[:, :6, :7].sum(axis=(1, 2)).tolist()))
    counted = {
        "division-any-corner": Measurement(
            _every_part_is_a_corner(cells), "every part of i x j cells, i and j to 4, of all ten cells, wrapped"
        ),
        "figures-5-6": Measurement(
            len(six_seven) > 1,
            f"the windows of 6 x 7 of all ten cells have {' or '.join(map(str, six_seven))} stones; which of them the "
            "lost figures show cannot be told",
        ),
        "matrix": Measurement(matrix, "the poorest of the windows of all ten cells"),
        "construction-formula": by_sample(
            sum(a != b for a, b in zip(poorest, wanted, strict=True)),
            f"{tried}; the printed index b_2 is a slip for b_1, there is no b_2",
            "corrected" if poorest == wanted else "refuted",
        ),
        "matrix-formula": Measurement(differ, "all 25 entries"),
        "corner-3-2": _corner(cells),
    }
    return measured | _area_claims(windows, sizes, tried) | counted


def _area_claims(windows: np.ndarray, sizes: list[tuple[int, int]], tried: str) -> dict[str, Measurement]:
    """Stones of the windows in areas A and B, against the text's counts."""
    areas = [_areas(windows[:, :n, :m]) for n, m in sizes]
    cells = all((a == 5 * (n // 5) * (m // 5)).all() for (a, _), (n, m) in zip(areas, sizes, strict=True))
    lines = all((b == n % 5 * (m // 5) + m % 5 * (n // 5)).all() for (_, b), (n, m) in zip(areas, sizes, strict=True))
    return {
        "division-cells": by_sample(cells, tried),
        "division-lines": by_sample(lines, tried),
    }


def _areas(windows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Stones of windows (10, N, M) in area A, the whole cells from the upper left, and in the two parts of area B."""
    n, m = (side // 5 * 5 for side in windows.shape[1:])
    whole = windows[:, :n, :m].sum(axis=(1, 2))
    return whole, windows[:, n:, :m].sum(axis=(1, 2)) + windows[:, :n, m:].sum(axis=(1, 2))


def _printed(n: int, m: int, matrix: list[list[int]]) -> int:
    (a, i), (b, j) = divmod(n, 5), divmod(m, 5)
    return 5 * a * b + i * b + j * a + matrix[i][j]


def _every_part_is_a_corner(cells: list[list[int]]) -> bool:
    """True where any part of a wrapped cell is the upper left corner of one of the cells."""
    doubled = [_window(cell, 10) for cell in cells]
    for i, j in product(range(1, 5), range(1, 5)):
        corners = {board[:i, :j].tobytes() for board in doubled}
        parts = {board[y : y + i, x : x + j].tobytes() for board in doubled for y in range(5) for x in range(5)}
        if parts != corners:
            return False
    return True


def _corner(cells: list[list[int]]) -> Measurement:
    """In which cells the part from (2, 2) to (4, 3) holds one stone, whether x is a row or a column."""
    boards = [_window(cell, 5) for cell in cells]
    by_rows = [number for number, board in enumerate(boards, 1) if board[1:4, 1:3].sum() == 1]
    by_columns = [number for number, board in enumerate(boards, 1) if board[1:3, 1:4].sum() == 1]
    listed = [", ".join(map(str, numbers)) for numbers in (by_rows, by_columns)]
    evidence = (
        f"as the dataset numbers the ten, rows 2 to 4 of columns 2 and 3 hold one stone in cells {listed[0]}, rows 2 "
        f"and 3 of columns 2 to 4 in cells {listed[1]}. Which cell the lost figure 4 calls 1 cannot "
        "be told: table 1 holds with any of the ten as the first"
    )
    return Measurement({"rows 2-4": by_rows, "columns 2-4": by_columns}, evidence, "open")


def _proof_claims() -> dict[str, Measurement]:
    """The counts in proof 1, for M = 5p + m and N = 5q + n; checked by arithmetic, for p and q to 20.

    It is long because it is a list: a claim of the proof, its value, and why.
    """
    cases = list(product(range(5, 10), range(5, 10), range(21), range(21)))
    pieces = [p * n + q * m + 5 * p * q for m, n, p, q in cases]
    region = [(5 * p + m) * (5 * q + n) - m * n for m, n, p, q in cases]
    floors = [((5 * p + m) * (5 * q + n)) // 5 - m * n // 5 for m, n, p, q in cases]
    areas = [[i * j // 5 for j in range(5)] for i in range(5)]
    right = region == [5 * number for number in pieces] and floors == pieces
    verdict: Verdict = "corrected" if right else "refuted"
    rest = "the region besides m x n has M N - m n = 5 (pn + qm + 5pq) cells"
    counted = f"arithmetic, checked for {len(cases):,} values of m, n, p, q"

    def mended(value: str, why: str) -> Measurement:
        return by_proof(value, f"{why}; {rest} ({counted})", verdict)

    return {
        "formula-simplified": by_proof(
            all(_printed(n, m, areas) == n * m // 5 for n, m in product(range(5, 105), range(5, 105))),
            "N M = 5 (5ab + a1 b + b1 a) + a1 b1, so the floors agree; also for all N, M from 5 to 104",
        ),
        "axiom": by_proof(
            True, "whatever meets all constraints meets the fewer ones too, so it counts for both minima"
        ),
        "proof-range": Measurement(
            "M >= 10 and N >= 10",
            "5p + m with p >= 1 and m >= 5 is at least 10; the signs are printed the wrong way",
            "corrected",
            "reading",
        ),
        "proof-cells": by_proof(
            all(25 * p * q + 5 * (p * n + q * m) == area for (m, n, p, q), area in zip(cases, region, strict=True)),
            f"pq cells of 5 x 5 and pn + qm of one row or column; {rest} ({counted})",
        ),
        "proof-cells-stones": mended("pn + qm + 5pq", "a cell of one row holds one stone, not five"),
        "proof-pieces": mended("pn + qm + 5pq", "so many 1 x 5 pieces tile it: 15 for 10 x 10, where the text has 55"),
        "proof-stones": mended("pn + qm + 5pq", "the printed 5pn + 5qm + 25pq is the number of cells, not of stones"),
        "proof-sum": mended("pn + qm + 5pq", "then floor(m n / 5) and one stone a piece make floor(M N / 5)"),
    }
