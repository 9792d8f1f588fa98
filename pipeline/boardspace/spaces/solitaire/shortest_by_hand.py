"""Shortest solutions from their graph, by plain Python: which there are, how many by each rule, and their numbers.

The graph has for each number of moves the positions on solutions, each with its moves that stay on one. Here solutions
grow from the start, position by position; no code is the kernels'.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise, product
from typing import Any

import numpy as np

from boardspace.spaces.solitaire.rules import GameByArrays, GameByHand, Position, Words, are_in
from boardspace.spec.second_rules import transfer

Stops = tuple[int, ...]
Moves = tuple[int, ...]
Level = Mapping[int, Sequence[tuple[Stops, int]]]
Graph = Sequence[Level]
Path = tuple[int, tuple[Stops, ...]]
"""The position that some moves lead to, and these in no order."""


def graph_of(hand: GameByHand, game: GameByArrays, passed: Sequence[Words]) -> Graph:
    """Every position on a solution, as played, with its moves that stay on one: those of one of each orbit by hand, and
    the images of these.

    passed: by number of moves the positions on solutions, the least images, ascending.
    """
    levels: list[dict[int, list[tuple[Stops, int]]]] = []
    for words, after in pairwise(passed):
        level: dict[int, list[tuple[Stops, int]]] = {}
        for word in words.tolist():
            moves = [(path, hand.word(result)) for path, result in hand.paths(hand.position(word))]
            inside = are_in(game.canonical(np.array([child for _, child in moves], np.uint64)), after)
            kept = [(hand.holes_of(path), child) for (path, child), stays in zip(moves, inside, strict=True) if stays]
            for row in game.permutations:
                steps = [(tuple(row[hole] for hole in move), _image(row, child)) for move, child in kept]
                level[_image(row, word)] = sorted(steps)
        levels.append(level)
    return levels


def _image(row: Sequence[int], word: int) -> int:
    return sum(1 << row[hole] for hole in range(len(row)) if word >> hole & 1)


class ShortestByHand:
    """The solutions, by the orders in which their moves, in no order, can be played; and by the graph, if it is known.

    orders: for each solution up to order, moves ascending, in how many orders it can be played.
    """

    def __init__(self, game: GameByArrays, orders: Mapping[tuple[Stops, ...], int], graph: Graph | None = None) -> None:
        self._graph = graph
        self.moves = sorted({move for moves in orders for move in moves})
        self._number = {move: number for number, move in enumerate(self.moves)}
        self.orders = {tuple(sorted(map(self._number.__getitem__, moves))): n for moves, n in orders.items()}
        self._images = [
            [self._number.get(tuple(row[hole] for hole in move), -1) for move in self.moves]
            for row in game.permutations
        ]
        over = {(a, c): b for a, b, c in game.jumps}
        least: dict[Any, int] = {}
        self._sweep = [
            least.setdefault((move[0], move[-1], frozenset(over[pair] for pair in pairwise(move))), number)
            for number, move in enumerate(self.moves)
        ]

    @classmethod
    def of_graph(cls, game: GameByArrays, graph: Graph, start: int) -> "ShortestByHand":
        """All paths of a graph, their moves in no order."""

        def ways(steps: Level, path: Path) -> Iterator[tuple[Path, int]]:
            position, moves = path
            return (((child, tuple(sorted((*moves, move)))), 1) for move, child in steps.get(position, ()))

        none: Path = (start, ())
        return cls(game, {moves: orders for (_, moves), orders in transfer(none, graph, ways).items()}, graph)

    def least_image(self, moves: Iterable[Stops]) -> Moves | None:
        """The least image of a solution, by which it is known up to order and symmetry; None where it is none."""
        numbers = tuple(sorted(self._number.get(move, -1) for move in moves))
        return self._least(numbers) if numbers in self.orders else None

    @cached_property
    def listed(self) -> dict[Moves, dict[str, int]]:
        """For each solution up to order and symmetry, by its least image, its number and what is counted of it."""
        images = Counter(self._least(moves) for moves in self.orders)
        sweeps = {moves: self._least(moves, self._sweep) for moves in images}
        numbers = {key: number for number, key in enumerate(sorted(set(sweeps.values())), 1)}
        return {
            moves: {
                "number": number,
                "length": len(moves),
                "orders": self.orders[moves],
                "images": images[moves],
                "sweeps": numbers[sweeps[moves]],
            }
            for number, moves in enumerate(sorted(images), 1)
        }

    def rows(self, game: GameByHand, start: Position, goal: Position, listed: Iterable[str]) -> list[dict[str, Any]]:
        """A row for each solution up to order and symmetry; the moves of each are those that are listed for it, if they
        lead from the start to the goal and are it, or an image of it, in any order; else None, which no table has."""
        texts, rows = list(listed), []
        for number, (known, row) in enumerate(self.listed.items()):
            text = texts[number] if number < len(texts) else ""
            moves = text.split(", ")
            right = (
                text != "" and game.replayed(start, moves) == goal and self.least_image(map(game.stops, moves)) == known
            )
            rows.append({**row, "moves": text if right else None})
        return rows

    @cached_property
    def counts(self) -> dict[tuple[bool, bool, bool], int]:
        """By whether order, mirror and loop make solutions different; without the graph not all of those by order."""
        found = {}
        for mirror, loop in product((True, False), repeat=2):
            names = range(len(self.moves)) if loop else self._sweep
            symmetries = self._images[:1] if mirror else self._images
            found[False, mirror, loop] = len(
                {min(self._image(moves, row, names) for row in symmetries) for moves in self.orders}
            )
            fixed = [self._fixed(row, loop) for row in symmetries]
            if None not in fixed:
                found[True, mirror, loop] = sum(number for number in fixed if number is not None) // len(symmetries)
        return found

    def _fixed(self, images: Sequence[int], loop: bool) -> int | None:
        """Sequences whose every move a symmetry maps to itself; where the way round loops does not count, by sweeps."""
        if loop:
            same = {number for number, image in enumerate(images) if number == image}
            return sum(ways for moves, ways in self.orders.items() if same.issuperset(moves))
        return None if self._graph is None else self._fixed_by_sweeps(self._graph, images)

    def _fixed_by_sweeps(self, graph: Graph, images: Sequence[int]) -> int:
        def ways(steps: Level, position: int) -> Iterator[tuple[int, int]]:
            """Yield the positions after each sweep that the symmetry maps to itself."""
            numbers = ((self._number[move], child) for move, child in steps.get(position, ()))
            kept = {(self._sweep[n], child) for n, child in numbers if self._sweep[n] == self._sweep[images[n]]}
            return ((child, 1) for _, child in kept)

        return sum(transfer(next(iter(graph[0])), graph, ways).values())

    def _least(self, moves: Moves, names: Sequence[int] | None = None) -> Moves:
        return min(self._image(moves, row, names) for row in self._images)

    @staticmethod
    def _image(moves: Moves, images: Sequence[int], names: Sequence[int] | None = None) -> Moves:
        return tuple(sorted(images[n] if names is None else names[images[n]] for n in moves))
