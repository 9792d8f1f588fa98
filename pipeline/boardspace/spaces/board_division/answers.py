"""Questions about dividing a chessboard: a cover by trominoes, the fewest pegs of a rectangle; what the commands print.

Rows and columns count from 1, as in the source.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from boardspace.cli.drawing import Picture, gallery
from boardspace.spaces.board_division import texts
from boardspace.spaces.board_division.rules import Cell
from boardspace.spaces.board_division.texts import jump_lines, positions_of
from boardspace.spec.arguments import shown, whole
from boardspace.spec.errors import BoardspaceError
from boardspace_kernels.board_division import cover_check, covers
from boardspace_kernels.board_division.cover_check import CoverError
from boardspace_kernels.board_division.covers import BoardError, require_board
from boardspace_kernels.board_division.fewest_pegs import fewest_left
from boardspace_kernels.board_division.jumps import JumpError, Jumps, RectangleError, replay
from boardspace_kernels.board_division.rectangle_jumps import reducing_jumps

PRINTED_K = 13
DRAWN_K = 6
DRAWN_SIDE = 20
CELL = 24
COLOURS = ("#aed6f1", "#f9e79f", "#a9dfbf", "#f5b7b1", "#d7bde2")
MOST_PEGS = 100
"""Pegs of a rectangle that is drawn."""
LARGEST_K = 3
"""Boards of 2^k x 2^k cells are drawn to this k: the atlas shows no longer picture."""
PEG_CELL = 22
AHEAD = {"U": (-2, 0), "R": (0, 2), "D": (2, 0), "L": (0, -2)}


@dataclass(frozen=True)
class Cover:
    """A cover of the 2^k x 2^k board without the cell (row, column): ``board`` int (2^k, 2^k) holds the number of the
    tromino on each cell, 0 on the special one."""

    k: int
    row: int
    column: int
    board: npt.NDArray[np.integer[Any]] = field(repr=False, compare=False)

    @property
    def trominoes(self) -> int:
        """Number of trominoes: (4^k - 1) / 3."""
        return ((1 << 2 * self.k) - 1) // 3

    def document(self) -> dict[str, Any]:
        """Return it as JSON values."""
        names = ("k", "row", "column", "trominoes")
        return {name: getattr(self, name) for name in names} | {"board": self.board.tolist()}

    def lines(self) -> Iterator[str]:
        """The numbers, a line for each row."""
        return texts.board_lines(self.board)

    def draw(self) -> Iterator[str]:
        """The outlines of the trominoes; BoardspaceError for boards beyond k = 6."""
        refuse_larger(self.k, DRAWN_K, "drawn")
        return texts.draw_board(self.board)

    def picture(self) -> Picture:
        """The board in colours; BoardspaceError beyond k = 6."""
        refuse_larger(self.k, DRAWN_K, "drawn")
        side = 1 << self.k
        drawn = Picture(CELL * side + 4, CELL * side + 4)
        for row in range(side):
            for column in range(side):
                number = int(self.board[row, column])
                fill = COLOURS[number % len(COLOURS)] if number else "#222"
                drawn.rect(CELL * column + 2, CELL * row + 2, CELL, CELL, fill)
        edge = {"stroke": "#333", "stroke_width": 2, "stroke_linecap": "square"}
        for row in range(side + 1):
            for column in range(side + 1):
                x, y = CELL * column + 2, CELL * row + 2
                here = self._number(row, column)
                if column < side and here != self._number(row - 1, column):
                    drawn.line(x, y, x + CELL, y, **edge)  # type: ignore[arg-type]
                if row < side and here != self._number(row, column - 1):
                    drawn.line(x, y, x, y + CELL, **edge)  # type: ignore[arg-type]
        return drawn

    def _number(self, row: int, column: int) -> int:
        side = 1 << self.k
        return int(self.board[row, column]) if 0 <= row < side and 0 <= column < side else -1

    def __str__(self) -> str:
        return "\n".join(self.draw() if self.k <= DRAWN_K else self.lines())

    def _repr_svg_(self) -> str:
        return self.picture().svg()


@dataclass(frozen=True)
class Rectangle:
    """The fewest pegs that can be left of m x n pegs on an unbounded board, and jumps that leave so few."""

    m: int
    n: int
    fewest: int

    def jumps(self) -> Jumps:
        """Jumps that leave so few: rows and columns int16 (from 0 at the upper left peg), directions uint8 (URDL)."""
        return reducing_jumps(self.m, self.n)

    def document(self) -> dict[str, Any]:
        """Return it as JSON values, with the number of jumps and the cells of the pegs left."""
        jumps = self.jumps()
        left = replayed(self.m, self.n, jumps)
        return {"m": self.m, "n": self.n, "fewest": self.fewest, "jumps": len(jumps.rows), "left": left.tolist()}

    def draw(self) -> Iterator[str]:
        """The game, jump by jump; BoardspaceError where a side is beyond 20."""
        self._refuse_to_draw()
        return texts.draw_game(self.m, self.n, self.jumps())

    def picture(self) -> Picture:
        """All positions of the game in one picture; BoardspaceError where a side is beyond 20."""
        self._refuse_to_draw()
        names, positions = texts.positions_of(self.m, self.n, self.jumps())
        return gallery([_pegs_drawn(positions, number, CELL)[0] for number in range(len(positions))], names)

    def _refuse_to_draw(self) -> None:
        if max(self.m, self.n) > DRAWN_SIDE:
            raise BoardspaceError(f"{self.m} x {self.n} is too large to draw: sides up to {DRAWN_SIDE}")

    def _repr_svg_(self) -> str | None:
        return self.picture().svg() if max(self.m, self.n) <= DRAWN_SIDE else None

    def __str__(self) -> str:
        return str(self.fewest)


def cover(k: int, row: int, column: int) -> Cover:
    """Cover the 2^k x 2^k board, all but the cell (row, column), by L-trominoes as the source does.

    BoardspaceError where there is no such cell, or k is beyond 13.

    >>> print(*cover(1, 1, 2).lines(), sep="\\n")
    1 0
    1 1
    >>> cover(10, 5, 7)
    Cover(k=10, row=5, column=7)
    """
    k, row, column = whole("k", k), whole("row", row), whole("column", column)
    with explained():
        require_board(k, row - 1, column - 1)
    refuse_larger(k, PRINTED_K, "printed")
    return Cover(k, row, column, covers.cover(k, row - 1, column - 1))


def check_cover(k: int, row: int, column: int, board: npt.NDArray[np.integer[Any]]) -> Cover:
    """A board, int (2^k, 2^k), as a :class:`Cover` where it is one; BoardspaceError names what is wrong.

    >>> import numpy
    >>> check_cover(1, 1, 1, numpy.array([[0, 1], [1, 1]])).trominoes
    1
    """
    k, row, column = whole("k", k), whole("row", row), whole("column", column)
    try:
        given, board = board, np.asarray(board)
    except ValueError as error:
        raise BoardspaceError(f"board: a square of whole numbers is wanted ({error})") from None
    if board.ndim != 2 or board.dtype.kind not in "iu":
        raise BoardspaceError(f"board: a square of whole numbers is wanted, not {shown(given)}")
    with explained():
        require_board(k, row - 1, column - 1)
        if board.shape != (1 << k, 1 << k):
            raise BoardspaceError(
                f"k = {k}: a board of {1 << k} x {1 << k} cells is wanted, not of shape {board.shape}"
            )
        cover_check.check_cover(board, row - 1, column - 1)
    return Cover(k, row, column, board)


def rectangle(m: int, n: int) -> Rectangle:
    """The fewest pegs that can be left of m x n pegs; BoardspaceError where a side is not 1 to 32,000.

    >>> rectangle(3, 4)
    Rectangle(m=3, n=4, fewest=2)
    >>> len(rectangle(4, 5).jumps().rows)
    19
    """
    with explained():
        m, n = whole("m", m), whole("n", n)
        return Rectangle(m, n, fewest_left(m, n))


def replayed(m: int, n: int, jumps: Jumps) -> npt.NDArray[np.int64]:
    """Play jumps on m x n pegs: cells of the pegs left, int64 (pegs, 2), from 1. BoardspaceError names an illegal jump.

    >>> replayed(1, 3, rectangle(1, 3).jumps()).shape
    (2, 2)
    """
    with explained():
        return replay(whole("m", m), whole("n", n), _jumps(jumps)) + 1


def _jumps(jumps: Any) -> Jumps:
    """Jumps as :meth:`Rectangle.jumps` returns them."""
    wanted = "jumps: rows, columns and directions, as of Rectangle.jumps(), are wanted"
    try:
        rows, columns, directions = jumps
        found = Jumps(np.asarray(rows, np.int16), np.asarray(columns, np.int16), np.asarray(directions, np.uint8))
    except (TypeError, ValueError, OverflowError) as error:
        raise BoardspaceError(f"{wanted}, not {shown(jumps)} ({error})") from None
    if len({values.shape for values in found}) > 1 or found.rows.ndim != 1:
        raise BoardspaceError(f"{wanted}, of equal length; these have the shapes {[v.shape for v in found]}")
    return found


def refuse_larger(k: int, most: int, what: str) -> None:
    """BoardspaceError for boards that are too large to be printed or drawn."""
    if k > most:
        raise BoardspaceError(
            f"k = {k}: boards up to k = {most} can be {what}; a run writes larger ones block by block (large_boards)"
        )


@contextmanager
def explained() -> Iterator[None]:
    """Arguments that name no board, rectangle, cover or jump are the user's to mend."""
    try:
        yield
    except (BoardError, CoverError, JumpError, RectangleError) as error:
        raise BoardspaceError(str(error)) from error


def draw_cover(row: Mapping[str, Any]) -> str:
    """One of the covers that a row counts as the text of an SVG: of boards of 2, 4 and 8 cells a side; else ''."""
    k = row["side"].bit_length() - 1
    drawn = 1 <= k <= LARGEST_K and row["side"] == 1 << k
    return cover(k, row["row_num"], row["column_num"]).picture().svg() if drawn else ""


def draw_jump(row: Mapping[str, Any]) -> str:
    """The position before a jump, and the jump, as the text of an SVG; '' where the rectangle is large, or the game of
    this version has no such jump."""
    m, n = row["m"], row["n"]
    if m * n > MOST_PEGS:
        return ""
    jumps = rectangle(m, n).jumps()
    letter = "URDL"[row["direction"]]
    line = f"{row['row_num']} {row['column_num']} {letter}"
    if line not in list(jump_lines(jumps))[row["jump"] - 1 : row["jump"]]:
        return ""
    _, positions = positions_of(m, n, jumps)
    drawn, places = _pegs_drawn(positions, row["jump"] - 1, PEG_CELL)
    down, across = AHEAD[letter]
    start = (row["row_num"], row["column_num"])
    drawn.line(*places[start], *places[start[0] + down, start[1] + across], "#c0392b", stroke_width=3)
    return drawn.svg()


def _pegs_drawn(
    positions: Sequence[frozenset[Cell]], number: int, cell: int
) -> tuple[Picture, dict[Cell, tuple[float, float]]]:
    """One of the positions of a game in a picture with so many pixels a cell, and the middle of every cell that pegs
    come to."""
    seen = frozenset[Cell]().union(*positions)
    (top, left), (bottom, right) = (tuple(map(end, zip(*seen, strict=True))) for end in (min, max))
    drawn = Picture(cell * (right - left + 1), cell * (bottom - top + 1))
    places = {(row, column): (cell * (column - left + 0.5), cell * (row - top + 0.5)) for row, column in sorted(seen)}
    for place, middle in places.items():
        inside, peg = place in positions[0], place in positions[number]
        if inside or peg:
            fill, edge = "#2e86c1" if peg else "#f4ecd8", "#6e4b1f" if inside else "#c0392b"
            drawn.circle(*middle, 0.4 * cell, fill, stroke=edge)
    return drawn, places
