"""Position classes that are too large to be played whole: what is known of their rows, from bitmaps and other tables.

Bitmaps are counted, and up to symmetry by the mean of the positions that each symmetry maps to itself. Without them the
first levels are known, which are played. Least moves are summed up from the positions of the problem with the same
start, if the run has them; else those of the first levels are known, and all have to agree with one another, with the
problems and with the moves that are left.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow.compute as pc

from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Classes, Hint, SolitaireConfig
from boardspace.spaces.solitaire.numbering import NONE, Numbering, numbers_of
from boardspace.spaces.solitaire.parts.classes.arrays import WORD_BYTES
from boardspace.spaces.solitaire.parts.classes.checks.played import Part, PlayedClass, numbering_of
from boardspace.spaces.solitaire.parts.classes.vacancy import ARRAY, array_path, goals_of
from boardspace.spaces.solitaire.rules import ProblemByHand
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
    numbering, game = numbering_of(played, at.inputs), played.game
    arrays = [at.inputs.array(array_path(played.vacancy, name)) for name in ("reachable", "winning")]
    bits, (reached, won) = cells_of(arrays[0]), (ByNumber(array, 1) for array in arrays)
    for begin in range(0, len(bits), AT_ONCE):
        words, sizes = game.orbits(numbering.words(numbers_of(bits[begin : begin + AT_ONCE], begin)))
        numbers = numbering.numbers(words)
        others = numbers ^ np.uint64(numbering.mask)  # a peg is left in the vacancy where these can be reached
        yield words, sizes, {"winning": won.of(numbers) == 1, "winning_in_vacancy": reached.of(others) == 1}


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
    for fault in _faults(section, played, given, hardest, at):
        raise RowFaultError(f"{played.vacancy.slug}: {fault}")
    first = played.move_rows()
    later: Rows = [{} for row in given if row["pegs"] < first[0]["pegs"]]
    known = [{"drawing": played.hand.drawing(row["position"])} for row in hardest]
    return {"class_moves": _moves_summed(config, played, at) or [*later, *first], "hardest": known}


def _moves_summed(config: SolitaireConfig, played: PlayedClass, at: Making) -> Rows:
    """Rows of least moves from the positions of the problem with the same start, if its levels were made."""
    home = frozenset([played.hand.cell[played.vacancy.hole]])
    for posed in (ProblemByHand(name, config.boards) for name in config.levels):
        ends = (posed.board_name, posed.start, posed.goal)
        if ends == (played.vacancy.board_name, played.hand.holes - home, home):  # so the symmetries are the same
            rows = at.inputs.table("positions")
            rows = rows.filter(pc.equal(rows.column("problem"), slug(posed.name))).group_by(["pegs", "moves"])
            sums = rows.aggregate([("orbit", "count"), ("orbit", "sum")]).sort_by(
                [("pegs", "ascending"), ("moves", "ascending")]
            )
            return list(sums.rename_columns(["pegs", "moves", "positions", "labelled_positions"]).to_pylist())
    return []


def _faults(section: Classes, played: PlayedClass, given: Rows, hardest: Rows, at: Making) -> Iterator[str]:
    """Faults of least moves: that they do not add up to the levels, single pegs to the survivors; that the least to one
    peg are not those that are left at the start; that there are positions of so many moves, and none of one move fewer
    that have more pegs; that the hardest are others."""
    for level in at.rows("class_levels", vacancy=played.vacancy.hole):
        for column in ("positions", "labelled_positions"):
            if level[column] != sum(row[column] for row in given if row["pegs"] == level["pegs"]):
                yield f"{level['pegs']} pegs: {column} do not add up to the level's"
    single = {row["moves"]: row["labelled_positions"] for row in given if row["pegs"] == 1}
    moves = [row["moves"] for row in at.rows("problems", vacancy=played.vacancy.hole) if row["solvable"]]
    if dict(Counter(moves)) != single:
        yield "the survivors of the problems are not the positions of one peg"
    left, least = _moves_left(section, played, "winning", numbering_of(played, at.inputs), at), min(moves, default=NONE)
    if left not in (None, least):
        yield f"one peg takes {left} moves by the moves that are left, not {least}"
    most = {row["moves"]: row["pegs"] for row in sorted(given, key=lambda row: int(row["pegs"]))}
    for row in given:
        if row["moves"] and most.get(row["moves"] - 1, 0) <= row["pegs"]:
            where = f"{row['pegs']} pegs, {row['moves']} moves"
            yield f"{where}: there are no positions with more pegs of one move fewer"
    words = np.array([row["position"] for row in hardest], np.uint64)
    if {row["moves"] for row in hardest} != {max(most, default=0)}:
        yield f"hardest: the most moves are {max(most, default=0)}"
    if len(words) != sum(row["positions"] for row in given if row["moves"] == max(most)):
        yield "hardest: so many positions do not need the most moves"
    if len(played.game.orbits(words)[0]) != len(words):
        yield "hardest: a position is not the least of its images"
