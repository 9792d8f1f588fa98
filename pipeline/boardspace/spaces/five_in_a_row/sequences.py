"""Sequences of five in a row: published ones that the searches extend or count again, and those for k = 4 to 8."""

import json
from collections.abc import Mapping
from functools import lru_cache
from math import isqrt
from typing import Any

import pyarrow.dataset as ds

from boardspace.oeis.sequence import Sequence, Witness, program
from boardspace.release.datasets import Dataset
from boardspace.spaces.five_in_a_row.drawings import board_lines
from boardspace.spaces.five_in_a_row.fewest import fewest
from boardspace_kernels.five_in_a_row.board import Board
from boardspace_kernels.five_in_a_row.certificate import certificate
from boardspace_kernels.five_in_a_row.minimum import Solution, is_thin, solve

PACKAGE = __package__
HOW = "Each term is proved by weights of the lines, or by a search over partial boards that met every placement."
LAST = {4: 9, 5: 20, 6: 10, 7: 20, 8: 10}
"""For each k the largest square that is answered in seconds."""
PROGRAM_LAST = {4: 6, 5: 6, 6: 6, 7: 7, 8: 7}
STONES, WAYS = 0, 1


def value(which: int, n: int, m: int, k: int, data: Dataset | None) -> int:
    """The fewest stones of a board, or the number of placements; from the dataset where it has the board."""
    stored = None if data is None else _stored("results", n, m, k, data)
    if stored is not None:
        return int(stored["stones" if which == STONES else "placements"])
    found = _fewest(n, m, k)
    return (found.minimum, found.count)[which] if isinstance(found, Solution) else found[which]


@lru_cache(maxsize=512)
def _fewest(n: int, m: int, k: int) -> Solution | tuple[int, int]:
    """A search of the board, or what a rule or a smaller board says."""
    board = Board((n, m), k)
    if is_thin(board) or k in {5, 7}:
        found = fewest(n, m, k)
        return found.stones, found.count
    return solve(board)


def _stored(table: str, n: int, m: int, k: int, data: Dataset) -> Mapping[str, Any] | None:
    """The row of a board in a table of the dataset; None where there is none."""
    rows, columns = max(n, m), min(n, m)
    chosen = (ds.field("k") == k) & (ds.field("rows") == rows) & (ds.field("columns") == columns)
    found = data.tables[table].to_table(filter=chosen).to_pylist()
    return found[0] if found and found[0].get("placements", "") is not None else None


def blocked(n: int, k: int, data: Dataset | None) -> Witness:
    """An optimal placement of a square, how the minimum is proved, and the certificate where there is one."""
    stored = None if data is None else _stored("certificates", n, n, k, data)
    if stored is not None:
        proof = json.loads(str(stored["certificate"]))
        stones = (proof["witness"][n * row : n * (row + 1)] for row in range(n))
        return Witness((*stones, f"certificate: {stored['certificate']}"))
    found = _fewest(n, n, k)
    if isinstance(found, Solution):
        proof = json.dumps(certificate(found), separators=(",", ":"))
        return Witness((*board_lines(found.witness()), f"certificate: {proof}"))
    ruled = fewest(n, n, k)
    return Witness((*board_lines(ruled.placement()), f"proof: {ruled.reason}"))


def on_antidiagonal(index: int) -> tuple[int, int]:
    """The board at a place, from 1, of the list (1, 1), (1, 2), (2, 1), (1, 3), (2, 2), (3, 1), ..."""
    diagonal = (isqrt(8 * index - 7) + 1) // 2
    row = index - diagonal * (diagonal - 1) // 2
    return row, diagonal + 1 - row


def _most_ones_of_rectangle(i: int, data: Dataset | None) -> int:
    n, m = on_antidiagonal(i)
    return n * m - value(STONES, n, m, 3, data)


def _of_squares(k: int, which: int) -> Sequence:
    kind = ("fewest", "ways")[which]
    title = (
        f"Least number of cells of an n X n board that meet every line of {k} adjacent cells in a row, a column or a "
        "diagonal."
        if which == STONES
        else "Number of ways to choose the least number of cells of an n X n board that meet every line of "
        f"{k} adjacent cells in a row, a column or a diagonal."
    )
    return Sequence(
        name=f"{kind}-{k}",
        title=title,
        offset=1,
        term=lambda n, data: value(which, n, n, k, data),
        usual=LAST[k],
        known=None,
        keywords=("nonn", "more", "hard"),
        program=program(PACKAGE, "blocked", f"def a(n): return fewest(n, n)[{which}]", first=f"K = {k}"),
        program_last=PROGRAM_LAST[k],
        how=HOW,
        cross="Cf. A181018, A181019.",
        witness=(lambda n, data: blocked(n, k, data)) if which == STONES else None,
    )


SEQUENCES = (
    Sequence(
        name="A181018",
        title="Maximum number of 1's in an n X n binary matrix with no three 1's adjacent in a line along a row, "
        "column or diagonally.",
        offset=1,
        term=lambda n, data: n * n - value(STONES, n, n, 3, data),
        usual=17,
        known=16,
        keywords=("nonn", "more", "nice"),
        program=program(PACKAGE, "blocked", "def a(n): return n*n - fewest(n, n)[0]", first="K = 3"),
        program_last=5,
        how=HOW,
        cross="Cf. A181019.",
        witness=lambda n, data: blocked(n, 3, data),
    ),
    Sequence(
        name="A181019",
        title="T(n,k) = maximum number of 1s in an n X k binary matrix with no three 1s adjacent in a line along a "
        "row, column or diagonally.",
        offset=1,
        term=_most_ones_of_rectangle,
        usual=528,
        known=496,
        keywords=("nonn", "tabl"),
        program=program(
            PACKAGE,
            "blocked",
            "def a(i):  # the i-th of T(1,1), T(1,2), T(2,1), T(1,3), ...",
            "    n, m = 1, 1",
            "    for _ in range(i - 1):",
            "        n, m = (n + 1, m - 1) if m > 1 else (1, n + 1)",
            "    return n*m - fewest(n, m)[0]",
            first="K = 3",
        ),
        program_last=28,
        how=HOW,
        cross="Cf. A181018.",
    ),
    *(_of_squares(k, which) for which in (STONES, WAYS) for k in LAST),
)
