"""Klotski on any frame from its definitions: a layout is a frozen set of (height, width, row, column)."""

from collections.abc import Iterator
from functools import cache

SHAPES = ((2, 2), (1, 2), (2, 1), (1, 1))
DIRECTIONS = ((-1, 0), (0, -1), (0, 1), (1, 0))

Piece = tuple[int, int, int, int]
Layout = frozenset[Piece]


@cache
def cells(piece: Piece) -> frozenset[tuple[int, int]]:
    height, width, row, column = piece
    return frozenset((row + r, column + c) for r in range(height) for c in range(width))


class Frame:
    def __init__(self, columns: int, rows: int, exits: frozenset[int] | None = None) -> None:
        """``exits``: columns of the block's left cells at the exit; the central ones if none are given."""
        self.columns, self.rows = columns, rows
        self.exits = exits or frozenset({(columns - 2) // 2, (columns - 1) // 2})
        self.cells = frozenset((r, c) for r in range(rows) for c in range(columns))

    def layouts(self) -> set[Layout]:
        """Cell by cell, whatever may stand there."""
        found: set[Layout] = set()

        def fill(cell: int, layout: Layout, taken: frozenset[tuple[int, int]]) -> None:
            if cell == self.columns * self.rows:
                if sum(piece[:2] == (2, 2) for piece in layout) == 1 and len(self.cells - taken) >= 2:
                    found.add(layout)
                return
            row, column = divmod(cell, self.columns)
            fill(cell + 1, layout, taken)
            for shape in SHAPES:
                piece = (*shape, row, column)
                if cells(piece) <= self.cells - taken:
                    fill(cell + 1, layout | {piece}, taken | cells(piece))

        fill(0, frozenset(), frozenset())
        return found

    def code(self, layout: Layout) -> int:
        by_corner = {(row, column): (height, width) for height, width, row, column in layout}
        (block,) = [piece for piece in layout if piece[:2] == (2, 2)]
        covered, items = set(cells(block)), []
        for row in range(self.rows):
            for column in range(self.columns):
                if (row, column) not in covered:
                    shape = by_corner.get((row, column))
                    items.append(0 if shape is None else SHAPES.index(shape))
                    covered |= cells((*(shape or (1, 1)), row, column))
        value = self.columns * block[2] + block[3]
        for item in items + [0] * (self.columns * self.rows - 4 - len(items)):
            value = 4 * value + item
        return value

    def moves(self, layout: Layout, metric: str) -> set[Layout]:
        return {layout - {piece} | {moved} for piece in layout for moved in self._places(layout, piece, metric)}

    def _places(self, layout: Layout, piece: Piece, metric: str) -> Iterator[Piece]:
        free = self.cells - {cell for other in layout - {piece} for cell in cells(other)}
        height, width, row, column = piece
        if metric == "step":
            reached, waiting = {piece}, [piece]
            while waiting:
                *_, r, c = waiting.pop()
                for down, right in DIRECTIONS:
                    moved = (height, width, r + down, c + right)
                    if moved not in reached and cells(moved) <= free:
                        reached.add(moved)
                        waiting.append(moved)
            yield from reached - {piece}
            return
        for down, right in DIRECTIONS:
            for length in range(1, 2 if metric == "unit" else 9):
                moved = (height, width, row + length * down, column + length * right)
                if not cells(moved) <= free:
                    break
                yield moved

    def at_exit(self, layout: Layout) -> bool:
        return any((2, 2, self.rows - 2, column) in layout for column in self.exits)

    def group_sizes(self, layouts: set[Layout]) -> list[int]:
        left, sizes = set(layouts), []
        while left:
            waiting, size = [left.pop()], 0
            while waiting:
                layout = waiting.pop()
                size += 1
                for other in self.moves(layout, "unit") & left:
                    left.remove(other)
                    waiting.append(other)
            sizes.append(size)
        return sizes

    def hardest(self, layouts: set[Layout], metric: str) -> tuple[int, int, int]:
        """The most moves to the exit, the smallest code that needs so many, and how many layouts get there."""
        distance = {layout: 0 for layout in layouts if self.at_exit(layout)}
        queue = list(distance)
        for layout in queue:
            for other in self.moves(layout, metric):
                if other not in distance:
                    distance[other] = distance[layout] + 1
                    queue.append(other)
        most = max(distance.values())
        return most, min(self.code(k) for k, d in distance.items() if d == most), len(distance)
