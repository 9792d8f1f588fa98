"""Boards as text, as people write them, and as codes, as the tables have them.

The text of a board is a letter for each cell, row by row: A is the red car, the other pieces have letters from B on in
reading order, o is an empty cell and x a wall. It may also be read with a dot for empty, and with rows of its own.
"""

import functools
from collections.abc import Mapping
from string import ascii_uppercase

from boardspace.spaces.rush_hour.config import Board
from boardspace.spec.arguments import shown
from boardspace.spec.errors import BoardspaceError
from boardspace.spec.second_rules import Rows
from boardspace.spec.texts import counted
from boardspace_kernels.rush_hour.lines import Arrangement, arranged

Piece = tuple[int, int, int, bool, bool]
"""Row, column, length, lies across, is red."""
Pieces = list[Piece]


def kind_text(board: Board, line: Arrangement) -> str:
    """The pieces of the red car's row in their order: ``2A`` is a car before the red one, | a wall between them."""
    walls, text = sorted(c for r, c in board.walls if r == board.row), ""
    for place, length, red in line:
        while walls and walls[0] < place:
            text, walls = text + "|", walls[1:]
        text += "A" if red else str(length)
    return text


@functools.lru_cache(64)
def _lines_of(board: Board) -> tuple[tuple[Arrangement, ...], ...]:
    found = []
    for line in range(2 * board.n):
        walls = tuple(
            c if line < board.n else r for r, c in board.walls if (r if line < board.n else c) == line % board.n
        )
        kinds = arranged(board.n, line == board.row, walls)
        found.append(tuple(one for same in kinds for one in same))
    return tuple(found)


def pieces_of_code(board: Board, code: int) -> Pieces:
    """The pieces of a code: five bits for each line, rows first, the number of its arrangement."""
    n, found = board.n, []
    for line, arrangements in enumerate(_lines_of(board)):
        for place, length, red in arrangements[code >> 5 * (2 * n - 1 - line) & 31]:
            across = line < n
            found.append((line if across else place, place if across else line - n, length, across, red))
    return found


def line_of(n: int, piece: Piece) -> int:
    """The line in which a piece lies: rows first, then columns."""
    return piece[0] if piece[3] else n + piece[1]


def cells_under(n: int, piece: Piece) -> list[int]:
    """The cells that a piece covers."""
    r, c, length, across, _ = piece
    return [(r + i * (not across)) * n + c + i * across for i in range(length)]


def by_lines(pieces: Pieces) -> Pieces:
    """The pieces line by line, those of columns first, of a line in their order, which no move changes."""
    return sorted(pieces, key=lambda piece: (piece[3], piece[0] if piece[3] else piece[1], piece[:2]))


def class_of(pieces: Pieces) -> list[tuple[bool, int, int, bool]]:
    """The pieces of each line, in order: lies across, line, length, is red; moves never change it."""
    return [(across, r if across else c, size, red) for r, c, size, across, red in by_lines(pieces)]


def text_of(board: Board, pieces: Pieces) -> str:
    """The text of a board with some pieces."""
    letters = iter(ascii_uppercase[1:])
    return "".join(cells_of(board, {one: "A" if one[4] else next(letters) for one in sorted(pieces)}, "o"))


def cells_of(board: Board, letters: Mapping[Piece, str], empty: str) -> list[str]:
    """The sign of each cell, row by row, where each piece has a letter."""
    cells = [empty] * board.n**2
    for r, c in board.walls:
        cells[r * board.n + c] = "x"
    for piece, letter in letters.items():
        for cell in cells_under(board.n, piece):
            cells[cell] = letter
    return cells


def text_of_code(board: Board, code: int) -> str:
    """The text of the board of a code."""
    return text_of(board, pieces_of_code(board, code))


def parse(text: str) -> tuple[Board, Pieces]:
    """The board of a text, and its pieces; BoardspaceError where it is none."""
    cells = "".join(text.replace("/", " ").split()).replace(".", "o")
    n = round(len(cells) ** 0.5)
    if n * n != len(cells) or not 3 <= n <= 6:
        raise BoardspaceError(
            f"{shown(text)}: a board has n rows of n cells, n from 3 to 6; this has {counted(len(cells), 'cell')}"
        )
    places: dict[str, list[tuple[int, int]]] = {}
    for cell, letter in enumerate(cells):
        places.setdefault(letter, []).append(divmod(cell, n))
    walls, pieces = tuple(places.pop("x", ())), []
    places.pop("o", None)
    for letter, own in places.items():
        (r, c), length = own[0], len(own)
        across = own == [(r, c + i) for i in range(length)]
        if length not in (2, 3) or not (across or own == [(r + i, c) for i in range(length)]):
            raise BoardspaceError(f"{letter} is no car of two cells in a line and no truck of three")
        if letter == "A" and not (across and length == 2):
            raise BoardspaceError("A, the red car, has two cells in a row")
        pieces.append((r, c, length, across, letter == "A"))
    red = [r for r, _, _, _, is_red in pieces if is_red]
    if not red:
        raise BoardspaceError("there is no red car: mark its two cells with A")
    return Board(n, red[0], walls), sorted(pieces)


def rows_of(board: Board, pieces: Pieces) -> Rows:
    """A board in letters that no move changes: those of the other pieces go along the lines."""
    others = iter(ascii_uppercase[1:])
    cells = cells_of(board, {piece: "A" if piece[4] else next(others) for piece in by_lines(pieces)}, ".")
    return tuple("".join(cells[first : first + board.n]) for first in range(0, board.n**2, board.n))


def read(text: str) -> Rows:
    """The board of a text, as :func:`rows_of` writes it."""
    return rows_of(*parse(text))
