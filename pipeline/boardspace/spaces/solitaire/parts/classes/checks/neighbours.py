"""Both bitmaps of a class that is too large to be played whole, position by position, by those one jump away.

A position can be reached exactly if it is the start, or a jump leads to it from one that can be reached. One peg can be
left from it exactly if it is one peg, or a jump leads from it to a position that can leave one. So positions that are
missing show in those that lead to them, and positions that are there by mistake show in themselves.

Small bitmaps are tried whole. Of larger ones all positions of few pegs are tried, and of each number of pegs some that
are drawn, since most positions have about half of all pegs. The first levels, which are played, have to be reachable.
"""

from collections.abc import Iterator

import numpy as np

from boardspace.spaces.solitaire.by_arrays import Words, distinct
from boardspace.spaces.solitaire.parts.classes.checks.bits import Bitmaps, Bits
from boardspace.spaces.solitaire.parts.classes.checks.counts import numbering_of
from boardspace.spaces.solitaire.parts.classes.checks.numbering import Numbering
from boardspace.spaces.solitaire.parts.classes.checks.played import PlayedClass
from boardspace.spec.space import Draw, Inputs, Outcome

WHOLE = 1 << 21
"""Bits of a bitmap that are all tried."""
AT_ONCE = 1 << 16
"""Positions whose neighbours are looked at together."""
FEW_PEGS = 4
DRAWN_WORDS, RUN = 1 << 14, 64
"""Words of a bitmap among which positions are drawn; they lie in runs of so many."""
EACH = 1_000
"""Positions of one number of pegs that are tried, of those in the bitmap and of the others each."""
FAR = 4
"""Positions of one number of pegs, each, of a bitmap that is not read whole."""


def check_neighbours(played: PlayedClass, bitmaps: Bitmaps, inputs: Inputs, draw: Draw) -> Outcome:
    """The bits of some positions, or all, in both bitmaps."""
    numbering, reached, cases = numbering_of(played, inputs), bitmaps.reachable, 0
    bits = 64 * reached.words
    for level in played.levels.values() if reached.held is not None else ():
        if not reached.has(numbering.numbers(level)).all():
            return Outcome(cases, bits, f"reachable: a position of {np.bitwise_count(level[0])} pegs is not there")
    for numbers in _tried(numbering, reached, draw):
        cases += len(numbers)
        fault = _fault(played, numbering, bitmaps, numbers)
        if fault:
            return Outcome(cases, bits, fault)
    return Outcome(cases, bits)


def _tried(numbering: Numbering, reached: Bits, draw: Draw) -> Iterator[Words]:
    """The numbers to try."""
    bits, is_held = 64 * reached.words, reached.held is not None
    if draw.everything or bits <= WHOLE:
        for begin in range(0, bits, AT_ONCE):
            yield np.arange(begin, min(begin + AT_ONCE, bits), dtype=np.uint64)
        return
    yield numbering.numbers(_of_few_pegs(numbering)) if is_held else np.empty(0, np.uint64)
    random = draw.generator()
    runs = distinct(random.integers(0, bits // 64 // RUN, DRAWN_WORDS // RUN, dtype=np.uint64))
    numbers = (runs[:, None] * np.uint64(64 * RUN) | np.arange(64 * RUN, dtype=np.uint64)).ravel()
    numbers = random.permutation(numbers[numbers & ~np.uint64(numbering.mask) == 0])
    kinds = 2 * numbering.pegs(numbers).astype(np.int64) + reached.has(numbers)
    for kind in np.flatnonzero(np.bincount(kinds)):
        yield numbers[kinds == kind][: EACH if is_held else FAR]


def _of_few_pegs(numbering: Numbering) -> Words:
    """All positions of the class that have few pegs."""
    singles = np.uint64(1) << np.arange(numbering.holes, dtype=np.uint64)
    words = singles
    for _ in range(FEW_PEGS - 1):
        words = distinct((words[:, None] | singles).ravel())
    return words[numbering.contains(words)]


def _fault(played: PlayedClass, numbering: Numbering, bitmaps: Bitmaps, numbers: Words) -> str:
    """The first fault of both bitmaps at some numbers, or ''."""
    reached, won = bitmaps
    strays = numbers & ~np.uint64(numbering.mask) != 0
    if (reached.has(numbers[strays]) | won.has(numbers[strays])).any():
        return "a bit is there that is of no position"
    numbers = numbers[~strays]
    words = numbering.words(numbers)
    start = words == np.uint64(played.full ^ played.home)
    before, after = played.game.jumps_from(words, back=True), played.game.jumps_from(words)
    earlier, later = numbering.numbers(before.result), numbering.numbers(after.result)
    for name, bits, ends, origins, sources, targets, results in (
        ("reachable", reached, start, before.origin, earlier, after.origin, later),
        ("winning", won, np.bitwise_count(words) == 1, after.origin, later, before.origin, earlier),
    ):
        found, expected = bits.has(numbers), ends.copy()
        expected[origins[bits.has(sources)]] = True
        wrong = np.flatnonzero(found != expected)
        if len(wrong):
            state = "missing" if expected[wrong[0]] else "there by mistake"
            return f"{name}: position {words[wrong[0]]} is {state}, by those one jump away"
        lost = targets[~bits.has(results) & found[targets]]
        if len(lost):
            return f"{name}: position {words[lost[0]]} is there, but not all that follow from it by a jump"
    return ""
