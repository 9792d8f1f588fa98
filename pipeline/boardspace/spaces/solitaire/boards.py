"""Boards, problems and positions, built from the texts of :mod:`.board_files`."""

import re
from collections.abc import Mapping
from typing import Any

from boardspace.spaces.solitaire.board_files import (
    OUTSIDE,
    SIGNS,
    BoardFileError,
    BoardText,
    board_name,
    is_drawing,
    load_board,
    read_drawing,
)
from boardspace_kernels.solitaire.board import MOST_HOLES, Board, BoardError
from boardspace_kernels.solitaire.play import Problem

ALL_BUT = "all but"
PEG, HOLE = "o", "."


def build_board(name: str, text: BoardText) -> Board:
    """The board of a file; BoardFileError where it is none, or has more holes than a position has bits."""
    holes = sum(word not in (".", "") for line in text.picture.split("\n") for word in line.split())
    if holes > MOST_HOLES:
        raise BoardFileError(
            f"board {name!r}: {holes} holes, and {MOST_HOLES} at most: a position is a word of {MOST_HOLES} bits. "
            "More would need positions of two words in every search, table and code, which nothing here has"
        )
    try:
        return Board.from_picture(name, text.grid, text.picture)
    except BoardError as error:
        raise BoardFileError(str(error)) from error


def open_board(name: str) -> Board:
    """The board of a file, or a shipped one; BoardFileError if it is none."""
    return build_board(board_name(name), load_board(name))


def build_problem(board: Board, start: str, goal: str) -> Problem:
    """A problem from the texts of its start and goal."""
    return Problem(board, parse_position(board, start), parse_position(board, goal))


def parse_position(board: Board, text: str) -> int:
    """The position that ``1 3-5``, ``all but 19`` or ``all but d4`` writes, or a drawing; BoardFileError where it
    writes none."""
    if is_drawing(text):
        pegs = read_drawing(text).on(board.cells, board.name)
        return sum(1 << hole for hole, cell in enumerate(board.cells) if cell in pegs)
    complement = text.strip().lower().startswith(ALL_BUT)
    listed = text.strip()[len(ALL_BUT) :] if complement else text
    labels: list[int] = []
    for token in re.split(r"[\s,]+", listed.strip()):
        holes = _labels(board, token)
        if holes is None:
            raise BoardFileError(
                f"{text!r} is not a position: write hole numbers such as '1 3-5 19', or 'all but 19', or a drawing, "
                f"in which {SIGNS}"
            )
        if not holes:
            raise BoardFileError(f"{text!r} is not a position: {token} names no hole of the board")
        labels += holes
    try:
        position = board.position(labels)
    except BoardError as error:
        raise BoardFileError(str(error)) from error
    return board.full ^ position if complement else position


def drawing_of(board: Board, position: int) -> str:
    """A position in one line, as :func:`parse_position` reads it: its rows with / between; o is a peg, . a hole without
    one, # no hole."""
    rows, columns = (1 + max(cell[axis] for cell in board.cells) for axis in (0, 1))
    drawn = [[OUTSIDE] * columns for _ in range(rows)]
    for hole, (row, column) in enumerate(board.cells):
        drawn[row][column] = PEG if position >> hole & 1 else HOLE
    return "/".join(map("".join, drawn))


def _labels(board: Board, token: str) -> list[int] | None:
    """The numbers of the holes that a number, a range of numbers, or a column and row name; None for no such text."""
    if numbers := re.fullmatch(r"(\d+)(?:-(\d+))?", token):
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        return [first] if numbers[2] is None else [label for label in board.labels if first <= label <= last]
    if named := re.fullmatch(r"([a-z])(\d+)", token.lower()):
        cell = (int(named[2]) - 1, ord(named[1]) - ord("a"))
        return [label for label, hole in zip(board.labels, board.cells, strict=True) if hole == cell]
    return None


def problem_of(params: Mapping[str, Any]) -> Problem:
    """The problem that a shard's parameters hold in full (see :func:`.board_files.problem_params`)."""
    board = build_board(params["board"], BoardText(grid=params["grid"], picture=params["picture"]))
    return build_problem(board, params["start"], params["goal"])
