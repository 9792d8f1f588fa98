"""Boards of sliding blocks: a tray and its pieces, sets of cells with a bit for each cell in reading order.

They are read from texts, codes or the rows of tables, written and drawn. No kernel is imported here: checks and
questions read boards by it, too.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple

from boardspace.cli.drawing import Picture, tray_picture
from boardspace.spec.arguments import shown, whole
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.second_rules import bits
from boardspace.spec.slides import EMPTY, HOW_EMPTY, DrawingError, read_drawing

VOID = EMPTY
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_CELLS = 20
"""Cells of a tray that is enumerated: 6 x 4 has some 10^12 packings."""
MOST_READ = 64
"""Cells of a board that can be read, and solved: a bit for each in a word."""
SEARCHED_CELLS = 16
"""Cells of a tray whose hardest puzzles are searched on demand."""


class TraySize(NamedTuple):
    """Rows and columns of a tray."""

    rows: int
    columns: int

    @property
    def name(self) -> str:
        """Its name in tables and paths: ``4x5``."""
        return f"{self.rows}x{self.columns}"

    @property
    def cells(self) -> int:
        """Number of its cells."""
        return self.rows * self.columns


class BoardError(BoardspaceError):
    """A text that is no board."""


def touching(tray: TraySize) -> list[tuple[int, int]]:
    """Pairs of touching cells in the order of a code's bits: side by side, row by row, then one above the other."""
    rows, columns = tray
    across = [
        (row * columns + column, row * columns + column + 1) for row in range(rows) for column in range(columns - 1)
    ]
    down = [(cell, cell + columns) for cell in range((rows - 1) * columns)]
    return across + down


def code_of(tray: TraySize, pieces: Iterable[int]) -> int:
    """The code of a position."""
    return sum(_code_of_piece(tray, piece) for piece in pieces)


@lru_cache(1 << 16)
def _code_of_piece(tray: TraySize, piece: int) -> int:
    pairs = touching(tray)
    inside = sum(1 << bit for bit, (one, other) in enumerate(pairs) if piece >> one & piece >> other & 1)
    return piece << len(pairs) | inside


def pieces_of(tray: TraySize, code: int) -> list[int]:
    """The pieces of a position, in order of their first cells; BoardError where the code is none."""
    pairs = touching(tray)
    owner = list(range(tray.cells))
    for bit, (one, other) in enumerate(pairs):
        if code >> bit & 1:
            old, new = owner[other], owner[one]
            owner = [new if piece == old else piece for piece in owner]
    covered = code >> len(pairs)
    pieces: dict[int, int] = {}
    for cell in range(tray.cells):
        if covered >> cell & 1:
            pieces[owner[cell]] = pieces.get(owner[cell], 0) | 1 << cell
    found = list(pieces.values())
    if code < 0 or code_of(tray, found) != code:
        raise BoardError(f"{code} is no code of a position on the {tray.rows} x {tray.columns} tray")
    return found


def board_text(tray: TraySize, pieces: Sequence[int], marked: int) -> str:
    """A board row by row, with / between the rows; the marked piece is A, the others follow by their first cells."""
    ordered = sorted(pieces, key=lambda piece: (piece != marked, piece & -piece))
    signs = [VOID] * tray.cells
    for letter, piece in zip(LETTERS, ordered, strict=False):
        for cell in bits(piece):
            signs[cell] = letter
    return "/".join(_rows(tray, signs))


def _rows(tray: TraySize, signs: Sequence[str]) -> list[str]:
    return ["".join(signs[begin : begin + tray.columns]) for begin in range(0, tray.cells, tray.columns)]


def parse_board(text: str, walls: str = "") -> tuple[TraySize, dict[str, int], int]:
    """A tray, its pieces by their signs, and its walls, from a drawing as :mod:`boardspace.spec.slides` reads it.

    Equal signs are a piece, a dot is a void; cells of the sign ``walls``, if one is given, are covered for good.
    BoardError says what is wrong.
    """
    if not isinstance(text, str):
        raise BoardError(f"{shown(text)} is no board; write rows of letters, such as AAB/A.B")
    if not isinstance(walls, str):
        raise BoardError(f"walls: {shown(walls)} is no sign, such as '#'")
    try:
        lines = read_drawing(text)
    except DrawingError as error:
        raise BoardError(str(error)) from None
    tray = TraySize(len(lines), len(lines[0]))
    if max(tray) > 32 or tray.cells > MOST_READ:
        raise BoardError(f"a board of {tray.rows} x {tray.columns}; up to {MOST_READ} cells can be read")
    pieces: dict[str, int] = {}
    for cell, sign in enumerate(chain.from_iterable(lines)):
        if sign != VOID:
            pieces[sign] = pieces.get(sign, 0) | 1 << cell
    blocked = pieces.pop(walls, 0)
    if walls and not blocked:
        raise BoardError(f"no cell has the sign of walls, {shown(walls)}")
    try:
        check_pieces(tray, pieces)
    except BoardError as error:
        raise BoardError(f"{error}; {HOW_EMPTY}" if VOID not in "".join(lines) else str(error)) from None
    return tray, pieces, blocked


def check_pieces(tray: TraySize, pieces: Mapping[str, int]) -> None:
    """Refuse what is no position: BoardError where a piece has no cell, is in parts, sticks out or overlaps another."""
    covered = 0
    for sign, piece in pieces.items():
        if not 0 < piece < 1 << tray.cells:
            raise BoardError(f"piece {sign} has no cell, or cells outside the {tray.rows} x {tray.columns} tray")
        if piece & covered:
            cell = next(bits(piece & covered))
            row, column = divmod(cell, tray.columns)
            raise BoardError(f"piece {sign} overlaps another one at row {row + 1}, column {column + 1}")
        covered |= piece
        parts = components(tray, piece)
        if len(parts) > 1:
            raise BoardError(
                f"the cells of {sign} are {len(parts)} separate parts; edges connect the cells of a piece, so give "
                "each part a letter of its own"
            )


@lru_cache(1 << 12)
def components(tray: TraySize, cells: int) -> tuple[int, ...]:
    """The connected parts of a set of cells; kept, as a way of 235 steps asks for thousands."""
    pairs = touching(tray)
    parts = []
    while cells:
        part, grown = 0, cells & -cells
        while grown != part:
            part = grown
            for one, other in pairs:
                if (part >> one | part >> other) & 1 and cells >> one & cells >> other & 1:
                    grown |= 1 << one | 1 << other
        parts.append(part)
        cells &= ~part
    return tuple(parts)


def tray_size(rows: int, columns: int) -> TraySize:
    """The size of a tray, given as arguments; BoardspaceError where it has no cell."""
    size = TraySize(whole("rows", rows), whole("columns", columns))
    if min(size) < 1:
        raise BoardspaceError(f"{rows} x {columns}: a tray has at least one row and one column")
    return size


WALL = "#"


@dataclass(frozen=True)
class Board:
    """A position: its tray and its pieces by their signs, sets of cells with a bit each in reading order; and the cells
    that are walls, which no piece may cover.

    BoardError where two pieces overlap, or one has no cell, is in parts, or sticks out of the tray.

    >>> board = parse("AAB/.CB")
    >>> board.tray, board.pieces
    (TraySize(rows=2, columns=3), {'A': 3, 'B': 36, 'C': 16})
    """

    tray: TraySize
    pieces: Mapping[str, int] = field(hash=False)
    walls: int = 0

    def __post_init__(self) -> None:
        check_pieces(self.tray, self.pieces)

    @property
    def code(self) -> int:
        """Its code, as the tables have it."""
        return code_of(self.tray, self.pieces.values())

    def lines(self) -> list[str]:
        """A line for each row."""
        signs = [WALL if self.walls >> cell & 1 else "." for cell in range(self.tray.cells)]
        for sign, piece in self.pieces.items():
            for cell in bits(piece):
                signs[cell] = sign
        return _rows(self.tray, signs)

    def picture(self) -> Picture:
        """The board in colours."""
        return tray_picture(*self.tray, self.pieces, self.walls)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_svg_(self) -> str:
        return self.picture().svg()


def parse(text: Board | str, walls: str = "") -> Board:
    """The board that a drawing shows: rows of signs, separated by blanks, / or ends of lines. A board is itself.

    Equal signs are a piece, a dot is a void, see :mod:`boardspace.spec.slides`. BoardspaceError says what is wrong,
    and where: rows of unequal length, a piece in parts, more than 64 cells. Cells of the sign ``walls``, if one is
    given, are walls.

    >>> print(parse("AAB/A.B"))
    AAB
    A.B
    >>> parse("AB/BA")
    Traceback (most recent call last):
    boardspace...BoardError: the cells of A are 2 separate parts; edges connect the cells of a piece, so give each ...
    """
    return text if isinstance(text, Board) else Board(*parse_board(text, walls))


def draw_board(row: Mapping[str, Any]) -> str:
    """The board of a row as the text of an SVG; '' where it has none."""
    return parse(row["board"]).picture().svg() if row["board"] else ""
