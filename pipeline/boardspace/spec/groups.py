"""Groups searched in plain Python, as second rules move: ``verify`` compares with them what kernels have found."""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import TypeVar

State = TypeVar("State", bound=Hashable)
Moves = Mapping[State, Mapping[str, State]]
"""Of each state the states one move away, by the names of the moves."""


def group_of(
    start: State, moves: Callable[[State], Mapping[str, State]], most: int = 1 << 62
) -> dict[State, Mapping[str, State]] | None:
    """The moves of all states that a start leads to, its own first; None where they are more than ``most``."""
    found = {start: moves(start)}
    for here in (queue := [start]):
        if len(found) > most:
            return None
        for there in found[here].values():
            if there not in found:
                found[there] = moves(there)
                queue.append(there)
    return found


def distances_to(goals: Iterable[State], moves: Moves[State]) -> dict[State, int]:
    """The fewest moves of each state to a goal, of those that have any; every move can be taken back."""
    found = dict.fromkeys(goals, 0)
    for here in (queue := list(found)):
        for there in moves[here].values():
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def shortest_ways(start: State, moves: Moves[State], distances: Mapping[State, int]) -> dict[State, int]:
    """The nearest goals of a state, and how many shortest ways lead to each."""
    ways = {start: 1}
    for _ in range(distances[start]):
        after: dict[State, int] = {}
        for here, number in ways.items():
            for there in moves[here].values():
                if distances[there] < distances[here]:
                    after[there] = after.get(there, 0) + number
        ways = after
    return ways
