"""Puzzles of states and moves, slowly: a dictionary of what was reached, permutations in the order of itertools."""

from collections.abc import Callable, Hashable, Iterable
from itertools import permutations
from typing import TypeVar

State = TypeVar("State", bound=Hashable)


def distances(starts: Iterable[State], moves: Callable[[State], Iterable[State]]) -> dict[State, int]:
    """The fewest moves from a start to each state that can be reached."""
    found = dict.fromkeys(starts, 0)
    queue = list(found)
    for state in queue:
        for there in moves(state):
            if there not in found:
                found[there] = found[state] + 1
                queue.append(there)
    return found


def permutations_by_rank(length: int) -> list[tuple[int, ...]]:
    """All permutations of 0 .. length - 1 in the order of their ranks."""
    return list(permutations(range(length)))


def is_odd(permutation: tuple[int, ...]) -> bool:
    """Whether it has an odd number of inversions."""
    pairs = ((a, b) for a in range(len(permutation)) for b in range(a))
    return sum(permutation[b] > permutation[a] for a, b in pairs) % 2 == 1
