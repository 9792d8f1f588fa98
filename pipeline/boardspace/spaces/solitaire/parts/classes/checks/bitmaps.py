"""Positions of whole classes by hand: what the bitmaps say of them follows from what they say of their neighbours, and
so do the least moves that are left."""

import functools
import random
from typing import Any

import numpy as np
import pyarrow.compute as pc
from numpy.typing import NDArray

from boardspace.spaces.solitaire.by_arrays import distinct
from boardspace.spaces.solitaire.by_hand import Cell, GameByHand, Position, ProblemByHand
from boardspace.spaces.solitaire.checking import array_of, by_folders
from boardspace.spaces.solitaire.config import Classes, Hint
from boardspace.spaces.solitaire.parts.classes.arrays import CHUNK_BYTES, WORD_BYTES, array_path
from boardspace.spaces.solitaire.parts.classes.checks.counts import numbering_of
from boardspace.spaces.solitaire.parts.classes.checks.numbering import numbers_of
from boardspace.spaces.solitaire.parts.classes.checks.played import MOST, PlayedClass
from boardspace.spaces.solitaire.parts.classes.hints import ARRAY, goals_of
from boardspace.spaces.solitaire.parts.classes.sweeps import Goal
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spaces.solitaire.problems import slug
from boardspace.spec.space import Inputs, Outcome

GAMES = 20
STRAYING = 4
NONE = 255
AT_ONCE = 1 << 24
WORDS = CHUNK_BYTES // WORD_BYTES


class _Words:
    """Words of an array of a class, which is read by whole chunks: the neighbours of a position often lie in one."""

    def __init__(self, array: Any) -> None:
        self._chunk = functools.lru_cache(maxsize=512)(lambda n: array[n * WORDS : (n + 1) * WORDS])

    def __getitem__(self, place: int) -> int:
        return int(self._chunk(place // WORDS)[place % WORDS])


class _Bitmaps:
    """The published bitmaps of one vacancy, read by the table of holes alone."""

    def __init__(self, vacancy: Vacancy, inputs: Inputs, cell: dict[int, Cell]) -> None:
        rows = by_folders(inputs.table("class_holes"), ("board",))[vacancy.board_name,].to_pylist()
        self.bits = [(row["bit"], cell[row["hole"]]) for row in rows]
        self.words: dict[Goal, _Words] = {
            goal: _Words(inputs.array(array_path(vacancy, goal))) for goal in ("reachable", "winning")
        }

    def number(self, position: Position) -> int:
        """Return the number of a position: the bits of the holes that have a peg."""
        return sum(1 << bit for bit, cell in self.bits if cell in position)

    def has(self, goal: Goal, position: Position) -> bool:
        """Return True if the bitmap of this goal has the position's bit."""
        number = self.number(position)
        return bool(self.words[goal][number >> 6] >> (number & 63) & 1)


def check_class(vacancy: Vacancy, inputs: Inputs, chance: random.Random) -> Outcome:
    """Random games are played from the start; of each, the last position and one with a jump taken back are looked
    at."""
    game = GameByHand(vacancy.text)
    bitmaps = _Bitmaps(vacancy, inputs, game.cell)
    start = frozenset(game.cells) - {game.cell[vacancy.hole]}
    for played in range(GAMES):
        position = _play(game, start, chance)
        for looked_at in (position, _one_back(game, position, chance)):
            fault = _fault(game, bitmaps, start, looked_at)
            if fault:
                numbers = sorted(number for number, cell in game.cell.items() if cell in looked_at)
                return Outcome(played, played, f"pegs on {numbers}: {fault}")
    return Outcome(2 * GAMES, 2 * GAMES)


def check_moves_left(vacancy: Vacancy, hint: Hint, inputs: Inputs, chance: random.Random) -> Outcome:
    """Random games are played to their ends: of each position the least moves are one more than the least of those that
    whole moves lead to, and there are none where the bitmaps have it not. Games go on, as long as they can, where the
    goal can still be reached."""
    game = GameByHand(vacancy.text)
    bitmaps, words = _Bitmaps(vacancy, inputs, game.cell), _Words(inputs.array(array_path(vacancy, ARRAY[hint])))

    def moves_left(position: Position) -> int:
        """The stored number of moves left from a position."""
        number = bitmaps.number(position)
        return words[number >> 3] >> 8 * (number & 7) & NONE

    home = frozenset([game.cell[vacancy.hole]])
    cases = 0
    for played in range(GAMES):
        position = frozenset(game.cells) - home
        while position:
            cases += 1
            after = {p: moves_left(p) for p in sorted({after for _, after in game.paths(position)}, key=sorted)}
            arrived = position == home if hint == "returning" else len(position) == 1
            expected = 0 if arrived else min([*after.values(), NONE - 1]) + 1
            found = moves_left(position)
            if found != expected or (found < NONE and not bitmaps.has("winning", position)):
                numbers = sorted(number for number, cell in game.cell.items() if cell in position)
                return Outcome(cases, cases, f"pegs on {numbers}: {found}, {expected} by the positions after it")
            open_ones = [p for p, moves in after.items() if moves < NONE or played % STRAYING == 0]
            position = chance.choice(open_ones) if open_ones else frozenset()
    return Outcome(cases, cases)


def check_moves_by_two_methods(posed: ProblemByHand, vacancy: Vacancy, inputs: Inputs) -> Outcome:
    """Least moves to the goal of a problem by sorted runs are those of the array, at every position and its images; and
    the array has no others."""
    array = inputs.array(array_path(vacancy, ARRAY["returning"]))
    won = inputs.table("winning", columns=["problem", "position", "moves"])
    won = won.filter(pc.equal(won.column("problem"), slug(posed.name)))
    words, moves = (array_of(won, name) for name in ("position", "moves"))
    rows = by_folders(inputs.table("class_holes"), ("board",))[vacancy.board_name,].to_pylist()
    bits = {posed.cell[row["hole"]]: np.uint64(row["bit"]) for row in rows}
    places = []
    for image in posed.symmetries:
        number = np.zeros(len(words), np.uint64)
        for hole, cell in enumerate(posed.cells):
            if image[cell] in bits:
                number |= (words >> np.uint64(hole) & np.uint64(1)) << bits[image[cell]]
        places.append(number)
    every, values = np.concatenate(places), np.tile(moves, len(places))
    by_number = np.argsort(every)
    every, values = every[by_number], values[by_number]
    for begin in range(0, 8 * array.shape[0], AT_ONCE):
        found = array[begin // 8 : (begin + AT_ONCE) // 8].view(np.uint8)
        first, last = np.searchsorted(every, [begin, begin + len(found)])
        expected = np.full(len(found), NONE, np.uint8)
        expected[every[first:last] - np.uint64(begin)] = values[first:last]
        differs = np.flatnonzero(found != expected)
        if len(differs):
            place = int(differs[0])
            fault = f"number {begin + place}: {found[place]}, {expected[place]} by sorted runs"
            return Outcome(len(words), len(words), fault)
    return Outcome(len(words), len(words))


def starts_with(posed: ProblemByHand, vacancy: Vacancy) -> bool:
    """Return whether a problem starts with this vacancy alone, and has a goal with the same symmetries."""
    if posed.board_name != vacancy.board_name:
        return False
    alone = frozenset(posed.cells) - {posed.cell[vacancy.hole]}
    return posed.start == alone and posed.goal == frozenset(posed.cells) - alone


def _play(game: GameByHand, start: Position, chance: random.Random) -> Position:
    """A position after a random number of random jumps."""
    position = start
    for _ in range(chance.randrange(len(start))):
        following = sorted(_neighbours(game, position, back=False), key=sorted)
        if not following:
            break
        position = chance.choice(following)
    return position


def _one_back(game: GameByHand, position: Position, chance: random.Random) -> Position:
    before = sorted(_neighbours(game, position, back=True), key=sorted)
    return chance.choice(before) if before else position


def _neighbours(game: GameByHand, position: Position, back: bool) -> set[Position]:
    return {after for cell in position for _, after in game.jumps(position, cell, back)}


def _fault(game: GameByHand, bitmaps: _Bitmaps, start: Position, position: Position) -> str:
    """The fault of the bitmaps at a position, or ''."""
    before, after = (_neighbours(game, position, back) for back in (True, False))
    reached = position == start or any(bitmaps.has("reachable", other) for other in before)
    if bitmaps.has("reachable", position) != reached:
        return f"reachable: {reached} by the positions before it, the bitmap says {not reached}"
    wins = len(position) == 1 or any(bitmaps.has("winning", other) for other in after)
    if bitmaps.has("winning", position) != wins:
        return f"winning: {wins} by the positions after it, the bitmap says {not wins}"
    return ""


def check_played(section: Classes, played: PlayedClass, inputs: Inputs) -> Outcome:
    """Every bit and every byte of the arrays of a class that was played whole."""
    vacancy, numbering = played.vacancy, numbering_of(played, inputs)
    reached = np.concatenate(list(played.levels.values()))
    singles = np.array([1 << hole for hole in range(len(played.hand.cells))], np.uint64)
    won = _taken_back(played, singles[numbering.contains(singles)])
    for name, words in (("reachable", reached), ("winning", won)):
        array = inputs.array(array_path(vacancy, name))[:]
        if words is not None and not np.array_equal(np.sort(numbering.numbers(words)), numbers_of(array, 0)):
            return Outcome(len(reached), len(reached), f"{name}: other positions are in the bitmap")
    for hint in section.hints:
        if not goals_of(vacancy, ARRAY[hint]):
            continue
        found = inputs.array(array_path(vacancy, ARRAY[hint]))[:].view(np.uint8)
        expected = np.full(len(found), NONE, np.uint8)
        moves = played.winning if hint == "winning" else played.returning
        for pegs, level in played.levels.items():
            expected[numbering.numbers(level).astype(np.int64)] = moves[pegs]
        if not np.array_equal(found, expected):
            return Outcome(len(reached), len(reached), f"{ARRAY[hint]}: other moves are in the array")
    return Outcome(len(reached), len(reached))


def _taken_back(played: PlayedClass, level: NDArray[np.uint64]) -> NDArray[np.uint64] | None:
    """All positions from which jumps lead to one of some; None where they are too many."""
    found = [np.empty(0, np.uint64)]
    while len(level):
        found.append(level)
        if sum(map(len, found)) > MOST:
            return None
        level = distinct(played.game.jumps_from(level, back=True).result)
    return np.concatenate(found)
