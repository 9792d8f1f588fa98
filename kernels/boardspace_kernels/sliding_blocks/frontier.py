"""All packings of a tray counted by the sizes of their pieces, without making one: a frontier of components.

The cells are added in reading order. What the cells to come can still touch is the *frontier*: of each column the last
cell. A cell is a void, or it belongs to the piece of the cell above, to that of the cell on its left, to both, which
then are one piece, or to a new one. Two cells that touch either lie in the same piece or do not, for good: so a state
holds the components of the frontier's cells, and which pairs of them have touched and must stay apart. Without these
pairs a packing in which two arms of a piece meet later would be counted twice.

A component that leaves the frontier is a finished piece. To count by sizes, the sizes of a state's components and of
the finished pieces are written as one number, its *key*, and all keys of a state take each step together, as arrays.
"""

import functools
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Sizes = tuple[int, ...]
Unsized = tuple[tuple[int, ...], frozenset[tuple[int, int]]]
"""Component of each column's last cell (0 a void or no cell yet, else numbered from 1 in order), and pairs that stay
apart."""
State = tuple[tuple[int, ...], frozenset[tuple[int, int]], Sizes]
"""The same, and the sizes of the components 1, 2, ..."""
SIZE_BITS = 5
"""Of a component's size in a key; the number of the finished pieces' multiset stands above those of all columns."""


class SizeSets(NamedTuple):
    """Every multiset of piece sizes up to a sum.

    sizes: each as an ascending tuple, ordered by sum.
    plus: int64 (sum + 1, multisets), the multiset with one more piece of a size; -1 beyond the sum.
    """

    sizes: tuple[Sizes, ...]
    plus: Ints


def count_packings(rows: int, columns: int) -> int:
    """The number of packings of a tray, void and full ones included; any size, in time and states 5 ** columns."""
    # States grow with the columns, a frontier cell for each, so these are the shorter side.
    if columns > rows:
        rows, columns = columns, rows
    states: Counter[Unsized] = Counter({((0,) * columns, frozenset()): 1})
    for cell in range(rows * columns):
        following: Counter[Unsized] = Counter()
        for (labels, apart), ways in states.items():
            for step in _steps(labels, apart, cell % columns, cell < columns):
                following[step.labels, step.apart] += ways
        states = following
    return sum(states.values())


@functools.cache
def count_by_sizes(rows: int, columns: int) -> dict[Sizes, int]:
    """The number of packings with each multiset of piece sizes, for trays of up to 20 cells.

    Ordered by number of pieces, then by the sizes in descending order.
    """
    if columns > rows:
        rows, columns = columns, rows
    sets, set_shift = size_sets(rows * columns), SIZE_BITS * columns
    layer = {((0,) * columns, frozenset[tuple[int, int]]()): (np.zeros(1, dtype=np.int64), np.ones(1, dtype=np.int64))}
    for cell in range(rows * columns):
        following: dict[Unsized, list[tuple[Ints, Ints]]] = {}
        for (labels, apart), (keys, ways) in layer.items():
            # Number 0 is the new cell, as in the parts of a step.
            there = [np.ones_like(keys), *_open_sizes(keys, labels)]
            finished = keys >> set_shift
            for step in _steps(labels, apart, cell % columns, cell < columns):
                after = (sets.plus[there[step.closed], finished] if step.closed else finished) << set_shift
                for number, parts in enumerate(step.parts):
                    after = after | sum(there[part] for part in parts) << SIZE_BITS * number
                following.setdefault((step.labels, step.apart), []).append((after, ways))
        layer = {state: _added_up(some) for state, some in following.items()}
    total = np.zeros(len(sets.sizes), dtype=np.int64)
    for (labels, _), (keys, ways) in layer.items():
        finished = keys >> set_shift
        # Behind the last cell the components that are still open are finished pieces, too.
        for sizes in _open_sizes(keys, labels):
            finished = sets.plus[sizes, finished]
        np.add.at(total, finished, ways)
    found = {sizes: int(ways) for sizes, ways in zip(sets.sizes, total.tolist(), strict=True) if ways}
    return dict(sorted(found.items(), key=lambda item: (len(item[0]), item[0][::-1])))


@functools.cache
def size_sets(most: int) -> SizeSets:
    """All multisets of sizes with a sum of up to ``most``."""
    by_sum: list[list[Sizes]] = [[] for _ in range(most + 1)]
    for total in range(most + 1):
        by_sum[total] = list(_partitions(total, total))
    sizes = tuple(part for parts in by_sum for part in parts)
    number = {part: index for index, part in enumerate(sizes)}
    plus = np.full((most + 1, len(sizes)), -1, dtype=np.int64)
    for index, part in enumerate(sizes):
        for size in range(1, most - sum(part) + 1):
            plus[size, index] = number[tuple(sorted((*part, size)))]
    return SizeSets(sizes, plus)


def _partitions(total: int, largest: int) -> Iterator[Sizes]:
    """The partitions of a number into parts of up to ``largest``, each ascending."""
    if total == 0:
        yield ()
    for last in range(min(total, largest), 0, -1):
        for rest in _partitions(total - last, last):
            yield (*rest, last)


def _open_sizes(keys: Ints, labels: tuple[int, ...]) -> list[Ints]:
    """The sizes of the components 1, 2, ... in these keys."""
    return [keys >> SIZE_BITS * number & (1 << SIZE_BITS) - 1 for number in range(max(labels))]


def _added_up(some: list[tuple[Ints, Ints]]) -> tuple[Ints, Ints]:
    """Keys, ascending and distinct, and the sums of their ways."""
    keys, ways = (np.concatenate(columns) for columns in zip(*some, strict=True))
    order = np.argsort(keys)
    keys = keys[order]
    # No key is negative, so the first one counts as new.
    first = np.flatnonzero(np.diff(keys, prepend=-1))
    return keys[first], np.add.reduceat(ways[order], first)


def _successors(state: State, column: int, first_row: bool) -> Iterator[tuple[State, int]]:
    """The states after one more cell, each with the size of the piece that it finishes, 0 for none."""
    labels, apart, sizes = state
    up = 0 if first_row else labels[column]
    left = labels[column - 1] if column else 0
    new = max(labels, default=0) + 1
    yield _renamed(labels, apart, sizes, column, 0)  # a void
    # The new number is the largest, so each pair is in order.
    apart_new = apart | {(label, new) for label in {up, left} - {0}}
    yield _renamed(labels, apart_new, (*sizes, 1), column, new)  # a new piece
    for own, other in ((up, left), (left, up)):
        if own and own != other:  # one neighbour's piece and not the other's
            # The cell touches the other piece without joining it, so both stay apart for good.
            kept = apart | ({(min(own, other), max(own, other))} if other else frozenset())
            yield _renamed(labels, kept, _grown(sizes, own, 1), column, own)
    if up and up == left:
        yield _renamed(labels, apart, _grown(sizes, up, 1), column, up)
    elif up and left and (min(up, left), max(up, left)) not in apart:  # it joins both
        joined = tuple(up if label == left else label for label in labels)
        # No pair becomes (up, up), as these two were not apart.
        pairs = {(up if a == left else a, up if b == left else b) for a, b in apart}
        pairs = frozenset((min(pair), max(pair)) for pair in pairs)
        grown = _grown(sizes, up, 1 + sizes[left - 1])
        yield _renamed(joined, pairs, grown, column, up)


class Step(NamedTuple):
    """One way to add a cell, for all sizes of the components.

    labels, apart: of the state after it.
    parts: of each component after it, the components before that it is made of; 0 is the new cell.
    closed: the component before that it finishes; 0 for none.
    """

    labels: tuple[int, ...]
    apart: frozenset[tuple[int, int]]
    parts: tuple[tuple[int, ...], ...]
    closed: int


@functools.lru_cache(1 << 14)
def _steps(
    labels: tuple[int, ...], apart: frozenset[tuple[int, int]], column: int, first_row: bool
) -> tuple[Step, ...]:
    """The ways to add a cell. Sizes that are powers of two, and 1 for the cell, tell which of them were added up."""
    marks = tuple(2 << number for number in range(max(labels, default=0)))
    found = []
    for (after, kept, sums), closed in _successors((labels, apart, marks), column, first_row):
        parts = tuple(tuple(part for part in range(total.bit_length()) if total >> part & 1) for total in sums)
        found.append(Step(after, kept, parts, max(closed.bit_length() - 1, 0)))
    return tuple(found)


def _grown(sizes: Sizes, label: int, by: int) -> Sizes:
    return tuple(size + by if number == label else size for number, size in enumerate(sizes, 1))


def _renamed(
    labels: tuple[int, ...], apart: frozenset[tuple[int, int]], sizes: Sizes, column: int, label: int
) -> tuple[State, int]:
    """The state with the cell in its column, components numbered from 1 in the order of the columns; and the size of
    the component that left the frontier, 0 for none."""
    gone = labels[column]
    labels = (*labels[:column], label, *labels[column + 1 :])
    names: dict[int, int] = {}
    for old in labels:
        if old:
            names.setdefault(old, len(names) + 1)
    closed = sizes[gone - 1] if gone and gone not in names else 0
    # A finished piece can join no other any more, so its pairs go.
    kept = frozenset((min(names[a], names[b]), max(names[a], names[b])) for a, b in apart if a in names and b in names)
    state = (tuple(names.get(old, 0) for old in labels), kept, tuple(sizes[old - 1] for old in names))
    return state, closed
