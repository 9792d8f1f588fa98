"""The second example's case m = 1: a line of pegs, its lemmas on every position."""

from itertools import product

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.space import Inputs, Measurement, measured_together

CELLS = 9
"""Lemma 1 is tried on every position of a line of so many cells, reached or not."""


def measure(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    """The construction replayed, the lemmas on all positions of lines, the value and the printed inequality."""
    return measured_together(lambda: _construction(config, inputs), lambda: _lemmas(config, inputs))


def _construction(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    replayed = inputs.named_facts("replays")["lines"]
    count, holds = replayed["rectangles"], replayed["fewest"] == replayed["rectangles"]
    evidence = f"a sample of {count:,} lines of 1 to {config.values} pegs, lying and standing, replayed"
    return {"line-construction": Measurement(holds, evidence, None, "sample")}


def _lemmas(config: BoardDivisionConfig, inputs: Inputs) -> dict[str, Measurement]:
    table = inputs.table("lines").to_pylist()
    faults = line_faults(inputs)
    evidence = (
        f"a sample of {len(table)} lines, 1 to {config.lines} pegs: every position, "
        f"{sum(row['positions'] for row in table):,} in all"
    )
    holding, broken = _lemma_1()
    even = sum((n // 2 - 1) * 2 >= (n / 2 - 1) * 2 for n in range(2, config.lines + 1))
    return {
        "line-key-jump": Measurement(
            True, "a jump touches pegs and untouches none, so untouched pegs only get fewer", None, "proof"
        ),
        "line-lemma-1": Measurement(
            broken + faults["touched_jumps"],
            f"a sample of {holding:,} positions, all those of {CELLS} cells that meet the conditions, reached or not, "
            f"and of those reached: {evidence}",
            None,
            "sample",
        ),
        "line-lemma-2": Measurement(faults["broken"], evidence, None, "sample"),
        "line-corollary-1": Measurement(faults["touched_jumps"], evidence, None, "sample"),
        "line-inequality": Measurement(
            "<=, <",
            f"the first two are equal for the {even} even n up to {config.lines}; the proof holds with <=",
            "corrected",
            "proof",
        ),
        "line-end": Measurement(faults["late_jumps"], evidence, None, "sample"),
        "line-value": Measurement(all(row["fewest"] == (row["n"] + 1) // 2 for row in table), evidence, None, "sample"),
    }


def line_faults(inputs: Inputs) -> dict[str, int]:
    """How many positions of the searched lines break the conditions, and jumps by touched pegs, or too late."""
    table = inputs.table("lines")
    return {name: sum(table.column(name).to_pylist()) for name in ("broken", "touched_jumps", "late_jumps")}


def _lemma_1() -> tuple[int, int]:
    """Positions of a short line that meet the conditions, and jumps there of which a peg was touched before.

    A cell is empty, holds an untouched peg, or a touched one; beyond the line all is empty.
    """
    holding = broken = 0
    for cells in product(".ut", repeat=CELLS):
        line = "..." + "".join(cells) + "..."
        if "u" in line and _meets_conditions(line):
            holding += 1
            broken += sum(
                "t" in pair
                for at in range(len(line) - 2)
                for pair, landing in ((line[at : at + 2], line[at + 2]), (line[at + 1 : at + 3], line[at]))
                if "." not in pair and landing == "."
            )
    return holding, broken


def _meets_conditions(line: str) -> bool:
    """(1) untouched pegs are consecutive; (2), (3) beside them no two pegs adjacent, and two empty cells next to it."""
    first, last = line.index("u"), line.rindex("u")
    left, right = line[:first], line[last + 1 :]
    apart = "tt" not in left and "tt" not in right
    return set(line[first : last + 1]) == {"u"} and apart and left.endswith("..") and right.startswith("..")
