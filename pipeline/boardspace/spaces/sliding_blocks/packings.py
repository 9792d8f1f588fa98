"""All packings of a tray up to its symmetries, made with NumPy, apart from the kernels: their classes and groups.

**Codes.** The code of a packing (:mod:`.boards`) is the sum of the codes of its pieces, so a piece that slides adds the
same number to the code of every packing that it lies in.

**Classes.** Each shape has a random word, and the sum of these names the class. Two classes of a tray share a name with
a chance of 10^-7, with words that nobody knows beforehand. The images of a packing under the symmetries have names as
well; a class is *kept* if its own is the smallest of them, so one class of each orbit is.

**All of them.** The cells of the upper half are decided one after the other: a void, or a piece whose first cell it is.
The lower half is done for every set of its cells that is left free. Every packing is one of the first with one of the
second, so names, too, are sums, and of the packings of classes that are not kept no more than the name is made.
"""

import math
import secrets
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.sliding_blocks import rules
from boardspace.spaces.sliding_blocks.boards import BoardError, TraySize, code_of, touching
from boardspace.spaces.sliding_blocks.config import GROUP_CELLS, SlidingBlocksConfig
from boardspace.spec.check import distinct, places_of
from boardspace.spec.equations import Columns, ReadColumns
from boardspace.verify.folds import labels_of

Words = NDArray[np.uint64]
CHUNK = 1 << 17
"""Packings that are made or moved at once: so many stay in the cache of a core."""
SECONDS = 12.0
"""Measured for 4 x 4."""


class Ways(NamedTuple):
    """Ways to decide some cells.

    start: int64 (ways), the number of the free cells that each began with.
    free: int64 (ways), the cells that are free still.
    codes: uint64 (ways), of the pieces that were laid.
    names: uint64 (symmetries, ways), of their shapes.
    """

    start: NDArray[np.int64]
    free: NDArray[np.int64]
    codes: Words
    names: Words

    def take(self, rows: NDArray[np.int64]) -> "Ways":
        """Some of them."""
        return Ways(self.start[rows], self.free[rows], self.codes[rows], self.names[:, rows])


class Packings:
    """All packings of the kept classes of a tray of up to 16 cells, by class, in the order of their codes.

    classes: int64 (packings), the number of each packing's class.
    codes: uint64 (packings).
    names: uint64 (classes), ascending.
    orbit: int64 (classes), the number of classes in its orbit.
    group: int64 (packings), the number of the packing's group; sizes: int64 (groups).
    """

    def __init__(self, tray: TraySize) -> None:
        self.tray, self.cells, self.pairs = tray, tray.cells, touching(tray)
        self.across = tray.rows * (tray.columns - 1)
        self.has_right, self.has_lower = (
            sum(1 << one for one, _ in some) for some in (self.pairs[: self.across], self.pairs[self.across :])
        )
        self.label = np.uint64(len(self.pairs) + self.cells)
        self._lay_out_pieces()
        codes, names, orbit = (np.concatenate(some) for some in zip(*self._all(), strict=True))
        self.names = distinct(names)
        of_name = places_of(names, self.names)
        if len(self.names) >> 64 - int(self.label):
            raise ArithmeticError(f"{tray.name}: {len(self.names)} classes are too many for words of 64 bits")
        self.orbit = np.empty(len(self.names), np.int64)
        self.orbit[of_name] = orbit
        self.keys = np.sort(of_name.astype(np.uint64) << self.label | codes)
        self.classes = (self.keys >> self.label).astype(np.int64)
        self.codes = self.keys & (np.uint64(1) << self.label) - np.uint64(1)
        self.sizes, self.group = self._groups()

    def _lay_out_pieces(self) -> None:
        """All pieces, those of each first cell together, each with a void, which has no code and no name."""
        sizes = [range(1, self.cells - cell + 1) for cell in range(self.cells)]
        by_first = [
            [0, *chain.from_iterable(rules.connected(self.tray, cell, size) for size in own)]
            for cell, own in enumerate(sizes)
        ]
        laid = list(chain.from_iterable(by_first))
        self.bounds = np.cumsum([0, *map(len, by_first)])
        self.pieces = np.array(laid, np.int64)
        self.pieces[self.bounds[:-1]] = 1 << np.arange(self.cells)
        self.piece_codes = np.array([code_of(self.tray, [piece]) for piece in laid], np.uint64)
        shapes = [
            [rules.shape(self.tray, rules.image(self.tray, symmetry, piece)) if piece else 0 for piece in laid]
            for symmetry in rules.symmetries(self.tray)
        ]
        kinds, kind = np.unique(shapes, return_inverse=True)
        random = np.random.default_rng(secrets.randbits(64)).integers(0, 1 << 64, len(kinds), np.uint64)
        random[0] = 0
        self.piece_names = random[kind].reshape(len(shapes), len(laid))
        places = np.cumsum([0, *((self.cells // size).bit_length() for size in range(1, self.cells + 1))])
        self.of_size = [1 << int(place) for place in places]
        counted = [self.of_size[piece.bit_count() - 1] if piece else 0 for piece in laid]
        self.piece_sizes = np.array(counted, np.uint64)
        self.number = np.zeros(1 << self.cells, np.uint16)
        self.number[laid] = np.arange(len(laid))

    def _decided(self, free: NDArray[np.int64], cells: range) -> Ways:
        """All ways to decide some cells, the first that are free, for each of the sets of free cells."""
        count, symmetries = len(free), len(self.piece_names)
        ways = Ways(np.arange(count), free, np.zeros(count, np.uint64), np.zeros((symmetries, count), np.uint64))
        for cell in cells:
            is_free = ways.free >> cell & 1 == 1
            own, open_ = slice(self.bounds[cell], self.bounds[cell + 1]), ways.take(np.flatnonzero(is_free))
            sets, of_set = np.unique(open_.free, return_inverse=True)
            at, piece = np.nonzero((self.pieces[own] & ~sets[:, None]) == 0)
            firsts = np.searchsorted(at, np.arange(len(sets) + 1))
            counts = np.diff(firsts)[of_set]
            row = np.repeat(np.arange(len(of_set)), counts)
            piece = (
                own.start + piece[np.arange(len(row)) + np.repeat(firsts[of_set] - np.cumsum(counts) + counts, counts)]
            )
            laid, rest = open_.take(row), ways.take(np.flatnonzero(~is_free))
            ways = Ways(
                np.concatenate([rest.start, laid.start]),
                np.concatenate([rest.free, laid.free & ~self.pieces[piece]]),
                np.concatenate([rest.codes, laid.codes + self.piece_codes[piece]]),
                np.concatenate([rest.names, laid.names + self.piece_names[:, piece]], axis=1),
            )
        return ways

    def _all(self) -> Iterator[tuple[Words, Words, NDArray[np.int64]]]:
        """Yield codes of all packings of kept classes, with their names and the number of classes in the orbit."""
        half = self.cells // 2
        upper = self._decided(np.array([(1 << self.cells) - 1]), range(half))
        lower = self._decided(np.arange(1 << self.cells - half) << half, range(half, self.cells))
        uppers = np.argsort(upper.free, kind="stable")
        bounds = np.searchsorted(upper.free[uppers] >> half, np.arange((1 << self.cells - half) + 1))
        lowers = np.argsort(lower.start, kind="stable")
        lower_bounds = np.searchsorted(lower.start[lowers], np.arange((1 << self.cells - half) + 1))
        for left in range(1 << self.cells - half):
            some = lower.take(lowers[lower_bounds[left] : lower_bounds[left + 1]])
            step = max(1, CHUNK // len(some.codes))
            for low in range(bounds[left], bounds[left + 1], step):
                yield self._kept(upper.take(uppers[low : min(low + step, bounds[left + 1])]), some)

    def _kept(self, upper: Ways, lower: Ways) -> tuple[Words, Words, NDArray[np.int64]]:
        """Every one of the first with every one of the second, where the class is kept."""
        names = upper.names[0][:, None] + lower.names[0]
        one, other = np.nonzero(names <= upper.names[1][:, None] + lower.names[1])  # most are dropped without a copy
        names = names[one, other]
        same = np.ones(len(names), np.int64)
        for above, below in zip(upper.names[1:], lower.names[1:], strict=True):
            image = above[one] + below[other]
            kept = np.flatnonzero(names <= image)
            same = (same + (names == image))[kept]
            names, one, other = names[kept], one[kept], other[kept]
        return upper.codes[one] + lower.codes[other], names, len(self.piece_names) // same

    def _groups(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Sizes of all groups, and the number of each packing's group, from all slides to the right and down.

        Some whole classes at a time, as slides do not leave a class.
        """
        count = len(self.keys)
        found, sizes, low, known = np.empty(count, np.int64), [np.empty(0, np.int64)], 0, 0
        while low < count:
            high = int(np.searchsorted(self.classes, self.classes[min(low + CHUNK, count) - 1] + 1))
            keys = self.keys[low:high]
            start, end = (np.concatenate(some) for some in zip(*self._slid(self.codes[low:high], keys), strict=True))
            group = labels_of(start, end, len(keys))
            found[low:high] = known + group
            sizes.append(np.bincount(group))
            low, known = high, known + len(sizes[-1])
        return np.concatenate(sizes), found

    def _slid(self, codes: Words, keys: Words) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the packings in which a piece can slide to the right, or down, and those that they become.

        Each piece adds one number to all keys, so piece by piece they are looked up in nearly ascending order.
        """
        whole = Cells.of(self, codes)
        for shift, has, same in ((1, self.has_right, whole.right), (self.tray.columns, self.has_lower, whole.lower)):
            far, covered = np.uint32(shift), whole.covered
            blocked = covered & (~np.uint32(has) | covered >> far & ~same)
            rows, cells, left = np.arange(len(codes)), whole, covered & ~whole.spread(blocked)
            starts, pieces = [np.empty(0, np.int64)], [np.empty(0, np.uint16)]
            while len(rows := rows[some := left != 0]):
                cells, left = cells.take(some), left[some]
                piece = cells.spread(left & -left)
                starts.append(rows)
                pieces.append(self.number[piece])
                left &= ~piece
            number = np.concatenate(pieces)
            order = np.argsort(number, kind="stable")
            start, number = np.concatenate(starts)[order], number[order]
            # Pieces at the edge have a number as well, which nobody asks for.
            slid = self.number[np.minimum(self.pieces << shift, len(self.number) - 1)]
            yield start, np.searchsorted(keys, keys[start] + (self.piece_codes[slid] - self.piece_codes)[number])

    def summed(self, of_pieces: Words, codes: Words) -> Words:
        """Sums over the pieces of positions, such as their names: uint64 (..., codes), from a word for every piece.

        BoardError where a code is none.
        """
        found, rest = np.zeros((*of_pieces.shape[:-1], len(codes)), np.uint64), codes.copy()
        cells = Cells.of(self, codes)
        left = cells.covered.copy()
        while left.any():
            piece = cells.spread(left & -left)
            found += of_pieces[..., self.number[piece]]
            rest -= self.piece_codes[self.number[piece]]
            left &= ~piece
        if rest.any():
            code, tray = codes[np.argmax(rest != 0)], self.tray
            raise BoardError(f"{code} is no code of a position on the {tray.rows} x {tray.columns} tray")
        return found

    def histograms(self) -> NDArray[np.int64]:
        """The number of each class's multiset of sizes; every one that there is is among them."""
        first = np.searchsorted(self.classes, np.arange(len(self.names)))
        words, of_class = np.unique(self.summed(self.piece_sizes, self.codes[first]), return_inverse=True)
        sizes = [
            [size + 1 for size in range(self.cells) for _ in range(word % self.of_size[size + 1] // self.of_size[size])]
            for word in words.tolist()
        ]
        order = sorted(range(len(sizes)), key=lambda n: (len(sizes[n]), sizes[n][::-1]))
        return np.argsort(order)[of_class]

    def from_image(self, symmetry: int) -> dict[int, int]:
        """For each bit of a code's image under a symmetry the bit of the code."""
        cell = [rules.image(self.tray, symmetry, 1 << one).bit_length() - 1 for one in range(self.cells)]
        bit = {pair: number for number, pair in enumerate(self.pairs)}
        pairs = {bit[min(images), max(images)]: n for n, images in enumerate((cell[a], cell[b]) for a, b in self.pairs)}
        return pairs | {len(bit) + cell[one]: len(bit) + one for one in range(self.cells)}


class Cells(NamedTuple):
    """Cells of packings: the covered ones, and those whose right, or lower, neighbour is of the same piece.

    columns: of the tray.
    covered, right, lower: uint32 (packings), a bit for each cell.
    """

    columns: np.uint32
    covered: NDArray[np.uint32]
    right: NDArray[np.uint32]
    lower: NDArray[np.uint32]

    @classmethod
    def of(cls, packings: Packings, codes: Words) -> "Cells":
        """The cells of packings that are given by their codes."""
        rows, columns = packings.tray
        pairs, right = codes.astype(np.uint32), np.zeros(len(codes), np.uint32)
        for row in range(rows):  # a row has a pair less than cells, so pairs move up by a bit for each row above
            right |= (pairs & np.uint32((1 << columns - 1) - 1 << row * (columns - 1))) << np.uint32(row)
        covered = (codes >> np.uint64(len(packings.pairs))).astype(np.uint32)
        lower = (codes >> np.uint64(packings.across)).astype(np.uint32) & np.uint32(packings.has_lower)
        return cls(np.uint32(columns), covered, right, lower)

    def take(self, rows: NDArray[np.bool_]) -> "Cells":
        """Some of them."""
        return Cells(self.columns, *(values[rows] for values in self[1:]))

    def spread(self, cells: NDArray[np.uint32]) -> NDArray[np.uint32]:
        """All cells of the pieces that have some of these."""
        one = np.uint32(1)
        while True:
            more = cells | (cells & self.right) << one | cells >> one & self.right
            more |= (more & self.lower) << self.columns | more >> self.columns & self.lower
            if np.array_equal(more, cells):
                return cells
            cells = more


def _permuted(words: Words, places: Mapping[int, int]) -> Words:
    """Words with their bits at other places: those that go equally far at once."""
    masks: dict[int, int] = {}
    for here, there in places.items():
        masks[there - here] = masks.get(there - here, 0) | 1 << here
    found = np.zeros_like(words)
    for far, mask in masks.items():
        some = words & np.uint64(mask)
        found |= some << np.uint64(far) if far >= 0 else some >> np.uint64(-far)
    return found


def seconds_of(config: SlidingBlocksConfig) -> Mapping[str, float]:
    """Seconds that all packings of each tray take: for every cell of it 2.75 times as long."""
    return {
        tray.name: SECONDS * 2.75 ** (tray.cells - GROUP_CELLS) if tray.cells <= GROUP_CELLS else math.inf
        for tray in config.trays
    }


def make(config: SlidingBlocksConfig, name: str, read: ReadColumns) -> Mapping[str, Columns]:
    """The rows of a tray: of all classes up to symmetry, and of the published classes and groups.

    Of each orbit the class stands in the table that it has there.
    """
    tray = next(tray for tray in config.trays if tray.name == name)
    packings = Packings(tray)
    count = len(packings.names)
    of_group = np.empty(len(packings.sizes), np.int64)
    of_group[packings.group] = packings.classes
    several = packings.sizes >= 2
    positions = np.bincount(packings.classes, minlength=count)
    joined = np.bincount(of_group, np.where(several, packings.sizes, 0), count).astype(np.int64)
    largest = np.zeros(count, np.int64)
    np.maximum.at(largest, of_group, packings.sizes)
    classes = {
        "histogram": packings.histograms(),
        "orbit": packings.orbit,
        "positions": positions,
        "groups": np.bincount(of_group, minlength=count),
        "joined": joined,
        "alone": positions - joined,
        "largest_group": largest,
    }
    code = _codes_as_published(packings, several, joined > 0, read("classes", ["code"])["code"])
    order = np.lexsort((code, classes["histogram"]))
    order = order[joined[order] > 0]
    listed = {"code": code[order]} | {column: values[order] for column, values in classes.items()}
    place = np.full(count, -1)
    place[order] = np.arange(len(order))
    groups = np.flatnonzero(several)
    groups = groups[np.lexsort((-packings.sizes[groups], place[of_group[groups]]))]
    at = place[of_group[groups]]
    return {
        "packings": classes,
        "classes": listed,
        "groups": {
            "histogram": listed["histogram"][at],
            "code": listed["code"][at],
            "group_num": np.arange(len(at)) - np.searchsorted(at, at),
            "positions": packings.sizes[groups],
        },
    }


def _codes_as_published(
    packings: Packings, several: NDArray[np.bool_], listed: NDArray[np.bool_], published: Words
) -> Words:
    """The smallest code in groups of two and more, of the class that a table has of each orbit; 0 of others.

    Where a table has none, of the kept class.
    """
    names = packings.summed(packings.piece_names, published)
    symmetry, name = names.argmin(axis=0), names.min(axis=0)
    at = np.minimum(np.searchsorted(packings.names, name), len(packings.names) - 1)
    way = np.zeros(len(packings.names), np.int64)
    way[at[packings.names[at] == name]] = symmetry[packings.names[at] == name]
    rows = np.flatnonzero(several[packings.group])
    turned = way[packings.classes[rows]]
    found = np.full(len(packings.names), np.iinfo(np.uint64).max, np.uint64)
    for number in range(len(packings.piece_names)):
        some = rows[turned == number]
        np.minimum.at(found, packings.classes[some], _permuted(packings.codes[some], packings.from_image(number)))
    return np.where(listed, found, np.uint64(0))
