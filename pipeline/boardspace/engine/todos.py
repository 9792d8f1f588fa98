"""Shards to do, packed: a million without parameters take 50 MB, and 400 MB as objects.

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
class Todo:
    """Shard to do, and the digest that identifies its work (:func:`boardspace.storage.receipts.work_digest`)."""

    shard: Shard
    work: str


class Todos(Sequence[Todo]):
    """Shards to do, in pages of compressed bytes; a slice is packed anew."""

    def __init__(self, todos: Iterable[Todo] = ()) -> None:
        self.costs = array("d")  # expected seconds of each shard
        self._pages: list[bytes] = []
        left = iter(todos)
        while page := list(itertools.islice(left, PAGE)):
            self.costs.extend(todo.shard.cost for todo in page)
            self._pages.append(_packed(page))
        self._opened: tuple[int, list[Todo]] = (-1, [])

    def __len__(self) -> int:
        return len(self.costs)

    def __iter__(self) -> Iterator[Todo]:
        for page in self._pages:
            yield from _unpacked(page)

    @overload
    def __getitem__(self, index: int) -> Todo: ...

    @overload
    def __getitem__(self, index: slice) -> "Todos": ...

    def __getitem__(self, index: int | slice) -> "Todo | Todos":
        if isinstance(index, slice):
            return Todos(self[number] for number in range(len(self))[index])
        number = range(len(self))[index]
        return self._page(number // PAGE)[number % PAGE]

    def __reduce__(self) -> tuple[object, ...]:
        return _received, (self.costs, self._pages)

    def _page(self, number: int) -> list[Todo]:
        """The shards of a page, of which the last one asked for is kept: slices are taken one after the other."""
        if self._opened[0] != number:
            self._opened = (number, _unpacked(self._pages[number]))
        return self._opened[1]


def _received(costs: "array[float]", pages: list[bytes]) -> Todos:
    todos = Todos()
    todos.costs, todos._pages = costs, pages
    return todos


def _packed(todos: Sequence[Todo]) -> bytes:
    values = [(todo.shard.name, todo.shard.params, todo.shard.cost, bytes.fromhex(todo.work)) for todo in todos]
    return zlib.compress(pickle.dumps(values, pickle.HIGHEST_PROTOCOL), 1)


def _unpacked(page: bytes) -> list[Todo]:
    return [
        Todo(Shard(name, params, cost), work.hex()) for name, params, cost, work in pickle.loads(zlib.decompress(page))
    ]
