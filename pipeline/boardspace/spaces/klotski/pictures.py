"""Drawings of layouts: each piece a box of its own, nothing where a cell is empty, the exit open below."""

from collections.abc import Collection, Sequence

from boardspace.cli.drawing import Picture
from boardspace.spaces.klotski.texts import COLUMNS, ROWS, Piece

LETTERS = "ABCDEFGHIJKLMNOPQRS"
WIDE, HIGH = 4, 2
"""Signs of a cell, across and down."""
THIN, THICK = "╭─╮│ │╰─╯", "┏━┓┃▒┃┗━┛"
CELL = 40
MARGIN = 6
COLOURS = {(2, 2): "#c0392b", (1, 2): "#2e86c1", (2, 1): "#1e8449", (1, 1): "#d4ac0d"}


def lines(pieces: Sequence[Piece], moved: int | None = None, left: Collection[int] = ()) -> list[str]:
    """A layout in 12 lines of 18 signs. Pieces are lettered by their places in the list; that of the number ``moved``
    is drawn thick, and the cells in ``left``, which it left, are dotted."""
    canvas = [[" "] * (WIDE * COLUMNS) for _ in range(HIGH * ROWS)]
    for cell in left:
        row, column = divmod(cell, COLUMNS)
        for down in range(HIGH):
            canvas[HIGH * row + down][WIDE * column + 1] = canvas[HIGH * row + down][WIDE * column + 2] = "·"
    for number, piece in enumerate(pieces):
        _box(canvas, piece, LETTERS[number], THICK if number == moved else THIN)
    edge = "─" * (WIDE * COLUMNS)
    door = " " * (2 * WIDE)
    bottom = "─" * WIDE + door + "─" * WIDE
    return [f"┌{edge}┐", *(f"│{''.join(line)}│" for line in canvas), f"└{bottom}┘"]


def _box(canvas: list[list[str]], piece: Piece, letter: str, style: str) -> None:
    row, column = divmod(piece.cell, COLUMNS)
    top, first = HIGH * row, WIDE * column
    bottom, last = top + HIGH * piece.height - 1, first + WIDE * piece.width - 1
    for y in range(top, bottom + 1):
        for x in range(first, last + 1):
            part = 3 * ((y > top) + (y == bottom)) + (x > first) + (x == last)
            canvas[y][x] = style[part]
    canvas[top][first + 1] = letter


def picture(pieces: Sequence[Piece], moved: int | None = None, left: Collection[int] = ()) -> Picture:
    """Draw a layout: a red block, blue and green dominoes, yellow singles; the moved piece has a dark edge."""
    side = 2 * MARGIN
    drawn = Picture(CELL * COLUMNS + side, CELL * ROWS + side)
    drawn.rect(MARGIN / 2, MARGIN / 2, CELL * COLUMNS + MARGIN, CELL * ROWS + MARGIN, "#f4ecd8", stroke="#6e4b1f", rx=4)
    drawn.rect(MARGIN + CELL, CELL * ROWS + side - 5, 2 * CELL, 4, "#f4ecd8")
    for cell in left:
        row, column = divmod(cell, COLUMNS)
        drawn.circle(MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5), 4, "#bbb")
    for number, piece in enumerate(pieces):
        row, column = divmod(piece.cell, COLUMNS)
        x, y = MARGIN + CELL * column + 1.5, MARGIN + CELL * row + 1.5
        width, height = CELL * piece.width - 3, CELL * piece.height - 3
        edge = {"stroke": "#111", "stroke_width": 3} if number == moved else {"stroke": "#0003"}
        drawn.rect(x, y, width, height, COLOURS[piece.height, piece.width], rx=5, **edge)
        drawn.text(x + width / 2, y + height / 2, LETTERS[number], 15, fill="#fff")
    return drawn
