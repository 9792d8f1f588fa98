"""Bit-sliced counters of moves: the arithmetic of one block.

A block holds the least moves m of its positions in binary, bit p of all of them in *plane* p; the planes together are a
*bit-sliced counter*. Positions that are not reached have all planes set, which no number of moves has. Numbers are
compared and chosen from the lowest plane to the highest, with six operations a plane and word, whatever they are.

The *costs* of a block are the moves that each step into it gives: those of the block it comes from, plus one where the
peg that jumps is not live there, moved to their places, and all set where the step is not possible.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.jit import kernel
from boardspace_kernels.solitaire.classes.gather import Blocks

PLANES = 5
"""Of a counter. :func:`keep_least` names each, so that they stay in registers: with another number it has others."""
MOST_MOVES = 2**PLANES - 2

Planes = NDArray[np.uint64]
Costs = NDArray[np.uint64]
"""uint64 (blocks, steps, words, planes)."""


class Shift(NamedTuple):
    """Change of places in a block that a step makes.

    flip: word w gets what comes from word ``w ^ flip``,
    left: shifted to the left by so many bits,
    right: and to the right by so many.
    """

    flip: np.uint64
    left: np.uint64
    right: np.uint64


@kernel
def add_move(rows: Blocks, first: np.uint64, live: np.uint64, is_live: np.uint64, costs: Planes) -> None:
    """Count the moves after a jump of a peg from all positions of a block, uint64 (words, planes), as the block lies.

    first: the block's first row. live, is_live: the row of the plane of the peg that jumps, and 1 if it has one, else
    0.
    """
    keep = np.uint64(0) - is_live  # all bits set where there is a plane of the peg, none where there is not
    for word in range(costs.shape[0]):
        carry = np.uint64(rows[first, word])
        for plane in range(1, PLANES):
            carry &= np.uint64(rows[first + np.uint64(plane), word])
        # Not reached is 31: one more would carry over into 0 moves. And a live peg goes on in its move at no cost.
        carry = ~carry & ~(np.uint64(rows[live, word]) & keep)
        for plane in range(PLANES):  # a ripple-carry adder of 64 counters at once
            bits = np.uint64(rows[first + np.uint64(plane), word])
            costs[word, plane] = bits ^ carry
            carry &= bits


@kernel
def swap_places(
    masks: NDArray[np.uint64], swap: tuple[np.uint64, int, int], flip: int, shift: np.uint64, planes: Planes
) -> None:
    """One swap of a :class:`Fold`, by its symmetry, sign and number, on planes, uint64 (words, planes)."""
    symmetry, sign, i = swap
    for word in range(planes.shape[0]):
        mask = masks[symmetry, sign, i, word]
        if mask:
            for plane in range(PLANES):
                # Exchange by XOR: only bits that differ change, in both places. The words w and w ^ flip may be one.
                differs = (planes[word, plane] >> shift ^ planes[word ^ flip, plane]) & mask
                planes[word ^ flip, plane] ^= differs
                planes[word, plane] ^= differs << shift


@kernel
def step_places(
    masks: Costs,
    step_kind: tuple[np.uint64, int],
    shift: Shift,
    moved: Planes,
    costs: Costs,
    place: tuple[np.uint64, int],
) -> bool:
    """Move planes, uint64 (words, planes), to the places that a step leads to; return whether there is a position.

    masks: of all steps, see :class:`Steps`.
    step_kind: which step, and the kind of the block's sign.
    place: the block and the number of the cost that is written.
    """
    (step, kind), (block, i) = step_kind, place
    seen = np.uint64(0)
    for word in range(moved.shape[0]):
        mask = np.uint64(masks[step, kind, word])
        all_set = mask
        for plane in range(PLANES):
            bits = moved[np.uint64(word) ^ shift.flip, plane] << shift.left >> shift.right
            all_set &= bits
            # Written whether or not the step leads to a position: if not, the next step is written over it.
            costs[block, i, word, plane] = bits | ~mask  # where the step is not possible: not reached
        seen |= mask & ~all_set
    return seen != 0


@kernel
def keep_least(costs: Costs, block: int, found: int, best: Planes) -> None:
    """Find the least of the first ``found`` costs of a block, uint64 (words, planes); all set where there is none.

    ``less`` is, for the planes so far, where the other counter is the lesser one: a higher plane overrules all lower
    ones where the two differ in it, and leaves ``less`` as it is where they agree. The five planes of the least have
    names of their own, so that they can stay in registers while the costs pass by.
    """
    assert PLANES == 5  # a, b, c, d, e
    for word in range(best.shape[0]):
        a = b = c = d = e = ~np.uint64(0)
        for i in range(found):
            # Where the planes of the two differ. If the least so far has 1 there, the other has 0.
            other_a, other_b, other_c = (
                costs[block, i, word, 0] ^ a,
                costs[block, i, word, 1] ^ b,
                costs[block, i, word, 2] ^ c,
            )
            other_d, other_e = costs[block, i, word, 3] ^ d, costs[block, i, word, 4] ^ e
            less = a & other_a
            less = (less & ~other_b) | (b & other_b)
            less = (less & ~other_c) | (c & other_c)
            less = (less & ~other_d) | (d & other_d)
            less = (less & ~other_e) | (e & other_e)
            # To flip the bits that differ is to take over the other counter, here where it is less.
            a ^= other_a & less
            b ^= other_b & less
            c ^= other_c & less
            d ^= other_d & less
            e ^= other_e & less
        best[word, 0], best[word, 1], best[word, 2], best[word, 3], best[word, 4] = a, b, c, d, e


@kernel
def find_live(costs: Costs, lands: NDArray[np.uint64], block: int, found: int, best: Planes, live: Planes) -> np.uint64:
    """The holes of pegs that can be live in a block, as a word: those in which a step that gives the least moves ends;
    their planes are written to ``live``, uint64 (holes, words)."""
    touched = np.uint64(0)
    for i in range(found):
        hole = lands[block, i]
        is_new = touched >> hole & np.uint64(1) == 0
        touched |= np.uint64(1) << hole
        for word in range(best.shape[0]):
            unreached, differs = best[word, 0], costs[block, i, word, 0] ^ best[word, 0]
            for plane in range(1, PLANES):
                unreached &= best[word, plane]
                differs |= costs[block, i, word, plane] ^ best[word, plane]
            known = np.uint64(0) if is_new else live[hole, word]
            # A position that nothing reaches has the same planes in both, all set, and is taken out.
            live[hole, word] = known | ~(differs | unreached)
    return touched
