"""Questions about sliding blocks: how many packings a tray has, a board's group, a puzzle's solution, the hardest.

Rows and columns count from 1.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from boardspace.cli.drawing import Picture
from boardspace.spaces.sliding_blocks.boards import BoardError, bits, board_text, code_of, parse_board, pieces_of
from boardspace.spaces.sliding_blocks.config import MOST_CELLS, TraySize
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.sliding_blocks.enumeration import enumerate_classes
from boardspace_kernels.sliding_blocks.frontier import count_by_sizes, count_packings
from boardspace_kernels.sliding_blocks.single import Graph, class_of, graph_of, shortest_way
from boardspace_kernels.sliding_blocks.survey import survey_classes
from boardspace_kernels.sliding_blocks.tray import Tray, tray

COUNTED_SIDE, COUNTED_LENGTH = 5, 100
"""Trays that are counted: the shorter side and the longer one."""
SEARCHED_CELLS = 16
"""Trays whose hardest puzzles are searched on demand."""
MOST_POSITIONS = 4_000_000
CELL = 40
MARGIN = 6
COLOURS = ("#c0392b", "#2e86c1", "#1e8449", "#d4ac0d", "#7d3c98", "#ca6f1e", "#148f77", "#5d6d7e")


@dataclass(frozen=True)
class Count:
    """Packings of a tray. by_voids: how many have 0, 1, ... voids; only for trays of up to 20 cells."""

    rows: int
    columns: int
    packings: int
    by_voids: tuple[int, ...] = ()

    def document(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "rows": self.rows,
            "columns": self.columns,
            "packings": self.packings,
            "by_voids": list(self.by_voids),
        }

    def __str__(self) -> str:
        lines = [f"{self.rows} x {self.columns}: {self.packings:,} packings"]
        lines += [f"{voids:3} voids {packings:>{len(lines[0])},}" for voids, packings in enumerate(self.by_voids)]
        return "\n".join(lines)


def count(rows: int, columns: int) -> Count:
    """The number of packings of a tray, counted without making one."""
    short, long = sorted((rows, columns))
    if short < 1:
        raise BoardspaceError(f"{rows} x {columns}: a tray has at least one row and one column")
    if short > COUNTED_SIDE or long > COUNTED_LENGTH:
        raise BoardspaceError(
            f"{rows} x {columns}: trays are counted up to {COUNTED_SIDE} x {COUNTED_LENGTH}; a wider frontier takes "
            "ten times as long for each cell"
        )
    if rows * columns > MOST_CELLS:
        return Count(rows, columns, count_packings(rows, columns))
    voids = [0] * (rows * columns + 1)
    for sizes, packings in count_by_sizes(rows, columns).items():
        voids[rows * columns - sum(sizes)] += packings
    return Count(rows, columns, sum(voids), tuple(voids))


@dataclass(frozen=True)
class Board:
    """A position: its tray and its pieces by their signs, sets of cells with a bit each in reading order."""

    tray: TraySize
    pieces: Mapping[str, int] = field(hash=False)

    @property
    def code(self) -> int:
        """Its code, as the tables have it."""
        return code_of(self.tray, self.pieces.values())

    def lines(self) -> list[str]:
        """A line for each row."""
        signs = ["."] * self.tray.cells
        for sign, piece in self.pieces.items():
            for cell in bits(piece):
                signs[cell] = sign
        return [
            "".join(signs[row * self.tray.columns : (row + 1) * self.tray.columns]) for row in range(self.tray.rows)
        ]

    def picture(self) -> Picture:
        """The board in colours."""
        rows, columns = self.tray
        drawn = Picture(CELL * columns + 2 * MARGIN, CELL * rows + 2 * MARGIN)
        drawn.rect(
            MARGIN / 2, MARGIN / 2, CELL * columns + MARGIN, CELL * rows + MARGIN, "#f4ecd8", stroke="#6e4b1f", rx=4
        )
        for number, (sign, piece) in enumerate(self.pieces.items()):
            cells = set(bits(piece))
            fill = COLOURS[number % len(COLOURS)]
            for cell in cells:
                row, column = divmod(cell, columns)
                x, y = MARGIN + CELL * column, MARGIN + CELL * row
                wide = CELL if column + 1 < columns and cell + 1 in cells else CELL - 4
                high = CELL if cell + columns in cells else CELL - 4
                drawn.rect(x + 2, y + 2, wide, CELL - 4, fill)
                drawn.rect(x + 2, y + 2, CELL - 4, high, fill)
            row, column = divmod(min(cells), columns)
            drawn.text(MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5), sign, 15, fill="#fff")
        return drawn

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_svg_(self) -> str:
        return self.picture().svg()


def parse(text: str) -> Board:
    """A board from rows of signs, separated by / or ends of lines: ``AAB/A.B``. BoardspaceError says what is wrong."""
    return Board(*parse_board(text))


@dataclass(frozen=True)
class Group:
    """A board among the positions with the same pieces.

    positions: of its class, all arrangements of its pieces.
    groups: how many groups these make.
    group: positions of the board's own group.
    """

    board: Board
    positions: int
    groups: int
    group: int

    def document(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "board": "/".join(self.board.lines()),
            "code": self.board.code,
            "pieces": len(self.board.pieces),
            "voids": self.board.tray.cells - sum(piece.bit_count() for piece in self.board.pieces.values()),
            "positions": self.positions,
            "groups": self.groups,
            "group": self.group,
        }

    def __str__(self) -> str:
        about = self.document()
        return "\n".join(
            [
                *self.board.lines(),
                f"{about['pieces']} pieces, {about['voids']} voids, code {about['code']}",
                f"{self.positions:,} positions with these pieces, in {self.groups:,} groups; its own: {self.group:,}",
            ]
        )


def group(board: Board) -> Group:
    """The board's class and group; BoardspaceError beyond trays of 20 cells, or 4,000,000 positions."""
    if not board.pieces:
        return Group(board, 1, 1, 1)
    graph, start, _ = _located(board)
    own = int(graph.work.size[graph.work.group[start]])
    return Group(board, len(graph.own.code), graph.groups, own)


@dataclass(frozen=True)
class Solution:
    """A shortest solution: the boards from the start to the end, and the sign of the piece that each step moves."""

    boards: Sequence[Board]
    moved: Sequence[str]

    def document(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {
            "steps": len(self.moved),
            "moved": list(self.moved),
            "boards": ["/".join(b.lines()) for b in self.boards],
        }

    def __str__(self) -> str:
        return f"{len(self.moved)} steps: {' '.join(self.moved)}"


def solve(board: Board, piece: str, to: tuple[int, int] | None = None) -> Solution | None:
    """A shortest way that takes a piece to a place: row and column, from 1, of the upper left corner of its bounding
    box; without a place to the lower right corner of the tray. None where there is no way."""
    if piece not in board.pieces:
        raise BoardspaceError(f"the board has no piece {piece!r}; it has {', '.join(board.pieces) or 'none'}")
    tables = _tables(board.tray)
    mark = board.pieces[piece]
    goal = _goal(board.tray, mark, to)
    graph, start, slots = _located(board)
    number = _placement(tables, mark)
    way = shortest_way(tables, graph, start, slots.index(number), _placement(tables, goal))
    if way is None:
        return None
    boards, moved = [board], []
    for position, _ in way[1:]:
        following, sign = _named(tables, boards[-1], graph.own.slots[position].tolist())
        boards.append(following)
        moved.append(sign)
    return Solution(boards, moved)


def _named(tables: Tray, before: Board, slots: Sequence[int]) -> tuple[Board, str]:
    """The position after a step, its pieces with their signs, and the sign of the one that moved."""
    after = {int(tables.mask[placement]) for placement in slots}
    sign = next(sign for sign, piece in before.pieces.items() if piece not in after)
    new = (after - set(before.pieces.values())).pop()
    return Board(before.tray, {**before.pieces, sign: new}), sign


def _goal(size: TraySize, piece: int, to: tuple[int, int] | None) -> int:
    """The piece at its place; BoardspaceError where it does not fit there."""
    cells = list(bits(piece))
    top, left = min(cells) // size.columns, min(cell % size.columns for cell in cells)
    height = max(cells) // size.columns - top + 1
    width = max(cell % size.columns for cell in cells) - left + 1
    row, column = to or (size.rows - height + 1, size.columns - width + 1)
    if not (1 <= row <= size.rows - height + 1 and 1 <= column <= size.columns - width + 1):
        raise BoardspaceError(
            f"a piece of {height} x {width} cells does not fit at {row},{column}; its upper left corner can come to "
            f"rows 1 to {size.rows - height + 1} and columns 1 to {size.columns - width + 1}"
        )
    by = (row - 1 - top) * size.columns + column - 1 - left
    return piece << by if by >= 0 else piece >> -by


def _tables(size: TraySize) -> Tray:
    if size.cells > MOST_CELLS:
        raise BoardspaceError(
            f"a tray of {size.rows} x {size.columns}; boards of up to {MOST_CELLS} cells can be searched"
        )
    return tray(*size)


def _placement(tables: Tray, piece: int) -> int:
    return int(np.flatnonzero(tables.mask == piece)[0])


def _located(board: Board) -> tuple[Graph, int, list[int]]:
    """The graph of the board's class, the board's number there, and its slots."""
    tables = _tables(board.tray)
    slots = sorted(_placement(tables, piece) for piece in board.pieces.values())
    own = class_of(tables, np.array(slots, dtype=np.int32), MOST_POSITIONS)
    if own is None:
        raise BoardspaceError(f"there are more than {MOST_POSITIONS:,} positions with these pieces, too many to search")
    return graph_of(tables, own), int(np.flatnonzero(own.code == board.code)[0]), slots


@dataclass(frozen=True)
class Hardest:
    """A longest corner puzzle: its start, in which the marked piece is A, and its steps."""

    board: Board
    steps: int

    def document(self) -> dict[str, Any]:
        """The same as JSON values."""
        return {"board": "/".join(self.board.lines()), "steps": self.steps}

    def __str__(self) -> str:
        return "\n".join([*self.board.lines(), f"{self.steps} steps take A to the lower right corner"])


def hardest(rows: int, columns: int, pieces: int) -> Hardest:
    """A longest corner puzzle of a tray with so many pieces, all of them searched; trays of up to 16 cells."""
    size = TraySize(rows, columns)
    if min(size) < 1:
        raise BoardspaceError(f"{rows} x {columns}: a tray has at least one row and one column")
    if size.cells > SEARCHED_CELLS:
        raise BoardspaceError(
            f"{rows} x {columns}: the hardest puzzles are searched on demand for trays of up to {SEARCHED_CELLS} "
            "cells; a run of the configuration sliding_blocks finds those of 4 x 5, in its table records"
        )
    best = max(_hardest_by_sizes(size, pieces), key=lambda found: found.steps, default=None)
    if best is None:
        raise BoardspaceError(f"no corner puzzle of the {rows} x {columns} tray has {pieces} pieces")
    return best


def _hardest_by_sizes(size: TraySize, pieces: int) -> Iterator[Hardest]:
    tables = tray(*size)
    for sizes, packings in count_by_sizes(*size).items():
        if len(sizes) != pieces or sum(sizes) == size.cells:
            continue
        survey = survey_classes(tables, enumerate_classes(tables, sizes, packings), 1 << 16, list_groups=False)
        steps = survey.classes.steps[survey.puzzles.label]
        if len(steps):
            row = int(steps.argmax())
            start, mark = int(survey.puzzles.start[row]), int(tables.mask[survey.puzzles.marked[row]])
            yield Hardest(parse(board_text(size, pieces_of(size, start), mark)), int(steps[row]))


__all__ = [
    "Board",
    "BoardError",
    "Count",
    "Group",
    "Hardest",
    "Solution",
    "count",
    "group",
    "hardest",
    "parse",
    "solve",
]
