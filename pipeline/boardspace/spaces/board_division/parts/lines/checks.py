"""What ``boardspace verify`` re-derives of lines: a seeded sample, by the plain rules."""

import numpy as np

from boardspace.spaces.board_division import rules
from boardspace.spaces.board_division.checking import Faults, unless
from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.space import Draw, Inputs, Outcome, outcome

LINE_PEGS = 12


def check_lines(config: BoardDivisionConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Lines of a few pegs, all their positions searched."""
    return outcome(_lines(config, inputs, draw.generator()))


def _lines(config: BoardDivisionConfig, inputs: Inputs, random: np.random.Generator) -> Faults:
    for row in inputs.read("lines", "lines", between=(1, LINE_PEGS + 1)).to_pylist():
        expected = min(len(pegs) for level in rules.positions(1, row["n"]) for pegs in level)
        yield unless(row["fewest"] == expected, f"line of {row['n']}: {expected} pegs can be left, not {row['fewest']}")
