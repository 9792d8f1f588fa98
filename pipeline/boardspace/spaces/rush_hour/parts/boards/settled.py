"""Settled boards, in which no piece can move left or up: what the ids of a public database number.

M. Fogleman's program searches the group of each settled board whose red car is alone in its row and in which no line is
full, and keeps those that have no smaller board in their group. Its ids number the boards that it begins with, in the
order of its own enumeration; most of them are dropped, so the greatest id is no number of groups.
"""

from functools import cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.rush_hour.config import Board
from boardspace.spaces.rush_hour.rules import Line, lines_of

Cells = tuple[int, int]
"""Cells that pieces of a line cover, and those before a piece that another line has to cover, a bit each."""


def count_settled(board: Board) -> int:
    """The number of settled boards without walls, the red car alone in its row and no line full.

    The rows are taken as two halves. Given both, the columns do not touch one another: the number of ways to lay all of
    them is a product, each factor looked up by the cells that the rows cover, and want covered, in that column.
    """
    lines = lines_of(board)
    n, cut = board.n, board.n // 2
    rows = [_choices(line, n, alone=line.at == board.row) for line in lines[:n]]
    columns = [_choices(line, n, alone=False) for line in lines[n:]]
    upper, lower = _down(rows[:cut], n), _down(rows[cut:], n)

    @cache
    def ways(column: int, covered: int, wanted: int) -> int:
        return sum(not mask & covered and not want & ~covered and not wanted & ~mask for mask, want in columns[column])

    halves = [(1 << cut) - 1, (1 << n - cut) - 1]
    every = [[(covered, wanted) for covered, wanted in product(range(half + 1), repeat=2)] for half in halves]
    tables = [
        np.array([[ways(c, a | b << cut, p | q << cut) for b, q in every[1]] for a, p in every[0]]) for c in range(n)
    ]
    total = 0
    for above in upper.T:
        product_of = np.ones(lower.shape[1], np.int64)
        for column, table in enumerate(tables):
            product_of *= table[above[column]][lower[column]]
        total += int(product_of.sum())
    return total


def _choices(line: Line, n: int, alone: bool) -> list[Cells]:
    """The arrangements that leave a cell free, of a row with the red car those that have no other piece."""
    found = []
    for arrangement in (one for some in line.arrangements.values() for one in some):
        mask = sum(1 << place + i for place, length, _ in arrangement for i in range(length))
        if mask != (1 << n) - 1 and not (alone and len(arrangement) > 1):
            before = sum(1 << place - 1 for place, _, _ in arrangement if place)
            found.append((mask, before & ~mask))
    return found


def _down(rows: list[list[Cells]], n: int) -> NDArray[np.int64]:
    """Of all ways to choose these rows, for each column (n, ways) the number of its covered and wanted cells."""
    height = len(rows)
    chosen = [
        [
            sum((mask >> column & 1) << (y + height) | (want >> column & 1) << y for y, (mask, want) in enumerate(some))
            for column in range(n)
        ]
        for some in product(*rows)
    ]
    return np.array(chosen, np.int64).T
