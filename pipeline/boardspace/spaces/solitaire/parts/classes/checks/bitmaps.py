"""The arrays of whole classes: bitmaps as sets that jumps lead to, and the least moves that are left."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.config import Hint, SolitaireConfig
from boardspace.spaces.solitaire.numbering import NONE, Numbering
from boardspace.spaces.solitaire.parts.classes.arrays import CHUNK_BYTES, WORD_BYTES
from boardspace.spaces.solitaire.parts.classes.checks.played import PlayedClass, play_class
from boardspace.spaces.solitaire.parts.classes.vacancy import ARRAY, array_path, goals_of, vacancies
from boardspace.spaces.solitaire.rules import Words
from boardspace.spec.check import begins_of, by_folders
from boardspace.spec.equations import BitSet
from boardspace.spec.space import Draw, Inputs, Outcome
from boardspace.verify.arrays import cells_of

CHUNK = CHUNK_BYTES // WORD_BYTES
LARGEST_BITMAP = 1 << 28
"""Bytes of a bitmap that is read at once."""
WHOLE = 1 << 24
"""Numbers of a class whose least moves are all tried."""
DRAWN_WORDS, RUN = 1 << 13, 64
"""Words of a bitmap of whose positions the least moves are tried in larger classes; they lie in runs of so many."""


class ByNumber:
    """An array that holds some bits for each number, 1 or 8; read at once where it is small, else chunk by chunk."""

    def __init__(self, array: NDArray[np.uint64], bits: int) -> None:
        self._bits, self._mask, self._each = np.uint64(bits), np.uint64((1 << bits) - 1), np.uint64(64 // bits)
        self._array, self.words = array, int(array.shape[0])
        self._held: Words | None = cells_of(array) if WORD_BYTES * self.words <= LARGEST_BITMAP else None

    def of(self, numbers: Words) -> NDArray[np.uint8]:
        """Values that it holds, one for each number."""
        words, places = numbers // self._each, numbers % self._each * self._bits
        if self._held is not None:
            held = self._held.take(words.view(np.int64))
        else:
            held = np.empty_like(words)
            order = np.argsort(words, kind="stable")
            for some in np.split(order, begins_of(words[order] // np.uint64(CHUNK))[1:]) if len(order) else ():
                begin = int(words[some[0]]) // CHUNK * CHUNK
                held[some] = self._array[begin : begin + CHUNK][words[some].view(np.int64) - begin]
        return (held >> places & self._mask).astype(np.uint8)


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


def check_moves_left(config: SolitaireConfig, inputs: Inputs, draw: Draw) -> Outcome:
    """Least moves at all numbers of small classes, and at drawn ones of others."""
    tried = of = 0
    hints = {section.board: section.hints for section in config.classes}
    for played in _published(config):
        for hint in hints[played.vacancy.board_name]:
            if goals_of(played.vacancy, ARRAY[hint]):
                left = _MovesLeft(played, hint, inputs)
                numbers = left.chosen(draw)
                tried, of = tried + len(numbers), of + 64 * left.reached.words
                for begin in range(0, len(numbers), 1 << 16):
                    fault = left.fault(numbers[begin : begin + (1 << 16)])
                    if fault:
                        return Outcome(tried, of, f"{played.vacancy.slug}, {ARRAY[hint]}: {fault}")
    return Outcome(tried, of)


def _published(config: SolitaireConfig) -> Iterator[PlayedClass]:
    """The classes whose arrays are published."""
    for section in config.classes:
        if section.bitmaps:
            yield from map(play_class, vacancies(section, config.boards))


def _singles(numbering: Numbering) -> Words:
    """The positions of one peg in a class."""
    singles = np.uint64(1) << np.arange(numbering.holes, dtype=np.uint64)
    return singles[numbering.contains(singles)]


class _MovesLeft:
    """Least moves that are left from the positions of a class: 0 at the goals, else one more than the least of the
    positions that a move leads to; none where no moves lead there, or the position cannot be reached."""

    def __init__(self, played: PlayedClass, hint: Hint, inputs: Inputs) -> None:
        self._game, self._numbering = played.game, numbering_of(played, inputs)
        self._goals = _singles(self._numbering) if hint == "winning" else np.array([played.home], np.uint64)
        self.reached = ByNumber(inputs.array(array_path(played.vacancy, "reachable")), 1)
        self._moves = ByNumber(inputs.array(array_path(played.vacancy, ARRAY[hint])), 8)

    def chosen(self, draw: Draw) -> Words:
        """Numbers to try: all, or those of drawn words."""
        if draw.everything or 64 * self.reached.words <= WHOLE:
            return np.arange(64 * self.reached.words, dtype=np.uint64)
        runs = draw.choose(self.reached.words // RUN, DRAWN_WORDS // RUN)
        places = np.arange(64 * RUN, dtype=np.uint64)
        return (np.array(runs, np.uint64)[:, None] * np.uint64(64 * RUN) | places).ravel()

    def fault(self, numbers: Words) -> str:
        """The first fault at some numbers, or ''."""
        expected, found = np.full(len(numbers), NONE, np.int64), self._moves.of(numbers)
        here = np.flatnonzero(self.reached.of(numbers))
        words = self._numbering.words(numbers[here])
        least = np.full(len(words), NONE - 1, np.int64)
        for made in self._game.moves_from(words):
            np.minimum.at(least, made.origin, self._moves.of(self._numbering.numbers(made.result)))
        least[np.isin(words, self._goals)] = -1
        expected[here] = np.minimum(least, NONE - 1) + 1
        wrong = np.flatnonzero(found != expected)
        if not len(wrong):
            return ""
        number, moves, other = numbers[wrong[0]], found[wrong[0]], expected[wrong[0]]
        return f"number {number}: {moves}, {other} by the positions that moves lead to"
