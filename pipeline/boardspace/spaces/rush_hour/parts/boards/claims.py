"""Measures the statements on boards, groups and the hardest starts, and tells what a run found."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from boardspace.spaces.rush_hour.config import Board, RushHourConfig
from boardspace.spaces.rush_hour.parts.boards.settled import count_settled
from boardspace.spaces.rush_hour.rules import Group, read
from boardspace.spec.space import Inputs, Measurement

Rows = Sequence[Mapping[str, Any]]
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
