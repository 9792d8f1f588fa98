"""The order in which blocks are made and stored: by weight, then by tiles.

The lowest bits of a block's number, at most twelve, or eighteen of a large core, are its *low* part, the others its
*high* part. The blocks of one high part and one weight are a *tile*. A tile holds the low parts of one weight, the
tile's less that of its high part, and of one value of the conditions on the core, so it is one of a few ascending lists
of low parts, the same for all classes of the board. A block is found by its weight, its tile, and the *rank* of its low
part in the list.
"""

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace_kernels.solitaire.classes.position_class import PositionClass, linear_table


class Tiles(NamedTuple):
    """The tiles of a class, H high parts and L low parts, with c conditions and low weights below w.

    high_weight: int64 (H), the weight of a high part.
    high_sign: int64 (H), the sign that the class has where the low part is empty.
    high_list: int64 (H), the condition of the list of low parts that go with it.
    low_sign: int64 (L), what a low part adds to the sign.
    first: int64 (2^c * w + 1), the list of condition s and weight v is
        ``lows[first[s * w + v] : first[s * w + v + 1]]``.
    lows: int64 (L), all lists, one after the other.
    rank: int64 (L), the place of a low part in its list.
    low_weights: w.
    """

    high_weight: NDArray[np.int64]
    high_sign: NDArray[np.int64]
    high_list: NDArray[np.int64]
    low_sign: NDArray[np.int64]
    first: NDArray[np.int64]
    lows: NDArray[np.int64]
    rank: NDArray[np.int64]
    low_weights: int


class Order:
    """The order of the blocks of a class; ``low_bits``: the most bits of the low part, which are at most half of the
    core, and end where symmetries permute them among themselves."""

    def __init__(self, positions: PositionClass, low_bits: int | None = None) -> None:
        self.positions = positions
        most = min(positions.most_low_bits if low_bits is None else low_bits, len(positions.core) // 2)
        self.low_bits = max(border for border in positions.borders if border <= most)
        weights = [positions.weights.weight[hole] for hole in positions.core]
        self.low_weight = _sums(weights[: self.low_bits])
        self.high_weight = _sums(weights[self.low_bits :])
        signs = positions.signs_of(positions.core)
        self.low_signs = linear_table(signs[: self.low_bits])
        # The constant of the class is added on one side, so it counts once.
        self.high_signs = linear_table(signs[self.low_bits :]) ^ positions.constant

    @property
    def highs(self) -> int:
        """Number of high parts."""
        return len(self.high_weight)

    @property
    def heaviest(self) -> int:
        """The weight of the full core."""
        return int(self.low_weight[-1] + self.high_weight[-1])

    @cached_property
    def tiles(self) -> Tiles:
        """Tables that the kernels look up."""
        dependents = len(self.positions.dependents)
        low_weights = int(self.low_weight[-1]) + 1
        # The conditions of a low part have to cancel those of the high part with the constant: both are one number.
        lists = (self.low_signs >> dependents) * low_weights + self.low_weight
        # Stable, so that the low parts of each list ascend.
        lows = np.argsort(lists, kind="stable")
        count = np.bincount(lists, minlength=low_weights << len(self.positions.conditions))
        first = np.concatenate([[0], np.cumsum(count)])
        rank = np.empty_like(lows)
        rank[lows] = np.arange(len(lows)) - first[lists[lows]]
        sign = (1 << dependents) - 1
        return Tiles(
            self.high_weight,
            self.high_signs & sign,
            self.high_signs >> dependents,
            self.low_signs & sign,
            first,
            lows,
            rank,
            low_weights,
        )

    def starts(self, weight: int) -> NDArray[np.int64]:
        """int64 (highs + 1): the first block of each tile among the blocks of one weight, and at last their number."""
        tiles = self.tiles
        low = weight - self.high_weight
        there = (low >= 0) & (low < tiles.low_weights)
        # Where there is no list, list 0 stands in, since an index may not be out of range. It counts for nothing below.
        lists = np.where(there, tiles.high_list * tiles.low_weights + low, 0)
        sizes = np.where(there, np.diff(tiles.first)[lists], 0)
        return np.concatenate([[0], np.cumsum(sizes)])

    def numbers_of(self, part: Any) -> NDArray[np.int64]:
        """int64 (blocks): the numbers of the blocks of a piece or a layer, in its order, ascending."""
        tiles, sizes = self.tiles, np.diff(part.starts[part.begin : part.end + 1])
        highs, sizes = part.begin + np.flatnonzero(sizes), sizes[sizes > 0]
        first = tiles.first[tiles.high_list[highs] * tiles.low_weights + part.weight - tiles.high_weight[highs]]
        # Within a tile the places in the list of low parts follow one another.
        place = np.arange(sizes.sum()) + np.repeat(first - np.cumsum(sizes) + sizes, sizes)
        return np.repeat(highs << self.low_bits, sizes) | tiles.lows[place]

    @cached_property
    def gaps(self) -> tuple[int, ...]:
        """Amounts by which jumps lower the weight."""
        weight = self.positions.weights.weight
        return tuple(sorted({weight[a] + weight[b] - weight[c] for a, b, c in self.positions.board.jumps.tolist()}))

    def weight(self, position: int) -> int:
        """The weight of the core of a position."""
        weight = self.positions.weights.weight
        return sum(weight[hole] for hole in self.positions.core if position >> hole & 1)

    def find(self, position: int) -> tuple[int, int, int, int, int]:
        """(weight, high part, rank, word, bit) of a position of the class; BoardError where it is not one."""
        block, place = divmod(self.positions.number(position), 1 << self.positions.place_bits)
        high, low = divmod(block, 1 << self.low_bits)
        return self.weight(position), high, int(self.tiles.rank[low]), place >> 6, place & 63


def _sums(weights: list[int]) -> NDArray[np.int64]:
    """int64 (2^n): the sum of the weights of the bits of the index."""
    table = np.zeros(1, np.int64)
    for weight in weights:
        table = np.concatenate([table, table + weight])
    return table
