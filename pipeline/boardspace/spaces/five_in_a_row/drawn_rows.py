"""Rows of tables as pictures."""

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from boardspace.spaces.five_in_a_row.answers import picture
from boardspace.spaces.five_in_a_row.endless import Plane

MOST_CELLS = 196
"""Cells of a board that is drawn: the atlas shows no longer picture."""


def draw_placement(row: Mapping[str, Any]) -> str:
    """The placement of a row, lines between slashes, as the text of an SVG."""
    return _drawn(row["picture"].replace("/", ""), row["rows"], row["columns"])


def draw_witness(row: Mapping[str, Any]) -> str:
    """The placement in a board's certificate as the text of an SVG; '' of a large board."""
    return _drawn(json.loads(row["certificate"])["witness"], row["rows"], row["columns"])


def draw_cell(row: Mapping[str, Any]) -> str:
    """A best cell as the text of an SVG."""
    return picture(np.eye(row["n"], dtype=bool)[row["columns"]]).svg()


def draw_pattern(row: Mapping[str, Any]) -> str:
    """The pattern of least density of the plane, one period of it, as the text of an SVG."""
    found = Plane(row["k"], row["modulus"], row["slope"], tuple(row["residues"]))
    return picture(found.window(found.modulus, found.modulus)).svg() if found.modulus**2 <= MOST_CELLS else ""


def _drawn(signs: str, rows: int, columns: int) -> str:
    """Signs of cells, # a stone, as a board; '' of a large one."""
    if rows * columns > MOST_CELLS:
        return ""
    return picture(np.array([sign == "#" for sign in signs]).reshape(rows, columns)).svg()
