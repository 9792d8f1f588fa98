"""Draws of tests: nobody foresees those of users; here they are the same each time, so a fault comes from the change at
hand, and none from luck."""

import itertools

from boardspace.spec.check import Draw


def begin_draws() -> None:
    """Draws of this process have the seeds 0, 1, 2 ... from now on."""
    seeds = itertools.count()

    def drawn(everything: bool = False) -> Draw:
        return Draw(next(seeds), everything)

    setattr(Draw, "at_random", drawn)  # noqa: B010, as mypy refuses to assign to a method
