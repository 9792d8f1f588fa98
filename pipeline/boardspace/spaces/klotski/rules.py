"""Second rules of Klotski: layouts decoded, moved, mirrored, named and counted with NumPy, apart from the kernels.

A layout is given by masks of the upper left cells of its pieces, one for each kind: the block, lying dominoes, standing
ones and singles. All layouts of a class are decoded and moved at once.

**Moves need no look-up.** Take all layouts of a class in the order of their codes, and of these the sources of one unit
move: those with a piece of some kind at ``home`` that can slide to the neighbouring ``place``. The targets are
the layouts with such a piece at ``place`` that can slide back. The move pairs them one to one, and it keeps
their order: two codes differ first at a cell that the moved piece neither leaves nor enters, for what lies there is the
same in both layouts before the move, and the same in both after it; so the same cell decides after the move. Hence the
n-th source becomes the n-th target, as long as the rows are *all* layouts of the class, which their number proves.
"""

import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from boardspace.spaces.klotski.config import KlotskiConfig
from boardspace.spaces.klotski.filling import class_sizes, labels_of, number_of_layouts, ways_to_go_on
from boardspace.spaces.klotski.texts import COLUMNS, ROWS
from boardspace.spec.equations import Columns, Pieces, ReadColumns, Slide
from boardspace.spec.second_rules import Position, bits, moved

BLOCK, LYING, STANDING, SINGLE = range(4)
HEIGHTS, WIDTHS = (2, 1, 2, 1), (2, 2, 1, 1)
TEXTS_OF_STARTS = ("name", "pinyin", "origin")
EMPTIES = 2
"""Empty cells that a layout has at least."""
CHUNK = 1 << 15
"""Codes that are decoded at once: their masks lie in the cache of a core."""
Masks = NDArray[np.int32]


class Board:
    """A frame of columns x rows cells, at most 25, with masks of the pieces."""

    def __init__(self, columns: int = COLUMNS, rows: int = ROWS) -> None:
        self.columns, self.rows, self.cells = columns, rows, columns * rows
        self.items = self.cells - 4
        self.everywhere = (1 << self.cells) - 1
        self.first_column = sum(1 << columns * row for row in range(rows))
        self.last_column = self.first_column << columns - 1
        self.last_row = (1 << columns) - 1 << columns * (rows - 1)
        self.shapes = (3 | 3 << columns, 3, 1 | 1 << columns, 1)
        self.exits = sum(1 << columns * (rows - 2) + column for column in {(columns - 2) // 2, (columns - 1) // 2})

    @cached_property
    def places(self) -> tuple[tuple[int, ...], ...]:
        """The cells where the upper left corner of a piece of each kind can stand."""
        return tuple(
            tuple(
                self.columns * row + column
                for row in range(self.rows - height + 1)
                for column in range(self.columns - width + 1)
            )
            for height, width in zip(HEIGHTS, WIDTHS, strict=True)
        )

    def beside(self, layout: Position, move: str = "chain") -> Iterator[Position]:
        """The layouts one move away from one that is given by its pieces as sets of cells."""
        return (layout ^ {piece, place} for piece, place in moved((self.rows, self.columns), layout, move))

    def is_solved(self, layout: Position) -> bool:
        """Return whether the block is at an exit."""
        return any(self.shapes[BLOCK] << cell in layout for cell in bits(self.exits))


BOARD = Board()


class Layouts:
    """Layouts of one class, all of them, in the order of their codes.

    anchors: int32 (4, layouts), the upper left cells of the pieces of each kind.
    occupied: int32 (layouts), the cells with a piece.
    legal: bool (layouts), true where the code is that of a layout.
    """

    def __init__(self, codes: NDArray[np.uint64], board: Board = BOARD) -> None:
        self.codes, self.board = codes, board
        self.anchors = np.empty((4, len(codes)), np.int32)
        self.occupied = np.empty(len(codes), np.int32)
        self.legal = np.empty(len(codes), np.bool_)
        for low in range(0, len(codes), CHUNK):
            part = slice(low, low + CHUNK)
            self.anchors[:, part], self.occupied[part], self.legal[part] = _decoded(board, codes[part])

    def layout(self, row: int) -> Position:
        """The pieces of one of them as sets of cells."""
        kinds = zip(self.board.shapes, self.anchors[:, row].tolist(), strict=True)
        return frozenset(shape << cell for shape, cells in kinds for cell in bits(cells))

    def pieces(self) -> Iterator[Pieces]:
        """Yield for each kind of piece the layouts with one at each place, and all slides of one by one cell."""
        for kind in range(4):
            rows, occupied = {}, {}
            for place in self.board.places[kind]:
                rows[place] = np.flatnonzero(self.anchors[kind] & np.int32(1 << place)).astype(np.int32)
                occupied[place] = self.occupied.take(rows[place])
            yield Pieces(rows, list(self._slides(kind, rows, occupied)))

    def _slides(self, kind: int, rows: Mapping[int, Masks], occupied: Mapping[int, Masks]) -> Iterator[Slide]:
        """Slides to the right and down, by which those to the left and up are known as well."""
        shape = self.board.shapes[kind]
        for home in rows:
            for direction, place in enumerate((home + 1, home + self.board.columns)):
                if place not in rows or (direction == 0 and place % self.board.columns == 0):
                    continue
                before, after = shape << home, shape << place
                starts = np.flatnonzero(occupied[home] & np.int32(after & ~before) == 0)
                ends = np.flatnonzero(occupied[place] & np.int32(before & ~after) == 0)
                if len(starts) or len(ends):
                    yield Slide(home, place, direction, starts, ends, rows[home].take(starts), rows[place].take(ends))


def _decoded(board: Board, codes: NDArray[np.uint64]) -> tuple[Masks, Masks, NDArray[np.bool_]]:
    """Anchors, occupied cells and legality of codes: item by item, each at the first cell that none before covers."""
    block = (codes >> np.uint64(2 * board.items)).astype(np.int64)
    legal = np.isin(block, board.places[BLOCK])
    block = np.where(legal, block, 0).astype(np.int32)
    anchors = np.zeros((4, len(codes)), np.int32)
    anchors[BLOCK] = np.left_shift(np.int32(1), block)
    occupied = np.left_shift(np.int32(board.shapes[BLOCK]), block)
    covered = occupied.copy()
    everywhere, no_lying, no_standing = map(np.int32, (board.everywhere, board.last_column, board.last_row))
    for item in range(board.items - 1, -1, -1):
        kind = (codes >> np.uint64(2 * item) & np.uint64(3)).astype(np.int32)
        cell = ~covered & covered + np.int32(1) & everywhere  # 0 where all cells are covered
        lying, standing, single = (np.where(kind == number, cell, np.int32(0)) for number in (LYING, STANDING, SINGLE))
        beside, below = lying << np.int32(1), standing << np.int32(board.columns)
        legal &= ((beside | below) & covered | lying & no_lying | standing & no_standing) == 0
        legal &= (cell != 0) | (kind == 0)
        piece = lying | standing | single | beside | below
        occupied |= piece
        covered |= cell | piece
        for number, mask in ((LYING, lying), (STANDING, standing), (SINGLE, single)):
            anchors[number] |= mask
    legal &= np.bitwise_count(~occupied & everywhere) >= EMPTIES
    return anchors, occupied, legal


def encoded(board: Board, anchors: NDArray[np.integer]) -> NDArray[np.uint64]:
    """The codes of layouts: an item for each cell that no earlier piece covers."""
    block = np.bitwise_count(anchors[BLOCK] - 1).astype(np.int64)
    code, covered, items = block, np.left_shift(board.shapes[BLOCK], block), np.zeros(len(block), np.int64)
    for cell in range(board.cells):
        is_open = covered >> cell & 1 == 0
        kind = sum(kind * (anchors[kind].astype(np.int64) >> cell & 1) for kind in (LYING, STANDING, SINGLE))
        code = np.where(is_open, code << 2 | kind, code)
        items += is_open
        covered = covered | np.array((0, *board.shapes[LYING:]))[kind] << cell
    return (code << 2 * (board.items - items)).astype(np.uint64)


def codes_of(layouts: Sequence[Iterable[int]]) -> NDArray[np.uint64]:
    """The codes of layouts that are given by their pieces as sets of cells."""
    anchors = np.zeros((4, len(layouts)), np.int32)
    for number, layout in enumerate(layouts):
        for piece in layout:
            cell = piece & -piece
            anchors[BOARD.shapes.index(piece // cell), number] |= cell
    return encoded(BOARD, anchors)


def all_codes(board: Board) -> NDArray[np.uint64]:
    """The codes of all layouts, ascending: cell after cell nothing is laid, or a piece that fits."""
    block = np.array(board.places[BLOCK], np.int64)
    code, occupied, shift = block << 2 * board.items, board.shapes[BLOCK] << block, np.full(len(block), 2 * board.items)
    for cell in range(board.cells):
        shift -= np.where(occupied >> cell & 1, 0, 2)
        shapes = {kind: board.shapes[kind] << cell for kind in (LYING, STANDING, SINGLE) if cell in board.places[kind]}
        parts = []
        for kind, shape in ({0: 0} | shapes).items():
            free = occupied & shape == 0
            parts.append((code[free] | kind << shift[free], occupied[free] | shape, shift[free]))
        code, occupied, shift = (np.concatenate(column) for column in zip(*parts, strict=True))
    return np.sort(code[np.bitwise_count(occupied) <= board.cells - EMPTIES]).astype(np.uint64)


def mirrored(board: Board, anchors: NDArray[np.integer]) -> NDArray[np.integer]:
    """The anchors of the left-right mirror images of layouts."""
    return _reflected(anchors, board.first_column, board.columns, 1, WIDTHS)


def upside_down(board: Board, anchors: NDArray[np.integer]) -> NDArray[np.integer]:
    """The anchors of the up-down images of layouts."""
    return _reflected(anchors, (1 << board.columns) - 1, board.rows, board.columns, HEIGHTS)


def _reflected(
    anchors: NDArray[np.integer], line: int, count: int, apart: int, sides: Sequence[int]
) -> NDArray[np.integer]:
    """Anchors on so many lines in the opposite order, the first of them and how many cells apart they are being given;
    ``sides`` are those of the kinds of pieces across the lines."""
    image = np.zeros_like(anchors)
    for number in range(count):
        image |= (anchors >> apart * number & line) << apart * (count - 1 - number)
    return image >> apart * (np.array(sides, anchors.dtype)[:, None] - 1)


def images(layouts: Layouts) -> list[NDArray[np.uint64]]:
    """The codes of the images of layouts left-right, up-down, and both."""
    board, anchors = layouts.board, layouts.anchors
    down = upside_down(board, anchors)
    return [encoded(board, image) for image in (mirrored(board, anchors), down, mirrored(board, down))]


# What the equations of the published tables name.


def sizes(config: KlotskiConfig) -> Mapping[tuple[int, ...], int]:
    """The number of layouts of each class of a run, counted by filling the board."""
    chosen = labels_of(config.chosen)
    return {name: size for name, size in sorted(class_sizes().items()) if name in chosen}


def ids(config: KlotskiConfig) -> int:
    """One more than the largest id that there could be."""
    return number_of_layouts()


def class_of(layouts: Layouts) -> Columns:
    """Numbers of dominoes, singles, and dominoes that lie."""
    lying, standing, single = np.bitwise_count(layouts.anchors[LYING:])
    return {"jiang_num": lying + standing, "bing_num": single, "style_num": lying}


def drawings(layouts: Layouts) -> NDArray[np.object_]:
    """The layouts as texts, row by row with a stroke between two: A is the block, . an empty cell, and the other pieces
    have the letters from B on, in order of their first cells."""
    board = layouts.board
    others = np.bitwise_or.reduce(layouts.anchors[LYING:])
    signs = np.full((len(layouts.codes), board.rows, board.columns + 1), ord("."), np.uint8)
    signs[:, :, -1] = ord("/")
    for kind, places in enumerate(board.places):
        for place in places:
            here = np.flatnonzero(layouts.anchors[kind] >> place & 1)
            row, column = divmod(place, board.columns)
            letters = np.bitwise_count(others[here] & (1 << place) - 1) + ord("B") if kind != BLOCK else ord("A")
            signs[here, row : row + HEIGHTS[kind], column : column + WIDTHS[kind]] = np.reshape(letters, (-1, 1, 1))
    return np.array([text.tobytes()[:-1].decode() for text in signs], object)


def hardest_drawing(rows: Columns) -> NDArray[np.object_]:
    """The drawings of layouts given as ``hardest_code``."""
    return drawings(Layouts(rows["hardest_code"]))


def known_starts(config: KlotskiConfig, folder: str, read: ReadColumns) -> Mapping[str, Columns]:
    """The table of well-known starts: each drawing read cell by cell."""
    with Path(__file__).with_name("starts.toml").open("rb") as file:
        entries = tomllib.load(file)["start"]
    drawings_of = ("".join(entry["drawing"]) for entry in entries)
    signs = ((cells, set(cells) - {"."}) for cells in drawings_of)
    pieces = [[sum(1 << n for n, other in enumerate(cells) if other == sign) for sign in own] for cells, own in signs]
    codes = codes_of(pieces)
    order = np.argsort(codes)
    layouts = Layouts(codes[order])
    texts = {name: np.array([entries[at][name] for at in order.tolist()], object) for name in TEXTS_OF_STARTS}
    own = {"layout_id": ranks(layouts), "code": layouts.codes, "board": drawings(layouts)}
    return {"starts": {**own, **class_of(layouts), **texts}}


def is_mirror(layouts: Layouts) -> NDArray[np.bool_]:
    """True for layouts that are their own left-right mirror image."""
    same: NDArray[np.bool_] = (mirrored(layouts.board, layouts.anchors) == layouts.anchors).all(axis=0)
    return same


def mirror_codes(codes: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The codes of the left-right mirror images."""
    return encoded(BOARD, mirrored(BOARD, Layouts(codes).anchors))


def at_exit(layouts: Layouts) -> NDArray[np.bool_]:
    """True for layouts of feature S: the block stands at the exit."""
    there: NDArray[np.bool_] = layouts.anchors[BLOCK] & np.int32(layouts.board.exits) != 0
    return there


def class_number(rows: Columns) -> NDArray[np.uint16]:
    """The class as a decimal number."""
    jiang, bing = (rows[name].astype(np.uint16) for name in ("jiang_num", "bing_num"))
    return np.uint16(1000) * jiang + np.uint16(10) * bing + rows["style_num"]


def ranks(layouts: Layouts) -> NDArray[np.int64]:
    """The number of all layouts with smaller codes, of each layout.

    For each item, in order, those count that agree before it and have a smaller kind there.
    """
    codes, board, count = layouts.codes, layouts.board, len(layouts.codes)
    blocks = np.array(board.places[BLOCK])
    ways = np.array([ways_to_go_on(board.columns, board.rows, block) for block in blocks.tolist()], np.int64)
    place = np.searchsorted(blocks, (codes >> np.uint64(2 * board.items)).astype(np.int64))
    found, item = (np.cumsum(ways[:, 0, 0, 0]) - ways[:, 0, 0, 0])[place], np.full(count, 2 * board.items, np.uint64)
    ahead, empties = np.zeros(count, np.int64), np.zeros(count, np.int64)
    behind = np.array([0, *(shape >> 1 for shape in board.shapes[LYING:])])  # cells that a kind covers after its first
    for cell in range(board.cells):
        taken = ahead | board.shapes[BLOCK] << blocks[place] >> cell
        is_open = taken & 1 == 0
        item -= np.where(is_open, 2, 0).astype(np.uint64)
        kind = np.where(is_open, codes >> item & np.uint64(3), 0).astype(np.int64)
        for other in (0, LYING, STANDING):
            if other == 0 or cell in board.places[other]:
                smaller = (kind > other) & (behind[other] << 1 & taken == 0)
                emptied = np.minimum(empties + (other == 0), EMPTIES)
                found += np.where(smaller, ways[place, cell + 1, ahead >> 1 | behind[other], emptied], 0)
        ahead = ahead >> 1 | behind[kind]
        empties = np.minimum(empties + is_open * (kind == 0), EMPTIES)
    return found
