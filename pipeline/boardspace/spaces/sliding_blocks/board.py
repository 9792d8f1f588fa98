"""Board of sliding blocks: a tray and its pieces, read from a text or from the row of a table, written and drawn."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from boardspace.cli.drawing import Picture, tray_picture
from boardspace.spaces.sliding_blocks.boards import TraySize, bits, check_pieces, code_of, parse_board

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
        return [
            "".join(signs[row * self.tray.columns : (row + 1) * self.tray.columns]) for row in range(self.tray.rows)
        ]

    def picture(self) -> Picture:
        """The board in colours."""
        return tray_picture(*self.tray, self.pieces, self.walls)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_svg_(self) -> str:
        return self.picture().svg()


def parse(text: Board | str, walls: str = "") -> Board:
    """The board that a drawing shows: rows of signs, separated by blanks, / or ends of lines. A board is itself.

    Equal signs are a piece, a dot is a void, see :mod:`boardspace.spec.drawings`. BoardspaceError says what is wrong,
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
