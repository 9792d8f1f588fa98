"""Section 4: other methods, longer lines, more dimensions; and published sequences."""

from itertools import product
from math import gcd

import numpy as np

from boardspace.spaces.five_in_a_row.claims.formula import BY_SEARCH, all_boards
from boardspace.spaces.five_in_a_row.claims.shown import Rows, boards_of, shown
from boardspace.spec.space import Basis, Inputs, Json, Measurement

LONG = 9
"""Lines from this length on are the larger k of the outlook; 8 and below have claims of their own."""

PROGRAMS = ((6, 7), (13, 17), (25, 25))
"""Boards of table 2 that are also solved by 0-1 programming."""

DIMENSION_3_ORDERS = range(2, 14)


def outlook_claims(inputs: Inputs, rows: Rows) -> dict[str, Measurement]:
    """What the run's boards say of the outlook and of the OEIS."""
    return _methods(rows) | _seven(inputs, rows) | _other_k(rows) | _dimensions(inputs) | _sequences(inputs, rows)


def _methods(rows: Rows) -> dict[str, Measurement]:
    searched = [row for row in rows if row["k"] == 5 and row["columns"] >= 5 and row["proof"] in BY_SEARCH]
    if not searched:
        return {}
    largest = max(searched, key=lambda row: row["rows"] * row["columns"])
    fewer = [row for row in searched if row["states"] <= 10]
    by_program = {f"{n} x {m}": _by_0_1_program(n, m) for n, m in PROGRAMS}
    right = all(by_program[f"{n} x {m}"] == n * m // 5 for n, m in PROGRAMS)
    listed = ", ".join(f"{board}: {stones}" for board, stones in by_program.items())
    seconds = "docs/open_questions.md has seconds"
    return {
        "other-methods-large": Measurement(
            "25 x 25 is within reach",
            f"a sample of {len(PROGRAMS)} boards by 0-1 programming (branch and bound of HiGHS, to the end): "
            f"{listed}; the program's relaxation has no gap for k = 5. And {boards_of(searched)} by a search cell by "
            f"cell with dual weights as a bound, which met {largest['states']:,} states on {largest['rows']} x "
            f"{largest['columns']} and found all {largest['placements']} placements with {largest['stones']} stones; "
            f"{seconds}",
            "refuted" if right else "confirmed",
            "sample",
        ),
        "faster": Measurement(
            len(fewer),
            f"a sample of {boards_of(searched)}; the fewest states a search met are "
            f"{min(r['states'] for r in searched)}; {seconds}",
            None,
            "sample",
        ),
    }


def _by_0_1_program(rows: int, columns: int) -> int:
    """Fewest stones of a board of k = 5 by HiGHS' branch and bound."""
    from scipy.optimize import Bounds, LinearConstraint, milp
    from scipy.sparse import csr_array

    from boardspace_kernels.five_in_a_row.board import Board

    board = Board((rows, columns), 5)
    entries = (np.repeat(np.arange(len(board.lines)), board.k), board.lines.ravel())
    blocked = csr_array((np.ones(board.lines.size), entries), shape=(len(board.lines), board.cells))
    constraint = LinearConstraint(blocked, 1, np.inf)
    return round(milp(np.ones(board.cells), constraints=constraint, integrality=1, bounds=Bounds(0, 1)).fun)


def _seven(inputs: Inputs, rows: Rows) -> dict[str, Measurement]:
    seven = [row for row in rows if row["k"] == 7 and row["columns"] >= 7]
    if not seven:
        return {}
    wrong = [row for row in seven if row["stones"] != row["formula"]]
    fewer = [row for row in seven if row["stones"] < row["lattice_stones"]]
    more = [row for row in seven if row["complete"] is False]
    stones, placements = all_boards(inputs, 7)
    boards = boards_of(seven)
    return {
        "outlook-seven-formula": Measurement(
            len(wrong),
            f"{_some(stones)}{boards}{shown(wrong)}; the matrix A of k = 7 is below floor(i j / 7) there too"
            f"{stones and _remainders(seven)}",
            None,
            _basis(stones),
        ),
        "outlook-seven-construction": Measurement(
            len(fewer), f"{_some(stones)}{boards}{shown(fewer)}. {stones}", None, _basis(stones)
        ),
        "outlook-seven-complete": Measurement(
            len(more), f"{_some(placements)}{boards}{shown(more, 'placements')}. {placements}", None, _basis(placements)
        ),
    }


def _some(proved: str) -> str:
    return "" if proved else "a sample of "


def _basis(proved: str) -> Basis:
    return "proof" if proved else "sample"


def _remainders(seven: Rows) -> str:
    """The remainders of the exceptions, which are then all there are."""
    wrong = {(row["rows"] % 7, row["columns"] % 7) for row in seven if row["stones"] != row["formula"]}
    named = ", ".join(f"{i} and {j}" for i, j in sorted({(min(pair), max(pair)) for pair in wrong}))
    return (
        f". Proved for all boards: the formula fails where the sides leave {named} modulo 7, by one, and nowhere else"
    )


def _other_k(rows: Rows) -> dict[str, Measurement]:
    even = [row for row in rows if gcd(row["k"], 6) > 1 and row["columns"] >= row["k"]]
    long = [row for row in rows if row["k"] >= LONG and row["lattice_stones"] is not None]
    measured = {}
    if even:
        wrong = [row for row in even if row["stones"] != row["formula"]]
        measured["outlook-other-k"] = Measurement(
            len(wrong), f"a sample of {boards_of(even)}{shown(wrong)}", None, "sample"
        )
    if long:
        fewer = [row for row in long if row["stones"] < row["lattice_stones"]]
        measured["outlook-larger-k"] = Measurement(
            len(fewer), f"a sample of {boards_of(long)}{shown(fewer)}", None, "sample"
        )
    return measured


def _dimensions(inputs: Inputs) -> dict[str, Measurement]:
    orders = [n for n in DIMENSION_3_ORDERS if _linear_in_space(n)]
    measured = {
        "outlook-dimensions-cells": Measurement(
            bool(orders),
            f"a sample of the orders {DIMENSION_3_ORDERS[0]} to {DIMENSION_3_ORDERS[-1]}: of {orders}, not of 5 or 7, "
            "there are a, b so that the stones where z + a y + b x = 0 modulo n meet every n cells in a row of space "
            "once, in all 13 directions; all a, b were tried",
            None,
            "sample",
        )
    }
    boxes = inputs.read("boxes", "boxes").to_pylist()
    boxes = [box for box in boxes if box["c"] >= box["k"]]
    if boxes:
        wrong = [
            f"{box['a']} x {box['b']} x {box['c']}, k = {box['k']}: {box['stones']}"
            for box in boxes
            if box["stones"] != box["a"] * box["b"] * box["c"] // box["k"]
        ]
        evidence = f"a sample of {len(boxes)} boxes, by search; {'; '.join(wrong)}"
        measured["outlook-dimensions"] = Measurement(len(wrong), evidence, None, "sample")
    return measured


def _linear_in_space(n: int) -> bool:
    """Whether some z + a y + b x = 0 modulo n holds one stone in every n cells in a row of space, in 13 directions."""
    z, y, x = np.array([v for v in product((-1, 0, 1), repeat=3) if any(v)]).T
    pairs = product(range(n), range(n))
    return any(all(gcd(int(step), n) == 1 for step in z + a * y + b * x) for a, b in pairs)


def _sequences(inputs: Inputs, rows: Rows) -> dict[str, Measurement]:
    squares = {(row["k"], row["rows"]): row for row in rows if row["rows"] == row["columns"]}
    measured: dict[str, Measurement] = {}
    if all((3, n) in squares for n in range(1, 17)):
        most: Json = [n * n - squares[3, n]["stones"] for n in range(1, 17)]
        beyond = [f"{n}: {n * n - squares[3, n]['stones']}" for n in range(17, 65) if (3, n) in squares]
        new = f"; beyond the published terms, {', '.join(beyond)}" if beyond else ""
        measured["oeis-a181018"] = Measurement(most, f"exhaustive searches{new}", None, "proof")
    if all((2, 2 * n) in squares for n in range(1, 10)):
        counts: Json = [squares[2, 2 * n]["placements"] for n in range(1, 10)]
        measured["oeis-a018807"] = Measurement(counts, "optimal placements counted by the search")
    for box in inputs.read("boxes", "boxes").to_pylist():
        if (box["k"], box["a"], box["b"], box["c"]) == (3, 3, 3, 3):
            measured["oeis-a003142"] = Measurement(27 - box["stones"], f"X = {box['stones']} by search", None, "proof")
    return measured
