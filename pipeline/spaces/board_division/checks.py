"""What ``boardspace verify`` re-derives: a seeded sample of everything, by the plain rules."""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby

import numpy as np

from boardspace.pipeline.space import Check, Inputs
from boardspace.pipeline.spaces.board_division import rules
from boardspace.pipeline.spaces.board_division.config import BoardDivisionConfig
from boardspace.pipeline.spaces.board_division.trominoes import array_path

SAMPLE = 20
COUNTED_SIDE = 8
SEARCHED_PEGS = 9
PLAYED_PEGS = 150
LINE_PEGS = 12

Faults = Iterator[str]
Rule = Callable[[BoardDivisionConfig, Inputs, np.random.Generator], Faults]


def checks(config: BoardDivisionConfig, inputs: Inputs, seed: int) -> Sequence[Check]:
    """One check for each part of the dataset."""
    parts: dict[str, Rule] = {
        "special covers": _special_covers,
        "large covers": _large_covers,
        "cover counts": _cover_counts,
        "rectangle values": _values,
        "modules": _modules,
        "jumps": _jumps,
        "positions": _positions,
        "lines": _lines,
    }
    return [_check(name, rule(config, inputs, np.random.default_rng(seed))) for name, rule in parts.items()]


def _check(name: str, cases: Faults) -> Check:
    """Run all cases; each is its fault or ''."""
    faults = list(cases)
    return Check(name, len(faults), next((fault for fault in faults if fault), ""))


def _unless(right: bool, fault: str) -> str:
    return "" if right else fault


def _special_covers(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for k in range(config.special_boards + 1):
        array, side = inputs.array(f"covers/{k}"), 2**k
        for special in random.choice(4**k, min(4**k, SAMPLE), replace=False).tolist():
            cell, board = divmod(special, side), array[special].tolist()
            row, column = random.integers(0, side, 2).tolist()
            right = rules.is_cover(board, cell) and board[row][column] == rules.lay(k, cell, (row, column))
            yield _unless(right, f"k = {k}: board {special} is not the recursion's cover")


def _large_covers(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for board in config.large_boards:
        array, special = inputs.array(array_path(board)), (board.row - 1, board.column - 1)
        for row, column in random.integers(0, 2**board.k, (SAMPLE, 2)).tolist():
            found, laid = int(array[row, column]), rules.lay(board.k, special, (row, column))
            yield _unless(found == laid, f"{array_path(board)}[{row}, {column}] is {found}, the recursion lays {laid}")


def _cover_counts(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    table = inputs.read("cover_counts", "cover_counts").to_pylist()
    counts = {(row["side"], row["row"], row["column"]): int(row["covers"]) for row in table}
    for (side, row, column), count in counts.items():
        turned = counts[side, column, side + 1 - row]
        yield _unless(count == turned, f"side {side}: ({row}, {column}) has {count} covers, a quarter turn on {turned}")
    small = [key for key in counts if key[0] <= COUNTED_SIDE]
    for chosen in random.choice(len(small), min(len(small), SAMPLE), replace=False).tolist():
        side, row, column = small[chosen]
        found, expected = counts[small[chosen]], rules.count_covers(side, (row - 1, column - 1))
        yield _unless(found == expected, f"side {side}: ({row}, {column}) has {expected} covers, not {found}")


def _values(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for row in inputs.read("values", "rectangles", between=(1, SEARCHED_PEGS + 1)).to_pylist():
        m, n, found = row["m"], row["n"], row["fewest"]
        if m * n <= SEARCHED_PEGS:
            expected = min(len(pegs) for level in rules.positions(m, n) for pegs in level)
            yield _unless(found == expected, f"{m} x {n}: {expected} pegs can be left, not {found}")


def _modules(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for name, rows in groupby(inputs.read("modules", "modules").to_pylist(), key=lambda row: row["module"]):
        sequence = [(row["row"], row["column"], row["direction"]) for row in rows]
        if name in rules.HELPERS:
            helpers = rules.HELPERS[name]
            yield _end_fault(name, rules.MODULES[name] | helpers, sequence, helpers)
        else:
            p, q = (int(side) for side in name.removeprefix("ending ").split(" x "))
            yield _end_fault(name, rules.rectangle(p, q), sequence, rules.fewest(p, q))


def _jumps(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    sides = range(1, config.sequences + 1)
    small = [(m, n) for m in sides for n in sides if m * n <= PLAYED_PEGS]
    for chosen in random.choice(len(small), min(len(small), SAMPLE), replace=False).tolist():
        m, n = small[chosen]
        rows = inputs.read("sequences", "jumps", between=(m, m + 1), shards=[f"{m:04}-0001"]).to_pylist()
        sequence = [(row["row"], row["column"], "URDL"[row["direction"]]) for row in rows if row["n"] == n]
        yield _end_fault(f"{m} x {n}", rules.rectangle(m, n), sequence, rules.fewest(m, n))


def _end_fault(name: str, start: rules.Pegs, sequence: list[rules.Jump], end: rules.Pegs | int) -> str:
    """Play a sequence; '' where it is legal and ends at this position, or with that many pegs."""
    try:
        left = rules.play(start, sequence)
    except ValueError as error:
        return f"{name}: {error}"
    return _unless((len(left) if isinstance(end, int) else left) == end, f"{name}: ends at {sorted(left)}")


def _positions(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for m, n in _small_searches(inputs):
        shards = [f"{m:02}-{n:02}"]
        rows = inputs.read("searches", "positions", shards=shards).to_pylist()
        levels = rules.positions(m, n)
        found = {row["pegs"]: row["positions"] for row in rows}
        expected = {pegs: len(level) for pegs, level in zip(range(m * n, 0, -1), levels, strict=False)}
        yield _unless(found == expected, f"{m} x {n}: positions by pegs are {expected}, the table has {found}")
        cells = inputs.read("searches", "reach", shards=shards).to_pylist()
        reached = {(cell["row"], cell["column"]) for cell in cells if cell["reached"]}
        seen = frozenset[rules.Cell]().union(*(pegs for level in levels for pegs in level))
        yield _unless(reached == seen, f"{m} x {n}: pegs come to {sorted(seen)}, the table has {sorted(reached)}")


def _small_searches(inputs: Inputs) -> list[tuple[int, int]]:
    """The searched rectangles of few pegs."""
    sides = [(fact["m"], fact["n"]) for fact in inputs.facts("searches")]
    return [(m, n) for m, n in sides if m * n <= SEARCHED_PEGS]


def _lines(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for row in inputs.read("lines", "lines", between=(1, LINE_PEGS + 1)).to_pylist():
        expected = min(len(pegs) for level in rules.positions(1, row["n"]) for pegs in level)
        yield _unless(
            row["fewest"] == expected, f"line of {row['n']}: {expected} pegs can be left, not {row['fewest']}"
        )
