"""The step from a layer to the layer after it, made again by arrays: which positions, and how many ways to each.

Where the layers are small every row is made again. Of larger ones a part is drawn that symmetries keep
(:mod:`boardspace.spaces.solitaire.drawn_parts`): all moves are made, and in this part the results have to be the rows
of the layer after, each with the sum of the ways by all its parents. So a row that is missing is seen as well as one
that is there.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.solitaire.by_arrays import AT_ONCE, GameByArrays, are_in
from boardspace.spaces.solitaire.counted_by_arrays import Counted, joined_ways
from boardspace.spaces.solitaire.drawn_parts import Parts
from boardspace.spec.space import Draw

ROWS = 1 << 17
"""Rows of a layer that are made again: all of a layer that has no more, nor has the one before it."""


class Step(NamedTuple):
    """The moves of a layer: counts int64 (p), of each position; most jumps of any.

    tried: rows of the layer after that were made again. fault: their first fault, or ''.
    """

    counts: NDArray[np.int64]
    longest: int
    tried: int
    fault: str


def make_step(
    game: GameByArrays, layers: Sequence[Counted], back: bool, draw: Draw, random: np.random.Generator
) -> Step:
    """Make the moves of the first of two layers; the results in a drawn part are compared with the second."""
    before, after = layers
    rows = max(len(before.positions), len(after.positions))
    parts = Parts(game, max(0, (rows - 1) // ROWS).bit_length(), random)
    numbers = parts.numbers(after.positions)
    tried = 0
    for part in parts.chosen(draw, random):
        counts, longest, made = _made(game, before, back, parts, part)
        here = numbers == part
        tried += int(here.sum())
        fault = _fault(made, Counted(after.positions[here], after.ways[here]))
        if fault:
            break
    return Step(counts, longest, tried, fault)


def _made(
    game: GameByArrays, layer: Counted, back: bool, parts: Parts, part: np.uint64
) -> tuple[NDArray[np.int64], int, Counted]:
    """The numbers of moves of each position, the most jumps of any; the least images of results that are in a part."""
    counts, longest = np.zeros(len(layer.positions), np.int64), 0
    words, ways = [np.empty(0, np.uint64)], [np.empty(0, np.uint64)]
    for begin in range(0, len(counts), AT_ONCE):
        own, number = (column[begin : begin + AT_ONCE] for column in layer)
        for made in game.moves_from(own, back):
            counts[begin : begin + len(own)] += np.bincount(made.origin, minlength=len(own))
            longest = max(longest, made.jumps)
            here = parts.numbers(made.result) == part
            words.append(game.canonical(made.result[here]))
            ways.append(number.take(made.origin[here]))
    return counts, longest, joined_ways(np.concatenate(words), np.concatenate(ways))


def _fault(made: Counted, found: Counted) -> str:
    """The first fault of rows by the results of moves, or ''."""
    missing = np.flatnonzero(~are_in(made.positions, found.positions))
    if len(missing):
        return f"position {made.positions[missing[0]]} is not there, to which the layer before it leads"
    if len(made.positions) < len(found.positions):
        extra = found.positions[~are_in(found.positions, made.positions)]
        return f"position {extra[0]} is there, to which no move of the layer before it leads"
    wrong = np.flatnonzero(made.ways != found.ways)
    if len(wrong):
        position, ways, other = made.positions[wrong[0]], made.ways[wrong[0]], found.ways[wrong[0]]
        return f"position {position}: {ways:,} sequences of moves lead here, the table says {other:,}"
    return ""
