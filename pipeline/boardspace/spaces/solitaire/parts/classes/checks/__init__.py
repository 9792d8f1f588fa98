"""The tables of position classes made again by arrays and by hand, from the board's picture; of large ones a part.
Their arrays: bitmaps as sets that jumps lead to, and the least moves that are left."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import Classes, SolitaireConfig
from boardspace.spaces.solitaire.numbering import Numbering
from boardspace.spaces.solitaire.parts.classes.checks import larger, solutions
from boardspace.spaces.solitaire.parts.classes.checks.played import PlayedClass, numbering_of, play_class
from boardspace.spaces.solitaire.parts.classes.vacancy import ARRAY, array_path, goals_of, vacancies
from boardspace.spaces.solitaire.rules import GameByArrays, GameByHand, Words
from boardspace.spec.equations import BitSet, Given, Making, NumberedMoves, RowFaultError
from boardspace.spec.space import Inputs

Row = dict[str, Any]
Rows = list[Row]
TABLES = ("class_levels", "class_moves", "hardest", "class_solutions", "problem_solutions")
"""With rows by vacancy."""


def boards(config: SolitaireConfig) -> dict[str, float]:
    """The boards whose classes are swept; what is made of each is bounded, so it takes seconds."""
    return {vacancies(section, config.boards)[0].board_name: 0.0 for section in config.classes}


def make_classes(config: SolitaireConfig, board: str, at: Making) -> dict[str, Rows]:
    """The rows of a board in all tables, as far as they are known."""
    chosen = {vacancies(section, config.boards)[0].board_name: section for section in config.classes}
    section = chosen[board]
    classes = [play_class(vacancy) for vacancy in vacancies(section, config.boards)]
    classes.sort(key=lambda played: played.vacancy.hole)
    tables: dict[str, Rows] = {
        "class_holes": holes(classes[0].hand, at.rows("class_holes")),
        "problems": sorted(_problems(section, classes, at), key=lambda row: (row["vacancy"], row["survivor"])),
    }
    for played in classes:
        made = _of_class(config, section, played, at)
        for table, rows in made.items():
            tables.setdefault(table, []).extend({"vacancy": played.vacancy.hole, **row} for row in rows)
    return {table: [{"board": board, **row} for row in rows] for table, rows in tables.items()}


def _of_class(config: SolitaireConfig, section: Classes, played: PlayedClass, at: Making) -> dict[str, Rows]:
    levels = played.counted(played.parts(), section) if played.is_whole else larger.level_rows(section, played, at)
    made: dict[str, Rows] = {table: [] for table in TABLES} | {"class_levels": levels}
    if section.moves:
        made |= played.move_tables() if played.is_whole else larger.move_tables(section, config, played, at)
    if section.shortest:
        made |= solutions.solution_tables(played, at)
    return made


def _problems(section: Classes, classes: list[PlayedClass], at: Making) -> Iterator[Row]:
    """Every pair of a vacancy, or an image of one, and a survivor; where nothing tells the least moves, those of the
    first pair that is an image of it."""
    found: set[tuple[int, int]] = set()
    for played in classes:
        label, hole = played.hand.number, played.vacancy.hole
        own = {row["survivor"]: row["moves"] for row in at.rows("problems", vacancy=hole)}
        first = {
            survivor: min(label[image[cell]] for image in played.hand.keeping(hole))
            for survivor, cell in played.hand.cell.items()
        }
        solved = played.solved(section) if played.is_whole else larger.solved(section, played, at)
        for image in played.hand.keeping():
            vacant = label[image[played.hand.cell[hole]]]
            for survivor, cell in played.hand.cell.items():
                key, same = (vacant, label[image[cell]]), played.has_parities(played.last(survivor))
                if key not in found:
                    known = solved[survivor] if same else {"solvable": False, "moves": None}
                    row: Row = {"vacancy": key[0], "survivor": key[1], "same_class": same}
                    is_image = key != (hole, first[survivor])
                    yield row | ({"moves": Given(own.get(first[survivor]))} if is_image else {}) | known
                    found.add(key)


def holes(hand: GameByHand, rows: Rows) -> Rows:
    """The holes of the bits of a number, as the table has them; RowFaultError where they cannot be, by the board's
    picture, its orbits and its parities."""
    game = GameByArrays(hand, hand.keeping())
    passed = {over for _, over, _ in game.jumps}
    found = [(row["bit"], game.index[hand.cell[row["hole"]]], row["core"]) for row in rows if row["hole"] in hand.cell]
    outer, core = ([(bit, hole) for bit, hole, inner in found if inner == kind] for kind in (False, True))
    first, inside = max(3, len(outer)), [hole for _, hole in core]
    orbits = dict.fromkeys(tuple(sorted({row[hole] for row in game.permutations})) for hole in inside)
    if (
        len({hole for _, hole, _ in found}) < len(rows)
        or outer != list(enumerate(sorted({hole for _, hole in outer} - passed)))
        or core != list(enumerate(chain(*orbits), first))
        or not passed <= set(inside)
    ):
        raise RowFaultError("class_holes: bits are not the board's, or holes that symmetries exchange not side by side")
    Numbering(game, {hole: bit for bit, hole, _ in found}, 0)  # raises where the others do not follow
    return [{name: row[name] for name in ("bit", "hole", "core")} for row in rows]


def class_bitmaps(config: SolitaireConfig, inputs: Inputs) -> Iterator[BitSet]:
    """Both bitmaps of every class: from the start jumps lead into ``reachable``, and, taken back, from single pegs into
    ``winning``."""
    for played in _published(config):
        numbering = numbering_of(played, inputs)
        start = np.array([played.full ^ played.home], np.uint64)
        for name, base, back in (("reachable", start, False), ("winning", _singles(numbering), True)):
            path, flips = array_path(played.vacancy, name), numbering.flips(played.game, back)
            yield BitSet(path, numbering.numbers(base), flips, "number {}".format)


def moves_left(config: SolitaireConfig, inputs: Inputs) -> Iterator[NumberedMoves]:
    """Least moves of every class, to one peg anywhere and to one peg in the vacancy, where these were asked for."""
    hints = {section.board: section.hints for section in config.classes}
    for played in _published(config):
        numbering = numbering_of(played, inputs)
        for hint in hints[played.vacancy.board_name]:
            if goals_of(played.vacancy, ARRAY[hint]):
                goals = _singles(numbering) if hint == "winning" else np.array([played.home], np.uint64)
                moves, reached = (array_path(played.vacancy, name) for name in (ARRAY[hint], "reachable"))
                yield NumberedMoves(moves, reached, numbering.numbers(goals), partial(_ends, played.game, numbering))


def _ends(game: GameByArrays, numbering: Numbering, numbers: Words) -> Iterator[tuple[NDArray[np.int64], Words]]:
    return ((made.origin, numbering.numbers(made.result)) for made in game.moves_from(numbering.words(numbers)))


def _published(config: SolitaireConfig) -> Iterator[PlayedClass]:
    for section in config.classes:
        if section.bitmaps:
            yield from map(play_class, vacancies(section, config.boards))


def _singles(numbering: Numbering) -> Words:
    singles = np.uint64(1) << np.arange(numbering.holes, dtype=np.uint64)
    return singles[numbering.contains(singles)]
