"""The problems of a board: which survivors can be left, and in how many moves, as far as that is known otherwise."""

from typing import Any

import numpy as np

from boardspace.spaces.solitaire.checking import compared
from boardspace.spaces.solitaire.config import Classes, Hint
from boardspace.spaces.solitaire.numbering import Numbering, parities_kept
from boardspace.spaces.solitaire.parts.classes.arrays import array_path
from boardspace.spaces.solitaire.parts.classes.checks.bitmaps import ByNumber
from boardspace.spaces.solitaire.parts.classes.checks.counts import numbering_of
from boardspace.spaces.solitaire.parts.classes.checks.played import NONE, PlayedClass
from boardspace.spaces.solitaire.parts.classes.hints import ARRAY, goals_of
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
