"""Layouts searched with NumPy, apart from the kernels: the graph of their moves, distances and layers, for checks.

The layouts are any that moves do not leave, in any order. The *key* of a layout is the sum, modulo 2^64, of a random
number for each kind and cell of its pieces, so that a move changes it by one difference. Keys of different layouts
differ (tried, not supposed), so a moved layout is looked up by its key.

All layouts with a piece at the same cell move at once: where the piece can stand is a mask for each of them, spread
from the piece's own cell through the cells where it fits.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.rules import (
    BLOCK,
    BOARD,
    LYING,
    STANDING,
    Board,
    Layouts,
    Masks,
    encoded,
    mirrored,
    upside_down,
)
from boardspace.spec.check import places_of

UNREACHED = -1
NUMBERS = np.random.default_rng(0).integers(0, 2**64, (4, 25), dtype=np.uint64)
"""Random numbers of each kind of piece at each cell."""


def keys_of(layouts: Layouts) -> NDArray[np.uint64]:
    """The keys of layouts."""
    keys = np.zeros(len(layouts.codes), np.uint64)
    for kind in range(4):
        for place in layouts.board.places[kind]:
            keys += np.where(layouts.anchors[kind] & np.int32(1 << place), NUMBERS[kind, place], np.uint64(0))
    return keys


class Graph(NamedTuple):
    """Moves between layouts: those from layout i lead to ``ends[starts[i]:starts[i + 1]]``."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def from_layouts(self, layouts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The layouts one move from these, one after another."""
        first, counts = self.starts[layouts], self.starts[layouts + 1] - self.starts[layouts]
        before = np.cumsum(counts) - counts
        return self.ends[np.repeat(first - before, counts) + np.arange(counts.sum())]


def move_graph(layouts: Layouts, metric: str) -> Graph:
    """All moves between layouts that are closed under moves; KeyError where a move leads to none of them.

    ``metric`` is ``unit_move``, ``straight_step`` or ``step``.
    """
    keys = keys_of(layouts)
    order = np.argsort(keys)
    by_key = keys[order]
    if (by_key[1:] == by_key[:-1]).any():
        raise KeyError("a layout is there twice")
    starts, moved = [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
    for moves in _moves(layouts, metric):
        numbers = NUMBERS[moves.kind]
        starts.append(moves.rows)
        moved.append(keys[moves.rows] - numbers[moves.home] + numbers[moves.place])
    start, key = np.concatenate(starts), np.concatenate(moved)
    places = np.minimum(places_of(key, by_key), len(order) - 1)
    if (by_key[places] != key).any():
        raise KeyError(f"a move leads from layout {start[by_key[places] != key][0]} to none of the layouts")
    in_order = np.argsort(start, kind="stable")
    bounds = np.searchsorted(start[in_order], np.arange(len(order) + 1))
    return Graph(bounds, order[places[in_order]])


class Moves(NamedTuple):
    """Moves of one kind of piece from one cell to another.

    rows: int64 (moves), the numbers of the layouts.
    kind, home, place: of the piece, the cell of its upper left corner before and after.
    """

    rows: NDArray[np.int64]
    kind: int
    home: int
    place: int


def _moves(layouts: Layouts, metric: str) -> Iterator[Moves]:
    board = layouts.board
    for kind in range(4):
        for home in board.places[kind]:
            rows = np.flatnonzero(layouts.anchors[kind] >> home & 1)
            if not len(rows):
                continue
            others = layouts.occupied[rows] & ~np.int32(board.shapes[kind] << home)
            reached = _reached(board, home, _fitting(board, kind, np.int32(board.everywhere) & ~others), metric)
            for place in range(board.cells):
                moving = rows[reached >> place & 1 == 1]
                if len(moving):
                    yield Moves(moving, kind, home, place)


class Steps(NamedTuple):
    """Moves of some layouts of a range of codes.

    starts, ends: int64 (moves), the places of the layouts in the range; a move that leads out of it has the end -1.
    missing: bool (moves), whether the range should hold the end and does not.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    missing: NDArray[np.bool_]


def steps_inside(codes: NDArray[np.uint64], rows: NDArray[np.int64], metric: str) -> Steps:
    """All moves of the layouts at ``rows`` of ``codes``, which ascend."""
    layouts = Layouts(codes[rows])
    starts, anchors = [np.empty(0, np.int64)], [np.empty((4, 0), np.int32)]
    for moves in _moves(layouts, metric):
        moved = layouts.anchors[:, moves.rows]
        moved[moves.kind] ^= 1 << moves.home | 1 << moves.place
        starts.append(rows[moves.rows])
        anchors.append(moved)
    start, code = np.concatenate(starts), encoded(BOARD, np.concatenate(anchors, axis=1))
    inside = (codes[0] <= code) & (code <= codes[-1])
    ends = places_of(np.where(inside, code, codes[0]), codes)
    missing = inside & (codes[ends] != code)
    return Steps(start, np.where(inside, ends, -1), missing)


def _fitting(board: Board, kind: int, free: Masks) -> Masks:
    """The cells where a piece fits, as masks, where the cells ``free`` are."""
    if kind in (BLOCK, LYING):
        free = free & free >> np.int32(1) & ~np.int32(board.last_column)
    if kind in (BLOCK, STANDING):
        free = free & free >> np.int32(board.columns)
    return free


def _beside(board: Board, places: Masks, way: int) -> Masks:
    """The cells on one side, of four, of those of the masks ``places``."""
    if way == 0:
        return places << np.int32(1) & ~np.int32(board.first_column)
    if way == 1:
        return places >> np.int32(1) & ~np.int32(board.last_column)
    columns = np.int32(board.columns)
    return places << columns & np.int32(board.everywhere) if way == 2 else places >> columns


def _reached(board: Board, home: int, fitting: Masks, metric: str) -> Masks:
    """The cells that a piece at ``home`` reaches in one move through those where it fits."""
    at_home = np.full(len(fitting), 1 << home, np.int32)
    if metric == "unit_move":
        return _spread(board, at_home) & fitting
    reached = at_home.copy()
    if metric == "straight_step":
        for way in range(4):
            places = at_home
            while (places := _beside(board, places, way) & fitting).any():
                reached |= places
    else:
        places = at_home
        while (places := _spread(board, places) & fitting & ~reached).any():
            reached |= places
    return reached ^ at_home


def _spread(board: Board, places: Masks) -> Masks:
    return _beside(board, places, 0) | _beside(board, places, 1) | _beside(board, places, 2) | _beside(board, places, 3)


def components(graph: Graph) -> NDArray[np.int64]:
    """For each layout the smallest that moves join with it: int64 (layouts)."""
    labels = np.arange(len(graph.starts) - 1)
    starts = np.repeat(labels, np.diff(graph.starts))
    while True:
        ends = labels[graph.ends]
        if (labels[starts] == ends).all():
            return labels
        np.minimum.at(labels, labels[starts], ends)
        while (labels[labels] != labels).any():
            labels = labels[labels]


def distances(graph: Graph, sources: NDArray[np.int64]) -> NDArray[np.int64]:
    """For each layout the number of moves from the nearest source, UNREACHED where there is no way."""
    found = np.full(len(graph.starts) - 1, UNREACHED)
    for moves, layer in enumerate(layers(graph, sources)):
        found[layer] = moves
    return found


def layers(graph: Graph, sources: NDArray[np.int64]) -> Iterator[NDArray[np.int64]]:
    """Yield the layouts 0, 1, 2, ... moves from the nearest of the sources."""
    seen = np.zeros(len(graph.starts) - 1, dtype=np.bool_)
    number = np.empty(len(seen), dtype=np.int64)
    layer = sources
    while len(layer):
        seen[layer] = True
        yield layer
        ends = graph.from_layouts(layer)
        ends = ends[~seen[ends]]
        number[ends] = np.arange(len(ends))
        layer = ends[number[ends] == np.arange(len(ends))]


def image_codes(codes: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """The codes of the images of layouts left-right, up-down, and both."""
    anchors = Layouts(codes).anchors
    down = upside_down(BOARD, anchors)
    return [encoded(BOARD, image) for image in (mirrored(BOARD, anchors), down, mirrored(BOARD, down))]
