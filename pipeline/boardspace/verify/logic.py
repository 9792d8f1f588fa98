"""Logic of a dataset, of a run or of a release: its checks are made, in processes or here, and what they found is told.

Checks are named by their numbers, and what they read by a function that opens it, so that another process can make
them. What only a run has is no fault of a release: such a check is told with what it lacks.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace

from boardspace.engine.plan import Work
from boardspace.spec.check import Check, Draw, Outcome
from boardspace.spec.claims import CLAIM_CHECKS
from boardspace.spec.errors import NotInReleaseError
from boardspace.spec.registry import error_text
from boardspace.spec.space import Inputs
from boardspace.storage.files import ScratchError
from boardspace.verify.coverage import coverage_faults
from boardspace.verify.equations import Numbers, in_order, outcomes_of, tasks_of
from boardspace.verify.executor import Executor
from boardspace.verify.records import is_of_these_sources
from boardspace.verify.release_inputs import PublishedTables
from boardspace.verify.result import Fault, Rederived

Opened = tuple[Sequence[Check], Work, Inputs]
"""The checks of a dataset, what made it, and what they read."""
Found = tuple[Outcome, str]
"""The outcome of a check, and why it cannot be made on a release, or ''."""


def begin_checks(
    workers: Executor, opened: Callable[[], Opened], checks: Sequence[Check], draw: Draw
) -> Callable[[], list[Found]]:
    """Have all checks of a dataset made; what is returned waits for what they found, in their order.

    ``opened`` can be pickled, and is called in each process for each of its tasks.
    """
    tasks = tasks_of(checks)
    waiting = [workers.begin(_made, (opened, numbers, draw)) for numbers in tasks]
    return lambda: in_order(tasks, [wait() for wait in waiting])


def _made(asked: tuple[Callable[[], Opened], Numbers, Draw]) -> list[Found]:
    opened, numbers, draw = asked
    checks, work, inputs = opened()
    chosen, released = [checks[number] for number in numbers], isinstance(inputs, PublishedTables)
    found = [_with_reason(one, released) for one in outcomes_of(chosen, work.config, inputs, draw)]
    if not released or is_of_these_sources(work):
        return found
    return [
        (_noted(outcome) if check.name in CLAIM_CHECKS else outcome, impossible)
        for check, (outcome, impossible) in zip(chosen, found, strict=True)
    ]


def _with_reason(found: Outcome | BaseException, released: bool) -> Found:
    if isinstance(found, ScratchError):
        raise found  # the data are not at fault
    if released and isinstance(found, NotInReleaseError):
        return Outcome(0, 0), str(found)
    return (Outcome(0, 0, f"cannot be made: {error_text(found)}") if isinstance(found, BaseException) else found), ""


def _noted(outcome: Outcome) -> Outcome:
    """An outcome of claims with a note in place of a fault: another version may state others, and judge otherwise."""
    if not outcome.fault:
        return outcome
    return replace(outcome, fault="", left=f"claims are those of another version: {outcome.fault}")


def logic_of(work: Work, checks: Sequence[Check], found: Sequence[Found]) -> tuple[list[Rederived], list[Fault]]:
    """The checks of a dataset with what they found, and its faults: a column that no check names is one, too."""
    name = work.space.name
    made = [Rederived.by(name, check, *one) for check, one in zip(checks, found, strict=True)]
    faults = [Fault("logic", f"{name}: columns", what) for what in coverage_faults(work.space)]
    faults += [
        Fault("logic", f"{name}: {check.name}", outcome.fault)
        for check, (outcome, _) in zip(checks, found, strict=True)
        if outcome.fault
    ]
    if not faults and not any(one.cases for one in made):
        faults = [Fault("logic", f"{name}: checks", "re-derived no case, so nothing is known")]
    return made, faults
