"""Section 4 of the source: other methods, longer lines; and published sequences."""

from math import gcd

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from boardspace.spaces.five_in_a_row.evidence import Rows, boards_in_words, first_in_words
from boardspace.spaces.five_in_a_row.parts.boards.formula import BY_SEARCH
from boardspace.spaces.five_in_a_row.theorem import all_boards
from boardspace.spec.space import Basis, Inputs, Json, Measurement
from boardspace_kernels.five_in_a_row.board import Board

LONG = 9
"""Lines from this length on are the larger k of the outlook; 8 and below have claims of their own."""

PROGRAMS = ((6, 7), (13, 17), (25, 25))
"""Boards of table 2 that are also solved by 0-1 programming."""


def outlook_claims(inputs: Inputs, rows: Rows) -> dict[str, Measurement]:
    """The outlook and the OEIS, on the boards of the run."""
    return _methods(rows) | _seven(inputs, rows) | _other_k(rows) | _sequences(rows)


def _methods(rows: Rows) -> dict[str, Measurement]:
    searched = [row for row in rows if row["k"] == 5 and row["columns"] >= 5 and row["proof"] in BY_SEARCH]
    if not searched:
        return {}
    largest = max(searched, key=lambda row: row["rows"] * row["columns"])
    by_program = {f"{n} x {m}": _by_0_1_program(n, m) for n, m in PROGRAMS}
    right = all(by_program[f"{n} x {m}"] == n * m // 5 for n, m in PROGRAMS)
    listed = ", ".join(f"{board}: {stones}" for board, stones in by_program.items())
    return {
        "other-methods-large": Measurement(
            "25 x 25 is within reach",
            f"a sample of {len(PROGRAMS)} boards by 0-1 programming (branch and bound of HiGHS, to the end): "
            f"{listed}; the program's relaxation has no gap for k = 5. And {boards_in_words(searched)} by a search "
            f"cell by cell with dual weights as a bound, which met {largest['states']:,} states on {largest['rows']} x "
            f"{largest['columns']} and found all {largest['placements']} placements with {largest['stones']} stones; "
            "docs/open_questions.md has seconds",
            "refuted" if right else "confirmed",
            "sample",
        ),
    }


def _by_0_1_program(rows: int, columns: int) -> int:
    """Fewest stones of a board of k = 5 by HiGHS' branch and bound."""
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
    boards = boards_in_words(seven)
    return {
        "outlook-seven-formula": Measurement(
            len(wrong),
            f"{_some(stones)}{boards}{first_in_words(wrong)}; the matrix A of k = 7 is below floor(i j / 7) there too"
            f"{stones and _remainders(seven)}",
            "answered",
            _basis(stones),
        ),
        "outlook-seven-construction": Measurement(
            len(fewer), f"{_some(stones)}{boards}{first_in_words(fewer)}. {stones}", None, _basis(stones)
        ),
        "outlook-seven-complete": Measurement(
            len(more),
            f"{_some(placements)}{boards}{first_in_words(more, 'placements')}. {placements}",
            "answered",
            _basis(placements),
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
            len(wrong), f"a sample of {boards_in_words(even)}{first_in_words(wrong)}", "answered", "sample"
        )
    if long:
        fewer = [row for row in long if row["stones"] < row["lattice_stones"]]
        measured["outlook-larger-k"] = Measurement(
            len(fewer), f"a sample of {boards_in_words(long)}{first_in_words(fewer)}", None, "sample"
        )
    return measured


def _sequences(rows: Rows) -> dict[str, Measurement]:
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
    return measured
