"""The bitmap ``winning`` of a class that is too large to be played whole, bit by bit, as it follows from ``reachable``.

A jump taken back is a jump with pegs and holes exchanged. So one peg in the vacancy can be left from a position exactly
if the complement of the position, with pegs and holes exchanged, can be reached. The positions that can leave one peg
elsewhere alone are few. Each of these is one peg, or a jump from it leads to another of them, and none leads to one
whose complement can be reached. In the bitmap are single pegs and all positions from which a jump leads to one of these
few.
"""

import numpy as np

from boardspace.spaces.solitaire.by_arrays import Words
from boardspace.spaces.solitaire.parts.classes.checks.bits import Bitmaps
from boardspace.spaces.solitaire.parts.classes.checks.counts import numbering_of
from boardspace.spaces.solitaire.parts.classes.checks.numbering import AT_ONCE, Numbering, complements, has, numbers_of
from boardspace.spaces.solitaire.parts.classes.checks.played import MOST, PlayedClass
from boardspace.spec.space import Inputs, Outcome


def check_winning(played: PlayedClass, bitmaps: Bitmaps, inputs: Inputs) -> Outcome:
    """Every bit of ``winning``.

    There is nothing to look at where the bitmap is too large, and where one peg in the vacancy cannot be left.
    """
    numbering, (reached, won) = numbering_of(played, inputs), (one.held for one in bitmaps)
    if reached is None or won is None or not numbering.contains(np.array([played.home], np.uint64)).all():
        return Outcome(0, 0)
    bits = 64 * len(reached)
    elsewhere, fault = _elsewhere(reached, won, numbering.mask)
    if not fault and len(elsewhere) <= MOST:
        fault = _elsewhere_fault(played, numbering, (reached, won), numbering.words(elsewhere))
    return Outcome(bits, bits, fault)


def _elsewhere(reached: Words, won: Words, mask: int) -> tuple[Words, str]:
    """Numbers of winning positions whose complements cannot be reached; the fault of the others, or ''."""
    found, held = [np.empty(0, np.uint64)], 0
    strays = np.uint64(sum(1 << bit for bit in range(64) if bit & ~mask))
    for begin in range(0, len(reached), AT_ONCE):
        returning, part = complements(reached, begin, mask), won[begin : begin + AT_ONCE]
        if ((reached[begin : begin + AT_ONCE] | part) & strays).any():
            return found[0], "a bit is there that is of no position"
        if (returning & ~part).any():
            return found[0], "winning: a position is not there whose complement can be reached"
        others = part & ~returning
        if others.any() and held <= MOST:
            found.append(numbers_of(others, begin))
            held += len(found[-1])
    return np.concatenate(found), ""


def _elsewhere_fault(played: PlayedClass, numbering: Numbering, bitmaps: tuple[Words, Words], words: Words) -> str:
    """The fault of the winning positions that can leave one peg elsewhere alone, by the two bitmaps, or ''."""
    reached, won = bitmaps
    singles = np.array([1 << hole for hole in range(len(played.hand.cells))], np.uint64)
    singles = singles[numbering.contains(singles)]
    made = played.game.jumps_from(words)
    results, wins = numbering.numbers(made.result), np.isin(words, singles)
    if has(reached, results ^ np.uint64(numbering.mask)).any():
        return "reachable: the complement of a position is not there from which a jump leads to one whose complement is"
    wins[made.origin[has(won, results)]] = True
    if not wins.all():
        return "winning: a position is there from which no jump leads to one of it"
    before = played.game.jumps_from(np.concatenate([words, singles]), back=True).result
    if not has(won, numbering.numbers(np.concatenate([singles, before]))).all():
        return "winning: a position is not there from which a jump leads to one of it"
    return ""
