"""The checks of a space, made on a downloaded dataset as far as its own data allow."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from boardspace.spec.check import Draw, Outcome
from boardspace.spec.claims import all_checks
from boardspace.spec.errors import NotInReleaseError
from boardspace.spec.registry import space_named
from boardspace.storage.complete import Complete
from boardspace.storage.records import read_record
from boardspace.storage.run_folder import COMPLETE
from boardspace.verify.crew import Crew
from boardspace.verify.files import FileFaultError
from boardspace.verify.release_files import sums_in
from boardspace.verify.release_inputs import PublishedTables, published_work
from boardspace.verify.result import Fault, Rederived


def rederived_from(workers: Crew, folder: Path, draw: Draw) -> tuple[list[Rederived], list[Fault]]:
    """The checks of a dataset without faults of structure, and what they found."""
    name = folder.resolve().name
    checks = all_checks(space_named(name))
    waiting = [workers.begin(_run_check, (folder.resolve(), number, draw)) for number in range(len(checks))]
    outcomes = [wait() for wait in waiting]
    made = [
        Rederived(name, check.name, check.columns, check.means, outcome.cases, outcome.of, impossible, outcome.left)
        for check, (outcome, impossible) in zip(checks, outcomes, strict=True)
    ]
    faults = [
        Fault("logic", f"{name}: {check.name}", outcome.fault)
        for check, (outcome, _) in zip(checks, outcomes, strict=True)
        if outcome.fault
    ]
    if not faults and not any(one.cases for one in made):
        faults = [Fault("logic", f"{name}: checks", "re-derived no case, so nothing is known")]
    return made, faults


def _run_check(numbered: tuple[Path, int, Draw]) -> tuple[Outcome, str]:
    """The outcome of a check of a dataset, given by plain values; or why it cannot be made on a release."""
    folder, number, draw = numbered
    space = space_named(folder.name)
    try:
        complete = read_record(folder / COMPLETE, Complete)
        if complete is None:
            raise FileFaultError(f"{COMPLETE}: torn or altered")
        work = published_work(folder, space, complete)
        inputs = PublishedTables(folder, space, list(sums_in(folder)))
        return all_checks(space)[number].run(work.config, inputs, draw), ""
    except NotInReleaseError as error:
        return Outcome(0, 0), str(error)
    except Exception as error:  # forged data make checks raise nearly anything
        return Outcome(0, 0, f"cannot be made: {error!r}"), ""


def what_needs_the_run(rederived: Sequence[Rederived]) -> Iterator[str]:
    """Notes on the checks, and the claims, of each dataset that need the run."""
    for dataset, checks in groupby(rederived, key=lambda one: one.dataset):
        lacking = [one.check for one in checks if one.impossible]
        if lacking:
            yield (
                f"{dataset}: checks that only the run allows, which verified it before it was published: "
                + ", ".join(lacking)
            )
    yield from (f"{one.dataset}: {one.left}" for one in rederived if one.left)
