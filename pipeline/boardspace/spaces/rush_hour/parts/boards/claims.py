"""Measures the statements on boards, groups and the hardest starts, and tells what a run found."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.rush_hour.config import Board, RushHourConfig
from boardspace.spaces.rush_hour.rules import Group, Line, lines_of, read
from boardspace.spec.space import Inputs, Measurement

Rows = Sequence[Mapping[str, Any]]
Cells = tuple[int, int]
"""Cells that pieces of a line cover, and those before a piece that another line has to cover, a bit each."""
LONGEST_WALLED = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"
"""The start of the public database that takes the most moves."""


def rows_by_board(inputs: Inputs, table: str) -> dict[str, Rows]:
    """The rows of a table of each board."""
    found: dict[str, list[Mapping[str, Any]]] = {}
    for row in inputs.table(table).to_pylist():
        found.setdefault(row["board"], []).append(row)
    return dict(found)


def measure(config: RushHourConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Boards, groups and the hardest starts of the boards that this run has."""
    found = {"walled-6": _longest_walled()}
    for board in (Board(4, 1), Board(5, 2), Board(6, 2)):
        rows = rows_by_board(inputs, "pieces").get(board.name, ())
        if rows:
            found |= _of_board(board, rows)
    return found


def _longest_walled() -> Measurement:
    """Steps of a start that no run has: its group is small enough to be searched for it."""
    start = read(LONGEST_WALLED)
    group = Group.of(start)
    assert group is not None
    steps = group.steps
    return Measurement(
        steps[start],
        f"all {len(steps):,} boards of its group searched, none of which takes more than {max(steps.values())}; "
        "whether other walls make a longer one is not searched",
    )


def _of_board(board: Board, rows: Rows) -> dict[str, Measurement]:
    boards = sum(row["boards"] for row in rows)
    last = sum(row["boards"] for row in rows if row["searched"])
    alone = [row for row in rows if row["red_row"] == "A"]
    groups = sum(row["groups"] for row in alone)
    found = {
        f"boards-{board.n}": Measurement(boards, f"all {boards:,} boards, class by class"),
        f"alone-{board.n}": Measurement(sum(row["boards"] for row in alone), "all of them, class by class"),
        f"ids-{board.n}": Measurement(
            count_settled(board),
            "the ids number boards to begin a search from: no piece can move left or up, no line is full, the red car "
            f"is alone in its row; they are no groups, of which there are {groups:,} with the red car alone, "
            f"{sum(row['solvable_groups'] for row in alone):,} of them solvable",
        ),
    }
    if board.n == 6:
        best = max((row for row in rows if row["unit_moves"] is not None), key=lambda row: row["unit_moves"])
        found |= {
            "last-6": Measurement(last, "all of them, class by class"),
            "unit-moves-6": Measurement(
                best["unit_moves"], f"all boards searched by unit moves; the greatest: {best['unit_start']}"
            ),
        }
    return found


def results(config: RushHourConfig, inputs: Inputs) -> list[str]:
    """Lines on each board."""
    return [line for name, rows in rows_by_board(inputs, "pieces").items() for line in _lines(name, rows)]


def _lines(name: str, rows: Rows) -> Iterator[str]:
    boards, classes, groups = (sum(row[column] for row in rows) for column in ("boards", "classes", "groups"))
    yield f"{name}: {boards:,} boards in {classes:,} classes; {groups:,} groups of those whose red car can leave"
    best = max((row for row in rows if row["steps"] is not None), key=lambda row: row["steps"], default=None)
    if best is not None:
        far = max((row for row in rows if row["steps"] is not None), key=lambda row: row["unit_moves"])
        yield f"{name}: at most {best['steps']} steps: {best['start']}"
        yield f"{name}: at most {far['unit_moves']} unit moves: {far['unit_start']}"


def count_settled(board: Board) -> int:
    """The number of settled boards without walls, in which no piece can move left or up, the red car alone in its row
    and no line full: what the ids of M. Fogleman's database number.

    His program searches the group of each, and keeps those that have no smaller board in their group. Most are dropped,
    so the greatest id is no number of groups.

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
