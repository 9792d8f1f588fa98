"""Tables of position classes: all again where a class is small, else from its bitmaps, and from one another.

A small class is played whole. Of a larger one the bitmaps are counted, where there are some, and up to symmetry by the
mean of the positions that each symmetry maps to itself; its first levels are played; and where the levels of the same
problem were made by sorted runs, too, both have to agree.
"""

from collections.abc import Collection, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Classes
from boardspace.spaces.solitaire.numbering import (
    AT_ONCE,
    DeadEnds,
    Numbering,
    OrderedWords,
    complements,
    fixed_words,
    has,
    parities_kept,
)
from boardspace.spaces.solitaire.parts.classes.arrays import array_path
from boardspace.spaces.solitaire.parts.classes.checks.played import NONE, PlayedClass
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spaces.solitaire.rules import GameByArrays, GameByHand, ProblemByHand, Words
from boardspace.spec.check import by_folders
from boardspace.spec.space import Inputs, Outcome
from boardspace.verify.arrays import cells_of

LARGEST_BITMAP = 1 << 28
"""Bytes of a bitmap that is counted whole."""
MOST_CYCLES = 22
SETS = ("positions", "winning", "winning_in_vacancy", "dead_ends")


def check_levels(section: Classes, played: PlayedClass, posed: ProblemByHand | None, inputs: Inputs) -> Outcome:
    """The rows of one vacancy in the table of class levels."""
    vacancy = played.vacancy
    found = by_folders(inputs.table("class_levels"), ("board", "vacancy")).get((vacancy.board_name, vacancy.hole))
    if found is None:
        return Outcome(1, 1, "it has no levels")
    whole = {row["pegs"]: row for row in found.to_pylist()}
    cases, tried = sum(row["labelled_positions"] for row in whole.values()), set[int]()
    for expected in (
        _played_rows(section, played),
        _summed_rows(posed, inputs),
        _counted_rows(section, played, posed is None, inputs),
    ):
        tried |= expected.keys()
        rows = [row for row in found.to_pylist() if row["pegs"] in expected]
        if [row["pegs"] for row in rows] != sorted(expected):
            return Outcome(cases, cases, f"its rows are not those of {min(expected)} to {max(expected)} pegs")
        for row in rows:
            other = {"board": vacancy.board_name, "vacancy": vacancy.hole, **expected[row["pegs"]]}
            wrong = [name for name, value in other.items() if row[name] != value]
            if wrong:
                text = f"{wrong[0]} is {other[wrong[0]]}, the table says {row[wrong[0]]}"
                return Outcome(cases, cases, f"{row['pegs']} pegs: {text}")
    some = sum(row["labelled_positions"] for pegs, row in whole.items() if pegs in tried)
    return Outcome(some, cases, _gaps(played, whole), left_of("levels", whole.keys() - tried))


def left_of(what: str, pegs: Collection[int]) -> str:
    """Return what cannot be tried of a class that is too large to be played whole; '' where that is nothing."""
    return f"{what} of {min(pegs)} to {max(pegs)} pegs, as the class is too large to be played whole" if pegs else ""


def _gaps(played: PlayedClass, rows: Mapping[int, Mapping[str, Any]]) -> str:
    """The fault of levels that cannot be: one in the middle missing, or more positions than there are; or ''."""
    if sorted(rows) != list(range(min(rows), len(played.hand.cells))):
        return "a level is missing"
    for pegs, row in rows.items():
        for name in SETS:
            some, all_of = row[f"labelled_{name}"], row["labelled_positions"]
            if (some is None) != (row[name] is None) or (some is not None and not row[name] <= some <= all_of):
                return f"{pegs} pegs: {name} cannot be so many"
            if some is not None and some > row[name] * len(played.symmetries):
                return f"{pegs} pegs: {name} are too few for their positions"
    return ""


def _both(name: str, played: PlayedClass, words: NDArray[np.uint64]) -> dict[str, int]:
    orbits, labelled = played.sizes(words)
    return {name: orbits, f"labelled_{name}": labelled}


def _played_rows(section: Classes, played: PlayedClass) -> dict[int, dict[str, Any]]:
    """Rows of the levels that were played, by pegs."""
    rows: dict[int, dict[str, Any]] = {}
    for pegs, level in played.levels.items():
        dead = level[played.game.jump_counts(level) == 0]
        rows[pegs] = {**_both("positions", played, level), **_both("dead_ends", played, dead)}
        if played.is_whole:
            known = {"winning": section.winning or section.bitmaps, "winning_in_vacancy": section.bitmaps}
            for name, moves in (("winning", played.winning), ("winning_in_vacancy", played.returning)):
                some = _both(name, played, level[moves[pegs] < NONE])
                rows[pegs] |= some if known[name] or not _possible(played, name) else dict.fromkeys(some)
    return rows


def _possible(played: PlayedClass, name: str) -> bool:
    """Return whether the parities that jumps keep allow a position that has to be counted."""
    goals = [1 << hole for hole in range(len(played.hand.cells))] if name == "winning" else [played.home]
    kept, start = parities_kept(played.game), played.full ^ played.home
    return any(all((row & (goal ^ start)).bit_count() % 2 == 0 for row in kept) for goal in goals)


def _summed_rows(posed: ProblemByHand | None, inputs: Inputs) -> dict[int, dict[str, Any]]:
    """Rows of the levels of the problem with the same start, by pegs, if there are any."""
    if posed is None:
        return {}
    found = by_folders(inputs.table("levels"), ("problem",))[slug(posed.name),].to_pylist()
    names = ("positions", "labelled_positions", "dead_ends", "labelled_dead_ends")
    return {row["pegs"]: {name: row[name] for name in names} for row in found}


def _counted_rows(
    section: Classes, played: PlayedClass, with_dead_ends: bool, inputs: Inputs
) -> dict[int, dict[str, Any]]:
    """Rows that are counted on the bitmaps, by pegs, of a class that was not played whole."""
    vacancy = played.vacancy
    if (
        played.is_whole
        or not section.bitmaps
        or 8 * inputs.array(array_path(vacancy, "reachable")).shape[0] > LARGEST_BITMAP
    ):
        return {}
    reached, won = (cells_of(inputs.array(array_path(vacancy, name))) for name in ("reachable", "winning"))
    numbering = numbering_of(played, inputs)
    shape = len(played.game.permutations), len(played.hand.cells) + 1
    counts = {name: np.zeros(shape, np.int64) for name in SETS[:3]}
    home = numbering.contains(np.array([played.home], np.uint64)).all()
    for begin in range(0, len(reached), AT_ONCE):
        part = slice(begin, begin + AT_ONCE)
        ordered = numbering.ordered(begin, len(reached[part]))
        counts["positions"][0] += numbering.pegs_of_bitmap(reached[part], ordered)
        counts["winning"][0] += numbering.pegs_of_bitmap(reached[part] & won[part], ordered)
        if home:
            counts["winning_in_vacancy"][0] += _returning(reached, begin, numbering, ordered)
    for row, permutation in enumerate(played.game.permutations[1:], 1):
        fixed = fixed_words(permutation, MOST_CYCLES)
        if fixed is None:
            return {}
        numbers = numbering.numbers(fixed[numbering.contains(fixed)])
        numbers = numbers[has(reached, numbers)]
        _add(counts["positions"][row], numbering, numbers)
        _add(counts["winning"][row], numbering, numbers[has(won, numbers)])
        if home:
            back = has(reached, numbers ^ np.uint64(numbering.mask))
            _add(counts["winning_in_vacancy"][row], numbering, numbers[back])
    rows: dict[int, dict[str, Any]] = {}
    for pegs in np.flatnonzero(counts["positions"][0]).tolist():
        rows[pegs] = {name: int(some[:, pegs].sum()) // len(some) for name, some in counts.items()}
        rows[pegs] |= {f"labelled_{name}": int(some[0, pegs]) for name, some in counts.items()}
    return _dead_ends(played, numbering, reached, rows) if with_dead_ends else rows


def _dead_ends(played: PlayedClass, numbering: Numbering, reached: Words, rows: Mapping[int, Any]) -> dict[int, Any]:
    """Rows by pegs, with the positions of a bitmap that have no jump."""
    dead = numbering.words(DeadEnds(played.game, numbering).numbers(reached))
    return {pegs: row | _both("dead_ends", played, dead[np.bitwise_count(dead) == pegs]) for pegs, row in rows.items()}


def _add(counts: NDArray[np.int64], numbering: Numbering, numbers: NDArray[np.uint64]) -> None:
    """Count the positions of numbers by pegs."""
    counts += np.bincount(numbering.pegs(numbers), minlength=len(counts))


def _returning(
    reached: NDArray[np.uint64], begin: int, numbering: Numbering, ordered: OrderedWords
) -> NDArray[np.int64]:
    """Positions by pegs in the words from ``begin`` on that can be reached as their complements can."""
    part = reached[begin : begin + AT_ONCE]
    return numbering.pegs_of_bitmap(part & complements(reached, begin, numbering.mask), ordered)


def numbering_of(played: PlayedClass, inputs: Inputs) -> Numbering:
    """The numbering of a class by the table of holes."""
    rows = by_folders(inputs.table("class_holes"), ("board",))[played.vacancy.board_name,].to_pylist()
    return Numbering(played.game, _bits(played.hand, played.game, rows), played.full ^ played.home)


def _bits(hand: GameByHand, game: GameByArrays, rows: list[dict[str, Any]]) -> dict[int, int]:
    """The bit of each hole that has one."""
    return {game.index[hand.cell[row["hole"]]]: row["bit"] for row in rows}


def check_holes(vacancy: Vacancy, inputs: Inputs) -> Outcome:
    """The holes of a board's numbers: by the picture, its orbits and its parities."""
    found = by_folders(inputs.table("class_holes"), ("board",)).get((vacancy.board_name,))
    rows = [] if found is None else found.to_pylist()
    hand = GameByHand(vacancy.text)
    symmetries = list(hand.all_symmetries())
    game = GameByArrays(hand, symmetries)
    passed = {over for _, over, _ in game.jumps}
    hole = [game.index[hand.cell[row["hole"]]] for row in rows if row["hole"] in hand.cell]
    if len(set(hole)) < len(rows):
        return Outcome(len(rows), len(rows), "a hole is there twice, or is none of the board")
    outer, core = (
        [(row["bit"], h) for row, h in zip(rows, hole, strict=True) if row["core"] == inner] for inner in (False, True)
    )
    first = max(3, len(outer))
    wrong = (
        [bit for bit, _ in outer] != list(range(len(outer)))
        or [bit for bit, _ in core] != list(range(first, first + len(core)))
        or any(h in passed for _, h in outer)
        or not passed <= {h for _, h in core}
        or [h for _, h in outer] != sorted(h for _, h in outer)
    )
    if wrong:
        return Outcome(len(rows), len(rows), "a bit, or what is passed over by jumps, is not the board's")
    orbits = [sorted({row[h] for row in game.permutations}) for _, h in core]
    for place, (orbit, (_, h)) in enumerate(zip(orbits, core, strict=True)):
        begin = place - orbit.index(h)
        if begin < 0 or [other for _, other in core[begin : begin + len(orbit)]] != orbit:
            return Outcome(len(rows), len(rows), "holes that symmetries exchange do not stand together, ascending")
    Numbering(game, _bits(hand, game, rows), 0)  # raises where the others do not follow
    return Outcome(len(rows), len(rows))
