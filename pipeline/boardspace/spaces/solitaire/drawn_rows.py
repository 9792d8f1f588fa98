"""Rows of tables as pictures. Boards are known by name: rows of a board that a config describes have no picture."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from boardspace.spaces.solitaire.board_files import load_board, named_problem
from boardspace.spaces.solitaire.boards import build_board, parse_position
from boardspace.spaces.solitaire.pictures import middles, picture
from boardspace.storage.shipped import BOARDS, shipped_names
from boardspace_kernels.solitaire.board import Board


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
