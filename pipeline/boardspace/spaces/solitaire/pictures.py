"""Drawings of positions."""

from collections.abc import Sequence

from boardspace.cli.drawing import Picture
from boardspace_kernels.solitaire.board import Board

PEG, HOLE = "●", "·"
LANDED, LEFT = "◉", "○"
CELL = 26


def lines(board: Board, position: int, before: int | None = None) -> list[str]:
    """A position as lines of pegs ● and holes ·; rows of a triangular grid are shifted by half a place each.

    Where the position ``before`` is given, the peg that moved is ◉ and the holes that were emptied are ○.
    """
    return _lines(board, [_sign(hole, position, before) for hole in range(board.holes)])


def numbers(board: Board) -> list[str]:
    """The numbers of the holes as lines, where a position has its pegs."""
    return _lines(board, list(map(str, board.labels)))


def _lines(board: Board, signs: Sequence[str]) -> list[str]:
    """The sign of each hole in its place."""
    bottom = max(row for row, _ in board.cells)
    right = max(column for _, column in board.cells)
    wide = max(map(len, signs))
    wide += board.grid == "triangular" and wide % 2 == 0  # half a place is a whole number of letters
    sign_at = dict(zip(board.cells, signs, strict=True))
    drawn = []
    for row in range(bottom + 1):
        text = " ".join(f"{sign_at.get((row, column), ''):>{wide}}" for column in range(right + 1))
        shift = (bottom - row) * (wide + 1) // 2 if board.grid == "triangular" else 0
        drawn.append(" " * shift + text.rstrip())
    return drawn


def picture(board: Board, position: int, before: int | None = None) -> Picture:
    """A position as a picture, with the numbers of the holes."""
    bottom = max(row for row, _ in board.cells)
    right = max(column for _, column in board.cells)
    drawn = Picture(CELL * (right + 1), CELL * (bottom + 1))
    for hole, (x, y) in enumerate(middles(board)):
        sign = _sign(hole, position, before)
        fill = {PEG: "#2e86c1", LANDED: "#c0392b", HOLE: "#f4ecd8", LEFT: "#f5cba7"}[sign]
        drawn.circle(x, y, 0.42 * CELL, fill, stroke="#6e4b1f")
        drawn.text(x, y, str(board.labels[hole]), 10, fill="#fff" if sign in (PEG, LANDED) else "#888")
    return drawn


def middles(board: Board) -> list[tuple[float, float]]:
    """The middle (x, y) of each hole of a picture; rows of a triangular grid are shifted by half a place each."""
    bottom = max(row for row, _ in board.cells)
    shifts = [CELL / 2 * (bottom - row) if board.grid == "triangular" else 0.0 for row, _ in board.cells]
    cells = zip(board.cells, shifts, strict=True)
    return [(CELL * (column + 0.5) + shift, CELL * (row + 0.5)) for (row, column), shift in cells]


def _sign(hole: int, position: int, before: int | None) -> str:
    peg = position >> hole & 1
    was = peg if before is None else before >> hole & 1
    return {(1, 1): PEG, (0, 0): HOLE, (1, 0): LANDED, (0, 1): LEFT}[peg, was]
