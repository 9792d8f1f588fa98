"""The plan of a dataset beside this installation: versions that there are, and what no data can show of the plan."""

import re
from collections.abc import Iterator

from boardspace.engine.plan import Work, plan_differences, work_by

LONGEST_DIFFERENCES = 300
"""Signs of the differences between two plans that a note holds."""
SHA256 = re.compile("[0-9a-f]{64}")


def is_of_these_sources(work: Work) -> bool:
    """Return whether the code that is installed here made a dataset, as its plan says; other code may describe it in
    other words."""
    return work.plan.sources == work_by(work.space, work.plan).plan.sources


def plan_fault(work: Work) -> str:
    """Fault of a plan that no version of boardspace which is known here can have written, or ''."""
    version, known = work.plan.version, work.space.version
    if version > known:
        return (
            f"{work.space.name}: of version {version}, and this installation knows none after {known}: it was made by "
            "a later version of boardspace; install that, and verify again"
        )
    if version < 1:
        return f"{work.space.name}: of version {version}, and versions begin with 1"
    if not SHA256.fullmatch(work.plan.sources):
        return f"{work.space.name}: its sources are no SHA-256"
    here = work_by(work.space, work.plan).plan
    if work.plan.sources == here.sources and work.plan.libraries.keys() != here.libraries.keys():
        return f"{work.space.name}: these sources name other libraries: {', '.join(sorted(here.libraries))}"
    return ""


def plan_notes(work: Work) -> Iterator[str]:
    """A note for the version, the libraries and the code of a plan, where they are not those of this installation."""
    different = list(plan_differences(work.plan, work_by(work.space, work.plan).plan))
    for what in ("version", "libraries", "sources"):
        found = [text for text in different if text.startswith(what)]
        if found:
            details = "" if what == "sources" else f" ({'; '.join(found)[:LONGEST_DIFFERENCES]})"
            other = "another" if what == "version" else "other"
            yield (
                f"{work.space.name}: the plan names {other} {what} than this installation's{details}; the data cannot "
                "show whether that is true"
            )
