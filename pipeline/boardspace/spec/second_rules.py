"""Shared by second rules, in plain Python: groups searched, pieces that slide on a tray or along lines, sums over
fillings, symmetries.

``verify`` compares with these what kernels have found.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import permutations, product
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
    starts: Iterable[State], neighbours: Callable[[State], Iterable[State]], most: int = 1 << 62
) -> Iterator[tuple[State, int]]:
    """Yield each state within reach of some starts, with the fewest moves to it from one of them, these ascending.
    ValueError where they are more than ``most``."""
    found = dict.fromkeys(starts, 0)
    for here in (queue := list(found)):
        if len(found) > most:
            raise ValueError(f"moves lead to more than {most:,} states")
        yield here, found[here]
        for there in neighbours(here):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)


def distances_to(goals: Iterable[State], moves: Moves[State]) -> dict[State, int]:
    """The fewest moves of each state to a goal, of those that have any; every move can be taken back."""
    return dict(nearest_first(goals, lambda state: moves[state].values()))


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
        ways = {start: 1}
        for _ in range(self.left[start]):
            after: dict[State, int] = {}
            for here, number in ways.items():
                for there in self.moves[here].values():
                    if self.left[there] < self.left[here]:
                        after[there] = after.get(there, 0) + number
            ways = after
        return ways


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


Tray = tuple[int, int]
"""Rows and columns. A piece on it is a set of cells, with a bit for each in reading order."""
Position = frozenset[int]
"""All pieces on a tray."""


def bits(cells: int) -> Iterator[int]:
    """The numbers of the cells of a set, ascending."""
    while cells:
        yield (cells & -cells).bit_length() - 1
        cells &= cells - 1


@lru_cache(1 << 16)
def shifted(tray: Tray, piece: int) -> tuple[int, int, int, int]:
    """The piece moved by one cell up, left, right and down, 0 where it would leave the tray."""
    rows, columns = tray
    top, left = (1 << columns) - 1, sum(1 << columns * row for row in range(rows))
    return (
        0 if piece & top else piece >> columns,
        0 if piece & left else piece >> 1,
        0 if piece & left << columns - 1 else piece << 1,
        0 if piece & top << columns * (rows - 1) else piece << columns,
    )


def moved(tray: Tray, pieces: Position, move: str = "chain") -> Iterator[tuple[int, int]]:
    """Every move of a piece: it, and another place where it comes by itself; "unit" by one cell, "straight" by some
    cells in one direction, "chain" any way."""
    covered = sum(pieces)
    for piece in pieces:
        beside = partial(_free, tray, covered ^ piece)
        if move == "unit":
            places: Iterable[int] = beside(piece)
        elif move == "straight":
            places = (place for direction in range(4) for place in _along(tray, covered ^ piece, piece, direction))
        else:
            places = (place for place, _ in nearest_first(beside(piece), beside) if place != piece)
        yield from ((piece, place) for place in places)


def _free(tray: Tray, others: int, piece: int) -> list[int]:
    """The places beside a piece that no other covers."""
    return [place for place in shifted(tray, piece) if place and not place & others]


def _along(tray: Tray, others: int, piece: int, direction: int) -> Iterator[int]:
    while (piece := shifted(tray, piece)[direction]) and not piece & others:
        yield piece


@lru_cache(64)
def symmetries(shape: Sequence[int]) -> list[tuple[int, ...]]:
    """The symmetries of a board or a box, exchanges of equal sides and then reflections: for each cell, in C order, the
    cell that it goes to; the identity first, and again where a side is one cell long."""
    cells, found = list(product(*map(range, shape))), list[tuple[int, ...]]()
    number = {cell: place for place, cell in enumerate(cells)}
    for order in permutations(range(len(shape))):
        if all(shape[a] == shape[b] for a, b in enumerate(order)):
            for turned in product((False, True), repeat=len(shape)):
                axes = list(zip(shape, order, turned, strict=True))
                images = (tuple(side - 1 - cell[at] if turn else cell[at] for side, at, turn in axes) for cell in cells)
                found.append(tuple(map(number.__getitem__, images)))
    return found


def cycles(permutation: Sequence[int]) -> Iterator[list[int]]:
    """The cycles of a permutation of 0, 1, 2, ..., each from its least number on."""
    left = set(range(len(permutation)))
    while left:
        cycle = [min(left)]
        while permutation[cycle[-1]] != cycle[0]:
            cycle.append(permutation[cycle[-1]])
        left -= set(cycle)
        yield cycle


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


def every_way(
    start: Edge, steps: Sequence[Step], ways: Callable[[Step, Edge], Iterable[Edge]], most: int = 1 << 62
) -> list[Edge]:
    """The edges after all steps, of every way that leads there; ValueError where they are more than ``most``.

    ways: function of a step, such as a cell or a line, and an edge to the edges that may follow.
    """
    found: list[Edge] = []

    def go_on(edge: Edge, number: int) -> None:
        for following in ways(steps[number], edge) if number < len(steps) else ():
            go_on(following, number + 1)
        if number == len(steps):
            found.append(edge)
            if len(found) > most:
                raise ValueError(f"there are more than {most:,} ways")

    go_on(start, 0)
    return found
