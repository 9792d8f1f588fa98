"""Re-derives the rows of carried boards: from which board each follows, and how many windows of best cells it has."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.five_in_a_row import rules
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig
from boardspace.spaces.five_in_a_row.proved import Proved, Row, each, proved_boards
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

Sides = tuple[int, int]


def check_carried(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every carried board, from the rows of the searched ones."""
    proved = proved_boards(inputs)
    by_key = {one.key: one for one in proved}
    large = [one for one in proved if one.row["proof"] == "carried"]
    small = [one for one in proved if one.row["proof"] != "carried" and _searched_whole(config, one)]
    return outcome(each(large, lambda one: _fault(one, small, by_key)))


def _searched_whole(config: FiveInARowConfig, one: Proved) -> bool:
    return one.key not in {tuple(split.board) for split in config.split}


def _fault(one: Proved, small: list[Proved], by_key: Mapping[Any, Proved]) -> str:
    """The first column of a carried board's row that is not as it follows from a smaller board."""
    k, rows, columns = one.key
    bases = {
        sides: base.row
        for base in small
        if base.key[0] == k and base.row["lattice_stones"] == base.row["stones"]
        for sides in (base.sides, base.sides[::-1])
        if _differ_by_multiples(k, sides, (rows, columns))  # type: ignore[arg-type]
    }
    complete = [sides for sides in bases if _all_windows(k, sides, (rows, columns), bases[sides])]  # type: ignore[arg-type]
    base = min(complete or bases, default=None)
    if base is None:
        return "it follows from no board of the run"
    windows = rules.best_windows(rows, columns, k) or (0, 0)
    given = by_key[k, max(base), min(base)]
    by_weights = given.certificate is not None and given.proved_by_weights and not given.certificate["strips"]
    expected = {
        "base_rows": base[0],
        "base_columns": base[1],
        "stones": windows[0],
        "placements": str(windows[1]) if complete else None,
        "certified": "weights" if by_weights else None,
    }
    if not complete:
        expected["classes"] = None
    wrong = [name for name, value in expected.items() if one.row[name] != value]
    return f"{wrong[0]} is {one.row[wrong[0]]!r}, not {expected[wrong[0]]!r}" if wrong else ""


def _differ_by_multiples(k: int, small: Sides, large: Sides) -> bool:
    return all(k <= a <= b and (b - a) % k == 0 for a, b in zip(small, large, strict=True))


def _all_windows(k: int, small: Sides, large: Sides, row: Row) -> bool:
    """True where all placements of the small board are windows, and no side of it that is longer on the large one is
    too short to tell the best cell."""
    least = k + rules.rows_that_tell(k)
    return row["complete"] is True and all(a == b or a >= least for a, b in zip(small, large, strict=True))
