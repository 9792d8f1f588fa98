"""All shortest solutions: how many there are, and when two of them are the same.

The layers of a search hold, up to symmetry, the positions that shortest solutions pass. Here they are unfolded into
the graph of labelled positions, from the start itself to the goal, with every move that stays on a shortest solution.
A solution is a path in that graph: a *sequence of moves*, each given by all the holes its peg stood in. Three things
may or may not be held to tell two solutions apart:

* **order**: otherwise a solution is the multiset of its moves, in whatever order they can be played;
* **mirror**: otherwise solutions that a symmetry of start and goal maps to each other are one;
* **loop**: otherwise a move is known by where its peg began and ended and which pegs it took (its sweep), so that a
  closed loop walked one way or the other is one.

All eight numbers are exact. Sequences are counted by adding up paths from the goal backwards, and their orbits by the
lemma of Cauchy and Frobenius, a sequence being fixed by a symmetry where each of its moves is. Multisets are listed:
those of the paths from a node are those of its children with the move to the child added. There are few: order is what
makes solutions many. Moves are numbered, so that a multiset is an ascending tuple of small numbers, and symmetries and
sweeps are tables over them.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import NamedTuple

import numpy as np

from boardspace_kernels.runs import Positions
from boardspace_kernels.solitaire.moves import canonical
from boardspace_kernels.solitaire.play import Move, Play, Problem
from boardspace_kernels.solitaire.sequences import exact_quotient

Multiset = tuple[int, ...]


class TooManySolutionsError(ValueError):
    """More solutions up to order than the caller wanted to list."""


class Step(NamedTuple):
    """A move of a shortest solution and the position it leads to."""

    move: Move
    child: int


class SolutionCount(NamedTuple):
    """The number of shortest solutions where each of the three differences counts (True) or does not."""

    ordered: bool
    mirror: bool
    loop: bool
    solutions: int


class Solution(NamedTuple):
    """The solutions that differ only in order and by symmetries.

    number: from 1, in the order of the moves of the least image.
    moves: one of them, in the first order in which it can be played.
    orders: in how many orders it can be played.
    images: how many different ones the symmetries make of it.
    sweeps: number, from 1, of what is left when loop directions are not told apart either.
    """

    number: int
    moves: tuple[Move, ...]
    orders: int
    images: int
    sweeps: int


@dataclass(frozen=True, eq=False)
class Solutions:
    """All shortest solutions of a problem.

    layers: the canonical positions of shortest solutions after k moves (``Meeting.shortest_layers``). most: how many
    solutions up to order may be listed; TooManySolutionsError where there are more.
    """

    problem: Problem
    layers: Sequence[Positions]
    most: int = 1_000_000

    @cached_property
    def play(self) -> Play:
        """The board's moves."""
        return Play(self.problem.board)

    @cached_property
    def graph(self) -> list[dict[int, list[Step]]]:
        """For each k < length the labelled positions after k moves, each with its steps."""
        levels: list[dict[int, list[Step]]] = []
        positions = {self.problem.start}
        for layer in self.layers[1:]:
            inside = set(layer.tolist())
            level = {position: self._steps(position, inside) for position in sorted(positions)}
            positions = {step.child for steps in level.values() for step in steps}
            levels.append(level)
        return levels

    def counts(self) -> list[SolutionCount]:
        """All eight numbers, or those four for which order counts, where there are too many solutions to list."""
        return [
            SolutionCount(ordered, mirror, loop, (self._sequences if ordered else self._multisets)(mirror, loop))
            for ordered in ((True, False) if self.can_be_listed else (True,))
            for mirror, loop in product((True, False), repeat=2)
        ]

    @cached_property
    def can_be_listed(self) -> bool:
        """Return whether there are no more than ``most`` up to order."""
        try:
            return bool(self._orders)
        except TooManySolutionsError:
            return False

    @cached_property
    def essential(self) -> list[Solution]:
        """The solutions up to order and symmetry."""
        images = Counter(map(self._least_image, self._orders))
        sweeps = {multiset: self._least_image(multiset, self._sweep) for multiset in images}
        numbers = {key: number for number, key in enumerate(sorted(set(sweeps.values())), 1)}
        return [
            Solution(
                number, self._played(multiset), self._orders[multiset], images[multiset], numbers[sweeps[multiset]]
            )
            for number, multiset in enumerate(sorted(images), 1)
        ]

    def _steps(self, position: int, layer: set[int]) -> list[Step]:
        """The moves from a position that lead into the layer, up to symmetry."""
        steps = [Step(move, child) for move, child in self.play.moves(position)]
        children = canonical(self.problem.forward, np.array([step.child for step in steps], dtype=np.uint64))
        # Symmetries keep start and goal, so what is true of the position in the layer is true of all its images.
        return [step for step, child in zip(steps, children.tolist(), strict=True) if child in layer]

    @cached_property
    def _moves(self) -> list[Move]:
        """All moves of all solutions in order; the number of a move is its index. Symmetries permute them."""
        return sorted({step.move for level in self.graph for steps in level.values() for step in steps})

    @cached_property
    def _number(self) -> dict[Move, int]:
        return {move: number for number, move in enumerate(self._moves)}

    @cached_property
    def _edges(self) -> list[dict[int, list[tuple[int, int]]]]:
        """The graph with the moves' numbers in place of the moves."""
        return [
            {position: [(self._number[step.move], step.child) for step in steps] for position, steps in level.items()}
            for level in self.graph
        ]

    @cached_property
    def _images(self) -> list[list[int]]:
        """For each symmetry, the identity first, the number of each move's image."""
        group: list[list[int]] = self.problem.group.tolist()
        return [[self._number[move.image(row)] for move in self._moves] for row in group]

    @cached_property
    def _sweep(self) -> list[int]:
        """For each move the least number of a move with the same sweep."""
        least: dict[object, int] = {}
        # Moves are numbered in ascending order, so the first one with a sweep has the least number.
        return [least.setdefault(self.play.sweep(move), number) for number, move in enumerate(self._moves)]

    @cached_property
    def _suffixes(self) -> list[dict[int, Counter[Multiset]]]:
        """For each k and position: the multisets of moves that lead on to the goal, each with its number of orders."""
        table: list[dict[int, Counter[Multiset]]] = [{self.problem.goal: Counter({(): 1})}]
        for level in reversed(self._edges):
            table.append({position: self._joined(edges, table[-1]) for position, edges in level.items()})
        return table[::-1]

    @property
    def _orders(self) -> Counter[Multiset]:
        """Every labelled solution up to order, with the number of orders in which it can be played."""
        return self._suffixes[0][self.problem.start]

    def _joined(self, edges: list[tuple[int, int]], after: dict[int, Counter[Multiset]]) -> Counter[Multiset]:
        joined: Counter[Multiset] = Counter()
        for number, child in edges:
            for multiset, orders in after[child].items():
                # Orders that begin with different moves are different, so their numbers add up.
                joined[tuple(sorted((*multiset, number)))] += orders
        if len(joined) > self.most:
            raise TooManySolutionsError(
                f"more than {self.most:,} solutions that differ in more than the order of their moves; allow more"
            )
        return joined

    def _sequences(self, mirror: bool, loop: bool) -> int:
        symmetries = self._images[:1] if mirror else self._images
        return exact_quotient(sum(self._fixed_sequences(images, loop) for images in symmetries), len(symmetries))

    def _fixed_sequences(self, images: list[int], loop: bool) -> int:
        """Sequences of moves (or, without ``loop``, of sweeps) each of which the symmetry maps to itself."""
        name = list(range(len(self._moves))) if loop else self._sweep
        fixed = {number for number, image in enumerate(images) if name[number] == name[image]}
        ways = {self.problem.goal: 1}
        for level in reversed(self._edges):
            # A set: two ways round a loop have one name and lead to one child, and count once.
            distinct = {position: {(name[n], child) for n, child in e if n in fixed} for position, e in level.items()}
            ways = {position: sum(ways[child] for _, child in edges) for position, edges in distinct.items()}
        return ways[self.problem.start]

    def _multisets(self, mirror: bool, loop: bool) -> int:
        name = list(range(len(self._moves))) if loop else self._sweep
        symmetries = self._images[:1] if mirror else self._images
        return len({min(self._image(m, images, name) for images in symmetries) for m in self._orders})

    def _least_image(self, multiset: Multiset, name: Sequence[int] | None = None) -> Multiset:
        """The least of the images, moves replaced by their ``name`` where one is given."""
        name = range(len(self._moves)) if name is None else name
        return min(self._image(multiset, images, name) for images in self._images)

    @staticmethod
    def _image(multiset: Multiset, images: Sequence[int], name: Sequence[int]) -> Multiset:
        return tuple(sorted(name[images[number]] for number in multiset))

    def _played(self, multiset: Multiset) -> tuple[Move, ...]:
        """The moves in the first order in which they can be played."""
        position, rest, order = self.problem.start, multiset, []
        for level, after in zip(self.graph, self._suffixes[1:], strict=True):
            for step in level[position]:
                left = _without(rest, self._number[step.move])
                # The move may be possible and yet leave the others without an order, so the child has to know the rest.
                if left is not None and left in after[step.child]:
                    rest, position = left, step.child
                    order.append(step.move)
                    break
        return tuple(order)


def _without(multiset: Multiset, number: int) -> Multiset | None:
    """The multiset with one of this number taken out; None where it has none."""
    if number not in multiset:
        return None
    index = multiset.index(number)
    return multiset[:index] + multiset[index + 1 :]
