"""What the checks of this space share."""

from collections.abc import Iterable

from boardspace.spec.space import Outcome


def joined(outcomes: Iterable[tuple[str, Outcome]]) -> Outcome:
    """The outcomes of several problems, given by what they are of, as one; they end at the first fault."""
    cases = of = 0
    for name, one in outcomes:
        cases, of = cases + one.cases, of + one.of
        if one.fault:
            return Outcome(cases, of, f"{name}: {one.fault}")
    return Outcome(cases, of)
