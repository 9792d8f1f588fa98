"""The arrays of whole classes: bitmaps as sets that jumps lead to, and the least moves that are left."""

from collections.abc import Iterator
from functools import partial

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import SolitaireConfig
from boardspace.spaces.solitaire.numbering import Numbering
from boardspace.spaces.solitaire.parts.classes.checks.played import PlayedClass, play_class
from boardspace.spaces.solitaire.parts.classes.vacancy import ARRAY, array_path, goals_of, vacancies
from boardspace.spaces.solitaire.rules import GameByArrays, Words
from boardspace.spec.check import by_folders
from boardspace.spec.equations import BitSet, NumberedMoves
from boardspace.spec.space import Inputs


def numbering_of(played: PlayedClass, inputs: Inputs) -> Numbering:
    """The numbering of a class by the table of holes."""
    rows = by_folders(inputs.table("class_holes"), ("board",))[played.vacancy.board_name,].to_pylist()
    bits = {played.game.index[played.hand.cell[row["hole"]]]: row["bit"] for row in rows}
    return Numbering(played.game, bits, played.full ^ played.home)


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
