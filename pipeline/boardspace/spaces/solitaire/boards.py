"""Boards, problems and positions, built from the texts of :mod:`.board_files`."""

import re
from collections.abc import Mapping
from typing import Any

from boardspace.spaces.solitaire.board_files import BoardFileError, BoardText
from boardspace_kernels.solitaire.board import Board, BoardError
from boardspace_kernels.solitaire.problem import Problem

ALL_BUT = "all but"


def build_board(name: str, text: BoardText) -> Board:
    """The board of a file."""
    try:
        return Board.from_picture(name, text.grid, text.picture)
    except BoardError as error:
        raise BoardFileError(str(error)) from error


def build_problem(board: Board, start: str, goal: str) -> Problem:
    """A problem from the texts of its start and goal."""
    return Problem(board, parse_position(board, start), parse_position(board, goal))


def parse_position(board: Board, text: str) -> int:
    """The position that ``1 3-5 19`` or ``all but 19`` writes; BoardFileError where it is not one of the board."""
    complement = text.strip().lower().startswith(ALL_BUT)
    listed = text.strip()[len(ALL_BUT) :] if complement else text
    labels: list[int] = []
    for token in re.split(r"[\s,]+", listed.strip()):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", token)
        if match is None:
            raise BoardFileError(f"{text!r} is not a position: write hole numbers such as '1 3-5 19', or 'all but 19'")
        first, last = int(match[1]), int(match[2] or match[1])
        holes = [first] if match[2] is None else [label for label in board.labels if first <= label <= last]
        if not holes:
            raise BoardFileError(f"{text!r} is not a position: {token} names no hole of the board")
        labels += holes
    try:
        position = board.position(labels)
    except BoardError as error:
        raise BoardFileError(str(error)) from error
    return board.full ^ position if complement else position


def problem_of(params: Mapping[str, Any]) -> Problem:
    """The problem that a shard's parameters hold in full (see :func:`problem_params`)."""
    board = build_board(params["board"], BoardText(grid=params["grid"], picture=params["picture"]))
    return build_problem(board, params["start"], params["goal"])
