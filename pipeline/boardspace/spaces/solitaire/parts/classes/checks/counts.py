"""Tables of position classes: all again where a class is small, else from its bitmaps, and from one another.

A small class is played whole. Of a larger one the bitmaps are counted, where there are some, and up to symmetry by the
mean of the positions that each symmetry maps to itself; its first levels are played; and where the levels of the same
problem were made by sorted runs, too, both have to agree.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.by_arrays import GameByArrays, distinct
from boardspace.spaces.solitaire.by_hand import GameByHand, ProblemByHand
from boardspace.spaces.solitaire.checking import array_of, by_folders, compared
from boardspace.spaces.solitaire.config import Classes
from boardspace.spaces.solitaire.parts.classes.arrays import array_path
from boardspace.spaces.solitaire.parts.classes.checks.numbering import (
    AT_ONCE,
    Numbering,
    OrderedWords,
    complements,
    fixed_words,
    has,
    parities_kept,
)
from boardspace.spaces.solitaire.parts.classes.checks.played import NONE, PlayedClass
from boardspace.spaces.solitaire.parts.classes.vacancy import Vacancy
from boardspace.spaces.solitaire.problems import slug
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
    cases = sum(found.column("labelled_positions").to_pylist())
    for expected in (
        _played_rows(section, played),
        _summed_rows(posed, inputs),
        _counted_rows(section, played, inputs),
    ):
        rows = [row for row in found.to_pylist() if row["pegs"] in expected]
        if [row["pegs"] for row in rows] != sorted(expected):
            return Outcome(cases, cases, f"its rows are not those of {min(expected)} to {max(expected)} pegs")
        for row in rows:
            other = {"board": vacancy.board_name, "vacancy": vacancy.hole, **expected[row["pegs"]]}
            wrong = [name for name, value in other.items() if row[name] != value]
            if wrong:
                text = f"{wrong[0]} is {other[wrong[0]]}, the table says {row[wrong[0]]}"
                return Outcome(cases, cases, f"{row['pegs']} pegs: {text}")
    whole = {row["pegs"]: row for row in found.to_pylist()}
    return Outcome(cases, cases, _gaps(played, whole))


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
    """By pegs what is known of the levels that were played."""
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
    """By pegs what the levels of the problem with the same start say, if there are any."""
    if posed is None:
        return {}
    found = by_folders(inputs.table("levels"), ("problem",))[slug(posed.name),].to_pylist()
    names = ("positions", "labelled_positions", "dead_ends", "labelled_dead_ends")
    return {row["pegs"]: {name: row[name] for name in names} for row in found}


def _counted_rows(section: Classes, played: PlayedClass, inputs: Inputs) -> dict[int, dict[str, Any]]:
    """By pegs what is counted on the bitmaps, of a class that was not played whole."""
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
    return rows


def _add(counts: NDArray[np.int64], numbering: Numbering, numbers: NDArray[np.uint64]) -> None:
    """Count the positions of numbers by pegs."""
    counts += np.bincount(numbering.pegs(numbers), minlength=len(counts))


def _returning(
    reached: NDArray[np.uint64], begin: int, numbering: Numbering, ordered: OrderedWords
) -> NDArray[np.int64]:
    """By pegs, the positions in the words from ``begin`` on that can be reached as their complements can."""
    part = reached[begin : begin + AT_ONCE]
    return numbering.pegs_of_bitmap(part & complements(reached, begin, numbering.mask), ordered)


def numbering_of(played: PlayedClass, inputs: Inputs) -> Numbering:
    """The numbering of a class by the table of holes."""
    rows = by_folders(inputs.table("class_holes"), ("board",))[played.vacancy.board_name,].to_pylist()
    return Numbering(played.hand, played.game, rows, played.full ^ played.home)


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
    Numbering(hand, game, rows, 0)  # raises where the others do not follow
    return Outcome(len(rows), len(rows))


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
                row |= solved[survivor]
                expected[vacant, row["survivor"]] = row
    rows = [expected[key] for key in sorted(expected)]
    outcome = compared(found, rows, ("vacancy", "survivor"))
    return outcome if outcome.fault else Outcome(outcome.cases, outcome.of, _survivors_fault(classes, found, inputs))


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
        array = inputs.array(array_path(played.vacancy, "reachable"))
        known = numbering.contains(words)
        solvable = [
            bool(inside) and bool(int(array[int(number) >> 6]) >> (int(number) & 63) & 1)
            for inside, number in zip(known.tolist(), numbering.numbers(words).tolist(), strict=True)
        ]
        none = {} if section.moves else {"moves": None}
        return {hole: {"solvable": one, **none} for hole, one in zip(last, solvable, strict=True)}
    return {hole: {} for hole in last}


def check_moves(played: PlayedClass, posed: ProblemByHand | None, inputs: Inputs) -> Outcome:
    """The rows of one vacancy in the tables of least moves, and what its stages exchanged of the hardest positions."""
    name = (played.vacancy.board_name, played.vacancy.hole)
    counted, hardest = (
        by_folders(inputs.table(table), ("board", "vacancy")).get(name) for table in ("class_moves", "hardest")
    )
    if counted is None or hardest is None:
        return Outcome(1, 1, "its least moves are missing")
    rows = _moves_played(played) if played.is_whole else _moves_summed(posed, inputs)
    named = [{"board": name[0], "vacancy": name[1], **row} for row in rows]
    if named:
        outcome = compared(counted, named, ("pegs", "moves"))
        if outcome.fault:
            return outcome
    fault = _sums_fault(counted, name, inputs) or _hardest_fault(played, counted, hardest)
    return Outcome(counted.num_rows, counted.num_rows, fault)


def _moves_played(played: PlayedClass) -> list[dict[str, Any]]:
    rows = []
    for pegs, level in sorted(played.levels.items()):
        for moves in sorted(set(played.fewest[pegs].tolist())):
            orbits, labelled = played.sizes(level[played.fewest[pegs] == moves])
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


def check_exchanged(classes: list[PlayedClass], inputs: Inputs) -> Outcome:
    """All hardest positions were exchanged, and nothing that is no position of a class."""
    words = array_of(inputs.table("hardest_parts"), "position")
    hardest = set(array_of(inputs.table("hardest"), "position").tolist())
    if not hardest <= set(words.tolist()):
        return Outcome(len(words), len(words), "a hardest position was not exchanged")
    right = np.zeros(len(words), bool)
    for played in classes:
        here = played.game.canonical(words) == words
        for row in parities_kept(played.game):
            start = np.uint64(played.full ^ played.home)
            here &= np.bitwise_count((words ^ start) & np.uint64(row)) & 1 == 0
        if played.is_whole:
            here &= np.isin(words, np.concatenate(list(played.levels.values())))
        right |= here
    return Outcome(len(words), len(words), "" if right.all() else "a position that was exchanged is of no class")
