"""Whole classes walked with NumPy, apart from the kernels: groups and distances for checks.

A layout is given by masks of the upper left cells of its pieces, one for each kind: the block, lying dominoes, standing
ones and singles. Its *key* is the sum, modulo 2^64, of a random number for each kind and cell, so that a move changes
it by one difference. Keys of different layouts differ (tried, not supposed), so a moved layout is looked up by its key.

All layouts with a piece at the same cell move at once: where the piece can stand is a mask for each of them, spread
from the piece's own cell through the cells where it fits.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.texts import COLUMNS, ROWS
from boardspace.spec.check import places_of

BLOCK, LYING, STANDING, SINGLE = range(4)
UNREACHED = -1


class Board:
    """A frame of columns x rows cells with masks and random numbers for each piece."""

    def __init__(self, columns: int = COLUMNS, rows: int = ROWS) -> None:
        self.columns, self.rows, self.cells = columns, rows, columns * rows
        self.everywhere = (1 << self.cells) - 1
        self.all_cells = np.array([self.everywhere])
        self.first_column = sum(1 << columns * row for row in range(rows))
        self.last_column = self.first_column << columns - 1
        self.shapes = (3 | 3 << columns, 3, 1 | 1 << columns, 1)
        self.numbers = np.random.default_rng(0).integers(0, 2**64, (4, self.cells), dtype=np.uint64)
        self.exits = sum(1 << columns * (rows - 2) + column for column in {(columns - 2) // 2, (columns - 1) // 2})

    def fitting(self, kind: int, free: NDArray[np.int64]) -> NDArray[np.int64]:
        """The cells where a piece fits, as masks, where the cells ``free`` are."""
        if kind in (BLOCK, LYING):
            free = free & free >> 1 & ~self.last_column
        if kind in (BLOCK, STANDING):
            free = free & free >> self.columns
        return free

    def beside(self, places: NDArray[np.int64], way: int) -> NDArray[np.int64]:
        """The cells on one side, of four, of those of the masks ``places``."""
        if way == 0:
            return places << 1 & ~self.first_column
        if way == 1:
            return places >> 1 & ~self.last_column
        return places << self.columns & self.everywhere if way == 2 else places >> self.columns


class Layouts(NamedTuple):
    """Decoded layouts.

    anchors: int64 (4, layouts), the upper left cells of the pieces of each kind.
    covered: int64 (layouts), the cells that pieces cover.
    keys: uint64 (layouts).
    legal: bool (layouts), whether the code is that of a layout.
    """

    anchors: NDArray[np.int64]
    covered: NDArray[np.int64]
    keys: NDArray[np.uint64]
    legal: NDArray[np.bool_]


class Graph(NamedTuple):
    """Moves between layouts: those from layout i lead to ``ends[starts[i]:starts[i + 1]]``."""

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]

    def from_layouts(self, layouts: NDArray[np.int64]) -> NDArray[np.int64]:
        """The layouts one move from these, one after another."""
        first, counts = self.starts[layouts], self.starts[layouts + 1] - self.starts[layouts]
        before = np.cumsum(counts) - counts
        return self.ends[np.repeat(first - before, counts) + np.arange(counts.sum())]


def decoded(board: Board, codes: NDArray[np.uint64]) -> Layouts:
    """Decode codes item by item, cell after cell."""
    items = board.cells - 4
    code = codes.astype(np.int64)
    block = np.minimum(code >> 2 * items, board.cells - 1)
    anchors = np.zeros((4, len(code)), dtype=np.int64)
    anchors[BLOCK] = 1 << block
    covered = board.shapes[BLOCK] << block
    keys = board.numbers[BLOCK][block]
    legal = board.fitting(BLOCK, board.all_cells) >> (code >> 2 * items) & 1 == 1
    shift = np.full(len(code), 2 * items)
    empties = np.zeros(len(code), dtype=np.int8)
    for cell in range(board.cells):
        is_open = (covered >> cell & 1) == 0
        shift[is_open] -= 2
        kinds = np.where(is_open, code >> np.maximum(shift, 0) & 3, -1)
        empties += kinds == 0
        for kind in (LYING, STANDING, SINGLE):
            has = np.flatnonzero(kinds == kind)
            shape = board.shapes[kind] << cell
            fits = bool(board.fitting(kind, board.all_cells)[0] >> cell & 1)
            legal[has] &= fits & (covered[has] & shape == 0)
            covered[has] |= shape
            anchors[kind][has] |= 1 << cell
            keys[has] += board.numbers[kind][cell]
    legal &= (empties >= 2) & (shift >= 0) & (code & (1 << np.maximum(shift, 0)) - 1 == 0)
    return Layouts(anchors, covered, keys, legal)


def move_graph(board: Board, layouts: Layouts, metric: str) -> Graph:
    """All moves between layouts that are closed under moves; KeyError where a move leads to none of them.

    ``metric`` is ``unit_move``, ``straight_step`` or ``step``.
    """
    order = np.argsort(layouts.keys)
    by_key = layouts.keys[order]
    if (by_key[1:] == by_key[:-1]).any():
        raise KeyError("a layout is there twice")
    starts, moved = [np.empty(0, np.int64)], [np.empty(0, np.uint64)]
    for moves in _moves(board, layouts, metric):
        numbers = board.numbers[moves.kind]
        starts.append(moves.rows)
        moved.append(layouts.keys[moves.rows] - numbers[moves.home] + numbers[moves.place])
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


def _moves(board: Board, layouts: Layouts, metric: str) -> Iterator[Moves]:
    for kind in range(4):
        for home in range(board.cells):
            rows = np.flatnonzero(layouts.anchors[kind] >> home & 1)
            if not len(rows):
                continue
            others = layouts.covered[rows] & ~(board.shapes[kind] << home)
            reached = _reached(board, home, board.fitting(kind, board.everywhere & ~others), metric)
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


def steps_inside(board: Board, codes: NDArray[np.uint64], rows: NDArray[np.int64], metric: str) -> Steps:
    """All moves of the layouts at ``rows`` of ``codes``, which ascend."""
    layouts = decoded(board, codes[rows])
    starts, anchors = [np.empty(0, np.int64)], [np.empty((4, 0), np.int64)]
    for moves in _moves(board, layouts, metric):
        moved = layouts.anchors[:, moves.rows]
        moved[moves.kind] ^= 1 << moves.home | 1 << moves.place
        starts.append(rows[moves.rows])
        anchors.append(moved)
    start, code = np.concatenate(starts), encoded(board, np.concatenate(anchors, axis=1))
    inside = (codes[0] <= code) & (code <= codes[-1])
    ends = places_of(np.where(inside, code, codes[0]), codes)
    missing = inside & (codes[ends] != code)
    return Steps(start, np.where(inside, ends, -1), missing)


def encoded(board: Board, anchors: NDArray[np.int64]) -> NDArray[np.uint64]:
    """The codes of layouts: an item for each cell that no earlier piece covers."""
    block = np.bitwise_count(anchors[BLOCK] - 1).astype(np.int64)
    code, covered, items = block, board.shapes[BLOCK] << block, np.zeros(len(block), dtype=np.int64)
    for cell in range(board.cells):
        is_open = (covered >> cell & 1) == 0
        kind = sum(kind * (anchors[kind] >> cell & 1) for kind in (LYING, STANDING, SINGLE))
        code = np.where(is_open, code << 2 | kind, code)
        items += is_open
        covered = covered | np.array((0, *board.shapes[LYING:]))[kind] << cell
    return (code << 2 * (board.cells - 4 - items)).astype(np.uint64)


def _reached(board: Board, home: int, fitting: NDArray[np.int64], metric: str) -> NDArray[np.int64]:
    """The cells that a piece at ``home`` reaches in one move through those where it fits."""
    at_home = np.full(len(fitting), 1 << home)
    if metric == "unit_move":
        return _spread(board, at_home) & fitting
    reached = at_home.copy()
    if metric == "straight_step":
        for way in range(4):
            places = at_home
            while (places := board.beside(places, way) & fitting).any():
                reached |= places
    else:
        places = at_home
        while (places := _spread(board, places) & fitting & ~reached).any():
            reached |= places
    return reached ^ at_home


def _spread(board: Board, places: NDArray[np.int64]) -> NDArray[np.int64]:
    return board.beside(places, 0) | board.beside(places, 1) | board.beside(places, 2) | board.beside(places, 3)


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


def numbered(labels: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Number groups, largest first, equal ones by their smallest layout, and the layouts of each.

    ``labels`` are those of layouts in order of codes, as :func:`components` returns them. Returns group_num and
    group_index of each layout.
    """
    seeds, group, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    ranks = np.empty(len(seeds), dtype=np.int64)
    ranks[np.lexsort((seeds, -sizes))] = np.arange(len(seeds))
    index = np.empty(len(labels), dtype=np.int64)
    order = np.argsort(group, kind="stable")
    index[order] = np.arange(len(labels)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return ranks[group], index


def reflected(board: Board, anchors: NDArray[np.int64], across: bool) -> NDArray[np.int64]:
    """The anchors of the images of layouts, left-right (``across``) or up-down."""
    found = np.zeros_like(anchors)
    for kind, (height, width) in enumerate(((2, 2), (1, 2), (2, 1), (1, 1))):
        for cell in range(board.cells):
            row, column = divmod(cell, board.columns)
            image = (row, board.columns - width - column) if across else (board.rows - height - row, column)
            if min(image) >= 0:
                found[kind] |= (anchors[kind] >> cell & 1) << image[0] * board.columns + image[1]
    return found


def image_codes(board: Board, codes: NDArray[np.uint64]) -> list[NDArray[np.uint64]]:
    """The codes of the images of layouts left-right, up-down, and both."""
    anchors = decoded(board, codes).anchors
    across, down = reflected(board, anchors, True), reflected(board, anchors, False)
    return [encoded(board, image) for image in (across, down, reflected(board, down, True))]
