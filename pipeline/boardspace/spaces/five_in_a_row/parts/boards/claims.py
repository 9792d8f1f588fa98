"""Section 3.3 of the source, the formula, and 4, other methods and longer lines, on the boards of a run; sequences."""

from collections.abc import Callable, Iterable
from math import gcd
from typing import Any

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csr_array

from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.parts.boards.carried import all_boards
from boardspace.spaces.five_in_a_row.parts.boards.compute import all_results
from boardspace.spec.space import Inputs, Json, Measurement, Verdict, by_proof, by_sample
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.minimum import thin_rule

Row = dict[str, Any]
Rows = list[Row]

NAMED = 6
BY_SEARCH = ("bound", "search")
LONG = 9
"""Lines from this length on are the larger k of the outlook; 8 and below have claims of their own."""
PROGRAMS = ((6, 7), (13, 17), (25, 25))
"""Boards of table 2 that are also solved by 0-1 programming."""


def boards_in_words(rows: Iterable[Row]) -> str:
    """Number of boards of each k, and how far they go."""
    by_k: dict[int, list[Row]] = {}
    for row in rows:
        by_k.setdefault(row["k"], []).append(row)
    parts = (f"{len(some)} boards of k = {k}, N up to {max(r['rows'] for r in some)}" for k, some in by_k.items())
    return "; ".join(parts)


def first_in_words(rows: Rows, what: str = "stones") -> str:
    """The first few of some rows, in words."""
    value: Callable[[Row], str] = {
        "stones": lambda row: (
            f"{row['rows']} x {row['columns']}, k = {row['k']}: {row['stones']}, not {row['formula']}"
        ),
        "placements": lambda row: (
            f"{row['rows']} x {row['columns']}: {row['placements']}, windows {row['lattice_placements']}"
        ),
    }[what]
    if not rows:
        return ""
    rest = f" and {len(rows) - NAMED} more" if len(rows) > NAMED else ""
    return f": {'; '.join(map(value, rows[:NAMED]))}{rest}"


def _counted(
    wrong: Rows, rows: Rows, proved: str = "", verdict: Verdict | None = None, what: str = "stones", more: str = ""
) -> Measurement:
    """Number of ``wrong`` ones of some rows: of all boards where a theorem, ``proved``, covers the others."""
    evidence = f"{'' if proved else 'a sample of '}{boards_in_words(rows)}{first_in_words(wrong, what)}{more}"
    return Measurement(len(wrong), evidence, verdict, "proof" if proved else "sample")


def formula_claims(inputs: Inputs, five: Rows) -> dict[str, Measurement]:
    """The formula on rows of k = 5; all placements' numbers repeat by remainders."""
    full = [row for row in five if row["columns"] >= 5]
    thin = [row for row in five if row["columns"] < 5]
    measured = _thin(thin) if thin else {}
    if full:
        measured |= _full(inputs, full) | _to_nine(full) | _steps(full)
    return measured


def _full(inputs: Inputs, full: Rows) -> dict[str, Measurement]:
    wrong = [row for row in full if row["stones"] != row["formula"]]
    ceilings = [row for row in full if row["stones"] != -(-row["rows"] * row["columns"] // 5)]
    carried, _ = all_boards(inputs, 5)
    return {
        "formula": _counted(wrong, full, carried, more=f". {carried}"),
        "formula-brackets": by_sample(
            len(ceilings),
            f"a sample of {boards_in_words(full)}; ceilings are wrong wherever 5 does not divide N M, such as 6 x 6; "
            "floors are right",
            "corrected",
        ),
    }


def _to_nine(full: Rows) -> dict[str, Measurement]:
    small = {(row["rows"], row["columns"]): row for row in full if row["rows"] <= 9}
    if len(small) < 15:
        return {}
    wrong = [row for row in small.values() if row["stones"] != row["formula"]]
    by_search = sum(row["proof"] in BY_SEARCH for row in small.values())
    return {
        "formula-5-to-9": Measurement(
            len(wrong), f"15 boards, N >= M, {by_search} of them by dual bound and search; the others are these turned"
        ),
        "cell-fewest": by_proof(small[5, 5]["stones"], "dual bound and a placement of 5 x 5"),
    }


def _thin(thin: Rows) -> dict[str, Measurement]:
    searched = [row for row in thin if row["proof"] in BY_SEARCH]
    ruled = (thin_rule(Board((row["rows"], row["columns"]), row["k"])) for row in searched)
    pairs = zip(searched, ruled, strict=True)
    wrong = [row for row, rule in pairs if (row["stones"], row["placements"]) != (rule.minimum, str(rule.count))]
    text = "X = M floor(N / 5) for M < 5 <= N, and C(4 - N mod 5 + floor(N / 5), floor(N / 5)) ** M placements"
    evidence = f"a sample of {boards_in_words(searched)} by search; {text}{first_in_words(wrong)}"
    return {"formula-thin": by_sample(len(wrong), evidence)}


def _steps(full: Rows) -> dict[str, Measurement]:
    both_ways = {(row["rows"], row["columns"]): row for row in full}
    both_ways |= {(columns, rows): row for (rows, columns), row in both_ways.items()}
    pairs = [(sides, (sides[0] + 5, sides[1])) for sides in both_ways if (sides[0] + 5, sides[1]) in both_ways]
    if not pairs:
        return {}
    wrong = sum(both_ways[large]["stones"] != both_ways[small]["stones"] + small[1] for small, large in pairs)
    beyond = [
        (a, b) for a, b in pairs if min(a) >= 7 and None not in (both_ways[a]["placements"], both_ways[b]["placements"])
    ]
    other = sum(both_ways[a]["placements"] != both_ways[b]["placements"] for a, b in beyond)
    measured = {
        "formula-step": by_sample(
            wrong,
            f"a sample of {len(pairs)} pairs; at least M more are needed since each column of the new rows holds one",
        )
    }
    if beyond:
        evidence = f"a sample of {len(beyond)} pairs of boards with no side below 7, five rows or columns apart"
        measured["cyclic"] = by_sample(other, evidence)
    return measured


def _methods(rows: Rows) -> dict[str, Measurement]:
    searched = [row for row in rows if row["k"] == 5 and row["columns"] >= 5 and row["proof"] in BY_SEARCH]
    if not searched:
        return {}
    largest = max(searched, key=lambda row: row["rows"] * row["columns"])
    by_program = {f"{n} x {m}": _by_0_1_program(n, m) for n, m in PROGRAMS}
    right = all(by_program[f"{n} x {m}"] == n * m // 5 for n, m in PROGRAMS)
    listed = ", ".join(f"{board}: {stones}" for board, stones in by_program.items())
    return {
        "other-methods-large": by_sample(
            "25 x 25 is within reach",
            f"a sample of {len(PROGRAMS)} boards by 0-1 programming (branch and bound of HiGHS, to the end): "
            f"{listed}; the program's relaxation has no gap for k = 5. And {boards_in_words(searched)} by a search "
            f"cell by cell with dual weights as a bound, which met {largest['states']:,} states on {largest['rows']} x "
            f"{largest['columns']} and found all {largest['placements']} placements with {largest['stones']} stones; "
            "docs/open_questions.md has seconds",
            "refuted" if right else "confirmed",
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
    matrix = f"; the matrix A of k = 7 is below floor(i j / 7) there too{stones and _remainders(seven)}"
    return {
        "outlook-seven-formula": _counted(wrong, seven, stones, "answered", more=matrix),
        "outlook-seven-construction": _counted(fewer, seven, stones, more=f". {stones}"),
        "outlook-seven-complete": _counted(more, seven, placements, "answered", "placements", f". {placements}"),
    }


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
        measured["outlook-other-k"] = _counted(wrong, even, verdict="answered")
    if long:
        fewer = [row for row in long if row["stones"] < row["lattice_stones"]]
        measured["outlook-larger-k"] = _counted(fewer, long)
    return measured


def _sequences(rows: Rows) -> dict[str, Measurement]:
    squares = {(row["k"], row["rows"]): row for row in rows if row["rows"] == row["columns"]}
    measured: dict[str, Measurement] = {}
    if all((3, n) in squares for n in range(1, 17)):
        most: Json = [n * n - squares[3, n]["stones"] for n in range(1, 17)]
        beyond = [f"{n}: {n * n - squares[3, n]['stones']}" for n in range(17, 65) if (3, n) in squares]
        new = f"; beyond the published terms, {', '.join(beyond)}" if beyond else ""
        measured["oeis-a181018"] = by_proof(most, f"exhaustive searches{new}")
    if all((2, 2 * n) in squares for n in range(1, 10)):
        counts: Json = [squares[2, 2 * n]["placements"] for n in range(1, 10)]
        measured["oeis-a018807"] = Measurement(counts, "optimal placements counted by the search")
    return measured


def measure(config: FiveInARowConfig, inputs: Inputs) -> dict[str, Measurement]:
    """The formula and the outlook; carried boards count too."""
    rows = all_results(inputs)
    formula = formula_claims(inputs, [row for row in rows if row["k"] == 5])
    return formula | _methods(rows) | _seven(inputs, rows) | _other_k(rows) | _sequences(rows)
