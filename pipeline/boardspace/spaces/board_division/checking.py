"""How a part's checks are run: each is a rule that goes through its cases and names the fault of each, or ''."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from boardspace.spaces.board_division.config import BoardDivisionConfig
from boardspace.spec.space import Check, Inputs

SAMPLE = 20
SEARCHED_PEGS = 9

Faults = Iterator[str]
Rule = Callable[[BoardDivisionConfig, Inputs, np.random.Generator], Faults]


def run_rules(rules: Mapping[str, Rule], config: BoardDivisionConfig, inputs: Inputs, seed: int) -> list[Check]:
    """Run rules by name, each with draws of its own from the seed."""
    return [_check(name, rule(config, inputs, np.random.default_rng(seed))) for name, rule in rules.items()]


def unless(right: bool, fault: str) -> str:
    """'' where it is right, else the fault."""
    return "" if right else fault


def _check(name: str, cases: Faults) -> Check:
    """Run all cases; each is its fault or ''."""
    faults = list(cases)
    return Check(name, len(faults), next((fault for fault in faults if fault), ""))
