"""Position classes that are too large to be played whole: what is known of their rows, from bitmaps and other tables.

Bitmaps are counted, and up to symmetry by the mean of the positions that each symmetry maps to itself. Without them the
first levels are known, which are played. Least moves are summed up from the positions of the problem with the same
start, if the run has them; else those of the first levels are known, and all have to agree with one another, with the
problems and with the moves that are left.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Classes, Hint, SolitaireConfig
from boardspace.spaces.solitaire.numbering import NONE, Numbering, has, numbers_of
from boardspace.spaces.solitaire.parts.classes.arrays import WORD_BYTES
from boardspace.spaces.solitaire.parts.classes.checks.bitmaps import numbering_of
from boardspace.spaces.solitaire.parts.classes.checks.played import Part, PlayedClass
from boardspace.spaces.solitaire.parts.classes.vacancy import ARRAY, array_path, goals_of
from boardspace.spaces.solitaire.rules import ProblemByHand
from boardspace.spec.check import by_folders
from boardspace.spec.equations import Given, Making, Near, RowFaultError
from boardspace.verify.arrays import cells_of
from boardspace.verify.bitmaps import HELD_BYTES, ByNumber

AT_ONCE = 1 << 13
"""Words of a bitmap whose positions are counted together."""
Row = dict[str, Any]
Rows = list[Row]


def level_rows(section: Classes, played: PlayedClass, at: Making) -> Rows:
    """The rows of levels: all from bitmaps; else all that there are, those of the first levels with their numbers."""
    array = at.inputs.array(array_path(played.vacancy, "reachable")) if section.bitmaps else None
    if array is not None and WORD_BYTES * array.shape[0] <= HELD_BYTES:
        return played.counted(_parts_of_bitmaps(played, at), section)
    first = {row["pegs"]: row for row in played.counted(played.parts(), section)}
    least = min((row["pegs"] for row in at.rows("class_levels", vacancy=played.vacancy.hole)), default=0)
    sets = ("winning", "winning_in_vacancy")
    some = {column: Near(least=0) for name in sets for column in (name, f"labelled_{name}")}  # that is, not null
    row: Row = some | played.unasked(section)
    every = range(least, len(played.hand.cells))
    return [{**row, "pegs": Given(pegs), **first.get(pegs, {})} for pegs in every]


def _parts_of_bitmaps(played: PlayedClass, at: Making) -> Iterator[Part]:
    """The positions of both bitmaps, part by part."""
    numbering, game = numbering_of(played, at.inputs), played.game
    reached, won = (cells_of(at.inputs.array(array_path(played.vacancy, name))) for name in ("reachable", "winning"))
    for begin in range(0, len(reached), AT_ONCE):
        words = game.least_of_images(numbering.words(numbers_of(reached[begin : begin + AT_ONCE], begin)))
        numbers = numbering.numbers(words)
        others = numbers ^ np.uint64(numbering.mask)  # a peg is left in the vacancy where these can be reached
        yield words, {"winning": has(won, numbers), "winning_in_vacancy": has(reached, others)}


def solved(section: Classes, played: PlayedClass, at: Making) -> dict[int, Row]:
    """By survivor what is known of its problem: from bitmaps whether it is solvable, from moves that are left the least
    ones of the vacancy's; as many are solvable as there are positions of one peg."""
    moves: Row = {"moves": None}
    levels, problems = (at.rows(table, vacancy=played.vacancy.hole) for table in ("class_levels", "problems"))
    single = sum(row["labelled_positions"] for row in levels if row["pegs"] == 1)
    if single != sum(row["solvable"] for row in problems):
        slug = played.vacancy.slug
        raise RowFaultError(f"problems: {slug} leads to {single} positions of one peg, other problems are solvable")
    if not section.bitmaps:
        return dict.fromkeys(played.hand.cell, {} if section.moves else moves)
    numbering = numbering_of(played, at.inputs)
    words = np.array([played.last(hole) for hole in played.hand.cell], np.uint64)
    solvable = numbering.contains(words)
    reachable = ByNumber(at.inputs.array(array_path(played.vacancy, "reachable")), 1)
    solvable[solvable] = reachable.of(numbering.numbers(words[solvable])) == 1
    found: dict[int, Row] = {
        hole: {"solvable": one} | ({} if section.moves and one else moves)
        for hole, one in zip(played.hand.cell, solvable.tolist(), strict=True)
    }
    if section.moves:
        left = _moves_left(section, played, "returning", numbering, at)
        found[played.vacancy.hole] |= {} if left is None else {"moves": left if left < NONE else None}
    return found


def _moves_left(section: Classes, played: PlayedClass, hint: Hint, numbering: Numbering, at: Making) -> int | None:
    """The least moves that are left at the start by an array of them; None where there is none."""
    if hint not in section.hints or not goals_of(played.vacancy, ARRAY[hint]):
        return None
    array = ByNumber(at.inputs.array(array_path(played.vacancy, ARRAY[hint])), 8)
    return int(array.of(numbering.numbers(np.array([played.full ^ played.home], np.uint64)))[0])


def move_tables(section: Classes, config: SolitaireConfig, played: PlayedClass, at: Making) -> dict[str, Rows]:
    """The rows of least moves, and of the positions that need the most, with what is known of them."""
    given, hardest = (at.rows(table, vacancy=played.vacancy.hole) for table in ("class_moves", "hardest"))
    fault = _faults_of_sums(section, played, given, at) or _order_fault(given) or _hardest_fault(played, given, hardest)
    if fault:
        raise RowFaultError(f"{played.vacancy.slug}: {fault}")
    summed = _moves_summed(config, played, at)
    first = played.move_rows()
    later: Rows = [{} for row in given if row["pegs"] < first[0]["pegs"]]
    known = [{"drawing": played.hand.drawing(row["position"])} for row in hardest]
    return {"class_moves": summed or [*later, *first], "hardest": known}


def _moves_summed(config: SolitaireConfig, played: PlayedClass, at: Making) -> Rows:
    """Rows of least moves from the positions of the problem with the same start, if its levels were made."""
    rows: Rows = []
    posed = next((p for name in config.levels if _starts_with(p := ProblemByHand(name, config.boards), played)), None)
    levels = by_folders(at.inputs.table("positions"), ("problem", "pegs")).items() if posed else ()
    for (problem, pegs), level in levels:
        if posed and problem == slug(posed.name):
            moves, orbit = (level.column(name).to_numpy() for name in ("moves", "orbit"))
            for number in np.flatnonzero(np.bincount(moves)).tolist():
                here = orbit[moves == number]
                row = {"pegs": pegs, "moves": number, "positions": len(here)}
                rows.append(row | {"labelled_positions": int(here.sum(dtype=np.int64))})
    return rows


def _starts_with(posed: ProblemByHand, played: PlayedClass) -> bool:
    """True where a problem starts with this vacancy alone, and has a goal with the same symmetries."""
    home = frozenset([played.hand.cell[played.vacancy.hole]])
    return posed.board_name == played.vacancy.board_name and (posed.start, posed.goal) == (posed.holes - home, home)


def _faults_of_sums(section: Classes, played: PlayedClass, given: Rows, at: Making) -> str:
    """The fault that positions by moves do not add up to the levels, single pegs to the survivors, or that the least
    moves to one peg are not those that are left at the start; or ''."""
    for level in at.rows("class_levels", vacancy=played.vacancy.hole):
        for column in ("positions", "labelled_positions"):
            if level[column] != sum(row[column] for row in given if row["pegs"] == level["pegs"]):
                return f"{level['pegs']} pegs: {column} do not add up to the level's"
    single = {row["moves"]: row["labelled_positions"] for row in given if row["pegs"] == 1}
    moves = [row["moves"] for row in at.rows("problems", vacancy=played.vacancy.hole) if row["solvable"]]
    if {number: moves.count(number) for number in moves} != single:
        return "the survivors of the problems are not the positions of one peg"
    left = _moves_left(section, played, "winning", numbering_of(played, at.inputs), at)
    if left not in (None, min(moves, default=NONE)):
        return f"one peg takes {left} moves by the moves that are left, not {min(moves, default=NONE)}"
    return ""


def _order_fault(given: Rows) -> str:
    """The fault that there are positions of so many moves, and none of one move fewer that have more pegs; or ''."""
    most = {
        number: max(row["pegs"] for row in given if row["moves"] == number) for number in {r["moves"] for r in given}
    }
    for row in given:
        if row["moves"] and most.get(row["moves"] - 1, 0) <= row["pegs"]:
            where = f"{row['pegs']} pegs, {row['moves']} moves"
            return f"{where}: there are no positions with more pegs of one move fewer"
    return ""


def _hardest_fault(played: PlayedClass, given: Rows, hardest: Rows) -> str:
    """The first fault of the hardest positions by the numbers of positions, or ''."""
    most = max((row["moves"] for row in given), default=0)
    words = np.array([row["position"] for row in hardest], np.uint64)
    if {row["moves"] for row in hardest} != {most}:
        return f"hardest: the most moves are {most}"
    if len(words) != sum(row["positions"] for row in given if row["moves"] == most):
        return "hardest: so many positions do not need the most moves"
    return "" if (played.game.canonical(words) == words).all() else "hardest: a position is not the least of its images"
