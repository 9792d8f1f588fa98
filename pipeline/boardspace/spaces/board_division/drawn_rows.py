"""Rows of tables as pictures."""

from collections.abc import Mapping
from typing import Any

from boardspace.cli.drawing import Picture
from boardspace.spaces.board_division.answers import cover, rectangle
from boardspace.spaces.board_division.texts import jump_lines, positions_of

MOST_PEGS = 100
"""Pegs of a rectangle that is drawn."""
LARGEST_K = 3
"""Boards of 2^k x 2^k cells are drawn to this k: the atlas shows no longer picture."""
CELL = 22
AHEAD = {"U": (-2, 0), "R": (0, 2), "D": (2, 0), "L": (0, -2)}


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
    seen = frozenset[tuple[int, int]]().union(*positions)
    (top, left), (bottom, right) = (tuple(map(end, zip(*seen, strict=True))) for end in (min, max))
    drawn = Picture(CELL * (right - left + 1), CELL * (bottom - top + 1))
    places = {cell: (CELL * (cell[1] - left + 0.5), CELL * (cell[0] - top + 0.5)) for cell in seen}
    for cell in sorted(seen):
        inside, peg = cell in positions[0], cell in positions[row["jump"] - 1]
        if inside or peg:
            fill, edge = "#2e86c1" if peg else "#f4ecd8", "#6e4b1f" if inside else "#c0392b"
            drawn.circle(*places[cell], 0.4 * CELL, fill, stroke=edge)
    down, across = AHEAD[letter]
    start = (row["row_num"], row["column_num"])
    drawn.line(*places[start], *places[start[0] + down, start[1] + across], "#c0392b", stroke_width=3)
    return drawn.svg()
