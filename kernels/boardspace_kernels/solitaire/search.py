"""The least number of moves, by meeting in the middle.

Let F(a) be the positions first reached after a moves from the start and B(b) those from which b moves, and no fewer,
lead to the goal. A shortest solution of length a + b stands after a moves on a position of both. So layers are added
one at a time, always to the side whose last layer is smaller; after each the two last layers are intersected, and
the first time they meet a + b is the least number of moves: had there been a shorter solution, the layers would have
met before. Where a side has no next layer it has been exhausted without meeting, and there is no solution.

The positions of all shortest solutions are then found outwards from the meeting: those of F(a - 1) that a move leads
from into the meeting, and so on to the start, and likewise to the goal.

Cost: the layers grow by a factor of 3 to 8, so the search needs about the square root of what a search from one side
needs.

A layer is a *frontier*: the positions after exactly k moves, and those first reached after k. The first k at which a
position appears is the least number of moves that leads to it; it may appear again later, by a longer way. Both kinds
of layer hold one position of each orbit. Played from the start a layer is what can have happened; taken back from the
goal it is what can still become of it. The labelled number of a layer, without identifying isomorphic positions, is the
sum of its orbits' sizes. The number of sequences of moves to an orbit adds up the ways of its parents, each as often as
a move leads from the one to the other, because the moves from all images of a parent are images of the moves from one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from boardspace_kernels.runs import Positions, Run, intersection, is_in
from boardspace_kernels.solitaire.board import are_same_class
from boardspace_kernels.solitaire.moves import CHILDREN_AT_ONCE, canonical, expand, orbit_sizes
from boardspace_kernels.solitaire.play import Move, Play, Problem
from boardspace_kernels.solitaire.tables import MoveTables


class Layer(NamedTuple):
    """The frontier after exactly ``moves`` moves.

    run: its positions, canonical, and the sequences to each where they are counted. first: uint64, those that no
    fewer moves lead to.
    """

    moves: int
    run: Run
    first: Positions


def frontiers(tables: MoveTables, root: Run, capacity: int = CHILDREN_AT_ONCE) -> Iterator[Layer]:
    """Layer 0, 1, 2, ... until one is empty (the empty one is not yielded); see ``moves.expand`` for ``capacity``."""
    layer = Layer(0, root, root.positions)
    seen = [root.positions]
    while len(layer.run.positions):
        yield layer
        run = expand(tables, layer.run, capacity).run
        first = run.positions
        # Fewer moves of more jumps may have led to a position before, so it may be in any of the earlier layers.
        for positions in seen:
            first = first[~is_in(first, positions)]
        seen.append(first)
        layer = Layer(layer.moves + 1, run, first)


def labelled(tables: MoveTables, positions: Positions) -> int:
    """Number of positions of the orbits of these."""
    return int(orbit_sizes(tables, positions).sum())


class SearchTooLargeError(ValueError):
    """The search would hold more positions than it was allowed to."""


class Unsolvable(NamedTuple):
    """Why no moves lead from start to goal. positions: how many, up to symmetry, were looked at to prove it."""

    reason: str
    positions: int


@dataclass(frozen=True, eq=False)
class Meeting:
    """Two stacks of first-reached layers whose last ones meet, and in none before.

    forward[i]: positions first reached after i moves; backward[j]: positions that need j moves to the goal. Canonical
    under the problem's group, ascending.
    """

    problem: Problem
    forward: list[Positions]
    backward: list[Positions]

    @property
    def length(self) -> int:
        """The least number of moves."""
        return len(self.forward) + len(self.backward) - 2

    @property
    def positions(self) -> int:
        """Number of positions, up to symmetry, that were looked at to prove it."""
        return sum(map(len, [*self.forward, *self.backward]))

    def shortest_layers(self) -> list[Positions]:
        """For k = 0, 1, ..., length: the positions, up to symmetry, that shortest solutions have after k moves."""
        middle = intersection(self.forward[-1], self.backward[-1])
        # Each side is traced with the tables of the other: what was played is taken back, and the other way round.
        before = trace(self.problem.backward, middle, self.forward[:-1])
        after = trace(self.problem.forward, middle, self.backward[:-1])
        return [*reversed(before), middle, *after]


def trace(tables: MoveTables, middle: Positions, layers: list[Positions]) -> list[Positions]:
    """From the last of ``layers`` to the first: those of its positions that the tables' moves lead to step by step."""
    traced = []
    for layer in reversed(layers):
        middle = intersection(expand(tables, Run(middle)).run.positions, layer)
        traced.append(middle)
    return traced


def meet(
    problem: Problem, most_positions: int, on_progress: Callable[[str], None] | None = None
) -> Meeting | Unsolvable:
    """The shortest solutions' length with the layers that prove it, or why there is no solution.

    most_positions: how many positions both sides may hold together (8 bytes each, and about as much again while a layer
    is made). Raises SearchTooLargeError where that does not suffice. ``on_progress`` is called with a line of text
    after each layer.
    """
    if not are_same_class(problem.board, problem.start, problem.goal):
        return Unsolvable("start and goal are in different position classes, and no jump changes the class", 2)
    sides = (
        _Side("played from the start", problem.forward, problem.root(problem.start)),
        _Side("taken back from the goal", problem.backward, problem.root(problem.goal)),
    )
    while not len(intersection(sides[0].layers[-1], sides[1].layers[-1])):
        side = min(sides, key=lambda s: len(s.layers[-1]))
        if not side.advance():
            return Unsolvable(f"every position that can be {side.name} was looked at", side.held)
        _check_capacity(sides, most_positions)
        if on_progress is not None:
            on_progress(_how_far(sides))
    return Meeting(problem, sides[0].layers, sides[1].layers)


class _Side:
    """One of the two stacks of layers."""

    def __init__(self, name: str, tables: MoveTables, root: Run) -> None:
        self.name = name
        self._frontiers = frontiers(tables, root)
        first: Layer = next(self._frontiers)
        self.layers = [first.first]

    @property
    def held(self) -> int:
        """Positions of all layers so far."""
        return sum(map(len, self.layers))

    def advance(self) -> bool:
        """Add the next layer; False where no position is new."""
        layer = next(self._frontiers, None)
        if layer is None or not len(layer.first):
            return False
        self.layers.append(layer.first)
        return True


def _how_far(sides: tuple[_Side, _Side]) -> str:
    """The layers so far, and about how many positions the next one will hold if it grows as the last one did."""
    moves = ", ".join(f"{len(side.layers) - 1} moves {side.name}" for side in sides)
    side = min(sides, key=lambda s: len(s.layers[-1]))
    last, before = (len(layer) for layer in side.layers[-1:-3:-1]) if len(side.layers) > 1 else (1, 1)
    held = sum(side.held for side in sides)
    return f"{moves}: {held:,} positions; about {last * last // before:,} in the next layer"


def _check_capacity(sides: tuple[_Side, _Side], most_positions: int) -> None:
    held = sum(side.held for side in sides)
    if held > most_positions:
        moves = " and ".join(f"{len(side.layers) - 1} moves {side.name}" for side in sides)
        raise SearchTooLargeError(
            f"no solution found with {held:,} positions held ({moves}), more than the {most_positions:,} allowed; "
            "allow more if memory suffices"
        )


def first_game(meeting: Meeting) -> tuple[Move, ...]:
    """The shortest solution whose moves come first."""
    play, position = Play(meeting.problem.board), meeting.problem.start
    game = []
    for layer in meeting.shortest_layers()[1:]:
        inside = set(layer.tolist())
        steps = list(play.moves(position))
        children = canonical(meeting.problem.forward, np.array([child for _, child in steps], dtype=np.uint64))
        # Each position of these layers is on a shortest solution, and so are its images, as symmetries keep start and
        # goal. So the first move that leads into the next layer never has to be taken back.
        move, position = next(step for step, child in zip(steps, children.tolist(), strict=True) if child in inside)
        game.append(move)
    return tuple(game)
