"""Rows of tables as pictures."""

from collections.abc import Mapping
from typing import Any

from boardspace.spaces.sliding_blocks.board import parse


def draw_board(row: Mapping[str, Any]) -> str:
    """The board of a row as the text of an SVG; '' where it has none."""
    return parse(row["board"]).picture().svg() if row["board"] else ""
