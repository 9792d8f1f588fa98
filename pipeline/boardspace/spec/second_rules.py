"""Shared by second rules, in plain Python: groups searched, boards of letters whose pieces slide, sums over fillings.

``verify`` compares with these what kernels have found.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Generic, TypeVar

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


def nearest_first(
    starts: Iterable[State], neighbours: Callable[[State], Iterable[State]]
) -> Iterator[tuple[State, int]]:
    """Yield each state within reach of some starts, with the fewest moves to it from one of them, these ascending."""
    found = dict.fromkeys(starts, 0)
    for here in (queue := list(found)):
        yield here, found[here]
        for there in neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)


def distances_to(goals: Iterable[State], moves: Moves[State]) -> dict[State, int]:
    """The fewest moves of each state to a goal, of those that have any; every move can be taken back."""
    return dict(nearest_first(goals, lambda state: moves[state].values()))


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


@dataclass(frozen=True)
class Group(Generic[State]):
    """All states that moves join to a first one, each move of which can be taken back.

    moves: of each state, the first one's first, the states one move away.
    left: of each state from which moves lead to a goal, the fewest.
    """

    moves: Moves[State]
    left: Mapping[State, int]

    @classmethod
    def of(
        cls,
        start: State,
        moves: Callable[[State], Mapping[str, State]],
        solved: Callable[[State], bool],
        most: int = 1 << 62,
    ) -> "Group[State] | None":
        """The group of a state; None where it has more than ``most``."""
        found = group_of(start, moves, most)
        return None if found is None else cls(found, distances_to(filter(solved, found), found))

    def by(self, counts: Callable[[str], bool]) -> "Group[State]":
        """The group by those moves alone whose names count; they still join all its states."""
        goals = (state for state, left in self.left.items() if not left)
        moves = {
            state: {name: there for name, there in found.items() if counts(name)} for state, found in self.moves.items()
        }
        return Group(moves, distances_to(goals, moves))

    @property
    def goals(self) -> int:
        """Number of its states that are goals."""
        return sum(not left for left in self.left.values())

    @cached_property
    def most(self) -> int | None:
        """Moves that the hardest states take; None where there is no goal."""
        return max(self.left.values(), default=None)

    @cached_property
    def farthest(self) -> list[State]:
        """The states that take so many."""
        return [state for state, left in self.left.items() if left == self.most]

    def ways(self, start: State) -> dict[State, int]:
        """The nearest goals of a state that has one, and how many shortest ways lead to each."""
        return shortest_ways(start, self.moves, self.left)


Rows = tuple[str, ...]
"""A board: a letter for each cell, a dot where none is. An x, or a letter of one cell, is a wall."""


class AlongLines:
    """Rules of pieces that slide along their lines; a state is :data:`Rows`, and a puzzle adds when it is solved.

    A move is named by the piece and how far it goes, + is right or down.
    """

    def parse(self, size: Any, text: str) -> Rows:
        """The rows of a text, / between them."""
        return tuple(text.split("/"))

    def text(self, size: Any, state: Rows) -> str:
        """The rows in one line."""
        return "/".join(state)

    def moves(self, size: Any, state: Rows) -> Mapping[str, Rows]:
        """The boards after each move."""
        return slides(state)


def slides(rows: Rows) -> dict[str, Rows]:
    """The boards after each move of a piece, any number of cells, by its name: ``B+2``."""
    down = _slid_in_rows(_turned(rows))
    return _slid_in_rows(rows) | {name: _turned(turned) for name, turned in down.items()}


def _turned(rows: Rows) -> Rows:
    return tuple(map("".join, zip(*rows, strict=True)))


def _slid_in_rows(rows: Rows) -> dict[str, Rows]:
    return {
        name: (*rows[:number], after, *rows[number + 1 :])
        for number, row in enumerate(rows)
        for name, after in _slid(row)
    }


@lru_cache(1 << 16)
def _slid(line: str) -> tuple[tuple[str, str], ...]:
    """All moves of the pieces that lie in a line, by their names, and the line after each."""
    found = []
    for letter in sorted({one for one in line if one not in ".x" and line.count(one) > 1}):
        first, length = line.index(letter), line.count(letter)
        last = first + length
        far = [n for n in range(1, len(line)) if line[last : last + n] == "." * n]
        back = [-n for n in range(1, first + 1) if line[first - n : first] == "." * n]
        for cells in far + back:
            left = line[:first] + "." * length + line[last:]
            found.append((f"{letter}{cells:+}", left[: first + cells] + letter * length + left[last + cells :]))
    return tuple(found)


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
