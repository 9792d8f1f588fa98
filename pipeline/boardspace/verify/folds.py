"""Folds over the neighbours of all states of a closed class: least moves in three metrics, and components.

The second rules give slides of a piece by one cell (:class:`boardspace.spec.equations.Pieces`). A straight move and a
move round corners are chains of slides of one piece. So a fold carries a value by the row and the place of the piece,
along the chain, and every stop of the chain is a row. Nothing is looked up, and no state is made.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from boardspace.spec.equations import Move, Pieces, Slide

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
        {"unit": _slides, "straight": _straight, "chain": _chains}[move](kind, values, least)
    return least


def _lower(least: Values, rows: NDArray[Any], values: Values) -> None:
    """Lower the least values of rows, each of which is there once."""
    least[rows] = np.minimum(least.take(rows), values)


def _slides(kind: Pieces, values: Values, least: Values) -> None:
    for slide in kind.slides:
        starts, ends = kind.rows[slide.home].take(slide.starts), kind.rows[slide.place].take(slide.ends)
        _lower(least, starts, values.take(ends))
        _lower(least, ends, values.take(starts))


def _straight(kind: Pieces, values: Values, least: Values) -> None:
    for forward in (True, False):
        for direction in {slide.direction for slide in kind.slides}:
            along = {place: values.take(rows) for place, rows in kind.rows.items()}
            # From the far end of each line on: where a piece slides to was lowered by what lies behind it before.
            for slide in _in_order(kind.slides, direction, forward):
                near, far = (slide.home, slide.place) if forward else (slide.place, slide.home)
                here, there = (slide.starts, slide.ends) if forward else (slide.ends, slide.starts)
                behind = along[far].take(there)
                _lower(along[near], here, behind)
                _lower(least, kind.rows[near].take(here), behind)


def _in_order(slides: Sequence[Slide], direction: int, forward: bool) -> list[Slide]:
    return sorted(
        (slide for slide in slides if slide.direction == direction), key=lambda slide: slide.home, reverse=forward
    )


def _chains(kind: Pieces, values: Values, least: Values) -> None:
    carried = {place: values.take(rows) for place, rows in kind.rows.items()}
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
    for slide in kind.slides:
        for place in (slide.home, slide.place):
            if place in carried:
                _lower(least, kind.rows[place], carried.pop(place))


def components(pieces: Sequence[Pieces], count: int) -> NDArray[np.int64]:
    """For each row the number of its component, by no order: int64 (rows)."""
    from scipy.sparse import coo_array  # these take a third of a second to import
    from scipy.sparse.csgraph import connected_components

    starts = [kind.rows[slide.home].take(slide.starts) for kind in pieces for slide in kind.slides]
    ends = [kind.rows[slide.place].take(slide.ends) for kind in pieces for slide in kind.slides]
    start, end = (np.concatenate([np.empty(0, np.int32), *some]) for some in (starts, ends))
    joined = coo_array((np.ones(len(start), np.bool_), (start, end)), shape=(count, count))
    labels: NDArray[np.int64] = connected_components(joined, directed=False)[1]
    return labels


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
