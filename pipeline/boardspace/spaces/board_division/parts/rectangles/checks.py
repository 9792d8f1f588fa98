"""What ``boardspace verify`` re-derives of rectangles: a seeded sample, by the plain rules."""

from itertools import groupby

import numpy as np

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.checking import SAMPLE, SEARCHED_PEGS, Faults, unless
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

PLAYED_PEGS = 150


def check_values(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Values of rectangles of a few pegs."""
    return outcome(_values(config, inputs, draw.generator()))


def check_modules(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Every module and ending, played."""
    return outcome(_modules(config, inputs, draw.generator()))


def check_jumps(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Some sequences, played."""
    return outcome(_jumps(config, inputs, draw.generator()))


def check_positions(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """All positions of rectangles of a few pegs."""
    return outcome(_positions(config, inputs, draw.generator()))


def _values(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for row in inputs.read("values", "rectangles", between=(1, SEARCHED_PEGS + 1)).to_pylist():
        m, n, found = row["m"], row["n"], row["fewest"]
        if m * n <= SEARCHED_PEGS:
            expected = min(len(pegs) for level in rules.positions(m, n) for pegs in level)
            yield unless(found == expected, f"{m} x {n}: {expected} pegs can be left, not {found}")


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
    return unless((len(left) if isinstance(end, int) else left) == end, f"{name}: ends at {sorted(left)}")


def _positions(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for m, n in _small_searches(inputs):
        shards = [f"{m:02}-{n:02}"]
        rows = inputs.read("searches", "positions", shards=shards).to_pylist()
        levels = rules.positions(m, n)
        found = {row["pegs"]: row["positions"] for row in rows}
        expected = {pegs: len(level) for pegs, level in zip(range(m * n, 0, -1), levels, strict=False)}
        yield unless(found == expected, f"{m} x {n}: positions by pegs are {expected}, the table has {found}")
        cells = inputs.read("searches", "reach", shards=shards).to_pylist()
        reached = {(cell["row"], cell["column"]) for cell in cells if cell["reached"]}
        seen = frozenset[rules.Cell]().union(*(pegs for level in levels for pegs in level))
        yield unless(reached == seen, f"{m} x {n}: pegs come to {sorted(seen)}, the table has {sorted(reached)}")


def _small_searches(inputs: Inputs) -> list[tuple[int, int]]:
    """The searched rectangles of few pegs."""
    sides = [(fact["m"], fact["n"]) for fact in inputs.facts("searches")]
    return [(m, n) for m, n in sides if m * n <= SEARCHED_PEGS]
