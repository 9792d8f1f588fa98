"""The problems of a board and tables of least moves: which pegs can be left, in how many moves, as far as it is known.

Of a class that is played whole all is known, else what is summed up from other tables, or of the first levels alone.
"""

from typing import Any

import numpy as np
import pyarrow as pa

from boardspace.spaces.solitaire.checking import array_of, compared
from boardspace.spaces.solitaire.columns import slug
from boardspace.spaces.solitaire.config import Classes, Hint
from boardspace.spaces.solitaire.numbering import Numbering, parities_kept
from boardspace.spaces.solitaire.parts.classes.arrays import ARRAY, array_path, goals_of
from boardspace.spaces.solitaire.parts.classes.checks.bitmaps import ByNumber
from boardspace.spaces.solitaire.parts.classes.checks.counts import left_of, numbering_of
from boardspace.spaces.solitaire.parts.classes.checks.played import NONE, Moves, PlayedClass
from boardspace.spaces.solitaire.rules import ProblemByHand, distinct
from boardspace.spec.check import by_folders
from boardspace.spec.space import Inputs, Outcome


def check_problems(section: Classes, classes: list[PlayedClass], inputs: Inputs) -> Outcome:
    """Every pair of a vacancy, or an image of one, and a survivor."""
    board = classes[0].vacancy.board_name
    found = by_folders(inputs.table("problems"), ("board",)).get((board,))
    if found is None:
        return Outcome(1, 1, "its problems are missing")
    expected: dict[tuple[int, int], dict[str, Any]] = {}
    for played in classes:
        label = {cell: number for number, cell in played.hand.cell.items()}
        solved = _solved(section, played, inputs)
        kept, start = parities_kept(played.game), played.full ^ played.home
        for image in played.hand.all_symmetries():
            vacant = label[image[played.hand.cell[played.vacancy.hole]]]
            for survivor, cell in played.hand.cell.items():
                goal = 1 << played.game.index[cell]
                row: dict[str, Any] = {"board": board, "vacancy": vacant, "survivor": label[image[cell]]}
                row["same_class"] = all((part & (goal ^ start)).bit_count() % 2 == 0 for part in kept)
                row |= solved[survivor] if row["same_class"] else {"solvable": False, "moves": None}
                expected[vacant, row["survivor"]] = row
    rows = [expected[key] for key in sorted(expected)]
    outcome = compared(found, rows, ("vacancy", "survivor"))
    if outcome.fault:
        return outcome
    tried = sum("solvable" in row and "moves" in row for row in rows)
    left = f"{len(rows) - tried} problems of classes that are too large to be played whole" if tried < len(rows) else ""
    fault = _survivors_fault(classes, found, inputs) or _least_fault(section, classes, found, inputs)
    return Outcome(tried, len(rows), fault, left)


def _survivors_fault(classes: list[PlayedClass], problems: Any, inputs: Inputs) -> str:
    """The fault that a vacancy has not as many solvable problems as positions of one peg, or ''."""
    levels = by_folders(inputs.table("class_levels"), ("board", "vacancy"))
    solvable = [row["vacancy"] for row in problems.to_pylist() if row["solvable"]]
    for vacancy in (played.vacancy for played in classes):
        rows = levels[vacancy.board_name, vacancy.hole].to_pylist()
        single = sum(row["labelled_positions"] for row in rows if row["pegs"] == 1)
        if solvable.count(vacancy.hole) != single:
            return f"vacancy {vacancy.hole}: {single} positions of one peg can be reached, other problems are solvable"
    return ""


def _least_fault(section: Classes, classes: list[PlayedClass], problems: Any, inputs: Inputs) -> str:
    """The fault that the least moves to one peg, anywhere, are not those that are left at the start, or ''."""
    rows = problems.to_pylist()
    for played in classes if section.moves else ():
        moves = _moves_left(section, played, "winning", numbering_of(played, inputs), inputs)
        least = min(
            (row["moves"] for row in rows if row["vacancy"] == played.vacancy.hole and row["solvable"]), default=NONE
        )
        if moves is not None and moves != least:
            return f"vacancy {played.vacancy.hole}: one peg takes {moves} moves by the moves that are left, not {least}"
    return ""


def _moves_left(section: Classes, played: PlayedClass, hint: Hint, numbering: Numbering, inputs: Inputs) -> int | None:
    """The least moves that are left at the start by an array of them; None where there is none."""
    if hint not in section.hints or not goals_of(played.vacancy, ARRAY[hint]):
        return None
    (number,) = numbering.numbers(np.array([played.full ^ played.home], np.uint64)).tolist()
    return int(inputs.array(array_path(played.vacancy, ARRAY[hint]))[number >> 3]) >> 8 * (number & 7) & NONE


def _solved(section: Classes, played: PlayedClass, inputs: Inputs) -> dict[int, dict[str, Any]]:
    """By survivor whether it can be left, and in how many moves, as far as that is known without the table."""
    last = {hole: 1 << played.game.index[cell] for hole, cell in played.hand.cell.items()}
    if played.is_whole:
        single, fewest = (dict(some).get(1, np.empty(0, np.int64)).tolist() for some in (played.levels, played.fewest))
        moves = dict(zip(single, fewest, strict=True))
        return {
            hole: {"solvable": word in moves, "moves": moves.get(word) if section.moves else None}
            for hole, word in last.items()
        }
    if section.bitmaps:
        numbering = numbering_of(played, inputs)
        words = np.array(list(last.values()), np.uint64)
        reachable = ByNumber(inputs.array(array_path(played.vacancy, "reachable")), 1)
        solvable = numbering.contains(words)
        solvable[solvable] = reachable.of(numbering.numbers(words[solvable])) == 1
        found: dict[int, dict[str, Any]] = {
            hole: {"solvable": one} | ({} if section.moves and one else {"moves": None})
            for hole, one in zip(last, solvable.tolist(), strict=True)
        }
        left = _moves_left(section, played, "returning", numbering, inputs) if section.moves else None
        found[played.vacancy.hole] |= {} if left is None else {"moves": left if left < NONE else None}
        return found
    return {hole: {} if section.moves else {"moves": None} for hole in last}


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
