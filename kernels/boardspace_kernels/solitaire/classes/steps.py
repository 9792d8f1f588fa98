"""Steps: jumps, seen as maps of blocks.

Seen from the position it leads to, a jump is a *step*: it asks for some values in its three holes, and flipping them
gives the position it comes from. (Taken back, it asks for the other values; all else is the same.) On the core a step
maps blocks to blocks: conditions on the high and the low part, each of which it flips by a constant. Whether it is
possible at a place, where it concerns ends, is a mask of the block's places, and the place it comes from is the place
XOR a constant, whose bits the mask fixes: so within a word it is a shift, and above it the exchange of words.

A mask depends on the sign where dependent ends are concerned, at most two: on its *kind*, the values of these at place
0. For each step, list of low parts and kind the pairs (rank of a low part that the step leads to, rank of the one it
comes from) are written down once; they serve all tiles. Both ranks ascend, so memory is read and written in order.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.solitaire.classes.order import Order
from boardspace_kernels.solitaire.classes.position_class import PositionClass

KINDS = 4


class Steps(NamedTuple):
    """J steps between the blocks of a class.

    gap: int64 (J), the weight of the block it comes from less that of the block it leads to.
    high_test: int64 (J), the bits of a high part that it depends on.
    high_need: int64 (J), it leads to a high part h where ``h & high_test == high_need``.
    high_flip: int64 (J), and comes from ``h ^ high_flip``.
    low_test: int64 (J), the bits of a low part that it depends on, and flips.
    low_need: int64 (J), it leads to a low part l where ``l & low_test == low_need``.
    kind: int64 (J, signs), the kind of each sign.
    first: int64 (J, lists * 4 + 1), the pairs of list l and kind k (of the low part) are those from
        ``first[l * 4 + k]`` on.
    to: uint32 (pairs), the rank of the low part that it leads to.
    source: uint32 (pairs), the rank of the low part that it comes from.
    masks: word (J, 4, words), the places it leads to by kind.
    word_flip: int64 (J), the word w of a block gets what comes from word ``w ^ word_flip``,
    left: int64 (J), shifted to the left by so much,
    right: int64 (J), and to the right by so much.
    begin: int64 (J), the hole that the peg leaves.
    end: int64 (J), the hole that it comes to.
    """

    gap: NDArray[np.int64]
    high_test: NDArray[np.int64]
    high_need: NDArray[np.int64]
    high_flip: NDArray[np.int64]
    low_test: NDArray[np.int64]
    low_need: NDArray[np.int64]
    kind: NDArray[np.int64]
    first: NDArray[np.int64]
    to: NDArray[np.uint32]
    source: NDArray[np.uint32]
    masks: NDArray[np.unsignedinteger]
    word_flip: NDArray[np.int64]
    left: NDArray[np.int64]
    right: NDArray[np.int64]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]


def forward_steps(order: Order) -> Steps:
    """The steps that lead to a position by a jump: two holes are empty after it, and the third has a peg."""
    return _steps(order, needs=(0, 0, 1))


def backward_steps(order: Order) -> Steps:
    """The steps that lead to a position by taking a jump back."""
    return _steps(order, needs=(1, 1, 0))


def _steps(order: Order, needs: tuple[int, int, int]) -> Steps:
    parts = [_Step(order, holes, needs) for holes in order.positions.board.jumps.tolist()]
    parts.sort(key=lambda part: part.gap)
    offsets = np.concatenate([[0], np.cumsum([len(part.to) for part in parts])])

    def column(name: str) -> NDArray[np.int64]:
        """A figure of all steps, int64 (steps)."""
        return np.array([getattr(part, name) for part in parts], dtype=np.int64)

    return Steps(
        *(column(name) for name in ("gap", "high_test", "high_need", "high_flip", "low_test", "low_need", "kind")),
        first=np.array([part.first + offset for part, offset in zip(parts, offsets, strict=False)]),
        to=np.concatenate([part.to for part in parts]).astype(np.uint32),
        source=np.concatenate([part.source for part in parts]).astype(np.uint32),
        masks=np.array([part.masks for part in parts]),
        **{name: column(name) for name in ("word_flip", "left", "right", "begin", "end")},
    )


class _Step:
    """One row of ``Steps``."""

    def __init__(self, order: Order, holes: tuple[int, int, int], needs: tuple[int, int, int]) -> None:
        positions = order.positions
        self.begin, _, self.end = holes
        wanted = dict(zip(holes, needs, strict=True))
        weight = positions.weights.weight
        # A hole that is empty after the step had a peg before it, and the other way round.
        self.gap = sum(weight[hole] * (1 - 2 * need) for hole, need in wanted.items())
        low, high = positions.core[: order.low_bits], positions.core[order.low_bits :]
        self.high_flip = self.high_test = _word(high, wanted)
        self.high_need = _word(high, {hole for hole, need in wanted.items() if need})
        # Two at most, as no jump passes over an end.
        involved = [bit for bit, hole in enumerate(positions.dependents) if hole in wanted]
        self.kind = _gathered(np.arange(1 << len(positions.dependents)), involved)
        # The other dependent ends do not matter, so any sign of the kind will do.
        self.masks = place_masks(positions, wanted, [_spread(kind, involved) for kind in range(KINDS)])
        self._place_flip(positions, wanted)
        self.low_test, self.low_need = _word(low, wanted), _word(low, {h for h, need in wanted.items() if need})
        self._pairs(order, self.low_test, self.low_need)

    def _place_flip(self, positions: PositionClass, wanted: dict[int, int]) -> None:
        changes = {bit: 1 - 2 * wanted[hole] for bit, hole in enumerate(positions.free) if hole in wanted}
        # The mask fixes the bits that are flipped, so to flip them is to add a constant: within a word, a shift.
        delta = sum(change << bit for bit, change in changes.items() if bit < 6)
        self.left, self.right = max(-delta, 0), max(delta, 0)
        self.word_flip = sum(1 << bit - 6 for bit in changes if bit >= 6)

    def _pairs(self, order: Order, test: int, need: int) -> None:
        tiles = order.tiles
        rank_in_all = np.arange(len(tiles.lows))
        # An empty list begins where the next one does, so of those that begin no later than a place the last holds it.
        lists = np.searchsorted(tiles.first, rank_in_all, side="right") - 1
        chosen = np.flatnonzero(tiles.lows & test == need)
        lows = tiles.lows[chosen]
        keys = lists[chosen] * KINDS + self.kind[tiles.low_sign[lows]]
        by_key = np.argsort(keys, kind="stable")
        # All of these agree in the bits that are flipped, so flipping them keeps the order, and both ranks ascend.
        self.to, self.source = tiles.rank[lows][by_key], tiles.rank[lows ^ test][by_key]
        self.first = np.searchsorted(keys[by_key], np.arange((len(tiles.first) - 1) * KINDS + 1))


def place_masks(positions: PositionClass, wanted: dict[int, int], signs: list[int]) -> NDArray[np.unsignedinteger]:
    """word (signs, words): the places at which the ends among ``wanted`` have their values, for each sign."""
    ends = {hole: need for hole, need in wanted.items() if hole in positions.weights.ends}
    test = np.uint64(sum(1 << hole for hole in ends))
    need = np.uint64(sum(need << hole for hole, need in ends.items()))
    return packed(positions, (positions.end_masks[signs] & test) == need)


def packed(positions: PositionClass, places: NDArray[np.bool_]) -> NDArray[np.unsignedinteger]:
    """word (..., words): truth values by place, bool (..., 2^free), as the bits of blocks."""
    missing = (1 << positions.place_bits) - places.shape[-1]
    padded = np.concatenate([places, np.zeros((*places.shape[:-1], missing), bool)], axis=-1)
    return np.packbits(padded, axis=-1, bitorder="little").view(positions.word_type)


def _word(holes: tuple[int, ...], chosen: "dict[int, int] | set[int]") -> int:
    return sum(1 << bit for bit, hole in enumerate(holes) if hole in chosen)


def _gathered(words: NDArray[np.int64], bits: list[int]) -> NDArray[np.int64]:
    """The given bits of each word, next to each other."""
    return sum(((words >> bit & 1) << i for i, bit in enumerate(bits)), np.zeros_like(words))


def _spread(word: int, bits: list[int]) -> int:
    return sum((word >> i & 1) << bit for i, bit in enumerate(bits))
