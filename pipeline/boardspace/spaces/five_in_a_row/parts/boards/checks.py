"""Re-derives the boards' tables: certificates by the rules, counts by other code, the rest from other columns."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.spaces.five_in_a_row import rules, verified
from boardspace.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.spaces.five_in_a_row.parts.placements.packed import listed_placements
from boardspace.spaces.five_in_a_row.proved import SCALE, Key, Proved, Row, differences, each, key_of, proved_boards
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

ADDITIONAL_AT_MOST = 2_500
"""Pictures are made of boards with so few placements."""
Sides = tuple[int, int]


def check_boards(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every board of the config has one row, and a certificate where its row names one; nothing else has."""
    boards = {*_searched(config), *(tuple(split.board) for split in config.split), *map(tuple, config.carried)}
    rows = inputs.table("results").to_pylist()
    certified = [row for row in rows if row["certified"] is not None]
    keys = inputs.table("certificates").to_pylist()
    names = ("k", "rows", "columns")
    wanted = [dict(zip(names, board, strict=True)) for board in sorted(boards)]

    def faults() -> Iterator[str]:
        """Yield the fault of each thing that is looked at, '' where it is right."""
        yield from differences(rows, wanted, names)
        yield from differences(keys, [{name: row[name] for name in names} for row in certified], names)

    return outcome(faults())


def check_certificates(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every certificate, weighed."""
    return outcome(each(proved_boards(inputs), verified.certificate_fault))


def check_counts(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Placements of searched boards, counted again."""
    proved = proved_boards(inputs)
    return outcome(verified.second_counts(config, proved, draw), of=sum(one.searched for one in proved))


def check_thin_boards(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Boards on which only columns have lines."""
    return outcome(each((one for one in proved_boards(inputs) if _is_thin(one)), _thin_fault))


def check_larger_boards(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """A column more never needs fewer stones, and at most one column's worth more; the same for rows."""
    return outcome(_larger_boards(inputs.table("results").to_pylist()))


def check_rows(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Columns of a row that follow from others, from the config and from windows of best cells."""
    searched = _searched(config)
    proved = proved_boards(inputs)
    return outcome(each(proved, lambda one: _row_fault(one, _derived(config, searched, one))))


def check_searches(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Searches of few states, made again; not those of boards in parts."""
    hard = {tuple(split.board) for split in config.split}
    proved = [one for one in proved_boards(inputs) if one.key not in hard]
    return outcome(verified.efforts(proved), of=sum(one.searched for one in proved))


def check_parts(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """States of boards that were searched in parts, from the facts of these: of runs alone."""
    hard = {tuple(split.board) for split in config.split}
    in_parts = [one for one in proved_boards(inputs) if one.key in hard]
    return outcome(each(in_parts, lambda one: _in_parts_fault(inputs, one)))


def check_additional(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Placements that are no windows, of every listed board that has windows."""
    expected = list(_additional(inputs))
    found = inputs.table("additional").to_pylist()
    return outcome(differences(found, expected, ("k", "rows", "columns", "placement")))


def check_refutations(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Proofs of a SAT solver, checked clause by clause."""
    given = {key_of(row): row for row in inputs.table("refutations").to_pylist()}
    return outcome(verified.refutations(proved_boards(inputs), given, draw))


def _searched(config: FiveInARowConfig) -> set[Key]:
    """The boards of a config that are searched whole."""
    squares = {(k, n, m) for k, side in config.squares for n in range(1, side + 1) for m in range(1, n + 1)}
    return squares | {tuple(board) for board in config.boards}


def _is_thin(one: Proved) -> bool:
    return one.sides[-1] < one.key[0]


def _thin_fault(one: Proved) -> str:
    k, rows, columns = one.key
    stones, ways, classes = rules.thin_board(rows, columns, k)
    expected = {"stones": stones, "placements": str(ways), "classes": str(classes)}
    return _row_fault(one, expected)


def _row_fault(one: Proved, expected: Mapping[str, Any]) -> str:
    for name, value in expected.items():
        if one.row[name] != value:
            return f"{name} is {one.row[name]!r}, not {value!r}"
    return ""


def _larger_boards(rows: list[Row]) -> Iterator[str]:
    stones = {key_of(row): row["stones"] for row in rows}
    stones |= {(k, columns, rows): value for (k, rows, columns), value in stones.items()}
    for (k, height, width), value in stones.items():
        wider = stones.get((k, height, width + 1))
        if wider is not None:
            right = value <= wider <= value + height
            yield "" if right else f"k = {k}: {height} x {width} needs {value}, {height} x {width + 1} needs {wider}"


def _derived(config: FiveInARowConfig, searched: set[Key], one: Proved) -> dict[str, Any]:
    """The columns of a row that follow from others."""
    (k, rows, columns), row = one.key, one.row
    windows = rules.best_windows(rows, columns, k)
    count = None if row["placements"] is None else int(row["placements"])
    derived: dict[str, Any] = {
        "formula": rows * columns // k,
        "lattice_stones": None if windows is None else windows[0],
        "lattice_placements": None if windows is None else windows[1],
        "complete": None,
    }
    if windows is not None:
        optimal = windows[0] == row["stones"]
        derived["complete"] = False if not optimal else None if count is None else count == windows[1]
    by_rule = _is_thin(one) and one.certificate is not None and one.certificate["count"] is None
    carried = one.key in set(map(tuple, config.carried))
    if by_rule or carried:
        derived |= {
            "proof": "carried" if carried else "rule",
            "bound": row["stones"] * SCALE,
            "searches": 0,
            "states": 0,
            "peak": 0,
            "recounted": False,
            "refuted": None,
        }
    else:
        derived["proof"] = "bound" if -(-row["bound"] // SCALE) == row["stones"] else "search"
        if one.certificate is not None:
            derived["bound"] = one.certificate["floor"]
            derived["searches"] = 1 + len(one.certificate["empty_budgets"])
    listable = (one.key in searched and not by_rule) or (carried and count is not None)
    derived["listed"] = listable and count is not None and count <= config.listed
    if not derived["listed"] and not _is_thin(one) and not carried:
        derived["classes"] = None
    if not carried:
        derived |= {"base_rows": None, "base_columns": None}
    return derived


def _in_parts_fault(inputs: Inputs, one: Proved) -> str:
    """States of a board that was searched in parts, from the facts of these."""
    name = SizedBoard(*one.key).name
    parts = [found for shard, found in inputs.named_facts("parts").items() if shard.startswith(f"{name}/")]
    sweeps = [sweep for found in parts for sweep in found.get("sweeps", ()) if sweep[0] <= one.row["stones"]]
    expected = {"states": sum(states for *_, states, _ in sweeps), "peak": max(peak for *_, peak in sweeps)}
    return _row_fault(one, expected)


def _additional(inputs: Inputs) -> Iterator[Row]:
    """The rows of ``additional``, from the placements."""
    carried = {key_of(row) for row in inputs.table("results").to_pylist() if row["proof"] == "carried"}
    for board, packed in listed_placements(inputs).items():
        k, rows, columns = board
        if columns < k or not rules.best_cells(k) or len(packed) > ADDITIONAL_AT_MOST or tuple(board) in carried:
            continue
        placements = np.unpackbits(packed, axis=2, count=columns)
        for number in np.flatnonzero(~_are_windows(placements, k)).tolist():
            picture = "/".join("".join(".#"[cell] for cell in row) for row in placements[number].tolist())
            yield {"k": k, "rows": rows, "columns": columns, "placement": number, "picture": picture}


def _are_windows(placements: npt.NDArray[np.uint8], k: int) -> npt.NDArray[np.bool_]:
    """(n,): which placements (n, rows, columns) repeat a best cell: every k rows and columns, and in its k x k corner
    one stone in each row, column and wrapped diagonal."""
    down, across = placements[:, k:] == placements[:, :-k], placements[:, :, k:] == placements[:, :, :-k]
    corner = placements[:, :k, :k]
    y, x = np.indices((k, k))
    once = [corner[:, line % k == i].sum(axis=1) == 1 for line in (y, x, x + y, x - y) for i in range(k)]
    found: npt.NDArray[np.bool_] = down.all(axis=(1, 2)) & across.all(axis=(1, 2)) & np.logical_and.reduce(once)
    return found


def check_carried(config: FiveInARowConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every carried board, from the rows of the searched ones."""
    proved = proved_boards(inputs)
    by_key = {one.key: one for one in proved}
    large = [one for one in proved if one.row["proof"] == "carried"]
    small = [one for one in proved if one.row["proof"] != "carried" and _searched_whole(config, one)]
    return outcome(each(large, lambda one: _carried_fault(one, small, by_key)))


def _searched_whole(config: FiveInARowConfig, one: Proved) -> bool:
    return one.key not in {tuple(split.board) for split in config.split}


def _carried_fault(one: Proved, small: list[Proved], by_key: Mapping[Any, Proved]) -> str:
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
