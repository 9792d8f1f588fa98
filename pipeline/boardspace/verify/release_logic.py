"""The checks of a space, made on a downloaded dataset as far as its own data allow."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from boardspace.engine.plan import Work
from boardspace.spec.check import Check, Draw, Outcome
from boardspace.spec.claims import CLAIM_CHECKS
from boardspace.spec.errors import NotInReleaseError
from boardspace.verify.coverage import coverage_faults
from boardspace.verify.equations import Numbers, in_order, outcomes_of, tasks_of
from boardspace.verify.executor import Executor
from boardspace.verify.plans import is_of_these_sources
from boardspace.verify.recompute import checks_of_release
from boardspace.verify.release_files import sums_in
from boardspace.verify.release_inputs import PublishedTables, published_in
from boardspace.verify.result import Fault, Rederived, what_was_left


def rederived_from(workers: Executor, folder: Path, draw: Draw) -> tuple[list[Rederived], list[Fault]]:
    """The checks of a dataset without faults of structure, and what they found."""
    name = folder.resolve().name
    try:
        checks, work = _checked(folder.resolve())
    except Exception as error:  # forged data make readers raise nearly anything
        return [], [Fault("logic", f"{name}: checks", f"cannot be made: {error!r}")]
    tasks = tasks_of(checks)
    waiting = [workers.begin(_run_checks, (folder.resolve(), numbers, draw)) for numbers in tasks]
    outcomes = in_order(tasks, [wait() for wait in waiting])
    made = [
        Rederived.by(name, check, outcome, impossible)
        for check, (outcome, impossible) in zip(checks, outcomes, strict=True)
    ]
    faults = [Fault("logic", f"{name}: columns", what) for what in coverage_faults(work.space)]
    faults += [
        Fault("logic", f"{name}: {check.name}", outcome.fault)
        for check, (outcome, _) in zip(checks, outcomes, strict=True)
        if outcome.fault
    ]
    if not faults and not any(one.cases for one in made):
        faults = [Fault("logic", f"{name}: checks", "re-derived no case, so nothing is known")]
    return made, faults


def _run_checks(numbered: tuple[Path, Numbers, Draw]) -> list[tuple[Outcome, str]]:
    """The outcomes of checks of a dataset, given by plain values; or why one cannot be made on a release."""
    folder, numbers, draw = numbered
    checks, work = _checked(folder)
    inputs = PublishedTables(folder, work.space, list(sums_in(folder)))
    chosen = [checks[n] for n in numbers]
    found = map(_with_reason, outcomes_of(chosen, work.config, inputs, draw))
    if is_of_these_sources(work):
        return list(found)
    return [
        (_noted(outcome) if check.name in CLAIM_CHECKS else outcome, impossible)
        for check, (outcome, impossible) in zip(chosen, found, strict=True)
    ]


def _noted(outcome: Outcome) -> Outcome:
    """An outcome of claims with a note in place of a fault: another version may state others, and judge otherwise."""
    if not outcome.fault:
        return outcome
    return replace(outcome, fault="", left=f"claims are those of another version: {outcome.fault}")


def _checked(folder: Path) -> tuple[Sequence[Check], Work]:
    """The checks of a dataset, and what made it; FileFaultError where it does not say."""
    work, complete = published_in(folder)
    return checks_of_release(work, complete), work


def _with_reason(found: Outcome | Exception) -> tuple[Outcome, str]:
    """An outcome, and why a check cannot be made on a release, from what the check returned or raised."""
    if isinstance(found, NotInReleaseError):
        return Outcome(0, 0), str(found)
    return (Outcome(0, 0, f"cannot be made: {found!r}") if isinstance(found, Exception) else found), ""


def what_needs_the_run(rederived: Sequence[Rederived]) -> Iterator[str]:
    """Notes on the checks, and the claims, of each dataset that need the run."""
    for dataset, checks in groupby(rederived, key=lambda one: one.dataset):
        lacking = [one.check for one in checks if one.impossible]
        if lacking:
            yield (
                f"{dataset}: checks that only the run allows, which verified it before it was published: "
                + ", ".join(lacking)
            )
    yield from what_was_left(rederived)
