"""Shards of a cut, packed: a million without parameters take 50 MB, and 400 MB as objects.

The shards of a cut go from the worker that cuts to the driver, and from there to the worker that finishes the stage; a
bundle of them goes to the worker that computes it. All these hold, send and receive pages of compressed bytes. Only
the shards that are looked at are objects for a moment. Digests cannot be compressed, and are two thirds of the bytes.
"""

import itertools
import pickle
import zlib
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import overload

from boardspace.spec.space import Shard

# Shards of a page: they are unpacked together.
PAGE = 256


@dataclass(frozen=True, slots=True)
class CutShard:
    """Shard of a cut, and the digest that identifies its work (:func:`boardspace.storage.receipts.work_digest`)."""

    shard: Shard
    work: str


class PackedShards(Sequence[CutShard]):
    """Shards of a cut, in pages of compressed bytes; a slice is packed anew."""

    def __init__(self, shards: Iterable[CutShard] = ()) -> None:
        self.costs = array("d")  # expected seconds of each shard
        self._pages: list[bytes] = []
        left = iter(shards)
        while page := list(itertools.islice(left, PAGE)):
            self.costs.extend(one.shard.cost for one in page)
            self._pages.append(_packed(page))
        self._opened: tuple[int, list[CutShard]] = (-1, [])

    def __len__(self) -> int:
        return len(self.costs)

    def __iter__(self) -> Iterator[CutShard]:
        for page in self._pages:
            yield from _unpacked(page)

    @overload
    def __getitem__(self, index: int) -> CutShard: ...

    @overload
    def __getitem__(self, index: slice) -> "PackedShards": ...

    def __getitem__(self, index: int | slice) -> "CutShard | PackedShards":
        if isinstance(index, slice):
            return PackedShards(self[number] for number in range(len(self))[index])
        number = range(len(self))[index]
        return self._page(number // PAGE)[number % PAGE]

    def __reduce__(self) -> tuple[object, ...]:
        return _received, (self.costs, self._pages)

    def _page(self, number: int) -> list[CutShard]:
        """The shards of a page, of which the last one asked for is kept: slices are taken one after the other."""
        if self._opened[0] != number:
            self._opened = (number, _unpacked(self._pages[number]))
        return self._opened[1]


def _received(costs: "array[float]", pages: list[bytes]) -> PackedShards:
    shards = PackedShards()
    shards.costs, shards._pages = costs, pages
    return shards


def _packed(shards: Sequence[CutShard]) -> bytes:
    values = [(one.shard.name, one.shard.params, one.shard.cost, bytes.fromhex(one.work)) for one in shards]
    return zlib.compress(pickle.dumps(values, pickle.HIGHEST_PROTOCOL), 1)


def _unpacked(page: bytes) -> list[CutShard]:
    return [
        CutShard(Shard(name, params, cost), work.hex())
        for name, params, cost, work in pickle.loads(zlib.decompress(page))
    ]
