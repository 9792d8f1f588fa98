"""Costs of the farthest steps of each class, and the classes that a budget pays for.

``costs.toml`` holds for each class the seconds of one core for its outline and for the rest.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from boardspace.spaces.klotski.config import KlotskiConfig

PAIR_SECONDS = 1.5e-9
"""Of one searched layout and one layout of its group."""
MERGE_SECONDS = 0.3
"""Of one class that had parts, of the median size."""


class Cost(NamedTuple):
    """Seconds of one core."""

    outline: float
    rest: float

    @property
    def total(self) -> float:
        """Of both."""
        return self.outline + self.rest


class Afforded(NamedTuple):
    """The classes that are computed, in order of their names, with their costs; and what is left out."""

    classes: Mapping[str, Cost]
    left: Mapping[str, Cost]

    @property
    def doc(self) -> str:
        """The line that says which classes are computed."""
        seconds = sum(cost.total for cost in self.classes.values())
        return f"farthest steps of {len(self.classes)} classes, about {seconds:.0f} core seconds with the parts"

    @property
    def omits(self) -> str:
        """The line that says which classes are left out; '' for none."""
        if not self.left:
            return ""
        seconds = sum(cost.total for cost in self.left.values())
        return (
            f"farthest steps of {len(self.left)} classes are left out, about {seconds:.0f} core seconds "
            f"(farthest_seconds): {', '.join(self.left)}"
        )


def afforded(config: KlotskiConfig) -> Afforded:
    """The cheapest of the chosen classes, as many as the budget pays for."""
    costs = {name: _costs()[name] for name in config.chosen}
    spent = 0.0
    paid = set()
    for name in sorted(costs, key=lambda name: costs[name].total):
        spent += costs[name].total
        if spent <= config.farthest_seconds:
            paid.add(name)
    return Afforded(
        {name: cost for name, cost in costs.items() if name in paid},
        {name: cost for name, cost in costs.items() if name not in paid},
    )


@cache
def _costs() -> dict[str, Cost]:
    text = Path(__file__).with_name("costs.toml").read_text()
    return {name: Cost(*seconds) for name, seconds in tomllib.loads(text)["seconds"].items()}
