"""A small position class played whole, by arrays: every position that jumps lead to, what is known of each, rows."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import Classes
from boardspace.spaces.solitaire.numbering import NONE, parities_kept
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spaces.solitaire.rules import GameByArrays, GameByHand, Words, rows_of
from boardspace.spec.check import distinct

MOST = 1 << 19
"""Positions of a class that is played whole."""
FIRST = 100_000
"""Positions of first levels, of a larger class, to which the fewest moves are found."""
Moves = dict[int, NDArray[np.int64]]
Row = dict[str, Any]


class PlayedClass:
    """All positions that one vacancy leads to, without identifying isomorphic positions."""

    def __init__(self, vacancy: Vacancy, most: int) -> None:
        self.vacancy, self.hand = vacancy, GameByHand(vacancy.text)
        home = self.hand.cell[vacancy.hole]
        self.game = GameByArrays(self.hand, self.hand.keeping(vacancy.hole))
        self.full = (1 << len(self.hand.cells)) - 1
        self.home = 1 << self.game.index[home]
        self.levels: dict[int, Words] = {}
        """Positions by pegs, ascending: all of them, or the first levels where there are too many."""
        self.is_whole = self._play(most)

    def _play(self, most: int) -> bool:
        level, held = np.array([self.full ^ self.home], np.uint64), 0
        while len(level):
            self.levels[int(np.bitwise_count(level[0]))] = level
            held += len(level)
            if held > most:
                return False
            level = distinct(self.game.jumps_from(level).result)
        return True

    @cached_property
    def fewest(self) -> Moves:
        """The fewest whole moves to each position; of a class that is not played whole to those of the first levels."""
        found: Moves = {}
        for pegs, level in sorted(self.levels.items(), reverse=True):
            if found and not self.is_whole and sum(map(len, found.values())) + len(level) > FIRST:
                break
            found[pegs] = self._fewest(level, found, [self.full ^ self.home], back=True)
        return found

    def left(self, goals: Sequence[int]) -> Moves:
        """The fewest whole moves from each position to one of some goals; 255 where none can be reached."""
        found: Moves = {}
        for pegs, level in sorted(self.levels.items()):
            found[pegs] = self._fewest(level, found, goals, back=False)
        return found

    def _fewest(self, level: Words, known: Moves, roots: Sequence[int], back: bool) -> NDArray[np.int64]:
        fewest = np.full(len(level), NONE, np.int64)
        for made in self.game.moves_from(level, back):
            np.minimum.at(fewest, made.origin, np.minimum(self._looked_up(made.result, known) + 1, NONE))
        fewest[np.isin(level, np.array(roots, np.uint64))] = 0
        return fewest

    def sizes(self, name: str, words: Words) -> Row:
        """Two columns of positions: orbits, under the symmetries that keep the vacancy, and positions."""
        return {name: len(distinct(self.game.canonical(words))), f"labelled_{name}": len(words)}

    def level_rows(self, section: Classes) -> list[Row]:
        """The rows of levels, of a class that is not played whole as far as they are known."""
        rows = []
        left = {name: self.left(goals) for name, goals in self.goals.items()} if self.is_whole else {}
        for pegs, level in sorted(self.levels.items()):
            sets = {"positions": level, "dead_ends": self.game.dead_ends(level)}
            sets |= {name: level[moves[pegs] < NONE] for name, moves in left.items()}
            row: Row = {"pegs": pegs}
            for name, words in sets.items():
                row |= self.sizes(name, words)
            rows.append(row | self.unasked(section))
        return rows

    @property
    def goals(self) -> dict[str, list[int]]:
        """Positions that are won, by the name of the set of those from which one can be reached."""
        return {"winning": [1 << hole for hole in range(len(self.hand.cells))], "winning_in_vacancy": [self.home]}

    def unasked(self, section: Classes) -> Row:
        """The columns of levels that are null, as nobody asked for them, or 0, as there can be no such position."""
        found: Row = {}
        asked = {"winning": section.winning or section.bitmaps, "winning_in_vacancy": section.bitmaps}
        for name, some in self.goals.items():
            if not any(map(self.has_parities, some)):
                found |= {name: 0, f"labelled_{name}": 0}
            elif not asked[name]:
                found |= {name: None, f"labelled_{name}": None}
        return found

    def has_parities(self, word: int) -> bool:
        """True where the parities that jumps keep allow a position."""
        return all((row & (word ^ self.full ^ self.home)).bit_count() % 2 == 0 for row in self._kept)

    @cached_property
    def _kept(self) -> list[int]:
        return parities_kept(self.game)

    def move_tables(self) -> dict[str, list[Row]]:
        """The rows of least moves, and of the positions that need the most."""
        most = max(int(fewest.max()) for fewest in self.fewest.values())
        all_of = np.concatenate([level[self.fewest[pegs] == most] for pegs, level in self.levels.items()])
        words = distinct(self.game.canonical(all_of)).tolist()
        return {
            "class_moves": self.move_rows(),
            "hardest": [{"position": word, "moves": most, "drawing": self.hand.drawing(word)} for word in words],
        }

    def move_rows(self) -> list[Row]:
        """The rows of least moves, of a class that is not played whole those of the first levels."""
        return [
            {"pegs": pegs, "moves": moves, **self.sizes("positions", self.levels[pegs][some == moves])}
            for pegs, some in sorted(self.fewest.items())
            for moves in sorted(set(some.tolist()))
        ]

    def solved(self, section: Classes) -> dict[int, Row]:
        """By survivor whether it can be left, and in how many moves."""
        return {
            hole: {"solvable": hole in self.least, "moves": self.least.get(hole) if section.moves else None}
            for hole in self.hand.cell
        }

    @cached_property
    def least(self) -> dict[int, int]:
        """The fewest moves to each survivor that can be left, of a class that is played whole."""
        words = np.array([self.last(hole) for hole in self.hand.cell], np.uint64)
        moves = zip(self.hand.cell, self.moves_to(words).tolist(), strict=True)
        return {hole: least for hole, least in moves if least < NONE}

    def last(self, survivor: int) -> int:
        """The position of one peg in a hole."""
        return 1 << self.game.index[self.hand.cell[survivor]]

    def moves_to(self, words: Words) -> NDArray[np.int64]:
        """The fewest moves to positions, of a class that is played whole; 255 where they cannot be reached."""
        return self._looked_up(words, self.fewest)

    def _looked_up(self, words: Words, known: Moves) -> NDArray[np.int64]:
        """Moves that are known of positions; 255 for others."""
        found = np.full(len(words), NONE, np.int64)
        pegs = np.bitwise_count(words)
        for number in set(pegs.tolist()) & known.keys():
            here = np.flatnonzero(pegs == number)
            rows = rows_of(words[here], self.levels[number])
            found[here[rows >= 0]] = known[number][rows[rows >= 0]]
        return found

    def passed_to(self, survivor: int, game: GameByArrays) -> list[Words]:
        """Positions on shortest solutions to a last peg on a hole, by number of moves, up to the game's symmetries."""
        found = [np.array([self.last(survivor)], np.uint64)]
        for moves in range(self.least[survivor] - 1, -1, -1):
            before = game.ends(found[-1], back=True)
            found.append(before[self.moves_to(before) == moves])
        return found[::-1]


def play_class(vacancy: Vacancy) -> PlayedClass:
    """The class of a vacancy, played once in each process for all checks of a verification."""
    return _played(vacancy, MOST)


@lru_cache(maxsize=16)
def _played(vacancy: Vacancy, most: int) -> PlayedClass:
    return PlayedClass(vacancy, most)
