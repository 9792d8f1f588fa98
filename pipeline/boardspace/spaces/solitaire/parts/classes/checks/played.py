"""A small position class played whole, by arrays: every position that jumps lead to, what is known of each, rows."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import Classes
from boardspace.spaces.solitaire.numbering import NONE, Numbering, parities_kept
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spaces.solitaire.rules import GameByArrays, GameByHand, Words
from boardspace.spec.check import by_folders, places_among
from boardspace.spec.space import Inputs

MOST = 1 << 19
"""Positions of a class that is played whole."""
FIRST = 100_000
"""Positions of first levels, of a larger class, to which the fewest moves are found."""
Row = dict[str, Any]
Part = tuple[Words, NDArray[np.int64], dict[str, NDArray[np.bool_]]]
"""Positions, the least images; how many images each has; and which of them some columns count, by their names."""


class Fewest(NamedTuple):
    """The fewest whole moves of some positions: ``words`` uint64 (p), least images, ascending; ``moves`` int64 (p + 1),
    255 where there are none, and at the end for all others."""

    words: Words
    moves: NDArray[np.int64]

    def of(self, words: Words) -> NDArray[np.int64]:
        """Moves of some least images."""
        return self.moves[places_among(words, self.words)]


class PlayedClass:
    """All positions that one vacancy leads to, those that symmetries which keep it exchange as one.

    levels: the least images, ascending, level by level from the start; the first levels where there are too many.
    """

    def __init__(self, vacancy: Vacancy, most: int) -> None:
        self.vacancy, self.hand = vacancy, GameByHand(vacancy.text)
        home = self.hand.cell[vacancy.hole]
        self.game = GameByArrays(self.hand, self.hand.keeping(vacancy.hole))
        self.full = (1 << len(self.hand.cells)) - 1
        self.home = 1 << self.game.index[home]
        self.levels = list[Words]()
        for level in self.game.levels(self.full ^ self.home):
            self.levels.append(level)
            if sum(map(len, self.levels)) > most:
                break
        self.is_whole = sum(map(len, self.levels)) <= most

    @cached_property
    def fewest(self) -> Fewest:
        """The fewest whole moves to each position; of a class that is not played whole to those of the first levels."""
        held = accumulate(map(len, self.levels))
        first = [level for level, some in zip(self.levels, held, strict=True) if self.is_whole or some <= FIRST]
        return self._fewest(first or self.levels[:1], [self.full ^ self.home], back=True)

    @cached_property
    def left(self) -> dict[str, Fewest]:
        """The fewest whole moves from each position to one that is won, by the name of the set of those from which one
        can be reached; of a class that is played whole."""
        return {name: self._fewest(self.levels[::-1], goals, back=False) for name, goals in self.goals.items()}

    def _fewest(self, levels: Sequence[Words], roots: Sequence[int], back: bool) -> Fewest:
        words = np.sort(np.concatenate(levels))
        found = Fewest(words, np.full(len(words) + 1, NONE))
        for level in levels:
            moves, made = np.full(len(level), NONE), self.game.moved(level, back)
            np.minimum.at(moves, made.origin, np.minimum(found.of(made.result) + 1, NONE))
            moves[np.isin(level, np.array(roots, np.uint64))] = 0
            found.moves[places_among(level, words)] = moves
        return found

    def counted(self, parts: Iterable[Part], section: Classes) -> list[Row]:
        """The rows of levels, from all positions, part by part."""
        counts: dict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(len(self.hand.cells) + 1, np.int64))
        for words, sizes, sets in parts:
            pegs = np.bitwise_count(words)
            sets |= {"positions": np.ones(len(words), bool), "dead_ends": self.game.jump_counts(words) == 0}
            for name, some in sets.items():
                np.add.at(counts[name], pegs[some], 1)
                np.add.at(counts[f"labelled_{name}"], pegs[some], sizes[some])
        unasked, rows = self.unasked(section), np.flatnonzero(counts["positions"]).tolist()
        return [{"pegs": n} | {name: int(some[n]) for name, some in counts.items()} | unasked for n in rows]

    def parts(self) -> Iterator[Part]:
        """The positions level by level, of a class that is not played whole as far as they are known."""
        left = self.left if self.is_whole else {}
        for level in self.levels:
            yield level, self.game.orbit_sizes(level), {name: moves.of(level) < NONE for name, moves in left.items()}

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
        words, moves = self.fewest.words, self.fewest.moves[:-1]
        hardest = words[moves == moves.max()].tolist()
        known = {"moves": int(moves.max())}
        return {
            "class_moves": self.move_rows(),
            "hardest": [{"position": word, **known, "drawing": self.hand.drawing(word)} for word in hardest],
        }

    def move_rows(self) -> list[Row]:
        """The rows of least moves, of a class that is not played whole those of the first levels."""
        words, moves = self.fewest.words, self.fewest.moves[:-1]
        kinds, kind = np.unique(np.stack([np.bitwise_count(words), moves]), axis=1, return_inverse=True)
        kind = kind.ravel()  # NumPy 2.0 keeps an axis
        labelled = np.bincount(kind, self.game.orbit_sizes(words)).astype(np.int64)
        values = (*kinds, np.bincount(kind), labelled)
        names = ("pegs", "moves", "positions", "labelled_positions")
        return [dict(zip(names, row, strict=True)) for row in np.stack(values, axis=1).tolist()]

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
        return self.fewest.of(self.game.canonical(words))

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


def numbering_of(played: PlayedClass, inputs: Inputs) -> Numbering:
    """The numbering of a class by the table of holes."""
    rows = by_folders(inputs.table("class_holes"), ("board",))[played.vacancy.board_name,].to_pylist()
    bits = {played.game.index[played.hand.cell[row["hole"]]]: row["bit"] for row in rows}
    return Numbering(played.game, bits, played.full ^ played.home)
