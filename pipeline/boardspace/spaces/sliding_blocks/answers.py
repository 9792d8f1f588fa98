"""Questions about sliding blocks: how many packings a tray has, a board's group, a puzzle's solution, the hardest.

Rows and columns count from 1.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from boardspace.cli.drawing import Picture
from boardspace.spaces.sliding_blocks.boards import (
    bits,
    board_text,
    check_pieces,
    code_of,
    parse_board,
    pieces_of,
)
from boardspace.spaces.sliding_blocks.config import MOST_CELLS, TraySize
from boardspace.spec.arguments import shown, text, whole, within
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
NEVER = 1 << 16
"""Steps that no puzzle has."""
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
        """Return it as JSON values."""
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
    """The number of packings of a tray of rows x columns cells, counted without making one; by voids for trays of up to
    20 cells. BoardspaceError for trays beyond 5 x 100.

    >>> print(count(2, 2))
    2 x 2: 43 packings
      0 voids                 12
      1 voids                 16
      2 voids                 10
      3 voids                  4
      4 voids                  1
    >>> count(5, 5).packings
    3117469335485
    """
    rows, columns = _tray_size(rows, columns)
    short, long = sorted((rows, columns))
    if short > COUNTED_SIDE or long > COUNTED_LENGTH:
        raise BoardspaceError(
            f"{rows} x {columns}: trays are counted up to {COUNTED_SIDE} x {COUNTED_LENGTH}; each row more of the "
            "shorter side takes ten times as long for each cell"
        )
    if rows * columns > MOST_CELLS:
        return Count(rows, columns, count_packings(rows, columns))
    voids = [0] * (rows * columns + 1)
    for sizes, packings in count_by_sizes(rows, columns).items():
        voids[rows * columns - sum(sizes)] += packings
    return Count(rows, columns, sum(voids), tuple(voids))


def _tray_size(rows: int, columns: int) -> TraySize:
    size = TraySize(whole("rows", rows), whole("columns", columns))
    if min(size) < 1:
        raise BoardspaceError(f"{rows} x {columns}: a tray has at least one row and one column")
    return size


@dataclass(frozen=True)
class Board:
    """A position: its tray and its pieces by their signs, sets of cells with a bit each in reading order.

    BoardError where two pieces overlap, or one has no cell, is in parts, or sticks out of the tray.

    >>> board = parse("AAB/.CB")
    >>> board.tray, board.pieces
    (TraySize(rows=2, columns=3), {'A': 3, 'B': 36, 'C': 16})
    """

    tray: TraySize
    pieces: Mapping[str, int] = field(hash=False)

    def __post_init__(self) -> None:
        check_pieces(self.tray, self.pieces)

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


def parse(text: Board | str) -> Board:
    """The board that a text writes: rows of signs, separated by / or ends of lines. A board is itself.

    Equal signs are a piece; ``.``, ``_`` and ``0`` are voids; blanks do not count. BoardspaceError says what is wrong,
    and where: rows of unequal length, a piece in parts, more than 64 cells.

    >>> print(parse("AAB/A.B"))
    AAB
    A.B
    >>> parse("AB/BA")
    Traceback (most recent call last):
    boardspace...BoardError: the cells of A are 2 separate parts; edges connect the cells of a piece, so give each ...
    """
    return text if isinstance(text, Board) else Board(*parse_board(text))


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
        """Return it as JSON values."""
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


def group(board: Board | str) -> Group:
    """The board's class and group, in numbers of positions. A board, or a text as :func:`parse` reads it.

    BoardspaceError beyond trays of 20 cells, or 4,000,000 positions with the same pieces.

    >>> found = group("AAB/.CB")
    >>> found.positions, found.groups, found.group
    (8, 4, 2)
    """
    board = parse(board)
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

    def __repr__(self) -> str:
        return f"Solution({_counted(len(self.moved))})"

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {
            "steps": len(self.moved),
            "moved": list(self.moved),
            "boards": ["/".join(b.lines()) for b in self.boards],
        }

    def __str__(self) -> str:
        return f"{_counted(len(self.moved))}: {' '.join(self.moved)}"


def solve(board: Board | str, piece: str, to: tuple[int, int] | None = None) -> Solution | None:
    """A shortest way that takes a piece to a place: row and column, from 1, of the upper left corner of its bounding
    box; without a place to the lower right corner of the tray. None where there is no way.

    The board is one, or a text as :func:`parse` reads it. A step moves one piece any way, round corners too.
    BoardspaceError where the board has no such piece, it does not fit at the place, or as for :func:`group`.

    >>> found = solve("ABB./ACDD/EEFG/HEI.", "A")
    >>> found
    Solution(132 steps)
    >>> found.moved[:3]
    ['G', 'B', 'C']
    >>> print(found.boards[1])
    ABB.
    ACDD
    EEF.
    HEIG
    """
    board = parse(board)
    if text("piece", piece, "A") not in board.pieces:
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


def _counted(steps: int) -> str:
    return f"{steps} step{'' if steps == 1 else 's'}"


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
    row, column = _place(to) if to is not None else (size.rows - height + 1, size.columns - width + 1)
    if not (1 <= row <= size.rows - height + 1 and 1 <= column <= size.columns - width + 1):
        raise BoardspaceError(
            f"a piece of {height} x {width} cells does not fit at {row},{column}; its upper left corner can come to "
            f"rows 1 to {size.rows - height + 1} and columns 1 to {size.columns - width + 1}"
        )
    by = (row - 1 - top) * size.columns + column - 1 - left
    return piece << by if by >= 0 else piece >> -by


def _place(to: Any) -> tuple[int, int]:
    try:
        row, column = to
    except (TypeError, ValueError):
        raise BoardspaceError(f"to: a row and a column, such as (3, 2), are wanted, not {shown(to)}") from None
    return whole("row", row), whole("column", column)


def _tables(size: TraySize) -> Tray:
    if size.cells > MOST_CELLS:
        raise BoardspaceError(
            f"a tray of {size.rows} x {size.columns}; boards of up to {MOST_CELLS} cells can be searched: on 5 x 5 "
            "pieces can lie in 2,301,877 ways, 20 times as many as on 4 x 5, and a position takes 65 bits, more than a "
            "word"
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
class Puzzle:
    """A corner puzzle: its start, in which the marked piece is A, and the fewest steps that take it to the lower right
    corner."""

    board: Board
    steps: int

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        return {"board": "/".join(self.board.lines()), "steps": self.steps}

    def __str__(self) -> str:
        return "\n".join(
            [*self.board.lines(), f"{_counted(self.steps)} take{'s' * (self.steps == 1)} A to the lower right corner"]
        )

    def _repr_svg_(self) -> str:
        return self.board._repr_svg_()


def hardest(rows: int, columns: int, pieces: int) -> Puzzle:
    """A longest corner puzzle of a tray with so many pieces, all of them searched.

    BoardspaceError for trays of more than 16 cells, and where no puzzle has so many pieces.

    >>> print(hardest(2, 3, 3))
    ABB
    C..
    5 steps take A to the lower right corner
    """
    size, pieces = _searched(rows, columns), whole("pieces", pieces)
    longest, drawn = 0, None
    for found in _surveyed(size, pieces, NEVER):
        if len(found.steps) and found.steps.max() > longest:
            longest, drawn = int(found.steps.max()), found.puzzle(size, int(found.steps.argmax()))
    if drawn is None:
        raise BoardspaceError(f"no corner puzzle of the {rows} x {columns} tray has {pieces} pieces")
    return drawn


def random(
    rows: int = 4, columns: int = 4, *, pieces: int, steps: tuple[int, int] | None = None, seed: int | None = None
) -> Puzzle:
    """A corner puzzle drawn with equal chances from the longest ones of every class with so many pieces, of those that
    take ``steps``, the fewest and the most; the same one for the same seed.

    BoardspaceError as for :func:`hardest`, and where no puzzle takes so many steps.

    >>> print(random(3, 3, pieces=5, steps=(8, 10), seed=1))
    ABB
    CDE
    .D.
    10 steps take A to the lower right corner
    """
    size, pieces = _searched(rows, columns), whole("pieces", pieces)
    least, most = _range(steps)
    source = Random(None if seed is None else whole("seed", seed))
    longest, candidates, drawn = 0, 0, None
    for found in _surveyed(size, pieces, least):
        longest = max(longest, int(found.steps.max(initial=0)))
        for row in np.flatnonzero((found.steps >= least) & (found.steps <= most)).tolist():
            candidates += 1
            if source.randrange(candidates) == 0:
                drawn = found, row
    if drawn is None:
        raise BoardspaceError(
            f"no corner puzzle of the {rows} x {columns} tray with {pieces} pieces takes {least} to {most} steps"
            + (f"; the longest takes {longest}" if longest else "")
        )
    found, row = drawn
    return found.puzzle(size, row)


def _searched(rows: int, columns: int) -> TraySize:
    """The tray, if its corner puzzles can be searched on demand."""
    size = _tray_size(rows, columns)
    if size.cells > SEARCHED_CELLS:
        raise BoardspaceError(
            f"{rows} x {columns}: corner puzzles are searched on demand for trays of up to {SEARCHED_CELLS} cells; a "
            "run of the configuration sliding_blocks finds those of 4 x 5, in its table records"
        )
    return size


def _range(steps: Any) -> tuple[int, int]:
    """The fewest and the most steps of an argument; all where it is None."""
    if steps is None:
        return 1, NEVER
    try:
        least, most = steps
    except (TypeError, ValueError):
        raise BoardspaceError(f"steps: the fewest and the most, such as (40, 60), not {shown(steps)}") from None
    least, most = within("steps", least, 1, NEVER), within("steps", most, 1, NEVER)
    if least > most:
        raise BoardspaceError(f"steps: {least} is more than {most}")
    return least, most


class _Puzzles(NamedTuple):
    """Longest corner puzzles of classes with the same piece sizes: their steps, codes of starts, and cells of the
    marked pieces."""

    steps: npt.NDArray[np.uint16]
    start: npt.NDArray[np.uint64]
    marked: npt.NDArray[np.uint32]

    def puzzle(self, size: TraySize, row: int) -> Puzzle:
        """One of them."""
        pieces = pieces_of(size, int(self.start[row]))
        return Puzzle(parse(board_text(size, pieces, int(self.marked[row]))), int(self.steps[row]))


def _surveyed(size: TraySize, pieces: int, puzzles_from: int) -> Iterator[_Puzzles]:
    """For each multiset of so many piece sizes, the longest puzzles of its classes: those of ``puzzles_from`` steps and
    more, and always the longest of all."""
    tables = tray(*size)
    for sizes, packings in count_by_sizes(*size).items():
        if len(sizes) == pieces and sum(sizes) < size.cells:
            classes = enumerate_classes(tables, sizes, packings)
            survey = survey_classes(tables, classes, puzzles_from, list_groups=False)
            puzzles = survey.puzzles
            yield _Puzzles(survey.classes.steps[puzzles.label], puzzles.start, tables.mask[puzzles.marked])
