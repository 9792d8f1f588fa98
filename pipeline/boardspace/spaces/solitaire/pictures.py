"""Drawings of positions, as lines and as pictures, and rows of tables as pictures.

Of rows boards are known by name: rows of a board that a config describes have no picture.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from boardspace.cli.drawing import Picture
from boardspace.spaces.solitaire.board_files import load_board, named_problem
from boardspace.spaces.solitaire.boards import build_board, parse_position
from boardspace.storage.shipped import BOARDS, shipped_names
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


def draw_position(row: Mapping[str, Any]) -> str:
    """The position of a row as the text of an SVG; '' where its board is none that ships."""
    board, _ = _board_of(row)
    return "" if board is None else picture(board, row["position"]).svg()


def draw_solution(row: Mapping[str, Any]) -> str:
    """The start of a solution with the ways of all pegs that move, as the text of an SVG; '' where its board is none
    that ships."""
    board, start = _board_of(row)
    if board is None:
        return ""
    drawn = picture(board, start)
    holes = dict(zip(board.labels, middles(board), strict=True))
    for move in row["moves"].split(", "):
        stops = [holes[int(label)] for label in move.split("==>")]
        for (x1, y1), (x2, y2) in pairwise(stops):
            drawn.line(x1, y1, x2, y2, "#c0392b", stroke_width=2, stroke_opacity=0.6)
    return drawn.svg()


def _board_of(row: Mapping[str, Any]) -> tuple[Board | None, int]:
    """The board of a row and the start of its problem; (None, 0) where no board of that name ships.

    ``problem`` is BOARD-PROBLEM. A name is looked for among those that ship alone: the row may be of anyone's release.
    """
    name, _, problem = row["problem"].partition("-") if "problem" in row else (row["board"], "", "")
    if name not in shipped_names(BOARDS):
        return None, 0
    text = load_board(name)
    board = build_board(name, text)
    start = named_problem(name, text, problem).start if problem else f"all but {row.get('vacancy', board.labels[0])}"
    return board, parse_position(board, start)
