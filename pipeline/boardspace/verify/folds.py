"""Folds over the neighbours of all states of a closed class: least moves in three metrics, and components.

The second rules give slides of a piece by one cell (:class:`boardspace.spec.equations.Pieces`). A straight move and a
move round corners are chains of slides of one piece. So a fold carries a value by the row and the place of the piece,
along the chain, and every stop of the chain is a row. Nothing is looked up, and no state is made.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spec.check import distinct
from boardspace.spec.equations import Move, Pieces

FAR = np.iinfo(np.int16).max - 1
"""Above every number of moves: there is no way."""
Values = NDArray[np.int16]


def least_neighbour(pieces: Sequence[Pieces], values: Values, move: Move) -> Values:
    """The least value of the rows one move away, the row itself aside or not: int16 (rows), FAR where there is none.

    Of a chain of slides the row itself is a stop as well. That changes nothing where values are compared with one more
    than the least: a row that is the least of its own stops has no other stop below it.
    """
    least = np.full(len(values), FAR, np.int16)
    for kind in pieces:
        if move == "chain":
            _chains(kind, values, least)
        else:
            for starts, ends in moves([kind], move):
                _lower(least, starts, values.take(ends))
    return least


def _lower(least: Values, rows: NDArray[Any], values: Values) -> None:
    least[rows] = np.minimum(least.take(rows), values)


def _chains(kind: Pieces, values: Values, least: Values) -> None:
    places = {place for slide in kind.slides for place in (slide.home, slide.place)}
    carried = {place: values.take(kind.rows[place]) for place in places}
    lowered = set(carried)
    slides = sorted(kind.slides, key=lambda slide: slide.home)
    while lowered:
        before, lowered = lowered, set()
        for slide in (*slides, *reversed(slides)):
            if slide.home not in before | lowered and slide.place not in before | lowered:
                continue
            one, other = carried[slide.home].take(slide.starts), carried[slide.place].take(slide.ends)
            both = np.minimum(one, other)
            if (both < one).any():
                carried[slide.home][slide.starts] = both
                lowered.add(slide.home)
            if (both < other).any():
                carried[slide.place][slide.ends] = both
                lowered.add(slide.place)
    for place, some in carried.items():
        _lower(least, kind.rows[place], some)


def moves(pieces: Sequence[Pieces], move: Move) -> Iterator[tuple[NDArray[Any], NDArray[Any]]]:
    """Yield all moves in parts: the rows that they begin at, and the rows that they lead to."""
    for kind in pieces:
        if move == "chain":
            yield _joined_pairs(kind)
            continue
        for slide in kind.slides:
            near, far = slide.near, slide.far
            yield from ((near, far), (far, near))
            place, slots = slide.place, slide.ends
            while move == "straight" and len(slots):
                further = next((s for s in kind.slides if (s.home, s.direction) == (place, slide.direction)), None)
                if further is None:
                    break
                number = np.full(len(kind.rows[place]), -1, np.int32)  # of the slide on, by the slot
                number[further.starts] = np.arange(len(further.starts))
                at = number.take(slots)
                goes = at >= 0
                near, place, slots = near[goes], further.place, further.ends.take(at[goes])
                far = kind.rows[place].take(slots)
                yield from ((near, far), (far, near))


def _joined_pairs(kind: Pieces) -> tuple[NDArray[Any], NDArray[Any]]:
    """All pairs of rows, both ways, between which one piece moves by any number of slides."""
    places = list(kind.rows)
    first = dict(zip(places, np.cumsum([0, *(len(kind.rows[place]) for place in places)]).tolist(), strict=False))
    rows = np.concatenate([np.empty(0, np.int32), *kind.rows.values()])
    starts = np.concatenate([np.empty(0, np.int64), *(slide.starts + first[slide.home] for slide in kind.slides)])
    ends = np.concatenate([np.empty(0, np.int64), *(slide.ends + first[slide.place] for slide in kind.slides)])
    labels = labels_of(starts, ends, len(rows))
    moved = distinct(np.concatenate([starts, ends]))
    moved = moved[np.argsort(labels[moved], kind="stable")]
    sizes = np.unique(labels[moved], return_counts=True)[1]
    each = np.repeat(sizes, sizes)  # for every slot how many its piece can be at
    begin = np.repeat(np.cumsum(sizes) - sizes, sizes)
    near = np.repeat(np.arange(len(moved)), each)
    far = np.arange(len(near)) - np.repeat(np.cumsum(each) - each, each) + begin[near]
    others = near != far
    return rows[moved[near[others]]], rows[moved[far[others]]]


def ways(pieces: Sequence[Pieces], values: NDArray[Any], steps: NDArray[Any], move: Move) -> NDArray[Any]:
    """For each row the sum of the values of the rows one move away whose steps are one less."""
    found = np.zeros_like(values)
    for starts, ends in moves(pieces, move):
        nearer = (steps[ends] == steps[starts] - 1) & (steps[ends] >= 0)
        np.add.at(found, starts[nearer], values[ends[nearer]])
    return found


class Graph(NamedTuple):
    """Moves between rows: those from row i lead to ``ends[starts[i]:starts[i + 1]]``."""

    starts: NDArray[np.int64]
    ends: NDArray[Any]

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def origins(self) -> NDArray[np.int64]:
        """The row that each move begins at."""
        return np.repeat(np.arange(len(self)), np.diff(self.starts))

    def from_rows(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """The rows one move from these, one after another."""
        first, counts = self.starts[rows], self.starts[rows + 1] - self.starts[rows]
        before = np.cumsum(counts) - counts
        return self.ends[np.repeat(first - before, counts) + np.arange(counts.sum())]

    def layers(self, sources: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
        """Yield the rows 0, 1, 2, ... moves from the nearest of the sources."""
        seen, number = np.zeros(len(self), np.bool_), np.empty(len(self), np.int64)
        layer = sources
        while len(layer):
            seen[layer] = True
            yield layer
            ends = self.from_rows(layer)
            ends = ends[~seen[ends]]
            number[ends] = np.arange(len(ends))
            layer = ends[number[ends] == np.arange(len(ends))]

    def distances(self, sources: NDArray[np.int64]) -> NDArray[np.int64]:
        """For each row the number of moves from the nearest source, -1 where there is no way."""
        found = np.full(len(self), -1)
        for number, layer in enumerate(self.layers(sources)):
            found[layer] = number
        return found

    def of(self, rows: NDArray[np.int64]) -> "Graph":
        """The graph of some rows, in their order; ValueError where a move leads from these to others."""
        place = np.full(len(self), -1)
        place[rows] = np.arange(len(rows))
        ends = place[self.from_rows(rows)]
        if (ends < 0).any():
            raise ValueError("a move leads from these rows to others")
        return Graph(np.cumsum([0, *np.diff(self.starts)[rows]]), ends)


def graph_of(pieces: Sequence[Pieces], count: int, move: Move) -> Graph:
    """All moves between rows; the ends of each row ascend."""
    some = list(moves(pieces, move))
    start, end = (np.concatenate([np.empty(0, np.int64), *parts]) for parts in zip(*some, strict=True))
    order = np.lexsort((end, start))
    return Graph(np.searchsorted(start[order], np.arange(count + 1)), end[order])


def labels_of(starts: NDArray[Any], ends: NDArray[Any], count: int) -> NDArray[np.int64]:
    """For each of ``count`` numbers that of its component, where these are joined."""
    from scipy.sparse import coo_array  # these take a third of a second to import
    from scipy.sparse.csgraph import connected_components

    joined = coo_array((np.ones(len(starts)), (starts, ends)), shape=(count, count)).tocsr()
    labels: NDArray[np.int64] = connected_components(joined, directed=False)[1]
    return labels


def components(pieces: Sequence[Pieces], count: int) -> NDArray[np.int64]:
    """For each row the number of its component, by no order: int64 (rows)."""
    slides = [slide for kind in pieces for slide in kind.slides]
    start, end = (
        np.concatenate([np.empty(0, np.int32), *some])
        for some in ((slide.near for slide in slides), (slide.far for slide in slides))
    )
    return labels_of(start, end, count)


def numbered(labels: NDArray[Any]) -> NDArray[np.int64]:
    """For each row the number of its component, the largest 0, equal ones by their least row: int64 (rows)."""
    sizes = np.bincount(labels)
    seeds = np.empty(len(sizes), np.int64)
    seeds[labels[::-1]] = np.arange(len(labels))[::-1]
    ranks = np.empty(len(sizes), np.int64)
    ranks[np.lexsort((seeds, -sizes))] = np.arange(len(sizes))
    return ranks[labels]


def places_within(number: NDArray[Any]) -> NDArray[np.int64]:
    """For each row how many rows before it have the same number."""
    order = np.argsort(number, kind="stable")
    sizes = np.bincount(number)
    place = np.empty(len(number), np.int64)
    place[order] = np.arange(len(number)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return place
