"""Tables of least moves: whole of a class that is played whole, else summed, or of the first levels alone."""

from typing import Any

import numpy as np
import pyarrow as pa

from boardspace.spaces.solitaire.checking import array_of, compared
from boardspace.spaces.solitaire.parts.classes.checks.counts import left_of
from boardspace.spaces.solitaire.parts.classes.checks.played import Moves, PlayedClass
from boardspace.spaces.solitaire.problems import slug
from boardspace.spaces.solitaire.rules import ProblemByHand, distinct
from boardspace.spec.check import by_folders
from boardspace.spec.space import Inputs, Outcome


def check_moves(played: PlayedClass, posed: ProblemByHand | None, inputs: Inputs) -> Outcome:
    """The rows of one vacancy in the tables of least moves."""
    name = (played.vacancy.board_name, played.vacancy.hole)
    counted, hardest = (
        by_folders(inputs.table(table), ("board", "vacancy")).get(name) for table in ("class_moves", "hardest")
    )
    if counted is None or hardest is None:
        return Outcome(1, 1, "its least moves are missing")
    summed = [] if played.is_whole else _moves_summed(posed, inputs)
    rows = summed or _moves_played(played, played.fewest if played.is_whole else played.fewest_of_first)
    pegs = array_of(counted, "pegs")
    tried = np.ones(len(pegs), bool) if summed or played.is_whole else pegs >= rows[0]["pegs"]
    named = [{"board": name[0], "vacancy": name[1], **row} for row in rows]
    outcome = compared(counted.filter(pa.array(tried)), named, ("pegs", "moves"))
    if outcome.fault:
        return outcome
    fault = _sums_fault(counted, name, inputs) or _order_fault(counted) or _hardest_fault(played, counted, hardest)
    return Outcome(int(tried.sum()), len(tried), fault, left_of("least moves", set(pegs[~tried].tolist())))


def _moves_played(played: PlayedClass, fewest: Moves) -> list[dict[str, Any]]:
    rows = []
    for pegs in sorted(fewest):
        for moves in sorted(set(fewest[pegs].tolist())):
            orbits, labelled = played.sizes(played.levels[pegs][fewest[pegs] == moves])
            rows.append({"pegs": pegs, "moves": moves, "positions": orbits, "labelled_positions": labelled})
    return rows


def _moves_summed(posed: ProblemByHand | None, inputs: Inputs) -> list[dict[str, Any]]:
    """Rows of least moves from the positions of the problem with the same start, if its levels were made."""
    if posed is None:
        return []
    rows = []
    for (problem, pegs), level in by_folders(inputs.table("positions"), ("problem", "pegs")).items():
        if problem == slug(posed.name):
            moves, orbit = array_of(level, "moves"), array_of(level, "orbit")
            for number in np.flatnonzero(np.bincount(moves)).tolist():
                here = orbit[moves == number]
                row = {"pegs": pegs, "moves": number, "positions": len(here)}
                rows.append(row | {"labelled_positions": int(here.sum(dtype=np.int64))})
    return rows


def _sums_fault(counted: Any, name: tuple[str, int], inputs: Inputs) -> str:
    """The fault that positions by moves do not add up to the levels, or single pegs to the survivors; or ''."""
    levels = by_folders(inputs.table("class_levels"), ("board", "vacancy"))[name].to_pylist()
    rows = counted.to_pylist()
    for level in levels:
        for column in ("positions", "labelled_positions"):
            if level[column] != sum(row[column] for row in rows if row["pegs"] == level["pegs"]):
                return f"{level['pegs']} pegs: {column} do not add up to the level's"
    problems = by_folders(inputs.table("problems"), ("board", "vacancy"))[name].to_pylist()
    single = {row["moves"]: row["labelled_positions"] for row in rows if row["pegs"] == 1}
    moves = [row["moves"] for row in problems if row["solvable"]]
    if {number: moves.count(number) for number in moves} != single:
        return "the survivors of the problems are not the positions of one peg"
    return ""


def _order_fault(counted: Any) -> str:
    """The fault that there are positions of so many moves, and none of one move fewer that have more pegs; or ''."""
    pegs, moves = (array_of(counted, name).astype(np.int64) for name in ("pegs", "moves"))
    most = {number: int(pegs[moves == number].max()) for number in set(moves.tolist())}
    for number, own in zip(moves.tolist(), pegs.tolist(), strict=True):
        if number and most.get(number - 1, 0) <= own:
            return f"{own} pegs, {number} moves: there are no positions with more pegs of one move fewer"
    return ""


def _hardest_fault(played: PlayedClass, counted: Any, hardest: Any) -> str:
    """The first fault of the hardest positions by the numbers of positions, and, of a small class, by all of them."""
    rows = counted.to_pylist()
    most = max(row["moves"] for row in rows)
    words = array_of(hardest, "position")
    if set(hardest.column("moves").to_pylist()) != {most}:
        return f"hardest: the most moves are {most}"
    if len(words) != sum(row["positions"] for row in rows if row["moves"] == most):
        return "hardest: so many positions do not need the most moves"
    if (played.game.canonical(words) != words).any():
        return "hardest: a position is not the least of its images"
    if played.is_whole:
        all_of = [level[played.fewest[pegs] == most] for pegs, level in played.levels.items()]
        if not np.array_equal(distinct(played.game.canonical(np.concatenate(all_of))), words):
            return "hardest: other positions need the most moves"
    return ""
