"""Costs of the farthest steps of each class, and the classes that a budget pays for.

``costs.toml`` holds for each class the seconds on one core for its outline and for the rest; ``pairs.toml`` the pairs
that are searched where all distances are counted, of groups that are finished with the outline and of the others.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple

from boardspace.spaces.klotski.config import KlotskiConfig

PAIR_SECONDS = 1.5e-9
"""Of one searched layout and one layout of its group."""
COUNTED_PAIR_SECONDS = 1.3e-9
"""PAIR_SECONDS where distances are counted and nothing settled; 0.8 times that in shallow groups, 1.3 in deep ones."""
PART_SECONDS = 30.0
"""Of one part; a group that has less left is finished with its outline."""
TAKEN = 0.7
"""Seconds that a second of these tables takes, since the search became faster. Budgets go by the tables as they are, so
that they pay for the same classes as before."""
MERGE_SECONDS = 0.3
"""Of one class that had parts, of the median size."""


def pair_seconds(counted: bool) -> float:
    """Seconds of one searched layout and one layout of its group."""
    return COUNTED_PAIR_SECONDS if counted else PAIR_SECONDS


class Cost(NamedTuple):
    """Seconds of one core."""

    outline: float
    rest: float

    @property
    def total(self) -> float:
        """Of both."""
        return self.outline + self.rest


class WithinBudget(NamedTuple):
    """The classes that are computed, in order of their names, with their costs; what is left out; and the classes of
    these whose pairs are all counted by distance."""

    classes: Mapping[str, Cost]
    left: Mapping[str, Cost]
    counted: frozenset[str]

    @property
    def doc(self) -> str:
        """The line that says which classes are computed."""
        seconds = sum(cost.total for cost in self.classes.values())
        distances = f", all distances of {len(self.counted)} of them" if self.counted else ""
        return (
            f"farthest steps of {len(self.classes)} classes{distances}, about {seconds:.0f} core seconds with the parts"
        )

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


def within_budget(config: KlotskiConfig) -> WithinBudget:
    """The cheapest of the chosen classes, as many as the budgets pay for."""
    costs = {name: _costs()[name] for name in config.chosen}
    paid = _cheapest(costs, config.farthest_seconds)
    counting = {name: _costs_of_counting()[name] for name in paid}
    counted = _cheapest(counting, config.distance_seconds)
    return WithinBudget(
        {name: counting[name] if name in counted else cost for name, cost in costs.items() if name in paid},
        {name: cost for name, cost in costs.items() if name not in paid},
        counted,
    )


def counted_pairs(name: str) -> int:
    """Pairs of an orbit and a layout of its group, in a class named jiang-bing-style."""
    return round(sum(_table("pairs.toml", "pairs")[name]))


def _cheapest(costs: Mapping[str, Cost], budget: float) -> frozenset[str]:
    """The cheapest classes, as many as a budget pays for."""
    spent = 0.0
    paid = set()
    for name in sorted(costs, key=lambda name: costs[name].total):
        spent += costs[name].total
        if spent <= budget:
            paid.add(name)
    return frozenset(paid)


@cache
def _costs() -> dict[str, Cost]:
    return {name: Cost(*seconds) for name, seconds in _table("costs.toml", "seconds").items()}


@cache
def _costs_of_counting() -> dict[str, Cost]:
    pairs = _table("pairs.toml", "pairs").items()
    return {name: Cost(*(COUNTED_PAIR_SECONDS * number for number in numbers)) for name, numbers in pairs}


@cache
def _table(file: str, name: str) -> dict[str, list[float]]:
    found: dict[str, list[float]] = tomllib.loads(Path(__file__).with_name(file).read_text())[name]
    return found
