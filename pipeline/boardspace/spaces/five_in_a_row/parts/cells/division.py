"""Sections 3.1 to 3.3: how the board is divided, the variable matrix, and what the proof prints."""

from itertools import product

import numpy as np

from boardspace.spec.space import Inputs, Measurement, Verdict

SIDES = range(5, 20)
"""Sides of the boards on which the division is counted: every remainder, with one to three cells along it."""


def division_claims(inputs: Inputs) -> dict[str, Measurement]:
    """Counts on windows of the ten best cells, and the arithmetic of the formula and of its proof."""
    cells = [row["columns"] for row in inputs.table("cells").to_pylist() if row["n"] == 5]
    measured = _proof_claims()
    if not cells:
        return measured
    windows = np.array([_window(cell, SIDES[-1], SIDES[-1]) for cell in cells])
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
        "construction-formula": Measurement(
            sum(a != b for a, b in zip(poorest, wanted, strict=True)),
            f"{tried}; the printed index b_2 is a slip for b_1, there is no b_2",
            "corrected" if poorest == wanted else "refuted",
            "sample",
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
        "division-cells": Measurement(cells, tried, None, "sample"),
        "division-lines": Measurement(lines, tried, None, "sample"),
    }


def _window(cell: list[int], rows: int, columns: int) -> np.ndarray:
    y, x = np.indices((rows, columns))
    return np.asarray(np.array(cell)[y % 5] == x % 5)


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
    doubled = [_window(cell, 10, 10) for cell in cells]
    for i, j in product(range(1, 5), range(1, 5)):
        corners = {board[:i, :j].tobytes() for board in doubled}
        parts = {board[y : y + i, x : x + j].tobytes() for board in doubled for y in range(5) for x in range(5)}
        if parts != corners:
            return False
    return True


def _corner(cells: list[list[int]]) -> Measurement:
    """In which cells the part from (2, 2) to (4, 3) holds one stone, whether x is a row or a column."""
    boards = [_window(cell, 5, 5) for cell in cells]
    by_rows = [number for number, board in enumerate(boards, 1) if board[1:4, 1:3].sum() == 1]
    by_columns = [number for number, board in enumerate(boards, 1) if board[1:3, 1:4].sum() == 1]
    evidence = (
        f"as the dataset numbers the ten, rows 2 to 4 of columns 2 and 3 hold one stone in cells {_listed(by_rows)}, "
        f"rows 2 and 3 of columns 2 to 4 in cells {_listed(by_columns)}. Which cell the lost figure 4 calls 1 cannot "
        "be told: table 1 holds with any of the ten as the first"
    )
    return Measurement({"rows 2-4": by_rows, "columns 2-4": by_columns}, evidence, "open")


def _listed(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers))


def _proof_claims() -> dict[str, Measurement]:
    """The counts in proof 1, for M = 5p + m and N = 5q + n; checked by arithmetic, for p and q to 20.

    It is long because it is a list: a claim of the proof, its value, and why.
    """
    cases = list(product(range(5, 10), range(5, 10), range(21), range(21)))
    pieces = [p * n + q * m + 5 * p * q for m, n, p, q in cases]
    region = [(5 * p + m) * (5 * q + n) - m * n for m, n, p, q in cases]
    floors = [((5 * p + m) * (5 * q + n)) // 5 - m * n // 5 for m, n, p, q in cases]
    right = region == [5 * number for number in pieces] and floors == pieces
    verdict: Verdict = "corrected" if right else "refuted"
    rest = "the region besides m x n has M N - m n = 5 (pn + qm + 5pq) cells"
    counted = f"arithmetic, checked for {len(cases):,} values of m, n, p, q"

    def mended(value: str, why: str) -> Measurement:
        """Measurement of a count that the source prints otherwise."""
        return Measurement(value, f"{why}; {rest} ({counted})", verdict, "proof")

    return {
        "formula-simplified": Measurement(
            all(_printed_with_floor(n, m) == n * m // 5 for n, m in product(range(5, 105), range(5, 105))),
            "N M = 5 (5ab + a1 b + b1 a) + a1 b1, so the floors agree; also for all N, M from 5 to 104",
            None,
            "proof",
        ),
        "axiom": Measurement(
            True, "whatever meets all constraints meets the fewer ones too, so it counts for both minima", None, "proof"
        ),
        "proof-range": Measurement(
            "M >= 10 and N >= 10",
            "5p + m with p >= 1 and m >= 5 is at least 10; the signs are printed the wrong way",
            "corrected",
            "reading",
        ),
        "proof-cells": Measurement(
            all(25 * p * q + 5 * (p * n + q * m) == area for (m, n, p, q), area in zip(cases, region, strict=True)),
            f"pq cells of 5 x 5 and pn + qm of one row or column; {rest} ({counted})",
            None,
            "proof",
        ),
        "proof-cells-stones": mended("pn + qm + 5pq", "a cell of one row holds one stone, not five"),
        "proof-pieces": mended("pn + qm + 5pq", "so many 1 x 5 pieces tile it: 15 for 10 x 10, where the text has 55"),
        "proof-stones": mended("pn + qm + 5pq", "the printed 5pn + 5qm + 25pq is the number of cells, not of stones"),
        "proof-sum": mended("pn + qm + 5pq", "then floor(m n / 5) and one stone a piece make floor(M N / 5)"),
    }


def _printed_with_floor(n: int, m: int) -> int:
    (a, i), (b, j) = divmod(n, 5), divmod(m, 5)
    return 5 * a * b + i * b + j * a + i * j // 5
