"""A small position class played whole, by arrays: every position that jumps lead to, and what is known of each."""

from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.by_arrays import GameByArrays, Words, distinct, rows_of
from boardspace.spaces.solitaire.by_hand import GameByHand
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spaces.solitaire.shortest_by_hand import Graph, Stops

MOST = 100_000
"""Positions of a class that is played whole."""
NONE = 255
Moves = dict[int, NDArray[np.int64]]


class PlayedClass:
    """What one vacancy leads to, without identifying isomorphic positions."""

    def __init__(self, vacancy: Vacancy) -> None:
        self.vacancy, self.hand = vacancy, GameByHand(vacancy.text)
        home = self.hand.cell[vacancy.hole]
        self.symmetries = [image for image in self.hand.all_symmetries() if image[home] == home]
        self.game = GameByArrays(self.hand, self.symmetries)
        self.full = (1 << len(self.hand.cells)) - 1
        self.home = 1 << self.game.index[home]
        self.levels: dict[int, Words] = {}
        """Positions by pegs, ascending: all of them, or the first levels where there are too many."""
        self.is_whole = self._play()

    def _play(self) -> bool:
        level, held = np.array([self.full ^ self.home], np.uint64), 0
        while len(level):
            self.levels[int(np.bitwise_count(level[0]))] = level
            held += len(level)
            if held > MOST:
                return False
            level = distinct(self.game.jumps_from(level).result)
        return True

    @cached_property
    def fewest(self) -> Moves:
        """The fewest whole moves to each position."""
        found: Moves = {}
        for pegs, level in sorted(self.levels.items(), reverse=True):
            found[pegs] = self._fewest(level, found, [self.full ^ self.home], back=True)
        return found

    def left(self, goals: Iterable[int]) -> Moves:
        """The fewest whole moves from each position to one of some goals; 255 where none can be reached."""
        found: Moves = {}
        wanted = list(goals)
        for pegs, level in sorted(self.levels.items()):
            found[pegs] = self._fewest(level, found, wanted, back=False)
        return found

    @cached_property
    def winning(self) -> Moves:
        """The fewest moves that are left to one peg, anywhere."""
        return self.left(1 << hole for hole in range(len(self.hand.cells)))

    @cached_property
    def returning(self) -> Moves:
        """The fewest moves that are left to one peg in the vacancy."""
        return self.left([self.home])

    def _fewest(self, level: Words, known: Moves, roots: list[int], back: bool) -> NDArray[np.int64]:
        fewest = np.full(len(level), NONE, np.int64)
        for made in self.game.moves_from(level, back):
            pegs = np.bitwise_count(made.result)
            for number in set(pegs.tolist()) & known.keys():
                here = pegs == number
                rows = rows_of(made.result[here], self.levels[number])
                some = rows >= 0
                np.minimum.at(fewest, made.origin[here][some], np.minimum(known[number][rows[some]] + 1, NONE))
        fewest[np.isin(level, np.array(roots, np.uint64))] = 0
        return fewest

    def sizes(self, words: Words) -> tuple[int, int]:
        """Orbits, under the symmetries that keep the vacancy, and positions."""
        return len(distinct(self.game.canonical(words))), len(words)

    def graph_to(self, survivor: int) -> Graph:
        """Every position on a shortest solution to a last peg on a hole, with its moves that stay on one; by hand."""
        goal = 1 << self.game.index[self.hand.cell[survivor]]
        left = self.left([goal])
        on: dict[int, set[int]] = {}
        length = int(left[max(left)][0])
        for pegs, level in self.levels.items():
            for word in level[self.fewest[pegs] + left[pegs] == length].tolist():
                on.setdefault(word, set())
        steps: dict[int, list[tuple[Stops, int]]] = {}
        depth: dict[int, int] = {}
        for pegs, level in self.levels.items():
            depth.update(zip(level.tolist(), self.fewest[pegs].tolist(), strict=True))
        for made_from in on:
            position = frozenset(cell for hole, cell in enumerate(self.hand.cells) if made_from >> hole & 1)
            steps[made_from] = [
                (tuple(self.game.index[cell] for cell in path), word)
                for path, after in self.hand.paths(position)
                if (word := self._word(after)) in on and depth[word] == depth[made_from] + 1
            ]
        return [{word: steps[word] for word in on if depth[word] == moves} for moves in range(length)]

    def _word(self, position: frozenset[tuple[int, int]]) -> int:
        return sum(1 << self.game.index[cell] for cell in position)
