"""Sums over all ways to fill a board step by step, where of what is filled only its edge matters for what follows."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

Edge = TypeVar("Edge", bound=Hashable)
Step = TypeVar("Step")


def transfer(
    start: Edge,
    steps: Iterable[Step],
    ways: Callable[[Step, Edge], Iterable[tuple[Edge, int]]],
    modulus: int | None = None,
) -> dict[Edge, int]:
    """The edges after all steps, each with the sum, over all ways that lead there, of the products of their weights.

    ways: function of a step, such as a cell or a row, and an edge to the edges that may follow, each with a weight.
    modulus: sums are taken by it; exact where there is none.
    """
    found = {start: 1}
    for step in steps:
        after: dict[Edge, int] = defaultdict(int)
        for edge, number in found.items():
            for following, weight in ways(step, edge):
                after[following] += number * weight
        found = {edge: number % modulus for edge, number in after.items()} if modulus else dict(after)
    return found
