"""Measures the claims on the finished dataset."""

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, permutations
from math import gcd
from typing import Any

import numpy as np

from boardspace.pipeline.space import Inputs, Measurement
from boardspace.pipeline.spaces.five_in_a_row.boards import computed_boards
from boardspace.pipeline.spaces.five_in_a_row.config import FiveInARowConfig, SizedBoard
from boardspace.pipeline.spaces.five_in_a_row.rows import all_results, array_path

Row = dict[str, Any]
Rows = list[Row]

SHOWN = 6
SMALLEST_BASE = 11
"""With all boards of k = 5 up to this side, everything is carried to all boards."""


def claims(config: FiveInARowConfig, inputs: Inputs) -> Mapping[str, Measurement]:
    """Measurements by claim id; what the run's limits leave out is not measured."""
    rows = all_results(inputs)
    five = [row for row in rows if row["k"] == 5]
    measured = {**_cell_claims(inputs), **_matrix_claims(inputs), **_formula_claims(inputs, five)}
    measured |= {**_completeness_claims(inputs, five), **_table_2_claims(five)}
    return {**measured, **_outlook_claims(inputs, rows), **_oeis_claims(config, inputs, rows)}


def _cell_claims(inputs: Inputs) -> dict[str, Measurement]:
    by_order = {facts["n"]: facts for facts in inputs.facts("cells")}
    orders = sorted(by_order)
    existing = all((by_order[n]["cells"] > 0) == (gcd(n, 6) == 1) for n in orders)
    listed = ", ".join(f"{n}: {by_order[n]['cells']}" for n in orders)
    measured = {
        "cell-existence": Measurement(existing, f"cells by order, from a complete search: {listed}"),
        "cell-conditions": Measurement(
            _as_printed(5), "all 120 permutations; sums and differences must not be equal, too", "corrected"
        ),
    }
    published = (1, 5, 7, 11, 13)
    if all(n in by_order for n in published):
        counts = {str(n): by_order[n]["cells"] for n in published}
        measured["oeis-a007705"] = Measurement(counts, "complete search by backtracking")
    if 5 not in by_order:
        return measured
    five = by_order[5]
    cells = [row["columns"] for row in inputs.read("cells", "cells").to_pylist() if row["n"] == 5]
    lines = [_torus_lines(cell) for cell in cells]
    once = all(stones == 1 for directions in lines for stones in directions.ravel())
    repeated = "the stones on all 20 wrapped lines of all ten cells"
    return measured | {
        "cell-ten": Measurement(five["cells"], "complete search"),
        "cell-one-class": Measurement(five["orbits"], f"orbits; {five['classes']} class under all of the torus"),
        "cell-table-1": Measurement(five["operations"], "with the cells numbered orbit by orbit"),
        "cell-one-in-five": Measurement(once, repeated),
        "cell-blocks-the-plane": Measurement(once, repeated),
        "cell-twenty-conditions": Measurement([lines[0].size, len(lines[0])], "counted on the torus"),
    }


def _as_printed(n: int) -> int:
    """Patterns whose sums and differences of coordinates never differ by n, as the definition is printed."""
    lines = (([x + y for y, x in enumerate(p)], [x - y for y, x in enumerate(p)]) for p in permutations(range(n)))
    return sum(all(abs(a - b) != n for line in pair for a, b in combinations(line, 2)) for pair in lines)


def _torus_lines(columns: list[int]) -> np.ndarray:
    """(4, n): stones on every wrapped row, column, diagonal and antidiagonal."""
    n, y, x = len(columns), np.arange(len(columns)), np.array(columns)
    return np.array([np.bincount(line % n, minlength=n) for line in (y, x, x - y, x + y)])


def _matrix_claims(inputs: Inputs) -> dict[str, Measurement]:
    windows = [row for row in inputs.read("cells", "windows").to_pylist() if row["n"] == 5]
    if not windows:
        return {}
    matrix = [[row["stones"] for row in windows if row["i"] == i] for i in range(5)]
    differ = sum(row["stones"] != row["formula"] for row in windows)
    return {
        "matrix": Measurement(matrix, "the poorest of the windows of all ten cells"),
        "matrix-formula": Measurement(differ, "all 25 entries"),
    }


def _formula_claims(inputs: Inputs, five: Rows) -> dict[str, Measurement]:
    full = [row for row in five if row["columns"] >= 5]
    small = {(row["rows"], row["columns"]): row for row in full if row["rows"] <= 9}
    thin = [row for row in five if row["columns"] < 5]
    measured = {}
    if full:
        wrong = [row for row in full if row["stones"] != row["formula"]]
        ceilings = [row for row in full if row["stones"] != -(-row["rows"] * row["columns"] // 5)]
        measured["formula"] = Measurement(
            len(wrong), f"{_boards(full)}{_shown(wrong)}. {_all_boards(inputs, 'stones')}"
        )
        measured["formula-brackets"] = Measurement(
            len(ceilings),
            f"{_boards(full)}; ceilings are wrong wherever 5 does not divide N M, such as 6 x 6; floors are right",
            "corrected",
        )
    if len(small) == 15:
        wrong = [row for row in small.values() if row["stones"] != row["formula"]]
        measured["formula-5-to-9"] = Measurement(len(wrong), "15 boards, N >= M; the others are these turned")
        measured["cell-fewest"] = Measurement(small[5, 5]["stones"], "dual bound and a placement")
    if thin:
        wrong = [row for row in thin if _differs_from_rule(row)]
        text = "X = M floor(N / 5) for M < 5 <= N, and C(4 - N mod 5 + floor(N / 5), floor(N / 5)) ** M placements"
        measured["formula-thin"] = Measurement(len(wrong), f"{_boards(thin)} by search; {text}{_shown(wrong)}")
    stones = {(row["rows"], row["columns"]): row["stones"] for row in full}
    stones |= {(columns, rows): value for (rows, columns), value in stones.items()}
    steps = [(n, m) for n, m in stones if (n + 5, m) in stones]
    if steps:
        wrong_steps = sum(stones[n + 5, m] != stones[n, m] + m for n, m in steps)
        evidence = f"{len(steps)} pairs; at least M more are needed since each column of the new rows holds one"
        measured["formula-step"] = Measurement(wrong_steps, evidence)
    return measured


def _differs_from_rule(row: Row) -> bool:
    from boardspace.kernels.five_in_a_row.board import Board
    from boardspace.kernels.five_in_a_row.thin import thin_rule

    rule = thin_rule(Board((row["rows"], row["columns"]), row["k"]))
    return (row["stones"], row["placements"]) != (rule.minimum, str(rule.count))


def _all_boards(inputs: Inputs, what: str) -> str:
    """What the computed boards prove of all boards, in words; '' where they prove nothing of all."""
    from boardspace.kernels.five_in_a_row.periodic import completeness_from, stones_from

    computed = {sides: one for sides, one in computed_boards(inputs, 5).items() if max(sides) <= SMALLEST_BASE}
    if len(computed) < (SMALLEST_BASE - 4) ** 2:
        return ""
    carried = stones_from if what == "stones" else completeness_from
    sides = range(5, SMALLEST_BASE + 6)
    open_sides = [(n, m) for n in sides for m in sides if carried(5, (n, m), computed) is None]
    if not open_sides:
        return "The boards up to 11 x 11 prove it for all boards: five more rows cost exactly M stones."
    named = ", ".join(f"{n} x {m}" for n, m in open_sides)
    return (
        f"The boards up to 11 x 11 prove completeness for all other boards, of any size, than {named}: two optimal "
        "windows that share two rows of five cells are windows of one lattice."
    )


def _completeness_claims(inputs: Inputs, five: Rows) -> dict[str, Measurement]:
    full = [row for row in five if row["columns"] >= 5 and row["complete"] is not None]
    if not full:
        return {}
    more = [row for row in full if not row["complete"]]
    shown = "; ".join(
        f"{row['rows']} x {row['columns']} has {row['placements']}, {row['lattice_placements']} of them windows"
        for row in more[:SHOWN]
    )
    example = _first_additional(inputs)
    evidence = f"{_boards(full)}: {shown or 'none has more'}{example}. {_all_boards(inputs, 'placements')}"
    blocks = _blocks(inputs, full)
    rich = {board: int((found.sum(axis=(1, 2)) > 5).sum()) for board, found in blocks.items()}
    others = {board: sum(not _is_best_cell(block) for block in found) for board, found in blocks.items()}
    looked_at = f"{sum(map(len, blocks.values())):,} blocks of the placements of {_boards(full)}"
    return {
        "method-complete": Measurement(len(more), evidence),
        "method-complete-five": Measurement(sum(rich.values()), looked_at + _where(rich)),
        "method-complete-step": Measurement(sum(others.values()), looked_at + _where(others)),
    }


def _where(numbers: Mapping[str, int]) -> str:
    return "".join(f"; {number} on {board}" for board, number in numbers.items() if number)


def _first_additional(inputs: Inputs) -> str:
    for row in inputs.read("boards", "additional").to_pylist():
        if row["k"] == 5:
            return f", such as {row['picture']}"
    return ""


def _blocks(inputs: Inputs, rows: Rows) -> dict[str, np.ndarray]:
    """(n, 5, 5) bool: the 5 x 5 blocks of the listed placements, by board, of boards up to 15 rows."""
    blocks = {}
    for row in rows:
        if not row["listed"] or row["rows"] > 15:
            continue
        board = SizedBoard(5, row["rows"], row["columns"])
        packed = inputs.array(array_path(board))[:]
        placements = np.unpackbits(packed, axis=2, count=board.columns).astype(bool)
        views = np.lib.stride_tricks.sliding_window_view(placements, (5, 5), axis=(1, 2))
        blocks[f"{board.rows} x {board.columns}"] = views.reshape(-1, 5, 5)
    return blocks


def _is_best_cell(block: np.ndarray) -> bool:
    y, x = np.nonzero(block)
    return all(sorted(line % 5) == [0, 1, 2, 3, 4] for line in (y, x, x - y, x + y))


def _table_2_claims(five: Rows) -> dict[str, Measurement]:
    found = {(row["columns"], row["rows"]): row for row in five}
    measured = {}
    for small, large in ((6, 7), (13, 17), (25, 25), (81, 81), (192, 193)):
        if (small, large) not in found:
            continue
        row = found[small, large]
        how = {
            "bound": "dual bound, and an exhaustive search that lists the placements",
            "search": "exhaustive searches",
            "carried": f"carried from {row['base_rows']} x {row['base_columns']}, and the lattice windows",
        }[row["proof"]]
        by_formula = f"; floor({small} x {large} / 5) = {row['formula']}"
        measured[f"table-2-{small}-{large}-stones"] = Measurement(row["stones"], how + by_formula)
        measured[f"table-2-{small}-{large}-placements"] = Measurement(row["placements"], how)
    if (6, 7) in found:
        measured["matrix-1-2"] = Measurement([0, found[6, 7]["stones"]], "A(1, 2) and the search of 6 x 7")
    if (13, 17) in found:
        windows = found[13, 17]["lattice_placements"]
        value = [windows // 2, windows, int(found[13, 17]["placements"])]
        measured["placements-13-17"] = Measurement(value, "windows in one direction, in both, and the search")
    return measured


def _outlook_claims(inputs: Inputs, rows: Rows) -> dict[str, Measurement]:
    seven = [row for row in rows if row["k"] == 7 and row["columns"] >= 7]
    other = [row for row in rows if gcd(row["k"], 6) > 1 and row["columns"] >= row["k"]]
    measured = {}
    if seven:
        wrong = [row for row in seven if row["stones"] != row["formula"]]
        fewer = [row for row in seven if row["stones"] < row["lattice_stones"]]
        more = [row for row in seven if row["complete"] is False]
        all_boards = _seven_for_all(inputs)
        measured["outlook-seven-formula"] = Measurement(
            len(wrong), f"{_boards(seven)}{_shown(wrong)}; the matrix A of k = 7 is below floor(i j / 7) there too"
        )
        measured["outlook-seven-construction"] = Measurement(len(fewer), f"{_boards(seven)}{_shown(fewer)}{all_boards}")
        measured["outlook-seven-complete"] = Measurement(len(more), f"{_boards(seven)}{_shown(more, 'placements')}")
    if other:
        wrong = [row for row in other if row["stones"] != row["formula"]]
        measured["outlook-other-k"] = Measurement(len(wrong), f"{_boards(other)}{_shown(wrong)}")
    return measured


def _seven_for_all(inputs: Inputs) -> str:
    from boardspace.kernels.five_in_a_row.periodic import stones_from

    computed = computed_boards(inputs, 7)
    sides = range(7, 21)
    proved = all(stones_from(7, (n, m), computed) for n in sides for m in sides)
    return "; the boards up to 13 x 13 prove it for all boards" if proved else ""


def _oeis_claims(config: FiveInARowConfig, inputs: Inputs, rows: Rows) -> dict[str, Measurement]:
    squares = {(row["k"], row["rows"]): row for row in rows if row["rows"] == row["columns"]}
    measured = {}
    if all((3, n) in squares for n in range(1, 17)):
        most = [n * n - squares[3, n]["stones"] for n in range(1, 17)]
        beyond = [f"{n}: {n * n - squares[3, n]['stones']}" for n in range(17, 65) if (3, n) in squares]
        new = f"; beyond the published terms, {', '.join(beyond)}" if beyond else ""
        measured["oeis-a181018"] = Measurement(most, f"exhaustive searches{new}")
    if all((2, 2 * n) in squares for n in range(1, 10)):
        counts = [squares[2, 2 * n]["placements"] for n in range(1, 10)]
        measured["oeis-a018807"] = Measurement(counts, "optimal placements counted by the search")
    for box in inputs.read("boxes", "boxes").to_pylist():
        if (box["k"], box["a"], box["b"], box["c"]) == (3, 3, 3, 3):
            measured["oeis-a003142"] = Measurement(27 - box["stones"], f"X = {box['stones']} by search")
    return measured


def _boards(rows: Iterable[Row]) -> str:
    by_k: dict[int, list[Row]] = {}
    for row in rows:
        by_k.setdefault(row["k"], []).append(row)
    parts = (f"{len(some)} boards of k = {k}, N up to {max(r['rows'] for r in some)}" for k, some in by_k.items())
    return "; ".join(parts)


def _shown(rows: Rows, what: str = "stones") -> str:
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
    rest = f" and {len(rows) - SHOWN} more" if len(rows) > SHOWN else ""
    return f": {'; '.join(map(value, rows[:SHOWN]))}{rest}"
