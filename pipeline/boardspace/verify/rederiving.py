"""The checks of a dataset as tasks: those of one set of rows are one task, so that each row is read once."""

from collections.abc import Sequence
from typing import Any, TypeVar

from boardspace.spec.check import Check, Draw, Outcome
from boardspace.spec.stage import Inputs

Found = TypeVar("Found")
Numbers = tuple[int, ...]
"""Places of checks among all checks of a space."""


def tasks_of(checks: Sequence[Check]) -> list[Numbers]:
    """The numbers of the checks that a process makes together, of each task: those of several first, as they take
    longest."""
    shared: list[Numbers] = []
    for number, check in enumerate(checks):
        same = [n for n, other in enumerate(checks) if check.together and other.together == check.together]
        if same and same[0] == number:
            shared.append(tuple(same))
    taken = {number for some in shared for number in some}
    return [*shared, *((n,) for n in range(len(checks)) if n not in taken)]


def in_order(tasks: Sequence[Numbers], found: Sequence[Sequence[Found]]) -> list[Found]:
    """The findings of all tasks in the order of the checks."""
    pairs = (pair for numbers, some in zip(tasks, found, strict=True) for pair in zip(numbers, some, strict=True))
    return [one for _, one in sorted(pairs, key=lambda pair: pair[0])]


def outcomes_of(checks: Sequence[Check], config: Any, inputs: Inputs, draw: Draw) -> list[Outcome | Exception]:
    """The outcome of each of these checks, or the error that it raised."""
    if checks[0].together is not None:
        try:
            return list(checks[0].together(checks, config, inputs, draw))
        except Exception as error:  # as below
            return [error] * len(checks)
    return [_outcome_of(check, config, inputs, draw) for check in checks]


def _outcome_of(check: Check, config: Any, inputs: Inputs, draw: Draw) -> Outcome | Exception:
    try:
        return check.run(config, inputs, draw)
    except Exception as error:  # forged facts make checks raise nearly anything
        return error
