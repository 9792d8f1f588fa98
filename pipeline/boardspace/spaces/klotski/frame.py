"""A frame of any size in plain Python on sets of cells, apart from the kernels and from :mod:`.rules`."""

from collections.abc import Iterator

from boardspace.spec.second_rules import nearest_first

ITEMS = {0: None, 1: (1, 2), 2: (2, 1), 3: (1, 1)}
"""Height and width of the pieces that the 2 bits of an item stand for."""
UNIT, STRAIGHT, STEP = METRICS = ("unit_move", "straight_step", "step")

Layout = frozenset[int]
"""The pieces of a layout, each a set of cells as bits: ``columns * row + column``."""


class Frame:
    """A frame of columns x rows cells."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.cells = columns, columns * rows
        self.everywhere = (1 << self.cells) - 1
        first = sum(1 << columns * row for row in range(rows))
        top = (1 << columns) - 1
        # By how many cells a piece is shifted, and where it must not stand then.
        self.ways = ((-1, first), (1, first << columns - 1), (-columns, top), (columns, top << self.cells - columns))
        self.block = self.piece(0, 2, 2)
        self._beside: dict[int, tuple[int, ...]] = {}
        self.exits = {
            self.block << columns * (rows - 2) + column for column in {(columns - 2) // 2, (columns - 1) // 2}
        }

    def piece(self, cell: int, height: int, width: int) -> int:
        """A piece by its upper left cell; 0 where it sticks out."""
        row, column = divmod(cell, self.columns)
        if column + width > self.columns or row + height > self.cells // self.columns:
            return 0
        return sum(1 << cell + self.columns * r + c for r in range(height) for c in range(width))

    def layouts(self) -> dict[int, Layout]:
        """All layouts by their codes."""
        found: dict[int, Layout] = {}
        for cell in range(self.cells):
            block = self.piece(cell, 2, 2)
            if block:
                self._fill(found, 0, block, frozenset({block}), cell, self.cells - 4)
        return found

    def _fill(self, found: dict[int, Layout], cell: int, covered: int, layout: Layout, code: int, items: int) -> None:
        while covered >> cell & 1:
            cell += 1
        if cell == self.cells:
            if self.cells - sum(piece.bit_count() for piece in layout) >= 2:
                found[code << 2 * items] = layout
            return
        for kind, shape in ITEMS.items():
            piece = self.piece(cell, *(shape or (1, 1)))
            if piece and not piece & covered:
                after = layout if shape is None else layout | {piece}
                self._fill(found, cell + 1, covered | piece, after, code << 2 | kind, items - 1)

    def decoded(self, code: int) -> Layout:
        """The layout with this code."""
        items = self.cells - 4
        covered = self.piece(code >> 2 * items, 2, 2)
        pieces = {covered}
        for cell in range(self.cells):
            if not covered >> cell & 1:
                items -= 1
                shape = ITEMS[code >> 2 * items & 3]
                piece = self.piece(cell, *(shape or (1, 1)))
                covered |= piece
                pieces |= set() if shape is None else {piece}
        return frozenset(pieces)

    def code(self, layout: Layout) -> int:
        """The code of a layout: the block's cell, then an item for each cell that no earlier piece covers."""
        covered = next(piece for piece in layout if piece.bit_count() == 4)
        code, items = (covered & -covered).bit_length() - 1, 0
        kinds = {self.piece(0, *shape): kind for kind, shape in ITEMS.items() if shape}
        first = {piece & -piece: piece for piece in layout}
        for cell in range(self.cells):
            if not covered >> cell & 1:
                piece = first.get(1 << cell, 0)
                covered |= piece
                code, items = code << 2 | (kinds[piece >> cell] if piece else 0), items + 1
        return code << 2 * (self.cells - 4 - items)

    def moved(self, layout: Layout, metric: str) -> Iterator[Layout]:
        """The layouts one move away."""
        covered = sum(layout)
        for piece in layout:
            others = covered ^ piece
            if any(not place & others for place in self._places_beside(piece)):
                for place in self._places(piece, others, metric):
                    yield layout - {piece} | {place}

    def _places(self, piece: int, others: int, metric: str) -> set[int]:
        if metric == STRAIGHT:
            return {place for way in range(len(self.ways)) for place in self._slid(piece, others, way)}
        if metric == UNIT:
            return {place for place in self._places_beside(piece) if not place & others}
        free = nearest_first([piece], lambda here: (p for p in self._places_beside(here) if not p & others))
        return {place for place, steps in free if steps}

    def _places_beside(self, piece: int) -> tuple[int, ...]:
        if piece not in self._beside:
            places = (self._shifted(piece, way) for way in range(len(self.ways)))
            self._beside[piece] = tuple(place for place in places if place)
        return self._beside[piece]

    def _slid(self, piece: int, others: int, way: int) -> Iterator[int]:
        while (piece := self._shifted(piece, way)) and not piece & others:
            yield piece

    def _shifted(self, piece: int, way: int) -> int:
        cells, edge = self.ways[way]
        if piece & edge:
            return 0
        return piece << cells if cells > 0 else piece >> -cells

    def distances(self, start: Layout, metric: str) -> dict[Layout, int]:
        """Moves from one layout to each that is within reach, the nearest first."""
        return dict(nearest_first([start], lambda layout: self.moved(layout, metric)))

    def solved(self, layout: Layout) -> bool:
        """Return whether the block is at an exit."""
        return not self.exits.isdisjoint(layout)
