"""Measures the statements on boards, groups and the hardest starts, and tells what a run found."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from boardspace.spaces.rush_hour.config import Board, RushHourConfig
from boardspace.spaces.rush_hour.notation import read
from boardspace.spaces.rush_hour.rules import fillings, groups_of
from boardspace.spec.check import by_folders
from boardspace.spec.second_rules import transfer
from boardspace.spec.space import Inputs, Measurement
from boardspace.spec.texts import counted, named

Row = Mapping[str, Any]
Rows = Sequence[Row]
LONGEST_WALLED = "IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"
"""The start of the public database that takes the most moves."""
ALL = "all of them, class by class"


def measure(config: RushHourConfig, inputs: Inputs) -> dict[str, Measurement]:
    """Boards, groups and the hardest starts of the boards that this run has; and steps of a start with a wall, whose
    group is small enough to be searched for it."""
    found, walled = dict[str, Measurement](), dict[str, Row]()
    for name, rows in _pieces(inputs):
        if name in ("4x4-1", "5x5-2", "6x6-2"):
            found |= _of_board(config.board(name), rows)
        if name.startswith("6x6-2-") and (most := _best(rows, "steps")):
            walled[name] = most
    group = groups_of(read(LONGEST_WALLED))["step"]
    others = "whether other walls make a longer one is not searched"
    if best := _best([*walled.values()], "steps"):
        takes = f"takes more than {best['steps']}, as {best['start']} does"
        others = f"of all boards of {named([*walled], 3)} none {takes}; {others}"
    evidence = f"all {len(group.left):,} boards of its group searched, none of which takes more than {group.most}; "
    return found | {"walled-6": Measurement(group.left[read(LONGEST_WALLED)], evidence + others)}


def results(config: RushHourConfig, inputs: Inputs) -> list[str]:
    """Lines on each board."""
    return [f"{name}: {line}" for name, rows in _pieces(inputs) for line in _lines(rows)]


def _pieces(inputs: Inputs) -> Iterator[tuple[str, Rows]]:
    for (name,), rows in by_folders(inputs.table("pieces"), ["board"]).items():
        yield name, rows.to_pylist()


def _sum(rows: Rows, column: str, **where: Any) -> int:
    return sum(row[column] for row in rows if where.items() <= row.items())


def _best(rows: Rows, column: str) -> Row | None:
    return max((row for row in rows if row[column] is not None), key=lambda row: row[column], default=None)


def _of_board(board: Board, rows: Rows) -> dict[str, Measurement]:
    boards, best, alone = _sum(rows, "boards"), _best(rows, "unit_moves"), {"red_row": "A"}
    evidence = (
        "the ids number boards to begin a search from: no piece can move left or up, no line is full, the red car is "
        f"alone in its row; they are no groups, of which there are {_sum(rows, 'groups', **alone):,} with the red car "
        f"alone, {_sum(rows, 'solvable_groups', **alone):,} of them solvable"
    )
    found = {
        f"boards-{board.n}": Measurement(boards, f"all {boards:,} boards, class by class"),
        f"alone-{board.n}": Measurement(_sum(rows, "boards", **alone), ALL),
        f"ids-{board.n}": Measurement(count_settled(board), evidence),
    }
    if board.n == 6 and best is not None:
        greatest = f"all boards searched by unit moves; the greatest: {best['unit_start']}"
        found |= {
            "last-6": Measurement(_sum(rows, "boards", searched=True), ALL),
            "unit-moves-6": Measurement(best["unit_moves"], greatest),
        }
    return found


def _lines(rows: Rows) -> Iterator[str]:
    boards, classes, groups = (_sum(rows, column) for column in ("boards", "classes", "groups"))
    of = f"{counted(boards, 'board')} in {classes:,} {'class' if classes == 1 else 'classes'}"
    yield f"{of}; {counted(groups, 'group')} of those whose red car can leave"
    for most, start, unit in (("steps", "start", "step"), ("unit_moves", "unit_start", "unit move")):
        if best := _best(rows, most):
            yield f"at most {counted(best[most], unit)}: {best[start]}"


def count_settled(board: Board) -> int:
    """The number of settled boards without walls, in which no piece can move left or up, the red car alone in its row
    and no line full: what the ids of M. Fogleman's database number.

    His program searches the group of each, and keeps those that have no smaller board in their group. Most are dropped,
    so the greatest id is no number of groups.
    """
    n = board.n

    def ways(cell: tuple[int, int], edge: Any) -> Iterator[tuple[Any, int]]:
        """Of an edge are, beside what the rules' count has, the columns whose last cell is covered, those with a cell
        that no piece along them covers, and whether the row has such a cell."""
        (row, column), (down, right, red, covered, roomy, row_roomy) = cell, edge
        bit, is_held = 1 << column, not column or covered >> column - 1 & 1
        held = {"": True, "down": not row or covered & bit, "across": is_held, "red": is_held}
        for where, _, below, beside in fillings(board, cell, down, right, red):
            if held.get(where):
                in_column, in_row = where == "down" or down[column], where in ("across", "red") or right
                columns = covered | bit if in_column or in_row else covered & ~bit, roomy | bit * (not in_column)
                row_has = bool((row_roomy and column) or not in_row)
                if row_has or column < n - 1:
                    yield (below, beside, red or where == "red", *columns, row_has), 1

    ends = transfer(((0,) * n, 0, False, 0, 0, False), product(range(n), range(n)), ways)
    return sum(number for (_, _, red, _, roomy, _), number in ends.items() if red and roomy == (1 << n) - 1)
